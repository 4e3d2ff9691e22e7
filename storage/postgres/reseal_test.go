package postgres_test

import (
	"bytes"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// open is the store of s with these keys.
func open(t *testing.T, s *pgtest.Server, keys ...[]byte) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: s.Run, PoolSize: 2, Now: s.Clock.Now, SecretKey: keys[0], OldSecretKeys: keys[1:]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// After sealing anew with a new key the old one can be dropped: every secret opens, and those that releases of before bound
// to their column alone are bound to their row. A second run has nothing to do.
func TestReseal(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t) // with a key of zeros
	old, fresh := make([]byte, 32), bytes.Repeat([]byte{7}, 32)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws, dossier.FieldSSN)
	url := "https://example.com/hook"
	hook, first, err := s.DB.CreateWebhook(t.Context(), ws, dossier.WebhookUpdate{URL: &url, Headers: &[]dossier.Header{{Key: "X-Key", Value: "planted"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := s.DB.RotateSecret(t.Context(), ws, hook.ID)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.DB.RenewPortalLink(t.Context(), ws, postgres.PortalOwner{Lead: lead}, false)
	if err != nil {
		t.Fatal(err)
	}
	cipher, err := postgres.NewCipher(old)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := cipher.Seal("webhook.headers", []byte(`[{"Key":"X-Key","Value":"of before"}]`)) // as a release of before did
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE webhooks SET headers = $1`, sealed)

	both := open(t, s, fresh, old)
	var told []int
	for i, want := range []postgres.Resealed{{Secrets: 4, Sealed: 4}, {Secrets: 4, Sealed: 4}, {Secrets: 4}} {
		told = nil
		got, err := both.Reseal(t.Context(), i == 0, func(done, all int) { told = append(told, done, all) })
		if err != nil || got != want {
			t.Errorf("run %d: %+v, %v, want %+v", i, got, err, want)
		}
		if n := len(told); n < 2 || told[0] != 1 || told[n-2] != n/2 || told[n-1] != n/2 {
			t.Errorf("told of workspaces: %v", told)
		}
	}
	db := open(t, s, fresh)
	endpoint, err := db.Endpoint(t.Context(), ws, hook.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(endpoint.Secrets) != 2 || endpoint.Secrets[0] != second || endpoint.Secrets[1] != first || endpoint.Headers[0].Value != "of before" {
		t.Errorf("what was sealed anew is something else: %d secrets", len(endpoint.Secrets))
	}
	if again, err := db.RenewPortalLink(t.Context(), ws, postgres.PortalOwner{Lead: lead}, false); err != nil || again.Token != link.Token {
		t.Errorf("the link's token is another, %v", err)
	}
	if got, err := open(t, s, old).Reseal(t.Context(), true, nil); err != nil || got.Closed != 4 {
		t.Errorf("without the key: %+v, %v", got, err)
	}
}

// A secret that somebody with the database copies to another row does not open there.
func TestSealed_bound_to_the_row(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	mine, theirs := s.Workspace(t), s.Workspace(t)
	url := "https://example.com/hook"
	var hooks []dossier.WebhookID
	for _, ws := range []dossier.WorkspaceID{mine, mine, theirs} {
		hook, _, err := s.DB.CreateWebhook(t.Context(), ws, dossier.WebhookUpdate{URL: &url})
		if err != nil {
			t.Fatal(err)
		}
		hooks = append(hooks, hook.ID)
	}
	for _, from := range hooks[1:] {
		s.Exec(t, `UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = $2) WHERE id = $1`, hooks[0], from)
		if _, err := s.DB.Endpoint(t.Context(), mine, hooks[0]); err == nil {
			t.Error("a secret of another endpoint opened")
		}
	}
}
