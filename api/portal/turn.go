package portal

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

const portalPatience = 30 * time.Second // for a turn

// portalTurns lets few requests of pages work at once; the others wait a moment. A mailing that brings hundreds of
// leads to their pages in one minute must not take the connections to Postgres, nor the processors, from everybody
// else: half of them stay free. Who is next is decided among the workspaces that wait: the one with the fewest at work,
// of these the one that has waited longest, so that one tenant's crowd is no other's line.
type portalTurns struct {
	mu      sync.Mutex
	free    int
	atWork  map[dossier.WorkspaceID]int
	waiting []*waitingTurn      // in the order they came
	served  dossier.WorkspaceID // who had the last turn
}

type waitingTurn struct {
	ws    dossier.WorkspaceID
	comes chan struct{} // closed when the turn has come
}

func newPortalTurns(n int) *portalTurns {
	return &portalTurns{free: n, atWork: map[dossier.WorkspaceID]int{}}
}

// TurnsHere is how many pages work at once in this process.
func TurnsHere() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// wait takes a free turn, or stands in line for one.
func (p *portalTurns) wait(ws dossier.WorkspaceID) *waitingTurn {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &waitingTurn{ws, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.next()
	return w
}

// next gives free turns to those that wait. The caller holds the lock.
func (p *portalTurns) next() {
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
		close(w.comes)
	}
}

// leave gives up a turn, or a place in the line.
func (p *portalTurns) leave(w *waitingTurn) {
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

// turn is a request's place among those that work.
type turn struct {
	turns *portalTurns
	held  *waitingTurn
	base  context.Context    // of the request: its deadline begins with the turn
	end   context.CancelFunc // of that deadline

	deadline time.Duration // of the route
}

// take waits for the turn. Error: Unavailable (they are too many).
func (t *turn) take(ctx context.Context, ws dossier.WorkspaceID) error {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	w := t.turns.wait(ws)
	select {
	case <-w.comes:
		t.held = w
		return nil
	case <-ctx.Done():
		t.turns.leave(w)
		return dossier.Errorf(dossier.Unavailable, "Too many people are on their pages right now; try again shortly")
	}
}

// leave gives the turn to the next, before waiting for anything but Postgres and at the end.
func (t *turn) leave() {
	if t.held != nil {
		t.turns.leave(t.held)
		t.held = nil
	}
}

// InTurn runs a handler of a lead's page, whose openPortal takes the turn when everything that may refuse the request
// has been asked: what is refused stands in nobody's way.
func (s *Server) InTurn(c *fiber.Ctx, deadline time.Duration, do func() error) error {
	t := &turn{turns: s.turns, base: c.UserContext(), end: func() {}, deadline: deadline}
	defer func() {
		t.leave()
		t.end()
	}()
	c.Locals(turnKey, t)
	return do()
}

// takeTurn waits for the turn of a request whose route has them. The body is read before: whoever sends slowly keeps
// nobody else waiting.
func (s *Server) takeTurn(c *fiber.Ctx, ws dossier.WorkspaceID) error {
	t, ok := c.Locals(turnKey).(*turn)
	if !ok {
		return nil
	}
	if _, err := web.ReadBody(c, web.FormLimit); err != nil {
		return err
	}
	if err := t.take(t.base, ws); err != nil {
		return err
	}
	ctx, end := context.WithTimeout(t.base, t.deadline)
	t.end = end
	c.SetUserContext(ctx)
	return nil
}

type turnKeyType struct{}

// turnKey is where a request's turn is kept.
var turnKey turnKeyType

// turnOf is the turn that a handler of a route with turns runs in.
func turnOf(c *fiber.Ctx) *turn { return c.Locals(turnKey).(*turn) }
