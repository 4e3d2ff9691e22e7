package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/schematest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Every built-in pipeline is shown on the reference page and in the list, with JSON Schemas, parameters that it takes and
// a result that its schema describes. What the schema refuses, the pipeline refuses too.
func TestPipelines_examples(t *testing.T) {
	t.Parallel()
	page := newTestServer(t)
	docs := page.do(t, "GET", "/docs", "").Body
	for _, p := range jobs.Pipelines {
		e := pipelineExample(p.ID)
		taken := func(parameters string, want bool) {
			t.Helper()
			byType, bySchema := pipelineFault(p.ID, parameters), schematest.Accepts(t, p.Parameters, json.RawMessage(parameters))
			if byType == nil != want || bySchema == nil != want {
				t.Errorf("%s with %s: %v, and by its schema %v; want it taken: %v", p.ID, parameters, byType, bySchema, want)
			}
		}
		with := func(member string) string { return strings.Replace(string(e.Request), "{", "{"+member+", ", 1) }
		taken(string(e.Request), true)
		taken(with(`"webhookId": "019b7d2a-31c0-7000-8000-0000000000f2"`), true)
		taken(with(`"webhookId": "mine"`), false)
		taken(with(`"colour": "red"`), false)
		taken(`[]`, false)
		taken(`{}`, p.ID == jobs.PipelineExportAnalyticsCSV)
		schematest.Describes(t, p.ID+" result", p.Result, e.Answer)
		if !strings.Contains(docs, `id="pipeline-`+p.ID+`"`) {
			t.Errorf("%s has no example in the reference", p.ID)
		}
	}
}

func pipelineFault(id, parameters string) error {
	_, _, err := pipelineParameters(id, []byte(parameters))
	return err
}

// The list has the built-in pipelines and then the workspace's chains; the reference shows some as they are.
func TestPipelines_list(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	entries := func(answer string) []any { return decoded(t, answer).(map[string]any)["pipelines"].([]any) }
	plain, shown := entries(s.do(t, "GET", "/pipelines", "").Body), entries(string(exampleOf("listPipelines").Answer))
	for _, entry := range shown {
		if !slices.ContainsFunc(plain, func(listed any) bool { return reflect.DeepEqual(listed, entry) }) {
			t.Errorf("openapi/examples/listPipelines.json has an entry that is not in the list: %v", entry)
		}
	}
	s.Exec(t, `UPDATE workspaces SET pipelines = '[{"id": "intake", "steps": ["extract-document", "match-documents"]}]' WHERE id = $1`, s.Workspace)
	var list pipelinesAnswer
	if err := json.Unmarshal([]byte(s.do(t, "GET", "/pipelines", "").Body), &list); err != nil || len(list.Pipelines) != len(jobs.Pipelines)+1 {
		t.Fatal(len(list.Pipelines), err)
	}
	chain := list.Pipelines[len(jobs.Pipelines)]
	if chain.ID != "intake" || len(chain.Steps) != 2 || !reflect.DeepEqual(chain.ParametersSchema, list.Pipelines[0].ParametersSchema) {
		t.Errorf("%+v", chain)
	}
	schematest.Describes(t, "a chain's result", chain.ResultSchema, json.RawMessage(`{"steps": [
		{"pipelineId": "extract-document", "status": "COMPLETE", "result": {"documents": []}, "error": null, "timeElapsed": 12},
		{"pipelineId": "match-documents", "status": "ERROR", "result": null, "error": {"code": "document_required", "message": "x"}, "timeElapsed": 0}]}`))
}

