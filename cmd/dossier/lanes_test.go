package main

import (
	"testing"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestLanes(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	ws := o.Workspace(t)
	if _, err := o.DB.StageJobs(t.Context(), ws, jobs.JudgeLead{Workspace: ws}, jobs.JudgeLead{Workspace: ws}); err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE jobs SET in_turn = epoch WHERE id = (SELECT min(id::text)::uuid FROM jobs)`)
	all := value[[]admin.Lane](t, o, "lanes", "list")
	if len(all) != len(jobs.Lanes) {
		t.Errorf("%d lanes, want %d", len(all), len(jobs.Lanes))
	}
	for _, lane := range all {
		if waits := lane.Lane == jobs.LaneDocument; lane.InTurn+lane.Queued > 0 != waits || lane.Paused || lane.Shared != lane.Lane.Shared() {
			t.Errorf("%+v", lane)
		}
	}
	contains(t, o.do(t, "lanes", "list"), "LANE", "webhook-retry", "open")
	contains(t, o.do(t, "lanes", "pause", "document"), "paused")
	contains(t, o.do(t, "lanes", "pause", "document"), "paused") // again changes nothing
	if by := pgtest.Value[string](t, o.Server, `SELECT changed_by FROM lanes WHERE paused`); by != "command line" {
		t.Errorf("paused by %q", by)
	}
	contains(t, o.do(t, "lanes", "resume", "document"), "open")
	contains(t, o.do(t, "lanes", "share", "document", "--limit", "4"), "4")
	shared := value[[]admin.Lane](t, o, "lanes", "share", "document", "--workspace", string(ws), "--limit", "2", "--weight", "3")
	if l := shared[0]; *l.WorkspaceLimit != 4 || len(l.Shares) != 1 || l.Shares[0].WorkspaceID != ws || l.Shares[0].Weight != 3 || *l.Shares[0].Limit != 2 {
		t.Errorf("%+v", l)
	}
	if l := value[[]admin.Lane](t, o, "lanes", "share", "document", "--limit", "0")[0]; l.WorkspaceLimit != nil {
		t.Errorf("%+v", l)
	}
}

func TestLanes_refused(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.refused(t, 2, "is none of webhook", "lanes", "pause", "fast")
	o.refused(t, 2, "not shared in turns", "lanes", "share", "webhook", "--limit", "2")
	o.refused(t, 2, "--limit must not be negative", "lanes", "share", "document", "--limit=-1")
	o.refused(t, 2, "--weight must be between", "lanes", "share", "document", "--workspace", "w", "--weight", "1000")
	o.refused(t, 2, "name it with --workspace", "lanes", "share", "document", "--weight", "2")
	o.refused(t, 1, "no workspace", "lanes", "share", "document", "--workspace", "nowhere")
}
