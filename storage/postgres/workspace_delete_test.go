package postgres_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// From the moment a workspace is deleted nothing of it is sent: what waits for the dispatcher gets no endpoint, what waits for
// an endpoint gets no sender, and a job that is staged by a call which was under way is never claimed.
func TestDeleteWorkspace_silences(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	waiting := stage(t, h.Server, h.ws, 1)
	h.emit(t, dossier.EventLeadUpdated, "")
	if err := h.DB.DeleteWorkspace(t.Context(), pgtest.Value[string](t, h.Server, `SELECT key FROM workspaces WHERE id = $1`, h.ws), ""); err != nil {
		t.Fatal(err)
	}
	deliveries := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM deliveries`)
	h.dispatch(t)
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM deliveries`); n != deliveries {
		t.Errorf("%d deliveries more", n-deliveries)
	}
	if n, err := h.DB.SweepSenders(t.Context()); err != nil || n != 0 {
		t.Errorf("%d senders started (%v)", n, err)
	}
	if e, err := h.DB.Endpoint(t.Context(), h.ws, h.webhook.ID); err != nil || !e.Deleted || e.Enabled {
		t.Errorf("the endpoint stands: %+v, %v", e, err)
	}
	late := stage(t, h.Server, h.ws, 1)
	for _, id := range []dossier.JobID{waiting[0], late[0]} {
		epoch := pgtest.Value[int](t, h.Server, `SELECT epoch FROM jobs WHERE id = $1`, id)
		if _, ok, err := h.DB.ClaimJob(t.Context(), id, epoch, "w"); ok || err != nil {
			t.Errorf("a job was claimed (%v)", err)
		}
	}
}
