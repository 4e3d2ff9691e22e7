package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/gateway"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// CSVResult says how fast an export is, from the commit that stages it to its published file in a private S3 server,
// how much memory the worker's process takes for it, and what another tenant feels meanwhile.
type CSVResult struct {
	Name     string  `json:"name"`
	Machine  Machine `json:"machine"`
	Leads    int     `json:"leads"`
	Seeded   seeded  `json:"seeded"`
	Seconds  float64 `json:"seconds"`
	PerSec   float64 `json:"leadsPerSecond"`
	CPU      costs   `json:"cpuSeconds"` // holds on a machine that is busy with other things
	Bytes    int64   `json:"bytes"`
	Memory   memory  `json:"residentMiB"`
	Before   Latency `json:"otherTenantBeforeMs"` // reads a checklist 50 times a second
	During   Latency `json:"otherTenantDuringMs"`
	Slowdown float64 `json:"otherTenantP99Ratio"`
}

// memory is what the worker's process holds: when it has done up to 30 percent, and at its most.
type memory struct {
	Early float64 `json:"early"`
	Most  float64 `json:"most"`
}

// costs is the processor time that went by during the export.
type costs struct {
	Worker   float64 `json:"worker"`
	Postgres float64 `json:"postgres"` // the neighbour's share of it too
	Storage  float64 `json:"storage"`
	Others   float64 `json:"neighbour"` // it and the API it calls
}

// CSV measures an export of n leads.
func CSV(ctx context.Context, s *Stack, n int) (CSVResult, error) {
	r := CSVResult{Name: "csv", Machine: s.About, Leads: n}
	var err error
	if r.Seeded, err = s.seedLeads(ctx, n); err != nil {
		return r, err
	}
	store, cfg, err := s.openObjects(ctx)
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
	exporter, err := s.startWorkerProcess(ctx, workerConfig{Objects: &cfg, Lanes: []jobs.Lane{jobs.LaneExport},
		Schedule: true})
	if err != nil {
		return r, err
	}
	defer exporter.stop()
	ended := make(chan struct{})
	var export error
	go func() { export = s.export(ctx, &r, exporter.pid); close(ended) }()
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
func (s *Stack) openObjects(ctx context.Context) (*objects.Store, objects.Config, error) {
	var cfg objects.Config
	dir, err := os.MkdirTemp("", "dossier-bench-s3-")
	if err != nil {
		return nil, cfg, err
	}
	s.closers = append(s.closers, func() error { return os.RemoveAll(dir) })
	g, err := gateway.Start(ctx, gateway.Options{Dir: filepath.Join(dir, "s3")})
	if err != nil {
		return nil, cfg, err
	}
	s.closers = append(s.closers, g.Stop)
	cfg = objects.Config{Endpoint: g.Endpoint, AccessKey: g.AccessKey, SecretKey: g.SecretKey, Bucket: "bench"}
	store, err := objects.Open(cfg)
	if err != nil {
		return nil, cfg, err
	}
	return store, cfg, store.EnsureBucket(ctx)
}

// export starts a run and waits for its end.
func (s *Stack) export(ctx context.Context, r *CSVResult, pid int) error {
	began, before := time.Now(), s.spent()
	pipeline := jobs.PipelineExportAnalyticsCSV
	run, err := s.DB.CreatePipelineRun(ctx, s.Workspace, pipeline, []string{pipeline}, []byte(`{}`),
		postgres.PipelineSubjects{})
	if err != nil {
		return err
	}
	for !run.Status.Ended() {
		time.Sleep(50 * time.Millisecond)
		if run, err = s.DB.ReadPipelineRun(ctx, s.Workspace, pipeline, run.ID); err != nil {
			return err
		}
		now := resident(pid)
		r.Memory.Most = max(r.Memory.Most, now)
		if run.Progress <= 30 {
			r.Memory.Early = now
		}
	}
	took, after := time.Since(began), s.spent()
	r.CPU = costs{
		Worker:   round((after.worker - before.worker).Seconds()),
		Postgres: round((after.postgres - before.postgres).Seconds()),
		Storage:  round((after.storage - before.storage).Seconds()),
		Others:   round((after.process - before.process).Seconds()),
	}
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

// resident is the memory of a process in MiB; 0 where /proc does not tell.
func resident(pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
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
	err = conn.QueryRow(ctx, `SELECT w.id::text, (SELECT l.id::text FROM leads l WHERE l.workspace_id = w.id LIMIT 1)
		FROM workspaces w WHERE w.key = 'other-1'`).Scan(&ws, &lead)
	if err != nil {
		return neighbour{}, stop, err
	}
	_, key, err := s.DB.CreateKey(ctx, ws, postgres.NewKey{Name: "bench"})
	return neighbour{target{method: "GET", url: api + "/api/v1/leads/" + lead + "/checklist", key: key, status: 200}},
		stop, err
}

// during reads 50 times a second until the time is over or done is closed. Latency counts from when a read was due.
func (n neighbour) during(limit time.Duration, done <-chan struct{}) (Latency, error) {
	var mu sync.Mutex
	var took []time.Duration
	var failed error
	var calls sync.WaitGroup
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
		case <-time.After(time.Until(due.Add(20 * time.Millisecond))):
			continue
		case <-end:
		case <-done:
		}
		calls.Wait()
		return latency(took), failed
	}
}
