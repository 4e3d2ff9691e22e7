package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// CreatePortalDocuments is CreateDocuments for files that the lead sends itself: the item must be on its page.
// Errors: NotFound (the lead, or the item), Invalid (the item takes no files).
func (db *DB) CreatePortalDocuments(ctx context.Context, ws dossier.WorkspaceID, up Upload) ([]dossier.Document, error) {
	return transact(ctx, db, ws, "create portal documents", func(tx *tx) ([]dossier.Document, error) {
		if err := requirePortalEntry(ctx, tx, up); err != nil {
			return nil, err
		}
		documents, _, err := createDocuments(ctx, tx, up)
		return documents, err
	})
}

// requirePortalEntry refuses an item that the lead cannot see. Error: NotFound.
func requirePortalEntry(ctx context.Context, tx *tx, up Upload) error {
	if up.EntryID == "" {
		return nil
	}
	checklist, err := loadChecklist(ctx, tx, up.LeadID)
	if err == nil {
		_, err = portalEntry(&checklist, up.EntryID)
	}
	return err
}

// RemovePortalDocument takes away a file that the lead itself sent through its page. Files of anybody else, and of
// other leads, are NotFound.
func (db *DB) RemovePortalDocument(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.DocumentID) error {
	_, err := transact(ctx, db, ws, "remove portal document", func(tx *tx) (none, error) {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		if d.LeadID != lead || d.Source != dossier.SourcePortal {
			return none{}, missing("document")
		}
		return none{}, deleteDocument(ctx, tx, d)
	})
	return err
}

// AnnouncePortalDocument is AnnounceDocument for a file that the lead sends itself: the item must be on its page.
// uploadID names the upload in parts at object storage, "" when it comes in one piece.
// Errors: NotFound (the lead, or the item), Invalid (the item takes no files).
func (db *DB) AnnouncePortalDocument(ctx context.Context, ws dossier.WorkspaceID, up Upload, uploadID string) (dossier.Document, error) {
	return transact(ctx, db, ws, "announce portal document", func(tx *tx) (dossier.Document, error) {
		if err := requirePortalEntry(ctx, tx, up); err != nil {
			return dossier.Document{}, err
		}
		d, err := announceDocument(ctx, tx, up)
		if err != nil || uploadID == "" {
			return d, err
		}
		_, err = tx.Exec(ctx, `UPDATE documents SET upload_id = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID, uploadID)
		return d, err
	})
}

// PortalUpload is a file of the lead's own that was announced, with the id of its upload in parts or "".
type PortalUpload struct {
	dossier.Document
	UploadID string
}

// PortalUpload returns an announced file whether its bytes are here or not. Error: NotFound, also for files of other
// leads and those that did not come through the page.
func (db *DB) PortalUpload(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.DocumentID) (PortalUpload, error) {
	return snapshot(ctx, db, ws, "read portal upload", func(tx *tx) (PortalUpload, error) {
		d, err := oneOf(ctx, tx, "document", scanDocument, `SELECT `+documentColumns+` FROM documents
			WHERE workspace_id = $1 AND id = $2 AND lead_id = $3 AND source = 'portal' AND deleted_at IS NULL`, tx.ws, id, lead)
		if err != nil {
			return PortalUpload{}, err
		}
		up := PortalUpload{Document: d}
		err = tx.QueryRow(ctx, `SELECT coalesce(upload_id, '') FROM documents WHERE workspace_id = $1 AND id = $2`, tx.ws, id).Scan(&up.UploadID)
		return up, err
	})
}

// DropPortalUpload forgets an announced file that was not completed. One that was stays. Repeated: no change.
func (db *DB) DropPortalUpload(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.DocumentID) error {
	_, err := transact(ctx, db, ws, "drop portal upload", func(tx *tx) (none, error) {
		_, err := tx.Exec(ctx, `UPDATE documents SET deleted_at = $4, updated_at = $4
			WHERE workspace_id = $1 AND id = $2 AND lead_id = $3 AND source = 'portal' AND uploaded_at IS NULL AND deleted_at IS NULL`, tx.ws, id, lead, tx.now)
		return none{}, err
	})
	return err
}
