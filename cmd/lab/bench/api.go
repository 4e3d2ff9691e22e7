package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/storage/postgres"
)

// APIResult compares operations of the API with a bare handler on the same machine in the same run: one Fiber route
// and pgx, no keys, no limits, no row-level security. All run a saturating closed loop; the figures are the medians of
// rounds that take turns. The bare write makes two rows in plain tables; sameRows makes, just as barely, the rows that
// startPipeline makes (run, ledger, outbox), so that the cost of the ledger and that of the API can be told apart.
type APIResult struct {
	Name       string      `json:"name"`
	Machine    Machine     `json:"machine"`
	Callers    int         `json:"callers"`
	Rounds     int         `json:"rounds"`
	Bare       Load        `json:"bare"`
	Operations []Operation `json:"operations"`
}

// Load is what a closed loop reached.
type Load struct {
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50Ms"`
	P95       float64 `json:"p95Ms"`
	P99       float64 `json:"p99Ms"`
	Failed    int     `json:"failed"` // answers that were not the expected one
	CPU       CPU     `json:"cpuMicroseconds"`
	Answered  int     `json:"-"`
}

// Operation is one operation of the API under load.
type Operation struct {
	Name string `json:"name"`
	Load
	Ratio  float64 `json:"ratio"`                     // to bare
	ToSame float64 `json:"ratioToSameRows,omitempty"` // of startPipeline to sameRows
}

const (
	callers = 32
	rounds  = 5
)

// target is one request that is repeated. LEAD in its address or body becomes the caller's own lead: callers of a
// real installation do not all work on one.
type target struct {
	name, method, url, body, key string
	leads                        []string
	status                       int
}

// APIWrite measures writes. The bare one inserts a row and an outbox row in one transaction; startPipeline is the
// operation that does the same behind the API. Each round lasts for.
func APIWrite(ctx context.Context, s *Stack, each time.Duration) (APIResult, error) {
	result, err := s.measureAgainstBaseline(ctx, "api-write", each, func(a served) []target {
		row := `{"leadId":"LEAD","title":"A call"}`
		return []target{
			{name: "bare", method: "POST", url: a.bare + "/row", leads: a.leads, body: row, status: 201},
			{name: "sameRows", method: "POST", url: a.bare + "/same", leads: a.leads, body: row, status: 201},
			{name: "startPipeline", method: "POST", url: a.url + "/pipelines/run/match-documents", key: a.key,
				leads: a.leads, body: `{"leadId":"LEAD"}`, status: 202},
			{name: "createActivity", method: "POST", url: a.url + "/api/v1/activity", key: a.key, leads: a.leads,
				body: `{"leadId":"LEAD","eventType":"call","title":"A call"}`, status: 201},
		}
	})
	if err == nil {
		same, start := result.Operations[0], &result.Operations[1]
		start.ToSame = round(start.PerSecond / same.PerSecond)
	}
	return result, err
}

// APIRead measures reads. The bare one selects a row by its primary key, as readActionLog does behind the API.
func APIRead(ctx context.Context, s *Stack, each time.Duration) (APIResult, error) {
	return s.measureAgainstBaseline(ctx, "api-read", each, func(a served) []target {
		return []target{
			{name: "bare", method: "GET", url: a.bare + "/row", status: 200},
			{name: "readActionLog", method: "GET", url: a.url + "/api/v1/action-logs/" + a.log, key: a.key,
				status: 200},
			{name: "readChecklist", method: "GET", url: a.url + "/api/v1/leads/LEAD/checklist", key: a.key,
				leads: a.leads, status: 200},
			{name: "readLead", method: "GET", url: a.url + "/api/v1/leads/LEAD", key: a.key, leads: a.leads,
				status: 200},
			{name: "listLeads", method: "GET", url: a.url + "/api/v1/leads?limit=50", key: a.key, status: 200},
		}
	})
}

// served is the product and the baseline, both on loopback, and what there is to ask them about.
type served struct {
	url, key, bare string
	leads          []string
	log            string // an entry on a lead's timeline
}

// measureAgainstBaseline runs both servers and compares operations with the first of the targets.
func (s *Stack) measureAgainstBaseline(ctx context.Context, name string, each time.Duration,
	targets func(served) []target) (APIResult, error) {
	var a served
	var stop, stopBare func()
	var err error
	if a.url, a.key, stop, err = s.startAPI(); err != nil {
		return APIResult{}, err
	}
	defer stop()
	if a.leads, a.log, err = makeLeads(a.url, a.key); err != nil {
		return APIResult{}, err
	}
	if a.bare, stopBare, err = s.startBare(ctx); err != nil {
		return APIResult{}, err
	}
	defer stopBare()
	return s.compare(name, each, targets(a)...)
}