func (s *testServer) startRun(t *testing.T) dossier.PipelineRun {
	t.Helper()
	lead, _ := s.Lead(t, s.Workspace)
	run, err := s.DB.CreatePipelineRun(t.Context(), s.Workspace, jobs.PipelineMatchDocuments, []string{jobs.PipelineMatchDocuments}, []byte(`{"leadId":"`+string(lead)+`"}`), postgres.PipelineSubjects{Lead: lead})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// A run that goes on has the same tag until its state moves, whatever the clock says, and says when to come back; an
// ended one has the same answer from Redis, from Postgres once Redis has forgotten it, and without Redis.
func TestPoll_tags_and_Redis(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	run := s.startRun(t)
	path := "/pipelines/run/match-documents?jobId=" + string(run.ID)
	first := s.do(t, "GET", path, "")
	tag := first.Header.Get("ETag")
	if first.Status != 200 || first.Header.Get("Retry-After") != "1" || tag == "" {
		t.Fatalf("%d, Retry-After %q, ETag %q", first.Status, first.Header.Get("Retry-After"), tag)
	}
	s.Exec(t, `UPDATE pipeline_runs SET status = 'IN_PROGRESS', started_at = $2 WHERE id = $1`, run.ID, s.Clock.Now())
	running := s.do(t, "GET", path, "", "If-None-Match", tag)
	if running.Status != 200 || running.Header.Get("ETag") == tag {
		t.Errorf("a run that was started: %d with tag %s", running.Status, running.Header.Get("ETag"))
	}
	s.Clock.Advance(1e9)
	if again := s.do(t, "GET", path, "", "If-None-Match", running.Header.Get("ETag")); again.Status != http.StatusNotModified || again.Body != "" {
		t.Errorf("nothing but time has passed: %d %q", again.Status, again.Body)
	}
	if later := s.do(t, "GET", path, ""); !strings.Contains(running.Body, `"timeElapsed":0`) || !strings.Contains(later.Body, `"timeElapsed":1000`) {
		t.Errorf("a second lies between %s and %s", running.Body, later.Body)
	}
	s.Exec(t, `UPDATE pipeline_runs SET status = 'COMPLETE', progress = 100, result = '{"matches": [], "unmatched": []}', finished_at = $2 WHERE id = $1`, run.ID, s.Clock.Now())
	fromPostgres := s.do(t, "GET", path, "")
	if err := s.API.Cache.SetPoll(t.Context(), s.Workspace, run.ID, []byte(fromPostgres.Body)); err != nil {
		t.Fatal(err)
	}
	pgtest.Value[int](t, s.Server, `WITH hidden AS (UPDATE pipeline_runs SET result = '"changed behind"' WHERE id = $1 RETURNING 1) SELECT count(*)::int FROM hidden`, run.ID)
	fromRedis := s.do(t, "GET", path, "")
	if fromRedis.Body != fromPostgres.Body || fromRedis.Header.Get("Retry-After") != "" {
		t.Errorf("from Redis: %s, want %s", fromRedis.Body, fromPostgres.Body)
	}
	if s.do(t, "GET", strings.Replace(path, "match-", "other-", 1), "").Status != 404 {
		t.Error("another pipeline's address answers")
	}
	s.Exec(t, `UPDATE pipeline_runs SET result = '{"matches": [], "unmatched": []}' WHERE id = $1`, run.ID)
	s.Redis.FlushAll()
	if wiped := s.do(t, "GET", path, ""); wiped.Status != 200 || wiped.Body != fromPostgres.Body {
		t.Errorf("Redis wiped: %d %s", wiped.Status, wiped.Body)
	}
	s.Redis.Close()
	for range 20 {
		if away := s.do(t, "GET", path, ""); away.Status != 200 || away.Body != fromPostgres.Body {
			t.Fatalf("Redis away: %d %s", away.Status, away.Body)
		}
	}
	if waited := s.do(t, "GET", path+"&wait=20", ""); waited.Status != 200 || waited.Body != fromPostgres.Body {
		t.Errorf("Redis away, and a poll that waits: %d %s", waited.Status, waited.Body)
	}
}

// A poll that waits answers when the run ends, not before and not much later.
func TestPoll_waits(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	run := s.startRun(t)
	path := "/pipelines/run/match-documents?jobId=" + string(run.ID)
	got := make(chan answer, 1)
	go func() { got <- s.do(t, "GET", path+"&wait=20", "") }() // the test's clock stands: only the end can answer
	if _, err := s.DB.CancelPipelineRun(t.Context(), s.Workspace, jobs.PipelineMatchDocuments, run.ID); err != nil {
		t.Fatal(err)
	}
	if a := <-got; a.Status != 200 || !strings.Contains(a.Body, `"status":"CANCELLED"`) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := s.do(t, "GET", path+"&wait=26", ""); a.Status != 400 {
		t.Errorf("wait=26: %d", a.Status)
	}
}

// A poll that waits and can look no more answers what it saw last.
func TestPoll_wait_cut_off(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	run, got := s.startRun(t), make(chan answer, 1)
	path := "/pipelines/run/match-documents?jobId=" + string(run.ID)
	s.do(t, "GET", path, "") // the key is known, and Redis: what follows are looks, no greetings of a new connection
	asked := s.Redis.CommandCount()
	go func() {
		got <- s.do(t, "GET", path+"&wait=20", "")
	}()
	for end := time.Now().Add(time.Minute); s.Redis.CommandCount() < asked+5; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the poll does not look again and again")
		}
	}
	if a := s.cutOff(t, got); a.Status != 200 || !strings.Contains(a.Body, `"status":"PENDING"`) || a.Header.Get("ETag") == "" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}
