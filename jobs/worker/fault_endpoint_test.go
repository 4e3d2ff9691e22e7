package worker

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// misbehaviour is what an endpoint does, and what becomes of its delivery: every one ends, within its tries, with the class
// of what went wrong in its log.
type misbehaviour struct {
	name   string
	answer func(n int, w http.ResponseWriter, r *http.Request) bool
	url    string // instead of its own
	status dossier.DeliveryStatus
	class  dossier.ErrorClass
	tries  int
}

var misbehaviours = []misbehaviour{
	{name: "27 hangs before the head", status: dossier.DeliveryFailed, class: dossier.ErrorTimeoutHead, tries: 2,
		answer: func(_ int, _ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return false }},
	{name: "28 drips a body for ever", status: dossier.DeliverySucceeded, tries: 1,
		answer: func(_ int, w http.ResponseWriter, r *http.Request) bool {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, ".")
				_ = http.NewResponseController(w).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(20 * time.Millisecond): // the drip is the fault
				}
			}
			return true
		}},
	{name: "29 body of 100 MB", status: dossier.DeliverySucceeded, tries: 1,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			megabyte := bytes.Repeat([]byte("x"), 1<<20)
			for range 100 {
				if _, err := w.Write(megabyte); err != nil {
					break
				}
			}
			return true
		}},
	{name: "30 gzip bomb", status: dossier.DeliverySucceeded, tries: 1,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(gzipBomb())
			return true
		}},
	{name: "31 redirect to the metadata service", status: dossier.DeliveryFailed, class: dossier.ErrorRedirect, tries: 2,
		answer: func(_ int, w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
			return false
		}},
	{name: "33 mapped address", url: "http://[::ffff:10.0.0.1]/", status: dossier.DeliveryFailed, class: dossier.ErrorBlockedAddress, tries: 2},
	{name: "33 NAT64 address", url: "http://[64:ff9b::a00:1]/", status: dossier.DeliveryFailed, class: dossier.ErrorBlockedAddress, tries: 2},
	{name: "33 6to4 address", url: "http://[2002:a00:1::]/", status: dossier.DeliveryFailed, class: dossier.ErrorBlockedAddress, tries: 2},
	{name: "34 429 with a negative Retry-After", status: dossier.DeliverySucceeded, tries: 2, answer: onceThen(429, "-5")},
	{name: "34 503 with a Retry-After of one second", status: dossier.DeliverySucceeded, tries: 2, answer: onceThen(503, "1")},
	{name: "36 reset after the request was sent", status: dossier.DeliveryFailed, class: dossier.ErrorReset, tries: 2,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool { hangUp(w, ""); return false }},
	{name: "37 100-continue and nothing", status: dossier.DeliveryFailed, class: dossier.ErrorReset, tries: 2,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			hangUp(w, "HTTP/1.1 100 Continue\r\n\r\n")
			return false
		}},
	{name: "37 early success, then reset", status: dossier.DeliverySucceeded, tries: 1,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			hangUp(w, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nbeg")
			return true
		}},
	{name: "42 body that is no UTF-8", status: dossier.DeliverySucceeded, tries: 1,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, "\xff\xfe\x00")
			return true
		}},
	{name: "42 huge head", status: dossier.DeliveryFailed, class: dossier.ErrorTooLarge, tries: 2,
		answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("X-Large", strings.Repeat("x", 100<<10))
			return false
		}},
}

// gzipBomb is 8 MiB that travel as few bytes. Made once: an endpoint's answer has a time limit.
var gzipBomb = sync.OnceValue(func() []byte {
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	_, _ = w.Write(make([]byte, 8<<20)) // into memory: cannot fail
	_ = w.Close()
	return small.Bytes()
})

// onceThen fails the first request.
func onceThen(status int, retryAfter string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			w.Header().Set("Retry-After", retryAfter)
			w.WriteHeader(status)
		}
		return n > 1
	}
}

// hangUp writes raw bytes and resets the connection.
func hangUp(w http.ResponseWriter, raw string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, raw)
	if raw != "" { // a reset would overtake it
		_ = conn.(*net.TCPConn).CloseWrite()
	} else {
		_ = conn.(*net.TCPConn).SetLinger(0)
	}
	_ = conn.Close()
}

