package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// LeadFiles is a lead's documents with what was read in them, and what matching and judging compare them with.
type LeadFiles struct {
	LeadID dossier.LeadID
	Zone   string
	Files  []dossier.ReadFile // oldest first
	Items  []dossier.FileItem
	Party  dossier.Party
}

// LeadFiles reads all documents of a lead, or the given ones. Error: NotFound (lead, one of the documents).
func (db *DB) LeadFiles(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	only []dossier.DocumentID) (LeadFiles, error) {
	return snapshot(ctx, db, ws, "lead files", func(tx *tx) (in LeadFiles, err error) {
		in.LeadID = lead
		if in.Zone, err = leadZone(ctx, tx, lead); err != nil {
			return in, err
		}
		if in.Files, err = leadFiles(ctx, tx, lead, only); err != nil {
			return in, err
		}
		if in.Items, err = fileItems(ctx, tx, lead); err != nil {
			return in, err
		}
		in.Party, err = readParty(ctx, tx, lead)
		return in, err
	})
}

func leadFiles(ctx context.Context, tx *tx, lead dossier.LeadID,
	only []dossier.DocumentID) ([]dossier.ReadFile, error) {
	rows, err := tx.Query(ctx, `SELECT `+wholeDocumentColumns+` FROM documents
		WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL AND uploaded_at IS NOT NULL
			AND (cardinality($3::uuid[]) = 0 OR id = ANY($3))
		ORDER BY created_at, id`, tx.ws, lead, nonNil(only))
	if err != nil {
		return nil, err
	}
	documents, err := pgx.CollectRows(rows, scanWholeDocument)
	if err != nil {
		return nil, err
	}
	if len(only) > 0 && len(documents) < len(only) {
		return nil, missing("document")
	}
	files := make([]dossier.ReadFile, len(documents))
	for i, d := range documents {
		files[i] = readFile(d)
	}
	return files, nil
}

// LeadOfDocument returns the lead of a document. Error: NotFound.
func (db *DB) LeadOfDocument(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.LeadID, error) {
	return readOne(ctx, db, ws, "lead of document", "document", pgx.RowTo[dossier.LeadID],
		`SELECT lead_id FROM documents WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`, ws, id)
}
