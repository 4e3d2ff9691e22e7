package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// waitingOperation is what a second opinion executes. Kind says which of the fields count.
type waitingOperation struct {
	Kind        string                `json:"kind"` // override, item, document, erase
	Document    dossier.DocumentID    `json:"document,omitempty"`
	Association dossier.AssociationID `json:"association,omitempty"`
	Entry       dossier.EntryID       `json:"entry,omitempty"`
	Valid       bool                  `json:"valid,omitempty"`
	Note        *string               `json:"note,omitempty"`
	ReasonCode  *string               `json:"reasonCode,omitempty"`
	By          Caller                `json:"by,omitzero"`
	Code        dossier.ReviewCode    `json:"code,omitempty"` // of the review that was decided
}

// Kinds of waiting operations.
const (
	waitingOverride = "override"
	waitingItem     = "item"
	waitingDocument = "document"
	waitingErasure  = "erase"
)

// needsSecond reports whether something needs a second person in the workspace.
func needsSecond(ctx context.Context, tx *tx, what string) (needed bool, err error) {
	err = tx.QueryRow(ctx, `SELECT $2 = ANY(four_eyes) FROM workspaces WHERE id = $1`, tx.ws, what).Scan(&needed)
	return needed, orMissing(err, "workspace")
}

// NeedsSecond reports whether something needs a second person: dossier.FourEyesErase, ...
func (db *DB) NeedsSecond(ctx context.Context, ws dossier.WorkspaceID, what string) (bool, error) {
	return snapshot(ctx, db, ws, "needs second", func(tx *tx) (bool, error) { return needsSecond(ctx, tx, what) })
}

// askSecond lets an operation wait for another person. Asked for again it is the same review; another operation on the
// same thing takes the place of the one before. key tells operations on one subject apart.
func askSecond(ctx context.Context, tx *tx, lead leadRef, subject dossier.ReviewSubject, key, detail string,
	op waitingOperation) (*dossier.Review, error) {
	operation, who := mustJSON(op), asker(ctx)
	var id dossier.ReviewID
	var same bool
	err := tx.QueryRow(ctx, `SELECT id, operation = $4::jsonb AND asker = $5 FROM reviews WHERE workspace_id = $1
		AND subject_id = $2 AND code = 'second_opinion' AND pointer = $3 AND state = 'OPEN' FOR UPDATE`, tx.ws,
		subject.ID, key, operation, who).Scan(&id, &same)
	switch {
	case err == nil && !same:
		_, err = tx.Exec(ctx, `UPDATE reviews SET operation = $3, asker = $4, detail = $5, claimed_by = NULL,
				claimed_name = NULL, claimed_until = NULL, version = version + 1
			WHERE workspace_id = $1 AND id = $2`, tx.ws, id, operation, who, detail)
	case orMissing(err, "review") != err:
		cause := dossier.ReviewCause{Code: dossier.ReviewSecondOpinion, Subject: subject, Key: key, Detail: detail}
		if err := openReviews(ctx, tx, lead, []dossier.ReviewCause{cause}); err != nil {
			return nil, err
		}
		err = tx.QueryRow(ctx, `UPDATE reviews SET operation = $4, asker = $5 WHERE workspace_id = $1
			AND subject_id = $2 AND code = 'second_opinion' AND pointer = $3 AND state = 'OPEN' RETURNING id`,
			tx.ws, subject.ID, key, operation, who).Scan(&id)
	}
	if err != nil {
		return nil, err
	}
	r, err := readReview(ctx, tx, id, "")
	return &r.Review, err
}

