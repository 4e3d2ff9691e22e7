package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// keyBody is the body of POST /api/v1/api-keys.
type keyBody struct {
	Name      string          `json:"name" check:"required"`
	Scopes    []dossier.Scope `json:"scopes" check:"notnull,max=3"`
	IsTest    *bool           `json:"isTest" check:"notnull"`
	ExpiresAt *time.Time      `json:"expiresAt"`
}

// apiKey is a key as it is shown: its secret never again.
type apiKey struct {
	ID         dossier.KeyID   `json:"id"`
	Name       string          `json:"name"`
	Prefix     string          `json:"prefix"`
	Scopes     []dossier.Scope `json:"scopes"`
	IsTest     bool            `json:"isTest"`
	ExpiresAt  *instant        `json:"expiresAt"`
	LastUsedAt *instant        `json:"lastUsedAt"`
	CreatedAt  instant         `json:"createdAt"`
	RevokedAt  *instant        `json:"revokedAt"`
}

type createKeyAnswer struct {
	success
	APIKey apiKey `json:"apiKey"`
	Key    string `json:"key"`
}

type keysAnswer struct {
	success
	APIKeys   []apiKey `json:"apiKeys"`
	NextToken *string  `json:"nextToken"`
}

type keysQuery struct{ paging }

// createKey makes a key. A repeat without Idempotency-Key makes another.
func (s *Server) createKey(c *fiber.Ctx) error {
	body, err := decode[keyBody](c)
	if err != nil {
		return err
	}
	if body.ExpiresAt != nil && !body.ExpiresAt.After(s.Now()) {
		return dossier.InvalidFaults([]dossier.Fault{{Pointer: "/expiresAt", Code: "invalid_value",
			Detail: "expiresAt must be in the future"}})
	}
	test, err := testWanted(c, body.IsTest)
	if err != nil {
		return err
	}
	key, text, err := s.db.CreateKey(c.UserContext(), workspace(c),
		postgres.NewKey{Name: body.Name, Scopes: body.Scopes, IsTest: test, ExpiresAt: body.ExpiresAt})
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, createKeyAnswer{yes, keyJSON(key), text})
}

// testWanted says whether what a caller makes is a test: what a test key makes always is. Error: Invalid, when a test
// key says otherwise.
func testWanted(c *fiber.Ctx, asked *bool) (bool, error) {
	test := callerOf(c).key.IsTest
	if test && asked != nil && !*asked {
		return false, dossier.InvalidFaults([]dossier.Fault{{Pointer: "/isTest", Code: "invalid_value",
			Detail: "isTest must be true or left out: what a test key makes is a test"}})
	}
	return test || asked != nil && *asked, nil
}

// listKeys shows all keys, revoked ones too.
func (s *Server) listKeys(c *fiber.Ctx) error {
	q, err := query[keysQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	keys, err := s.db.Keys(c.UserContext(), workspace(c), page)
	if err != nil {
		return err
	}
	keys, next := pageEnd(c, page, keys,
		func(k dossier.Key) dossier.Cursor { return dossier.Cursor{At: k.CreatedAt, ID: string(k.ID)} })
	answer := keysAnswer{success: yes, APIKeys: []apiKey{}, NextToken: next}
	for _, key := range keys {
		answer.APIKeys = append(answer.APIKeys, keyJSON(key))
	}
	return send(c, fiber.StatusOK, answer)
}

// revokeKey ends a key. This process stops believing it at once, others within keyTTL.
func (s *Server) revokeKey(c *fiber.Ctx) error {
	id, err := pathID[dossier.KeyID](c, "apiKeyId")
	if err != nil {
		return err
	}
	if err := s.db.RevokeKey(c.UserContext(), workspace(c), id); err != nil {
		return err
	}
	s.keys.forget(id)
	return noContent(c)
}

func keyJSON(k dossier.Key) apiKey {
	return apiKey{ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes, IsTest: k.IsTest,
		ExpiresAt:  instantOrNil(k.ExpiresAt),
		LastUsedAt: instantOrNil(k.LastUsedAt), CreatedAt: instant(k.CreatedAt), RevokedAt: instantOrNil(k.RevokedAt)}
}
