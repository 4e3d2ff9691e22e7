package web

import (
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

const (
	SmallBody = 64 << 10  // a body of so much costs no more than the request itself
	allBodies = 128 << 20 // of a process at once, beyond the small ones
)

// byteBudget is the memory for bodies that are read whole: a few large ones must not take it from all others, nor the
// processors when they are decoded.
type byteBudget struct {
	mu    sync.Mutex
	Left  int64
	slots *FairSemaphore
}

// Take reserves n bytes, if they are there.
func (b *byteBudget) Take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Left < n {
		return false
	}
	b.Left -= n
	return true
}

// Give puts back what Take took.
func (b *byteBudget) Give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Left += n
}

// reserveBody takes room for the request's body until the answer is written: what it declares, or the limit where it
// does not say. Error: Unavailable.
func reserveBody(c *fiber.Ctx, limit int) error {
	budget, ok := c.Locals(BudgetKey).(*byteBudget)
	size := int64(c.Request().Header.ContentLength())
	if size < 0 {
		size = int64(limit)
	}
	if _, again := c.Locals(reservedKey).(int64); !ok || again || size <= SmallBody {
		return nil
	}
	if !budget.Take(size) {
		return tooManyLarge()
	}
	c.Locals(reservedKey, size)
	return nil
}

func tooManyLarge() error {
	return dossier.Errorf(dossier.Unavailable, "Too many large bodies are being read; try again shortly")
}

// ReleaseBody gives back what reserveBody took.
func ReleaseBody(c *fiber.Ctx) {
	size, reserved := c.Locals(reservedKey).(int64)
	if budget, ok := c.Locals(BudgetKey).(*byteBudget); ok && reserved {
		budget.Give(size)
	}
}
