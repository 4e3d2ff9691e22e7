package worker

import (
	"sync"

	"github.com/dossierhq/dossier"
)

// drainBoard is what the drains and the retries of this process share: how each drain is woken, and how many requests are
// under way at each endpoint.
type drainBoard struct {
	mu       sync.Mutex
	drains   map[dossier.WebhookID]chan struct{}
	inflight map[dossier.WebhookID]int
}

func newDrainBoard() *drainBoard {
	return &drainBoard{drains: map[dossier.WebhookID]chan struct{}{}, inflight: map[dossier.WebhookID]int{}}
}

// enter announces a drain, which is told on the channel when it has more to do.
func (b *drainBoard) enter(id dossier.WebhookID) (wake <-chan struct{}, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch := make(chan struct{}, 1)
	b.drains[id] = ch
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.drains[id] == ch {
			delete(b.drains, id)
		}
	}
}

// wake lets an endpoint's drain look for more.
func (b *drainBoard) wake(id dossier.WebhookID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.drains[id] <- struct{}{}: // never of a drain that is not here: its channel is nil
	default: // it has been told
	}
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
