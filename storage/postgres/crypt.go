package postgres

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/dossierhq/dossier"
)

// Cipher encrypts secrets at rest with AES-256-GCM. The first four bytes of a ciphertext name the key, so that
// keys can be rotated: new secrets use the first key, old ones open with whichever wrote them.
type Cipher struct {
	current [4]byte
	keys    map[[4]byte]cipher.AEAD
}

// NewCipher takes 32-byte keys, the current one first. Without a key every Seal fails, saying so.
func NewCipher(keys ...[]byte) (*Cipher, error) {
	c := &Cipher{keys: map[[4]byte]cipher.AEAD{}}
	for i, key := range keys {
		if len(key) == 0 {
			continue
		}
		if len(key) != 32 {
			return nil, errors.New("DOSSIER_SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32)")
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(append([]byte("dossier key id"), key...))
		id := [4]byte(sum[:4])
		if i == 0 {
			c.current = id
		}
		c.keys[id] = aead
	}
	return c, nil
}

// place is where a secret is kept. It is bound to it: copied to another column, row or workspace it does not open.
type place struct {
	column string // table.column
	ws     dossier.WorkspaceID
	row    string
	before string // the label that releases sealed it under that bound it less
}

func (p place) label() string { return p.column + ":" + string(p.ws) + ":" + p.row }

// SealAt encrypts what is kept at a place.
func (c *Cipher) SealAt(p place, plain []byte) ([]byte, error) { return c.Seal(p.label(), plain) }

// OpenAt decrypts what is kept at a place, also what an earlier release sealed. Nothing stored is nothing.
func (c *Cipher) OpenAt(p place, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	plain, err := c.Open(p.label(), sealed)
	if err == nil || p.before == "" {
		return plain, err
	}
	if old, oldErr := c.Open(p.before, sealed); oldErr == nil {
		return old, nil
	}
	return nil, err
}

// Reseal returns sealed anew, with the newest key and bound to its place; nil when it is so already.
func (c *Cipher) Reseal(p place, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	if bytes.HasPrefix(sealed, c.current[:]) {
		if _, err := c.Open(p.label(), sealed); err == nil {
			return nil, nil
		}
	}
	plain, err := c.OpenAt(p, sealed)
	if err != nil {
		return nil, err
	}
	return c.SealAt(p, plain)
}

// Seal encrypts plain. label binds it to its place ("webhook.secret"): moved elsewhere it does not open.
func (c *Cipher) Seal(label string, plain []byte) ([]byte, error) {
	aead, ok := c.keys[c.current]
	if !ok {
		return nil, errors.New("DOSSIER_SECRET_KEY is not set: secrets cannot be stored")
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	out := append(append([]byte{}, c.current[:]...), nonce...)
	return aead.Seal(out, nonce, plain, []byte(label)), nil
}

// Open decrypts what Seal made under the same label.
func (c *Cipher) Open(label string, sealed []byte) ([]byte, error) {
	if len(sealed) < 4 {
		return nil, errors.New("sealed secret is too short")
	}
	aead, ok := c.keys[[4]byte(sealed[:4])]
	if !ok {
		return nil, fmt.Errorf("sealed with key %x, which is not configured", sealed[:4])
	}
	rest := sealed[4:]
	if len(rest) < aead.NonceSize() {
		return nil, errors.New("sealed secret is too short")
	}
	return aead.Open(nil, rest[:aead.NonceSize()], rest[aead.NonceSize():], []byte(label))
}
