package web

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
)

// sharing is for how long a call counts as company for the calls of others.
const sharing = time.Second

// SharePatience is how long a call waits for those of its own tenant at most: some of them may wait for a lead that
// somebody holds, which keeps no processor busy and must not keep the tenant from everything else.
const SharePatience = 250 * time.Millisecond

// Shares keeps the calls of one tenant from crowding out those of another in this process. A tenant that calls alone
// has it to itself. While others call too each has only so many calls at work at once, or a moment's more if it had
// clearly fewer of late; one more waits for one of its own to end, though not for long.
type Shares struct {
	each     int
	patience time.Duration
	now      func() time.Time

	mu      sync.Mutex
	last    dossier.WorkspaceID // who called last,
	at      time.Time           // and when
	mixed   time.Time           // when a tenant called soon after another
	tenants map[dossier.WorkspaceID]*share
	swept   time.Time
}

// share is what a tenant has at work, and the calls that wait in the order they came.
type share struct {
	atWork  int
	waiting []chan struct{}

	average float64   // how many it had at work over about the last second
	asOf    time.Time // when that was worked out
}

// updateAverage brings the average up to now, as an exponential moving average.
func (m *share) updateAverage(now time.Time) {
	left := math.Exp(-float64(now.Sub(m.asOf)) / float64(sharing))
	m.average, m.asOf = m.average*left+float64(m.atWork)*(1-left), now
}

// NewShares makes shares of so many calls at once for each; one more waits no longer than patience.
func NewShares(each int, patience time.Duration, now func() time.Time) *Shares {
	return &Shares{each: each, patience: patience, now: now, tenants: map[dossier.WorkspaceID]*share{}}
}

// Begin returns when a call of the tenant may begin; end tells that it has ended.
func (s *Shares) Begin(ctx context.Context, ws dossier.WorkspaceID) (end func()) {
	if turn := s.enter(ws); turn != nil {
		enough := time.NewTimer(s.patience)
		defer enough.Stop()
		select {
		case <-turn:
		case <-enough.C:
			s.goOn(ws, turn)
		case <-ctx.Done():
			s.goOn(ws, turn)
		}
	}
	return func() { s.leave(ws) }
}

// enter counts a call that may begin at once, else it returns what is closed when its turn has come.
func (s *Shares) enter(ws dossier.WorkspaceID) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if ws != s.last && now.Sub(s.at) <= sharing {
		s.mixed = now
	}
	s.last, s.at = ws, now
	s.sweep(now)
	mine := s.tenants[ws]
	if mine == nil {
		mine = &share{asOf: now}
		s.tenants[ws] = mine
	}
	mine.updateAverage(now)
	if s.mayBegin(mine) || now.Sub(s.mixed) > sharing {
		mine.atWork++
		return nil
	}
	turn := make(chan struct{})
	mine.waiting = append(mine.waiting, turn)
	return turn
}

// mayBegin reports whether a tenant may have one more at work beside others. Who calls now and then calls several at
// once now and then; who always has all that it may have gets no more.
func (s *Shares) mayBegin(mine *share) bool {
	return mine.atWork < s.each || mine.average < float64(s.each)*3/4
}

// sweep forgets, now and then, the tenants that have had nothing at work for long.
func (s *Shares) sweep(now time.Time) {
	if now.Sub(s.swept) < sharing {
		return
	}
	s.swept = now
	for ws, of := range s.tenants {
		if of.atWork == 0 && now.Sub(of.asOf) > 3*sharing {
			delete(s.tenants, ws)
		}
	}
}

// goOn counts a call that waited long enough, unless its turn came in this moment.
func (s *Shares) goOn(ws dossier.WorkspaceID, turn chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := s.tenants[ws]
	if i := slices.Index(mine.waiting, turn); i >= 0 {
		mine.updateAverage(s.now())
		mine.waiting = slices.Delete(mine.waiting, i, i+1)
		mine.atWork++
	}
}

// leave ends a call; those that have waited longest begin if there is room.
func (s *Shares) leave(ws dossier.WorkspaceID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := s.tenants[ws]
	mine.updateAverage(s.now())
	mine.atWork--
	for len(mine.waiting) > 0 && s.mayBegin(mine) {
		close(mine.waiting[0])
		mine.waiting = mine.waiting[1:]
		mine.atWork++
	}
}

// Waiting is how many calls of the tenant wait for others of its own.
func (s *Shares) Waiting(ws dossier.WorkspaceID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mine := s.tenants[ws]; mine != nil {
		return len(mine.waiting)
	}
	return 0
}
