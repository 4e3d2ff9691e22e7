package portal

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

const portalPatience = 30 * time.Second // for a turn

// turn is a request's place among those that work.
type turn struct {
	turns *web.Turns
	held  *web.Turn
	base  context.Context    // of the request: its deadline begins with the turn
	end   context.CancelFunc // of that deadline

	deadline time.Duration // of the route
}

// take waits for the turn. Error: Unavailable (they are too many).
func (t *turn) take(ctx context.Context, ws dossier.WorkspaceID) error {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	w := t.turns.Wait(ws)
	select {
	case <-w.Comes:
		t.held = w
		return nil
	case <-ctx.Done():
		t.turns.Leave(w)
		return dossier.Errorf(dossier.Unavailable, "Too many people are on their pages right now; try again shortly")
	}
}

// leave gives the turn to the next, before waiting for anything but Postgres and at the end.
func (t *turn) leave() {
	if t.held != nil {
		t.turns.Leave(t.held)
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
	c.Locals(web.TenantKey, ws)
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
