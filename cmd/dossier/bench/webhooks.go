package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

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
	Hanging   int // endpoints beside those, which get as much and never answer
}

// WebhooksResult says how deliveries fared, from the commit of the event to the request at the receiver.
type WebhooksResult struct {
	Name       string     `json:"name"`
	Machine    Machine    `json:"machine"`
	Offered    int        `json:"offeredPerSecond"` // 0: as many as can be committed
	Endpoints  int        `json:"endpoints"`
	Hanging    int        `json:"hangingEndpoints"`
	Bare       Throughput `json:"bareLoop"` // signed POST, nothing durable, as many at once
	Backlog    bool       `json:"backlog"`  // all events were committed before the worker started
	BareCPU    CPU        `json:"bareCpuMicroseconds"`
	Deliveries Throughput `json:"deliveries"`
	CPU        CPU        `json:"cpuMicroseconds"` // with the commit of the events, unless Backlog
	Ratio      float64    `json:"ratio"`           // deliveries to bare loop; says something only when Offered is 0
	Latency    Latency    `json:"latency"`         // from when the event was due to be committed, so a late generator counts
	Lost       int        `json:"lost"`
	Duplicates int        `json:"duplicates"`
	SQL        float64    `json:"sqlStatementsPerEvent"` // of the worker; the event's own row is one more, in the commit of its change
	Commits    float64    `json:"sqlTransactionsPerEvent"`
	Redis      float64    `json:"redisCommandsPerEvent"`
	Reused     float64    `json:"connectionsReused"` // share of requests
}

// Webhooks offers test events to endpoints in this process, commits and delivers each, and counts what arrives.
func Webhooks(ctx context.Context, s *Stack, o WebhooksOptions) (WebhooksResult, error) {
	r := WebhooksResult{Name: "webhooks", Machine: s.About, Offered: o.Rate, Endpoints: o.Endpoints, Hanging: o.Hanging, Backlog: o.Backlog}
	if o.Hanging > 0 {
		r.Name = "webhooks-slow-endpoint"
	}
	sink, err := startSink(ctx)
	if err != nil {
		return r, err
	}
	defer sink.close()
	before := s.spent()
	if r.Bare, err = bareLoop(ctx, sink.url, 2*time.Second); err != nil {
		return r, err
	}
	r.BareCPU = s.since(before, r.Bare.Jobs)
	count := &statements{}
	db, err := postgres.Open(ctx, postgres.Config{URL: s.URL, PoolSize: 16, SecretKey: make([]byte, 32), Log: slog.New(slog.DiscardHandler), Tracer: count})
	if err != nil {
		return r, err
	}
	defer db.Close()
	w, client, err := s.deliverer(db)
	if err != nil {
		return r, err
	}
	hooks, err := s.register(ctx, sink, o)
	if err != nil {
		return r, err
	}
	work, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	start := sync.OnceFunc(func() {
		go func() {
			defer close(ended)
			_ = w.Run(work) // it has started: a run can no longer fail
		}()
	})
	defer func() { start(); stop(); <-ended }()
	return r, s.offer(ctx, &r, o, hooks, sink, count, client, start)
}

func (s *Stack) deliverer(db *postgres.DB) (*worker.Worker, *webhooks.Client, error) {
	client := webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Now: time.Now})
	w, err := worker.New(worker.Config{DB: db, Redis: s.Redis, Lanes: []jobs.Lane{jobs.LaneWebhook, jobs.LaneWebhookRetry},
		Log: slog.New(slog.DiscardHandler), NoSchedule: true, Drain: time.Second, Webhooks: worker.WebhookConfig{Client: client}})
	return w, client, err
}

