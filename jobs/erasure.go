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

// Spec implements Job.
func (Erase) Spec() Spec {
	return Spec{Kind: "system.erase", Lane: LaneSystem, Timeout: 15 * time.Minute, Tries: 10}
}
