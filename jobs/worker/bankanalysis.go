package worker

import (
	"context"
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/bankanalysis"
	"github.com/dossierhq/dossier/storage/postgres"
)

// bankStep analyses the bank statements among the given documents, or among all of a lead's.
func (w *Worker) bankStep(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	p parameters) (any, error) {
	files, err := w.bankFiles(ctx, claim.Workspace, p)
	if err != nil {
		return nil, err
	}
	var docs []bankanalysis.File
	var unread []string
	for _, f := range files {
		// Documents that the parameters name have been awaited; a lead's others are awaited here.
		if f.ExtractionStatus != dossier.ExtractionCompleted && f.ExtractionStatus != dossier.ExtractionFailed {
			if waits, err := w.db.AwaitDocument(ctx, claim, run.ID, f.ID); err != nil {
				return nil, err
			} else if waits {
				return nil, errAwaiting
			}
			return nil, dossier.Errorf(dossier.Unavailable, "The document has been read just now")
		}
		if f.Extraction == nil {
			unread = append(unread, fmt.Sprintf("document %s could not be read and is left out", f.ID))
			continue
		}
		docs = append(docs, bankanalysis.File{Document: f.ID, Read: f.Extraction.Documents})
	}
	result := bankanalysis.Analyze(docs)
	result.Warnings = append(result.Warnings, unread...)
	if len(result.Accounts) == 0 {
		result.Warnings = append(result.Warnings, "none of the documents is a bank statement")
	}
	return result, nil
}

// bankFiles are the documents that the parameters name, of whatever lead, or all of the named lead.
func (w *Worker) bankFiles(ctx context.Context, ws dossier.WorkspaceID, p parameters) ([]dossier.ReadFile, error) {
	if p.LeadID != "" {
		in, err := w.db.LeadFiles(ctx, ws, p.LeadID, p.DocumentIDs)
		return in.Files, err
	}
	var files []dossier.ReadFile
	for _, id := range p.DocumentIDs {
		d, err := w.db.ReadDocument(ctx, ws, id)
		if err != nil {
			return nil, err
		}
		files = append(files, dossier.ReadFile{ID: d.ID, Filename: d.Filename, ExtractionStatus: d.ExtractionStatus,
			ExtractionError: d.ExtractionError, Extraction: d.Extraction})
	}
	return files, nil
}
