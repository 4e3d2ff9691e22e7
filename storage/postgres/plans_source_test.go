package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// everywhere are the methods that look at all workspaces on purpose; why stands beside each.
var everywhere = map[string]string{
	"SweepSenders":        "every six seconds: endpoints, not what they were sent",
	"Reseal":              "dossier secrets reseal and dossier doctor: every workspace",
	"ListWorkspaces":      "dossier workspaces list",
	"FindKey":             "dossier keys revoke",
	"DeleteWorkspace":     "dossier workspaces delete, once in a workspace's life",
	"AuditedWorkspaces":   "dossier audit verify without a workspace",
	"RetentionWorkspaces": "once an hour",
	"Members":             "dossier people list; people are the installation's, one row whatever their workspaces",
	"Sessions":            "admins, seldom: sessions are the installation's, and end within half a day",
	"RevokeSession":       "one session by its id; where there are few, the planner reads them all",
	"CountWork":           "dossier support, when something is wrong",
	"BusyTenants":         "dossier top: the first of what waits in each lane, whoever it belongs to",
	"PlainEndpoints":      "dossier doctor, seldom: endpoints, not what they were sent",
	"Erased":              "dossier backup and erasures log: what all workspaces erased",
	"Documents":           "dossier backup and restore: each document's bytes are compared with its row",
	"Figures":             "every 15 seconds a worker: counts of what is open or due, each up to 10,000",
}

// queues are tables that hold only what waits, and their indexes; jobs_tick holds only the service's own jobs, and lanes has
// a row a lane.
var queues = []string{"outbox_pkey", "event_inbox", "event_inbox_pkey", "jobs_tick", "lanes_pkey"}

// Every statement that stands in the store's source, whoever sends it (requests, workers, the relay, the reaper, sweeps),
// is planned among the rows of several workspaces. None reads a tenants' table from end to end, and none of a tenant enters
// an index but by its workspace or by something that only one workspace has. Tables that are small here are cheaper to read
// whole, so sequential scans are made dear: those that are left have no index to go by.
func TestPlans_every_statement(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	seedTenants(t, s, 20)
	seedWork(t, s)
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	statements, tables := writtenStatements(t), tenantTables(t, s)
	if len(statements) < 300 {
		t.Fatalf("only %d statements were found", len(statements))
	}
	used := map[string]bool{}
	for i, w := range statements {
		explained, err := explainAny(t.Context(), conn, fmt.Sprint("s", i), w.sql)
		if err != nil {
			t.Errorf("%s: %v in\n%s", w.where, err, w.sql)
			continue
		}
		for _, problem := range farReaching(explained, w, tables) {
			if used[w.method] = true; everywhere[w.method] == "" {
				t.Errorf("%s (%s): %s in\n%s", w.where, w.method, problem, w.sql)
			}
		}
	}
	for method := range everywhere {
		if !used[method] {
			t.Errorf("%s does not look at all workspaces any more", method)
		}
	}
}

// Where one endpoint has nearly all deliveries, what is asked about others must not read its own; so with jobs and lanes. Any
// row of a kind would be an answer, and the planner expects to meet one soon wherever it begins.
func TestPlans_one_has_all(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	// The planner decides by statistics of all rows, which nobody takes again meanwhile.
	h.Exec(t, `ALTER TABLE deliveries SET (autovacuum_enabled = false)`)
	h.Exec(t, `ALTER TABLE jobs SET (autovacuum_enabled = false)`)
	h.Exec(t, `SET default_statistics_target = 1000`)
	for range 10 {
		h.register(t, dossier.WebhookUpdate{URL: ptr("https://calm.example/")})
	}
	for _, tries := range []int{0, 1} {
		h.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, tries, next_attempt_at, created_at)
			SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), -i, 'lead.updated', $3::int, now(), now() FROM generate_series(1, 60000) i`, h.ws, h.webhook.ID, tries)
	}
	h.Exec(t, `INSERT INTO jobs (id, workspace_id, kind, lane, status, payload, max_attempts, run_at, in_turn, created_at)
		SELECT gen_random_uuid(), $1, 'x', 'document', 'QUEUED', '{}', 3, now(), 1, now() FROM generate_series(1, 60000)`, h.ws)
	h.Exec(t, `VACUUM ANALYZE deliveries, jobs`)
	h.Exec(t, `ANALYZE`)
	conn, err := pgx.Connect(t.Context(), h.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for i, w := range writtenStatements(t) {
		if !strings.Contains(w.sql, "deliveries") && !strings.Contains(w.sql, "jobs") || everywhere[w.method] != "" && w.method != "SweepSenders" {
			continue
		}
		explained, err := explainAny(t.Context(), conn, fmt.Sprint("s", i), w.sql)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", w.where, err, w.sql)
		}
		explained.walk(func(p plan) {
			if p.Type == "Seq Scan" && (p.Relation == "deliveries" || p.Relation == "jobs") {
				t.Errorf("%s (%s) reads all %s:\n%s", w.where, w.method, p.Relation, w.sql)
			}
		})
	}
}

// seedWork adds what waits and what happened to the rows of seedTenants.
func seedWork(t *testing.T, s *pgtest.Server) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO api_keys (workspace_id, id, name, prefix, secret_hash, scopes, created_at) SELECT id, gen_random_uuid(), 'k', 'dsr_live_' || id, '\x00', '{read}', now() FROM workspaces`,
		`INSERT INTO webhooks (workspace_id, id, url, secret, created_at, updated_at) SELECT id, gen_random_uuid(), 'https://hooks.example/', '\x00', now(), now() FROM workspaces, generate_series(1, 3)`,
		`INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) SELECT workspace_id, gen_random_uuid(), 'lead.updated', id, '{}', now() FROM leads, generate_series(1, 3)`,
		`INSERT INTO event_feed (workspace_id, position, event_id, type, created_at) SELECT workspace_id, row_number() OVER (), id, type, now() FROM events`,
		`INSERT INTO event_inbox (workspace_id, event_id, type, created_at) SELECT workspace_id, id, type, now() FROM events LIMIT 500`,
		`INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, status, created_at)
			SELECT e.workspace_id, gen_random_uuid(), (SELECT w.id FROM webhooks w WHERE w.workspace_id = e.workspace_id LIMIT 1), e.id, 1, e.type, CASE WHEN random() < .5 THEN 'PENDING' ELSE 'FAILED' END, now() FROM events e`,
		`INSERT INTO jobs (id, workspace_id, kind, lane, payload, status, max_attempts, run_at, unique_key, lease_until, created_at)
			SELECT gen_random_uuid(), workspace_id, 'lead.wake', 'workflow', '{}', (ARRAY['QUEUED', 'RUNNING', 'RETRY', 'FAILED', 'DONE'])[1 + n % 5], 3, now(), 'lead:' || id || n, now(), now()
			FROM leads, generate_series(1, 10) n`,
		`INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at) SELECT workspace_id, id, 1, kind, lane, '{}', now() FROM jobs LIMIT 500`,
		`INSERT INTO idempotency_keys (workspace_id, method, path, key, body_hash, owner, locked_until, expires_at)
			SELECT workspace_id, 'PUT', '/api/v1/leads', id, '\x00', gen_random_uuid(), now(), now() FROM leads`,
		`ANALYZE`,
	} {
		s.Exec(t, sql)
	}
}

