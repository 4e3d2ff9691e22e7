package worker

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

const boardHook = dossier.WebhookID("a")

// madeFor is a round at positions first to last whose deliveries at the given positions are boardHook's.
func madeFor(first, last int64, positions ...int64) postgres.Dispatched {
	round := postgres.Dispatched{Events: int(last - first + 1), First: first, Last: last, Deliveries: map[dossier.WebhookID][]postgres.Outgoing{}}
	for _, position := range positions {
		round.Deliveries[boardHook] = append(round.Deliveries[boardHook], postgres.Outgoing{Position: position})
	}
	if len(positions) > 0 {
		round.Endpoints = []dossier.Webhook{{ID: boardHook}}
	}
	return round
}

func positions(out []postgres.Outgoing) (list []int64) {
	for _, o := range out {
		list = append(list, o.Position)
	}
	return list
}

// A drain is handed what follows what it knows of, and looks for itself after anything that it may not know of.
func TestDrainBoard_hand(t *testing.T) {
	unread := madeFor(13, 13, 13)
	unread.Deliveries = nil
	full := make([]int64, drainBuffer)
	for i := range full {
		full[i] = int64(13 + i)
	}
	tests := map[string]struct {
		tell  func(b *drainBoard)
		want  string
		woken bool
	}{
		"rounds that follow each other":                             {func(b *drainBoard) { b.hand(madeFor(13, 14, 13), true); b.hand(madeFor(15, 15, 15), true) }, "[13 15] false", true},
		"one without anything for it":                               {func(b *drainBoard) { b.hand(madeFor(13, 20), true); b.hand(madeFor(21, 21, 21), true) }, "[21] false", true},
		"an empty one":                                              {func(b *drainBoard) { b.hand(postgres.Dispatched{}, true); b.hand(madeFor(13, 13, 13), true) }, "[13] false", true},
		"one of another process before":                             {func(b *drainBoard) { b.hand(madeFor(14, 14, 14), true) }, "[] true", true},
		"one of another process before one without anything for it": {func(b *drainBoard) { b.hand(madeFor(14, 14), true); b.hand(madeFor(15, 15, 15), true) }, "[] true", true},
		"one of another process after":                              {func(b *drainBoard) { b.hand(madeFor(13, 13, 13), true); b.wake(boardHook) }, "[] true", true},
		"one that may have failed":                                  {func(b *drainBoard) { b.hand(madeFor(13, 13, 13), false) }, "[] true", true},
		"one after one that may have failed":                        {func(b *drainBoard) { b.hand(postgres.Dispatched{}, false); b.hand(madeFor(13, 13, 13), true) }, "[] true", true},
		"one it was not ready for":                                  {func(b *drainBoard) { b.hand(unread, true) }, "[] true", true},
		"more than it reads ahead":                                  {func(b *drainBoard) { b.hand(madeFor(13, 13+drainBuffer, append(full, 13+drainBuffer)...), true) }, "[] true", true},
		"nothing":                                                   {func(*drainBoard) {}, "[] false", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := newDrainBoard()
			b.hand(madeFor(5, 12), true)
			m, leave := b.enter(boardHook)
			test.tell(b)
			woken := len(m.wake) > 0
			handed, look := b.empty(m)
			if got := fmt.Sprint(positions(handed), look); got != test.want || woken != test.woken {
				t.Errorf("%s, woken %t, want %s, %t", got, woken, test.want, test.woken)
			}
			if handed, look := b.empty(m); len(handed) > 0 || look {
				t.Error("it is told twice")
			}
			leave()
			if absent := b.hand(madeFor(100, 100, 100), true); len(absent) != 1 {
				t.Error("one that has left is told")
			}
		})
	}
}

