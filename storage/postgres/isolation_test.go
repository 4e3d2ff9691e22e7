package postgres_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Every table with a workspace_id, and every other one that the tenants' role may touch, is walled off, for its owner too,
// and nobody who works may bypass the wall.
func TestRowLevelSecurity_every_tenant_table(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	open := pgtest.Value[int](t, s, `
		SELECT count(*) FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
		AND (a.attname IS NOT NULL OR has_any_column_privilege('dossier_app', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES') OR has_table_privilege('dossier_app', c.oid, 'DELETE, TRUNCATE'))`)
	if open != 0 {
		t.Errorf("%d tables have no forced row-level security", open)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM pg_roles WHERE rolname IN ('dossier_app', 'dossier_system') AND (rolbypassrls OR rolsuper OR rolcanlogin)`); n != 0 {
		t.Errorf("%d working roles may bypass row-level security or log in", n)
	}
}

// With the wall alone (a statement that forgets its WHERE) one tenant sees only its own rows, and none without a workspace.
func TestRowLevelSecurity_alone(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	mine, other := s.Workspace(t), s.Workspace(t)
	for _, ws := range []any{mine, other} {
		s.Exec(t, `INSERT INTO api_keys (workspace_id, id, name, prefix, secret_hash, scopes, created_at)
			VALUES ($1, gen_random_uuid(), 'k', gen_random_uuid()::text, '\x00', '{read}', now())`, ws)
	}
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "SET ROLE dossier_app"); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM api_keys").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 0 {
		t.Errorf("without a workspace %d rows are visible, want 0", n)
	}
	if _, err := conn.Exec(t.Context(), "SELECT set_config('app.ws', $1, false)", string(mine)); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 1 {
		t.Errorf("as one workspace %d rows are visible, want its 1", n)
	}
	if _, err := conn.Exec(t.Context(), "UPDATE api_keys SET workspace_id = $1", string(other)); err == nil {
		t.Error("a row could be moved to another workspace")
	}
}

// Every table with a workspace_id is behind the wall of test keys too, or is argued for here.
func TestRowLevelSecurity_of_test_keys(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	common := []string{
		"agents", "workflows", "checklist_groups", "lane_shares", "inbound_tokens", // the workspace's own
		"person_roles", "disabled_people",
		"audit_entries",    // listed by is_test; who adds one must see the last of the chain
		"idempotency_keys", // of the key that used them
		"jobs", "outbox",   // no operation shows them, and every change stages some
		"event_aside", "erasure_things", // operators'
		"report_hours", // sums; analytics of test keys do not read them
	}
	open := pgtest.Value[[]string](t, s, `
		SELECT coalesce(array_agg(c.relname::text ORDER BY c.relname), '{}') FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1)
		AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.tablename = c.relname AND p.policyname = 'test' AND p.permissive = 'RESTRICTIVE' AND p.roles = '{dossier_test}')`, common)
	if len(open) > 0 {
		t.Errorf("test keys see live rows of %v", open)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM pg_roles WHERE rolname = 'dossier_test' AND (rolbypassrls OR rolsuper OR rolcanlogin)`); n != 0 {
		t.Error("dossier_test may bypass row-level security or log in")
	}
}

// The role without a tenant sees no more of the tenants' things than it needs: here is all of what may be about a person,
// or is a secret, that it can read. Whatever a migration adds is argued for in this list.
func TestRoles_system_reads_little(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	got := pgtest.Value[[]string](t, s, `
		SELECT array_agg(table_name || '.' || column_name ORDER BY table_name, column_name) FROM information_schema.columns
		WHERE table_schema = 'public' AND has_column_privilege('dossier_system', 'public.' || quote_ident(table_name), column_name, 'SELECT')
		AND table_name NOT IN (SELECT unnest($1::text[]))`, systemTables)
	want := []string{"artifacts.object_key",
		"checklist_entries.lead_id", "checklist_entries.status", "checklist_entries.updated_at", // how much waits for a person
		"checklist_entries.workspace_id",
		"documents.id", "documents.object_key", "documents.sha256", "documents.thumbnail_key", "documents.tokens_key",
		"documents.updated_at", "documents.uploaded_at", "documents.workspace_id",
		"erasures.due_at", "erasures.status", "erasures.waits", // how many are overdue
		"exports.finished_at", "exports.object_key",
		"imports.archive_key", "imports.created_at", "imports.file_key", "imports.report_key",
		"leads.deleted_at", "leads.id", "leads.workspace_id", // whether what waits still has a lead
		"page_pictures.created_at", "page_pictures.document_id", "page_pictures.object_key", // to sweep; none shows a page
		"page_pictures.page", "page_pictures.sha256", "page_pictures.width", "page_pictures.workspace_id",
		"report_changes.workspace_id", "request_log.at", "request_log.id", "request_log.workspace_id"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns that dossier_system reads (-want +got):\n%s", diff)
	}
}

// systemTables are the system's own: who may call, the ledger, the events on their way, what was done.
var systemTables = []string{"workspaces", "api_keys", "audit_entries", "idempotency_keys", "portal_links", "jobs", "outbox", "events", "event_inbox", "event_aside",
	"event_feed", "webhooks", "deliveries", "goose_db_version", "schedule_ticks", "milestones", "lanes", "lane_shares", "holds", "inbound_tokens",
	"people", "person_roles", "disabled_people", "sessions", "sign_in_links", "sign_ins"}