// startAPI serves the product on loopback, with keys and counted limits as in production.
func (s *Stack) startAPI(changes ...func(*api.Config)) (url, key string, stop func(), err error) {
	config := api.Config{DB: s.DB, Objects: s.Objects, Cache: s.Redis, Log: slog.New(slog.DiscardHandler),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, RateLimit: 1_000_000_000}
	for _, change := range changes {
		change(&config)
	}
	server, err := api.New(config)
	if err != nil {
		return "", "", nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", nil, err
	}
	go func() { _ = server.Serve(listener, nil) }() // ends with stop
	_, key, err = s.DB.CreateKey(context.Background(), s.Workspace, postgres.NewKey{Name: "bench"})
	stop = func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
	}
	return "http://" + listener.Addr().String(), key, stop, err
}

// startBare serves the baseline: two plain tables, a pool as large as the product's.
func (s *Stack) startBare(ctx context.Context) (url string, stop func(), err error) {
	cfg, err := pgxpool.ParseConfig(s.URL)
	if err != nil {
		return "", nil, err
	}
	cfg.MaxConns = 16
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return "", nil, err
	}
	_, err = pool.Exec(ctx, `
		CREATE TABLE IF NOT EXISTS bare_rows (id uuid PRIMARY KEY, lead_id uuid NOT NULL, title text NOT NULL,
			created_at timestamptz NOT NULL DEFAULT now());
		CREATE TABLE IF NOT EXISTS bare_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			payload jsonb NOT NULL);
		INSERT INTO bare_rows VALUES ('00000000-0000-7000-8000-000000000000', '00000000-0000-7000-8000-000000000000',
			'A row') ON CONFLICT DO NOTHING`)
	if err != nil {
		pool.Close()
		return "", nil, err
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Post("/row", func(c *fiber.Ctx) error { return bareWrite(c, pool) })
	app.Post("/same", func(c *fiber.Ctx) error { return s.bareSame(c, pool) })
	app.Get("/row", func(c *fiber.Ctx) error { return bareRead(c, pool) })
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		pool.Close()
		return "", nil, err
	}
	go func() { _ = app.Listener(listener) }() // ends with stop
	return "http://" + listener.Addr().String(), func() { _ = app.Shutdown(); pool.Close() }, nil
}

type bareRow struct {
	ID     string `json:"id"`
	LeadID string `json:"leadId"`
	Title  string `json:"title"`
}

// bareInsert is one statement of a bare write.
type bareInsert struct {
	sql  string
	args []any
}

func bareWrite(c *fiber.Ctx, pool *pgxpool.Pool) error {
	return bareTx(c, pool, func(row bareRow) []bareInsert {
		return []bareInsert{
			{"INSERT INTO bare_rows (id, lead_id, title) VALUES ($1, $2, $3)", []any{row.ID, row.LeadID, row.Title}},
			{"INSERT INTO bare_outbox (payload) VALUES ($1)", []any{row}},
		}
	})
}

// bareSame makes the rows of a started pipeline run.
func (s *Stack) bareSame(c *fiber.Ctx, pool *pgxpool.Pool) error {
	return bareTx(c, pool, func(row bareRow) []bareInsert {
		job, now := postgres.NewID(), time.Now()
		return []bareInsert{
			{"INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, created_at) VALUES ($1, $2, " +
				"'bare', $3, $4)", []any{s.Workspace, row.ID, row, now}},
			{`INSERT INTO jobs (id, workspace_id, kind, lane, payload, max_attempts, run_at, subject_id, created_at)
				VALUES ($1, $2, 'bench.bare', 'bench', $3, 1, $4, $5, $4)`, []any{job, s.Workspace, row, now, row.ID}},
			{"INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at) VALUES ($1, $2, 1, " +
				"'bench.bare', 'bench', $3, $4)", []any{s.Workspace, job, row, now}},
		}
	})
}

