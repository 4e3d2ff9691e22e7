package record

import "github.com/dossierhq/dossier"

// Escalation is an escalation (resources.md section 4).
type Escalation struct {
	ID         dossier.EscalationID     `json:"id"`
	LeadID     dossier.LeadID           `json:"leadId"`
	RunID      *dossier.RunID           `json:"workflowRunId"`
	Reason     string                   `json:"reason"`
	Detail     *string                  `json:"detail"`
	Status     dossier.EscalationStatus `json:"status"`
	CreatedAt  Time                     `json:"createdAt"`
	ResolvedAt *Time                    `json:"resolvedAt"`
	ResolvedBy *string                  `json:"resolvedBy"`
	Note       *string                  `json:"note"`
}

// OfEscalation shapes an escalation.
func OfEscalation(e dossier.Escalation) Escalation {
	return Escalation{ID: e.ID, LeadID: e.LeadID, RunID: e.RunID, Reason: e.Reason, Detail: e.Detail, Status: e.Status,
		CreatedAt: Time(e.CreatedAt), ResolvedAt: TimeOf(e.ResolvedAt), ResolvedBy: e.ResolvedBy, Note: e.Note}
}
