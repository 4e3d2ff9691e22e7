package bench

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// WebhooksOptions says what is offered.
type WebhooksOptions struct {
	Rate      int           // events a second, open loop; 0: as many as can be committed
	For       time.Duration // how long
	Backlog   bool          // commit everything first, then start the worker: what delivery alone can do
	Endpoints int
}

// WebhooksResult says how deliveries fared, from the commit of the event to the request at the receiver. Each event has
// one endpoint and a commit of its own.
//
// The bare loop is what a script would do that keeps nothing: it signs the same body and posts it to the same receiver
// over a kept connection, one after the other, with Go's usual client. Beside it stands the same with 64 at once, which
// is what this machine can do when nothing is kept.
type WebhooksResult struct {
	Name       string     `json:"name"`
	Machine    Machine    `json:"machine"`
	Offered    int        `json:"offeredPerSecond"` // 0: as many as can be committed
	Endpoints  int        `json:"endpoints"`
	Backlog    bool       `json:"backlog"` // all events were committed before the worker started
	Bare       Throughput `json:"bareLoop"`
	AtOnce     Throughput `json:"bareLoop64AtOnce"`
	BareCPU    CPU        `json:"bareCpuMicroseconds"` // of a post of those at once
	Deliveries Throughput `json:"deliveries"`
	CPU        CPU        `json:"cpuMicroseconds"`                 // with the commit of the events, unless Backlog
	CommitCPU  *CPU       `json:"commitCpuMicroseconds,omitempty"` // of the commits of the events alone, with Backlog
	// deliveries to the bare loop; says something only when more is offered
	Ratio float64 `json:"ratio"`
	// from when the event was due to be committed, so a late generator counts
	Latency    Latency `json:"latency"`
	FromCommit Latency `json:"fromCommit"` // from when its commit was confirmed
	Lost       int     `json:"lost"`
	Duplicates int     `json:"duplicates"`
	// of the worker; the event's own row is one more, in the commit of its change
	SQL       float64 `json:"sqlStatementsPerEvent"`
	Commits   float64 `json:"sqlTransactionsPerEvent"`
	Redis     float64 `json:"redisCommandsPerEvent"` // those inside scripts included
	IdleSQL   float64 `json:"idleSqlStatementsPerSecond"`
	IdleRedis float64 `json:"idleRedisCommandsPerSecond"`
	Reused    float64 `json:"connectionsReused"` // share of requests
}

// Webhooks offers test events to endpoints in this process, commits and delivers each, and counts what arrives.
func Webhooks(ctx context.Context, s *Stack, o WebhooksOptions) (WebhooksResult, error) {
	r := WebhooksResult{Name: "webhooks", Machine: s.About, Offered: o.Rate, Endpoints: o.Endpoints, Backlog: o.Backlog}
	d, err := s.delivering(ctx)
	if err != nil {
		return r, err
	}
	defer d.close()
	hooks, err := d.register(ctx, o.Endpoints, func(int) string { return d.sink.url })
	if err != nil {
		return r, err
	}
	if err := d.bare(ctx, &r, min(o.For, 3*time.Second)); err != nil {
		return r, err
	}
	if !o.Backlog {
		d.start()
		if err := d.idle(ctx, &r); err != nil {
			return r, err
		}
		if err := d.warm(ctx, o.Rate, hooks); err != nil {
			return r, err
		}
	}
	return r, d.measure(ctx, &r, o, hooks)
}

// measure commits the events and waits until they have arrived.
func (d *delivering) measure(ctx context.Context, r *WebhooksResult, o WebhooksOptions,
	hooks []dossier.WebhookID) error {
	asked, err := d.s.redisCommands(ctx)
	if err != nil {
		return err
	}
	statements, commits := d.count.other.Load(), d.count.commits.Load()
	before, began := d.s.spent(), time.Now()
	due, err := d.generate(ctx, o.Rate, o.For, func(i int) (dossier.WebhookID, bool) {
		return hooks[i%len(hooks)],
			true
	})
	if err != nil {
		return err
	}
	if o.Backlog {
		commits := d.s.since(before, len(due))
		r.CommitCPU = &commits
		before, began = d.s.spent(), time.Now()
		d.start()
	}
	got := d.await(ctx, due)
	r.CPU = d.s.since(before, len(due))
	after, err := d.s.redisCommands(ctx)
	if err != nil {
		return err
	}
	if len(got.samples) == 0 {
		return errors.New("nothing arrived")
	}
	r.Deliveries = throughput(len(got.samples), d.sink.lastAt().Sub(began))
	r.Ratio = round(r.Deliveries.PerSecond / r.Bare.PerSecond)
	r.Latency, r.FromCommit, r.Lost, r.Duplicates = latency(got.samples), latency(got.fromCommit), got.lost,
		got.duplicates
	n := float64(len(due))
	r.SQL, r.Commits, r.Redis = round(float64(d.count.other.Load()-statements)/n),
		round(float64(d.count.commits.Load()-commits)/n), round(float64(after-asked)/n)
	stats := d.client.Stats()
	r.Reused = round(float64(stats.Reused) / float64(stats.Reused+stats.Opened))
	return nil
}

// idle measures what a worker asks that has nothing to do.
func (d *delivering) idle(ctx context.Context, r *WebhooksResult) error {
	const lasting = 2 * time.Second
	statements := d.count.other.Load()
	asked, err := d.s.redisCommands(ctx)
	if err != nil {
		return err
	}
	if !jobs.Sleep(ctx, lasting) {
		return ctx.Err()
	}
	after, err := d.s.redisCommands(ctx)
	r.IdleSQL, r.IdleRedis = round(float64(d.count.other.Load()-statements)/lasting.Seconds()),
		round(float64(after-asked)/lasting.Seconds())
	return err
}

