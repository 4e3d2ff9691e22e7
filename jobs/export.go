package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// ExportAnalytics is the step of a pipeline run that writes a workspace's analytics as a CSV file. It is RunPipeline
// in a lane of its own: an export of a million leads takes minutes and must not hold up short runs.
type ExportAnalytics struct {
	Workspace dossier.WorkspaceID   `json:"workspace"`
	Run       dossier.PipelineRunID `json:"run"`
}

// Spec implements Job.
func (ExportAnalytics) Spec() Spec {
	return Spec{Kind: "analytics.export", Lane: LaneExport, Timeout: 30 * time.Minute, Tries: 3}
}

// ExportKey is where the file of one try at a run's step is stored. No other try has the key: one that was given up
// and goes on all the same can never replace a file that is published.
func ExportKey(ws dossier.WorkspaceID, run dossier.PipelineRunID, try string) string {
	return string(ws) + "/exports/" + string(run) + "/" + try + ".csv"
}

// What a downloaded export is called, and its type.
const (
	ExportFilename    = "analytics.csv"
	ExportContentType = "text/csv; charset=utf-8"
)
