package watch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/recording"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// house is a database and a queue, and the processes on them as the programs make them.
type house struct {
	t         *testing.T
	pg        *pgtest.Server
	ws        dossier.WorkspaceID
	key       string
	env       []string
	recording *recording.Recording
}

func newHouse(t *testing.T) *house {
	t.Helper()
	t.Parallel()
	pg := pgtest.New(t)
	rules, err := watch.Rules()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, pg: pg, ws: pg.Workspace(t), recording: recording.New(string(rules))}
	h.env = []string{"DATABASE_URL=" + pg.Run, "DATABASE_LISTEN_URL=" + pgtest.DirectURL(pg.URL), "REDIS_URL=redis://" + miniredis.RunT(t).Addr(),
		"S3_ENDPOINT=http://127.0.0.1:1", "S3_ACCESS_KEY=a", "S3_SECRET_KEY=b",
		"DOSSIER_PUBLIC_URL=https://dossier.example.com", "DOSSIER_ADDR=127.0.0.1:0",
		"DOSSIER_SECRET_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "DOSSIER_PARSER_SANDBOX=off",
		"DOSSIER_RATE_LIMIT=0", "DOSSIER_WEBHOOK_ALLOW=127.0.0.0/8"}
	_, h.key, err = pg.DB.CreateKey(t.Context(), h.ws, postgres.NewKey{Name: "test",
		Scopes: []dossier.Scope{dossier.ScopeRead, dossier.ScopeWrite}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// process is one that serves, or works.
type process struct {
	*setup.Services
	cfg  setup.Config
	url  string
	stop func()
}

// open makes a process of a release; env adds to what all have.
func (h *house) open(release string, env ...string) *process {
	h.t.Helper()
	cfg, err := setup.Read(append(h.env[:len(h.env):len(h.env)], env...))
	if err != nil {
		h.t.Fatal(err)
	}
	cfg.Release = release
	s, err := setup.Open(h.t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = s.Close() })
	return &process{Services: s, cfg: cfg}
}

// serving starts an API.
func (h *house) serving(release string, env ...string) *process {
	h.t.Helper()
	p := h.open(release, env...)
	server, err := p.NewAPI(p.cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	listening := make(chan net.Addr, 1)
	p.runs(h.t, func(ctx context.Context) error {
		return p.RunAPI(ctx, p.cfg, server, func(at net.Addr) { listening <- at })
	})
	p.url = "http://" + (<-listening).String()
	return p
}

// working starts a worker.
func (h *house) working(release string, env ...string) *process {
	h.t.Helper()
	p := h.open(release, env...)
	w, err := workers.New(p.Services, p.cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	p.runs(h.t, w.Run)
	return p
}

func (p *process) runs(t *testing.T, run func(ctx context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	p.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(p.stop)
}

// look notes what processes say.
func (h *house) look(processes ...*process) {
	now := h.recording.Snapshot(time.Now())
	for _, p := range processes {
		now.Gather(p.Metrics, false)
	}
	now.Record()
}

// calm waits until one of the workers leads and nothing waits: what is seen then is no fault of the load.
func (h *house) calm(processes ...*process) {
	h.t.Helper()
	h.until("a moment without anything that waits", func() bool {
		now := h.recording.Snapshot(time.Now())
		for _, p := range processes {
			now.Gather(p.Metrics, false)
		}
		return now.Value(`dossier_leader{role="housekeeping"}`) == 1 && now.Max("dossier_lane_oldest_seconds") < 0.5 &&
			now.Value("dossier_outbox_oldest_seconds") < 0.5
	})
	h.look(processes...)
}

// do asks the API, and returns the status of its answer: 0 when there was none.
func (h *house) do(method, url, contentType string, body []byte, header ...string) (status int, answer []byte) {
	r, err := http.NewRequestWithContext(h.t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil
	}
	r.Header.Set("x-api-key", h.key)
	r.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	answer, err = io.ReadAll(got.Body)
	_ = got.Body.Close()
	if err != nil {
		return 0, nil
	}
	return got.StatusCode, answer
}

func (h *house) until(what string, met func() bool) {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); !met(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("waited in vain for: %s", what)
		}
	}
}

// told plays what was recorded.
func (h *house) told(fault string) {
	h.t.Helper()
	recording := map[string]map[string]recording.Range{fault: h.recording.Ranges()}
	playRecordings(h.t, recording)
	if dir := os.Getenv("FAULT_SERIES"); dir != "" {
		i := slices.IndexFunc(watch.Faults, func(f watch.Fault) bool { return f.Name == fault })
		if err := h.recording.Write(filepath.Join(dir, watch.Faults[i].File())); err != nil {
			h.t.Error(err)
		}
	}
}

// A table is locked, as by a careless migration, and those who wait for it take their tenant's share of a small pool.
func TestFault_table_locked(t *testing.T) {
	h := newHouse(t)
	p := h.serving("v1", "DOSSIER_DB_POOL=2")
	read := func() int { status, _ := h.do("GET", p.url+"/api/v1/leads", "", nil); return status }
	if status := read(); status != 200 {
		t.Fatalf("status %d", status)
	}
	h.look(p)
	lock, err := pgx.Connect(t.Context(), h.pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close(context.Background()) }()
	if _, err := lock.Exec(t.Context(), `BEGIN; LOCK TABLE leads IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	var good atomic.Int64
	for range 10 {
		readers.Go(func() {
			if read() == 200 {
				good.Add(1)
			}
		})
	}
	h.until("a reader waits for the table, and the others for its connection", func() bool {
		return slices.ContainsFunc(p.DB.Pools(), func(s postgres.PoolState) bool { return s.Name == "tenant" && s.Busy > 0 })
	})
	if !jobs.Sleep(t.Context(), 5100*time.Millisecond) { // slower than the last limit that ApiSlow allows
		t.Fatal("given up")
	}
	if _, err := lock.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	readers.Wait()
	if good.Load() != 10 {
		t.Errorf("%d of 10 readers got their answer", good.Load())
	}
	h.look(p)
	h.told("table locked while a small pool fills up")
}

// Object storage is away: whoever sends a file is told to come again, and nothing is left of it.
func TestFault_storage_away(t *testing.T) {
	h := newHouse(t)
	p := h.serving("v1")
	lead, _ := h.pg.Lead(t, h.ws)
	h.look(p)
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	_ = parts.WriteField("leadId", string(lead)) // into memory: cannot fail
	file, _ := parts.CreateFormFile("files", "a.pdf")
	_, _ = file.Write([]byte("%PDF-1.7"))
	_ = parts.Close()
	for range 3 {
		status, answer := h.do("POST", p.url+"/api/v1/documents", parts.FormDataContentType(), form.Bytes())
		if status != http.StatusServiceUnavailable {
			t.Errorf("status %d: %s", status, answer)
		}
	}
	if n := pgtest.Value[int](t, h.pg, `SELECT count(*) FROM documents`); n != 0 {
		t.Errorf("%d documents without a file", n)
	}
	h.look(p)
	h.told("object storage away while files are sent")
}

// The server of the language model is away.
func TestFault_model_away(t *testing.T) {
	h := newHouse(t)
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	p := h.open("v1", "DOSSIER_LLM_URL="+away.URL, "DOSSIER_LLM_MODEL=m")
	w, err := workers.New(p.Services, p.cfg)
	if err != nil {
		t.Fatal(err)
	}
	h.look(p)
	items := map[string]string{"EIN": "Employer identification number"}
	if _, err := w.Model.Reply(t.Context(), llm.About{Workspace: h.ws, Subject: "s"},
		"The papers are on my table, now what?", items); err == nil {
		t.Error("a server that is away has answered")
	}
	h.look(p)
	h.told("language model away")
}

// A release is started whose schema the database does not have.
func TestFault_schema_behind(t *testing.T) {
	h := newHouse(t)
	for range 2 {
		p := h.open("v1")
		if _, err := workers.New(p.Services, p.cfg); err != nil {
			t.Fatal(err)
		}
		h.look(p)
		h.pg.Exec(t, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	}
	h.told("release started before its migration")
}

// inbox is a customer's endpoint that counts how often each lead's making came.
type inbox struct {
	mu   sync.Mutex
	came map[string]int
}

func (i *inbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var event struct {
		Type string `json:"type"`
		Data struct {
			Lead struct {
				ID string `json:"id"`
			} `json:"lead"`
		} `json:"data"`
	}
	if json.NewDecoder(r.Body).Decode(&event) == nil && event.Type == string(dossier.EventLeadCreated) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.came[event.Data.Lead.ID]++
	}
}

// balancer asks one of the APIs that there are, and another when one does not answer: as clients and balancers do.
type balancer struct {
	h    *house
	mu   sync.Mutex
	apis []*process
}

func (b *balancer) set(apis ...*process) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.apis = slices.Clone(apis) // theirs goes on changing
}

// create makes a lead and returns its id.
func (b *balancer) create(key string) (id string, status int) {
	for try := range 20 {
		b.mu.Lock()
		api := b.apis[try%len(b.apis)]
		b.mu.Unlock()
		code, answer := b.h.do("POST", api.url+"/api/v1/leads", "application/json", []byte(`{"firstName":"Ada"}`),
			"Idempotency-Key", key)
		var made struct {
			Lead struct {
				ID string `json:"id"`
			} `json:"lead"`
		}
		if code == 201 && json.Unmarshal(answer, &made) == nil {
			return made.Lead.ID, code
		}
		if code != 0 {
			return "", code
		}
	}
	return "", 0
}

// Both APIs and both workers are replaced one after the other under load: no request fails, nothing is lost and nothing
// comes twice. The upgrade that stops half-way is told.
func TestFault_rolling_upgrade(t *testing.T) {
	h := newHouse(t)
	box := &inbox{came: map[string]int{}}
	endpoint := httptest.NewServer(box)
	t.Cleanup(endpoint.Close)
	apis := []*process{h.serving("v1"), h.serving("v1")}
	crew := []*process{h.working("v1"), h.working("v1")}
	if _, _, err := h.pg.DB.CreateWebhook(t.Context(), h.ws, dossier.WebhookUpdate{URL: &endpoint.URL,
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}); err != nil {
		t.Fatal(err)
	}
	front := &balancer{h: h}
	front.set(apis...)
	ctx, end := context.WithCancel(t.Context())
	var mu sync.Mutex
	var leads []string
	var clients sync.WaitGroup
	for client := range 2 {
		clients.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				id, status := front.create(fmt.Sprint(client, "-", n))
				if id == "" && ctx.Err() == nil {
					t.Errorf("status %d", status)
				}
				mu.Lock()
				leads = append(leads, id)
				mu.Unlock()
				jobs.Sleep(ctx, 5*time.Millisecond)
			}
		})
	}
	more := func() {
		mu.Lock()
		n := len(leads) + 20
		mu.Unlock()
		h.until("more leads", func() bool { mu.Lock(); defer mu.Unlock(); return len(leads) >= n })
	}
	more()
	h.calm(slices.Concat(apis, crew)...)
	for i := range 2 {
		old, before := apis[i], crew[i]
		apis[i], crew[i] = h.serving("v2"), h.working("v2")
		front.set(apis...)
		var stopping sync.WaitGroup
		stopping.Go(old.stop)
		stopping.Go(before.stop)
		stopping.Wait()
		more()
		if i == 0 {
			h.calm(slices.Concat(apis, crew)...)
		}
	}
	end()
	clients.Wait()
	h.until("all are told", func() bool { box.mu.Lock(); defer box.mu.Unlock(); return len(box.came) == len(leads) })
	box.mu.Lock()
	defer box.mu.Unlock()
	broken := 0
	for _, id := range leads {
		if box.came[id] != 1 {
			broken++
			t.Errorf("lead %s came %d times", id, box.came[id])
		}
	}
	if n := pgtest.Value[int](t, h.pg, `SELECT count(*) FROM leads`); n != len(leads) {
		t.Errorf("%d leads are there, %d were accepted", n, len(leads))
	}
	h.recording.AddOutcome(len(leads), broken, 0)
	t.Logf("%d leads accepted through an upgrade of two APIs and two workers, 0 lost, 0 twice", len(leads))
	h.told("rolling upgrade that gets stuck")
}