func TestDrainBoard_here(t *testing.T) {
	b := newDrainBoard()
	m, _ := b.enter(boardHook)
	b.enter("b")
	ready := func() string {
		all, ready := b.here()
		slices.Sort(all)
		return fmt.Sprint(all, ready)
	}
	got := []string{ready()}
	b.setReady(m, true)
	got = append(got, ready())
	b.wake(boardHook)
	got = append(got, ready())
	b.empty(m)
	got = append(got, ready())
	if diff := cmp.Diff([]string{"[a b] []", "[a b] [a]", "[a b] []", "[a b] [a]"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a drain is handed comes behind what it has; it looks for itself where the order could suffer.
func TestDrain_told(t *testing.T) {
	tests := map[string]struct {
		drain drain
		want  string
	}{
		"nothing in hand":          {drain{seen: 12, cursor: 12}, "[13 14] at 14, more false"},
		"some in hand":             {drain{seen: 12, cursor: 9, queue: []postgres.Outgoing{{Position: 12}}}, "[12 13 14] at 14, more false"},
		"it read the round itself": {drain{seen: 13, cursor: 13}, "[14] at 14, more false"},
		"it has more to read":      {drain{seen: 12, cursor: 12, more: true}, "[] at 12, more true"},
		"it is to read all again":  {drain{seen: 12, cursor: 12, whole: true}, "[] at 12, more true"},
		"one is retried":           {drain{seen: 12, cursor: 12, endpoint: postgres.Endpoint{Retrying: true}}, "[] at 12, more true"},
		"no room":                  {drain{seen: 12, cursor: 12, queue: make([]postgres.Outgoing, drainBuffer-1)}, "at 12, more true"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b, d := newDrainBoard(), test.drain
			d.w = &Worker{drains: b}
			d.mail, _ = b.enter(boardHook)
			b.hand(madeFor(5, 12), true)
			b.empty(d.mail)
			b.hand(madeFor(13, 14, 13, 14), true)
			d.told()
			if got := fmt.Sprintf("%d at %d, more %t", positions(d.queue), d.cursor, d.more); !strings.HasSuffix(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// What was held back comes before what comes later, also when it is free again by the time that is read or handed.
func TestDrain_passedOver(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	lead := newLead()
	mail, _ := w.drains.enter(r.webhook)
	d := &drain{w: w, mail: mail, held: map[dossier.LeadID]bool{}, more: true, whole: true}
	d.endpoint.Workspace, d.endpoint.ID = b.ws, r.webhook
	dispatch := func() {
		if _, err := w.dispatch(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	read := func(whole bool) (ids []string) {
		d.more, d.whole = true, whole
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
	w.drains.empty(mail)
	w.drains.setReady(mail, true)
	events = append(events, b.emit(1, lead)...)
	dispatch()
	d.told()
	if len(d.queue) != 1 {
		t.Errorf("%d in hand, want only another lead's", len(d.queue))
	}
	d.queue = nil
	if got := read(true); !slices.Equal(slices.DeleteFunc(got, func(id string) bool { return id == other[0] }), events[1:]) {
		t.Errorf("read %v, want %v", got, events[1:])
	}
}

// reads counts what drains ask the database.
type reads struct{ n atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (r *reads) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (r *reads) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (r *reads) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (r *reads) TraceBatchQuery(_ context.Context, _ *pgx.Conn, q pgx.TraceBatchQueryData) {
	if strings.Contains(q.SQL, "ask.webhook") {
		r.n.Add(1)
	}
}

// TraceBatchEnd implements pgx.BatchTracer.
func (r *reads) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// drained runs a worker until its drain has delivered one event and caught up, as caughtUp reports. The drain stays.
func (b *hookBench) drained(r *receiver) (w *Worker, caughtUp func() bool) {
	b.t.Helper()
	w = b.deliverer()
	w.beat.linger = 5 * time.Second
	b.run(w)
	b.emit(1, "")
	caughtUp = func() bool { _, ready := w.drains.here(); return len(ready) == 1 }
	b.until("the drain has caught up", func() bool { return len(r.took()) == 1 && caughtUp() })
	return w, caughtUp
}

// A drain that has caught up is handed what is dispatched in its process and does not ask for it.
func TestDrain_handed(t *testing.T) {
	b, count := setupHooks(t), &reads{}
	db, err := postgres.Open(t.Context(), postgres.Config{URL: b.pg.URL, PoolSize: 8, SecretKey: make([]byte, 32), Tracer: count})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	b.db = db
	r := b.receive(nil)
	_, caughtUp := b.drained(r)
	var ids []string
	before := count.n.Load()
	lead := newLead()
	const events = 60
	for i := range events {
		ids = append(ids, b.emit(1, lead)...)
		b.until("delivered", func() bool { return len(r.took()) == i+2 && caughtUp() })
	}
	if n := count.n.Load() - before; n > events/3 { // it looks whether anything was forgotten, now and then
		t.Errorf("the drain asked %d times for %d events", n, events)
	}
	if got := r.took()[1:]; !slices.Equal(got, ids) {
		t.Errorf("took  %v\nwant  %v", got, ids)
	}
	b.undoubled(t)
}

// What a lead's failed event holds back is not handed past it.
func TestDrain_handed_behindARetry(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n == 2 {
			w.WriteHeader(503)
		}
		return n != 2
	})
	_, caughtUp := b.drained(r)
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
	b.until("the drain has caught up again", func() bool { b.emit(1, ""); return caughtUp() })
}

// What another process dispatched comes before what is handed here afterwards.
func TestDrain_handed_behindAnother(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w, _ := b.drained(r)
	lead := newLead()
	var ids []string
	for range 40 { // now the one, now the other is first
		ids = append(ids, b.emit(1, lead)...)
		if _, err := b.db.DispatchEvents(t.Context(), w.drains.everyone(), nil); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, b.emit(1, lead)...)
	}
	b.until("delivered", func() bool { return len(r.took()) == len(ids)+1 })
	if got := r.took()[1:]; !slices.Equal(got, ids) {
		t.Errorf("took  %v\nwant  %v", got, ids)
	}
	b.undoubled(t)
}

// everyone are all drains: a dispatch of a process that runs them itself tells none of them.
func (b *drainBoard) everyone() []dossier.WebhookID {
	all, _ := b.here()
	return all
}
