package dossier

import (
	"fmt"
	"strconv"
	"time"
)

// RetentionFrom is the moment of a lead from which an age or the floor counts.
type RetentionFrom string

// Moments of leads. The closing is the one that stands; the last activity is the latest message, upload, answer or
// change.
const (
	FromClosed       RetentionFrom = "closed"
	FromLastActivity RetentionFrom = "lastActivity"
	FromCreated      RetentionFrom = "created"
	FromDecision     RetentionFrom = "decision"
)

// Valid reports whether f is one of them.
func (f RetentionFrom) Valid() bool {
	switch f {
	case FromClosed, FromLastActivity, FromCreated, FromDecision:
		return true
	}
	return false
}

// Retention says how long a workspace keeps its data. The zero value erases nothing by age but events, which are kept
// for DefaultEventAge.
type Retention struct {
	GraceDays    *int // from deletion to erasure; nil: GraceDays
	LeadsAfter   time.Duration
	LeadsFrom    RetentionFrom
	FloorDays    int // nothing of a lead is erased earlier
	FloorFrom    RetentionFrom
	Messages     time.Duration
	Events       time.Duration
	PipelineRuns time.Duration
	Requests     time.Duration
}

// Ages that hold where the workspace file sets some part of the retention and not these.
const (
	DefaultEventAge       = 30 * 24 * time.Hour
	DefaultPipelineRunAge = 30 * 24 * time.Hour
	DefaultRequestAge     = 7 * 24 * time.Hour
)

// IsSet reports whether the workspace file says anything about retention.
func (r Retention) IsSet() bool { return r != Retention{} }

// OrDefault returns r with the default of each age that is not set. The zero value stays as it is.
func (r Retention) OrDefault() Retention {
	if !r.IsSet() {
		return r
	}
	for _, age := range []struct {
		at *time.Duration
		or time.Duration
	}{{&r.Events, DefaultEventAge}, {&r.PipelineRuns, DefaultPipelineRunAge}, {&r.Requests, DefaultRequestAge}} {
		if *age.at == 0 {
			*age.at = age.or
		}
	}
	return r
}

// Grace is how long what was deleted is kept.
func (r Retention) Grace() time.Duration {
	days := GraceDays
	if r.GraceDays != nil {
		days = *r.GraceDays
	}
	return time.Duration(days) * 24 * time.Hour
}

// LeadTimes are the moments of a lead that retention counts from; nil: it has not come.
type LeadTimes struct {
	Created      time.Time
	Closed       *time.Time
	LastActivity time.Time
	Decision     *time.Time
}

func (t LeadTimes) at(from RetentionFrom) *time.Time {
	switch from {
	case FromClosed:
		return t.Closed
	case FromLastActivity:
		return &t.LastActivity
	case FromCreated:
		return &t.Created
	case FromDecision:
		return t.Decision
	}
	return nil
}

// Floor is the moment before which nothing of a lead may be erased. Nil: there is none, or its day is not known yet.
func (r Retention) Floor(t LeadTimes) *time.Time {
	from := t.at(r.FloorFrom)
	if from == nil {
		return nil
	}
	floor := from.Add(time.Duration(r.FloorDays) * 24 * time.Hour)
	return &floor
}

// LeadDue is when a lead is erased by its age, never before the floor. Nil: never, as it stands.
func (r Retention) LeadDue(t LeadTimes) *time.Time {
	from := t.at(r.LeadsFrom)
	if from == nil {
		return nil
	}
	due := from.Add(r.LeadsAfter)
	if floor := r.Floor(t); floor != nil && floor.After(due) {
		due = *floor
	}
	return &due
}

// LeadRule names the rule by which leads go by age.
func (r Retention) LeadRule() string {
	return fmt.Sprintf("leads %s from %s", FormatAge(r.LeadsAfter), r.LeadsFrom)
}

// RetentionFloor refuses an erasure that would come too early.
func RetentionFloor(until time.Time) *Error {
	e := Coded(Conflict, "retention_floor", "This may not be erased before %s (retention.floor of the workspace file)",
		until.UTC().Format(time.DateOnly))
	e.Until = &until
	return e
}

var ageUnits = []struct {
	name byte
	unit time.Duration
}{{'d', 24 * time.Hour}, {'h', time.Hour}, {'m', time.Minute}}

