package record

import (
	"encoding/json"

	"github.com/dossierhq/dossier"
)

// Erasure is an erasure as it is shown (lifecycle.md section 3).
type Erasure struct {
	ID          dossier.ErasureID      `json:"id"`
	Subject     dossier.ErasureSubject `json:"subject"`
	SubjectID   string                 `json:"subjectId"`
	Status      dossier.ErasureStatus  `json:"status"`
	Reason      string                 `json:"reason"`
	RequestedBy string                 `json:"requestedBy"`
	RequestedAt Time                   `json:"requestedAt"`
	DueAt       Time                   `json:"dueAt"`
	CompletedAt *Time                  `json:"completedAt"`
	Counts      ErasureCounts          `json:"counts"`
	Certificate *Certificate           `json:"certificate"`
}

// ErasureCounts say how much went.
type ErasureCounts struct {
	Rows    int `json:"rows"`
	Objects int `json:"objects"`
}

// Certificate is what proves an erasure: signed with the workspace's key over its canonical JSON without the signature.
type Certificate struct {
	ErasureID   dossier.ErasureID      `json:"erasureId"`
	Subject     dossier.ErasureSubject `json:"subject"`
	Counts      ErasureCounts          `json:"counts"`
	StartedAt   Time                   `json:"startedAt"`
	CompletedAt Time                   `json:"completedAt"`
	SHA256      string                 `json:"sha256"` // hex, over the sorted ids of what went, a line each
	KeyID       string                 `json:"keyId"`  // hex, the first 8 bytes of the public key's SHA-256
	Signature   string                 `json:"signature,omitempty"`
}

// OfErasure converts an erasure. Error: a certificate that is not JSON.
func OfErasure(e dossier.Erasure) (Erasure, error) {
	shown := Erasure{ID: e.ID, Subject: e.Subject, SubjectID: e.SubjectID, Status: e.Status, Reason: e.Reason,
		RequestedBy: e.RequestedBy,
		RequestedAt: Time(e.RequestedAt), DueAt: Time(e.DueAt), CompletedAt: TimeOf(e.CompletedAt),
		Counts: ErasureCounts(e.Counts)}
	if e.Certificate == nil {
		return shown, nil
	}
	shown.Certificate = &Certificate{}
	return shown, json.Unmarshal(e.Certificate, shown.Certificate)
}

// Hold is a hold as it is shown.
type Hold struct {
	ID         dossier.HoldID `json:"id"`
	LeadID     dossier.LeadID `json:"leadId"`
	Reason     string         `json:"reason"`
	CreatedBy  string         `json:"createdBy"`
	CreatedAt  Time           `json:"createdAt"`
	ReleasedAt *Time          `json:"releasedAt"`
	ReleasedBy *string        `json:"releasedBy"`
}

// OfHold converts a hold.
func OfHold(h dossier.Hold) Hold {
	return Hold{h.ID, h.LeadID, h.Reason, h.CreatedBy, Time(h.CreatedAt), TimeOf(h.ReleasedAt), h.ReleasedBy}
}
