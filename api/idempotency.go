package api

import (
	"context"
	"crypto/sha256"
	"regexp"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

var idempotencyKeyForm = regexp.MustCompile(`^[\x20-\x7e]{1,255}$`)

// How long a call may hold a key before another may take it over. A call that is slower loses nothing but its
// turn: its commit finds another owner (storage/postgres/idempotency.go).
var keyLease = map[class]time.Duration{write: 20 * time.Second, poll: 35 * time.Second, upload: 2 * time.Minute,
	read: 10 * time.Second}

// keptHeaders are the headers of an answer that a repeat gets too.
var keptHeaders = []string{fiber.HeaderContentType, fiber.HeaderLocation, fiber.HeaderETag}

// idempotently runs the handler, at most once for each Idempotency-Key: a repeat gets the first answer again, with
// Idempotent-Replayed: true. Answers of 5xx are not stored; 401, 403 and 429 are given before a key is looked at.
func (s *Server) idempotently(c *fiber.Ctx, r route) error {
	text := c.Get("Idempotency-Key")
	if text == "" || r.scope == "" || c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		return r.handler(c)
	}
	if !idempotencyKeyForm.MatchString(text) {
		return dossier.Coded(dossier.Invalid, "invalid_idempotency_key",
			"An Idempotency-Key has 1 to 255 printable ASCII characters")
	}
	key := postgres.IdempotencyKey{Method: c.Method(), Path: c.Path(), Key: idempotencyOwner(c) + text}
	sum, err := bodyHash(c, r)
	if err != nil {
		return err
	}
	claim, stored, err := s.db.ClaimIdempotency(c.UserContext(), workspace(c), key, sum, keyLease[r.class])
	switch {
	case dossier.KindOf(err) == dossier.Conflict:
		web.RetryAfter(c, time.Second)
		return err
	case err != nil:
		return err
	case stored != nil:
		return s.replay(c, r, key, stored)
	}
	return s.runClaimed(c, r, claim)
}

// idempotencyOwner is who a key belongs to: the person of the session, or the API key that used it and the person it
// acted for. Nobody else gets what was answered, which may hold a secret that is shown once.
func idempotencyOwner(c *fiber.Ctx) string {
	if who := callerOf(c); who.person != nil {
		return who.name() + " "
	}
	return string(callerOf(c).key.ID) + " " + c.Get("x-actor") + " "
}

// runClaimed runs the handler, writes its answer and stores it.
func (s *Server) runClaimed(c *fiber.Ctx, r route, claim *postgres.IdempotencyClaim) error {
	ctx := c.UserContext()
	// The deadline of the request must not keep the key locked.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	settled := false
	defer func() {
		if !settled { // also after a panic
			s.warn(c, "idempotency key not released", s.db.ReleaseIdempotency(after, claim))
		}
	}()
	c.SetUserContext(postgres.WithIdempotency(ctx, claim))
	c.Locals(web.ClaimKey, claim)
	if err := r.handler(c); err != nil {
		s.answerError(c, err)
	}
	status := c.Response().StatusCode()
	if status >= 500 || status == 401 || status == 403 || status == 429 || c.Response().IsBodyStream() {
		return nil
	}
	if r.files && len(claim.BodyHash) == 0 {
		if _, err := web.FinishForm(c); err != nil {
			return nil // the body never arrived whole, so there is nothing to compare a repeat with
		}
	}
	answer := postgres.StoredAnswer{Status: status, Headers: map[string]string{},
		Body: slices.Clone(c.Response().Body())}
	for _, name := range keptHeaders {
		if value := string(c.Response().Header.Peek(name)); value != "" {
			answer.Headers[name] = value
		}
	}
	err := s.db.SettleIdempotency(after, claim, answer)
	s.warn(c, "answer not stored", err)
	settled = err == nil
	return nil
}

// replay gives the stored answer, once an upload's body turned out to be the same.
func (s *Server) replay(c *fiber.Ctx, r route, key postgres.IdempotencyKey, stored *postgres.StoredAnswer) error {
	if r.files {
		sum, err := web.FinishForm(c)
		if err != nil {
			return err
		}
		if err := s.db.CheckIdempotentBody(c.UserContext(), workspace(c), key, sum); err != nil {
			return err
		}
	}
	for name, value := range stored.Headers {
		c.Set(name, value)
	}
	c.Set("Idempotent-Replayed", "true")
	c.Status(stored.Status)
	c.Response().SetBodyRaw(stored.Body)
	return nil
}

func (s *Server) warn(c *fiber.Ctx, message string, err error) {
	if err != nil {
		id, _ := c.Locals(web.RequestIDKey).(string)
		s.Log.Warn(message, "request", id, "error", err)
	}
}

// bodyHash is what "the same body" means: of JSON its value, whatever the order of names and the space between;
// of other bodies their bytes; of uploads nothing yet. What the query says belongs to it.
func bodyHash(c *fiber.Ctx, r route) ([]byte, error) {
	if r.files {
		return nil, nil
	}
	body, err := web.ReadBody(c, r.bodyLimit())
	if err != nil {
		return nil, err
	}
	if tree, err := web.Parse(c, body); err == nil {
		tree.SortNames()
		body = tree.Raw()
	}
	if query := c.Context().QueryArgs().QueryString(); len(query) > 0 {
		body = append(slices.Clone(body), append([]byte{0}, query...)...)
	}
	sum := sha256.Sum256(body)
	return sum[:], nil
}
