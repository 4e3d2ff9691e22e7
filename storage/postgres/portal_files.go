package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// CreatePortalDocuments is CreateDocuments for files that the lead sends itself: the item must be on its page.
// Errors: NotFound (the lead, or the item), Invalid (the item takes no files).
func (db *DB) CreatePortalDocuments(ctx context.Context, ws dossier.WorkspaceID, up Upload) ([]dossier.Document,
	error) {
	return transactBriefly(ctx, db, ws, "create portal documents", func(tx *tx) ([]dossier.Document, error) {
		if err := requirePortalEntry(ctx, tx, up); err != nil {
			return nil, err
		}
		documents, _, err := createDocuments(ctx, tx, up)
		return documents, err
	})
}

// page is whose page the files come through.
func (up Upload) page() PortalOwner { return PortalOwner{up.LeadID, up.Party} }

// requirePortalEntry refuses an item that the lead cannot see. Error: NotFound.
func requirePortalEntry(ctx context.Context, tx *tx, up Upload) error {
	if up.EntryID == "" {
		return nil
	}
	checklist, err := loadChecklist(ctx, tx, up.LeadID)
	if err == nil {
		_, err = portalEntry(ctx, tx, &checklist, up.page(), up.EntryID)
	}
	return err
}

// RemovePortalDocument takes away a file that was sent through a page, or is still to be. Files that came otherwise,
// through other pages, and of other leads, are NotFound.
func (db *DB) RemovePortalDocument(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner,
	id dossier.DocumentID) error {
	_, err := transactBriefly(ctx, db, ws, "remove portal document", func(tx *tx) (none, error) {
		d, err := readDocument(ctx, tx, id)
		if dossier.KindOf(err) == dossier.NotFound {
			dropped, failed := dropPortalUpload(ctx, tx, of, id)
			if failed != nil || dropped {
				return none{}, failed
			}
		}
		if err != nil {
			return none{}, err
		}
		if d.LeadID != of.Lead || d.Source != dossier.SourcePortal || dossier.Text(d.PagePartyID) != of.Party {
			return none{}, missing("document")
		}
		return none{}, deleteDocument(ctx, tx, d, string(dossier.SourcePortal), false)
	})
	return err
}

// AnnouncePortalDocument is AnnounceDocument for a file that the lead sends itself: the item must be on its page.
// uploadID names the upload in parts at object storage, "" when it comes in one piece; mark is what AwaitedUpload knows
// the file again by, or "".
// Errors: NotFound (the lead, or the item), Invalid (the item takes no files).
func (db *DB) AnnouncePortalDocument(ctx context.Context, ws dossier.WorkspaceID, up Upload, uploadID,
	mark string) (dossier.Document, error) {
	return transactBriefly(ctx, db, ws, "announce portal document", func(tx *tx) (dossier.Document, error) {
		if err := requirePortalEntry(ctx, tx, up); err != nil {
			return dossier.Document{}, err
		}
		d, err := announceDocument(ctx, tx, up)
		if err != nil {
			return d, err
		}
		_, err = tx.Exec(ctx, `UPDATE documents SET upload_id = $3, upload_mark = $4 WHERE workspace_id = $1
				AND id = $2`, tx.ws, d.ID, dossier.OrNil(uploadID), dossier.OrNil(mark))
		return d, err
	})
}

// AwaitedUpload finds the file that the lead announced before for the same item, with the same name, size and mark, and
// did not finish: a page that was closed goes on where it was. Error: NotFound.
func (db *DB) AwaitedUpload(ctx context.Context, ws dossier.WorkspaceID, up Upload, mark string) (PortalUpload, error) {
	return snapshot(ctx, db, ws, "find awaited upload", func(tx *tx) (PortalUpload, error) {
		file := up.Files[0]
		d, err := oneOf(ctx, tx, "document", scanDocument, `SELECT `+documentColumns+` FROM documents
			WHERE workspace_id = @workspace AND lead_id = @leadId AND source = 'portal' AND deleted_at IS NULL
			AND uploaded_at IS NULL
			  AND filename = @filename AND size = @size AND upload_mark = @uploadMark
				AND requested_entry_id IS NOT DISTINCT FROM @requestedEntryId
			  AND page_party_id IS NOT DISTINCT FROM @pagePartyId
			ORDER BY created_at DESC LIMIT 1`,
			pgx.NamedArgs{"workspace": tx.ws, "leadId": up.LeadID, "filename": file.Filename, "size": file.Size,
				"uploadMark": mark, "requestedEntryId": dossier.OrNil(up.EntryID),
				"pagePartyId": dossier.OrNil(up.Party)})
		return withUploadID(ctx, tx, d, err)
	})
}

// PortalUpload is a file of the lead's own that was announced, with the id of its upload in parts or "".
type PortalUpload struct {
	dossier.Document
	UploadID string
}

// PortalUpload returns an announced file whether its bytes are here or not. Error: NotFound, also for files of other
// leads and those that did not come through this page.
func (db *DB) PortalUpload(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner,
	id dossier.DocumentID) (PortalUpload, error) {
	return snapshot(ctx, db, ws, "read portal upload", func(tx *tx) (PortalUpload, error) {
		d, err := oneOf(ctx, tx, "document", scanDocument, `SELECT `+documentColumns+` FROM documents
			WHERE workspace_id = $1 AND id = $2 AND lead_id = $3 AND source = 'portal'
			AND page_party_id IS NOT DISTINCT FROM $4 AND deleted_at IS NULL`,
			tx.ws, id, of.Lead, dossier.OrNil(of.Party))
		return withUploadID(ctx, tx, d, err)
	})
}

// withUploadID adds to a document that was read without an error what object storage calls its upload.
func withUploadID(ctx context.Context, tx *tx, d dossier.Document, err error) (PortalUpload, error) {
	up := PortalUpload{Document: d}
	if err != nil {
		return up, err
	}
	err = tx.QueryRow(ctx, `SELECT coalesce(upload_id, '') FROM documents WHERE workspace_id = $1 AND id = $2`, tx.ws,
		d.ID).Scan(&up.UploadID)
	return up, err
}

// DropPortalUpload forgets an announced file that was not completed. One that was stays. Repeated: no change.
func (db *DB) DropPortalUpload(ctx context.Context, ws dossier.WorkspaceID, of PortalOwner,
	id dossier.DocumentID) error {
	_, err := transactBriefly(ctx, db, ws, "drop portal upload", func(tx *tx) (none, error) {
		_, err := dropPortalUpload(ctx, tx, of, id)
		return none{}, err
	})
	return err
}

func dropPortalUpload(ctx context.Context, tx *tx, of PortalOwner, id dossier.DocumentID) (dropped bool,
	err error) {
	tag, err := tx.Exec(ctx, `UPDATE documents SET deleted_at = $4, updated_at = $4
		WHERE workspace_id = $1 AND id = $2 AND lead_id = $3 AND source = 'portal' AND uploaded_at IS NULL
		AND page_party_id IS NOT DISTINCT FROM $5 AND deleted_at IS NULL`, tx.ws, id, of.Lead, tx.now,
		dossier.OrNil(of.Party))
	return tag.RowsAffected() > 0, err
}
