package worker

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// What was held back comes before what comes later, also when it is free again by the time that is read.
func TestDrain_passedOver(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	lead := newLead()
	d := &endpointSender{w: w, blocked: map[dossier.LeadID]bool{}, more: true, fromStart: true}
	d.endpoint.Workspace, d.endpoint.ID = b.ws, r.webhook
	dispatch := func() {
		if _, err := b.db.DispatchEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	read := func(whole bool) (ids []string) {
		d.more, d.fromStart = true, whole
		d.read(t.Context())
		for _, o := range d.queue {
			ids = append(ids, string(o.EventID))
		}
		return ids
	}
	events := b.emit(2, lead)
	dispatch()
	b.pg.Exec(t, `UPDATE deliveries SET tries = 1, attempts = 1 WHERE event_id = $1`, events[0])
	if got := read(true); len(got) != 0 {
		t.Fatalf("read %v", got)
	}
	b.pg.Exec(t, `UPDATE deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL, completed_at = now() WHERE event_id = $1`, events[0])
	other := b.emit(1, newLead())
	events = append(events, b.emit(1, lead)...)
	dispatch()
	if got := read(false); !slices.Equal(got, other) {
		t.Errorf("read %v, want only another lead's %v", got, other)
	}
	d.queue = nil
	if got := read(true); !slices.Equal(slices.DeleteFunc(got, func(id string) bool { return id == other[0] }), events[1:]) {
		t.Errorf("read %v, want %v", got, events[1:])
	}
}

// A sender with nothing in hand that is told of what is new reads what comes behind; only what may have become free
// has it read everything that waits again.
func TestDrain_told(t *testing.T) {
	w := setupHooks(t).deliverer()
	board, id := newSenderBoard(), dossier.WebhookID(postgres.NewID())
	wake, leave := board.register(id)
	defer leave()
	for _, told := range [][]bool{{false}, {true}, {true, false}, {false, true}} {
		d := &endpointSender{w: w, wake: wake, blocked: map[dossier.LeadID]bool{newLead(): true}}
		d.endpoint.Retrying, d.rescan, d.stopped = true, d.w.Now(), errDisabled // it reads nothing here
		for _, freed := range told {
			board.wake(id, freed)
		}
		d.wait(t.Context(), time.Minute)
		d.launch(t.Context())
		if want := slices.Contains(told, true); !d.more || d.fromStart != want {
			t.Errorf("told %v: more %v, whole %v", told, d.more, d.fromStart)
		}
	}
}

// What comes when a sender's slice is over, and no other job waits for its slot, is sent in the same step and does not
// wait for the next event.
func TestDrain_extended_sends(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	d := &endpointSender{w: w, sliceEnd: w.Now(), maxEnd: w.Now().Add(time.Minute), more: true, rescan: w.Now(),
		readAt: w.Now(), lastWork: w.Now(), leads: map[dossier.LeadID]bool{}, blocked: map[dossier.LeadID]bool{},
		sending: map[dossier.DeliveryID]int{}, results: make(chan result, 1)}
	d.endpoint.Workspace, d.endpoint.ID, d.endpoint.URL = b.ws, r.webhook, "http://127.0.0.1:9"
	b.emit(1, "")
	if _, err := b.db.DispatchEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, done := d.step(t.Context()); done || len(d.sending) != 1 {
		t.Fatalf("%d requests under way, at its end: %v", len(d.sending), done)
	}
	<-d.results // the request ends before its endpoint does
}

// What a lead's failed event holds back is not sent past it.
func TestDrain_behindARetry(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n == 2 {
			w.WriteHeader(503)
		}
		return n != 2
	})
	b.run(b.deliverer())
	b.emit(1, "")
	b.until("the first has come", func() bool { return len(r.took()) == 1 })
	lead := newLead()
	ids := b.emit(1, lead)
	b.until("it failed", func() bool {
		return b.rows(`deliveries WHERE tries = 1 AND status = 'PENDING'`) == 1
	})
	b.emit(5, "") // others go on
	ids = append(ids, b.emit(3, lead)...)
	b.until("delivered", func() bool { return len(r.took()) == 10 })
	got := slices.DeleteFunc(r.took(), func(id string) bool { return !slices.Contains(ids, id) })
	if !slices.Equal(got, ids) {
		t.Errorf("took  %v\nwant  %v", got, ids)
	}
}

// A sender has no more bodies in hand than its share of what all senders of a process may have, and one more at most;
// in the end everything is delivered.
func TestDrain_bytes(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	const others, events, size = 31, 60, 200 << 10
	for range others {
		_, leave := w.senders.register(dossier.WebhookID(postgres.NewID()))
		defer leave()
	}
	b.emit(events, "")
	b.pg.Exec(t, `UPDATE events SET body = body || repeat(' ', $1)`, size)
	for n := 1; n > 0; {
		var err error
		if n, err = b.db.DispatchEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	d := &endpointSender{w: w, blocked: map[dossier.LeadID]bool{}, more: true, fromStart: true}
	d.endpoint.Workspace, d.endpoint.ID = b.ws, r.webhook
	for d.wantsPage() {
		d.read(t.Context())
	}
	if got := d.inHand(); got < size || got > senderBytes/others+2*size {
		t.Errorf("%d bytes in hand", got)
	}
	b.run(w)
	b.until("delivered", func() bool { return len(r.took()) == events })
}

// A worker that stops ends its sender by itself, whatever comes meanwhile: none of its requests is broken off, to be
// made once more by the next.
func TestDrain_ends_with_its_worker(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	w.Drain = 5 * time.Second
	stop := b.run(w)
	ended := make(chan struct{})
	var steady sync.WaitGroup
	steady.Go(func() {
		for {
			select {
			case <-ended:
				return
			default:
				b.emit(1, newLead())
			}
		}
	})
	b.until("it sends", func() bool { return len(r.took()) > 10 })
	stop()
	close(ended)
	steady.Wait()
	if n, _ := figureOf(w.Metrics.(prometheus.Gatherer), "dossier_jobs_total", "released"); n != 0 {
		t.Errorf("%v jobs were broken off", n)
	}
	if n := b.rows(`deliveries WHERE status = 'SUCCEEDED'`); n != len(r.took()) {
		t.Errorf("%d deliveries are recorded, %d were made", n, len(r.took()))
	}
}
