package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// FindKeptWords returns the key of the object with the words of a document that was read; empty when none were kept.
// Errors: NotFound (no such document; page_not_found when it could not be read), Conflict (document_not_ready).
func (db *DB) FindKeptWords(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID) (string, error) {
	type kept struct {
		Status dossier.ExtractionStatus
		Key    *string
	}
	k, err := readOne(ctx, db, ws, "find kept words", "document", pgx.RowToStructByPos[kept], `SELECT extraction_status,
		tokens_key FROM documents
		WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL
		  AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = lead_id AND l.deleted_at IS NULL)`, ws,
		id)
	if err != nil {
		return "", err
	}
	switch k.Status {
	case dossier.ExtractionPending, dossier.ExtractionProcessing:
		return "", dossier.Coded(dossier.Conflict, "document_not_ready", "This document is not read yet")
	case dossier.ExtractionFailed:
		return "", dossier.Coded(dossier.NotFound, "page_not_found", "The document could not be read and has no pages")
	}
	return orEmpty(k.Key), nil
}
