package dossier

import (
	"fmt"
	"time"
)

// EscalationStatus is the state of an escalation.
type EscalationStatus string

// States of an escalation.
const (
	EscalationOpen     EscalationStatus = "OPEN"
	EscalationResolved EscalationStatus = "RESOLVED"
)

// Escalation asks a person to look at a lead; while one is open, a lead that is not closed is in REVIEW.
type Escalation struct {
	ID         EscalationID
	LeadID     LeadID
	RunID      *RunID // the run whose agent asked; nil when a client did
	Reason     string
	Detail     *string
	Status     EscalationStatus
	CreatedAt  time.Time
	ResolvedAt *time.Time
	ResolvedBy *string // the x-actor
	Note       *string
}

// NewEscalation opens one. Error: Invalid.
func NewEscalation(id EscalationID, lead LeadID, reason string, detail *string, now time.Time) (Escalation, error) {
	var f faults
	f.required("/reason", reason)
	f.length("/detail", Text(detail), MaxText)
	if len(f) > 0 {
		return Escalation{}, InvalidFaults(f)
	}
	return Escalation{ID: id, LeadID: lead, Reason: reason, Detail: detail, Status: EscalationOpen, CreatedAt: now}, nil
}

// Resolve closes the escalation and reports whether anything changed: a resolved one stays as it is.
func (e *Escalation) Resolve(by, note *string, now time.Time) (bool, error) {
	if n := len([]rune(Text(note))); n > MaxText {
		return false, InvalidFaults([]Fault{{Pointer: "/note", Code: "too_long",
			Detail: fmt.Sprintf("note may have at most %d characters", MaxText)}})
	}
	if e.Status == EscalationResolved {
		return false, nil
	}
	e.Status, e.ResolvedAt, e.ResolvedBy, e.Note = EscalationResolved, &now, by, note
	return true, nil
}

// Valid reports whether s is a state of an escalation.
func (s EscalationStatus) Valid() bool { return s == EscalationOpen || s == EscalationResolved }
