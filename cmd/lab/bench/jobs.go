package bench

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
)

// JobsNoopResult says how many jobs that do nothing one process carries through a second.
type JobsNoopResult struct {
	Name     string     `json:"name"`
	Machine  Machine    `json:"machine"`
	Plain    Throughput `json:"plainAsynq"` // no ledger: what the queue library alone can do
	Staged   Throughput `json:"staged"`     // ledger and outbox rows committed, 500 a transaction
	Ledgered Throughput `json:"ledgered"`   // relayed, claimed, run and finished
	Ratio    float64    `json:"ratio"`      // ledgered to plain
}

// Throughput is a count over a time.
type Throughput struct {
	Jobs      int     `json:"jobs"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"perSecond"`
}

func throughput(n int, took time.Duration) Throughput {
	return Throughput{Jobs: n, Seconds: round(took.Seconds()), PerSecond: round(float64(n) / took.Seconds())}
}

func round(f float64) float64 { return float64(int(f*100+0.5)) / 100 }

// JobsNoop measures n ledgered jobs, and three times as many through bare asynq.
func JobsNoop(ctx context.Context, s *Stack, n int) (JobsNoopResult, error) {
	result := JobsNoopResult{Name: "jobs-noop", Machine: s.About}
	var err error
	if result.Plain, err = s.plainAsynq(ctx, 3*n); err != nil {
		return result, err
	}
	if result.Staged, err = s.stageNoops(ctx, n); err != nil {
		return result, err
	}
	result.Ledgered, err = s.ledgered(ctx, n)
	result.Ratio = round(result.Ledgered.PerSecond / result.Plain.PerSecond)
	return result, err
}

// width is how many jobs run at once in both measurements: with plain asynq on eight servers of 32, since a server
// takes its tasks out of Redis one after the other.
const width = 256

func (s *Stack) plainAsynq(ctx context.Context, n int) (Throughput, error) {
	const servers = 8
	queue := func(i int) string { return fmt.Sprintf("plain-%d", i%servers) }
	if err := s.enqueuePlain(ctx, n, queue); err != nil {
		return Throughput{}, err
	}
	var left atomic.Int64
	left.Store(int64(n))
	done := make(chan struct{})
	handler := asynq.HandlerFunc(func(context.Context, *asynq.Task) error {
		if left.Add(-1) == 0 {
			close(done)
		}
		return nil
	})
	began := time.Now()
	for i := range servers {
		server := asynq.NewServerFromRedisClient(s.Redis.Client(), asynq.Config{Concurrency: width / servers,
			Queues: map[string]int{queue(i): 1}, TaskCheckInterval: 20 * time.Millisecond, LogLevel: asynq.FatalLevel})
		if err := server.Start(handler); err != nil {
			return Throughput{}, err
		}
		defer server.Shutdown()
	}
	select {
	case <-done:
		return throughput(n, time.Since(began)), nil
	case <-ctx.Done():
		return Throughput{}, ctx.Err()
	}
}

