package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// statements records what the store sends, and counts its round trips.
type statements struct {
	mu    sync.Mutex
	sent  []statement
	trips int
}

type statement struct {
	sql  string
	args []any
}

func (s *statements) add(sql string, args []any, trip bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, statement{sql, args})
	if trip {
		s.trips++
	}
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.add(data.SQL, data.Args, true)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	for i, query := range data.Batch.QueuedQueries {
		s.add(query.SQL, query.Arguments, i == 0)
	}
	return ctx
}

func (s *statements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// take returns what was recorded since the last call.
func (s *statements) take() ([]statement, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent, trips := s.sent, s.trips
	s.sent, s.trips = nil, 0
	return sent, trips
}

// storeCall is one use of the store whose statements are held to the rule. trips, when not 0, is how often it may
// ask Postgres.
type storeCall struct {
	name  string
	trips int
	call  func(ctx context.Context) error
}

// holdPlans runs each call and asks Postgres how it would execute every statement that was sent: none may read a
// tenant's table from end to end, whether row by row or through an index without a condition. The caller has
// filled the database with other tenants' rows, so that only an index makes a plan cheap.
func holdPlans(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, calls []storeCall) {
	t.Helper()
	holdPlansWith(t, s, ws, "SELECT", calls)
}

// holdPlansWith is holdPlans with settings of the planner, as SQL.
func holdPlansWith(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, settings string, calls []storeCall) {
	t.Helper()
	recorder := &statements{}
	if err := s.DB.UseTracer(t.Context(), recorder); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Ping(t.Context()); err != nil { // opens the connection: its own statements do not count
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "SET ROLE dossier_app; "+settings+"; SELECT set_config('app.ws', '"+string(ws)+"', false)"); err != nil {
		t.Fatal(err)
	}
	tables := tenantTables(t, s)
	for _, c := range calls {
		recorder.take()
		if err := c.call(t.Context()); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sent, trips := recorder.take()
		if c.trips != 0 && trips > c.trips {
			t.Errorf("%s asks Postgres %d times, want at most %d", c.name, trips, c.trips)
		}
		for _, st := range sent {
			for _, problem := range scans(t, conn, st, tables) {
				t.Errorf("%s: %s in\n%s", c.name, problem, st.sql)
			}
		}
	}
}

// tenantTables are those with a workspace_id.
func tenantTables(t *testing.T, s *pgtest.Server) []string {
	t.Helper()
	return strings.Split(pgtest.Value[string](t, s, `SELECT string_agg(c.relname, ',') FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`), ",")
}

// plan is a node of EXPLAIN (FORMAT JSON).
type plan struct {
	Type     string `json:"Node Type"`
	Relation string `json:"Relation Name"`
	Index    string `json:"Index Name"`
	Cond     string `json:"Index Cond"`
	Plans    []plan
}

// scans explains a statement as the tenants' role and lists the nodes that read a whole table.
func scans(t *testing.T, conn *pgx.Conn, st statement, tables []string) []string {
	t.Helper()
	word := strings.ToUpper(strings.SplitN(strings.TrimSpace(st.sql), " ", 2)[0])
	if !slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "SELECT\n"}, strings.TrimSpace(word)) {
		return nil // begin, commit
	}
	var text []byte
	if err := conn.QueryRow(t.Context(), "EXPLAIN (FORMAT JSON) "+st.sql, st.args...).Scan(&text); err != nil {
		t.Fatalf("%v in\n%s", err, st.sql)
	}
	var explained []struct{ Plan plan }
	if err := json.Unmarshal(text, &explained); err != nil {
		t.Fatal(err)
	}
	var problems []string
	explained[0].Plan.walk(func(p plan) {
		switch {
		case p.Type == "Seq Scan" && slices.Contains(tables, p.Relation) && !slices.Contains(queues, p.Relation):
			problems = append(problems, "a sequential scan of "+p.Relation)
		case strings.Contains(p.Type, "Index") && p.Type != "Bitmap Heap Scan" && p.Index != "" && !strings.HasPrefix(p.Index, "pg_") && p.Cond == "":
			problems = append(problems, "a scan of all of index "+p.Index)
		}
	})
	return problems
}

