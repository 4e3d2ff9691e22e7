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
