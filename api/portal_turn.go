package api

import (
	"context"
	"runtime"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

const portalPatience = 30 * time.Second // for a turn

// portalTurns lets few requests of pages work at once; the others wait a moment, in the order they came. A mailing
// that brings hundreds of leads to their pages in one minute must not take the connections to Postgres, nor the
// processors, from everybody else: half of them stay free.
type portalTurns chan struct{}

func newPortalTurns() portalTurns { return make(portalTurns, max(1, runtime.GOMAXPROCS(0)/2)) }

// turn is a request's place among those that work.
type turn struct {
	turns portalTurns
	held  bool
}

// take waits for the turn. Error: Unavailable (they are too many).
func (t *turn) take(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	select {
	case t.turns <- struct{}{}:
		t.held = true
		return nil
	case <-ctx.Done():
		return dossier.Errorf(dossier.Unavailable, "Too many people are on their pages right now; try again shortly")
	}
}

// leave gives the turn to the next, before waiting for anything but Postgres and at the end.
func (t *turn) leave() {
	if t.held {
		t.held = false
		<-t.turns
	}
}

// inTurn runs a handler of a lead's page when its turn comes. The body is read before: whoever sends slowly keeps
// nobody else waiting.
func (s *Server) inTurn(c *fiber.Ctx, do fiber.Handler) error {
	if _, err := readBody(c, portalFormLimit); err != nil {
		return s.portalTrouble(c, err)
	}
	t := &turn{turns: s.turns}
	if err := t.take(c.UserContext()); err != nil {
		return s.portalTrouble(c, err)
	}
	defer t.leave()
	c.Locals(turnKey, t)
	return do(c)
}

// turnOf is the turn that a handler of a route with turns runs in.
func turnOf(c *fiber.Ctx) *turn { return c.Locals(turnKey).(*turn) }
