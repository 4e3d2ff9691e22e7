package worker

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestSchedule_ticks_once_whoever_leads(t *testing.T) {
	b := setup(t)
	first, second := b.worker(nothing), b.worker(nothing)
	now := time.Date(2026, 5, 1, 12, 0, 30, 0, time.UTC)
	for _, w := range []*Worker{first, second} {
		w.Now = func() time.Time { return now }
		w.Every("test", time.Minute, jobs.Noop{})
	}
	staged := func() int { return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE workspace_id IS NULL`) }

	first.tick(t.Context())
	second.tick(t.Context())
	if n := staged(); n != 1 {
		t.Fatalf("one tick staged %d jobs", n)
	}
	now = now.Add(time.Minute)
	second.tick(t.Context())
	if n := staged(); n != 1 {
		t.Fatalf("%d jobs: a tick was staged on top of one that has not ended", n)
	}
	b.pg.Exec(t, `UPDATE jobs SET status = 'DONE'`)
	now = now.Add(time.Minute)
	first.tick(t.Context())
	second.tick(t.Context())
	if n := staged(); n != 2 {
		t.Errorf("%d jobs after the next tick, want 2", n)
	}
}

func TestSchedule_housekeeping_runs(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	w.handlers, w.schedule = w.handlerTable(), housekeeping
	b.pg.Exec(t, `INSERT INTO jobs (id, kind, lane, payload, status, max_attempts, run_at, created_at, finished_at)
		SELECT ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'system.noop', 'system', '{}', s, 1, now(), now() - age, now() - age
		FROM (VALUES (1, 'DONE', interval '8 days'), (2, 'DONE', '6 days'), (3, 'FAILED', '8 days'), (4, 'FAILED', '31 days'), (5, 'QUEUED', '40 days')) old (n, s, age)`)
	b.run(w)
	b.until("the sweeps of the database are done", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE kind IN ('system.sweep-jobs', 'system.sweep-events', 'system.sweep-idempotency-keys') AND status = $1`,
			dossier.JobDone) == 3
	})
	kept := pgtest.Value[string](t, b.pg, `SELECT string_agg(right(id::text, 1), ',' ORDER BY id) FROM jobs WHERE kind = 'system.noop'`)
	if kept != "2,3,5" {
		t.Errorf("kept jobs %s, want 2,3,5: done ones for a week, failed ones for a month, waiting ones for ever", kept)
	}
}