func (p plan) walk(do func(plan)) {
	do(p)
	for _, child := range p.Plans {
		child.walk(do)
	}
}

// seedTenants makes n workspaces of 50 leads each, with checklists, logs, messages, documents and escalations, and
// tells the planner about them.
func seedTenants(t *testing.T, s *pgtest.Server, n int) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO workspaces (id, key, name, inbound_token, created_at, updated_at) SELECT gen_random_uuid(), 'seed-' || i, 'Seed', 'seed-' || i, now(), now() FROM generate_series(1, $1::int) i`,
		`INSERT INTO checklist_items (workspace_id, id, code, label, field_type, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'ITEM_' || i, 'Item', 'TEXT', now(), now() FROM workspaces w, generate_series(1, 8) i WHERE w.key LIKE 'seed-%' AND $1 > 0`,
		`INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone_number, external_lead_id, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'Ann', 'Lee' || i, 'ann' || i || '@example.com', '+1212555' || lpad(i::text, 4, '0'), 'x' || i, now() - i * interval '1 hour', now()
			FROM workspaces w, generate_series(1, 50) i WHERE w.key LIKE 'seed-%' AND $1 > 0`,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, created_at, updated_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, i.id, i.code, now(), now() FROM leads l JOIN checklist_items i ON i.workspace_id = l.workspace_id AND i.lead_id IS NULL WHERE $1 > 0`,
		`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, created_at)
			SELECT workspace_id, gen_random_uuid(), id, 'API_ACTIVITY', 'COMPLETED', 's', now() - i * interval '1 minute' FROM leads, generate_series(1, 6) i WHERE $1 > 0`,
		`INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, 'OUTBOUND', 'sms', 'SENT', 'x', now(), now() FROM leads, generate_series(1, 3) WHERE $1 > 0`,
		`INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, object_key, source, uploaded_at, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, 'a.pdf', 'application/pdf', 1, 'k', 'imported', now(), now(), now() FROM leads, generate_series(1, 2) WHERE $1 > 0`,
		`INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, steps, awaits_document, created_at)
			SELECT workspace_id, gen_random_uuid(), 'extract-document', '{}', '[]', id, now() FROM documents WHERE $1 > 0`,
		`INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, created_at, updated_at)
			SELECT DISTINCT ON (d.id) d.workspace_id, gen_random_uuid(), d.lead_id, d.id, e.id, now(), now() FROM documents d JOIN checklist_entries e ON e.workspace_id = d.workspace_id AND e.lead_id = d.lead_id WHERE $1 > 0`,
		`INSERT INTO escalations (workspace_id, id, lead_id, reason, created_at) SELECT workspace_id, gen_random_uuid(), id, 'r', now() FROM leads WHERE $1 > 0`,
		`INSERT INTO portal_links (workspace_id, id, lead_id, token_hash, token, created_at, expires_at)
			SELECT workspace_id, gen_random_uuid(), id, uuid_send(id), '', now(), now() + interval '9 days' FROM leads WHERE $1 > 0`,
		`INSERT INTO parties (workspace_id, id, lead_id, role, is_primary, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, 'borrower', true, now(), now() FROM leads WHERE $1 > 0
			ON CONFLICT (workspace_id, lead_id) WHERE is_primary DO NOTHING`,
		`INSERT INTO jobs (id, workspace_id, kind, lane, payload, status, max_attempts, run_at, subject_id, created_at)
			SELECT gen_random_uuid(), workspace_id, 'document.extract', 'document', '{}', 'QUEUED', 3, now(), id, now() FROM documents WHERE $1 > 0`,
		`INSERT INTO spreads (workspace_id, id, lead_id, status, created_at, updated_at) SELECT workspace_id, gen_random_uuid(), id, 'COMPLETE', now(), now() FROM leads WHERE $1 > 0`,
		`INSERT INTO checklist_groups (workspace_id, id, key, name, position, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'g' || i, 'g', i, now(), now() FROM workspaces w, generate_series(1, 8) i WHERE w.key LIKE 'seed-%' AND $1 > 0`,
		`INSERT INTO agents (workspace_id, id, key, name, mode, channels, created_at, updated_at)
			SELECT id, gen_random_uuid(), 'a', 'Ava', 'LISTEN', '{email}', now(), now() FROM workspaces WHERE key LIKE 'seed-%' AND $1 > 0`,
		`INSERT INTO workflows (workspace_id, id, key, name, type, created_at, updated_at)
			SELECT id, gen_random_uuid(), 'w' || i, 'W', 'CHECKLIST', now(), now() FROM workspaces, generate_series(1, 8) i WHERE key LIKE 'seed-%' AND $1 > 0`,
		`INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at, updated_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, a.id, w.id, 'CHECKLIST', 'ACTIVE', now(), now()
			FROM leads l JOIN agents a ON a.workspace_id = l.workspace_id JOIN workflows w ON w.workspace_id = l.workspace_id AND w.key = 'w1' WHERE $1 > 0`,
		`INSERT INTO holds (workspace_id, id, lead_id, reason, created_by, created_at)
			SELECT workspace_id, gen_random_uuid(), id, 'r', 'system', now() FROM leads WHERE $1 > 0`,
		`INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, priority, created_at, due_at)
			SELECT workspace_id, gen_random_uuid(), lead_id, false, 'escalation', 'd', 'm', 'escalation', id, 1, now(), now() FROM escalations WHERE $1 > 0`,
	} {
		s.Exec(t, sql, n)
	}
	s.Exec(t, `ANALYZE`)
}

