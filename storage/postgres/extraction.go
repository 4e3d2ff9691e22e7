package postgres

import (
	"context"
	"encoding/hex"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// Extracted is the outcome of reading one file: facts, or the reason why there are none.
type Extracted struct {
	Extraction   *dossier.Extraction // nil when refused
	Refusal      *dossier.ExtractionError
	Engine       string // version of the rules that read it, also when it was refused
	TokensKey    string
	ThumbnailKey string
	Exchanged    bool // the stored bytes are not those that were taken: nothing of them counts
}

// StartExtraction marks a document as being read and returns it. Error: NotFound, when it was deleted.
func (db *DB) StartExtraction(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.Document, error) {
	return transact(ctx, db, ws, "start extraction", func(tx *tx) (dossier.Document, error) {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return d, err
		}
		d.ExtractionStatus = dossier.ExtractionProcessing
		_, err = tx.Exec(ctx, `UPDATE documents SET extraction_status = 'processing', updated_at = $3
			WHERE workspace_id = $1 AND id = $2`, tx.ws, id, tx.now)
		return d, err
	})
}

// SaveExtraction stores what reading gave, tells of it, and stages the matching. Errors: ErrFenced, NotFound.
func (db *DB) SaveExtraction(ctx context.Context, claim Claim, id dossier.DocumentID, read Extracted) error {
	_, err := transact(ctx, db, claim.Workspace, "save extraction", func(tx *tx) (none, error) {
		if err := saveExtraction(ctx, tx, id, read); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "document:"+string(id))
	})
	return err
}

// failExtraction ends the reading of a document whose tries are used up, in the transaction that fails its job.
func failExtraction(ctx context.Context, tx *tx, id dossier.DocumentID, reason dossier.ExtractionError) error {
	return saveExtraction(ctx, tx, id, Extracted{Refusal: &reason})
}

func saveExtraction(ctx context.Context, tx *tx, id dossier.DocumentID, read Extracted) error {
	d, err := readDocument(ctx, tx, id)
	if err != nil {
		return err
	}
	if read.Exchanged {
		read.Refusal = &dossier.ExtractionError{Code: "corrupt",
			Detail: "The stored file is not the one that was sent. Ask for it again"}
		audit(ctx, tx, dossier.AuditHashMismatch, "document:"+string(id),
			map[string]any{"sha256": hex.EncodeToString(d.SHA256)})
		tx.deferExec(`UPDATE document_associations SET validation_result = NULL, overall_valid = false, unsure = false,
			updated_at = $3
			WHERE workspace_id = $1 AND document_id = $2`, tx.ws, id, tx.now)
	}
	lead, err := shareLead(ctx, tx, d.LeadID)
	if err != nil {
		return err
	}
	d.ExtractionStatus, d.ExtractionError, d.Extraction, d.UpdatedAt = dossier.ExtractionCompleted, nil,
		read.Extraction, tx.now
	if read.Refusal != nil {
		d.ExtractionStatus, d.ExtractionError = dossier.ExtractionFailed, read.Refusal
	}
	if err := warnOfSameFile(ctx, tx, d); err != nil {
		return err
	}
	if err := keepCorrections(ctx, tx, &d); err != nil {
		return err
	}
	if err := updateExtraction(ctx, tx, d, read); err != nil {
		return err
	}
	if err := logExtraction(ctx, tx, d); err != nil {
		return err
	}
	if err := emit(ctx, tx, dossier.EventDocumentExtracted, lead.LeadID, record.DocumentExtractedEvent{LeadRef: lead,
		Document: record.OfDocument(d), Classification: classification(read.Extraction)}); err != nil {
		return err
	}
	if err := settleDocumentReviews(ctx, tx, lead, d); err != nil {
		return err
	}
	if err := wakePipelineRuns(ctx, tx, id); err != nil {
		return err
	}
	if err := wakeSpreads(ctx, tx, id); err != nil {
		return err
	}
	_, err = enqueue(ctx, tx, jobs.MatchDocument{Workspace: tx.ws, Document: id}, staging{subject: string(id)})
	return err
}

