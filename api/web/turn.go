package web

import (
	"runtime"
	"slices"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// Turns lets few requests work at once; the others wait a moment, so that a crowd does not take the processors, nor
// the connections to Postgres, from everybody else. Who is next is decided among the workspaces that wait: the one with
// the fewest at work, of these the one that has waited longest, so that one tenant's crowd is no other's line.
type Turns struct {
	mu      sync.Mutex
	free    int
	atWork  map[dossier.WorkspaceID]int
	waiting []*Turn             // in the order they came
	served  dossier.WorkspaceID // who had the last turn
}

// Turn is a request's place among those that work, or in the line.
type Turn struct {
	ws    dossier.WorkspaceID
	Comes chan struct{} // closed when the turn has come
}

// NewTurns makes turns of which n are had at once.
func NewTurns(n int) *Turns {
	return &Turns{free: n, atWork: map[dossier.WorkspaceID]int{}}
}

// HalfTheProcessors is how many may work at once where the other half is to stay free for all else.
func HalfTheProcessors() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// Wait takes a free turn, or stands in line for one.
func (p *Turns) Wait(ws dossier.WorkspaceID) *Turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &Turn{ws, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.next()
	return w
}

// next gives free turns to those that wait. The caller holds the lock.
func (p *Turns) next() {
	for p.free > 0 && len(p.waiting) > 0 {
		first := 0
		for i, w := range p.waiting {
			if p.atWork[w.ws] < p.atWork[p.waiting[first].ws] {
				first = i
			}
		}
		if p.served == p.waiting[first].ws { // it had the last turn: another that has as few at work goes before
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
		close(w.Comes)
	}
}

// Leave gives up a turn, or a place in the line.
func (p *Turns) Leave(w *Turn) {
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

// Decode is DecodeJSON of a request's body. A large one waits for its turn: decoding it keeps a processor busy for as
// long as some hundred small calls.
func Decode[T any](c *fiber.Ctx, body []byte) (out T, err error) {
	err = InTurn(c, body, func() error {
		out, err = DecodeJSON[T](body)
		return err
	})
	return out, err
}

// Parse is ParseJSON of a request's body, in its turn too.
func Parse(c *fiber.Ctx, body []byte) (tree *Node, err error) {
	err = InTurn(c, body, func() error {
		tree, err = ParseJSON(body)
		return err
	})
	return tree, err
}

// InTurn does what has to be done with a body, a large one when its turn has come. Error: Unavailable (the request's
// time is over), and those of do.
func InTurn(c *fiber.Ctx, body []byte, do func() error) error {
	bodies, ok := c.Locals(BudgetKey).(*byteBudget)
	if !ok || len(body) <= SmallBody {
		return do()
	}
	ws, _ := c.Locals(TenantKey).(dossier.WorkspaceID)
	w := bodies.turns.Wait(ws)
	defer bodies.turns.Leave(w)
	select {
	case <-w.Comes:
		return do()
	case <-c.UserContext().Done():
		return tooManyLarge()
	}
}
