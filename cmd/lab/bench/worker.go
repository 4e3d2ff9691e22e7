package bench

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// WorkerName is the measurement under which this program is started again as a worker of its own, as in production: in
// one process callers of the API would wait for jobs.
const WorkerName = "worker"

// workerConfig says to that process where everything is and what it serves.
type workerConfig struct {
	Database  string
	Redis     string
	Objects   *objects.Config // nil: none
	Lanes     []jobs.Lane     // empty: all
	PublicURL string
	Schedule  bool // does the periodic work too
	Reads     bool // documents, without a sandbox
}

// Worker is that process. It reads its configuration from in, then answers each further value with what it has sent to
// Postgres so far, and ends with ctx or when in does.
func Worker(ctx context.Context, in io.Reader, out io.Writer) error {
	var c workerConfig
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&c); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	count := &sentStatements{}
	go func() {
		defer cancel() // whoever started us is gone
		var ask any
		for decoder.Decode(&ask) == nil && json.NewEncoder(out).Encode(count.soFar()) == nil {
		}
	}()
	db, err := postgres.Open(ctx, postgres.Config{URL: c.Database, AnyLogin: true, PoolSize: 16,
		SecretKey: make([]byte, 32), Log: slog.New(slog.DiscardHandler), Tracer: count})
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := cache.Open(c.Redis)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	quiet := slog.New(slog.DiscardHandler)
	config := worker.Config{DB: db, Redis: conn, Lanes: c.Lanes, PublicURL: c.PublicURL, NoSchedule: !c.Schedule,
		Log: quiet, Webhooks: worker.WebhookConfig{Client: webhooks.NewClient(webhooks.Config{Allow: loopback,
			Now: time.Now})}}
	if c.Reads {
		if config.Reader, err = workers.NewReader(quiet, true); err != nil {
			return err
		}
	}
	if c.Objects != nil {
		if config.Objects, err = objects.Open(*c.Objects); err != nil {
			return err
		}
	}
	w, err := worker.New(config)
	if err != nil {
		return err
	}
	return w.Run(ctx)
}

// process is this program, started again.
type process struct {
	pid     int
	in      io.WriteCloser
	answers *json.Decoder
	child   *exec.Cmd
}

func (s *Stack) startWorkerProcess(ctx context.Context, c workerConfig) (*process, error) {
	c.Database, c.Redis = s.URL, s.RedisURL
	return startProcess(ctx, c, WorkerName)
}

// startProcess starts this program as what name says, by way of the command before, if any.
func startProcess(ctx context.Context, config any, name string, before ...string) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	line := append(before, program, "bench", name)
	child := exec.CommandContext(ctx, line[0], line[1:]...)
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	p := &process{child.Process.Pid, in, json.NewDecoder(out), child}
	return p, json.NewEncoder(in).Encode(config)
}

// stop tells the process to end, and waits until it has.
func (p *process) stop() {
	_ = p.in.Close()
	_ = p.child.Wait() // it was told to end
}

// sent asks what the process has sent to Postgres.
func (p *process) sent() (traffic, error) {
	var t traffic
	if err := json.NewEncoder(p.in).Encode("sent"); err != nil {
		return t, err
	}
	return t, p.answers.Decode(&t)
}

// traffic is what was sent to Postgres.
type traffic struct{ Statements, Trips int64 }