// samples are values of the types that parameters have. The id is one of long ago, always the same: a random one would ask
// for a few rows in one run and for nearly all in the next.
var samples = map[string]string{"int4": "1", "int8": "1", "bool": "true", "uuid": "'01900000-0000-7000-8000-000000000001'::uuid", "timestamptz": "(now() - interval '1 day')",
	"interval": "interval '1 day'", "text": "'x'"}

// explainAny plans a statement as its sender has it planned: a tenant's for any parameters, the system's, which name no
// workspace, for those at hand.
func explainAny(ctx context.Context, conn *pgx.Conn, name, sql string) (plan, error) {
	prepared, err := conn.Prepare(ctx, name, sql)
	if err != nil {
		return plan{}, err
	}
	mode, values := "force_generic_plan", []string{}
	if ofSystem(sql) {
		mode = "force_custom_plan"
	}
	for _, oid := range prepared.ParamOIDs {
		value := "NULL"
		if kind, ok := conn.TypeMap().TypeForOID(oid); ok && samples[kind.Name] != "" {
			value = samples[kind.Name]
		} else if ok && strings.HasPrefix(kind.Name, "_") {
			value = "array_fill(" + orNull(samples[kind.Name[1:]]) + "::" + kind.Name[1:] + ", ARRAY[3])"
		}
		values = append(values, value)
	}
	call := "SET plan_cache_mode = " + mode + "; EXPLAIN (FORMAT JSON) EXECUTE " + name
	if len(values) > 0 {
		call += "(" + strings.Join(values, ", ") + ")"
	}
	results, err := conn.PgConn().Exec(ctx, call).ReadAll()
	if err != nil {
		return plan{}, err
	}
	var explained []struct{ Plan plan }
	if err := json.Unmarshal(results[1].Rows[0][0], &explained); err != nil {
		return plan{}, err
	}
	return explained[0].Plan, nil
}

// ofSystem reports whether a statement is sent for no tenant in particular.
func ofSystem(sql string) bool { return !strings.Contains(sql, "workspace_id = $") }

func orNull(value string) string {
	if value == "" {
		return "NULL"
	}
	return value
}

// ofOne is a condition that at most one row of an installation meets, or the row of a workspace itself.
var ofOne = regexp.MustCompile(`\b(id|prefix|token_hash|inbound_token|object_key|tokens_key|thumbnail_key) = `)

// farReaching are the parts of a plan that read what grows with other workspaces.
func farReaching(p plan, w written, tables []string) (problems []string) {
	p.walk(func(p plan) {
		switch {
		case p.Type == "Seq Scan" && slices.Contains(tables, p.Relation) && !slices.Contains(queues, p.Relation):
			problems = append(problems, "a sequential scan of "+p.Relation)
		case p.Index == "" || strings.HasPrefix(p.Index, "pg_") || slices.Contains(queues, p.Index):
		case p.Cond == "":
			problems = append(problems, "a scan of all of index "+p.Index)
		case !ofSystem(w.sql) && !strings.Contains(p.Cond, "workspace_id") && !ofOne.MatchString(p.Cond):
			problems = append(problems, "an entry into "+p.Index+" by "+p.Cond)
		}
	})
	return problems
}
