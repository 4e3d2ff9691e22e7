package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// SendMessage hands one queued message to its channel's provider.
type SendMessage struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Message   dossier.MessageID   `json:"message"`
}

// Spec implements Job.
func (SendMessage) Spec() Spec {
	return Spec{Kind: "message.send", Lane: LaneMessage, Timeout: time.Minute, Tries: 8}
}
