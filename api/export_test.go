package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

const exportPoll = "/pipelines/run/" + jobs.PipelineExportAnalyticsCSV + "?jobId="

// started waits until a request for a file has started a run.
func (s *testServer) started(t *testing.T) dossier.PipelineRunID {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if id := pgtest.Value[string](t, s.Server, `SELECT coalesce(max(id::text), '') FROM pipeline_runs`); id != "" {
			return dossier.PipelineRunID(id)
		}
	}
	t.Fatal("no run was started")
	return ""
}

// export does what the worker does at the end: the file is stored, its row published, the run ended.
func (s *testServer) export(t *testing.T, run dossier.PipelineRunID, result string) {
	t.Helper()
	key := jobs.ExportKey(s.Workspace, run, postgres.NewID())
	if _, err := s.API.Objects.Put(t.Context(), key, jobs.ExportContentType, strings.NewReader("leadId\r\n"), 0); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `INSERT INTO exports (workspace_id, id, pipeline_run_id, object_key, rows, created_at, finished_at) VALUES ($1, $2, $2, $3, 0, now(), now())`, s.Workspace, run, key)
	s.Exec(t, `UPDATE pipeline_runs SET status = 'COMPLETE', progress = 100, finished_at = now(), result = $2 WHERE id = $1`, run, result)
}

const noAddress = `{"downloadUrl": null, "expiresAt": null}`

// fetched checks that an answer leads to the file for an hour.
func (s *testServer) fetched(t *testing.T, answer json.RawMessage) {
	t.Helper()
	var link struct{ DownloadURL, ExpiresAt string }
	if err := json.Unmarshal(answer, &link); err != nil || link.DownloadURL == "" {
		t.Fatalf("%s, %v", answer, err)
	}
	if want := s.Clock.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04:05.000Z"); link.ExpiresAt != want {
		t.Errorf("expires at %s, want %s", link.ExpiresAt, want)
	}
	response, err := http.Get(link.DownloadURL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "leadId\r\n" || response.Header.Get("Content-Disposition") != "attachment; filename=analytics.csv" {
		t.Errorf("%q, %v, %v", body, err, response.Header)
	}
}

// A request for a file waits for it and answers with its address.
func TestExport_waits(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	got := make(chan answer, 1)
	go func() { got <- s.do(t, "GET", "/api/v0/analytics?format=csv&start=2026-01-01T00:00:00%2B02:00", "") }() // the test's clock stands: only the end can answer
	run := s.started(t)
	if p := pgtest.Value[string](t, s.Server, `SELECT parameters::text FROM pipeline_runs`); p != `{"start": "2026-01-01T00:00:00+02:00"}` {
		t.Errorf("parameters %s", p)
	}
	s.export(t, run, noAddress)
	a := <-got
	if a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	s.fetched(t, json.RawMessage(a.Body))
}

// After 25 seconds it says where to poll instead; the poll's result is then the same object.
func TestExport_takes_longer(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	got := make(chan answer, 1)
	go func() { got <- s.do(t, "GET", "/api/v0/analytics?format=csv", "") }()
	run := s.started(t)
	s.Clock.Advance(26 * time.Second)
	a := <-got
	if want := `{"jobId":"` + string(run) + `","result":"` + s.URL + exportPoll + string(run) + `"}`; a.Status != 202 || strings.TrimSpace(a.Body) != want || a.Header.Get("Retry-After") != "2" {
		t.Fatalf("%d %s, want %s", a.Status, a.Body, want)
	}
	s.export(t, run, noAddress)
	s.fetched(t, s.result(t, exportPoll+string(run)))
}

