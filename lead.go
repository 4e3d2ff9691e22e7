package dossier

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// LeadStatus is the state of a lead (api.md, Lead status). It is computed: see Lead.Status.
type LeadStatus string

// States of a lead. The first three close it; REVIEW can only be read.
const (
	LeadCompleted     LeadStatus = "COMPLETED"
	LeadNotInterested LeadStatus = "NOT_INTERESTED"
	LeadOptedOut      LeadStatus = "OPTED_OUT"
	LeadInProgress    LeadStatus = "IN_PROGRESS"
	LeadReview        LeadStatus = "REVIEW"
)

// Valid reports whether s is one of the five states.
func (s LeadStatus) Valid() bool {
	return slices.Contains([]LeadStatus{LeadCompleted, LeadNotInterested, LeadOptedOut, LeadInProgress, LeadReview}, s)
}

// AssigneeType says who handles a lead.
type AssigneeType string

// Who handles a lead.
const (
	AssigneeAgent AssigneeType = "AI_AGENT"
	AssigneeHuman AssigneeType = "HUMAN_AGENT"
)

// Lead is a person or business that must supply information and documents. Optional texts are nil when empty.
type Lead struct {
	ID                 LeadID
	FirstName          *string
	MiddleName         *string
	LastName           *string
	BusinessName       *string
	Email              *string
	EmailVerifiedAt    *time.Time
	PhoneNumber        *string // E.164 when it parsed, else as given
	PhoneVerifiedAt    *time.Time
	Timezone           *string // IANA
	TimezoneInferred   bool    // from the phone number: may follow it
	Website            *string
	ExternalLeadID     *string
	ExternalPortalLink *string
	Source             string
	Tags               []string // unique without case, sorted, never nil in a stored lead
	AssigneeType       AssigneeType
	IsTest             bool
	ClosingStatus      *LeadStatus // of the closing marks that stand, the one set last
	DidOptOut          bool
	OptOutAt           *time.Time
	NotInterestedAt    *time.Time
	CompletedAt        *time.Time
	DecisionAt         *time.Time // of the lender's decision, from which retention may count
	OpenEscalations    int
	ActivitySummary    *string
	Version            int64 // counts changes
	CreatedAt          time.Time
	UpdatedAt          time.Time
	DeletedAt          *time.Time
}

// Status is the lead's state: the closing status set last if one stands, else REVIEW while an escalation is
// unresolved, else IN_PROGRESS (decisions.md section 2).
func (l Lead) Status() LeadStatus {
	switch {
	case l.ClosingStatus != nil:
		return *l.ClosingStatus
	case l.OpenEscalations > 0:
		return LeadReview
	}
	return LeadInProgress
}

// Name is what lists call the lead: first, middle and last name, else business name, email, phone, else "".
func (l Lead) Name() string {
	if name := l.Person().Full(); name != "" {
		return name
	}
	for _, other := range []*string{l.BusinessName, l.Email, l.PhoneNumber} {
		if other != nil && *other != "" {
			return *other
		}
	}
	return ""
}

// Person is the lead's name in parts.
func (l Lead) Person() PersonName {
	return PersonName{First: Text(l.FirstName), Middle: Text(l.MiddleName), Last: Text(l.LastName)}
}

// Reachable reports whether an agent may write to the lead at all: it is neither opted out nor closed.
func (l Lead) Reachable() bool { return !l.DidOptOut && l.ClosingStatus == nil }

// Close sets a closing status as the one set last. A status that already is the lead's changes nothing, so
// its time stays. It reports whether something changed.
func (l *Lead) Close(status LeadStatus, now time.Time) bool {
	if l.ClosingStatus != nil && *l.ClosingStatus == status {
		return false
	}
	switch status {
	case LeadCompleted:
		l.CompletedAt = &now
	case LeadNotInterested:
		l.NotInterestedAt = &now
	case LeadOptedOut:
		l.DidOptOut, l.OptOutAt = true, &now
	default:
		return false
	}
	l.ClosingStatus = &status
	return true
}

// reopen takes every closing mark away but the opt-out, which only didOptOut false clears.
func (l *Lead) reopen() {
	l.CompletedAt, l.NotInterestedAt = nil, nil
	l.restoreClosing()
}

// optIn clears the opt-out; a closing status that stood before it stands again.
func (l *Lead) optIn() {
	l.DidOptOut, l.OptOutAt = false, nil
	if l.ClosingStatus != nil && *l.ClosingStatus == LeadOptedOut {
		l.restoreClosing()
	}
}

// restoreClosing recomputes the closing status from the marks that stand: the latest.
func (l *Lead) restoreClosing() {
	l.ClosingStatus = nil
	var latest time.Time
	for _, mark := range []struct {
		status LeadStatus
		at     *time.Time
	}{{LeadCompleted, l.CompletedAt}, {LeadNotInterested, l.NotInterestedAt}, {LeadOptedOut, l.OptOutAt}} {
		if mark.at != nil && !mark.at.Before(latest) {
			status := mark.status
			l.ClosingStatus, latest = &status, *mark.at
		}
	}
}

// LeadMatch is another lead with the same email or phone number. MatchedOn names the fields, email first.
type LeadMatch struct {
	Lead      Lead
	MatchedOn []string
}

// FoldTags prepares tags for matching without case.
func FoldTags(tags []string) []string {
	folded := make([]string, len(tags))
	for i, tag := range tags {
		folded[i] = strings.ToLower(strings.TrimSpace(tag))
	}
	return folded
}

// Text is the text that s points to; empty where there is none.
func Text[S ~string](s *S) S {
	if s == nil {
		return ""
	}
	return *s
}

// OrNil points to a text; nil where it is empty.
func OrNil[S ~string](s S) *S {
	if s == "" {
		return nil
	}
	return &s
}

// Unreachable says why a lead is never written to, or "".
func (l Lead) Unreachable() string {
	switch {
	case l.DidOptOut:
		return "The lead has opted out"
	case l.ClosingStatus != nil && *l.ClosingStatus == LeadNotInterested:
		return "The lead is not interested"
	case l.ClosingStatus != nil:
		return "The lead is completed"
	}
	return ""
}

// Address is where a lead is reached on a channel, or "".
func (l Lead) Address(channel Channel) string {
	if channel == ChannelEmail {
		return Text(l.Email)
	}
	if phone := Text(l.PhoneNumber); strings.HasPrefix(phone, "+") {
		return phone // what did not parse as a number cannot be called
	}
	return ""
}

// languageTags say a lead's language: "es" or "language:es" among its tags.
var languageTags = map[string]Language{
	"en": English, "language:en": English, "lang:en": English, "english": English,
	"es": Spanish, "language:es": Spanish, "lang:es": Spanish, "español": Spanish, "spanish": Spanish,
}

// Language is the one to write in to a lead: a tag of its says it, else it is the given one, else English.
func (l Lead) Language(otherwise Language) Language {
	for _, tag := range l.Tags {
		if language, ok := languageTags[strings.ToLower(tag)]; ok {
			return language
		}
	}
	if otherwise.Valid() {
		return otherwise
	}
	return English
}

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
