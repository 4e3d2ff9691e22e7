package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A queue of one code is read by that code, also by a plan that is kept whatever the code: of one that nobody waits for
// not every open review is looked at.
func TestReviews_of_a_rare_code(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	for _, q := range []string{
		`INSERT INTO leads (workspace_id, id, first_name, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Ann', now(), now() FROM generate_series(1, 4000)`,
		`INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, priority, created_at, due_at, assignee)
			SELECT workspace_id, gen_random_uuid(), id, false, (ARRAY['item_needs_review', 'tampering', 'draft_message', 'fact_doubted'])[1 + abs(hashtext(id::text)) % 4],
				'x', '', 'item', gen_random_uuid(), 5, now(), now() + random() * interval '4 days', '' FROM leads WHERE workspace_id = $1`,
	} {
		s.Exec(t, q, ws)
	}
	s.Exec(t, `ANALYZE leads, reviews`)
	recorder := &statements{}
	if err := s.DB.UseTracer(t.Context(), recorder); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.DB.Reviews(t.Context(), ws, postgres.ReviewFilter{Codes: []dossier.ReviewCode{dossier.ReviewSample}, Mode: dossier.ModeLive}, dossier.Page{Limit: 50}); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	sent, _ := recorder.take()
	looked := false
	for _, st := range sent {
		if !strings.Contains(st.sql, "r.code = $") {
			continue
		}
		looked = true
		var args []string
		for _, a := range st.args {
			args = append(args, fmt.Sprintf("'%v'", a))
		}
		if _, err := conn.Exec(t.Context(), `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; PREPARE queue AS `+st.sql); err != nil {
			t.Fatal(err)
		}
		rows, err := conn.Query(t.Context(), `EXPLAIN EXECUTE queue(`+strings.Join(args, ", ")+`)`, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if plan := strings.Join(lines, "\n"); !strings.Contains(plan, "reviews_code") || strings.Contains(plan, "Sort") {
			t.Error(plan)
		}
	}
	if !looked {
		t.Error("no statement asks for a code")
	}
}
