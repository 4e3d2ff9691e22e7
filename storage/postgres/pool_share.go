package postgres

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dossierhq/dossier"
)

// shares limits how many connections the transactions of one workspace hold at once. Without it, the transactions of a
// tenant that changes one lead again and again would hold all connections while they wait for that lead's lock.
type shares struct {
	most int

	mu   sync.Mutex
	held map[dossier.WorkspaceID]*share

	waits, waited atomic.Int64 // how often transactions had to wait for this limit, and how many nanoseconds in all
}

type share struct {
	taken chan struct{}
	users int // transactions that hold or wait for a place
}

// newShares lets each workspace hold three quarters of a pool's connections.
func newShares(connections int) *shares {
	return &shares{most: max(1, connections-max(1, connections/4)), held: map[dossier.WorkspaceID]*share{}}
}

// take waits until the workspace may hold one more connection. leave must be called when the connection is released.
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
