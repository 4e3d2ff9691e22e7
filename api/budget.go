package api

import (
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

const (
	smallBody = 64 << 10  // a body of so much costs no more than the request itself
	allBodies = 128 << 20 // of a process at once, beyond the small ones
)

// byteBudget is the memory for bodies that are read whole: a few large ones must not take it from all others.
type byteBudget struct {
	mu   sync.Mutex
	left int64
}

// take reserves n bytes, if they are there.
func (b *byteBudget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left < n {
		return false
	}
	b.left -= n
	return true
}

func (b *byteBudget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
}

// reserveBody takes room for the request's body until the answer is written: what it declares, or the limit where it
// does not say. Error: Unavailable.
func reserveBody(c *fiber.Ctx, limit int) error {
	budget, ok := c.Locals(budgetKey).(*byteBudget)
	size := int64(c.Request().Header.ContentLength())
	if size < 0 {
		size = int64(limit)
	}
	if _, again := c.Locals(reservedKey).(int64); !ok || again || size <= smallBody {
		return nil
	}
	if !budget.take(size) {
		return dossier.Errorf(dossier.Unavailable, "Too many large bodies are being read; try again shortly")
	}
	c.Locals(reservedKey, size)
	return nil
}

// releaseBody gives back what reserveBody took.
func (s *Server) releaseBody(c *fiber.Ctx) {
	if size, ok := c.Locals(reservedKey).(int64); ok {
		s.bodies.give(size)
	}
}
