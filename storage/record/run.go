package record

import "github.com/dossierhq/dossier"

// WorkflowRun is a workflow run (api.md; decisions.md section 4).
type WorkflowRun struct {
	ID              dossier.RunID      `json:"id"`
	LeadID          dossier.LeadID     `json:"leadId"`
	AgentID         dossier.AgentID    `json:"agentId"`
	WorkflowID      dossier.WorkflowID `json:"workflowId"`
	ExternalID      *string            `json:"externalId"`
	Status          dossier.RunStatus  `json:"status"`
	CompletedReason *string            `json:"completedReason"`
	CreatedAt       Time               `json:"createdAt"`
	UpdatedAt       Time               `json:"updatedAt"`
	PausedAt        *Time              `json:"pausedAt"`
	CompletedAt     *Time              `json:"completedAt"`
	CancelledAt     *Time              `json:"cancelledAt"`
}

// OfRun shapes a run.
func OfRun(r dossier.Run) WorkflowRun {
	return WorkflowRun{ID: r.ID, LeadID: r.LeadID, AgentID: r.AgentID, WorkflowID: r.WorkflowID,
		ExternalID: r.ExternalID, Status: r.Status,
		CompletedReason: r.CompletedReason, CreatedAt: Time(r.CreatedAt), UpdatedAt: Time(r.UpdatedAt),
		PausedAt:    TimeOf(r.PausedAt),
		CompletedAt: TimeOf(r.CompletedAt), CancelledAt: TimeOf(r.CancelledAt)}
}
