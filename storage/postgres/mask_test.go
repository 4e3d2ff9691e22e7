package postgres_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What a version before had stored in the clear is masked when the schema is brought up, wherever it was.
func TestMigration_masks_numbers(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws, ids := owner(t, s)
	s.Exec(t, `UPDATE documents SET filename = 'w2 123-45-6789.pdf', extraction = '{"documents": [{"facts": {"ssn": "123456789", "accountNumber": "123456789"}, "evidence": ["123-45-6789"]}]}' WHERE id = $1`, ids["DocumentID"])
	s.Exec(t, `UPDATE pipeline_runs SET result = '{"a": "123-45-6789", "amount": 123456789}'`)
	s.Exec(t, `UPDATE events SET body = '{"text":"123-45-6789 and 12-3456789, 1-123-45-6789"}'`)
	s.Exec(t, `UPDATE messages SET body = '123-45-6789', subject = NULL, original_body = '123–45–6789'`)
	s.Exec(t, `UPDATE action_logs SET summary = '123-45-6789', input = '{"x": "123-45-6789"}'`)
	s.Exec(t, `UPDATE escalations SET reason = '123-45-6789', detail = '123-45-6789'`)
	text, err := fs.ReadFile(postgres.Migrations(), "migrations/00470_mask_numbers.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, _, _ := strings.Cut(string(text), "-- +goose Down")
	s.Exec(t, up)
	kept := map[string]string{"events": "12-3456789", "documents": `"accountNumber": "123456789"`, "pipeline_runs": `"amount": 123456789`}
	for _, table := range []string{"documents", "pipeline_runs", "events", "messages", "action_logs", "escalations"} {
		row := pgtest.Value[string](t, s, `SELECT string_agg(t::text, ' ') FROM `+table+` t WHERE workspace_id = $1`, ws)
		if strings.Contains(strings.ReplaceAll(row, "1-123-45-6789", ""), "123-45-6789") || strings.Contains(row, "123–45") || !strings.Contains(row, "***-**-6789") {
			t.Errorf("%s: %s", table, row)
		}
		if !strings.Contains(strings.ReplaceAll(row, `""`, `"`), kept[table]) {
			t.Errorf("%s: what is no number of a person was masked: %s", table, row)
		}
	}
}

// The keys of leads' pages that messages, events and timelines of a version before hold are marks when the schema was brought
// up; other addresses stay.
func TestMigration_marks_links(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws, _ := owner(t, s)
	token, way := strings.Repeat("aB-_9", 9)[:43], strings.Repeat("xY9", 30)
	words := "Here: https://dossier.example/portal/" + token + " or https://dossier.example/unsubscribe/" + way + ", not https://crm.example/portal/short"
	s.Exec(t, `UPDATE events SET body = jsonb_build_object('text', $1::text)::text`, words)
	s.Exec(t, `UPDATE messages SET body = $1, original_body = $1, subject = $1, template = ARRAY['Ann', $1]`, words)
	s.Exec(t, `UPDATE action_logs SET summary = $1, input = jsonb_build_object('x', $1::text)`, words)
	s.Exec(t, `UPDATE escalations SET reason = $1, detail = $1`, words)
	s.Exec(t, `UPDATE leads SET activity_summary = $1`, words)
	text, err := fs.ReadFile(postgres.Migrations(), "migrations/00520_portal_marks.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, _, _ := strings.Cut(string(text), "-- +goose Down")
	s.Exec(t, up)
	for _, table := range []string{"events", "messages", "action_logs", "escalations", "leads"} {
		row := pgtest.Value[string](t, s, `SELECT string_agg(t::text, ' ') FROM `+table+` t WHERE workspace_id = $1`, ws)
		if strings.Contains(row, token) || strings.Contains(row, way) {
			t.Errorf("%s holds a key: %s", table, row)
		}
		for _, want := range []string{"{{portalLink}} or {{unsubscribeLink}},", "https://crm.example/portal/short"} {
			if !strings.Contains(row, want) {
				t.Errorf("%s: no %s in %s", table, want, row)
			}
		}
	}
}
