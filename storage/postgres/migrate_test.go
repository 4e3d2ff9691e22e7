package postgres_test

import (
	"context"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// growing are the tables that may hold millions of rows: what is done to them is done while a release works.
var growing = map[string]bool{
	"leads": true, "checklist_items": true, "checklist_entries": true, "documents": true, "document_associations": true, "action_logs": true,
	"interventions": true, "escalations": true, "jobs": true, "outbox": true, "events": true, "event_inbox": true, "event_feed": true,
	"deliveries": true, "attempts": true, "workflow_runs": true, "messages": true, "spreads": true, "spread_documents": true, "artifacts": true,
	"pipeline_runs": true, "exports": true, "portal_links": true, "idempotency_keys": true, "audit_entries": true,
	"report_leads": true, "report_hours": true, "report_changes": true, "erasures": true,
	"parties": true, "document_parties": true,
	"request_log": true,
}

// heldFrom is the first migration that must keep the rules. Those before it ran everywhere long ago.
const heldFrom = 520

// What a migration does to a table that may be large must neither stop those who write to it nor the release before.
func TestMigrations_leave_the_release_before_working(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for table := range growing {
		if !pgtest.Value[bool](t, s, `SELECT to_regclass($1) IS NOT NULL`, table) {
			t.Errorf("there is no table %s", table)
		}
	}
	err := fs.WalkDir(postgres.Migrations(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(postgres.Migrations(), path)
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(strings.TrimLeft(strings.SplitN(entry.Name(), "_", 2)[0], "0"))
		if err != nil {
			t.Errorf("%s has no number", path)
			return nil
		}
		if number >= heldFrom {
			for _, fault := range lintMigration(string(text)) {
				t.Errorf("%s: %s", path, fault)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

var (
	sqlComment   = regexp.MustCompile(`--[^\n]*`)
	sqlDown      = regexp.MustCompile(`(?m)^-- \+goose Down[\s\S]*`)
	createdTable = regexp.MustCompile(`(?i)CREATE TABLE (?:IF NOT EXISTS )?(?:public\.)?(\w+)`)
	createdIndex = regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+) ON (?:ONLY )?(?:public\.)?(\w+)`)
	alteredTable = regexp.MustCompile(`(?i)^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?:public\.)?(\w+) ([\s\S]*)`)
	oneTable     = regexp.MustCompile(`(?i)^(UPDATE|DELETE FROM|LOCK TABLE|CLUSTER|VACUUM FULL) (?:ONLY )?(?:public\.)?(\w+)`)
)

// alterings are the parts of an ALTER TABLE that hold up a release; each may be missing where the second matches.
var alterings = []struct {
	bad, but *regexp.Regexp
	says     string
}{
	{regexp.MustCompile(`(?i)ADD (?:COLUMN )?[^,]*\bNOT NULL\b`), regexp.MustCompile(`(?i)ADD (?:COLUMN )?[^,]*\bDEFAULT\b`),
		"a new column that is NOT NULL without a default: the release before cannot insert"},
	{regexp.MustCompile(`(?i)\bDEFAULT\s+(?:gen_random_uuid|random|clock_timestamp|uuid_generate)`), nil, "a default that differs by row rewrites the table"},
	{regexp.MustCompile(`(?i)ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b`), nil, "another type rewrites the table"},
	{regexp.MustCompile(`(?i)\bGENERATED ALWAYS AS [^,]* STORED`), nil, "a stored column rewrites the table"},
	{regexp.MustCompile(`(?i)SET NOT NULL`), nil, "SET NOT NULL reads the whole table: a CHECK that is NOT VALID, then VALIDATE, in another migration"},
	{regexp.MustCompile(`(?i)ADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)`), regexp.MustCompile(`(?i)NOT VALID`),
		"a constraint reads the whole table: add it NOT VALID and validate it in another migration"},
	{regexp.MustCompile(`(?i)ADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY) ?\(`), nil, "a unique constraint builds its index under a lock: build the index CONCURRENTLY and USING INDEX"},
	{regexp.MustCompile(`(?i)\b(?:RENAME|DROP COLUMN|DROP (?:IF EXISTS )?\w+$)`), nil, "a column that goes or gets another name: the release before still names it"},
	{regexp.MustCompile(`(?i)SET (?:UNLOGGED|LOGGED|TABLESPACE)`), nil, "it rewrites the table"},
}

// lintMigration says what is wrong with a migration's way up.
func lintMigration(text string) []string {
	var faults []string
	apart := strings.Contains(text, "-- +goose NO TRANSACTION")
	up := sqlComment.ReplaceAllString(sqlDown.ReplaceAllString(text, ""), "")
	fresh := map[string]bool{}
	for _, made := range createdTable.FindAllStringSubmatch(up, -1) {
		fresh[strings.ToLower(made[1])] = true
	}
	large := func(table string) bool { return growing[strings.ToLower(table)] && !fresh[strings.ToLower(table)] }
	for statement := range strings.SplitSeq(up, ";") {
		statement = strings.Join(strings.Fields(statement), " ")
		if index := createdIndex.FindStringSubmatch(statement); index != nil && large(index[3]) {
			faults = append(faults, lintIndex(up, apart, index[2], index[1] != "")...)
		}
		if altered := alteredTable.FindStringSubmatch(statement); altered != nil && large(altered[1]) {
			for _, a := range alterings {
				if a.bad.MatchString(altered[2]) && (a.but == nil || !a.but.MatchString(altered[2])) {
					faults = append(faults, altered[1]+": "+a.says)
				}
			}
		}
		if one := oneTable.FindStringSubmatch(statement); one != nil && large(one[2]) && !strings.Contains(strings.ToUpper(statement), "WHERE") {
			faults = append(faults, one[2]+": "+one[1]+" of a whole table")
		}
	}
	if apart && !strings.Contains(up, "CONCURRENTLY") && !strings.Contains(up, "COMMIT") {
		faults = append(faults, "it is in no transaction, and needs none to be")
	}
	return faults
}

func lintIndex(up string, apart bool, name string, concurrently bool) []string {
	switch {
	case !concurrently:
		return []string{name + ": an index on a large table is built CONCURRENTLY, in a migration of its own with `-- +goose NO TRANSACTION`"}
	case !apart:
		return []string{name + ": CONCURRENTLY needs `-- +goose NO TRANSACTION`"}
	case !strings.Contains(up, "DROP INDEX CONCURRENTLY IF EXISTS "+name):
		return []string{name + ": a build that failed leaves an index that is not valid: DROP INDEX CONCURRENTLY IF EXISTS first"}
	}
	return nil
}

// The lint sees each of the faults, and lets pass what is right.
func TestLintMigration(t *testing.T) {
	t.Parallel()
	const apart = "-- +goose NO TRANSACTION\n-- +goose Up\n"
	tests := []struct {
		name, sql, says string
	}{
		{"not null without default", "-- +goose Up\nALTER TABLE report_leads ADD COLUMN facts bytea NOT NULL;", "without a default"},
		{"not null with default", "-- +goose Up\nALTER TABLE leads ADD COLUMN n int NOT NULL DEFAULT 0;", ""},
		{"of a new table", "-- +goose Up\nCREATE TABLE leads (id int);\nCREATE INDEX i ON leads (id);\nALTER TABLE leads ADD COLUMN n int NOT NULL;", ""},
		{"of a small table", "-- +goose Up\nCREATE INDEX i ON workspaces (key);", ""},
		{"index in a transaction", "-- +goose Up\nCREATE INDEX i ON public.leads (id);", "CONCURRENTLY"},
		{"concurrent in a transaction", "-- +goose Up\nCREATE UNIQUE INDEX CONCURRENTLY i ON leads (id);", "NO TRANSACTION"},
		{"not repeatable", apart + "CREATE INDEX CONCURRENTLY i ON leads (id);", "DROP INDEX CONCURRENTLY"},
		{"as it should be", apart + "DROP INDEX CONCURRENTLY IF EXISTS i;\nCREATE INDEX CONCURRENTLY i ON leads (id);", ""},
		{"another type", "-- +goose Up\nALTER TABLE messages ALTER COLUMN body TYPE varchar(10);", "another type"},
		{"a volatile default", "-- +goose Up\nALTER TABLE messages ADD COLUMN x uuid DEFAULT gen_random_uuid();", "differs by row"},
		{"a check", "-- +goose Up\nALTER TABLE jobs ADD CONSTRAINT c CHECK (x > 0);", "NOT VALID"},
		{"a check that is not valid", "-- +goose Up\nALTER TABLE jobs ADD CONSTRAINT c CHECK (x > 0) NOT VALID;", ""},
		{"a column that goes", "-- +goose Up\nALTER TABLE leads DROP COLUMN x;", "the release before"},
		{"every row", "-- +goose Up\nUPDATE messages SET body = '';", "whole table"},
		{"some rows", "-- +goose Up\nUPDATE messages SET body = '' WHERE body LIKE 'x';", ""},
		{"apart for nothing", apart + "CREATE TABLE x (id int);", "needs none"},
		{"apart for commits of its own", apart + "DO $$ BEGIN COMMIT; END $$;", ""},
		{"only the way down", "-- +goose Up\nSELECT 1;\n-- +goose Down\nALTER TABLE leads DROP COLUMN x;", ""},
	}
	for _, test := range tests {
		faults := strings.Join(lintMigration(test.sql), "; ")
		if (test.says == "") != (faults == "") || !strings.Contains(faults, test.says) {
			t.Errorf("%s: %q, want %q", test.name, faults, test.says)
		}
	}
}

// Whoever migrates hears how far it is; where nothing is missing there is nothing to hear.
func TestMigrateTold(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	missing := pgtest.Value[int](t, s, `WITH gone AS (DELETE FROM goose_db_version WHERE version_id >= 903 RETURNING 1)
		SELECT count(*) FROM gone`)
	var told []int
	for range 2 {
		_, err := postgres.MigrateWithProgress(t.Context(), s.URL, func(done, all int) {
			if told = append(told, done); all != missing {
				t.Errorf("%d of %d, want of %d", done, all, missing)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != missing+1 || told[0] != 0 || told[missing] != missing {
		t.Errorf("told %v, want 0 to %d", told, missing)
	}
}

// A migration that finds a table held gives up its turn, so that nobody queues behind it, and comes again.
func TestMigrate_behind_a_lock(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	holder, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Close(context.Background()) }()
	tx, err := holder.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `LOCK TABLE goose_db_version IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := postgres.Migrate(t.Context(), s.URL)
		ended <- err
	}()
	// It asks at least twice: the first turn was given up while the lock was held.
	turns := map[time.Time]bool{}
	for len(turns) < 2 {
		select {
		case err := <-ended:
			t.Fatalf("it did not wait: %v", err)
		default:
		}
		began := pgtest.Value[*time.Time](t, s, `SELECT max(query_start) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if began != nil {
			turns[*began] = true
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A migration that the server ends because a writer and it wait for each other comes again.
func TestMigrate_deadlock(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	s.Exec(t, `ALTER TABLE checklist_entries ADD FOREIGN KEY (workspace_id, item_id) REFERENCES checklist_items (workspace_id, id)`)
	s.Exec(t, `DELETE FROM goose_db_version WHERE version_id >= 903`)
	// Before the first turn is over, and by ending the migration, not the writer.
	s.Exec(t, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = 20', current_database()); END $$`)
	writer, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close(context.Background()) }()
	if _, err := writer.Exec(t.Context(), `SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE checklist_items IN ROW EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := postgres.Migrate(t.Context(), s.URL)
		ended <- err
	}()
	for !pgtest.Value[bool](t, s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`) {
		if len(ended) > 0 {
			t.Fatalf("it did not wait: %v", <-ended)
		}
	}
	if _, err := writer.Exec(t.Context(), `LOCK TABLE checklist_entries IN ROW EXCLUSIVE MODE; COMMIT`); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
