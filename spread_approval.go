package dossier

import "time"

// SpreadApproval is whether people stand by the figures of a spread. New figures make it a DRAFT.
type SpreadApproval struct {
	State ApprovalState
	By    *string // who submitted, approved or returned it last
	At    *time.Time
	Note  *string
}

// ApprovalState is how far the approval of a spread is.
type ApprovalState string

// States of an approval.
const (
	ApprovalDraft     ApprovalState = "DRAFT"
	ApprovalSubmitted ApprovalState = "SUBMITTED"
	ApprovalApproved  ApprovalState = "APPROVED"
	ApprovalReturned  ApprovalState = "RETURNED"
)

// Valid reports whether s is a state of an approval.
func (s ApprovalState) Valid() bool {
	return s == ApprovalDraft || s == ApprovalSubmitted || s == ApprovalApproved || s == ApprovalReturned
}
