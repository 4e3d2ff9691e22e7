package api

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Whatever somebody does about documents, reviews and spreads is in the audit, in the name of the person whose session it
// was or of the key, whomever the key names.
func TestAudit_of_reviewers(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"person", "key"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			c := newCorrectable(t)
			ada, bob := c.signIn(t, c.Workspace, "ada@example.com", dossier.RoleApprover), c.signIn(t, c.Workspace, "bob@example.com", dossier.RoleApprover)
			call := func(method, path, body string) answer {
				if who == "person" {
					return c.as(t, ada, method, path, body)
				}
				return c.do(t, method, path, body, "x-actor", "eve@example.com")
			}
			want := map[string]string{"person": "person ada@example.com", "key": "key test"}[who]
			id, spread := c.document(t, "completed", statementRead("12.00")), postgres.NewID()
			c.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', '{}', now(), now())`, c.Workspace, spread, c.lead)
			association := pgtest.Value[string](t, c.Server, `SELECT id::text FROM document_associations WHERE document_id = $1`, id)
			if _, err := c.DB.CreateEscalation(t.Context(), c.Workspace, c.lead, "help", nil, postgres.Caller{}); err != nil {
				t.Fatal(err)
			}
			review := "/api/v1/reviews/" + reviewOf(t, c.testServer, dossier.ReviewEscalation)
			document, figures := "/api/v1/documents/"+id, "/api/v1/spreads/"+spread
			c.as(t, bob, "POST", review+"/claim", "")
			for _, act := range []struct{ action, method, path, body string }{
				{"document.correct", "PUT", document + "/corrections", `{"corrections": [` + closing + `]}`},
				{"document.override", "PATCH", document + "/associations/" + association, `{"overallValid": true}`},
				{"document.detach", "DELETE", document + "/associations/" + association, ""},
				{"document.attach", "POST", document + "/associations", `{"leadChecklistItemId": "` + string(c.entry) + `"}`},
				{"document.parts", "PUT", document + "/parts", `{"parts": [{"pages": [1, 1], "docType": "invoice"}]}`},
				{"spread.submit", "POST", figures + "/submit", ""},
				{"spread.return", "POST", figures + "/return", `{"note": "Revenue?"}`},
				{"spread.submit", "POST", figures + "/submit", ""},
				{"spread.approve", "POST", figures + "/approve", ""},
				{"review.take_over", "POST", review + "/claim", `{"takeOver": true, "note": "Bob is out"}`},
				{"review.assign", "POST", review + "/assign", `{"assignee": "bob@example.com"}`},
				{"review.decide", "POST", review + "/decide", `{"decision": "accept", "version": 1}`},
			} {
				if got := call(act.method, act.path, act.body); got.Status >= 300 {
					t.Fatalf("%s: %d %s", act.action, got.Status, got.Body)
				}
				got := pgtest.Value[string](t, c.Server, `SELECT action || ' ' || split_part(actor, ':', 1) || ' ' || actor_name FROM audit_entries ORDER BY position DESC LIMIT 1`)
				if got != act.action+" "+want {
					t.Errorf("audited %s, want %s %s", got, act.action, want)
				}
			}
		})
	}
}
