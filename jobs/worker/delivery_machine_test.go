package worker

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/webhooks"
)

// TestMachine_of_deliveries does the steps of a worker's machinery (dispatch, relay, claim and deliver, reap, find what was
// lost) in any order, and lets the worker die at any boundary of any step: before or after any statement, commit, command to
// Redis or answer of an endpoint. Redis may be wiped, an acknowledgement lost, a task delivered twice. Whatever happened, the
// next worker brings every event to its endpoints and every job to its end. DOSSIER_LONG=1 takes some minutes for it.
func TestMachine_of_deliveries(t *testing.T) {
	b := setupHooks(t)
	propertyEffort(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := newDeliveryMachine(b, rt)
		step := func(do func(ctx context.Context, p *mortal)) func(*rapid.T) {
			return func(rt *rapid.T) { m.step(rapid.IntRange(0, 30).Draw(rt, "dies at boundary"), do) }
		}
		rt.Repeat(map[string]func(*rapid.T){
			"emit": func(rt *rapid.T) {
				m.emit(rapid.IntRange(1, 4).Draw(rt, "events"), rapid.SampledFrom(m.leads).Draw(rt, "lead"))
			},
			"dispatch": step(func(ctx context.Context, p *mortal) { _, _ = p.w.db.DispatchEvents(ctx) }),
			"work while events come": func(rt *rapid.T) {
				rounds := rapid.SliceOfN(rapid.Bool(), 2, 6).Draw(rt, "dispatched by this worker")
				lead := rapid.SampledFrom(m.leads).Draw(rt, "lead")
				come := m.beside(func() { m.come(rounds, lead) })
				m.work(rapid.IntRange(0, 1000).Draw(rt, "task"), rapid.IntRange(0, 60).Draw(rt, "dies at boundary"), true)
				<-come
			},
			"relay": step(func(ctx context.Context, p *mortal) { _, _ = p.w.relayBatch(ctx) }),
			"work": func(rt *rapid.T) {
				m.work(rapid.IntRange(0, 1000).Draw(rt, "task"), rapid.IntRange(0, 40).Draw(rt, "dies at boundary"), rapid.Bool().Draw(rt, "acknowledged"))
			},
			"work without harm": func(rt *rapid.T) { m.work(rapid.IntRange(0, 1000).Draw(rt, "task"), 0, true) },
			"reap": step(func(ctx context.Context, p *mortal) {
				m.passTime()
				_, _, _ = p.w.db.ReapLeases(ctx, reapBatch)
			}),
			"find lost": step(func(ctx context.Context, p *mortal) { m.passTime(); b.reaper(p.w).findLost(ctx) }),
			"wipe":      func(*rapid.T) { m.wipe() },
		})
		m.settle(rt)
	})
}

// deliveryMachine is one workspace with two endpoints, and the worker that is alive now.
type deliveryMachine struct {
	*hookBench
	now   atomic.Pointer[mortal]
	leads []dossier.LeadID
}

func newDeliveryMachine(b *hookBench, rt *rapid.T) *deliveryMachine {
	own := *b
	own.ws, own.receivers = b.pg.Workspace(b.t), nil
	m := &deliveryMachine{hookBench: &own, leads: []dossier.LeadID{newLead(), newLead(), ""}}
	m.now.Store(m.born())
	fails := rapid.SliceOfN(rapid.Bool(), 0, 8).Draw(rt, "failures of the second endpoint")
	m.receive(func(int, http.ResponseWriter, *http.Request) bool { m.now.Load().passes(); return true })
	m.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		ok := n > len(fails) || !fails[n-1]
		if !ok {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		m.now.Load().passes()
		return ok
	})
	return m
}

// mortal is a worker that dies at a boundary: from then on nothing it asks reaches Postgres or Redis.
type mortal struct {
	w    *Worker
	mu   sync.Mutex
	left int // boundaries until it dies; 0: it does not
	dead bool
	died chan struct{}
	bury func() // closes its connections
}

// passes counts a boundary and reports whether it lives on.
func (p *mortal) passes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left > 0 && !p.dead {
		if p.left--; p.left == 0 {
			p.dead = true
			close(p.died)
		}
	}
	return !p.dead
}

func (p *mortal) statement(ctx context.Context) context.Context {
	if p.passes() {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// TraceQueryStart implements pgx.QueryTracer.
func (p *mortal) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return p.statement(ctx)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (p *mortal) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { p.passes() }

// TraceBatchStart implements pgx.BatchTracer.
func (p *mortal) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return p.statement(ctx)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (p *mortal) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (p *mortal) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) { p.passes() }

var errDead = errors.New("dead")

// DialHook implements redis.Hook.
func (p *mortal) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (p *mortal) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if !p.passes() {
			return errDead
		}
		err := next(ctx, cmd)
		p.passes()
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (p *mortal) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !p.passes() {
			return errDead
		}
		return next(ctx, cmds)
	}
}

// born starts the next worker. It does nothing by itself.
func (m *deliveryMachine) born() *mortal {
	m.t.Helper()
	p := &mortal{died: make(chan struct{})}
	db, err := postgres.Open(context.Background(), postgres.Config{URL: m.pg.Run, ListenURL: pgtest.DirectURL(m.pg.URL), PoolSize: 4, SecretKey: make([]byte, 32), Tracer: p, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		m.t.Fatal(err)
	}
	conn, err := cache.Open(m.url)
	if err != nil {
		m.t.Fatal(err)
	}
	p.bury = sync.OnceFunc(func() {
		db.Close()
		_ = conn.Close()
	})
	m.t.Cleanup(p.bury)
	conn.Client().AddHook(p)
	client := webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Now: time.Now})
	p.w, err = New(Config{DB: db, Redis: conn, Log: slog.New(slog.DiscardHandler), Lanes: []jobs.Lane{jobs.LaneWebhook, jobs.LaneWebhookRetry},
		Webhooks: WebhookConfig{Client: client, Schedule: dossier.Schedule{0, time.Second, time.Second, time.Second, time.Second, time.Second}}})
	if err != nil {
		m.t.Fatal(err)
	}
	p.w.timing, p.w.schedule = quick, nil
	p.w.timing.idleTimeout = 5 * time.Millisecond
	return p
}