// secondOpinion executes the operation that waited for a decision, or drops it. The decision is saved: a constraint has
// seen to it that another person made it.
func secondOpinion(ctx context.Context, tx *tx, lead leadRef, r dossier.Review, d DecisionRequest) error {
	var text json.RawMessage
	var op waitingOperation
	err := tx.QueryRow(ctx, `SELECT operation FROM reviews WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID).
		Scan(&text)
	if err == nil {
		err = json.Unmarshal(text, &op)
	}
	if err != nil {
		return err
	}
	if d.Decision != dossier.DecideAccept {
		return dropOperation(ctx, tx, lead, r, op)
	}
	asked := DecisionRequest{Decision: dossier.DecideReject, ReasonCode: op.ReasonCode, Note: op.Note, By: op.By,
		Judge: d.Judge}
	if op.Valid {
		asked.Decision = dossier.DecideAccept
	}
	switch op.Kind {
	case waitingOverride:
		_, err := overrideAssociation(ctx, tx, op.Document, op.Association, op.Valid, dossier.Text(op.Note),
			op.By.Actor)
		return ignoreMissing(err) // the document serves the item no longer
	case waitingItem:
		return decideItem(ctx, tx, lead, op.Entry, op.Valid, asked)
	case waitingDocument:
		return rejectDocument(ctx, tx, lead, op.Document, asked)
	}
	who, _ := reviewer(ctx)
	if _, err := tx.Exec(ctx, `UPDATE erasures SET agreed_by = $3, waits = false WHERE workspace_id = $1
		AND subject_id = $2 AND status IN ('SCHEDULED', 'HELD') AND waits`, tx.ws, r.Subject.ID, who); err != nil {
		return err
	}
	if op.Document != "" {
		_, err = eraseDocument(ctx, tx, op.Document, dossier.Text(op.Note))
	} else {
		_, err = eraseLead(ctx, tx, lead.LeadID, dossier.Text(op.Note), op.By)
	}
	return err
}

// dropOperation calls off what waited. What was the reason for it is still one.
func dropOperation(ctx context.Context, tx *tx, lead leadRef, r dossier.Review, op waitingOperation) error {
	switch op.Kind {
	case waitingErasure:
		_, err := tx.Exec(ctx, `UPDATE erasures SET status = 'CANCELLED' WHERE workspace_id = $1 AND subject_id = $2
			AND status IN ('SCHEDULED', 'HELD') AND waits`, tx.ws, r.Subject.ID)
		return err
	case waitingItem:
		items, err := collect(ctx, tx, pgx.RowToStructByPos[itemState], selectItemState, tx.ws, op.Entry)
		if err != nil || len(items) == 0 {
			return err
		}
		i := items[0]
		return openReviews(ctx, tx, lead, dossier.ItemCauses(i.ID, i.Label, i.Status, i.Reasons))
	case waitingDocument:
		doc, err := readDocument(ctx, tx, op.Document)
		if err != nil {
			return ignoreMissing(err)
		}
		for _, c := range doc.ReviewCauses() {
			if c.Code == op.Code {
				return openReviews(ctx, tx, lead, []dossier.ReviewCause{c})
			}
		}
	}
	return nil
}

// itemState is what says whether somebody is to look at an item.
type itemState struct {
	ID      dossier.EntryID
	Label   string
	Status  dossier.ItemStatus
	Reasons []dossier.Reason
}

const selectItemState = `SELECT e.id, i.label, e.status, e.reasons FROM checklist_entries e
	JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
	WHERE e.workspace_id = $1 AND e.id = $2`

// askToDecide lets the decision about an item or a document wait for a second person where overrides need one.
func askToDecide(ctx context.Context, tx *tx, lead leadRef, r dossier.Review, d DecisionRequest) (bool, error) {
	needed, err := needsSecond(ctx, tx, dossier.FourEyesOverride)
	if err != nil || !needed {
		return false, err
	}
	op := waitingOperation{Kind: waitingItem, Valid: d.Decision == dossier.DecideAccept, Note: d.Note,
		ReasonCode: d.ReasonCode, By: d.By, Code: r.Code}
	if r.Subject.Type == dossier.SubjectDocument {
		op.Kind, op.Document = waitingDocument, dossier.DocumentID(r.Subject.ID)
	} else {
		op.Entry = dossier.EntryID(r.Subject.ID)
	}
	_, err = askSecond(ctx, tx, lead, r.Subject, "", "Decided with "+string(d.Decision)+": "+r.Detail, op)
	return true, err
}

// askErasure lets an erasure wait for a second person: it is SCHEDULED and nothing happens before that.
func askErasure(ctx context.Context, tx *tx, what erasing, by Caller) (dossier.Erasure, error) {
	status := dossier.ErasureScheduled
	if what.stored.Held {
		status = dossier.ErasureHeld
	}
	e, err := oneOf(ctx, tx, "erasure", scanErasure, `
		INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, is_test, status, reason, requested_by,
			requested_at, due_at, policy, four_eyes, waits, asker)
		VALUES (@workspace, @id, @subject, @subjectId, @leadId, @isTest, @status, @reason, @requestedBy, @now, @now,
			'request', true, true, @asker)
		ON CONFLICT (workspace_id, subject_id) WHERE status IN ('SCHEDULED', 'RUNNING', 'HELD')
		DO UPDATE SET asker = CASE WHEN erasures.waits THEN excluded.asker ELSE erasures.asker END
		RETURNING `+erasureColumns,
		pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "subject": what.subject, "subjectId": what.id,
			"leadId": what.lead, "isTest": what.stored.Test, "status": status, "reason": what.reason,
			"requestedBy": requester(ctx), "now": tx.now, "asker": asker(ctx)})
	if err != nil {
		return e, err
	}
	lead := leadRef{LeadID: what.lead}
	if err := tx.QueryRow(ctx, `SELECT external_lead_id FROM leads WHERE workspace_id = $1 AND id = $2`, tx.ws,
		what.lead).Scan(&lead.ExternalLeadID); err != nil {
		return e, orMissing(err, "lead")
	}
	op := waitingOperation{Kind: waitingErasure, Note: &what.reason, By: by}
	subject := dossier.ReviewSubject{Type: dossier.SubjectLead, ID: what.id}
	if what.subject == dossier.EraseDocument {
		op.Document, subject.Type = dossier.DocumentID(what.id), dossier.SubjectDocument
	}
	e.Asked, err = askSecond(ctx, tx, lead, subject, waitingErasure, "To erase for good: a "+string(what.subject)+".",
		op)
	return e, err
}

// endErasureOpinion ends the review of an erasure that nobody needs to agree to any more.
func endErasureOpinion(tx *tx, subject string) {
	tx.deferExec(
		endReview+`AND subject_id = $2 AND code = 'second_opinion' AND pointer = 'erase'`, tx.ws, subject, tx.now)
}
