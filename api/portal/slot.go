package portal

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

const slotTimeout = 30 * time.Second // how long a request waits for a slot

// slot is what a request of a lead's page has of the semaphore that limits how many run at once.
type slot struct {
	semaphore *web.FairSemaphore
	held      *web.Slot
	base      context.Context    // of the request: its deadline begins when it gets the slot
	end       context.CancelFunc // of that deadline

	deadline time.Duration // of the route
}

// acquire waits for a slot. Error: Unavailable (too many requests wait).
func (t *slot) acquire(ctx context.Context, ws dossier.WorkspaceID) error {
	ctx, cancel := context.WithTimeout(ctx, slotTimeout)
	defer cancel()
	w := t.semaphore.Acquire(ws)
	select {
	case <-w.Granted:
		t.held = w
		return nil
	case <-ctx.Done():
		t.semaphore.Release(w)
		return dossier.Errorf(dossier.Unavailable, "Too many people are on their pages right now; try again shortly")
	}
}

// release gives the slot to the next request. It is called at the end of a request, and before a request waits for
// anything but Postgres.
func (t *slot) release() {
	if t.held != nil {
		t.semaphore.Release(t.held)
		t.held = nil
	}
}

// WithSlot runs a handler of a lead's page. The handler's openPortal acquires the slot once all checks that may refuse
// the request have passed, so that refused requests take none.
func (s *Server) WithSlot(c *fiber.Ctx, deadline time.Duration, do func() error) error {
	t := &slot{semaphore: s.slots, base: c.UserContext(), end: func() {}, deadline: deadline}
	defer func() {
		t.release()
		t.end()
	}()
	c.Locals(slotKey, t)
	return do()
}

// acquireSlot waits for a slot where the route needs one. It reads the body first, so that a slow client holds no slot.
func (s *Server) acquireSlot(c *fiber.Ctx, ws dossier.WorkspaceID) error {
	c.Locals(web.TenantKey, ws)
	t, ok := c.Locals(slotKey).(*slot)
	if !ok {
		return nil
	}
	if _, err := web.ReadBody(c, web.FormLimit); err != nil {
		return err
	}
	if err := t.acquire(t.base, ws); err != nil {
		return err
	}
	ctx, end := context.WithTimeout(t.base, t.deadline)
	t.end = end
	c.SetUserContext(ctx)
	return nil
}

type slotKeyType struct{}

// slotKey is the fiber local that holds a request's slot.
var slotKey slotKeyType

// slotOf returns the slot of a request whose route needs one.
func slotOf(c *fiber.Ctx) *slot { return c.Locals(slotKey).(*slot) }
