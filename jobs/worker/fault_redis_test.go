package worker

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
)

// ownRedis is a Redis of one test that it may stop, fill and forget: redis-server, or where none is installed the one in
// process.
type ownRedis struct {
	t       *testing.T
	port    string
	process *exec.Cmd
	mini    *miniredis.Miniredis
}

// ownRedis makes the bench use one behind a proxy.
func (b *hookBench) ownRedis() (*ownRedis, *proxy) {
	b.t.Helper()
	r := &ownRedis{t: b.t}
	if _, err := exec.LookPath("redis-server"); err != nil {
		r.mini = miniredis.RunT(b.t)
		r.port = r.mini.Port()
	} else {
		r.start()
	}
	b.t.Cleanup(r.kill)
	between, url := newProxy(b.t, "redis://127.0.0.1:"+r.port)
	conn, err := cache.Open(url)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	b.redis, b.url = conn, url
	b.until("Redis answers", func() bool { return conn.Ping(b.t.Context()) == nil })
	return r, between
}

// start begins with nothing, at the port of before if there was one.
func (r *ownRedis) start() {
	r.t.Helper()
	if r.mini != nil {
		if err := r.mini.Restart(); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	if r.port == "" {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			r.t.Fatal(err)
		}
		_, r.port, _ = net.SplitHostPort(listener.Addr().String())
		_ = listener.Close()
	}
	r.process = exec.Command("redis-server", "--port", r.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--loglevel", "warning")
	r.process.Dir = r.t.TempDir()
	if err := r.process.Start(); err != nil {
		r.t.Fatal(err)
	}
}

// kill ends it as kill -9 does: what it knew is gone.
func (r *ownRedis) kill() {
	if r.mini != nil {
		r.mini.Close()
		r.mini.FlushAll()
		return
	}
	_ = r.process.Process.Kill() // it may be dead
	_ = r.process.Wait()
}

// full makes it refuse what needs memory, or no longer.
func (r *ownRedis) full(ctx context.Context, conn *cache.Conn, full bool) {
	r.t.Helper()
	if r.mini != nil {
		r.mini.SetError(map[bool]string{true: "OOM command not allowed when used memory > 'maxmemory'."}[full])
		return
	}
	if err := conn.Client().ConfigSet(ctx, "maxmemory", map[bool]string{true: "1", false: "0"}[full]).Err(); err != nil {
		r.t.Fatal(err)
	}
}

// redisAway takes Redis away while handlers finish and deliveries are under way. What is finished in the ledger stays so: no
// handler runs twice, and no event comes twice.
func redisAway(away time.Duration) func(t *testing.T) {
	return func(t *testing.T) {
		b := setupHooks(t)
		_, between := b.ownRedis()
		gate := make(chan struct{})
		r := b.receive(func(int, http.ResponseWriter, *http.Request) bool { <-gate; return true })
		w, ran := b.both()
		noop := w.handlers[jobs.Noop{}.Spec().Kind]
		w.handlers[noop.spec.Kind] = handler{spec: noop.spec, do: func(ctx context.Context, claim postgres.Claim) error { <-gate; return noop.do(ctx, claim) }}
		b.run(w)
		b.well()
		ids := b.stage(10)
		b.emit(10, "")
		b.until("handlers run and requests are under way", func() bool {
			calls, _, _ := r.tally()
			return calls > 0 && b.count(dossier.JobRunning) >= 8
		})
		between.set(fault{down: true})
		back := time.After(away)
		close(gate)
		ids = append(ids, b.stage(10)...) // accepted meanwhile
		b.emit(10, "")
		b.until("what was running ends without Redis", func() bool { return b.count(dossier.JobDone) >= 8 })
		<-back
		between.set(fault{})
		b.undoubled(t)
		b.once(t, ran, ids)
	}
}

// Everything Redis knew is gone: what waits, what runs and what is to run later.
func faultFlushed(t *testing.T) {
	b := setupHooks(t)
	b.ownRedis()
	b.wiped(t, func() {
		if err := b.redis.Client().FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func faultRestarted(t *testing.T) {
	b := setupHooks(t)
	server, _ := b.ownRedis()
	b.wiped(t, func() { server.kill(); server.start() })
}

func (b *hookBench) wiped(t *testing.T, wipe func()) {
	t.Helper()
	n := longer(200, 1000)
	b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%10 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable) // a retry, that waits
		}
		return n%10 != 0
	})
	w, ran := b.both()
	b.run(w)
	ids := b.stage(n)
	for range n / 10 {
		b.emit(2, newLead())
	}
	b.until("some are done, some wait and some are to be tried later", func() bool {
		return b.count(dossier.JobDone) > 10 && b.count(dossier.JobRetry)+b.count(dossier.JobQueued) > 0 || b.count(dossier.JobQueued) == 0
	})
	wipe()
	b.undoubled(t)
	b.once(t, ran, ids)
}

// A slow line, a narrow one, one that is reset again and again, and one on which nothing comes any more.
func faultBadLine(t *testing.T) {
	b := setupHooks(t)
	_, between := b.ownRedis()
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	b.well()
	var ids []dossier.JobID
	more := func() {
		ids = append(ids, b.stage(10)...)
		b.emit(5, newLead())
	}
	for _, f := range []fault{{delay: 200 * time.Millisecond}, {rate: 20_000}, {freeze: true}} {
		between.set(f)
		more()
		b.until("some time passes", passed(time.Second))
	}
	between.cut() // half-open connections end some day
	for range 10 {
		more()
		between.cut()
	}
	b.undoubled(t)
	b.once(t, ran, ids)
}

// passed is a condition that holds a while after it was asked first.
func passed(d time.Duration) func() bool {
	end := time.Now().Add(d)
	return func() bool { return time.Now().After(end) }
}

func faultFull(t *testing.T) {
	b := setupHooks(t)
	server, _ := b.ownRedis()
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	ids := b.stage(10)
	b.until("it works", func() bool { return b.count(dossier.JobDone) == len(ids) })
	server.full(t.Context(), b.redis, true)
	ids = append(ids, b.stage(20)...) // accepted though the queue takes nothing
	b.emit(20, newLead())
	b.until("the relay has tried", func() bool { return metric(t, w, "dossier_outbox_relay_errors_total") > 0 })
	server.full(t.Context(), b.redis, false)
	b.undoubled(t)
	b.once(t, ran, ids)
}

func faultScriptsFlushed(t *testing.T) {
	b := setupHooks(t)
	b.ownRedis()
	b.receive(nil)
	w, ran := b.both()
	b.run(w)
	var ids []dossier.JobID
	for range 10 {
		ids = append(ids, b.stage(5)...)
		b.emit(5, newLead())
		if err := b.redis.Client().ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	b.undoubled(t)
	b.once(t, ran, ids)
}
