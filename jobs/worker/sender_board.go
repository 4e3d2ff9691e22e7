package worker

import (
	"sync"

	"github.com/dossierhq/dossier"
)

// senderBoard is what the senders and the retries of this process share: how each sender is woken, and how many
// requests are under way at each endpoint.
type senderBoard struct {
	mu       sync.Mutex
	senders  map[dossier.WebhookID]chan bool
	inflight map[dossier.WebhookID]int
}

func newSenderBoard() *senderBoard {
	return &senderBoard{senders: map[dossier.WebhookID]chan bool{}, inflight: map[dossier.WebhookID]int{}}
}

// register adds a sender. The channel wakes it when it has more to do: with true, when deliveries that had to wait may
// be sent now. leave removes it.
func (b *senderBoard) register(id dossier.WebhookID) (wake <-chan bool, leave func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch := make(chan bool, 1)
	b.senders[id] = ch
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.senders[id] == ch {
			delete(b.senders, id)
		}
	}
}

// wake has an endpoint's sender read more deliveries; with freed, from the oldest on.
func (b *senderBoard) wake(id dossier.WebhookID, freed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch, ok := b.senders[id]
	if !ok {
		return
	}
	select {
	case before := <-ch: // an earlier wake that it has not received yet
		freed = freed || before
	default:
	}
	ch <- freed // there is room: nobody else sends
}

// senderBytes is how many bytes of bodies all senders of a process together hold in memory: there may be more than a
// hundred of them, whose events may all have the largest size.
const senderBytes = 64 << 20

// byteShare returns how many bytes of bodies one sender may hold beside the others.
func (b *senderBoard) byteShare() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return senderBytes / max(1, len(b.senders))
}

// acquire counts a request to an endpoint and reports true, unless limit requests are under way already.
func (b *senderBoard) acquire(id dossier.WebhookID, limit int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inflight[id] >= limit {
		return false
	}
	b.inflight[id]++
	return true
}

func (b *senderBoard) release(id dossier.WebhookID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inflight[id]--; b.inflight[id] == 0 {
		delete(b.inflight, id)
	}
}
