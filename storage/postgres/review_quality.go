package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// sampleItem asks a person to look at a share of what the machine completes; what a person had a hand in is no sample.
// An item that is complete no longer is none either.
func sampleItem(ctx context.Context, tx *tx, lead leadRef, item dossier.FileItem, status dossier.ItemStatus) error {
	if status != dossier.ItemCompleted {
		if item.Status == dossier.ItemCompleted {
			endReviews(tx, []string{string(item.EntryID)}, []dossier.ReviewCode{dossier.ReviewSample})
		}
		return nil
	}
	var share float64
	var byPerson bool
	err := tx.QueryRow(ctx, `SELECT coalesce((w.review->>'sample')::float8, 0), EXISTS (SELECT FROM
			document_associations a WHERE a.workspace_id = $1 AND a.entry_id = $2 AND a.override_valid IS NOT NULL)
		FROM workspaces w WHERE w.id = $1`, tx.ws, item.EntryID).Scan(&share, &byPerson)
	if err != nil || byPerson || !dossier.Sampled(share, item.EntryID) {
		return err
	}
	return settleReviews(ctx, tx, lead, []string{string(item.EntryID)}, []dossier.ReviewCode{dossier.ReviewSample},
		[]dossier.ReviewCause{{Code: dossier.ReviewSample, Detail: item.Label +
			" was completed; it is part of the sample.",
			Subject:   dossier.ReviewSubject{Type: dossier.SubjectItem, ID: string(item.EntryID)},
			ItemLabel: &item.Label}})
}

// noteSample keeps what somebody saw who looked at a sample, unless it was dismissed: the facts of the documents that
// serve the item, of which those are wrong that are corrected.
func noteSample(ctx context.Context, tx *tx, r dossier.Review, d DecisionRequest) error {
	if d.Decision == dossier.DecideDismiss {
		return nil
	}
	type serving struct {
		Document dossier.DocumentID
		Parts    []int
	}
	documents, err := collect(ctx, tx, pgx.RowToStructByPos[serving], `SELECT a.document_id, a.parts
		FROM document_associations a JOIN documents d ON d.workspace_id = a.workspace_id AND d.id = a.document_id
		WHERE a.workspace_id = $1 AND a.entry_id = $2 AND d.deleted_at IS NULL ORDER BY a.document_id`, tx.ws,
		r.Subject.ID)
	if err != nil {
		return err
	}
	for _, s := range documents {
		doc, err := readDocument(ctx, tx, s.Document)
		if err != nil {
			return err
		}
		for _, q := range doc.SampleQuality(s.Parts) {
			tx.deferExec(`INSERT INTO review_looks (workspace_id, review_id, document_id, is_test, doc_type, field,
					looked_at, correct, at)
				SELECT @workspace, @reviewId, @documentId, is_test, @docType, @field, @lookedAt, @correct,
					@now FROM leads WHERE workspace_id = @workspace AND id = @id`,
				pgx.NamedArgs{"workspace": tx.ws, "reviewId": r.ID, "documentId": s.Document, "docType": q.DocType,
					"field": q.Field, "lookedAt": q.LookedAt, "correct": q.Right, "now": tx.now, "id": r.LeadID})
		}
	}
	return nil
}

// ReviewQuality is how often what was read is right, by docType and field: of what was looked at in samples, and of
// what was corrected outside of them, between since and until; nil is no bound.
func (db *DB) ReviewQuality(ctx context.Context, ws dossier.WorkspaceID, since, until *time.Time,
	mode dossier.Mode) ([]dossier.ReviewQuality, error) {
	return snapshot(ctx, db, ws, "review quality", func(tx *tx) ([]dossier.ReviewQuality, error) {
		sampled, err := collect(ctx, tx, pgx.RowToStructByPos[dossier.ReviewQuality], `SELECT doc_type, field,
				sum(looked_at)::int, sum(correct)::int FROM review_looks
			WHERE workspace_id = $1 AND is_test = ANY($4) AND at >= coalesce($2::timestamptz, '-infinity')
				AND at < coalesce($3::timestamptz, 'infinity')
			GROUP BY doc_type, field`, tx.ws, since, until, testFlags(mode))
		if err != nil {
			return nil, err
		}
		lists := [][]dossier.ReviewQuality{sampled}
		_, err = collect(ctx, tx, func(row pgx.CollectableRow) (none, error) {
			var d dossier.Document
			err := row.Scan(&d.Extraction, &d.Corrections)
			lists = append(lists, d.CorrectionQuality(since, until))
			return none{}, err
		}, `SELECT d.extraction, d.corrections FROM documents d
			WHERE d.workspace_id = $1 AND d.corrections <> '[]' AND d.extraction IS NOT NULL AND d.deleted_at IS NULL
				-- one lead after the other: a join may be planned to read all of them
				AND (SELECT l.is_test FROM leads l WHERE l.workspace_id = $1 AND l.id = d.lead_id
					AND l.deleted_at IS NULL) = ANY($2)
				AND NOT EXISTS (SELECT FROM review_looks k WHERE k.workspace_id = $1 AND k.document_id = d.id)`,
			tx.ws, testFlags(mode))
		return dossier.AddQuality(lists...), err
	})
}
