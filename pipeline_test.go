package dossier

import (
	"encoding/json"
	"testing"
	"time"
)

var pipelineStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newRun(pipeline string, steps ...string) *PipelineRun {
	r := &PipelineRun{PipelineID: pipeline, Status: PipelinePending}
	for _, s := range steps {
		r.Steps = append(r.Steps, PipelineStep{PipelineID: s, Status: PipelinePending})
	}
	return r
}

func TestPipelineRun_single(t *testing.T) {
	t.Parallel()
	r := newRun("classify-document", "classify-document")
	if err := r.Start(pipelineStart); err != nil {
		t.Fatal(err)
	}
	if r.FinishStep(json.RawMessage(`{"documents":[]}`), time.Second, pipelineStart.Add(2*time.Second)) {
		t.Error("a run of one step has another")
	}
	if r.Status != PipelineComplete || string(r.Result) != `{"documents":[]}` || r.Progress != 100 {
		t.Errorf("run = %s %s %d, want COMPLETE with the step's result at 100", r.Status, r.Result, r.Progress)
	}
	if got := r.Elapsed(pipelineStart.Add(time.Hour)); got != 2*time.Second {
		t.Errorf("elapsed after the end = %v, want the frozen 2s", got)
	}
	for name, move := range map[string]func(time.Time) error{"start": r.Start, "cancel": r.Cancel} {
		if err := move(pipelineStart); KindOf(err) != Conflict {
			t.Errorf("%s of a COMPLETE run = %v, want Conflict", name, err)
		}
	}
}

func TestPipelineRun_chain_fails_in_its_second_step(t *testing.T) {
	t.Parallel()
	r := newRun("intake", "extract-document", "match-documents", "validate-document")
	if err := r.Start(pipelineStart); err != nil {
		t.Fatal(err)
	}
	if !r.FinishStep(json.RawMessage(`{"a":1}`), time.Second, pipelineStart) {
		t.Fatal("the chain ended after its first step")
	}
	if r.Result != nil || r.Progress != 33 {
		t.Errorf("after one of three steps result = %s, progress = %d; want null and 33", r.Result, r.Progress)
	}
	if err := r.Start(pipelineStart); err != nil {
		t.Fatal(err)
	}
	r.Fail(PipelineFailure{Code: "timeout", Message: "took too long"}, time.Second, pipelineStart)
	want := `{"steps":[{"pipelineId":"extract-document","status":"COMPLETE","result":{"a":1},"error":null,"timeElapsed":1000},` +
		`{"pipelineId":"match-documents","status":"ERROR","result":null,"error":{"code":"timeout","message":"took too long"},"timeElapsed":1000},` +
		`{"pipelineId":"validate-document","status":"PENDING","result":null,"error":null,"timeElapsed":0}]}`
	if r.Status != PipelineError || string(r.Result) != want {
		t.Errorf("chain = %s\n%s\nwant ERROR\n%s", r.Status, r.Result, want)
	}
}
