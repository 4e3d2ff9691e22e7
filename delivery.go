package dossier

import (
	"slices"
	"time"
)

// DeliveryStatus is where a delivery stands. All but DeliveryPending are final until it is redelivered.
type DeliveryStatus string

// Delivery statuses.
const (
	DeliveryPending   DeliveryStatus = "PENDING"
	DeliverySucceeded DeliveryStatus = "SUCCEEDED"
	DeliveryFailed    DeliveryStatus = "FAILED"    // tries used up
	DeliverySkipped   DeliveryStatus = "SKIPPED"   // its endpoint is disabled
	DeliveryCancelled DeliveryStatus = "CANCELLED" // its endpoint was deleted
)

// DeliveryStatuses lists all statuses.
func DeliveryStatuses() []DeliveryStatus {
	return []DeliveryStatus{DeliveryPending, DeliverySucceeded, DeliveryFailed, DeliverySkipped, DeliveryCancelled}
}

// ErrorClass says why an attempt failed, in words that tell the owner of the endpoint what to look at and
// nothing about our network.
type ErrorClass string

// Error classes.
const (
	ErrorDNS            ErrorClass = "dns"
	ErrorConnect        ErrorClass = "connect"
	ErrorTLS            ErrorClass = "tls"
	ErrorTimeoutHead    ErrorClass = "timeout_head" // no response head within AttemptTimeout
	ErrorReset          ErrorClass = "reset"        // the connection ended before a response head
	ErrorBlockedAddress ErrorClass = "blocked_address"
	ErrorHTTP4xx        ErrorClass = "http_4xx"
	ErrorHTTP5xx        ErrorClass = "http_5xx" // also any status outside 200 to 499
	ErrorRedirect       ErrorClass = "redirect" // 3xx: never followed
	ErrorTooLarge       ErrorClass = "too_large"
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID            DeliveryID
	Workspace     WorkspaceID
	WebhookID     WebhookID
	EventID       EventID
	EventType     EventType
	LeadID        LeadID // "" when the event belongs to no lead
	Status        DeliveryStatus
	Attempts      int        // tries made
	Tries         int        // of them, since it was last (re)delivered: its place in the schedule
	NextAttemptAt *time.Time // nil unless PENDING
	LastStatus    int        // HTTP status of the last try, 0 when there was none
	LastError     ErrorClass
	CreatedAt     time.Time
	CompletedAt   *time.Time
}

// Attempt is one try of a delivery, as the attempt log keeps it.
type Attempt struct {
	Delivery   DeliveryID
	Number     int // from 1
	StartedAt  time.Time
	Duration   time.Duration
	Status     int // 0 without a response head
	Error      ErrorClass
	Response   string // the first 16 KiB of the body, as valid UTF-8
	RetryAfter time.Duration
}

// OK reports whether the endpoint took the event.
func (a Attempt) OK() bool { return a.Error == "" && a.Status >= 200 && a.Status < 300 }

// Gone reports whether the endpoint asked never to be called again.
func (a Attempt) Gone() bool { return a.Status == 410 }

// AttemptTimeout is the time from the dial to the end of the response head.
const AttemptTimeout = 15 * time.Second

// OrderedTries is how many tries of an earlier delivery a later one of the same endpoint and lead waits for:
// about 36 minutes, after which order gives way to progress.
const OrderedTries = 4

// HoldsBack reports whether later deliveries of the same endpoint and lead wait for d.
func (d Delivery) HoldsBack() bool {
	return d.LeadID != "" && d.Status == DeliveryPending && d.Tries < OrderedTries
}

// Redeliver makes the delivery PENDING and due at once, with a whole schedule before it.
func (d *Delivery) Redeliver(now time.Time) {
	d.Status, d.Tries, d.NextAttemptAt, d.CompletedAt = DeliveryPending, 0, &now, nil
}

// Schedule is when tries are made: element n is the delay before try n+1, counted from the try before.
type Schedule []time.Duration

