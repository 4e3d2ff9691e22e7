// Package worker does the jobs that package jobs declares. Postgres says what is true of every job (its ledger row),
// the queue (asynq on Redis) only carries it: whatever the queue loses, repeats or delays, each job runs until it has
// ended once, and its effects land once.
//
// # Writing a handler
//
// Declare the payload in jobs/<noun>.go and list it in jobs.All; write the handler in jobs/worker/<noun>.go; name it
// in the table of handlers.go. A handler reads the state anew (the payload holds ids only), does the slow work outside
// any transaction, and makes one store call that commits the effect together with the end of the try:
//
//	func (w *Worker) extractDocument(ctx context.Context, claim postgres.Claim, job jobs.ExtractDocument) error {
//		doc, err := w.db.StartExtraction(ctx, job.Workspace, job.Document)
//		if err != nil {
//			return err // NotFound: the document is gone, the job FAILED, no try would help
//		}
//		read, err := w.read(ctx, doc) // honours ctx: cancelled, timed out, draining or taken away
//		if err != nil {
//			return err // anything else: tried again later; Unavailable uses up no try
//		}
//		return w.db.SaveExtraction(ctx, claim, doc.ID, read) // ends with finishJob(ctx, tx, claim, "document:"+id)
//	}
//
// A handler runs again after a crash at any point, so everything before that last call must be harmless to repeat.
// Its writes are fenced: when the job was cancelled or given to another worker meanwhile, finishJob answers ErrFenced,
// the effect rolls back, and the handler just returns that error. A handler without an effect returns nil and its
// job is marked done with many others in one commit.
//
// Ways out, besides nil and an error:
//
//	return Snooze(30*time.Second, "waiting_for_documents") // not yet: no try is used up
//	return RetryIn(5*time.Minute, err)                     // failed, next try at a time of your own
//
// or, in the commit of an effect, the store helpers retryJob, snoozeJob and failJob, after which the handler
// returns nil. What must happen to the noun when a job ends without success (its tries used up, its worker killed
// on the last one, cancelled by an operator) stands in storage/postgres/queue_endings.go, in the same commit.
// Work that follows is staged with enqueue in the same commit too; a handler never talks to the queue.
package worker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Config is what New needs. Zero values of the optional fields work.
type Config struct {
	DB      *postgres.DB
	Redis   *cache.Conn
	Objects *objects.Store
	Reader  *sandbox.Reader // reads uploads, each in a process of its own
	Model   *llm.Model      // asked what the offline rules leave open; nil: off

	Webhooks WebhookConfig
	Channels channel.Carriers // calls the providers of messages

	PublicURL string // base of the portal links in messages, without a slash at the end; empty: messages have no link

	AgentRate  int // turns of agents a second, of all workers together; default 200
	ImportRate int // rows of tables a second that this worker writes, of all imports together; default 370

	Lanes       []jobs.Lane           // to serve; default all
	Concurrency map[jobs.Lane]int     // jobs at once in this process; default by lane
	Drain       time.Duration         // how long running jobs may finish after a stop; default 25 s
	Metrics     prometheus.Registerer // default: none
	Log         *slog.Logger          // default slog.Default()
	Now         func() time.Time      // default time.Now

	OnNoop     func() // told of every no-op job: for measurements
	NoSchedule bool   // periodic work is someone else's: for measurements
}

// Worker runs jobs. Make one with New.
type Worker struct {
	Config
	id        string // of this process, in ledger rows
	db        *postgres.DB
	log       *slog.Logger
	client    *asynq.Client
	inspector *asynq.Inspector
	handlers  map[string]handler
	steps     map[string]step
	schedule  []periodic
	lanes     []*lane
	metrics   *metrics
	timing    timing
	senders   *senderBoard
	admission *laneNotifier
	rows      *rate.Limiter // of imports

	lastTick map[string]time.Time // by name; used by the leader only

	mu   sync.Mutex
	held map[dossier.JobID]*hold
	busy atomic.Int64 // tasks taken and not answered yet

	draining atomic.Bool // it takes no more jobs, and long ones come to an end

	asking    chan struct{} // room for those whose words a model is asked for
	modelRest atomic.Int64  // until when the model is not asked for an agent's words, in nanoseconds since 1970
}