// ParseAge reads how old something may become: 760d, 12h or 30m.
func ParseAge(text string) (time.Duration, error) {
	for _, u := range ageUnits {
		if len(text) < 2 || text[len(text)-1] != u.name {
			continue
		}
		n, err := strconv.ParseUint(text[:len(text)-1], 10, 31)
		if err == nil && n > 0 && time.Duration(n) <= 36500*24*time.Hour/u.unit {
			return time.Duration(n) * u.unit, nil
		}
	}
	return 0, fmt.Errorf("%q is no age; write a whole number of days, hours or minutes: 760d, 12h or 30m", text)
}

// FormatAge writes an age in the largest unit that leaves it whole.
func FormatAge(age time.Duration) string {
	for _, u := range ageUnits {
		if age%u.unit == 0 {
			return strconv.FormatInt(int64(age/u.unit), 10) + string(u.name)
		}
	}
	return age.String()
}

// PlannedErasure is something that will go, when, and by which rule.
type PlannedErasure struct {
	Subject   string // lead, document, workspace; messages, events and pipelineRuns of the workspace
	SubjectID string
	Due       time.Time
	Rule      string
}

func (r Retention) check(f *configFaults) {
	f.require(r.GraceDays == nil || *r.GraceDays >= 0 && *r.GraceDays <= 3650, "/retention/graceDays", "invalid",
		"retention.graceDays must be between 0 and 3650")
	f.require((r.LeadsAfter > 0) == (r.LeadsFrom != ""), "/retention/leads", "required",
		"retention.leads needs after and from")
	f.require(r.LeadsFrom == "" || r.LeadsFrom.Valid(), "/retention/leads/from", "invalid",
		"retention.leads.from must be closed, lastActivity, created or decision")
	f.require((r.FloorDays > 0) == (r.FloorFrom != ""), "/retention/floor", "required",
		"retention.floor needs days, a positive number, and from")
	f.require(r.FloorDays >= 0 && r.FloorDays <= 36500, "/retention/floor/days", "invalid",
		"retention.floor.days must be positive")
	f.require(r.FloorFrom == "" || r.FloorFrom.Valid(), "/retention/floor/from", "invalid",
		"retention.floor.from must be closed, lastActivity, created or decision")
}

// GraceDays is how long what was deleted is kept before it is erased, where the workspace file does not say.
const GraceDays = 30

// ErasureStatus is how far an erasure is.
type ErasureStatus string

// Statuses of erasures. What is SCHEDULED, RUNNING or HELD is open.
const (
	ErasureScheduled ErasureStatus = "SCHEDULED"
	ErasureRunning   ErasureStatus = "RUNNING"
	ErasureHeld      ErasureStatus = "HELD"
	ErasureComplete  ErasureStatus = "COMPLETE"
	ErasureCancelled ErasureStatus = "CANCELLED"
)

// Valid reports whether s is one of them.
func (s ErasureStatus) Valid() bool {
	switch s {
	case ErasureScheduled, ErasureRunning, ErasureHeld, ErasureComplete, ErasureCancelled:
		return true
	}
	return false
}

// ErasureSubject is what kind of thing is erased.
type ErasureSubject string

// Subjects of erasures.
const (
	EraseLead      ErasureSubject = "lead"
	EraseDocument  ErasureSubject = "document"
	EraseWorkspace ErasureSubject = "workspace"
)

// ErasureCounts say how much went: rows of the store, and stored objects.
type ErasureCounts struct {
	Rows    int
	Objects int
}

// Erasure removes everything about its subject for good. When it is complete it is all that stays: it names nobody.
type Erasure struct {
	ID          ErasureID
	Subject     ErasureSubject
	SubjectID   string
	LeadID      LeadID // whose document it is, or itself; empty of a workspace
	Test        bool   // of a test lead
	Status      ErasureStatus
	Reason      string
	RequestedBy string // a person's email, key:<name>, or system
	RequestedAt time.Time
	DueAt       time.Time
	StartedAt   *time.Time
	CompletedAt *time.Time
	Counts      ErasureCounts
	Asked       *Review // set in the answer to who asks under four eyes: it waits
	Certificate []byte  // JSON as it was signed, with its signature; nil until it is complete
}

// Hold keeps a lead from being erased while it stands.
type Hold struct {
	ID         HoldID
	LeadID     LeadID
	Reason     string
	CreatedBy  string
	CreatedAt  time.Time
	ReleasedAt *time.Time
	ReleasedBy *string
}
