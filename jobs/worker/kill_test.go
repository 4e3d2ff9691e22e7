package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// TestMain lets the test binary be a worker process that holds on to every job it gets, until it is killed.
func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return // the test binary is its own parser process, as the worker's is
	}
	if s3 := os.Getenv("TEST_CHILD_S3"); s3 != "" {
		storingChild(os.Getenv("TEST_CHILD_DATABASE"), os.Getenv("TEST_CHILD_REDIS"), s3)
		return
	}
	if url := os.Getenv("TEST_CHILD_DATABASE"); url != "" {
		if os.Getenv("TEST_CHILD_HOOKS") != "" {
			deliveringChild(url, os.Getenv("TEST_CHILD_REDIS"))
			return
		}
		child(url, os.Getenv("TEST_CHILD_REDIS"))
		return
	}
	os.Exit(documenttest.Run(m))
}

func child(database, redis string) {
	db, err := postgres.Open(context.Background(), postgres.Config{URL: database, ListenURL: os.Getenv("TEST_CHILD_LISTEN"), SecretKey: make([]byte, 32)})
	if err != nil {
		panic(err)
	}
	conn, err := cache.Open(redis)
	if err != nil {
		panic(err)
	}
	w, err := New(Config{DB: db, Redis: conn, Lanes: []jobs.Lane{jobs.LaneSystem}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	w.schedule = nil
	w.handlers = table(handler{spec: jobs.Noop{}.Spec(), do: func(context.Context, postgres.Claim) error { select {} }})
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}

// A worker killed or stopped with jobs in its hands, and with the lead: they run again within the lease and a round of
// whoever leads then.
func TestReaper_lost_worker(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			victim := b.holder()
			ids := b.stage(5)
			b.until("the victim holds all jobs", func() bool { return b.count(dossier.JobRunning) == len(ids) })
			b.until("the victim leads", func() bool {
				return pgtest.Value[bool](t, b.pg, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted
					AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`, leaderLock)
			})
			if err := victim.Signal(signal); err != nil {
				t.Fatal(err)
			}
			w := b.worker(nothing)
			w.timing = normalTiming
			b.run(w)
			b.until("all done by another worker", func() bool { return b.count(dossier.JobDone) == len(ids) })
			for _, id := range ids {
				if job := b.job(id); job.Attempt != 2 || job.Epoch != 2 {
					t.Errorf("job %s was done at attempt %d of epoch %d", id, job.Attempt, job.Epoch)
				}
			}
		})
	}
}

// holder starts a worker process that holds on to every job; it is gone at the end of the test.
func (b *bench) holder() *os.Process {
	b.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	victim := exec.Command(exe)
	victim.Env = append(os.Environ(), "TEST_CHILD_DATABASE="+b.pg.Run, "TEST_CHILD_LISTEN="+pgtest.DirectURL(b.pg.URL), "TEST_CHILD_REDIS="+b.url)
	victim.Stderr = os.Stderr
	if err := victim.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = victim.Process.Kill() // it may be dead
		_ = victim.Wait()
	})
	return victim.Process
}

// storingChild is a worker that does exports, pipelines and spreads, for tests that kill it.
func storingChild(database, redis, s3 string) {
	var cfg objects.Config
	if err := json.Unmarshal([]byte(s3), &cfg); err != nil {
		panic(err)
	}
	store, err := objects.Open(cfg)
	if err != nil {
		panic(err)
	}
	db, err := postgres.Open(context.Background(), postgres.Config{URL: database, ListenURL: os.Getenv("TEST_CHILD_LISTEN"), SecretKey: make([]byte, 32)})
	if err != nil {
		panic(err)
	}
	conn, err := cache.Open(redis)
	if err != nil {
		panic(err)
	}
	w, err := New(Config{DB: db, Redis: conn, Objects: store, Lanes: []jobs.Lane{jobs.LaneExport, jobs.LanePipeline, jobs.LaneSpread, jobs.LaneImport}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		panic(err)
	}
	w.timing, w.schedule = quick, nil
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}
