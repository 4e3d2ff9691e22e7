package worker

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// bench is one test's database, Redis and workspace.
type bench struct {
	t     *testing.T
	pg    *pgtest.Server
	redis *cache.Conn
	url   string
	ws    dossier.WorkspaceID
}

func setup(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	return newBench(t)
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return benchOn(t, pgtest.New(t))
}

func benchOn(t *testing.T, pg *pgtest.Server) *bench {
	t.Helper()
	url := redisURL(t)
	conn, err := cache.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &bench{t: t, pg: pg, redis: conn, url: url, ws: pg.Workspace(t)}
}

// redisURL is a Redis of the test's own: in process, or a database of the server that TEST_REDIS_URL names
// (redis://host:port, without a database number).
func redisURL(t *testing.T) string {
	if server := os.Getenv("TEST_REDIS_URL"); server != "" {
		return server + "/" + takeDatabase(t, server)
	}
	return "redis://" + miniredis.RunT(t).Addr()
}

var databases = func() chan string {
	free := make(chan string, 15)
	for _, number := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"} {
		free <- number
	}
	return free
}()

func takeDatabase(t *testing.T, server string) string {
	number := <-databases
	conn, err := cache.Open(server + "/" + number)
	if err != nil {
		t.Fatal(err)
	}
	flush := func() {
		if err := conn.Client().FlushDB(context.Background()).Err(); err != nil {
			t.Error(err)
		}
	}
	flush()
	t.Cleanup(func() { flush(); _ = conn.Close(); databases <- number })
	return number
}

// quick is a rhythm that finds everything soon.
var quick = timing{lease: 300 * time.Millisecond, watch: 50 * time.Millisecond, poll: 20 * time.Millisecond, admit: 50 * time.Millisecond, reap: 50 * time.Millisecond,
	lateAfter: 2500 * time.Millisecond, startupDelay: 0, stopGrace: 300 * time.Millisecond, retry: 10 * time.Millisecond, idleTimeout: 50 * time.Millisecond}

// worker makes a worker whose no-op jobs are done by do.
func (b *bench) worker(do func(ctx context.Context, claim postgres.Claim) error) *Worker {
	b.t.Helper()
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Metrics: prometheus.NewRegistry(), Log: testLog(b.t), Drain: 300 * time.Millisecond,
		Lanes: []jobs.Lane{jobs.LaneSystem, jobs.LaneWebhookRetry}})
	if err != nil {
		b.t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	w.handlers = table(handler{spec: jobs.Noop{}.Spec(), do: do})
	return b.watched(w)
}

// run starts w and returns a function that stops it and waits for its drain. The test's end does so too.
func (b *bench) run(w *Worker) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			b.t.Error(err)
		}
	})
	b.t.Cleanup(func() { b.unwatched(); stop() })
	return stop
}

func (b *bench) stage(n int) []dossier.JobID {
	b.t.Helper()
	ids, err := b.pg.DB.StageJobs(b.t.Context(), b.ws, noops(b.ws, n)...)
	if err != nil {
		b.t.Fatal(err)
	}
	return ids
}

func noops(ws dossier.WorkspaceID, n int) []jobs.Job {
	list := make([]jobs.Job, n)
	for i := range list {
		list[i] = jobs.Noop{Workspace: ws}
	}
	return list
}

func (b *bench) job(id dossier.JobID) dossier.Job {
	b.t.Helper()
	job, err := b.pg.DB.Job(context.Background(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return job
}

// await waits for a job to reach a state.
func (b *bench) await(id dossier.JobID, want dossier.JobStatus) dossier.Job {
	b.t.Helper()
	var job dossier.Job
	b.until("job "+string(want), func() bool { job = b.job(id); return job.Status == want })
	return job
}

// until waits for a condition.
func (b *bench) until(what string, met func() bool) {
	b.t.Helper()
	for end := time.Now().Add(90 * time.Second); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited in vain for: %s", what)
		}
	}
}

func (b *bench) count(status dossier.JobStatus) int {
	return pgtest.Value[int](b.t, b.pg, `SELECT count(*) FROM jobs WHERE status = $1`, status)
}

func testLog(t *testing.T) *slog.Logger {
	if os.Getenv("TEST_LOG") == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// metric reads one counter or gauge as a scrape would, the first whose labels have all the given values.
func metric(t *testing.T, w *Worker, name string, values ...string) float64 {
	t.Helper()
	value, ok := figureOf(w.Metrics.(prometheus.Gatherer), name, values...)
	if !ok {
		t.Fatalf("no metric %s %v", name, values)
	}
	return value
}

func figureOf(from prometheus.Gatherer, name string, values ...string) (value float64, ok bool) {
	families, _ := from.Gather() // what could be had
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			have := map[string]bool{}
			for _, label := range m.GetLabel() {
				have[label.GetValue()] = true
			}
			matches := true
			for _, value := range values {
				matches = matches && have[value]
			}
			if matches {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue(), true
			}
		}
	}
	return 0, false
}
