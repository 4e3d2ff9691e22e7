package worker

import (
	"sync"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// drainBoard is what the dispatcher, the drains and the retries of this process share: what each drain is told, and how many
// requests are under way at each endpoint.
type drainBoard struct {
	mu       sync.Mutex
	drains   map[dossier.WebhookID]*mailbox
	inflight map[dossier.WebhookID]int
	last     int64 // position of the last event dispatched here; 0: not known
}

// mailbox is what a drain has been told and has not looked at yet. A drain that has read all there is can be handed what
// a round of dispatching here made for it, and saves the way to the database. That holds as long as it is handed every round:
// after one of another process, or one whose end is not known, it looks for itself.
type mailbox struct {
	wake   chan struct{}
	look   bool                // there is more than what was handed
	handed []postgres.Outgoing // by position
	ready  bool                // it has read all there is
}

func newDrainBoard() *drainBoard {
	return &drainBoard{drains: map[dossier.WebhookID]*mailbox{}, inflight: map[dossier.WebhookID]int{}}
}

// enter announces a drain.
func (b *drainBoard) enter(id dossier.WebhookID) (m *mailbox, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m = &mailbox{wake: make(chan struct{}, 1)}
	b.drains[id] = m
	return m, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.drains[id] == m {
			delete(b.drains, id)
		}
	}
}

// here are the endpoints whose drains this process runs, and those of them that can be handed deliveries.
func (b *drainBoard) here() (all, ready []dossier.WebhookID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, m := range b.drains {
		all = append(all, id)
		if m.ready && !m.look {
			ready = append(ready, id)
		}
	}
	return all, ready
}

// wake lets an endpoint's drain look for more.
func (b *drainBoard) wake(id dossier.WebhookID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m := b.drains[id]; m != nil {
		m.tell(nil)
	}
}

// hand tells the drains what a round made for them and returns the endpoints that have no drain here. Only a round that was
// committed and that began where the one before it here ended is handed: between others, another process may have made one.
func (b *drainBoard) hand(round postgres.Dispatched, committed bool) (absent []dossier.Webhook) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !committed || round.Events > 0 && round.First != b.last+1 {
		b.last, round.Deliveries = 0, nil
		for _, m := range b.drains {
			m.look, m.handed = true, nil // told when there is something for it: by that round, or by who made the other
		}
	}
	if committed && round.Events > 0 {
		b.last = round.Last
	}
	for _, e := range round.Endpoints {
		if m := b.drains[e.ID]; m != nil {
			m.tell(round.Deliveries[e.ID])
		} else {
			absent = append(absent, e)
		}
	}
	return absent
}

// tell wakes the drain, with what it is handed. Without anything, or with more than it would read ahead, it looks for itself.
func (m *mailbox) tell(handed []postgres.Outgoing) {
	m.handed = append(m.handed, handed...)
	if m.look = m.look || len(handed) == 0 || len(m.handed) > drainBuffer; m.look {
		m.handed = nil
	}
	select {
	case m.wake <- struct{}{}:
	default: // it has been told
	}
}

// empty takes out what the drain has been told since.
func (b *drainBoard) empty(m *mailbox) (handed []postgres.Outgoing, look bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	handed, look = m.handed, m.look
	m.handed, m.look = nil, false
	return handed, look
}

// setReady notes whether the drain has read all there is.
func (b *drainBoard) setReady(m *mailbox, ready bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m.ready = ready
}

// take books a request to an endpoint unless limit are under way.
func (b *drainBoard) take(id dossier.WebhookID, limit int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inflight[id] >= limit {
		return false
	}
	b.inflight[id]++
	return true
}

func (b *drainBoard) give(id dossier.WebhookID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inflight[id]--; b.inflight[id] == 0 {
		delete(b.inflight, id)
	}
}