// warnOfSameFile notes on every document of the file that other leads of the workspace sent the same bytes.
func warnOfSameFile(ctx context.Context, tx *tx, d dossier.Document) error {
	if d.Extraction == nil {
		return nil
	}
	others := 0
	err := tx.QueryRow(ctx, `SELECT count(DISTINCT o.lead_id) FROM documents o
		JOIN leads l ON l.workspace_id = o.workspace_id AND l.id = o.lead_id AND l.deleted_at IS NULL
		WHERE o.workspace_id = $1 AND o.sha256 = $2 AND o.lead_id <> $3 AND o.deleted_at IS NULL
			AND o.uploaded_at IS NOT NULL`,
		tx.ws, d.SHA256, d.LeadID).Scan(&others)
	if err != nil || others == 0 {
		return err
	}
	for i := range d.Extraction.Documents {
		read := &d.Extraction.Documents[i]
		read.Warnings = append(read.Warnings, dossier.FactWarning{Code: "possible_tampering",
			Detail: "The same file was sent for " + plural(others, "other lead") + " of this workspace."})
	}
	return nil
}

func updateExtraction(ctx context.Context, tx *tx, d dossier.Document, read Extracted) error {
	var code, detail, engine *string
	if d.ExtractionError != nil {
		code, detail = &d.ExtractionError.Code, &d.ExtractionError.Detail
	}
	if read.Engine != "" {
		engine = &read.Engine
	}
	// pages may lie otherwise now
	tx.deferExec(`DELETE FROM page_pictures WHERE workspace_id = $1 AND document_id = $2`, tx.ws, d.ID)
	if read.Extraction != nil {
		engine, d.MimeType = &read.Extraction.EngineVersion, read.Extraction.MimeType
	}
	_, err := tx.Exec(ctx, `UPDATE documents SET extraction_status = @extractionStatus,
		extraction_error_code = @extractionErrorCode,
		extraction_error_detail = @extractionErrorDetail, extraction = @extraction,
			engine_version = @engineVersion, mime_type = @mimeType, tokens_key = coalesce(@tokensKey, tokens_key),
				thumbnail_key = coalesce(@thumbnailKey, thumbnail_key), updated_at = @now,
				machine_extraction = @machineExtraction, corrections = @corrections
		WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": d.ID, "extractionStatus": d.ExtractionStatus,
			"extractionErrorCode": code, "extractionErrorDetail": detail, "extraction": d.Extraction,
			"engineVersion": engine, "mimeType": d.MimeType, "tokensKey": dossier.OrNil(read.TokensKey),
			"thumbnailKey": dossier.OrNil(read.ThumbnailKey), "now": tx.now, "machineExtraction": d.MachineExtraction,
			"corrections": nonNil(d.Corrections)})
	return err
}

func logExtraction(ctx context.Context, tx *tx, d dossier.Document) error {
	if d.ExtractionError != nil {
		return logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_EXTRACTION", "Could not read "+d.Filename,
			map[string]any{"documentId": d.ID, "error": map[string]string{"code": d.ExtractionError.Code,
				"detail": d.ExtractionError.Detail}})
	}
	return logAutomatic(ctx, tx, d.LeadID, "DOCUMENT_EXTRACTION", "Read "+d.Filename,
		map[string]any{"documentId": d.ID, "classification": classification(d.Extraction)})
}

func classification(e *dossier.Extraction) []record.DocumentClass {
	classes := []record.DocumentClass{}
	if e == nil {
		return classes
	}
	for _, d := range e.Documents {
		classes = append(classes, record.DocumentClass{DocType: d.DocType, FieldType: d.FieldType,
			Confidence: d.Confidence,
			Pages:      d.Pages})
	}
	return classes
}
