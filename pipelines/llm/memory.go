package llm

import (
	"context"
	"sync"

	"github.com/dossierhq/dossier"
)

// memory keeps the last answers of this process.
type memory struct {
	mu      sync.Mutex
	answers map[string][]byte
	order   []string
}

const maxKept = 1000

func newMemory() *memory { return &memory{answers: map[string][]byte{}} }

// Answer implements Cache.
func (c *memory) Answer(_ context.Context, _ dossier.WorkspaceID, _, key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, ok := c.answers[key]
	return answer, ok
}

// KeepAnswer implements Cache.
func (c *memory) KeepAnswer(_ context.Context, _ dossier.WorkspaceID, _, key string, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, have := c.answers[key]; have {
		return
	}
	if len(c.order) == maxKept {
		delete(c.answers, c.order[0])
		c.order = c.order[1:]
	}
	c.answers[key], c.order = answer, append(c.order, key)
}
