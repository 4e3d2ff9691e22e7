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

// FetchMedia brings the files of an inbound message from the provider that keeps them; then the agent answers it.
type FetchMedia struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Message   dossier.MessageID   `json:"message"`
}

// Spec implements Job.
func (FetchMedia) Spec() Spec {
	return Spec{Kind: "message.media", Lane: LaneMessage, Timeout: 2 * time.Minute, Tries: 6}
}
