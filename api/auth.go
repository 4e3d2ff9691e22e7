package api

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// caller is who makes a request: a key, or a person with a session.
type caller struct {
	workspace dossier.WorkspaceID
	key       dossier.Key        // zero for a person
	person    *postgres.SignedIn // nil for a key
}

// can reports whether the caller has a scope, a person by its role.
func (w caller) can(scope dossier.Scope) bool {
	if w.person != nil {
		return w.person.Role.Can(scope)
	}
	return w.key.Can(scope)
}

// name is the caller in counters and keys of idempotency: nobody else has it.
func (w caller) name() string {
	if w.person != nil {
		return "person:" + string(w.person.Person.ID)
	}
	return string(w.key.ID)
}

// authenticate finds the key of a request, or without one the session of its cookie. Missing, unknown, revoked and
// expired ones get one answer, so that nobody learns which of them it was.
func (s *Server) authenticate(c *fiber.Ctx) (caller, error) {
	text := c.Get("x-api-key")
	if text == "" {
		scheme, credentials, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
		if strings.EqualFold(scheme, "Bearer") {
			text = strings.TrimSpace(credentials)
		}
	}
	var who caller
	var err error
	if cookie := s.sessionCookie(c); text == "" && cookie != "" {
		who, err = s.callerBySession(c, cookie)
	} else {
		who, err = s.callerByKey(c.UserContext(), text)
		if err == nil && !who.key.Usable(s.Now()) {
			err = unauthorized()
		}
	}
	if dossier.KindOf(err) == dossier.Unauthorized && s.RateLimit > 0 && s.RateLimitAuth > 0 {
		// Of who has a valid key nothing is counted here, whatever others at the same address try.
		if limited := s.door.LimitOpen(c, "auth:"+s.door.ClientAddress(c), s.RateLimitAuth); limited != nil {
			return caller{}, limited
		}
	}
	if err != nil {
		return caller{}, err
	}
	return who, nil
}

func (s *Server) callerByKey(ctx context.Context, text string) (caller, error) {
	prefix, ok := dossier.KeyPrefix(text)
	if !ok {
		return caller{}, unauthorized()
	}
	hash := dossier.HashKey(text)
	if who, ok := s.keys.find(hash, time.Now()); ok {
		return who, nil
	}
	ws, key, err := s.db.Authenticate(ctx, prefix, hash)
	if dossier.KindOf(err) == dossier.NotFound {
		return caller{}, unauthorized()
	}
	if err != nil {
		return caller{}, err
	}
	who := caller{workspace: ws, key: key}
	s.keys.keep(hash, who, time.Now())
	return who, nil
}

func unauthorized() error {
	return dossier.Errorf(dossier.Unauthorized, "A valid API key is required in the x-api-key header")
}

// keyTTL is how long a key is believed without asking again: the time within which a revocation made by another
// process is seen here.
const (
	keyTTL      = 3 * time.Second
	maxKeysKept = 10_000
)

// keyCache keeps recently used keys by their hash, so that a busy client costs no query per request.
type keyCache struct {
	mu   sync.Mutex
	kept map[[32]byte]keptKey
}

type keptKey struct {
	who   caller
	until time.Time
}

func newKeyCache() *keyCache { return &keyCache{kept: map[[32]byte]keptKey{}} }

func (k *keyCache) find(hash [32]byte, now time.Time) (caller, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.kept[hash]
	return kept.who, ok && now.Before(kept.until)
}

func (k *keyCache) keep(hash [32]byte, who caller, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.kept) >= maxKeysKept {
		clear(k.kept)
	}
	k.kept[hash] = keptKey{who: who, until: now.Add(keyTTL)}
}

// forget drops a key at once: this process revoked it.
func (k *keyCache) forget(id dossier.KeyID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for hash, kept := range k.kept {
		if kept.who.key.ID == id {
			delete(k.kept, hash)
		}
	}
}

// actor is the person behind the call: who has the session, else who a program names (x-actor), else empty. A change
// with an actor counts as made by hand. Error: Invalid, when it is not an email address.
func actor(c *fiber.Ctx) (string, error) {
	if person := callerOf(c).person; person != nil {
		return person.Person.Email, nil
	}
	who := c.Get("x-actor")
	if who == "" || dossier.IsAddress(who) {
		return who, nil
	}
	return "", dossier.Coded(dossier.Invalid, "validation_failed",
		"x-actor must be the email address of the person who makes the change")
}