// timing holds the intervals of the worker's loops; tests shorten them.
type timing struct {
	lease        time.Duration // between heartbeats
	watch        time.Duration // between checks for cancelled jobs
	poll         time.Duration // between polls of the outbox, in case a notification is missed
	admit        time.Duration // between polls of lanes whose jobs await admission, in case a notification is missed
	reap         time.Duration // between rounds of the reaper
	lateAfter    time.Duration // how long a due job may wait before the reaper asks the queue for it
	startupDelay time.Duration // after becoming leader, before leases are reaped: holders reconnect too
	stopGrace    time.Duration // after its timeout, before a handler that does not stop is given up
	retry        time.Duration // delay after the first failed try; five times as long after each further one

	idleTimeout time.Duration // of a sender with nothing to do, before it ends
}

var normalTiming = timing{lease: 3 * time.Second, watch: time.Second, poll: 500 * time.Millisecond, admit: time.Second,
	reap:      2 * time.Second,
	lateAfter: 10 * time.Second, startupDelay: 4 * time.Second, stopGrace: 10 * time.Second, retry: 2 * time.Second,
	idleTimeout: 250 * time.Millisecond}

// lane is one queue as this process serves it.
type lane struct {
	name    jobs.Lane
	slots   chan struct{} // counts handlers that live, also those the queue library has given up on
	servers []*asynq.Server
}

// New prepares a worker. Run starts it.
func New(cfg Config) (*Worker, error) {
	cfg.setDefaults()
	host, _ := os.Hostname()
	w := &Worker{
		Config: cfg,
		id:     fmt.Sprintf("%s:%d:%s", host, os.Getpid(), postgres.NewID()[28:]),
		db:     cfg.DB, log: cfg.Log,
		client:    asynq.NewClientFromRedisClient(cfg.Redis.Client()),
		inspector: asynq.NewInspectorFromRedisClient(cfg.Redis.Client()),
		held:      map[dossier.JobID]*hold{},
		lastTick:  map[string]time.Time{},
		senders:   newSenderBoard(),
		admission: newLaneNotifier(),
		rows:      rate.NewLimiter(rate.Limit(cfg.ImportRate), importCommit),
		timing:    normalTiming,
		asking:    make(chan struct{}, mostAsked),
	}
	w.metrics = newMetrics(cfg.Metrics, w)
	w.handlers, w.steps = w.handlerTable(), w.stepTable()
	if !cfg.NoSchedule {
		w.schedule = append(w.schedule, housekeeping...)
	}
	for _, name := range cfg.Lanes {
		if !known(name) {
			return nil, fmt.Errorf("unknown lane %q; the lanes are %v", name, jobs.Lanes)
		}
		w.lanes = append(w.lanes, w.newLane(name))
	}
	return w, nil
}

