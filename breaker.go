package dossier

import "time"

// BreakerState is whether an endpoint is called at all.
type BreakerState string

// Breaker states.
const (
	BreakerClosed   BreakerState = "CLOSED"
	BreakerOpen     BreakerState = "OPEN"
	BreakerHalfOpen BreakerState = "HALF_OPEN" // one probe decides
)

const (
	breakerRow      = 5  // failures in a row that open it
	breakerWindow   = 20 // outcomes looked back at
	breakerSpan     = time.Minute
	breakerOpenFor  = 30 * time.Second
	breakerMaxOpen  = 5 * time.Minute
	breakerProbeFor = 30 * time.Second // a probe not heard of for so long is given to another
)

// Breaker keeps deliveries away from an endpoint that fails, so that they cost neither a try nor a worker
// slot while it is down. The zero value is closed. It is a value: whoever keeps it does the locking.
type Breaker struct {
	Recent    []BreakerOutcome // newest last, at most 20
	Row       int              // failures since the last success
	OpenUntil time.Time
	OpenFor   time.Duration // 0 = closed
	ProbeAt   time.Time     // when the running probe began
}

// BreakerOutcome is how one attempt ended.
type BreakerOutcome struct {
	At time.Time
	OK bool
}

// State tells what the breaker shows at a time.
func (b Breaker) State(now time.Time) BreakerState {
	switch {
	case b.OpenFor == 0:
		return BreakerClosed
	case now.Before(b.OpenUntil):
		return BreakerOpen
	}
	return BreakerHalfOpen
}

// Healthy reports whether nothing in b matters any more: closed, and no failure within the last minute.
func (b Breaker) Healthy(now time.Time) bool {
	if b.OpenFor != 0 || b.Row > 0 {
		return false
	}
	for _, o := range b.Recent {
		if !o.OK && now.Sub(o.At) <= breakerSpan {
			return false
		}
	}
	return true
}

// Allow reports whether a delivery may go now, else when to ask again. Half open, the first to ask is the
// probe and the others wait for its outcome.
func (b *Breaker) Allow(now time.Time) (bool, time.Time) {
	switch b.State(now) {
	case BreakerClosed:
		return true, now
	case BreakerOpen:
		return false, b.OpenUntil
	}
	if !b.ProbeAt.IsZero() && now.Sub(b.ProbeAt) < breakerProbeFor {
		return false, b.ProbeAt.Add(breakerProbeFor)
	}
	b.ProbeAt = now
	return true, now
}

// Record adds the outcome of an attempt and reports whether the state changed. A success closes the breaker; a
// failure opens it after 5 in a row or more than half of the last 20 within a minute, for 30 seconds and
// twice as long each time a probe fails, up to 5 minutes.
func (b *Breaker) Record(now time.Time, ok bool) bool {
	before := b.OpenFor
	b.remember(now, ok)
	if ok {
		if before != 0 {
			*b = Breaker{}
		}
		return before != 0
	}
	switch {
	case before != 0 && b.State(now) == BreakerHalfOpen:
		b.open(now, min(2*before, breakerMaxOpen))
		return true
	case before == 0 && (b.Row >= breakerRow || b.mostlyFailing(now)):
		b.open(now, breakerOpenFor)
		return true
	}
	return false // an attempt that began before it opened
}

func (b *Breaker) remember(now time.Time, ok bool) {
	b.Recent = append(b.Recent, BreakerOutcome{now, ok})
	if extra := len(b.Recent) - breakerWindow; extra > 0 {
		b.Recent = append([]BreakerOutcome(nil), b.Recent[extra:]...)
	}
	b.Row++
	if ok {
		b.Row = 0
	}
}

func (b *Breaker) mostlyFailing(now time.Time) bool {
	failed := 0
	for _, o := range b.Recent {
		if !o.OK && now.Sub(o.At) <= breakerSpan {
			failed++
		}
	}
	return failed > breakerWindow/2
}

func (b *Breaker) open(now time.Time, lasting time.Duration) {
	b.OpenFor, b.OpenUntil, b.ProbeAt = lasting, now.Add(lasting), time.Time{}
}
