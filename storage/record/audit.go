package record

import "github.com/dossierhq/dossier"

// AuditEntry is an entry of the audit (lifecycle.md section 5). Its hash is over everything else of it, so what stands
// here is what a chain is checked with.
type AuditEntry struct {
	ID              string              `json:"id"`
	At              Time                `json:"at"`
	Action          dossier.AuditAction `json:"action"`
	Subject         AuditSubject        `json:"subject"`
	Actor           AuditActor          `json:"actor"`
	OnBehalfOf      *string             `json:"onBehalfOf"`
	KeyID           *dossier.KeyID      `json:"keyId"`
	Address         *string             `json:"address"`
	RequestID       *string             `json:"requestId"`
	CallerRequestID *string             `json:"callerRequestId"`
	Details         map[string]any      `json:"details"`
	Hash            string              `json:"hash,omitempty"`
}

// AuditSubject is what something was done to.
type AuditSubject struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// AuditActor is who did it.
type AuditActor struct {
	Type dossier.ActorType `json:"type"`
	ID   *string           `json:"id"`
	Name *string           `json:"name"`
}

// Audit converts an entry.
func Audit(e dossier.AuditEntry) AuditEntry {
	return AuditEntry{ID: e.ID, At: Time(e.At), Action: e.Action, Subject: AuditSubject(e.Subject),
		Actor:      AuditActor(e.Actor),
		OnBehalfOf: e.OnBehalfOf, KeyID: e.KeyID, Address: e.Address, RequestID: e.RequestID,
		CallerRequestID: e.CallerRequestID,
		Details:         e.Details, Hash: e.Hash}
}
