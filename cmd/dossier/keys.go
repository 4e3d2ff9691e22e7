package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type keysCommand struct {
	Create createKey `cmd:"" help:"Make a key and print it: this once, it is kept nowhere."`
	List   listKeys  `cmd:"" help:"List the keys of a workspace, revoked ones too."`
	Revoke revokeKey `cmd:"" help:"End a key for good."`
}

// apiKey is a key in the API's shape.
type apiKey struct {
	ID         dossier.KeyID   `json:"id"`
	Name       string          `json:"name"`
	Prefix     string          `json:"prefix"`
	Scopes     []dossier.Scope `json:"scopes"`
	IsTest     bool            `json:"isTest"`
	ExpiresAt  *record.Time    `json:"expiresAt"`
	LastUsedAt *record.Time    `json:"lastUsedAt"`
	CreatedAt  record.Time     `json:"createdAt"`
	RevokedAt  *record.Time    `json:"revokedAt"`
}

func keyOf(k dossier.Key) apiKey {
	return apiKey{ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes, IsTest: k.IsTest,
		ExpiresAt:  record.TimeOf(k.ExpiresAt),
		LastUsedAt: record.TimeOf(k.LastUsedAt), CreatedAt: record.Time(k.CreatedAt),
		RevokedAt: record.TimeOf(k.RevokedAt)}
}

// newKey is the answer of POST /api/v1/api-keys.
type newKey struct {
	Success bool   `json:"success"`
	APIKey  apiKey `json:"apiKey"`
	Key     string `json:"key"`
}

type createKey struct {
	Workspace string        `required:"" placeholder:"W" help:"Key or id of the workspace."`
	Name      string        `required:"" placeholder:"N" help:"What the key is for."`
	Scopes    []string      `placeholder:"read,write,admin" help:"${keys_scopes}"`
	Test      bool          `help:"Leads made with it are test leads; nothing it starts reaches a person."`
	Expires   time.Duration `placeholder:"720h" help:"How long it works. Default: until it is revoked."`
}

// Run makes a key. Without --json the key alone is on stdout, so that a script can keep it.
func (c createKey) Run(a *app) error {
	spec, err := c.spec(a.now())
	if err != nil {
		return err
	}
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		key, text, err := db.CreateKey(a.ctx, w.ID, spec)
		if err != nil {
			return err
		}
		return a.show(newKey{true, keyOf(key), text}, func(out io.Writer) {
			fmt.Fprintln(out, text)
			fmt.Fprintf(a.err, "Keep it: it is shown this once. Its id is %s.\n", key.ID)
		})
	})
}

func (c createKey) spec(now time.Time) (postgres.NewKey, error) {
	spec := postgres.NewKey{Name: strings.TrimSpace(c.Name), IsTest: c.Test}
	if n := len([]rune(spec.Name)); n == 0 || n > 255 {
		return spec, usagef("--name must have 1 to 255 characters")
	}
	for _, name := range c.Scopes {
		scope := dossier.Scope(strings.TrimSpace(name))
		if !scope.Valid() {
			return spec, usagef("--scopes: %q is none of read, write, admin", name)
		}
		spec.Scopes = append(spec.Scopes, scope)
	}
	switch {
	case c.Expires < 0:
		return spec, usagef("--expires must be in the future, like 720h")
	case c.Expires > 0:
		at := now.Add(c.Expires).UTC()
		spec.ExpiresAt = &at
	}
	return spec, nil
}

type listKeys struct {
	Workspace string `required:"" placeholder:"W" help:"Key or id of the workspace."`
	Limit     int    `default:"100" help:"At most so many, the newest first."`
}

// Run lists keys without their secrets.
func (c listKeys) Run(a *app) error {
	if err := positiveLimit(c.Limit); err != nil {
		return err
	}
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		found, err := db.Keys(a.ctx, w.ID, dossier.Page{Limit: c.Limit})
		if err != nil {
			return err
		}
		list, rows := []apiKey{}, [][]string{}
		for _, k := range found[:min(len(found), c.Limit)] {
			list = append(list, keyOf(k))
			rows = append(rows, []string{string(k.ID), k.Name, k.Prefix, scopesText(k.Scopes), keyState(k, a.now()),
				stampOf(k.ExpiresAt), stampOf(k.LastUsedAt)})
		}
		return a.show(list, func(w io.Writer) {
			table(w, "No keys.", "ID NAME PREFIX SCOPES STATE EXPIRES USED",
				rows)
		})
	})
}

func scopesText(scopes []dossier.Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

func keyState(k dossier.Key, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case !k.Usable(now):
		return "expired"
	case k.IsTest:
		return "test"
	}
	return "live"
}

type revokeKey struct {
	ID string `arg:"" help:"Id of the key, or its prefix (dsr_live_...)."`
}

// Run ends a key. Processes that have just seen it believe it for some seconds more.
func (c revokeKey) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		ws, key, err := db.FindKey(a.ctx, c.ID)
		if err != nil {
			return err
		}
		if err := db.RevokeKey(a.ctx, ws, key.ID); err != nil {
			return err
		}
		return a.show(done{true}, func(w io.Writer) {
			fmt.Fprintf(w, "Revoked %s (%s).\n", printable(key.Name),
				key.Prefix)
		})
	})
}

func positiveLimit(n int) error {
	if n < 1 {
		return usagef("--limit must be at least 1")
	}
	return nil
}