// warm has a second's events delivered that do not count: what is measured has opened its connections and has planned
// its statements, as a worker has that did not start this moment.
func (d *delivering) warm(ctx context.Context, rate int, hooks []dossier.WebhookID) error {
	due, err := d.generate(ctx, rate, time.Second, func(i int) (dossier.WebhookID, bool) {
		return hooks[i%len(hooks)],
			true
	})
	if err == nil {
		d.await(ctx, due)
	}
	return err
}

// delivering is a worker of the webhook lanes and the receiver of what it sends.
type delivering struct {
	s      *Stack
	sink   *sink
	count  *statements
	client *webhooks.Client
	events *emitter
	start  func() // the worker
	close  func()
}

func (s *Stack) delivering(ctx context.Context) (d *delivering, err error) {
	d = &delivering{s: s, count: &statements{}}
	var closers []func()
	d.close = func() {
		for _, one := range slices.Backward(closers) {
			one()
		}
	}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	db, err := postgres.Open(ctx, postgres.Config{URL: s.URL, AnyLogin: true, PoolSize: 16, SecretKey: make([]byte, 32),
		Log: slog.New(slog.DiscardHandler), Tracer: d.count})
	if err != nil {
		return nil, err
	}
	closers = append(closers, db.Close)
	if d.events, err = s.emitter(ctx, s.Workspace); err != nil {
		return nil, err
	}
	closers = append(closers, d.events.close)
	d.client = webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Now: time.Now})
	w, err := worker.New(worker.Config{DB: db, Redis: s.Redis,
		Lanes: []jobs.Lane{jobs.LaneWebhook, jobs.LaneWebhookRetry},
		Log:   slog.New(slog.DiscardHandler), NoSchedule: true, Drain: time.Second,
		Webhooks: worker.WebhookConfig{Client: d.client}})
	if err != nil {
		return nil, err
	}
	var stop func()
	d.start, stop = running(ctx, w)
	closers = append(closers, stop)
	if d.sink, err = startSink(ctx); err != nil {
		return nil, err
	}
	closers = append(closers, d.sink.close) // first of all: lets go of what hangs
	return d, nil
}

// running prepares a worker to run: stop waits for its end, also when it was never started.
func running(ctx context.Context, w *worker.Worker) (start, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	start = sync.OnceFunc(func() {
		ended.Go(func() { _ = w.Run(ctx) }) // it has started: a run can no longer fail
	})
	return start, func() { cancel(); ended.Wait() }
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// register makes endpoints whose addresses url gives.
func (d *delivering) register(ctx context.Context, n int, url func(i int) string) ([]dossier.WebhookID, error) {
	hooks := make([]dossier.WebhookID, n)
	for i := range hooks {
		address := url(i)
		w, _, err := d.s.DB.CreateWebhook(ctx, d.s.Workspace,
			dossier.WebhookUpdate{URL: &address, Allow: loopback})
		if err != nil {
			return nil, err
		}
		hooks[i] = w.ID
	}
	return hooks, nil
}

// offered is one event that was committed. Times are since the start of the program.
type offered struct {
	id        eventKey
	due       time.Duration
	committed time.Duration
	answers   bool // its endpoint does
}

// generate commits events at their due times, whatever becomes of earlier ones, each for the endpoint that pick
// chooses.
func (d *delivering) generate(ctx context.Context, perSecond int, lasting time.Duration,
	pick func(i int) (hook dossier.WebhookID, answers bool)) ([]offered, error) {
	began := time.Now()
	var next atomic.Int64
	parts, errs := make([][]offered, emitters), make([]error, emitters)
	var all sync.WaitGroup
	for c := range emitters {
		all.Go(func() {
			for errs[c] == nil && ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				due := time.Now()
				if perSecond > 0 {
					due = began.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
				}
				if due.Sub(began) > lasting {
					return
				}
				time.Sleep(time.Until(due))
				hook, answers := pick(i)
				id, err := d.events.emit(ctx, hook)
				parts[c], errs[c] = append(parts[c], offered{keyOf(id), due.Sub(started), time.Since(started),
					answers}), err
			}
		})
	}
	all.Wait()
	var made []offered
	for _, part := range parts {
		made = append(made, part...)
	}
	return made, errors.Join(errs...)
}

// arrived is what came of offered events at endpoints that answer.
type arrived struct {
	samples          []time.Duration
	fromCommit       []time.Duration
	lost, duplicates int
}

// await waits until the events for answering endpoints have arrived, or half a minute.
func (d *delivering) await(ctx context.Context, due []offered) arrived {
	var got arrived
	limit := time.Now().Add(30 * time.Second)
	// each is asked for about once: waiting must not cost what is measured
	for rest := due; len(rest) > 0 && time.Now().Before(limit); {
		if d.sink.arrivalOf(rest[0].id).times > 0 || !rest[0].answers {
			rest = rest[1:]
		} else if !jobs.Sleep(ctx, 20*time.Millisecond) {
			break
		}
	}
	for _, e := range due {
		switch a := d.sink.arrivalOf(e.id); {
		case e.answers && a.times == 0:
			got.lost++
		case e.answers:
			got.samples = append(got.samples, a.first-e.due)
			// it may arrive before the news of its commit does
			got.fromCommit = append(got.fromCommit, max(a.first-e.committed, 0))
			got.duplicates += a.times - 1
		}
	}
	return got
}
