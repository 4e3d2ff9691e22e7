package web

import (
	"runtime"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// FairSemaphore limits how many requests run at once, so that a crowd does not take all processors and connections to
// Postgres. The next slot goes to the workspace that has the fewest requests running, and among those to the one whose
// request has waited longest, so that no tenant has to wait behind another's crowd.
type FairSemaphore struct {
	mu      sync.Mutex
	free    int
	atWork  map[dossier.WorkspaceID]int
	waiting []*Slot             // in the order they came
	served  dossier.WorkspaceID // which got the last slot
}

// Slot is a request that runs or waits.
type Slot struct {
	ws      dossier.WorkspaceID
	Granted chan struct{} // closed when the request may run
}

// NewFairSemaphore makes a semaphore with n slots.
func NewFairSemaphore(n int) *FairSemaphore {
	return &FairSemaphore{free: n, atWork: map[dossier.WorkspaceID]int{}}
}

// HalfOfProcessors is half the number of processors, at least 1: a limit that leaves the other half to everything else.
func HalfOfProcessors() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Acquire asks for a slot and returns at once; the caller waits for Granted, and calls Release in any case.
func (p *FairSemaphore) Acquire(ws dossier.WorkspaceID) *Slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &Slot{ws, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.next()
	return w
}

// next grants free slots to those that wait. The caller holds the lock.
func (p *FairSemaphore) next() {
	for p.free > 0 && len(p.waiting) > 0 {
		first := 0
		for i, w := range p.waiting {
			if p.atWork[w.ws] < p.atWork[p.waiting[first].ws] {
				first = i
			}
		}
		if p.served == p.waiting[first].ws { // it got the last slot: another with as few running goes first
			for i, w := range p.waiting {
				if w.ws != p.served && p.atWork[w.ws] == p.atWork[p.served] {
					first = i
					break
				}
			}
		}
		w := p.waiting[first]
		p.waiting = slices.Delete(p.waiting, first, first+1)
		p.free--
		p.atWork[w.ws]++
		p.served = w.ws
		close(w.Granted)
	}
}

// Release gives up a slot, or a place in the queue for one.
func (p *FairSemaphore) Release(w *Slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return
	}
	p.free++
	if p.atWork[w.ws]--; p.atWork[w.ws] == 0 {
		delete(p.atWork, w.ws)
	}
	p.next()
}

// Decode is DecodeJSON of a request's body. A large body waits for a slot (WithSlot): decoding it takes a processor as
// long as some hundred small calls.
func Decode[T any](c *fiber.Ctx, body []byte) (out T, err error) {
	err = WithSlot(c, body, func() error {
		out, err = DecodeJSON[T](body)
		return err
	})
	return out, err
}

// Parse is ParseJSON of a request's body, which waits for a slot if it is large.
func Parse(c *fiber.Ctx, body []byte) (tree *Node, err error) {
	err = WithSlot(c, body, func() error {
		tree, err = ParseJSON(body)
		return err
	})
	return tree, err
}

// WithSlot runs do; if the body is larger than SmallBody, once it has a slot. Errors: Unavailable (the request's time
// was over before), and those of do.
func WithSlot(c *fiber.Ctx, body []byte, do func() error) error {
	bodies, ok := c.Locals(BudgetKey).(*byteBudget)
	if !ok || len(body) <= SmallBody {
		return do()
	}
	ws, _ := c.Locals(TenantKey).(dossier.WorkspaceID)
	w := bodies.slots.Acquire(ws)
	defer bodies.slots.Release(w)
	select {
	case <-w.Granted:
		return do()
	case <-c.UserContext().Done():
		return tooManyLarge()
	}
}
