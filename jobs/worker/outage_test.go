package worker

import (
	"context"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
)

func TestOutage_redis_away(t *testing.T) {
	b := setup(t)
	server := miniredis.RunT(t) // one we can take away, whatever the other tests use
	conn, err := cache.Open("redis://" + server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	b.redis = conn
	ran := newTally()
	gate, started := make(chan struct{}), make(chan struct{}, 100)
	w := b.worker(func(_ context.Context, claim postgres.Claim) error {
		started <- struct{}{}
		if ran.add(claim.Job) == 1 {
			<-gate
		}
		return nil
	})
	b.run(w)
	ids := b.stage(20)
	for range 8 {
		<-started
	}
	server.SetError("LOADING Redis is loading the dataset in memory")
	ids = append(ids, b.stage(20)...) // accepted without Redis
	close(gate)
	b.until("jobs that ran when Redis went are done without it", func() bool { return b.count(dossier.JobDone) >= 8 })
	server.SetError("")
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	for _, id := range ids {
		if n := ran.of(id); n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
}

// Every connection of the process to Postgres breaks: listener, leader, pools.
func TestOutage_postgres_connections_break(t *testing.T) {
	b := setup(t)
	ran := newTally()
	b.run(b.worker(func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil }))
	first := b.stage(20)
	b.until("the first are done", func() bool { return b.count(dossier.JobDone) == len(first) })
	for range 3 {
		b.pg.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'dossier'`)
	}
	var second []dossier.JobID
	b.until("jobs are accepted again", func() bool {
		ids, err := b.pg.DB.StageJobs(t.Context(), b.ws, noops(b.ws, 20)...)
		if err != nil && !strings.Contains(err.Error(), "not available") {
			t.Fatalf("an outage must be called one: %v", err)
		}
		second = ids
		return err == nil
	})
	b.until("the others are done", func() bool { return b.count(dossier.JobDone) == len(first)+len(second) })
}
