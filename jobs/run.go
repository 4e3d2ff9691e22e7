package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// TakeTurn is an agent's turn in a run: it looks at the lead and decides what to say, if anything.
type TakeTurn struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Run       dossier.RunID       `json:"run"`
	// the pending entry it acts for; cancelled, there is nothing to do
	Plan  dossier.ActionLogID `json:"plan,omitempty"`
	Reply dossier.MessageID   `json:"reply,omitempty"` // the message of the lead that it answers
}

// Spec implements Job.
func (TakeTurn) Spec() Spec {
	return Spec{Kind: "run.turn", Lane: LaneAgent, Timeout: time.Minute, Tries: 8}
}