// Endpoints that misbehave in all ways, side by side with one that does not, which gets everything once.
func faultEndpoints(t *testing.T) {
	b := setupHooks(t)
	b.schedule, b.head = dossier.Schedule{0, time.Second}, 4*time.Second
	gzipBomb()
	healthy := b.receive(nil)
	endpoints := make([]*receiver, len(misbehaviours))
	for i, m := range misbehaviours {
		endpoints[i] = b.receive(m.answer)
		if m.url != "" { // registered before a rule, or by a name that led elsewhere then
			b.pg.Exec(t, `UPDATE webhooks SET url = $2 WHERE id = $1`, endpoints[i].webhook, m.url)
		}
	}
	selfSigned := httptest.NewTLSServer(healthy)
	t.Cleanup(selfSigned.Close)
	strange := b.receive(nil)
	b.pg.Exec(t, `UPDATE webhooks SET url = $2 WHERE id = $1`, strange.webhook, selfSigned.URL)
	b.run(b.deliverer())
	id := b.emit(1, newLead())
	b.undoubled(t)
	if got := healthy.took(); len(got) != 1 || got[0] != id[0] {
		t.Errorf("the healthy endpoint took %v", got)
	}
	for i, m := range misbehaviours {
		b.ended(t, endpoints[i], m)
	}
	b.ended(t, strange, misbehaviour{name: "35 certificate of nobody", status: dossier.DeliveryFailed, class: dossier.ErrorTLS, tries: 2})
}

// ended: the endpoint's one delivery ended so.
func (b *hookBench) ended(t *testing.T, r *receiver, m misbehaviour) {
	t.Helper()
	t.Run(m.name, func(t *testing.T) {
		got := pgtest.Value[string](t, b.pg, `SELECT d.status || ' ' || (SELECT error FROM attempts a WHERE a.delivery_id = d.id ORDER BY number DESC LIMIT 1) || ' ' || d.attempts
			FROM deliveries d WHERE d.webhook_id = $1`, r.webhook)
		if want := fmt.Sprintf("%s %s %d", m.status, m.class, m.tries); got != want {
			t.Errorf("the delivery ended %q, want %q", got, want)
		}
		if n := pgtest.Value[int](t, b.pg, `SELECT max(length(response)) FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = $1`, r.webhook); n > 16<<10 {
			t.Errorf("%d bytes of the answer are kept", n)
		}
	})
}

// An endpoint that flaps: its breaker opens after five failures, no try is spent while it is open, one probe decides, and
// in the end all is delivered in order.
func faultFlapping(t *testing.T) {
	b := setupHooks(t)
	b.schedule = dossier.Schedule{0, time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, time.Second}
	b.inflight = 1
	var ill atomic.Bool
	ill.Store(true)
	r := b.receive(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		if ill.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return !ill.Load()
	})
	b.run(b.deliverer())
	for range 8 {
		b.emit(2, newLead())
	}
	opened := func() int {
		b.until("the breaker is open and all wait", func() bool {
			return b.count(dossier.JobRunning)+b.count(dossier.JobQueued) == 0 && pgtest.Value[bool](t, b.pg,
				`SELECT coalesce((breaker->>'OpenFor')::bigint, 0) > 0 AND (breaker->>'OpenUntil')::timestamptz > now() FROM webhooks WHERE id = $1`, r.webhook)
		})
		calls, _, _ := r.tally()
		return calls
	}
	first := opened()
	if first < 5 || first > 16 {
		t.Errorf("%d requests until it opened, want five, and what was under way meanwhile", first)
	}
	b.openTimePasses(r)
	if probed := opened(); probed != first+1 {
		t.Errorf("%d requests when its time had passed, want one probe", probed-first)
	}
	ill.Store(false)
	b.openTimePasses(r)
	b.undoubled(t)
	if calls, _, _ := r.tally(); calls != first+1+16 {
		t.Errorf("%d requests, want the %d that failed and one for each event", calls, first+1)
	}
}

// openTimePasses lets the time of an open breaker pass at once, for all jobs that wait for it.
func (b *hookBench) openTimePasses(r *receiver) {
	b.t.Helper()
	b.pg.Exec(b.t, `UPDATE webhooks SET breaker = jsonb_set(breaker, '{OpenUntil}', to_jsonb(now() - interval '1 second')) WHERE id = $1`, r.webhook)
	b.pg.Exec(b.t, `UPDATE jobs SET run_at = now() - interval '1 minute' WHERE status = 'RETRY'`)
	if err := b.redis.Client().FlushDB(b.t.Context()).Err(); err != nil { // the queue's own due times go with it
		b.t.Fatal(err)
	}
}
