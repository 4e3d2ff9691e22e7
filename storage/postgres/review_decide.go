package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// DecisionRequest is what a person decides about a review, with the rules by which items are judged then.
type DecisionRequest struct {
	Decision   dossier.ReviewDecided
	ReasonCode *string
	Note       *string
	Version    int
	By         Caller
	Judge      func(zone string) dossier.Judge
}

// DecideReview decides a review that the caller has claimed, and does what the subject's own operation does, in one
// commit. Errors: NotFound; Invalid decision_not_possible, or by JSON pointer into the request; Conflict
// review_claimed, review_not_claimed, review_moved, and those of the subject's operation.
func (db *DB) DecideReview(ctx context.Context, ws dossier.WorkspaceID, id dossier.ReviewID,
	d DecisionRequest) (dossier.Review, error) {
	d.Note = masked(d.Note)
	return transact(ctx, db, ws, "decide review", func(tx *tx) (dossier.Review, error) {
		r, err := readReview(ctx, tx, id, "")
		if err != nil {
			return r.Review, err
		}
		lead, err := lockReviewLead(ctx, tx, r) // leads are always locked first
		if err != nil {
			return r.Review, err
		}
		if r, err = readReview(ctx, tx, id, lockReview); err != nil {
			return r.Review, err
		}
		if err := mayDecide(ctx, tx, r, d); err != nil {
			return r.Review, err
		}
		if err := saveDecision(ctx, tx, &r.Review, d); err != nil {
			return r.Review, err
		}
		if err := applyDecision(ctx, tx, lead, r.Review, d); err != nil {
			return r.Review, err
		}
		audit(ctx, tx, dossier.AuditReviewDecide, "review:"+string(r.ID),
			map[string]any{"leadId": r.LeadID, "code": r.Code, "decision": d.Decision, "reasonCode": d.ReasonCode})
		return r.Review, emitReview(ctx, tx, dossier.EventReviewDecided, lead, r.Review)
	})
}

// lockReviewLead holds the lead of a review; of an erasure it may be deleted. Error: NotFound (the review).
func lockReviewLead(ctx context.Context, tx *tx, r storedReview) (leadRef, error) {
	lead, err := lockLeadRef(ctx, tx, r.LeadID)
	if dossier.KindOf(err) != dossier.NotFound {
		return lead, err
	}
	if r.Code != dossier.ReviewSecondOpinion {
		return lead, missing("review")
	}
	if _, err := lockOwnLead(ctx, tx, r.LeadID); err != nil {
		return lead, err
	}
	lead.LeadID = r.LeadID
	err = tx.QueryRow(ctx, `SELECT external_lead_id FROM leads WHERE workspace_id = $1 AND id = $2`, tx.ws, r.LeadID).
		Scan(&lead.ExternalLeadID)
	return lead, orMissing(err, "review")
}

// mayDecide refuses a decision that does not suit, and whoever has not claimed the review as it is. A correction may
// have ended the cause of the claimed review before it is decided: that counts as the caller's own doing.
func mayDecide(ctx context.Context, tx *tx, r storedReview, d DecisionRequest) error {
	var settings reviewJSON
	if err := tx.QueryRow(ctx, `SELECT review FROM workspaces WHERE id = $1`, tx.ws).Scan(&settings); err != nil {
		return err
	}
	if err := r.CheckDecision(d.Decision, d.ReasonCode, settings.settings().OrDefault().ReasonCodes); err != nil {
		return err
	}
	own, _ := r.heldBy(ctx, tx)
	if d.Decision == dossier.DecideCorrect && r.State == dossier.ReviewObsolete && own && d.Version >= r.Version-1 {
		return nil
	}
	if err := r.requireClaim(ctx, tx); err != nil {
		return err
	}
	if d.Version != r.Version {
		return dossier.ReviewMoved(r.Review)
	}
	return nil
}

