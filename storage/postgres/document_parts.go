package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// SetDocumentParts has a document read again as the documents that a person says it has. Corrections of parts whose
// pages change go with them. Errors: NotFound, Conflict document_not_ready, Precondition, Invalid.
func (db *DB) SetDocumentParts(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	parts []dossier.DocumentPart, ifMatch string) (dossier.Document, error) {
	return transact(ctx, db, ws, "set document parts", func(tx *tx) (dossier.Document, error) {
		d, err := lockDocument(ctx, tx, id)
		switch {
		case err != nil:
			return d, err
		case ifMatch != "" && ifMatch != d.Tag():
			return d, dossier.Errorf(dossier.Precondition,
				"If-Match does not name the present version; read the document again and send its ETag")
		case d.Extraction == nil || d.ExtractionStatus != dossier.ExtractionCompleted:
			return d, dossier.Coded(
				dossier.Conflict,
				"document_not_ready",
				"This document is not read yet, or could not be read",
			)
		}
		if err := d.Extraction.CheckParts(parts); err != nil {
			return d, err
		}
		d.Corrections = d.Extraction.CorrectionsOfParts(d.Corrections, parts)
		d.Parts, d.ExtractionStatus, d.Extraction, d.MachineExtraction, d.UpdatedAt = parts, dossier.ExtractionPending,
			nil, nil, tx.now
		if _, err := tx.Exec(ctx, `UPDATE documents SET parts = $3, corrections = $4, extraction_status = 'pending',
			extraction = NULL,
			machine_extraction = NULL, updated_at = $5 WHERE workspace_id = $1
			AND id = $2`, tx.ws, id, parts, d.Corrections, tx.now); err != nil {
			return d, err
		}
		endReviews(tx, []string{string(id)}, dossier.DocumentCodes)
		audit(
			ctx,
			tx,
			dossier.AuditDocumentParts,
			"document:"+string(id),
			map[string]any{"leadId": d.LeadID, "parts": len(parts)},
		)
		_, err = enqueue(
			ctx,
			tx,
			jobs.ExtractDocument{Workspace: tx.ws, Document: id, FromTokens: true},
			staging{subject: string(id)},
		)
		return d, err
	})
}