// bareTx writes a request's rows in one transaction. Its context is not Fiber's own, whose fields fasthttp changes when
// it stops.
func bareTx(c *fiber.Ctx, pool *pgxpool.Pool, inserts func(bareRow) []bareInsert) error {
	ctx := c.UserContext()
	var row bareRow
	if err := json.Unmarshal(c.Body(), &row); err != nil {
		return err
	}
	row.ID = postgres.NewID()
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	for _, insert := range inserts(row) {
		if _, err := tx.Exec(ctx, insert.sql, insert.args...); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	return c.Status(201).JSON(row)
}

func bareRead(c *fiber.Ctx, pool *pgxpool.Pool) error {
	row := bareRow{ID: "00000000-0000-7000-8000-000000000000"}
	err := pool.QueryRow(c.UserContext(), "SELECT lead_id::text, title FROM bare_rows WHERE id = $1",
		row.ID).Scan(&row.LeadID, &row.Title)
	if err != nil {
		return err
	}
	return c.JSON(row)
}

// makeLeads makes a lead for each caller, and an entry on the last one's timeline.
func makeLeads(url, key string) (leads []string, log string, err error) {
	for range callers {
		var made struct {
			Lead struct {
				ID string `json:"id"`
			} `json:"lead"`
		}
		if err := call(target{method: "POST", url: url + "/api/v1/leads", key: key,
			body: `{"businessName":"Harbor Bakery LLC"}`, status: 201}, &made); err != nil {
			return nil, "", err
		}
		leads = append(leads, made.Lead.ID)
	}
	var entry struct {
		ActionLogID string `json:"actionLogId"`
	}
	err = call(target{method: "POST", url: url + "/api/v1/activity", key: key, leads: leads[callers-1:],
		body: `{"leadId":"LEAD","eventType":"call","title":"A call"}`, status: 201}, &entry)
	return leads, entry.ActionLogID, err
}

func call(t target, into any) error {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	t.write(request, 0)
	if err := fasthttp.Do(request, response); err != nil {
		return err
	}
	if response.StatusCode() != t.status {
		return fmt.Errorf("%s %s: status %d: %s", t.method, t.url, response.StatusCode(), response.Body())
	}
	return json.Unmarshal(response.Body(), into)
}

// write fills a request as caller number i sends it.
func (t target) write(request *fasthttp.Request, i int) {
	if len(t.leads) > 0 {
		t.url, t.body = strings.Replace(t.url, "LEAD", t.leads[i], 1), strings.Replace(t.body, "LEAD", t.leads[i], 1)
	}
	request.Header.SetMethod(t.method)
	request.SetRequestURI(t.url)
	if t.key != "" {
		request.Header.Set("x-api-key", t.key)
	}
	if t.body != "" {
		request.Header.SetContentType("application/json")
		request.SetBodyString(t.body)
	}
}

// compare runs the targets alternately; the first is the baseline.
func (s *Stack) compare(name string, each time.Duration, targets ...target) (APIResult, error) {
	result := APIResult{Name: name, Machine: s.About, Callers: callers, Rounds: rounds}
	all := make([][]Load, len(targets))
	for range rounds {
		for i, t := range targets {
			load, err := s.saturate(t, each)
			if err != nil {
				return result, err
			}
			all[i] = append(all[i], load)
		}
	}
	result.Bare = median(all[0])
	for i, t := range targets[1:] {
		load := median(all[i+1])
		result.Operations = append(result.Operations, Operation{Name: t.name, Load: load,
			Ratio: round(load.PerSecond / result.Bare.PerSecond)})
	}
	return result, nil
}

// median takes the middle of each figure over rounds; failures are added up.
func median(loads []Load) Load {
	middle := func(figure func(Load) float64) float64 {
		values := make([]float64, len(loads))
		for i, load := range loads {
			values[i] = figure(load)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	out := Load{PerSecond: middle(func(l Load) float64 { return l.PerSecond }),
		P50: middle(func(l Load) float64 { return l.P50 }),
		P95: middle(func(l Load) float64 { return l.P95 }), P99: middle(func(l Load) float64 { return l.P99 }),
		CPU: CPU{Process: middle(func(l Load) float64 { return l.CPU.Process }),
			Postgres: middle(func(l Load) float64 { return l.CPU.Postgres }),
			Redis:    middle(func(l Load) float64 { return l.CPU.Redis }),
			Total:    middle(func(l Load) float64 { return l.CPU.Total })}}
	for _, load := range loads {
		out.Failed += load.Failed
	}
	return out
}

// saturate repeats a request from all callers, each sending its next when it has its answer.
func (s *Stack) saturate(t target, each time.Duration) (Load, error) {
	client := &fasthttp.HostClient{Addr: host(t.url), MaxConns: callers}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var all []time.Duration
	failed := 0
	before, began := s.spent(), time.Now()
	var done sync.WaitGroup
	for i := range callers {
		done.Go(func() {
			took, wrong := repeat(client, t, i, began.Add(each))
			mu.Lock()
			defer mu.Unlock()
			all, failed = append(all, took...), failed+wrong
		})
	}
	done.Wait()
	took := time.Since(began)
	if len(all) == 0 {
		return Load{}, fmt.Errorf("%s: no request was answered as expected (%d others)", t.name, failed)
	}
	load := loadOf(all, took)
	load.Failed, load.CPU, load.Answered = failed, s.since(before, len(all)), len(all)
	return load, nil
}

func repeat(client *fasthttp.HostClient, t target, caller int, until time.Time) (took []time.Duration, failed int) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	t.write(request, caller)
	for {
		began := time.Now()
		if began.After(until) {
			return took, failed
		}
		if err := client.Do(request, response); err != nil || response.StatusCode() != t.status {
			failed++
			continue
		}
		took = append(took, time.Since(began))
	}
}

func host(url string) string {
	address, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	return address
}
