package dossier

import (
	"crypto/sha256"
	"encoding/hex"
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

// Usable reports whether the key opens anything at a moment: neither revoked nor expired.
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
