package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Every built-in pipeline is shown on the reference page, with parameters that it takes, by its schema too, and a
// result that its schema describes.
func TestPipelines_examples(t *testing.T) {
	t.Parallel()
	page := newTestServer(t)
	docs := page.do(t, "GET", "/docs", "").Body
	for _, p := range jobs.Pipelines {
		e := pipelineExample(p.ID)
		if _, _, err := pipelineParameters(p.ID, e.Request); err != nil {
			t.Errorf("%s does not take the parameters of its example: %v", p.ID, err)
		}
		withHook := bytes.Replace(e.Request, []byte("{"), []byte(`{"webhookId": "019b7d2a-31c0-7000-8000-0000000000f2", `), 1)
		for _, parameters := range []json.RawMessage{e.Request, withHook} {
			described(t, p.ID+" parameters", p.Parameters, parameters, true)
		}
		described(t, p.ID+" result", p.Result, e.Answer, false)
		if !strings.Contains(docs, `id="pipeline-`+p.ID+`"`) {
			t.Errorf("%s has no example in the reference", p.ID)
		}
	}
}

// described holds the members of a value to a JSON Schema's properties, as deep as it has any.
func described(t *testing.T, what, schema string, value json.RawMessage, closed bool) {
	t.Helper()
	var s map[string]any
	var v any
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := json.Unmarshal(value, &v); err != nil {
		t.Fatalf("%s: %v in %s", what, err, value)
	}
	compareSchema(t, what, s, v, closed)
}

func compareSchema(t *testing.T, what string, schema map[string]any, value any, closed bool) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name := range properties {
			if sub, ok := properties[name].(map[string]any); ok && v[name] != nil {
				compareSchema(t, what+"/"+name, sub, v[name], closed)
			}
		}
		for name := range v {
			if closed && properties[name] == nil {
				t.Errorf("%s: the schema has no %s", what, name)
			}
		}
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				t.Errorf("%s: %s is missing", what, name)
			}
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, one := range v {
			compareSchema(t, what+"/*", items, one, closed)
		}
	}
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
	s.Exec(t, `UPDATE pipeline_runs SET status = 'IN_PROGRESS', started_at = now() WHERE id = $1`, run.ID)
	running := s.do(t, "GET", path, "", "If-None-Match", tag)
	if running.Status != 200 || running.Header.Get("ETag") == tag {
		t.Errorf("a run that was started: %d with tag %s", running.Status, running.Header.Get("ETag"))
	}
	s.Clock.Advance(1e9)
	if again := s.do(t, "GET", path, "", "If-None-Match", running.Header.Get("ETag")); again.Status != http.StatusNotModified || again.Body != "" {
		t.Errorf("nothing but time has passed: %d %q", again.Status, again.Body)
	}
	s.Exec(t, `UPDATE pipeline_runs SET status = 'COMPLETE', progress = 100, result = '{"matches": [], "unmatched": []}', finished_at = now() WHERE id = $1`, run.ID)
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