func (s *Stack) enqueuePlain(ctx context.Context, n int, queue func(i int) string) error {
	client := asynq.NewClientFromRedisClient(s.Redis.Client())
	const senders = 16
	errs := make([]error, senders)
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for i := sender; i < n && errs[sender] == nil; i += senders {
				_, errs[sender] = client.EnqueueContext(ctx,
					asynq.NewTask("noop", []byte(`{"workspace":"00000000-0000-0000-0000-000000000000"}`)),
					asynq.Queue(queue(i)))
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Stack) stageNoops(ctx context.Context, n int) (Throughput, error) {
	const batch = 500
	began := time.Now()
	for staged := 0; staged < n; staged += batch {
		list := make([]jobs.Job, min(batch, n-staged))
		for i := range list {
			list[i] = jobs.Noop{Workspace: s.Workspace}
		}
		if _, err := s.DB.StageJobs(ctx, s.Workspace, list...); err != nil {
			return Throughput{}, err
		}
	}
	return throughput(n, time.Since(began)), nil
}

// ledgered counts until the last job is DONE in Postgres.
func (s *Stack) ledgered(ctx context.Context, n int) (Throughput, error) {
	var ran atomic.Int64
	stop, err := s.startWorker(map[jobs.Lane]int{jobs.LaneSystem: width}, func() { ran.Add(1) })
	if err != nil {
		return Throughput{}, err
	}
	defer stop()
	began := time.Now()
	for { // the ledger is asked when all have run
		if ran.Load() < int64(n) {
			if jobs.Sleep(ctx, 5*time.Millisecond) {
				continue
			}
			return Throughput{}, ctx.Err()
		}
		lanes, err := s.DB.LaneStates(ctx, []jobs.Lane{jobs.LaneSystem})
		if err != nil {
			return Throughput{}, err
		}
		if lanes[0].Backlog()+lanes[0].Running == 0 {
			return throughput(n, time.Since(began)), nil
		}
		if !jobs.Sleep(ctx, 5*time.Millisecond) {
			return Throughput{}, ctx.Err()
		}
	}
}

// startWorker runs a worker process' machinery for the lane of the no-op jobs.
func (s *Stack) startWorker(concurrency map[jobs.Lane]int, observe func()) (stop func(), err error) {
	w, err := worker.New(worker.Config{DB: s.DB, Redis: s.Redis, Lanes: []jobs.Lane{jobs.LaneSystem},
		Concurrency: concurrency,
		Log:         slog.New(slog.DiscardHandler), OnNoop: observe, NoSchedule: true})
	if err != nil {
		return nil, err
	}
	start, stop := running(context.Background(), w)
	start()
	return stop, nil
}

// EnqueueToRunResult says how long an idle system takes to start a job.
type EnqueueToRunResult struct {
	Name     string  `json:"name"`
	Machine  Machine `json:"machine"`
	Plain    Latency `json:"plainAsynq"` // from before Enqueue to the handler, TaskCheckInterval 20 ms
	Ledgered Latency `json:"ledgered"`   // from before the transaction that stages the job to the handler
}

// Latency is a distribution in milliseconds.
type Latency struct {
	Samples int     `json:"samples"`
	P50     float64 `json:"p50"`
	P95     float64 `json:"p95"`
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
}

func latency(samples []time.Duration) Latency {
	sort.Slice(samples, func(i, j int) bool { return samples[i] < samples[j] })
	at := func(q float64) float64 {
		return round(float64(samples[min(len(samples)-1, int(q*float64(len(samples))))].Microseconds()) / 1000)
	}
	return Latency{Samples: len(samples), P50: at(.5), P95: at(.95), P99: at(.99), Max: at(1)}
}

// EnqueueToRun measures n single jobs with pauses between them.
func EnqueueToRun(ctx context.Context, s *Stack, n int) (EnqueueToRunResult, error) {
	result := EnqueueToRunResult{Name: "enqueue-to-run", Machine: s.About}
	plain, err := s.plainLatency(ctx, n)
	if err != nil {
		return result, err
	}
	ledgered, err := s.ledgeredLatency(ctx, n)
	if err != nil {
		return result, err
	}
	result.Plain, result.Ledgered = latency(plain), latency(ledgered)
	return result, nil
}

func (s *Stack) plainLatency(ctx context.Context, n int) ([]time.Duration, error) {
	ran := make(chan time.Time, 1)
	server := asynq.NewServerFromRedisClient(s.Redis.Client(),
		asynq.Config{Concurrency: 8, Queues: map[string]int{"idle": 1},
			TaskCheckInterval: 20 * time.Millisecond, LogLevel: asynq.FatalLevel})
	if err := server.Start(asynq.HandlerFunc(func(context.Context,
		*asynq.Task) error {
		ran <- time.Now()
		return nil
	})); err != nil {
		return nil, err
	}
	defer server.Shutdown()
	client := asynq.NewClientFromRedisClient(s.Redis.Client())
	return sample(ctx, n, ran, func() error {
		_, err := client.EnqueueContext(ctx, asynq.NewTask("noop", []byte("{}")), asynq.Queue("idle"))
		return err
	})
}

func (s *Stack) ledgeredLatency(ctx context.Context, n int) ([]time.Duration, error) {
	ran := make(chan time.Time, 1)
	stop, err := s.startWorker(nil, func() { ran <- time.Now() })
	if err != nil {
		return nil, err
	}
	defer stop()
	return sample(ctx, n, ran, func() error {
		_, err := s.DB.StageJobs(ctx, s.Workspace, jobs.Noop{Workspace: s.Workspace})
		return err
	})
}

// sample pauses at random between samples, so that no rhythm of the machinery is hit always at the same point. The
// first samples warm up connections and are dropped.
func sample(ctx context.Context, n int, ran <-chan time.Time, start func() error) ([]time.Duration, error) {
	const warm = 10
	var samples []time.Duration
	for i := range n + warm {
		select {
		case <-time.After(time.Duration(40+rand.IntN(60)) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		began := time.Now()
		if err := start(); err != nil {
			return nil, err
		}
		select {
		case at := <-ran:
			if i >= warm {
				samples = append(samples, at.Sub(began))
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return samples, nil
}
