package worker

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Ten times the usual load at once drains, and what comes meanwhile goes on.
func faultBurst(t *testing.T) {
	b := setupHooks(t)
	b.receive(nil)
	b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%50 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n%50 != 0
	})
	w, ran := b.both()
	b.run(w)
	var ids []dossier.JobID
	for range 5 {
		b.emit(10, newLead())
	}
	for range longer(5, 150) {
		ids = append(ids, b.stage(100)...)
		for range 10 {
			b.emit(10, newLead())
		}
	}
	b.undoubled(t)
	b.once(t, ran, ids)
}

// A heap of dead letters is delivered again by a replay, and jobs by a retry of all that failed, beside live traffic.
func faultDeadLetters(t *testing.T) {
	b := setupHooks(t)
	n := longer(300, 10_000)
	var ill atomic.Bool
	ill.Store(true)
	dead := b.receive(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		if ill.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return !ill.Load()
	})
	live := b.receive(nil)
	b.emit(n, "")
	for {
		events, err := b.db.DispatchEvents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if events == 0 {
			break
		}
	}
	// What weeks of failing leave behind: deliveries whose tries are used up, and failed jobs.
	b.pg.Exec(t, `WITH d AS (UPDATE deliveries SET status = 'FAILED', attempts = 1, tries = 1, last_error = 'http_5xx', next_attempt_at = NULL, completed_at = now()
			WHERE webhook_id = $1 RETURNING *)
		INSERT INTO attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response) SELECT workspace_id, id, 1, now(), 1, 500, 'http_5xx', '' FROM d`, dead.webhook)
	failed := b.stage(n)
	b.pg.Exec(t, `WITH o AS (DELETE FROM outbox WHERE kind = 'system.noop') UPDATE jobs SET status = 'FAILED', finished_at = now(), attempt = 3, error_class = 'internal' WHERE kind = 'system.noop'`)
	w, ran := b.both()
	b.run(w)
	ill.Store(false)
	replay := dossier.Replay{Since: time.Unix(0, 0), Until: time.Now().Add(time.Minute), Statuses: []dossier.DeliveryStatus{dossier.DeliveryFailed}}
	if _, err := b.db.CreateReplay(t.Context(), b.ws, dead.webhook, replay); err != nil {
		t.Fatal(err)
	}
	for left := 1; left > 0; {
		var err error
		if left, err = b.db.RetryJobs(t.Context(), postgres.JobFilter{Kind: jobs.Noop{}.Spec().Kind}); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		b.emit(5, newLead()) // meanwhile
	}
	b.undoubled(t)
	b.once(t, ran, failed)
	if got := len(dead.took()); got != n+50 {
		t.Errorf("%d events came to the endpoint that was ill, want %d", got, n+50)
	}
	if got := len(live.took()); got != n+50 {
		t.Errorf("%d events came to the other, want %d", got, n+50)
	}
	if left := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM deliveries WHERE status = 'FAILED'`); left != 0 {
		t.Errorf("%d dead letters are left", left)
	}
}
