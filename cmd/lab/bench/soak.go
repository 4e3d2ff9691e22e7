package bench

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/webhooks"
)

// SoakResult says what grows while events are delivered for a long time at one rate.
type SoakResult struct {
	Name       string       `json:"name"`
	Machine    Machine      `json:"machine"`
	Rate       int          `json:"eventsPerSecond"`
	Minutes    float64      `json:"minutes"`
	Events     int64        `json:"events"`
	Lost       int64        `json:"lost"`       // neither arrived nor waiting for a later try
	Retrying   int64        `json:"retrying"`   // at the end: the next try of what failed twice is minutes away
	Duplicates int64        `json:"duplicates"` // within some minutes of each other
	Samples    []SoakSample `json:"samples"`
}

// SoakSample is one row of the table. Memory, goroutines and latency are of this process, which is the generator, the worker
// and the receiver in one.
type SoakSample struct {
	Minute     float64 `json:"minute"`
	Events     int64   `json:"events"`        // arrived so far
	P50        float64 `json:"p50"`           // milliseconds from the due time to the request, since the sample before
	P99        float64 `json:"p99"`           // the same
	Heap       float64 `json:"heapMegabytes"` // in use after a collection
	Resident   float64 `json:"residentMegabytes"`
	Goroutines int     `json:"goroutines"`
	RedisKeys  int64   `json:"redisKeys"`
	RedisSize  float64 `json:"redisMegabytes"`
	DeadTuples int64   `json:"deadTuples"` // of all tables
	Waiting    int64   `json:"waiting"`    // rows of outbox, inbox and pending deliveries
}

// Soak delivers to ten endpoints at a rate, one of which fails one request in fifty, and takes a dozen samples.
func Soak(ctx context.Context, s *Stack, rate int, lasting time.Duration) (SoakResult, error) {
	r := SoakResult{Name: "soak", Machine: s.About, Rate: rate, Minutes: round(lasting.Minutes())}
	d, err := s.delivering(ctx)
	if err != nil {
		return r, err
	}
	defer d.close()
	k := &soaking{s: s, events: d.events, due: map[eventKey]time.Duration{}, early: map[eventKey]time.Duration{}, seen: map[eventKey]bool{}, seenBefore: map[eventKey]bool{}}
	d.sink.server.Handler = k
	hooks, err := d.register(ctx, 10, func(i int) string { return d.sink.url + "/" + strconv.Itoa(i) })
	if err != nil {
		return r, err
	}
	d.start()
	err = k.run(ctx, &r, rate, lasting, hooks)
	r.Events, r.Duplicates = k.committed.Load(), k.repeated.Load()
	if err == nil {
		r.Retrying, err = k.retrying(ctx)
	}
	r.Lost = r.Events - k.arrived.Load() - r.Retrying
	return r, err
}

// soaking commits and receives without remembering everything: what is some minutes old is forgotten.
type soaking struct {
	s         *Stack
	events    *emitter
	committed atomic.Int64
	arrived   atomic.Int64
	repeated  atomic.Int64
	calls     atomic.Int64

	mu               sync.Mutex
	due              map[eventKey]time.Duration // when events were due that have not come
	early            map[eventKey]time.Duration // when events came whose commit has not returned
	seen, seenBefore map[eventKey]bool
	samples          []time.Duration
}

// ServeHTTP implements http.Handler.
func (k *soaking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, id := time.Since(started), keyOf(r.Header.Get(webhooks.HeaderID))
	if r.URL.Path == "/0" && k.calls.Add(1)%50 == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen[id] || k.seenBefore[id] {
		k.repeated.Add(1)
		return
	}
	k.seen[id] = true
	k.arrived.Add(1)
	if due, ok := k.due[id]; ok {
		k.samples = append(k.samples, at-due)
		delete(k.due, id)
	} else {
		k.early[id] = at
	}
}

// run commits at the rate and samples, and at the end waits for what is still under way.
func (k *soaking) run(ctx context.Context, r *SoakResult, rate int, lasting time.Duration, hooks []dossier.WebhookID) error {
	began := time.Now()
	stopped := make(chan error, 1)
	go func() { stopped <- k.commit(ctx, began, rate, lasting, hooks) }()
	const rows = 12
	for i := 1; i <= rows; i++ {
		if !pause(ctx, time.Until(began.Add(lasting*time.Duration(i)/rows))) {
			return ctx.Err()
		}
		sample, err := k.sample(ctx, time.Since(began))
		if err != nil {
			return err
		}
		r.Samples = append(r.Samples, sample)
	}
	if err := <-stopped; err != nil {
		return err
	}
	for limit := time.Now().Add(time.Minute); k.arrived.Load() < k.committed.Load() && time.Now().Before(limit) && pause(ctx, 20*time.Millisecond); {
	}
	return ctx.Err()
}

// retrying counts the deliveries that failed and have a later try before them.
func (k *soaking) retrying(ctx context.Context) (n int64, err error) {
	conn, err := pgx.Connect(ctx, k.s.URL)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, `SELECT count(*) FROM deliveries WHERE status = 'PENDING' AND tries > 0`).Scan(&n)
	return n, err
}

// commit makes the events, each with a commit of its own.
func (k *soaking) commit(ctx context.Context, began time.Time, rate int, lasting time.Duration, hooks []dossier.WebhookID) error {
	const committers = 8
	var next atomic.Int64
	errs := make(chan error, committers)
	for range committers {
		go func() {
			for ctx.Err() == nil {
				i := next.Add(1) - 1
				due := began.Add(time.Duration(i) * time.Second / time.Duration(rate))
				if due.Sub(began) > lasting {
					break
				}
				time.Sleep(time.Until(due))
				id, err := k.events.emit(ctx, hooks[int(i)%len(hooks)])
				if err != nil {
					errs <- err
					return
				}
				k.offered(keyOf(id), due.Sub(started))
			}
			errs <- nil
		}()
	}
	var failed error
	for range committers {
		if err := <-errs; err != nil {
			failed = err
		}
	}
	return failed
}

func (k *soaking) offered(id eventKey, due time.Duration) {
	k.committed.Add(1)
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, ok := k.early[id]; ok {
		k.samples = append(k.samples, at-due)
		delete(k.early, id)
		return
	}
	k.due[id] = due
}

func (k *soaking) sample(ctx context.Context, at time.Duration) (SoakSample, error) {
	row := SoakSample{Minute: round(at.Minutes()), Events: k.arrived.Load(), Goroutines: runtime.NumGoroutine(), Resident: resident(os.Getpid())}
	k.mu.Lock()
	if len(k.samples) > 0 {
		l := latency(k.samples)
		row.P50, row.P99 = l.P50, l.P99
	}
	k.samples = nil
	k.seenBefore, k.seen = k.seen, map[eventKey]bool{}
	k.mu.Unlock()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	row.Heap = round(float64(memory.HeapInuse) / (1 << 20))
	client := k.s.Redis.Client()
	var err error
	if row.RedisKeys, err = client.DBSize(ctx).Result(); err != nil {
		return row, err
	}
	if size, err := k.s.redisInfo(ctx, "memory", "used_memory"); err == nil {
		row.RedisSize = round(float64(size) / (1 << 20))
	}
	conn, err := pgx.Connect(ctx, k.s.URL)
	if err != nil {
		return row, err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, `SELECT (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables)::bigint,
		(SELECT count(*) FROM outbox) + (SELECT count(*) FROM event_inbox) + (SELECT count(*) FROM deliveries WHERE status = 'PENDING')`).Scan(&row.DeadTuples, &row.Waiting)
	return row, err
}