func (cfg *Config) setDefaults() {
	if len(cfg.Lanes) == 0 {
		cfg.Lanes = jobs.Lanes
	}
	if cfg.AgentRate == 0 {
		cfg.AgentRate = 200
	}
	if cfg.ImportRate == 0 {
		cfg.ImportRate = 370
	}
	if cfg.Drain == 0 {
		cfg.Drain = 25 * time.Second
	}
	if cfg.Metrics == nil {
		cfg.Metrics = prometheus.NewRegistry()
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Webhooks.setDefaults(cfg.Now)
}

func known(name jobs.Lane) bool {
	for _, lane := range jobs.Lanes {
		if lane == name {
			return true
		}
	}
	return false
}

// serverWidth is how many jobs one asynq server runs; a lane of more gets several servers, since each takes tasks
// one after the other.
const serverWidth = 64

func defaultConcurrency(name jobs.Lane) int {
	cores := runtime.GOMAXPROCS(0)
	switch name {
	case jobs.LaneWebhook:
		return 128
	case jobs.LaneWebhookRetry:
		return 32 // slots of their own: late retries never wait for, nor hold up, first tries
	case jobs.LaneDocument, jobs.LaneSpread, jobs.LaneExport:
		return max(2, cores)
	case jobs.LanePipeline:
		return max(4, 2*cores)
	case jobs.LaneAgent:
		return 16
	case jobs.LaneImport:
		return 2
	default:
		return 8
	}
}

func (w *Worker) newLane(name jobs.Lane) *lane {
	width := w.Concurrency[name]
	if width <= 0 {
		width = defaultConcurrency(name)
	}
	l := &lane{name: name, slots: make(chan struct{}, width)}
	servers := (width + serverWidth - 1) / serverWidth
	for left := width; left > 0; left -= serverWidth {
		l.servers = append(l.servers, w.newServer(name, min(left, serverWidth),
			time.Duration(servers)*checkInterval(name)))
	}
	return l
}

// newServer makes one of a lane's servers. Idle, several ask as often together as one would alone.
func (w *Worker) newServer(name jobs.Lane, width int, check time.Duration) *asynq.Server {
	return asynq.NewServerFromRedisClient(w.Redis.Client(), asynq.Config{
		Concurrency:              width,
		Queues:                   map[string]int{string(name): 1},
		TaskCheckInterval:        check,
		DelayedTaskCheckInterval: time.Second,
		RetryDelayFunc:           retryDelay,
		IsFailure:                countsAsTry,
		ShutdownTimeout:          time.Second, // by then drain has waited for the jobs and handed back the rest
		Logger:                   asynqLogger{w.log},
		LogLevel:                 asynq.WarnLevel,
	})
}

// checkInterval is what an idle lane adds to a job: it sleeps 0.5 to 1.5 times as long. Deliveries, and runs that
// somebody polls, ask Redis often; work of seconds and minutes, and what waits for a provider, need not: nearly all
// that a worker costs with nothing to do is these questions.
func checkInterval(name jobs.Lane) time.Duration {
	switch name {
	case jobs.LaneWebhook, jobs.LanePipeline:
		return 15 * time.Millisecond
	case jobs.LaneDocument: // a file goes through it three times
		return 40 * time.Millisecond
	default:
		return 80 * time.Millisecond
	}
}

// Run works until ctx ends, then drains: it takes no more jobs, lets the running ones finish for a while, and hands
// back the rest. It returns early only when it cannot start.
func (w *Worker) Run(ctx context.Context) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	if err := w.startLanes(); err != nil {
		return err
	}
	w.warnEviction(ctx)
	if err := w.db.SealInboundTokens(ctx); err != nil {
		w.log.Warn("addresses for inbound messages stay in the clear", "error", cause(err))
	}
	var loops sync.WaitGroup
	for _, loop := range []func(context.Context){w.relayLoop, w.admissionLoop, w.dispatchLoop, w.leaderLoop,
		w.heartbeatLoop, w.cancelLoop} {
		loops.Go(func() { loop(background) })
	}
	w.log.Info("worker is running", "worker", w.id, "lanes", w.Lanes)
	<-ctx.Done()
	w.drain(background)
	stop()
	loops.Wait()
	return nil
}

func (w *Worker) startLanes() error {
	for _, l := range w.lanes {
		for _, server := range l.servers {
			if err := server.Start(w.process(l)); err != nil {
				return fmt.Errorf("start lane %s: %w", l.name, err)
			}
		}
	}
	return nil
}

// warnEviction tells of a Redis that may throw tasks away when memory is short: the reaper would bring them back,
// but late.
func (w *Worker) warnEviction(ctx context.Context) {
	if policy := w.Redis.EvictionPolicy(ctx); policy != "" && policy != "noeviction" {
		w.log.Warn("Redis may evict queued tasks; set maxmemory-policy noeviction", "policy", policy)
	}
}

// drain stops taking jobs, waits for the running ones, tells the rest to stop and hands them back.
func (w *Worker) drain(ctx context.Context) {
	w.draining.Store(true)
	for _, l := range w.lanes {
		for _, server := range l.servers {
			server.Stop()
		}
	}
	if !w.idleWithin(w.Drain) {
		w.stopHeld(errDraining)
		if !w.idleWithin(2 * time.Second) {
			w.handBackHeld(ctx)
		}
	}
	var all sync.WaitGroup
	for _, l := range w.lanes {
		for _, server := range l.servers {
			all.Go(server.Shutdown)
		}
	}
	all.Wait()
}

// idleWithin waits for all running jobs to end; false: time ran out first.
func (w *Worker) idleWithin(d time.Duration) bool {
	for end := time.Now().Add(d); w.busy.Load() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
