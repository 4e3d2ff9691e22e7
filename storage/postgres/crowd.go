package postgres

import (
	"sync/atomic"
	"time"
)

const (
	crowdSize  = 8                      // turns that come together
	crowdLasts = 250 * time.Millisecond // after the last batch of them: longer than the rest between two
	crowdWait  = 100 * time.Millisecond // at most, for whoever is inside: a batch may be stuck
)

// crowd is for as long as many turns are due at one moment. Of what a process does in the background for them (claims,
// the turns, the relay) one thing is done at a time then: two at once leave the callers of the API no processor on a machine
// that has two. It is a courtesy and keeps nothing apart; when nothing is due in crowds, nobody waits.
type crowd struct {
	until  atomic.Int64  // in nanoseconds since 1970
	inside chan struct{} // holds one
}

func newCrowd() *crowd { return &crowd{inside: make(chan struct{}, 1)} }

// seen says that a crowd is there.
func (c *crowd) seen() { c.until.Store(time.Now().Add(crowdLasts).UnixNano()) }

// enter waits until nobody else is inside, if a crowd is there, and returns what the caller does at its end.
func (c *crowd) enter() (leave func()) {
	if c == nil || time.Now().UnixNano() > c.until.Load() {
		return func() {}
	}
	impatient := time.NewTimer(crowdWait)
	defer impatient.Stop()
	select {
	case c.inside <- struct{}{}:
		return func() { <-c.inside }
	case <-impatient.C:
		return func() {}
	}
}
