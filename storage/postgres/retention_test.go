package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What a lead is kept from counts from the moment the workspace names, to the second; a hold and a floor pass it by, and
// what has no such moment is kept.
func TestApplyRetention_of_leads(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	const day = 24 * time.Hour
	thirty := `{"leadsAfter": 2592000000000000, "leadsFrom": "`
	for _, test := range []struct {
		name, retention, set string
		want                 int
	}{
		{"old enough", thirty + `created"}`, `created_at = $2`, 1},
		{"a moment short", thirty + `created"}`, `created_at = $2::timestamptz + interval '1 microsecond'`, 0},
		{"closed long ago", thirty + `closed"}`, `created_at = $2, completed_at = $2, closing_status = 'COMPLETED'`, 1},
		{"never closed", thirty + `closed"}`, `created_at = $2, completed_at = $2`, 0},
		{"closed lately", thirty + `closed"}`,
			`created_at = $2, opt_out_at = $2::timestamptz + interval '1 day', closing_status = 'OPTED_OUT'`, 0},
		{"decided long ago", thirty + `decision"}`, `created_at = $2, decision_at = $2`, 1},
		{"undecided", thirty + `decision"}`, `created_at = $2`, 0},
		{"touched lately", thirty + `lastActivity"}`, `created_at = $2`, 0},
		{"its floor is over", thirty + `created", "floorDays": 30, "floorFrom": "created"}`, `created_at = $2`, 1},
		{"its floor is not over", thirty + `created", "floorDays": 31, "floorFrom": "created"}`, `created_at = $2`, 0},
		{"no day to count the floor from", thirty + `created", "floorDays": 90, "floorFrom": "decision"}`,
			`created_at = $2`, 1},
		{"nothing is set", `{}`, `created_at = $2`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ws := s.Workspace(t)
			lead, _ := s.Lead(t, ws)
			held, _ := s.Lead(t, ws)
			s.Exec(t, `UPDATE workspaces SET retention = $2 WHERE id = $1`, ws, test.retention)
			s.Exec(t, `UPDATE leads SET `+test.set+` WHERE workspace_id = $1`, ws, s.Clock.Now().Add(-30*day))
			if _, err := s.DB.CreateHold(t.Context(), ws, held, "litigation"); err != nil {
				t.Fatal(err)
			}
			for _, want := range []int{test.want, 0} { // the second finds nothing left
				if n, err := s.DB.ApplyRetention(t.Context(), ws); err != nil || n != want {
					t.Errorf("%d went, %v; want %d", n, err, want)
				}
			}
			erased := pgtest.Value[string](t, s, `SELECT coalesce(string_agg(subject_id::text || ' ' || reason, ','), '')
				FROM erasures WHERE workspace_id = $1`, ws)
			if want := strings.Repeat(string(lead)+" retention", test.want); erased != want {
				t.Errorf("erased are %q, want %q", erased, want)
			}
		})
	}
}

// Of old messages the words go and the fact stays; a stranger's goes whole; what waits to be sent, a hold and a floor
// keep theirs.
func TestApplyRetention_of_messages(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	m := newOutbound(t, s)
	held, _ := s.Lead(t, m.ws)
	s.Exec(t, `UPDATE workspaces SET retention = '{"messages": 86400000000000}' WHERE id = $1`, m.ws)
	if _, err := s.DB.CreateHold(t.Context(), m.ws, held, "litigation"); err != nil {
		t.Fatal(err)
	}
	old := `created_at = created_at - interval '25 hours', subject = 'about', provider_message_id = gen_random_uuid()`
	gone := m.message(t, old+`, status = 'SENT', document_ids = ARRAY[gen_random_uuid()]`)
	waiting := m.message(t, old)
	draft := m.message(t, old+`, status = 'DRAFT'`)
	young := m.message(t, `status = 'SENT', subject = 'about'`)
	kept := (&outbound{m.leads, held, m.run}).message(t, old+`, status = 'SENT'`)
	stranger := m.message(t, old+`, direction = 'INBOUND', status = 'RECEIVED', lead_id = NULL`)
	for _, want := range []int{2, 0} {
		if n, err := s.DB.ApplyRetention(t.Context(), m.ws); err != nil || n != want {
			t.Errorf("%d went, %v; want %d", n, err, want)
		}
	}
	for id, want := range map[dossier.MessageID]string{gone: "0 SENT", waiting: "5 QUEUED", draft: "5 DRAFT",
		young: "5 SENT", kept: "5 SENT", stranger: ""} {
		if got := pgtest.Value[string](t, s, `SELECT coalesce((SELECT length(body) || ' ' || status FROM messages
			WHERE id = $1), '')`, id); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if left := pgtest.Value[string](t, s, `SELECT concat(m.subject, m.to_address, m.provider_message_id,
		cardinality(m.document_ids), a.summary) FROM messages m JOIN action_logs a ON a.message_id = m.id WHERE m.id = $1`,
		gone); left != "0Message" {
		t.Errorf("of an old message %q is left", left)
	}
	if list, err := s.DB.Messages(t.Context(), m.ws, m.lead, dossier.Page{Limit: 9}); err != nil || len(list) != 3 {
		t.Errorf("%d messages are shown, %v", len(list), err)
	}
	if _, err := s.DB.ApproveMessage(t.Context(), m.ws, gone, postgres.Caller{}); dossier.KindOf(err) !=
		dossier.NotFound {
		t.Errorf("a message without its words is approved: %v", err)
	}
}

// A pipeline's runs go by their age, but for those that name a lead or a document under a hold.
func TestApplyRetention_of_runs(t *testing.T) {
	t.Parallel()
	e := newErasable(t, pgtest.New(t))
	e.Exec(t, `UPDATE workspaces SET retention = '{"pipelineRuns": 86400000000000}' WHERE id = $1`, e.ws)
	add := func(parameters string, age time.Duration) {
		e.Exec(t, `INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, status, created_at, finished_at)
			VALUES ($1, gen_random_uuid(), 'x', $2, 'COMPLETE', $3, $3)`, e.ws, parameters, e.Clock.Now().Add(-age))
	}
	add(`{}`, 25*time.Hour)
	add(`{}`, 24*time.Hour)
	add(`{"documentId": "`+string(e.docs[0].ID)+`"}`, 25*time.Hour)
	add(`{"leadId": "`+string(e.lead)+`"}`, 25*time.Hour)
	hold, err := e.DB.CreateHold(t.Context(), e.ws, e.lead, "litigation")
	if err != nil {
		t.Fatal(err)
	}
	apply := func(want int) {
		t.Helper()
		if n, err := e.DB.ApplyRetention(t.Context(), e.ws); err != nil || n != want {
			t.Errorf("%d went, %v; want %d", n, err, want)
		}
	}
	apply(1)
	apply(0)
	if err := e.DB.ReleaseHold(t.Context(), e.ws, e.lead, hold.ID, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	apply(2)
	if list, err := e.DB.RetentionWorkspaces(t.Context()); err != nil || len(list) != 1 || list[0] != e.ws {
		t.Errorf("%v, %v", list, err)
	}
}