// No statement about leads, checklists, timelines or escalations reads what other tenants have, and a lead's full
// answer takes at most four round trips.
func TestPlans_leads(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	seedTenants(t, l.Server, 60)
	id := l.create(t, dossier.LeadUpdate{PhoneNumber: dossier.Set("2125550142")})
	l.outreach(t, id)
	l.run(t, id)
	doomed := l.create(t, dossier.LeadUpdate{})
	l.run(t, doomed)
	entry, err := l.DB.CreateLeadItem(t.Context(), l.ws, id, dossier.NewItem{Label: "Bill", FieldType: dossier.FieldFile}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	escalation, err := l.DB.CreateEscalation(t.Context(), l.ws, id, "help", nil, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	log, err := l.DB.CreateActivity(t.Context(), l.ws, dossier.Activity{LeadID: id, EventType: "note", Title: "x"}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	l.Exec(t, `UPDATE action_logs SET message_id = (SELECT id FROM messages WHERE lead_id = $1 LIMIT 1), document_ids = ARRAY[gen_random_uuid()] WHERE id = $2`, id, log)
	l.Exec(t, `ANALYZE`)
	since, page := l.Clock.Now(), dossier.Page{Limit: 50, After: &dossier.Cursor{At: l.Clock.Now().Add(time.Hour), ID: postgres.NewID()}}
	list := func(f postgres.LeadFilter) func(context.Context) error {
		return func(ctx context.Context) error { _, err := l.DB.ListLeads(ctx, l.ws, f, page); return err }
	}
	var filters []storeCall
	for i, f := range []postgres.LeadFilter{{}, {Tags: []string{"a"}}, {ExcludeTags: []string{"a"}}, {Status: []dossier.LeadStatus{dossier.LeadReview}}, {ExternalLeadID: "x1"},
		{Email: "ann1@example.com"}, {UpdatedSince: &since}, {IDs: []dossier.LeadID{id}}} {
		filters = append(filters, storeCall{fmt.Sprintf("list %d", i), 4, list(f)})
	}
	status := dossier.LeadCompleted
	update := item("LEGAL_NAME", `"Lee"`)
	update.Items = append(update.Items, item("OWNER_SSN", `"123-45-6789"`).Items...)
	update.FirstName, update.Status = dossier.Set("Eve"), &status
	holdPlans(t, l.Server, l.ws, append(filters, []storeCall{
		{"list by text", 5, list(postgres.LeadFilter{Q: "lee"})},
		{"list by phone", 5, list(postgres.LeadFilter{PhoneNumber: "2125550142"})},
		{"create", 0, func(ctx context.Context) error {
			_, err := l.DB.CreateLead(ctx, l.ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Bo")}}, byAPI)
			return err
		}},
		{"update", 0, func(ctx context.Context) error { return l.DB.UpdateLead(ctx, l.ws, id, update, 0, byPerson) }},
		{"view", 4, func(ctx context.Context) error { _, err := l.DB.LeadView(ctx, l.ws, id); return err }},
		{"checklist", 4, func(ctx context.Context) error { _, err := l.DB.ReadChecklist(ctx, l.ws, id); return err }},
		{"reveal", 0, func(ctx context.Context) error { _, err := l.DB.RevealChecklist(ctx, l.ws, id); return err }},
		{"create item", 0, func(ctx context.Context) error {
			_, err := l.DB.CreateLeadItem(ctx, l.ws, id, dossier.NewItem{Label: "Bill", FieldType: dossier.FieldFile}, byAPI)
			return err
		}},
		{"change item", 0, func(ctx context.Context) error {
			_, err := l.DB.ChangeLeadItem(ctx, l.ws, id, entry.ID, dossier.ItemChange{ValidationRules: &[]string{"r"}}, byAPI)
			return err
		}},
		{"delete item", 0, func(ctx context.Context) error { return l.DB.DeleteLeadItem(ctx, l.ws, id, entry.ID, byAPI) }},
		{"activity", 0, func(ctx context.Context) error {
			_, err := l.DB.CreateActivity(ctx, l.ws, dossier.Activity{LeadID: id, EventType: "note", Title: "x"}, byAPI)
			return err
		}},
		{"timeline", 5, func(ctx context.Context) error { _, err := l.DB.Timeline(ctx, l.ws, id, page); return err }},
		{"action log", 4, func(ctx context.Context) error { _, err := l.DB.ReadActionLog(ctx, l.ws, log); return err }},
		{"escalate", 0, func(ctx context.Context) error {
			_, err := l.DB.CreateEscalation(ctx, l.ws, id, "x", nil, byAPI)
			return err
		}},
		{"resolve", 0, func(ctx context.Context) error {
			_, err := l.DB.ResolveEscalation(ctx, l.ws, escalation.ID, nil, byAPI)
			return err
		}},
		{"escalations", 4, func(ctx context.Context) error {
			_, err := l.DB.Escalations(ctx, l.ws, "", dossier.EscalationOpen, page)
			return err
		}},
		{"escalations of a lead", 5, func(ctx context.Context) error {
			_, err := l.DB.Escalations(ctx, l.ws, id, "", page)
			return err
		}},
		{"portal link", 0, func(ctx context.Context) error {
			_, err := l.DB.RenewPortalLink(ctx, l.ws, postgres.PortalOwner{Lead: id}, true)
			return err
		}},
		{"portal link of a party", 0, func(ctx context.Context) error {
			parties, err := l.DB.Parties(ctx, l.ws, id)
			if err != nil {
				return err
			}
			_, err = l.DB.RenewPortalLink(ctx, l.ws, postgres.PortalOwner{Lead: id, Party: parties[0].ID}, false)
			return err
		}},
		{"delete", 0, func(ctx context.Context) error { return l.DB.DeleteLead(ctx, l.ws, doomed, false, byAPI) }},
	}...))
}
