package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dossierhq/dossier"
)

// shares keep connections for others: the transactions of one workspace hold at most so many at once. Those of a tenant
// that changes one lead again and again wait for that lead, each with a connection in hand, and took all there are.
type shares struct {
	most int

	mu   sync.Mutex
	held map[dossier.WorkspaceID]*share

	waits, waited atomic.Int64 // how often a tenant found no place, and for how many nanoseconds
}

type share struct {
	taken chan struct{}
	users int // who hold or wait for a place
}

// newShares leaves a quarter of a pool to others.
func newShares(connections int) *shares {
	return &shares{most: max(1, connections-max(1, connections/4)), held: map[dossier.WorkspaceID]*share{}}
}

// take waits for a place of the workspace's; leave gives it back.
func (s *shares) take(ctx context.Context, ws dossier.WorkspaceID) (leave func(), err error) {
	s.mu.Lock()
	own := s.held[ws]
	if own == nil {
		own = &share{taken: make(chan struct{}, s.most)}
		s.held[ws] = own
	}
	own.users++
	s.mu.Unlock()
	leave = func() { <-own.taken; s.forget(ws, own) }
	select {
	case own.taken <- struct{}{}:
		return leave, nil
	default:
	}
	since := time.Now()
	select {
	case own.taken <- struct{}{}:
		s.waits.Add(1)
		s.waited.Add(int64(time.Since(since)))
		return leave, nil
	case <-ctx.Done():
		s.forget(ws, own)
		return nil, ctx.Err()
	}
}

func (s *shares) forget(ws dossier.WorkspaceID, own *share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(s.held, ws)
	}
}
