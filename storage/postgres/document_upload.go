package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// AnnounceDocument records a direct upload before its bytes are sent; it is in no list until CompleteDocument.
// Errors: NotFound (lead, item), Invalid (the item takes no files), Conflict (limit_reached).
func (db *DB) AnnounceDocument(ctx context.Context, ws dossier.WorkspaceID, up Upload) (dossier.Document, error) {
	return transact(ctx, db, ws, "announce document", func(tx *tx) (dossier.Document, error) {
		return announceDocument(ctx, tx, up)
	})
}

// announceDocument is AnnounceDocument for callers that have a transaction.
func announceDocument(ctx context.Context, tx *tx, up Upload) (dossier.Document, error) {
	holdLimit(tx, string(up.LeadID))
	if _, err := shareLead(ctx, tx, up.LeadID); err != nil {
		return dossier.Document{}, err
	}
	if err := requireFileItem(ctx, tx, up.LeadID, up.EntryID); err != nil {
		return dossier.Document{}, err
	}
	file := up.Files[0]
	rows, err := tx.Query(ctx, `
		INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, object_key, external_id, source,
			requested_entry_id, created_at, updated_at, page_party_id)
		VALUES (@workspace, @id, @leadId, @filename, @mimeType, @size, @objectKey, @externalId, @source,
			@requestedEntryId, @now, @now, @pagePartyId) RETURNING `+documentColumns,
		pgx.NamedArgs{"workspace": tx.ws, "id": file.ID, "leadId": up.LeadID, "filename": file.Filename,
			"mimeType": file.MimeType, "size": file.Size, "objectKey": file.ObjectKey, "externalId": file.ExternalID,
			"source": up.Source, "requestedEntryId": dossier.OrNil(up.EntryID), "now": tx.now,
			"pagePartyId": dossier.OrNil(up.Party)})
	if err != nil {
		return dossier.Document{}, err
	}
	d, err := pgx.CollectExactlyOneRow(rows, scanDocument)
	if err != nil {
		return d, err
	}
	return d, limitDocuments(ctx, tx, up.LeadID)
}

// AnnouncedDocument returns a document whether its bytes are here or not. Error: NotFound.
func (db *DB) AnnouncedDocument(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.Document, error) {
	return readOne(ctx, db, ws, "announced document", "document", scanDocument, `SELECT `+documentColumns+`
		FROM documents
		WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL
		  AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = lead_id AND l.deleted_at IS NULL)`, ws,
		id)
}

// CompleteDocument takes a direct upload into the lead's documents: file has the document's id, and the key, size and
// hash of the copy that nobody can change. Bytes the lead already has are answered with the first document and
// DuplicateOf; the second row goes. Completing twice changes nothing. Error: NotFound.
func (db *DB) CompleteDocument(ctx context.Context, ws dossier.WorkspaceID, file NewFile,
	actor string) (dossier.Document, error) {
	return transact(ctx, db, ws, "complete document", func(tx *tx) (dossier.Document, error) {
		rows, err := tx.Query(ctx, `SELECT `+documentColumns+` FROM documents WHERE workspace_id = $1 AND id = $2
			AND deleted_at IS NULL FOR UPDATE`, tx.ws, file.ID)
		if err != nil {
			return dossier.Document{}, err
		}
		d, err := pgx.CollectExactlyOneRow(rows, scanDocument)
		if err != nil {
			return d, orMissing(err, "document")
		}
		if d.UploadedAt != nil {
			return d, loadAssociations(ctx, tx, []*dossier.Document{&d})
		}
		return completeDocument(ctx, tx, d, file, actor)
	})
}

func completeDocument(ctx context.Context, tx *tx, d dossier.Document, file NewFile,
	actor string) (dossier.Document, error) {
	// The lead's row is held so that the same bytes arriving twice at once are seen by the second.
	lead, err := lockLeadRef(ctx, tx, d.LeadID)
	if err != nil {
		return d, err
	}
	up := Upload{LeadID: d.LeadID, Source: d.Source, Actor: actor}
	if d.RequestedEntryID != nil {
		up.EntryID = *d.RequestedEntryID
	}
	first, err := repeatDocument(ctx, tx, lead, up, NewFile{SHA256: file.SHA256})
	if err == nil {
		_, err = tx.Exec(ctx, `UPDATE documents SET deleted_at = $3, updated_at = $3
			WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID, tx.now)
		return first, err
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return d, err
	}
	d.ObjectKey, d.Size, d.SHA256, d.UploadedAt, d.UpdatedAt = file.ObjectKey, file.Size, file.SHA256, &tx.now, tx.now
	_, err = tx.Exec(ctx, `UPDATE documents SET size = $3, sha256 = $4, object_key = $5, uploaded_at = $6,
		updated_at = $6
		WHERE workspace_id = $1 AND id = $2`, tx.ws, d.ID, d.Size, d.SHA256, d.ObjectKey, tx.now)
	if err != nil {
		return d, err
	}
	if err := receiveDocument(ctx, tx, lead, &d); err != nil {
		return d, err
	}
	_, err = logUpload(ctx, tx, up, []dossier.Document{d})
	return d, err
}