// saveDecision closes the review before what is decided is done: that finds nothing left to end.
func saveDecision(ctx context.Context, tx *tx, r *dossier.Review, d DecisionRequest) error {
	who, shown := reviewer(ctx)
	r.State, r.Version, r.Claim = dossier.ReviewDone, r.Version+1, nil
	r.Decision = &dossier.ReviewDecision{By: shown, At: tx.now, Decision: d.Decision, ReasonCode: d.ReasonCode,
		Note: d.Note}
	_, err := tx.Exec(ctx, `UPDATE reviews SET state = 'DECIDED', version = @version, decision = @decision,
		decider = @decider,
			decided_by = @decidedBy, decided_at = @now, closed_at = @now, reason_code = @reasonCode, note = @note,
				claimed_by = NULL,
			claimed_name = NULL, claimed_until = NULL
		WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": r.ID, "version": r.Version, "decision": d.Decision, "decider": who,
			"decidedBy": shown, "now": tx.now, "reasonCode": d.ReasonCode, "note": d.Note})
	return err
}

// applyDecision carries out a decision. Dismissing a review, or marking it as corrected, changes nothing else.
func applyDecision(ctx context.Context, tx *tx, lead leadRef, r dossier.Review, d DecisionRequest) error {
	if r.Code == dossier.ReviewSample {
		return noteSample(ctx, tx, r, d)
	}
	if d.Decision == dossier.DecideDismiss || d.Decision == dossier.DecideCorrect {
		return nil
	}
	accept := d.Decision == dossier.DecideAccept
	switch r.Code {
	case dossier.ReviewSecondOpinion:
		return secondOpinion(ctx, tx, lead, r, d)
	case dossier.ReviewItem, dossier.ReviewRule:
		if waits, err := askToDecide(ctx, tx, lead, r, d); waits || err != nil {
			return err
		}
		return decideItem(ctx, tx, lead, dossier.EntryID(r.Subject.ID), accept, d)
	case dossier.ReviewUnread, dossier.ReviewTampering:
		if accept {
			return nil // it is genuine
		}
		if waits, err := askToDecide(ctx, tx, lead, r, d); waits || err != nil {
			return err
		}
		return rejectDocument(ctx, tx, lead, dossier.DocumentID(r.Subject.ID), d)
	case dossier.ReviewConflict:
		return keepCorrection(ctx, tx, lead, r.Subject)
	case dossier.ReviewSpreadApproval, dossier.ReviewSpreadVariance:
		return decideSpread(ctx, tx, r, accept, d)
	case dossier.ReviewDraft:
		if accept {
			_, err := approveMessage(ctx, tx, dossier.MessageID(r.Subject.ID), d.By)
			return err
		}
		_, err := rejectMessage(ctx, tx, dossier.MessageID(r.Subject.ID), d.why(), d.By)
		return err
	case dossier.ReviewEscalation:
		_, err := resolveEscalation(ctx, tx, dossier.EscalationID(r.Subject.ID), d.Note, d.By)
		return err
	}
	return nil
}

// why is what a decision says in words: its note, else its reason.
func (d DecisionRequest) why() *string {
	if d.Note != nil && *d.Note != "" {
		return d.Note
	}
	return d.ReasonCode
}

// decideSpread approves or returns a submitted spread. A variance may be judged before: then nothing else happens.
func decideSpread(ctx context.Context, tx *tx, r dossier.Review, accept bool, d DecisionRequest) error {
	id := dossier.SpreadID(r.Subject.ID)
	if r.Code == dossier.ReviewSpreadVariance {
		s, err := lockSpread(ctx, tx, id)
		if err != nil || s.Status != dossier.SpreadComplete || s.Approval.State != dossier.ApprovalSubmitted {
			return err
		}
	}
	var err error
	if accept {
		_, err = approveSpread(ctx, tx, id)
	} else {
		_, err = returnSpread(ctx, tx, id, dossier.Text(d.why()))
	}
	return err
}

// decideItem settles an item that waits for a person: the documents of which nobody was sure are good for it, or not.
// An item that has none of these is set as by an update of its lead.
func decideItem(ctx context.Context, tx *tx, lead leadRef, entry dossier.EntryID, accept bool,
	d DecisionRequest) error {
	changed, err := override(ctx, tx, &entry, nil, accept, d)
	if err != nil {
		return err
	}
	if err := judgeOverridden(ctx, tx, lead, []dossier.EntryID{entry}, changed, d); err != nil {
		return err
	}
	var code string
	var status dossier.ItemStatus
	err = tx.QueryRow(ctx, `SELECT code, status FROM checklist_entries WHERE workspace_id = $1 AND id = $2`, tx.ws,
		entry).Scan(&code, &status)
	if err != nil {
		return orMissing(err, "checklist item")
	}
	if status != dossier.ItemNeedsReview {
		return nil
	}
	status = dossier.ItemInvalid
	if accept {
		status = dossier.ItemCompleted
	}
	return updateLead(ctx, tx, lead.LeadID, dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: code,
		Status: &status}}}, 0, d.By)
}

// rejectDocument says that a document is good for no item.
func rejectDocument(ctx context.Context, tx *tx, lead leadRef, id dossier.DocumentID, d DecisionRequest) error {
	changed, err := override(ctx, tx, nil, &id, false, d)
	if err != nil {
		return err
	}
	var entries []dossier.EntryID
	for _, c := range changed {
		entries = append(entries, c.Entry)
	}
	return judgeOverridden(ctx, tx, lead, entries, changed, d)
}

// overridden is a document on an item of which a person has said what counts.
type overridden struct {
	Association dossier.AssociationID
	Document    dossier.DocumentID
	Entry       dossier.EntryID
	Filename    string
}

// override sets a person's word on those documents of an item of which nobody was sure, or on a document for all items
// that it serves.
func override(ctx context.Context, tx *tx, entry *dossier.EntryID, document *dossier.DocumentID, valid bool,
	d DecisionRequest) ([]overridden, error) {
	_, shown := reviewer(ctx)
	if d.By.Actor != "" {
		shown = d.By.Actor
	}
	return collect(ctx, tx, pgx.RowToStructByPos[overridden], `UPDATE document_associations a
		SET override_valid = @overrideValid,
			override_by = @overrideBy, override_note = @overrideNote, override_at = @now, updated_at = @now
		FROM documents d WHERE a.workspace_id = @workspace AND d.workspace_id = @workspace AND d.id = a.document_id
			AND d.deleted_at IS NULL AND a.override_valid IS DISTINCT FROM @overrideValid
				AND (a.document_id = @documentId
				OR a.entry_id = @entryId AND (a.unsure OR a.validation_result IS NULL
					AND d.extraction_status = 'failed'))
		RETURNING a.id, a.document_id, a.entry_id, d.filename`,
		pgx.NamedArgs{"workspace": tx.ws, "overrideValid": valid, "overrideBy": shown, "overrideNote": d.why(),
			"now": tx.now, "entryId": entry, "documentId": document})
}

// judgeOverridden counts a person's word on documents as interventions and judges the items anew.
func judgeOverridden(ctx context.Context, tx *tx, lead leadRef, entries []dossier.EntryID, changed []overridden,
	d DecisionRequest) error {
	if len(changed) == 0 {
		return nil
	}
	for _, c := range changed {
		if err := countIntervention(ctx, tx, lead.LeadID, "documentOverrides", d.By.Actor); err != nil {
			return err
		}
		if err := logAutomatic(ctx, tx, lead.LeadID, "DOCUMENT_OVERRIDE", "A person decided about "+c.Filename,
			map[string]any{"documentId": c.Document, "associationId": c.Association,
				"overallValid": d.Decision == dossier.DecideAccept, "note": d.why()}); err != nil {
			return err
		}
	}
	zone, err := leadZone(ctx, tx, lead.LeadID)
	if err != nil {
		return err
	}
	return judgeItems(ctx, tx, lead, entries, d.Judge(zone))
}

// keepCorrection lets a person's correction stand that the file contradicts: it is no conflict until the file reads
// otherwise again.
func keepCorrection(ctx context.Context, tx *tx, lead leadRef, subject dossier.ReviewSubject) error {
	doc, err := readDocument(ctx, tx, dossier.DocumentID(subject.ID))
	if err != nil {
		return err
	}
	k := slices.IndexFunc(doc.Corrections, func(c dossier.Correction) bool {
		return subject.Part != nil && c.Part == *subject.Part && c.Pointer == dossier.Text(subject.Pointer)
	})
	if k < 0 || doc.Corrections[k].State != dossier.CorrectionConflict {
		return nil
	}
	doc.Corrections[k].State, doc.UpdatedAt = dossier.CorrectionApplied, tx.now
	if err := saveCorrections(ctx, tx, &doc); err != nil {
		return err
	}
	return emitCorrected(ctx, tx, lead, doc, []string{doc.Corrections[k].FullPointer()})
}
