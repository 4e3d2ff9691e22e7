package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// sink is the receiver: it answers at once and records when each event arrived. Some of its paths misbehave.
type sink struct {
	url    string
	server *http.Server
	done   chan struct{}
	mu     sync.Mutex
	seen   map[eventKey]arrival
	last   time.Time
}

// eventKey is an event's id. Neither it nor what is remembered under it holds a pointer: the garbage collector, which
// the worker shares with generator and receiver, need not follow a hundred thousand of them while the worker is
// measured.
type eventKey [36]byte

func keyOf[ID ~string](id ID) (k eventKey) {
	copy(k[:], id)
	return k
}

// arrival is when an event first arrived, and how often.
type arrival struct {
	first time.Duration // since the start of the program
	times int
}

var started = time.Now()

func startSink(ctx context.Context) (*sink, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + listener.Addr().String(), done: make(chan struct{}), seen: map[eventKey]arrival{}}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.server.Serve(listener) }() // ends with close
	return s, nil
}

func (s *sink) close() {
	close(s.done)
	_ = s.server.Close()
}

// failureModes are the paths of endpoints that fail, each in its own way.
var failureModes = []string{"/hang", "/error", "/reset", "/slow", "/redirect"}

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	_, _ = io.Copy(io.Discard, r.Body)
	if r.URL.Path != "/" && r.URL.Path != "" {
		s.misbehave(w, r)
		return
	}
	s.take(keyOf(r.Header.Get(webhooks.HeaderID)), at)
	w.WriteHeader(http.StatusNoContent)
}

func (s *sink) take(id eventKey, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.seen[id]
	if a.times++; a.times == 1 {
		a.first, s.last = at.Sub(started), at
	}
	s.seen[id] = a
}

func (s *sink) misbehave(w http.ResponseWriter, r *http.Request) {
	wait := time.Duration(0)
	switch r.URL.Path {
	case "/hang":
		wait = time.Hour
	case "/slow":
		wait = 2 * time.Second
	case "/error":
		w.WriteHeader(http.StatusInternalServerError)
	case "/redirect":
		http.Redirect(w, r, s.url, http.StatusFound)
	case "/reset":
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}
	select {
	case <-r.Context().Done():
	case <-s.done:
	case <-time.After(wait):
	}
}

func (s *sink) lastAt() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

func (s *sink) arrivalOf(id eventKey) arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[id]
}

// count returns how many requests arrived.
func (s *sink) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.seen {
		n += a.times
	}
	return n
}

func (s *sink) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = map[eventKey]arrival{}
}

// bare measures the bare loop with the body that is delivered, and leaves nothing of it.
func (d *delivering) bare(ctx context.Context, r *WebhooksResult, lasting time.Duration) (err error) {
	defer d.sink.forget()
	body := d.events.body(dossier.EventID(postgres.NewID()))
	if r.Bare, err = bareLoop(ctx, d.sink.url, body, 1, lasting); err != nil {
		return err
	}
	before := d.s.spent()
	r.AtOnce, err = bareLoop(ctx, d.sink.url, body, 64, lasting)
	r.BareCPU = d.s.since(before, r.AtOnce.Jobs)
	return err
}

// bareLoop signs and posts, so many at once: nothing is read, kept or tried again.
func bareLoop(ctx context.Context, url string, body []byte, atOnce int, lasting time.Duration) (Throughput, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: atOnce}}
	defer client.CloseIdleConnections()
	secret := dossier.WebhookSecret([32]byte{})
	ctx, cancel := context.WithTimeout(ctx, lasting)
	defer cancel()
	var sent atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range atOnce {
		all.Go(func() {
			for ctx.Err() == nil && barePost(ctx, client, url, secret, body) == nil {
				sent.Add(1)
			}
		})
	}
	all.Wait()
	if sent.Load() == 0 {
		return Throughput{}, errors.New("the bare loop could not post")
	}
	return throughput(int(sent.Load()), time.Since(began)), nil
}

func barePost(ctx context.Context, client *http.Client, url, secret string, body []byte) error {
	at, id := time.Now(), postgres.NewID()
	signed, err := webhooks.Sign([]string{secret}, id, at, body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(webhooks.HeaderID, id)
	req.Header.Set(webhooks.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	req.Header.Set(webhooks.HeaderSignature, signed)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return errors.Join(err, res.Body.Close())
}