// step does something; the worker dies at the given boundary if it gets there, and then the next one is born.
func (m *deliveryMachine) step(diesAt int, do func(ctx context.Context, p *mortal)) (survived bool) {
	m.t.Helper()
	p := m.now.Load()
	p.mu.Lock()
	p.left = diesAt
	p.mu.Unlock()
	done := make(chan struct{})
	go func() { defer close(done); do(context.Background(), p) }()
	select {
	case <-done:
	case <-p.died:
	}
	p.mu.Lock()
	p.left = 0
	dead := p.dead
	p.mu.Unlock()
	if dead {
		m.now.Store(m.born())
		go p.bury() // once what it was asking has been refused
	}
	return !dead
}

// task is what the queue holds.
type task struct {
	*asynq.TaskInfo
	lane *lane
}

// tasks are all tasks of the queue that wait, due or not: time is nothing here.
func (m *deliveryMachine) tasks() []task {
	var found []task
	w := m.now.Load().w
	for _, l := range w.lanes {
		for _, list := range []func(string, ...asynq.ListOption) ([]*asynq.TaskInfo, error){
			w.inspector.ListPendingTasks, w.inspector.ListScheduledTasks, w.inspector.ListRetryTasks} {
			infos, _ := list(string(l.name), asynq.PageSize(1000)) // a queue nobody has used is an error
			for _, info := range infos {
				found = append(found, task{info, l})
			}
		}
	}
	slices.SortFunc(found, func(a, b task) int { return a.NextProcessAt.Compare(b.NextProcessAt) })
	return found
}

// work lets the worker do one of the tasks. One that is not acknowledged comes again.
func (m *deliveryMachine) work(which, diesAt int, acknowledged bool) {
	m.t.Helper()
	tasks := m.tasks()
	if len(tasks) == 0 {
		return
	}
	m.passTime()
	chosen := tasks[which%len(tasks)]
	var answered error
	survived := m.step(diesAt, func(_ context.Context, p *mortal) {
		job, epoch, _ := parseTaskID(chosen.ID)
		i := slices.IndexFunc(p.w.lanes, func(l *lane) bool { return l.name == chosen.lane.name })
		p.w.lanes[i].slots <- struct{}{}
		answered = p.w.claimAndTry(p.w.lanes[i], p.w.handlers[chosen.Type], job, epoch)
	})
	if survived && acknowledged && (answered == nil || errors.Is(answered, asynq.SkipRetry)) {
		_ = m.now.Load().w.inspector.DeleteTask(chosen.Queue, chosen.ID) // gone already when Redis was wiped
	}
}

// beside does something while the machine goes on.
func (m *deliveryMachine) beside(do func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() { defer close(done); do() }()
	return done
}

// come lets events come and be dispatched, by the worker or by another.
func (m *deliveryMachine) come(byWorker []bool, lead dossier.LeadID) {
	for _, own := range byWorker {
		m.emit(1, lead)
		if p := m.now.Load(); own {
			_, _ = p.w.db.DispatchEvents(context.Background())
		} else {
			_, _ = m.db.DispatchEvents(context.Background())
		}
	}
}

// passTime makes everything due that waits, and lets the leases of the dead run out and open breakers be half open.
func (m *deliveryMachine) passTime() {
	m.t.Helper()
	m.pg.Exec(m.t, `UPDATE jobs SET run_at = run_at - interval '1 hour' WHERE status IN ('QUEUED', 'RETRY')`)
	m.pg.Exec(m.t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING'`)
	m.pg.Exec(m.t, `UPDATE webhooks SET breaker = jsonb_set(breaker, '{OpenUntil}', to_jsonb(now() - interval '1 second'))
		|| jsonb_build_object('ProbeAt', '0001-01-01T00:00:00Z') WHERE breaker IS NOT NULL`)
}

func (m *deliveryMachine) wipe() {
	m.t.Helper()
	if err := m.redis.Client().FlushDB(context.Background()).Err(); err != nil {
		m.t.Fatal(err)
	}
}

// settle lets a worker that does not die do everything until nothing is left to do, and holds the result against the promises.
func (m *deliveryMachine) settle(rt *rapid.T) {
	p := m.now.Load()
	defer p.bury()
	ctx, w := context.Background(), p.w
	for round := 0; ; round++ {
		left := m.unfinished()
		if left == "" {
			break
		}
		if round == 100 {
			rt.Fatalf("stuck: %s", left)
		}
		m.passTime()
		_, _ = w.db.DispatchEvents(ctx)
		_, _, _ = w.db.ReapLeases(ctx, reapBatch)
		_, _ = w.db.SweepSenders(ctx)
		_, _ = w.relayBatch(ctx)
		m.reaper(w).findLost(ctx)
		_, _ = w.relayBatch(ctx)
		for range m.tasks() {
			m.work(0, 0, true)
		}
	}
	problems, _ := m.problems()
	for _, problem := range problems {
		rt.Error(problem)
	}
}
