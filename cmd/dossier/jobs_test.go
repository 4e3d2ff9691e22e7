package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func ids(list []jobJSON) []dossier.JobID {
	found := make([]dossier.JobID, len(list))
	for i, j := range list {
		found[i] = j.ID
	}
	return found
}

func TestJobs(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	contains(t, o.do(t, "jobs", "list"), "No such jobs.")
	first, second := o.Workspace(t), o.Workspace(t)
	one, err := o.DB.StageJobs(t.Context(), first, jobs.Noop{Workspace: first}, jobs.Noop{Workspace: first})
	if err != nil {
		t.Fatal(err)
	}
	other, err := o.DB.StageJobs(t.Context(), second, jobs.Noop{Workspace: second})
	if err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE jobs SET status = 'FAILED', error_class = 'boom', error_message = 'It broke', finished_at = now(), created_at = now() - interval '1 hour' WHERE id = $1`, one[0])

	all := value[[]jobJSON](t, o, "jobs", "list")
	if diff := cmp.Diff([]dossier.JobID{other[0], one[1], one[0]}, ids(all)); diff != "" {
		t.Error(diff)
	}
	if j := all[2]; *j.WorkspaceID != first || j.Kind != "system.noop" || j.Lane != "system" || j.Status != dossier.JobFailed || *j.ErrorClass != "boom" || j.Epoch != 1 || j.MaxAttempts != 3 {
		t.Errorf("%+v", j)
	}
	for args, want := range map[string]int{"--status failed": 1, "--status QUEUED": 2, "--kind system.noop": 3, "--kind document.extract": 0, "--lane system": 3,
		"--workspace " + string(second): 1, "--limit 2": 2, "--before " + string(one[1]): 1, "--status FAILED --older-than 60s": 1, "--status FAILED --older-than 3h": 0} {
		if got := value[[]jobJSON](t, o, append([]string{"jobs", "list"}, strings.Fields(args)...)...); len(got) != want {
			t.Errorf("jobs list %s: %d, want %d", args, len(got), want)
		}
	}
	contains(t, o.do(t, "jobs", "list"), "ID", "KIND", string(one[0]), "boom")
	contains(t, o.do(t, "jobs", "show", string(one[0])), "It broke", "0 of 3", string(first))
	if shown := value[jobDetail](t, o, "jobs", "show", string(one[0])); *shown.ErrorMessage != "It broke" || !strings.Contains(string(shown.Payload), string(first)) {
		t.Errorf("%+v", shown)
	}

	contains(t, o.do(t, "jobs", "retry", string(one[0])), "now QUEUED")
	if staged := pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM outbox WHERE job_id = $1 AND epoch = 2`, one[0]); staged != 1 {
		t.Error("the retried job is not on its way to the queue")
	}
	contains(t, o.do(t, "jobs", "cancel", string(one[1]), string(other[0])), "now CANCELLED", string(other[0]))
	o.refused(t, 1, "already CANCELLED", "jobs", "cancel", string(one[1]))
	if again := value[changedJobs](t, o, "jobs", "retry", "--all", "--status", "cancelled", "--workspace", string(first)); again.Count != 1 {
		t.Errorf("%+v", again)
	}
	if left := value[[]jobJSON](t, o, "jobs", "list", "--status", "CANCELLED"); len(left) != 1 || left[0].ID != other[0] {
		t.Errorf("%+v", left)
	}
}

func TestJobs_refused(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.refused(t, 1, "No job with this id", "jobs", "show", "nothing")
	o.refused(t, 2, `"DEAD" is none of QUEUED`, "jobs", "list", "--status", "DEAD")
	o.refused(t, 2, "there is no kind", "jobs", "list", "--kind", "coffee.brew")
	o.refused(t, 2, "is none of", "jobs", "list", "--lane", "fast")
	o.refused(t, 2, "--limit", "jobs", "list", "--limit", "0")
	o.refused(t, 2, "--before", "jobs", "list", "--before", "yesterday")
	o.refused(t, 1, "no workspace", "jobs", "list", "--workspace", "nowhere")
	o.refused(t, 2, "together with --all", "jobs", "retry", "x", "--kind", "system.noop")
	o.refused(t, 1, "Only FAILED and CANCELLED", "jobs", "retry", "--all", "--status", "DONE")
}
