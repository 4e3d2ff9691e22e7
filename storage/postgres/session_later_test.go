package postgres_test

import (
	"encoding/json"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Statements that travel with the commit are part of the transaction: one that fails undoes all, its error is
// returned, and the connection is as good as before.
func TestTransaction_staged_statements_fail_with_the_commit(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	start := func(parameters string) (dossier.PipelineRun, error) {
		return s.DB.CreatePipelineRun(t.Context(), ws, "match-documents", []string{"match-documents"}, json.RawMessage(parameters), postgres.PipelineSubjects{})
	}
	for range 20 { // more often than the pool has connections
		if _, err := start(`{"text":"\u0000"}`); err == nil { // which jsonb cannot hold
			t.Fatal("a statement that failed with the commit was not reported")
		}
	}
	if n := pgtest.Value[int](t, s, "SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM outbox) + (SELECT count(*) FROM pipeline_runs)"); n != 0 {
		t.Errorf("%d rows of undone transactions are left", n)
	}
	run, err := start(`{}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, s, "SELECT subject_id::text FROM jobs j JOIN outbox o ON o.job_id = j.id"); got != string(run.ID) {
		t.Errorf("the job staged is of %s, want %s", got, run.ID)
	}
}

// A change that Postgres undoes because of others made at the same time is made again, whole, and once.
func TestTransaction_made_again_after_a_conflict(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{"serialization failure": "40001", "deadlock": "40P01"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pgtest.New(t)
			ws := s.Workspace(t)
			lead, _ := s.Lead(t, ws)
			s.Exec(t, `CREATE SEQUENCE tries`) // counts undone tries too
			s.Exec(t, `GRANT USAGE ON tries TO dossier_app`)
			s.Exec(t, `CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN IF nextval('tries') < 3 THEN RAISE EXCEPTION USING ERRCODE = '`+code+`'; END IF; RETURN NEW; END $$`)
			s.Exec(t, `CREATE TRIGGER conflict AFTER INSERT ON escalations FOR EACH ROW EXECUTE FUNCTION conflict()`)
			if _, err := s.DB.CreateEscalation(t.Context(), ws, lead, "asks for a person", nil, postgres.Caller{}); err != nil {
				t.Fatal(err)
			}
			if n := pgtest.Value[int](t, s, "SELECT count(*) FROM escalations"); n != 1 {
				t.Errorf("%d escalations, want 1", n)
			}
			if n := pgtest.Value[int](t, s, "SELECT last_value FROM tries"); n != 3 {
				t.Errorf("%d tries, want 3", n)
			}
		})
	}
}
