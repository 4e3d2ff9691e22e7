package dossier

import "time"

// Workflow is what an agent does with a lead, as the workspace's file configures it.
type Workflow struct {
	ID WorkflowID
	WorkflowConfig
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Startable refuses a workflow that cannot run yet. Error: Conflict (reminder_unscheduled).
func (w Workflow) Startable() error {
	if w.Type == WorkflowReminder && w.Schedule == nil {
		return Coded(Conflict, "reminder_unscheduled", "This reminder workflow has no schedule configured yet")
	}
	return nil
}
