package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// ReprocessDocument reads a document anew. A reading under way is left to finish.
// Error: NotFound.
func (db *DB) ReprocessDocument(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.Document, error) {
	return transact(ctx, db, ws, "reprocess document", func(tx *tx) (dossier.Document, error) {
		d, err := readDocument(ctx, tx, id)
		if err != nil || d.ExtractionStatus == dossier.ExtractionPending ||
			d.ExtractionStatus == dossier.ExtractionProcessing {
			return d, err
		}
		d.ExtractionStatus, d.ExtractionError, d.Extraction, d.UpdatedAt = dossier.ExtractionPending, nil, nil, tx.now
		_, err = tx.Exec(ctx, `UPDATE documents SET extraction_status = 'pending', extraction = NULL,
			machine_extraction = NULL, extraction_error_code = NULL,
			extraction_error_detail = NULL, updated_at = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, tx.now)
		if err != nil {
			return d, err
		}
		audit(ctx, tx, dossier.AuditReprocess, "document:"+string(id), nil)
		_, err = enqueue(ctx, tx, jobs.ExtractDocument{Workspace: tx.ws, Document: id}, staging{subject: string(id)})
		return d, err
	})
}

// ReprocessOutdated stages the reading of up to limit documents that another version of the engine read, or failed to
// read, and returns how many. What they say stays until it is read anew. fromTokens: the rules run on the words that
// were kept. Repeated calls take the next ones, until none is left.
func (db *DB) ReprocessOutdated(ctx context.Context, ws dossier.WorkspaceID, engine string, fromTokens bool,
	limit int) (int, error) {
	return transact(ctx, db, ws, "reprocess outdated", func(tx *tx) (int, error) {
		// Materialized: a plain subquery may run again for every row, and then its LIMIT holds for none.
		ids, err := collect(ctx, tx, pgx.RowTo[dossier.DocumentID], `
			WITH due AS MATERIALIZED (
				SELECT d.id FROM documents d JOIN leads l ON l.workspace_id = d.workspace_id AND l.id = d.lead_id
					AND l.deleted_at IS NULL
				WHERE d.workspace_id = $1 AND d.deleted_at IS NULL AND d.uploaded_at IS NOT NULL
				  AND d.extraction_status IN ('completed', 'failed') AND d.engine_version IS DISTINCT FROM $2
				ORDER BY d.id LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
			UPDATE documents SET extraction_status = 'pending', updated_at = $4 FROM due
				WHERE documents.workspace_id = $1 AND documents.id = due.id
			RETURNING documents.id`, tx.ws, engine, limit, tx.now)
		if err != nil {
			return 0, err
		}
		if len(ids) > 0 {
			audit(ctx, tx, dossier.AuditReprocess, "workspace:"+string(ws),
				map[string]any{"documents": len(ids), "engine": engine})
		}
		for _, id := range ids {
			if _, err := enqueue(ctx, tx, jobs.ExtractDocument{Workspace: tx.ws, Document: id, FromTokens: fromTokens},
				staging{subject: string(id), bulk: true}); err != nil {
				return 0, err
			}
		}
		return len(ids), nil
	})
}