// register makes the endpoints: those that answer first.
func (s *Stack) register(ctx context.Context, sink *sink, o WebhooksOptions) ([]dossier.WebhookID, error) {
	hooks := make([]dossier.WebhookID, o.Endpoints+o.Hanging)
	for i := range hooks {
		url := sink.url
		if i >= o.Endpoints {
			url += "/hang"
		}
		w, _, err := s.DB.CreateWebhook(ctx, s.Workspace, dossier.WebhookUpdate{URL: &url, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
		if err != nil {
			return nil, err
		}
		hooks[i] = w.ID
	}
	return hooks, nil
}

// offer commits the events and waits until those for answering endpoints have arrived, or half a minute after the last.
func (s *Stack) offer(ctx context.Context, r *WebhooksResult, o WebhooksOptions, hooks []dossier.WebhookID, sink *sink, count *statements, client *webhooks.Client, start func()) error {
	asked, err := s.redisCommands(ctx)
	if err != nil {
		return err
	}
	if !o.Backlog {
		start()
	}
	before := s.spent()
	began := time.Now()
	due, err := s.generate(ctx, o, hooks)
	if err != nil {
		return err
	}
	if o.Backlog {
		before = s.spent()
		began = time.Now()
		start()
	}
	wanted := 0
	for _, e := range due {
		if e.answers {
			wanted++
		}
	}
	for limit := time.Now().Add(30 * time.Second); sink.count() < wanted && time.Now().Before(limit) && ctx.Err() == nil; {
		time.Sleep(5 * time.Millisecond)
	}
	took := sink.lastAt().Sub(began)
	r.CPU = s.since(before, sink.count())
	after, err := s.redisCommands(ctx)
	if err != nil {
		return err
	}
	r.Deliveries = throughput(sink.count(), took)
	r.Ratio = round(r.Deliveries.PerSecond / r.Bare.PerSecond)
	var samples []time.Duration
	for _, e := range due {
		switch at, n := sink.seen(e.id); {
		case e.answers && n == 0:
			r.Lost++
		case e.answers:
			samples = append(samples, at.Sub(e.due))
			r.Duplicates += n - 1
		}
	}
	if len(samples) == 0 {
		return errors.New("nothing arrived")
	}
	r.Latency = latency(samples)
	n := float64(len(due))
	r.SQL, r.Commits, r.Redis = round(float64(count.other.Load())/n), round(float64(count.commits.Load())/n), round(float64(after-asked)/n)
	stats := client.Stats()
	r.Reused = round(float64(stats.Reused) / float64(stats.Reused+stats.Opened))
	return nil
}

// offered is one event that was committed.
type offered struct {
	id      dossier.EventID
	due     time.Time
	answers bool
}

// generate commits events at their due times, whatever becomes of earlier ones.
func (s *Stack) generate(ctx context.Context, o WebhooksOptions, hooks []dossier.WebhookID) ([]offered, error) {
	const committers = 24
	began := time.Now()
	var next atomic.Int64
	parts, errs := make([][]offered, committers), make([]error, committers)
	var all sync.WaitGroup
	for c := range committers {
		all.Go(func() {
			for errs[c] == nil && ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				due := time.Now()
				if o.Rate > 0 {
					due = began.Add(time.Duration(i) * time.Second / time.Duration(o.Rate))
				}
				if due.Sub(began) > o.For {
					return
				}
				time.Sleep(time.Until(due))
				hook := i % len(hooks)
				id, err := s.DB.TestWebhook(ctx, s.Workspace, hooks[hook])
				parts[c], errs[c] = append(parts[c], offered{id, due, hook < o.Endpoints}), err
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

func (s *Stack) redisCommands(ctx context.Context) (int, error) {
	info, err := s.Redis.Client().Info(ctx, "stats").Result()
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(info) {
		if number, ok := strings.CutPrefix(strings.TrimSpace(line), "total_commands_processed:"); ok {
			return strconv.Atoi(number)
		}
	}
	return 0, nil // the Redis in process does not count
}

// statements counts what a store asks of its database.
type statements struct{ commits, other atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.count(data.SQL)
	return ctx
}

func (s *statements) count(sql string) {
	switch {
	case strings.HasPrefix(sql, "begin"), sql == "rollback", strings.HasPrefix(sql, "select set_config"):
	case sql == "commit":
		s.commits.Add(1)
	default:
		s.other.Add(1)
	}
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (s *statements) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.count(data.SQL)
}

// TraceBatchEnd implements pgx.BatchTracer.
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// sink is the receiver: it answers at once, except under /hang, and remembers what came when.
type sink struct {
	url    string
	server *http.Server
	done   chan struct{}
	mu     sync.Mutex
	first  map[string]time.Time
	times  map[string]int
	last   time.Time
}

func startSink(ctx context.Context) (*sink, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + listener.Addr().String(), done: make(chan struct{}), first: map[string]time.Time{}, times: map[string]int{}}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(listener) }() // ends with close
	return s, nil
}

func (s *sink) close() {
	close(s.done)
	_ = s.server.Close()
}

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	_, _ = io.Copy(io.Discard, r.Body)
	if r.URL.Path == "/hang" {
		select {
		case <-r.Context().Done():
		case <-s.done:
		}
		return
	}
	id := r.Header.Get(webhooks.HeaderID)
	if id == "" { // the bare loop
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.mu.Lock()
	if s.times[id]++; s.times[id] == 1 {
		s.first[id] = at
		s.last = at
	}
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.first)
}

func (s *sink) lastAt() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

func (s *sink) seen(id dossier.EventID) (time.Time, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first[string(id)], s.times[string(id)]
}

// bareLoop posts signed bodies of a usual size as fast as it can: what the machine can do when nothing is kept.
func bareLoop(ctx context.Context, url string, lasting time.Duration) (Throughput, error) {
	const width = 64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: width}}
	defer client.CloseIdleConnections()
	secret, body := dossier.WebhookSecret([32]byte{}), bytes.Repeat([]byte("x"), 1000)
	ctx, cancel := context.WithTimeout(ctx, lasting)
	defer cancel()
	var sent atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range width {
		all.Go(func() {
			for ctx.Err() == nil && barePost(ctx, client, url+"/bare", secret, body) == nil {
				sent.Add(1)
			}
		})
	}
	all.Wait()
	return throughput(int(sent.Load()), time.Since(began)), nil
}

func barePost(ctx context.Context, client *http.Client, url, secret string, body []byte) error {
	at := time.Now()
	signed, err := webhooks.Sign([]string{secret}, "bare", at, body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set(webhooks.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	req.Header.Set(webhooks.HeaderSignature, signed)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return errors.Join(err, res.Body.Close())
}
