package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "keys.txt")
}

// An administrative act is written down in the name of its key, whatever the operation and whomever x-actor names; that must
// be an address.
func TestKeys_acts_are_written_down(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	key := pgtest.Value[string](t, s.Server, `SELECT id::text FROM api_keys WHERE workspace_id = $1`, s.Workspace)
	lead, _ := s.Lead(t, s.Workspace)
	hook := valueAt(t, s.do(t, "POST", "/save-webhook", `{"url": "https://hooks.example/"}`, "x-actor", "ann@lender.example").Body, "webhookId")
	s.do(t, "DELETE", "/api/v1/webhooks/"+hook, "")
	s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/portal-link", `{"rotate": true}`)
	if got := s.do(t, "DELETE", "/api/v1/leads/"+string(lead)+"/portal-link", "", "x-actor", "ann"); got.Status != 400 {
		t.Errorf("an act of nobody: %d %s", got.Status, got.Body)
	}
	entries, err := s.DB.AuditEntries(t.Context(), s.Workspace, postgres.AuditQuery{Page: dossier.Page{Limit: 10}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		line := string(e.Action) + " by " + string(e.Actor.Type)
		if e.KeyID != nil {
			line += " " + string(*e.KeyID) + " from " + *e.Address
		}
		if e.OnBehalfOf != nil {
			line += " for " + *e.OnBehalfOf
		}
		got = append(got, line)
	}
	by := " by key " + key + " from 127.0.0.1"
	want := []string{"portal_link.rotate" + by, "webhook.delete" + by, "webhook.create" + by + " for ann@lender.example", "api_key.create by system"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("acts, newest first (-want +got):\n%s", diff)
	}
}
