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

// ExportKey is where the file of a run is stored. A repeated step overwrites its own file.
func ExportKey(ws dossier.WorkspaceID, run dossier.PipelineRunID) string {
	return string(ws) + "/exports/" + string(run) + ".csv"
}

// What a downloaded export is called, and its type.
const (
	ExportFilename    = "analytics.csv"
	ExportContentType = "text/csv; charset=utf-8"
)
