package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// ExtractFigures settles one document of a spread: whether its facts hold statements. The last to be settled stages
// ConsolidateSpread.
type ExtractFigures struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Spread    dossier.SpreadID    `json:"spread"`
	Document  dossier.DocumentID  `json:"document"`
	Round     int                 `json:"round"`
}

// Spec implements Job.
func (ExtractFigures) Spec() Spec {
	return Spec{Kind: "spread.figures", Lane: LaneSpread, Timeout: time.Minute, Tries: 5}
}

// ConsolidateSpread makes the results of a spread and its two files. A job of an old round does nothing.
type ConsolidateSpread struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Spread    dossier.SpreadID    `json:"spread"`
	Round     int                 `json:"round"`
}

// Spec implements Job.
func (ConsolidateSpread) Spec() Spec {
	return Spec{Kind: "spread.consolidate", Lane: LaneSpread, Timeout: 2 * time.Minute, Tries: 5}
}
