package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
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
	return dossier.Text(k.Key), checkHasPages(k.Status)
}

// checkHasPages refuses a document that was not read yet or could not be read. Errors: Conflict document_not_ready,
// NotFound page_not_found.
func checkHasPages(status dossier.ExtractionStatus) error {
	switch status {
	case dossier.ExtractionPending, dossier.ExtractionProcessing:
		return dossier.Coded(dossier.Conflict, "document_not_ready", "This document is not read yet")
	case dossier.ExtractionFailed:
		return dossier.Coded(dossier.NotFound, "page_not_found", "The document could not be read and has no pages")
	}
	return nil
}

// PagePicture is a picture of a page of a document.
type PagePicture struct {
	Document  dossier.DocumentID
	Page      int
	Width     int    // in pixels
	ObjectKey string // empty when the page cannot be drawn
	SHA256    []byte
}

// FindPagePicture returns the picture of a page, or stages its drawing: nil then, and whoever waits asks again. Errors:
// NotFound (no such document; page_not_found: no such page, or one that cannot be drawn), Conflict document_not_ready.
func (db *DB) FindPagePicture(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	page, width int) (*PagePicture, error) {
	return transact(ctx, db, ws, "find page picture", func(tx *tx) (*PagePicture, error) {
		var status dossier.ExtractionStatus
		var pages int
		p := PagePicture{Document: id, Page: page, Width: width}
		var key *string
		err := tx.QueryRow(ctx, `SELECT d.extraction_status,
				coalesce(jsonb_array_length(d.extraction->'pages'), (d.extraction->>'pageCount')::int, 0), p.object_key,
				p.sha256
			FROM documents d LEFT JOIN page_pictures p ON p.workspace_id = $1 AND p.document_id = d.id AND p.page = $3
				AND p.width = $4
			WHERE d.workspace_id = $1 AND d.id = $2 AND d.deleted_at IS NULL AND d.uploaded_at IS NOT NULL
			  AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = d.lead_id AND l.deleted_at IS NULL)`,
			tx.ws, id, page, width).Scan(&status, &pages, &key, &p.SHA256)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, missing("document")
		}
		if err == nil {
			err = checkHasPages(status)
		}
		switch {
		case err != nil:
			return nil, err
		case page > pages, key != nil && *key == "":
			return nil, dossier.Coded(dossier.NotFound, "page_not_found", "The document has no such page")
		case key != nil:
			p.ObjectKey = *key
			return &p, nil
		}
		_, err = enqueue(ctx, tx, jobs.DrawPage{Workspace: tx.ws, Document: id, Page: page, Width: width},
			staging{subject: string(id), uniqueKey: fmt.Sprintf("draw:%s:%d:%d", id, page, width)})
		return nil, err
	})
}

// SavePagePicture keeps a picture that a job drew. Errors: ErrFenced, NotFound (the document is gone).
func (db *DB) SavePagePicture(ctx context.Context, claim Claim, p PagePicture) error {
	_, err := transact(ctx, db, claim.Workspace, "save page picture", func(tx *tx) (none, error) {
		tag, err := tx.Exec(ctx, `INSERT INTO page_pictures (workspace_id, document_id, page, width, object_key,
			sha256,
				created_at)
			SELECT @workspace, d.id, @page, @width, @objectKey, coalesce(@sha256, ''::bytea), @now FROM documents d
				WHERE d.workspace_id = @workspace AND d.id = @id AND d.deleted_at IS NULL FOR UPDATE
			ON CONFLICT (workspace_id, document_id, page, width)
				DO UPDATE SET object_key = excluded.object_key, sha256 = excluded.sha256`,
			pgx.NamedArgs{"workspace": tx.ws, "id": p.Document, "page": p.Page, "width": p.Width,
				"objectKey": p.ObjectKey, "sha256": p.SHA256, "now": tx.now})
		if err == nil && tag.RowsAffected() == 0 {
			err = missing("document")
		}
		if err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "document:"+string(p.Document))
	})
	return err
}