// DefaultSchedule is decisions.md section 6: ten tries over 75 hours.
func DefaultSchedule() Schedule {
	return Schedule{
		0, 5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// jitter is the share a delay is made longer or shorter by, so that deliveries that failed together do not
// come back together.
const jitter = 0.2

// Next returns the delay before the try after tries have been made, and false when none is left.
// random is uniform in [0, 1) and spreads the delay by 20 % to both sides. A retryAfter above 0 is what
// the endpoint asked for: it is honoured within [base, max(2 x base, 1 h)] and not spread.
func (s Schedule) Next(tries int, retryAfter time.Duration, random float64) (time.Duration, bool) {
	if tries >= len(s) {
		return 0, false
	}
	base := s[tries]
	if retryAfter > 0 {
		return min(max(retryAfter, base), max(2*base, time.Hour)), true
	}
	return time.Duration(float64(base) * (1 - jitter + 2*jitter*random)).Round(time.Millisecond), true
}

// Apply records an attempt and decides what comes next: SUCCEEDED, another try at NextAttemptAt, or FAILED.
func (d *Delivery) Apply(a Attempt, s Schedule, random float64) {
	ended := a.StartedAt.Add(a.Duration)
	d.Attempts = a.Number
	d.Tries++
	d.LastStatus, d.LastError = a.Status, a.Error
	if a.OK() {
		d.finish(DeliverySucceeded, ended)
		return
	}
	delay, more := s.Next(d.Tries, a.RetryAfter, random)
	if !more {
		d.finish(DeliveryFailed, ended)
		return
	}
	next := ended.Add(delay)
	d.Status, d.NextAttemptAt, d.CompletedAt = DeliveryPending, &next, nil
}

func (d *Delivery) finish(status DeliveryStatus, at time.Time) {
	d.Status, d.NextAttemptAt, d.CompletedAt = status, nil, &at
}

// FailingFor is how long an endpoint may give nothing but failures before it is disabled.
const FailingFor = 5 * 24 * time.Hour

// failingSpan is the least time between the first failure and the last one before the failure judged:
// one bad minute a week ago and one now are not five days of failing.
const failingSpan = 12 * time.Hour

// Streak is an endpoint's failures since its last success. The zero value is an endpoint in good health.
type Streak struct {
	First time.Time
	Last  time.Time
}

// Fail adds a failure and reports whether the endpoint is to be disabled.
func (s *Streak) Fail(at time.Time) bool {
	if s.First.IsZero() {
		s.First, s.Last = at, at
		return false
	}
	dead := at.Sub(s.First) >= FailingFor && s.Last.Sub(s.First) >= failingSpan
	s.Last = at
	return dead
}

// Valid reports whether s is one of DeliveryStatuses.
func (s DeliveryStatus) Valid() bool { return slices.Contains(DeliveryStatuses(), s) }

// ReplayStatus is where a replay stands, in the words of a pipeline's poll body.
type ReplayStatus string

// Replay statuses.
const (
	ReplayPending    ReplayStatus = "PENDING"
	ReplayInProgress ReplayStatus = "IN_PROGRESS"
	ReplayComplete   ReplayStatus = "COMPLETE"
	ReplayCancelled  ReplayStatus = "CANCELLED" // its webhook was disabled or deleted meanwhile
)

// MaxReplay is the most deliveries one replay makes due.
const MaxReplay = 100_000

// Replay makes the deliveries of one endpoint that were created within a span due again, oldest first.
type Replay struct {
	ID         ReplayID
	WebhookID  WebhookID
	Since      time.Time // inclusive
	Until      time.Time // exclusive
	Statuses   []DeliveryStatus
	Status     ReplayStatus
	Matched    *int64 // counted when it starts; more than MaxReplay are cut off, and Capped says so
	Capped     bool
	Replayed   int64
	CreatedAt  time.Time
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// Progress is 0 to 100.
func (r Replay) Progress() int {
	switch {
	case r.Status == ReplayComplete:
		return 100
	case r.Matched == nil || *r.Matched == 0:
		return 0
	}
	return int(min(99, r.Replayed*100 / *r.Matched))
}

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