// A look at the run that fails, or comes too late, ends only the waiting: the caller learns where to poll.
func TestExport_wait_cut_off(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	got := make(chan answer, 1)
	go func() { got <- s.do(t, "GET", "/api/v0/analytics?format=csv", "") }()
	run := s.started(t)
	if a := s.cutOff(t, got); a.Status != 202 || !strings.Contains(a.Body, s.URL+exportPoll+string(run)) || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

// cutOff keeps everybody from the runs until an answer has come: whoever wants to read them loses the connection.
func (s *testServer) cutOff(t *testing.T, got <-chan answer) answer {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.Server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for sql := `BEGIN; LOCK TABLE pipeline_runs`; ; sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'` {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
		select {
		case a := <-got:
			return a
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// result is that of a poll.
func (s *testServer) result(t *testing.T, path string) json.RawMessage {
	t.Helper()
	var poll struct {
		Status string
		Result json.RawMessage
	}
	a := s.do(t, "GET", path, "")
	if err := json.Unmarshal([]byte(a.Body), &poll); err != nil || poll.Status != "COMPLETE" {
		t.Fatalf("%d %s %v", a.Status, a.Body, err)
	}
	return poll.Result
}

// A caller that goes away while it waits takes nothing with it: the run goes on to its one end.
func TestExport_client_gone(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/api/v0/analytics?format=csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", s.Key)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
			t.Error("it was answered")
		}
	}()
	run := s.started(t)
	leave()
	<-gone
	if status := pgtest.Value[string](t, s.Server, `SELECT string_agg(r.status || ' ' || j.status, ',') FROM pipeline_runs r, jobs j WHERE j.kind = 'analytics.export'`); status != "PENDING QUEUED" {
		t.Errorf("the run and its job are %s", status)
	}
	s.export(t, run, noAddress)
	s.fetched(t, s.result(t, exportPoll+string(run)))
}

// A caller that goes away while it downloads loses nothing: the address goes on giving the file, whole or from where the
// caller was.
func TestExport_download_broken_off(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	run, err := s.DB.CreatePipelineRun(t.Context(), s.Workspace, jobs.PipelineExportAnalyticsCSV, []string{jobs.PipelineExportAnalyticsCSV}, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	s.export(t, run.ID, noAddress)
	answer := s.result(t, exportPoll+string(run.ID))
	address := valueAt(t, string(answer), "downloadUrl")
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	begun := make([]byte, 4)
	if _, err := io.ReadFull(response.Body, begun); err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close() // in the middle
	s.fetched(t, answer)
	rest, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	rest.Header.Set("Range", "bytes=4-")
	if response, err = http.DefaultClient.Do(rest); err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusPartialContent || string(begun)+string(body) != "leadId\r\n" {
		t.Errorf("%d: %q and then %q, %v", response.StatusCode, begun, body, err)
	}
}

// A step of a chain gets its address as a run does; from Redis as from Postgres; and none when the file is gone.
func TestExport_in_chain(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	step := func(result string) string {
		return `{"steps":[{"pipelineId":"export-analytics-csv","status":"COMPLETE","result":` + result + `,"error":null,"timeElapsed":1}]}`
	}
	run, err := s.DB.CreatePipelineRun(t.Context(), s.Workspace, "chain", []string{jobs.PipelineExportAnalyticsCSV}, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	s.export(t, run.ID, step(noAddress))
	path := "/pipelines/run/chain?jobId=" + string(run.ID)
	linked := func() {
		t.Helper()
		var result struct {
			Steps []dossier.PipelineStep `json:"steps"`
		}
		if err := json.Unmarshal(s.result(t, path), &result); err != nil || len(result.Steps) != 1 || result.Steps[0].TimeElapsed != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		s.fetched(t, result.Steps[0].Result)
	}
	linked()
	kept := `{"jobId":"` + string(run.ID) + `","pipelineId":"chain","metadata":{},"result":` + step(noAddress) + `,"error":null,"status":"COMPLETE","progress":100,"attempts":1,"timeElapsed":0}`
	if err := s.API.Cache.SetPoll(t.Context(), s.Workspace, run.ID, []byte(kept)); err != nil {
		t.Fatal(err)
	}
	linked()
	s.Exec(t, `DELETE FROM exports`)
	if got, want := string(s.result(t, path)), step(strings.ReplaceAll(noAddress, " ", "")); strings.ReplaceAll(got, " ", "") != want {
		t.Errorf("without the file: %s", got)
	}
}
