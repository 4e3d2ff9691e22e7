package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// drill is what outlives a lost server: the archive, the bucket and whoever is sent events.
type drill struct {
	dir, archive string // the server's user may enter the first, and write to the second
	uid, gid     int    // that user
	bucket       objects.Config
	box          *box
}

// place is an installation: a server, and the programs on it.
type place struct {
	operated
	dir, owner string
	key        string
	url        string // of the API
	cancel     context.CancelFunc
	made       restored
}

func newDrill(t *testing.T) *drill {
	t.Helper()
	dir, err := os.MkdirTemp("", "dossier-drill-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d := &drill{dir: dir, archive: filepath.Join(dir, "archive"), bucket: objectstest.Config(t), box: newBox(t)}
	if err := os.Chmod(dir, 0o755); err != nil { // the server may run as another user
		t.Fatal(err)
	}
	if err := os.Mkdir(d.archive, 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}

// environ is a new Redis and the shared bucket beside the database of an owner.
func (d *drill) environ(t *testing.T, owner string) []string {
	t.Helper()
	redis := miniredis.RunT(t)
	return []string{"DATABASE_URL=" + pgtest.DirectURL(owner), "DATABASE_MIGRATE_URL=" + owner,
		"DOSSIER_SECRET_KEY=" + testSecretKey, "REDIS_URL=redis://" + redis.Addr(), "S3_ENDPOINT=" + d.bucket.Endpoint,
		"S3_ACCESS_KEY=" + d.bucket.AccessKey, "S3_SECRET_KEY=" + d.bucket.SecretKey, "S3_BUCKET=" + d.bucket.Bucket,
		"DOSSIER_PUBLIC_URL=https://dossier.example.com", "DOSSIER_ADDR=127.0.0.1:0", "DOSSIER_RATE_LIMIT=0",
		"DOSSIER_RATE_LIMIT_UPLOADS=0", "DOSSIER_WEBHOOK_ALLOW=127.0.0.0/8", "DOSSIER_DB_POOL=8"}
}

// source is the installation that will be lost. Its server archives within a second.
func (d *drill) source(t *testing.T) *place {
	t.Helper()
	whole := fmt.Sprintf("test ! -f %[1]s/%%f && cp %%p %[1]s/%%f.part && mv %[1]s/%%f.part %[1]s/%%f", d.archive)
	p := d.place(t, filepath.Join(d.dir, "lost"), map[string]string{"archive_mode": "on", "archive_timeout": "1",
		"archive_command": whole})
	info, err := os.Stat(filepath.Join(p.dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	user := info.Sys().(*syscall.Stat_t)
	d.uid, d.gid = int(user.Uid), int(user.Gid)
	if err := os.Chown(d.archive, d.uid, d.gid); err != nil {
		t.Fatal(err)
	}
	p.exec(t, "postgres", "CREATE DATABASE dossier")
	p.do(t, "migrate")
	p.do(t, "workspaces", "create", "drill", "--name", "Drill")
	p.key = value[newKey](t, p.operated, "keys", "create", "--workspace", "drill", "--name", "drill").Key
	p.run(t)
	if _, err := p.call(t.Context(), "POST", "/save-webhook", "application/json",
		fmt.Appendf(nil, `{"url":%q,"events":["lead.created","document.received"]}`, d.box.URL)); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *place) exec(t *testing.T, database, sql string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(p.owner)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Database = database
	conn, err := pgx.ConnectConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}

// run starts API and worker; they end with the test, or when the place is given up.
func (p *place) run(t *testing.T) {
	t.Helper()
	cfg, err := setup.Read(p.environ)
	if err != nil {
		t.Fatal(err)
	}
	s, err := setup.Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	server, err := s.NewAPI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w, err := workers.New(s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	p.cancel = cancel
	t.Cleanup(func() {
		cancel()
		ended.Wait()
		_ = s.Close()
	})
	listening := make(chan net.Addr, 1)
	ended.Go(func() { _ = s.RunAPI(ctx, cfg, server, func(at net.Addr) { listening <- at }) })
	ended.Go(func() { _ = w.Run(ctx) })
	p.url = "http://" + (<-listening).String()
}

// call is answered with 2xx, or it is an error.
func (p *place) call(ctx context.Context, method, path, kind string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, p.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("x-api-key", p.key)
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	return text, err
}

// written is one request of the load. What it writes has a name of its own, by which it is found in the database.
type written struct {
	name     string // "lead 7", "update 7", "document 7"
	sum      string // of a document's bytes
	sent     time.Time
	answered time.Time // zero: nobody said that it was done
}

// loading is callers who make leads, change each once, and upload a file for some.
type loading struct {
	place    *place
	next     atomic.Int64
	stop     context.CancelFunc
	ended    sync.WaitGroup
	mu       sync.Mutex
	requests []written
}

func (p *place) load(t *testing.T) *loading {
	t.Helper()
	l := &loading{place: p}
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	t.Cleanup(stop)
	for range 3 {
		l.ended.Go(func() {
			for ctx.Err() == nil && l.round(ctx, int(l.next.Add(1))) == nil {
			}
		})
	}
	return l
}

// end waits until no caller waits for an answer any more.
func (l *loading) end() []written {
	l.stop()
	l.ended.Wait()
	return l.requests
}

func (l *loading) round(ctx context.Context, n int) error {
	text, err := l.do(ctx, written{name: fmt.Sprint("lead ", n)}, "POST", "/api/v1/leads", "application/json",
		fmt.Appendf(nil, `{"firstName":"Ann","externalLeadId":"%d"}`, n))
	if err != nil {
		return err
	}
	var made struct {
		Lead struct {
			ID string `json:"id"`
		} `json:"lead"`
	}
	if err := json.Unmarshal(text, &made); err != nil {
		return err
	}
	if _, err := l.do(ctx, written{name: fmt.Sprint("update ", n)}, "PUT", "/api/v1/leads", "application/json",
		fmt.Appendf(nil, `{"leadId":%q,"lastName":"%d"}`, made.Lead.ID, n)); err != nil || n%15 != 0 {
		return err
	}
	data := fmt.Appendf(nil, "Date,Description,Amount,Balance\n2026-01-0%d,Deposit,%d.00,%d.00\n", 1+n%9, n, n+1000)
	sum := sha256.Sum256(data)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("leadId", made.Lead.ID)
	part, _ := form.CreateFormFile("files", strconv.Itoa(n)+".csv")
	_, _ = part.Write(data)
	_ = form.Close()
	_, err = l.do(ctx, written{name: fmt.Sprint("document ", n), sum: hex.EncodeToString(sum[:])}, "POST", "/api/v1/documents",
		form.FormDataContentType(), body.Bytes())
	return err
}

func (l *loading) do(ctx context.Context, d written, method, path, kind string, body []byte) ([]byte, error) {
	d.sent = time.Now()
	text, err := l.place.call(ctx, method, path, kind, body)
	if err == nil {
		d.answered = time.Now()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, d)
	return text, err
}

// compare looks for everything that was answered before a moment, and for what was sent after it.
func (p *place) compare(t *testing.T, requests []written, moment time.Time, nothingAfter bool) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), `SELECT 'lead ' || external_lead_id, '' FROM leads
		UNION ALL SELECT 'update ' || last_name, '' FROM leads WHERE last_name IS NOT NULL
		UNION ALL SELECT 'document ' || split_part(filename, '.', 1), encode(sha256, 'hex') FROM documents`)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]string{}
	var name, sum string
	if _, err := pgx.ForEachRow(rows, []any{&name, &sum}, func() error { there[name] = sum; return nil }); err != nil {
		t.Fatal(err)
	}
	before, after := 0, 0
	for _, d := range requests {
		sum, found := there[d.name]
		switch {
		case !d.answered.IsZero() && d.answered.Before(moment):
			if before++; !found || sum != d.sum {
				t.Errorf("%s was answered %v before the moment and is lost (%q)", d.name, moment.Sub(d.answered), sum)
			}
		case nothingAfter && d.sent.After(moment):
			if after++; found {
				t.Errorf("%s was sent %v after the moment and is here", d.name, d.sent.Sub(moment))
			}
		}
	}
	if before == 0 || nothingAfter && after == 0 {
		t.Errorf("%d requests before the moment, %d after it: nothing was tried", before, after)
	}
	t.Logf("%d requests answered before the moment are there, %d sent after it are not", before, after)
}

// live starts the programs on a restored database and waits until all is done: every job has ended, and each lead's events
// went out, before the loss or now, under one id.
func (p *place) live(t *testing.T, d *drill) {
	t.Helper()
	p.run(t)
	defer p.cancel()
	text, err := p.call(t.Context(), "GET", "/api/v1/events?limit=1", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var feed struct {
		Epoch int64 `json:"epoch"`
	}
	if err := json.Unmarshal(text, &feed); err != nil || feed.Epoch < 2 {
		t.Errorf("the feed did not begin anew: %s %v", text, err)
	}
	await(t, "the end of every job", func() bool {
		return rowsOf(t, p.owner, `SELECT count(*) FROM jobs WHERE status IN ('QUEUED', 'RUNNING', 'RETRY')`) == 0
	})
	if n := rowsOf(t, p.owner, `SELECT count(*) FROM jobs WHERE status = 'FAILED'`); n > 0 {
		t.Errorf("%d jobs failed", n)
	}
	conn, err := pgx.Connect(t.Context(), p.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), `SELECT 'lead.created ' || id FROM leads
		UNION ALL SELECT 'document.received ' || lead_id FROM documents`)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	await(t, "every event at the receiver", func() bool { return d.box.missing(keys) == "" })
	for _, key := range keys {
		if ids := d.box.ids(key); ids != 1 {
			t.Errorf("%s went out under %d ids", key, ids)
		}
	}
}

func await(t *testing.T, what string, reached func() bool) {
	t.Helper()
	limit := time.Now().Add(2 * time.Minute)
	for !reached() {
		if time.Now().After(limit) {
			t.Fatalf("%s: not within two minutes", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// box acknowledges events and remembers under which ids each came, by its type and lead.
type box struct {
	*httptest.Server
	mu   sync.Mutex
	seen map[string]map[string]bool
}

func newBox(t *testing.T) *box {
	t.Helper()
	b := &box{seen: map[string]map[string]bool{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

// ServeHTTP implements http.Handler.
func (b *box) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var event struct {
		Type string `json:"type"`
		Data struct {
			LeadID string `json:"leadId"`
		} `json:"data"`
	}
	_ = json.NewDecoder(r.Body).Decode(&event) // what is not read is missing in the end
	b.mu.Lock()
	defer b.mu.Unlock()
	key := event.Type + " " + event.Data.LeadID
	if b.seen[key] == nil {
		b.seen[key] = map[string]bool{}
	}
	b.seen[key][r.Header.Get("webhook-id")] = true
}

// missing is one of the keys that did not come; empty: all did.
func (b *box) missing(keys []string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		if b.seen[key] == nil {
			return key
		}
	}
	return ""
}

func (b *box) ids(key string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.seen[key])
}
