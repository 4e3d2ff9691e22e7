package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// Erase removes everything about one subject for good. Wherever it dies, the next try ends what it began.
type Erase struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Erasure   dossier.ErasureID   `json:"erasure"`
}

// EraseWorkspace removes everything of a deleted workspace for good. It is the service's own: nobody takes a job of a
// workspace that is deleted.
type EraseWorkspace struct {
	Target dossier.WorkspaceID `json:"target"`
}

// Spec implements Job.
func (EraseWorkspace) Spec() Spec {
	return Spec{Kind: "system.erase-workspace", Lane: LaneSystem, Timeout: 2 * time.Hour, Tries: 20}
}

// Spec implements Job.
func (Erase) Spec() Spec {
	return Spec{Kind: "system.erase", Lane: LaneSystem, Timeout: 15 * time.Minute, Tries: 10}
}
