package worker

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// opened gives the bench a store of its own at a URL. It never listens through a pooler, which may end itself then.
func (b *hookBench) opened(url string, pool int) {
	b.t.Helper()
	listen := url
	if direct := pgtest.DirectURL(b.pg.URL); b.pg.Run != direct {
		listen = direct
	}
	db, err := postgres.Open(b.t.Context(), postgres.Config{URL: url, ListenURL: listen, PoolSize: pool, SecretKey: make([]byte, 32)})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(db.Close)
	b.db = db
}

// accepted stages jobs and events the way an API does that answers 503 while the database is away.
func (b *hookBench) accepted(n int) []dossier.JobID {
	b.t.Helper()
	var ids []dossier.JobID
	b.until("jobs are accepted", func() bool {
		staged, err := b.db.StageJobs(b.t.Context(), b.ws, noops(b.ws, n)...)
		if err != nil && dossier.KindOf(err) != dossier.Unavailable {
			b.t.Fatalf("an outage must be called one: %v", err)
		}
		ids = staged
		return err == nil
	})
	b.emit(n, newLead())
	return ids
}

// The server vanishes between a commit and its answer, again and again: nobody knows what became of the transaction. The
// ledger is asked before anything is done again.
func faultAmbiguousCommits(t *testing.T) {
	b := setupHooks(t)
	between, url := newProxy(t, b.pg.Run)
	b.opened(url, 8)
	b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%7 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n%7 != 0
	})
	w, _ := b.both()
	b.run(w)
	b.well()
	accepted := 0
	for range longer(12, 200) {
		accepted += len(b.accepted(5))
		between.set(fault{swallow: true})
		b.until("some answers are lost", passed(20*time.Millisecond))
		between.cut()
	}
	b.until("leases of what nobody knows run out", func() bool {
		b.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING' AND lease_until < now() + interval '10 seconds'`)
		return b.count(dossier.JobQueued)+b.count(dossier.JobRunning)+b.count(dossier.JobRetry) == 0
	})
	t.Logf("%d requests came again whose record was lost with the connection", b.settled())
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE kind = 'system.noop' AND status = 'DONE'`); n < accepted {
		t.Errorf("%d of %d accepted jobs are done", n, accepted)
	}
}

// Every connection of the pool waits behind a lock.
func faultPoolExhausted(t *testing.T) {
	b := setupHooks(t)
	b.opened(b.pg.Run, 2)
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	b.well()
	ids := b.accepted(10)
	lock, err := pgx.Connect(t.Context(), b.pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close(context.Background()) }()
	if _, err := lock.Exec(t.Context(), `BEGIN; LOCK TABLE deliveries, attempts IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	b.emit(10, newLead())
	b.until("connections wait", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
	b.until("a while passes", passed(longer(time.Second, 25*time.Second)))
	if _, err := lock.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	ids = append(ids, b.accepted(10)...)
	b.undoubled(t)
	b.once(t, ran, ids)
}

// Statements are cancelled, as by statement_timeout, and transactions are picked as victims of deadlocks.
func faultCancelled(t *testing.T) {
	b := setupHooks(t)
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	b.well()
	var ids []dossier.JobID
	for range longer(15, 300) {
		ids = append(ids, b.accepted(4)...)
		for range 10 {
			b.pg.Exec(t, `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'dossier' AND state = 'active' AND query NOT ILIKE 'listen%'`)
		}
	}
	b.until("leases of what was given up run out", func() bool {
		b.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING' AND lease_until < now() + interval '10 seconds'`)
		return b.count(dossier.JobQueued)+b.count(dossier.JobRunning)+b.count(dossier.JobRetry) == 0
	})
	t.Logf("%d requests came again", b.settled())
	for _, id := range ids {
		if job := b.job(id); job.Status != dossier.JobDone || ran.of(id) == 0 {
			t.Errorf("job %s is %s after %d runs", id, job.Status, ran.of(id))
		}
	}
}

// A failover to a server that only reads yet.
func faultReadOnly(t *testing.T) {
	b := setupHooks(t)
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	b.well()
	ids := b.accepted(10)
	name := pgtest.Value[string](t, b.pg, `SELECT quote_ident(current_database())`)
	failover := func(readOnly string) {
		b.pg.Exec(t, `ALTER DATABASE `+name+` SET default_transaction_read_only = `+readOnly)
		b.pg.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'dossier'`)
	}
	b.until("the first are done", func() bool { return b.count(dossier.JobQueued)+b.count(dossier.JobRunning) == 0 })
	failover("on")
	b.until("nothing is accepted, and the caller is told to come again", func() bool {
		_, err := b.db.StageJobs(t.Context(), b.ws, noops(b.ws, 1)...)
		readOnly := err != nil && strings.Contains(cause(err), "read-only")
		if readOnly && dossier.KindOf(err) != dossier.Unavailable {
			t.Fatalf("a server that only reads yet must be called away: %v", err)
		}
		return readOnly
	})
	b.emit(10, newLead()) // committed by the primary of before
	b.until("a while passes", passed(longer(time.Second, 20*time.Second)))
	failover("off")
	ids = append(ids, b.accepted(10)...)
	b.undoubled(t)
	b.once(t, ran, ids)
}

// A transaction that stays open, with an event and a job nobody can see yet, and a snapshot that keeps dead rows: what
// commits meanwhile goes on, and what it holds follows its commit.
func faultLongTransaction(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w, ran := b.both()
	b.run(w)
	b.well()
	slow, err := pgx.Connect(t.Context(), b.pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Close(context.Background()) }()
	late := dossier.EventID(postgres.NewID())
	if _, err := slow.Exec(t.Context(), `BEGIN ISOLATION LEVEL REPEATABLE READ`); err != nil {
		t.Fatal(err)
	}
	if _, err := slow.Exec(t.Context(), emitSQL, b.ws, late, "", string(dossier.EventBody(late, b.ws, dossier.EventLeadUpdated, time.Now(), true, []byte(`{"leadId":null}`)))); err != nil {
		t.Fatal(err)
	}
	ids := b.accepted(20)
	b.until("later commits are delivered", func() bool { return len(r.took()) == 20 })
	b.until("later jobs are done", func() bool { return b.count(dossier.JobQueued)+b.count(dossier.JobRunning) == 0 })
	if _, err := slow.Exec(t.Context(), `COMMIT`); err != nil {
		t.Fatal(err)
	}
	b.until("what it held follows", func() bool { return len(r.took()) == 21 })
	b.undoubled(t)
	b.once(t, ran, ids)
}
