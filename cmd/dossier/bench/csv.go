package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/gateway"
	"github.com/dossierhq/dossier/storage/postgres"
)

// CSVResult says how fast an export is, from the commit that stages it to its published file in a private S3 server,
// how much memory this process (worker, API and generator) takes for it, and what another tenant feels meanwhile.
type CSVResult struct {
	Name     string  `json:"name"`
	Machine  Machine `json:"machine"`
	Leads    int     `json:"leads"`
	Seeded   seeded  `json:"seeded"`
	Seconds  float64 `json:"seconds"`
	PerSec   float64 `json:"leadsPerSecond"`
	Bytes    int64   `json:"bytes"`
	Memory   memory  `json:"residentMiB"`
	Before   Latency `json:"otherTenantBeforeMs"` // reads a checklist 50 times a second
	During   Latency `json:"otherTenantDuringMs"`
	Slowdown float64 `json:"otherTenantP99Ratio"`
}

// memory is what the process holds: before, halfway, and at its most.
type memory struct {
	Before float64 `json:"before"`
	Half   float64 `json:"half"`
	Most   float64 `json:"most"`
}

// CSV measures an export of n leads.
func CSV(ctx context.Context, s *Stack, n int) (CSVResult, error) {
	r := CSVResult{Name: "csv", Machine: s.About, Leads: n}
	var err error
	if r.Seeded, err = s.seedLeads(ctx, n); err != nil {
		return r, err
	}
	store, err := s.openObjects(ctx)
	if err != nil {
		return r, err
	}
	neighbour, stop, err := s.startNeighbour(ctx)
	if err != nil {
		return r, err
	}
	defer stop()
	if r.Before, err = neighbour.during(3*time.Second, nil); err != nil {
		return r, err
	}
	stopWorker, err := s.startExporter(store)
	if err != nil {
		return r, err
	}
	defer stopWorker()
	runtime.GC()
	r.Memory.Before = resident()
	ended := make(chan struct{})
	var export error
	go func() { export = s.export(ctx, &r); close(ended) }()
	if r.During, err = neighbour.during(time.Hour, ended); err != nil {
		return r, err
	}
	<-ended
	r.Slowdown = round(r.During.P99 / r.Before.P99)
	if export != nil {
		return r, export
	}
	return r, s.checkFile(ctx, store, &r)
}

// openObjects starts a private S3 server.
func (s *Stack) openObjects(ctx context.Context) (*objects.Store, error) {
	dir, err := os.MkdirTemp("", "dossier-bench-s3-")
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(dir) })
	g, err := gateway.Start(ctx, gateway.Options{Dir: filepath.Join(dir, "s3")})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, g.Stop)
	store, err := objects.Open(objects.Config{Endpoint: g.Endpoint, AccessKey: g.AccessKey, SecretKey: g.SecretKey, Bucket: "bench"})
	if err != nil {
		return nil, err
	}
	return store, store.EnsureBucket(ctx)
}

func (s *Stack) startExporter(store *objects.Store) (stop func(), err error) {
	w, err := worker.New(worker.Config{DB: s.DB, Redis: s.Redis, Objects: store, Lanes: []jobs.Lane{jobs.LaneExport}, Log: slog.New(slog.DiscardHandler), Drain: time.Second})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { _ = w.Run(ctx); close(ended) }() // its error is a lane that does not start: the export then never ends
	return func() { cancel(); <-ended }, nil
}

// export starts a run and waits for its end.
func (s *Stack) export(ctx context.Context, r *CSVResult) error {
	began := time.Now()
	pipeline := jobs.PipelineExportAnalyticsCSV
	run, err := s.DB.CreatePipelineRun(ctx, s.Workspace, pipeline, []string{pipeline}, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		return err
	}
	for !run.Status.Ended() {
		time.Sleep(50 * time.Millisecond)
		if run, err = s.DB.ReadPipelineRun(ctx, s.Workspace, pipeline, run.ID); err != nil {
			return err
		}
		now := resident()
		r.Memory.Most = max(r.Memory.Most, now)
		if run.Progress <= 55 {
			r.Memory.Half = now
		}
	}
	took := time.Since(began)
	r.Seconds, r.PerSec = round(took.Seconds()), round(float64(r.Leads)/took.Seconds())
	if run.Status != dossier.PipelineComplete {
		return fmt.Errorf("the export ended as %s: %v", run.Status, run.Failure)
	}
	return nil
}

// checkFile counts the lines of the published file.
func (s *Stack) checkFile(ctx context.Context, store *objects.Store, r *CSVResult) error {
	for info, err := range store.List(ctx, string(s.Workspace)+"/exports/") {
		if err != nil {
			return err
		}
		object, err := store.Get(ctx, info.Key)
		if err != nil {
			return err
		}
		var lines lineCounter
		r.Bytes, err = io.Copy(&lines, object)
		_ = object.Close() // it was read to its end
		if err != nil {
			return err
		}
		if int(lines) != r.Leads+1 {
			return fmt.Errorf("the file has %d lines, want %d", lines, r.Leads+1)
		}
		return nil
	}
	return fmt.Errorf("no file was published")
}

type lineCounter int

func (l *lineCounter) Write(p []byte) (int, error) {
	*l += lineCounter(strings.Count(string(p), "\n"))
	return len(p), nil
}

// resident is the memory of this process in MiB; 0 where /proc does not tell.
func resident() float64 {
	data, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1]) // the kernel writes numbers
	return round(float64(pages*os.Getpagesize()) / (1 << 20))
}

// neighbour is another tenant that reads.
type neighbour struct{ t target }

func (s *Stack) startNeighbour(ctx context.Context) (neighbour, func(), error) {
	api, _, stop, err := s.startAPI()
	if err != nil {
		return neighbour{}, nil, err
	}
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return neighbour{}, stop, err
	}
	defer func() { _ = conn.Close(ctx) }()
	var ws dossier.WorkspaceID
	var lead string
	err = conn.QueryRow(ctx, `SELECT w.id::text, (SELECT l.id::text FROM leads l WHERE l.workspace_id = w.id LIMIT 1) FROM workspaces w WHERE w.key = 'other-1'`).Scan(&ws, &lead)
	if err != nil {
		return neighbour{}, stop, err
	}
	_, key, err := s.DB.CreateKey(ctx, ws, "operator", postgres.NewKey{Name: "bench"})
	return neighbour{target{method: "GET", url: api + "/api/v1/leads/" + lead + "/checklist", key: key, status: 200}}, stop, err
}

// during reads 50 times a second until the time is over or done is closed. Latency counts from when a read was due.
func (n neighbour) during(limit time.Duration, done <-chan struct{}) (Latency, error) {
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	var calls sync.WaitGroup
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(limit)
	for due := time.Now(); ; due = due.Add(20 * time.Millisecond) {
		calls.Go(func() {
			var into any
			err := call(n.t, &into)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, time.Since(due))
			if err != nil {
				failed = err
			}
		})
		select {
		case <-tick.C:
			continue
		case <-end:
		case <-done:
		}
		calls.Wait()
		return latency(took), failed
	}
}
