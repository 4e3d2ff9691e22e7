package worker

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A chain whose worker is killed in its first, its middle or its last step goes on with that step: what was done is not
// done again, and there is one end.
func TestChain_killed(t *testing.T) {
	const chain = "match-export-match"
	steps := []string{jobs.PipelineMatchDocuments, export, jobs.PipelineMatchDocuments}
	for at, name := range []string{"first", "middle", "last"} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			conn, err := pgx.Connect(t.Context(), e.pg.URL)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close(context.Background()) })
			lock := func() { // nobody gets at the lead's files
				if _, err := conn.Exec(context.Background(), `BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE`); err != nil {
					t.Error(err)
				}
			}
			var puts atomic.Int32
			e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
				if puts.Add(1) == 1 && at == 2 {
					lock()
				}
				if at == 1 {
					<-e.free
					panic(http.ErrAbortHandler)
				}
				forward.ServeHTTP(w, r)
			})
			if at == 0 {
				lock()
			}
			lead := pgtest.Value[string](t, e.pg, `SELECT id::text FROM leads LIMIT 1`)
			started, err := e.pg.DB.CreatePipelineRun(t.Context(), e.ws, chain, steps, []byte(`{"leadId": "`+lead+`"}`), postgres.PipelineSubjects{})
			if err != nil {
				t.Fatal(err)
			}
			victim := e.child(t, e.bench)
			e.until("the victim is in the step", func() bool {
				if at == 1 {
					return puts.Load() > 0
				}
				return pgtest.Value[bool](t, e.pg, `SELECT (SELECT step FROM pipeline_runs WHERE id = $1) = $2 AND EXISTS (SELECT FROM pg_stat_activity
					WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%documents%')`, started.ID, at)
			})
			victim.kill()
			e.onPut(nil)
			e.letGo()
			if at != 1 {
				if _, err := conn.Exec(context.Background(), `ROLLBACK`); err != nil {
					t.Error(err)
				}
			}
			victim.lapse()
			e.run(e.worker(t))
			run := e.ended(t, chain, started.ID)
			e.whole(t, run)
			if run.Attempts != len(steps)+1 {
				t.Errorf("%d attempts at %d steps with one kill", run.Attempts, len(steps))
			}
			for i, step := range run.Steps {
				if step.PipelineID != steps[i] || step.Status != dossier.PipelineComplete || len(step.Result) == 0 {
					t.Errorf("step %d: %+v", i, step)
				}
			}
		})
	}
}

// A chain whose second step fails ends with ERROR and keeps the result of the first.
func TestChain_partial_failure(t *testing.T) {
	e := newExporting(t)
	id := e.start(t, "export-then-read", export, jobs.PipelineExtractDocument)
	e.run(e.worker(t))
	run := e.ended(t, "export-then-read", id)
	var result struct {
		Steps []struct {
			PipelineID string          `json:"pipelineId"`
			Status     string          `json:"status"`
			Result     json.RawMessage `json:"result"`
			Error      *struct {
				Code string `json:"code"`
			} `json:"error"`
		} `json:"steps"`
	}
	if err := json.Unmarshal(run.Result, &result); err != nil || len(result.Steps) != 2 {
		t.Fatalf("%s, %v", run.Result, err)
	}
	first, second := result.Steps[0], result.Steps[1]
	if run.Status != dossier.PipelineError || first.Status != "COMPLETE" || !strings.Contains(string(first.Result), "downloadUrl") || second.Status != "ERROR" || second.Error.Code != "document_required" || run.Failure.Code != "document_required" {
		t.Errorf("%s %s", run.Status, run.Result)
	}
}
