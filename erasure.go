package dossier

import "time"

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
