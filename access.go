package dossier

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Scope is what a key may do. write includes read, admin includes both.
type Scope string

// Scopes of API keys.
const (
	ScopeRead  Scope = "read"
	ScopeWrite Scope = "write"
	ScopeAdmin Scope = "admin"
)

// Valid reports whether s is one of the three scopes.
func (s Scope) Valid() bool { return s == ScopeRead || s == ScopeWrite || s == ScopeAdmin }

// DefaultScopes are those of a key made without any.
func DefaultScopes() []Scope { return []Scope{ScopeRead, ScopeWrite} }

// Key is an API key as it is kept: without its secret.
type Key struct {
	ID         KeyID
	Name       string
	Prefix     string // dsr_live_<public id>: safe to show and to log
	Scopes     []Scope
	IsTest     bool // leads it makes are test leads; nothing it starts reaches a person
	ExpiresAt  *time.Time
	LastUsedAt *time.Time // at most a minute behind
	CreatedAt  time.Time
	RevokedAt  *time.Time
}

// Can reports whether the key has a scope, directly or through a wider one.
func (k Key) Can(s Scope) bool {
	switch s {
	case ScopeRead:
		return len(k.Scopes) > 0
	case ScopeWrite:
		return slices.Contains(k.Scopes, ScopeWrite) || slices.Contains(k.Scopes, ScopeAdmin)
	}
	return slices.Contains(k.Scopes, ScopeAdmin)
}

// Usable reports whether the key is valid at a moment: neither revoked nor expired.
func (k Key) Usable(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// keyText is <prefix>_<secret>, the prefix being dsr_live_ or dsr_test_ and a public id, the secret 32 random bytes.
var keyText = regexp.MustCompile(`^(dsr_(?:live|test)_[0-9a-f]{16})_[0-9a-f]{64}$`)

// FormatKey writes a new key from its random parts: 8 bytes of public id, 32 of secret.
func FormatKey(isTest bool, public [8]byte, secret [32]byte) (key, prefix string) {
	prefix = "dsr_live_"
	if isTest {
		prefix = "dsr_test_"
	}
	prefix += hex.EncodeToString(public[:])
	return prefix + "_" + hex.EncodeToString(secret[:]), prefix
}

// KeyPrefix is the part of a key that it is looked up by; false when s cannot be a key.
func KeyPrefix(s string) (string, bool) {
	m := keyText.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	return strings.Clone(m[1]), true
}

// HashKey is what is stored of a key. A plain hash is enough: 256 random bits cannot be guessed.
func HashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// Role is what a person may do in a workspace. Each includes those before it.
type Role string

// Roles.
const (
	RoleViewer   Role = "viewer"   // reads
	RoleReviewer Role = "reviewer" // decides, corrects, writes messages
	RoleApprover Role = "approver" // approves, overrides, gives the second opinion
	RoleAdmin    Role = "admin"    // people, keys, erasures, holds, audit
)

// Roles are all of them, the least first.
var Roles = []Role{RoleViewer, RoleReviewer, RoleApprover, RoleAdmin}

// Valid reports whether r is one of the four roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// AtLeast reports whether r includes other. No role includes none.
func (r Role) AtLeast(other Role) bool {
	return r.Valid() && slices.Index(Roles, r) >= slices.Index(Roles, other)
}

// Can reports whether the role allows what a key with the scope may do.
func (r Role) Can(s Scope) bool {
	switch s {
	case ScopeRead:
		return r.AtLeast(RoleViewer)
	case ScopeWrite:
		return r.AtLeast(RoleReviewer)
	}
	return r.AtLeast(RoleAdmin)
}

// HighestRole returns the role that includes all the others; "" when there are none.
func HighestRole(roles ...Role) Role {
	var highest Role
	for _, r := range roles {
		if r.Valid() && !highest.AtLeast(r) {
			highest = r
		}
	}
	return highest
}

// Person is somebody who signs in. An address is one person in all workspaces.
type Person struct {
	ID         PersonID
	Email      string // lower case
	Name       string
	CreatedAt  time.Time
	SignedInAt *time.Time
	DisabledAt *time.Time // everywhere
}

// WorkspaceRole is a person's role in one workspace: the highest of those that its address and groups have there.
type WorkspaceRole struct {
	ID   WorkspaceID
	Key  string
	Name string
	Role Role
}

// How long sessions and the links of `dossier console open` are good for.
const (
	SessionIdle   = 30 * time.Minute
	SessionLife   = 12 * time.Hour
	SignInLinkTTL = 10 * time.Minute
)

// Session is a person's session of the console.
type Session struct {
	ID        SessionID
	PersonID  PersonID
	CreatedAt time.Time
	SeenAt    time.Time // at most a minute behind
	ExpiresAt time.Time // at the latest
	RevokedAt *time.Time
}

// Ends returns when the session ends if it is not used again.
func (s Session) Ends() time.Time {
	if idle := s.SeenAt.Add(SessionIdle); idle.Before(s.ExpiresAt) {
		return idle
	}
	return s.ExpiresAt
}

// Usable reports whether the session is valid at a moment.
func (s Session) Usable(now time.Time) bool { return s.RevokedAt == nil && now.Before(s.Ends()) }

// PeopleSettings are the roles that a workspace's file gives.
type PeopleSettings struct {
	Groups map[string]Role // by the group's name at the provider
	Emails map[string]Role // by address in lower case
}

func (p PeopleSettings) check(f *configFaults) {
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		f.require(name != "" && len(name) <= 255, "/people/groups", "invalid",
			"a group in people.groups must have a name of 1 to 255 characters")
		f.require(p.Groups[name].Valid(), "/people/groups/"+name, "invalid",
			"the role of group %s must be viewer, reviewer, approver or admin", name)
	}
	for _, email := range slices.Sorted(maps.Keys(p.Emails)) {
		_, ok := FoldEmail(email)
		f.require(ok, "/people/emails/"+email, "invalid", "%s in people.emails is no email address", email)
		f.require(p.Emails[email].Valid(), "/people/emails/"+email, "invalid",
			"the role of %s must be viewer, reviewer, approver or admin", email)
	}
}
