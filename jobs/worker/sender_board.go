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

// register announces a sender, which is told on the channel when it has more to do: true, when what waited may be free.
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

// wake lets an endpoint's sender look for more; freed, from the oldest on.
func (b *senderBoard) wake(id dossier.WebhookID, freed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	ch, ok := b.senders[id]
	if !ok {
		return
	}
	select {
	case before := <-ch: // it has been told and has not heard yet
		freed = freed || before
	default:
	}
	ch <- freed // there is room: nobody else sends
}

// senderBytes is how many bytes of bodies the senders of a process have in hand together: there may be more than a
// hundred of them, of tenants whose events are as large as events may be.
const senderBytes = 64 << 20

// byteShare is what one sender may have in hand beside the others that are here.
func (b *senderBoard) byteShare() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return senderBytes / max(1, len(b.senders))
}

// acquire books a request to an endpoint unless limit are under way.
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
