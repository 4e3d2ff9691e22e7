package dossier

import (
	"encoding/json"
	"time"
)

// Ids are UUIDv7 in their canonical lower-case form. They are strings with a name so that a lead's id
// cannot be passed where a run's is wanted.
type (
	WorkspaceID   string
	KeyID         string
	LeadID        string
	GroupID       string
	ItemID        string // a checklist item's definition
	EntryID       string // an item on one lead's checklist
	DocumentID    string
	AssociationID string
	ActionLogID   string
	EscalationID  string
	AgentID       string
	WorkflowID    string
	RunID         string
	MessageID     string
	SpreadID      string
	ArtifactID    string
	PipelineRunID string // the jobId of api.md's polling
	WebhookID     string
	EventID       string
	DeliveryID    string
	ReplayID      string
	JobID         string
	ErasureID     string
	HoldID        string
	PartyID       string
	DebtID        string
	ImportID      string
	PersonID      string
	SessionID     string
	ReviewID      string
)

// ValidID reports whether s is a UUID in canonical lower-case form.
func ValidID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}

// Cursor is a place in a list ordered by (time, id): the last row a caller has seen. At has the microseconds
// Postgres keeps; the milliseconds of the API would skip rows.
type Cursor struct {
	At time.Time
	ID string
}

// Page asks a store method for the part of a list that follows After (nil: from the start). The method returns up
// to Limit+1 rows: the extra one only says that there is a next page.
type Page struct {
	Limit int
	After *Cursor
}

// Patch is what a caller sent for a field that may be empty: nothing (the zero value), null, or a value. It
// reads itself from JSON, where an absent key leaves it as it is.
type Patch[T any] struct {
	Sent  bool
	Value *T // nil when Sent: cleared
}

// Set is the patch that gives a field a value.
func Set[T any](value T) Patch[T] { return Patch[T]{Sent: true, Value: &value} }

// Clear is the patch that empties a field.
func Clear[T any]() Patch[T] { return Patch[T]{Sent: true} }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.Sent, p.Value = true, nil
	return json.Unmarshal(data, &p.Value)
}

// apply puts the patch on a field.
func (p Patch[T]) apply(field **T) {
	if p.Sent {
		*field = p.Value
	}
}
