package record

import "github.com/dossierhq/dossier"

// Export is a file of analytics (resources.md section 6). Its address is not in it: that is answered to whoever polls.
type Export struct {
	JobID       dossier.PipelineRunID `json:"jobId"`
	Start       *Time                 `json:"start"`
	End         *Time                 `json:"end"`
	Rows        int64                 `json:"rows"` // without the header
	CreatedAt   Time                  `json:"createdAt"`
	CompletedAt *Time                 `json:"completedAt"`
}

// OfExport shapes an export.
func OfExport(e dossier.Export) Export {
	return Export{JobID: e.RunID, Start: TimeOf(e.Filter.Start), End: TimeOf(e.Filter.End), Rows: e.Rows,
		CreatedAt: Time(e.CreatedAt), CompletedAt: TimeOf(e.FinishedAt)}
}
