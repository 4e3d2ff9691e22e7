package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// reviewer is who decides: a person by its address, a key by its id, and how each is shown.
func reviewer(ctx context.Context) (string, string) {
	who := actorOf(ctx)
	if who.Type == dossier.ActorPerson {
		return who.Name, who.Name
	}
	return string(who.Type) + ":" + who.ID, requester(ctx)
}

// asker is who asks for something that a second person may have to agree to: the person of the session, else whom a key
// names, else the key.
func asker(ctx context.Context) string {
	who := actorOf(ctx)
	if who.Type == dossier.ActorKey && who.OnBehalfOf != "" {
		return dossier.FoldAssignee(who.OnBehalfOf) // as people are known by: capitals make nobody a second person
	}
	id, _ := reviewer(ctx)
	return id
}

// SubmitSpread asks for the approval of a spread's figures. Submitted or approved already it changes nothing. Errors:
// NotFound; Conflict spread_not_ready.
func (db *DB) SubmitSpread(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID) (dossier.Spread, error) {
	return transact(ctx, db, ws, "submit spread", func(tx *tx) (dossier.Spread, error) {
		s, err := lockApprovable(ctx, tx, id)
		if err != nil || s.Approval.State == dossier.ApprovalSubmitted || s.Approval.State == dossier.ApprovalApproved {
			return s, err
		}
		_, shown := reviewer(ctx)
		_, err = tx.Exec(ctx, `UPDATE spreads SET approval_state = 'SUBMITTED', approval_by = $3, approval_at = $4,
			approval_note = NULL,
			submitter = $5, approver = NULL, four_eyes = (SELECT $6 = ANY(w.four_eyes) FROM workspaces w
			WHERE w.id = $1)
			WHERE workspace_id = $1 AND id = $2`, tx.ws, id, shown, tx.now, asker(ctx), dossier.FourEyesApproval)
		if err != nil {
			return s, err
		}
		s.Approval = dossier.SpreadApproval{State: dossier.ApprovalSubmitted, By: &shown, At: &tx.now}
		audit(ctx, tx, dossier.AuditSpreadSubmit, "spread:"+string(id), nil)
		lead, err := shareLead(ctx, tx, s.LeadID)
		if err != nil {
			return s, err
		}
		return s, reviewSubmission(ctx, tx, lead, s.ID)
	})
}

// lockApprovable holds a spread, its lead first. Errors: NotFound; Conflict spread_not_ready.
func lockApprovable(ctx context.Context, tx *tx, id dossier.SpreadID) (dossier.Spread, error) {
	s, err := lockSpread(ctx, tx, id)
	if err == nil && s.Status != dossier.SpreadComplete {
		err = dossier.Coded(dossier.Conflict, "spread_not_ready",
			"This spread is %s; its figures can be approved once it is COMPLETE", s.Status)
	}
	return s, err
}

func notSubmitted(s dossier.Spread) error {
	return dossier.Coded(dossier.Conflict, "spread_not_submitted", "This spread is %s and was not submitted",
		s.Approval.State)
}

// ApproveSpread approves the figures of a submitted spread. Under four eyes a constraint keeps who submitted it, and
// every key, from it. Approved already it changes nothing. Errors: NotFound; Conflict spread_not_ready,
// spread_not_submitted, second_person_needed.
func (db *DB) ApproveSpread(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID) (dossier.Spread, error) {
	return transact(ctx, db, ws, "approve spread",
		func(tx *tx) (dossier.Spread, error) { return approveSpread(ctx, tx, id) })
}

func approveSpread(ctx context.Context, tx *tx, id dossier.SpreadID) (dossier.Spread, error) {
	s, err := lockApprovable(ctx, tx, id)
	if err != nil || s.Approval.State == dossier.ApprovalApproved {
		return s, err
	}
	if s.Approval.State != dossier.ApprovalSubmitted {
		return s, notSubmitted(s)
	}
	lead, err := shareLead(ctx, tx, s.LeadID)
	if err != nil {
		return s, err
	}
	who, shown := reviewer(ctx)
	_, err = tx.Exec(ctx, `UPDATE spreads SET approval_state = 'APPROVED', approval_by = $3, approval_at = $4,
		approval_note = NULL, approver = $5
		WHERE workspace_id = $1 AND id = $2`, tx.ws, id, shown, tx.now, who)
	if err != nil {
		return s, err
	}
	s.Approval = dossier.SpreadApproval{State: dossier.ApprovalApproved, By: &shown, At: &tx.now}
	endSubmission(tx, id)
	audit(ctx, tx, dossier.AuditSpreadApprove, "spread:"+string(id), nil)
	return s, emitSpread(ctx, tx, dossier.EventSpreadApproved, lead, s)
}

// ReturnSpread sends a submitted spread back with a note. Errors: NotFound; Conflict spread_not_ready,
// spread_not_submitted.
func (db *DB) ReturnSpread(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID,
	note string) (dossier.Spread, error) {
	note = dossier.MaskSecrets(note)
	return transact(ctx, db, ws, "return spread",
		func(tx *tx) (dossier.Spread, error) { return returnSpread(ctx, tx, id, note) })
}

func returnSpread(ctx context.Context, tx *tx, id dossier.SpreadID, note string) (dossier.Spread, error) {
	s, err := lockApprovable(ctx, tx, id)
	if err == nil && s.Approval.State != dossier.ApprovalSubmitted {
		err = notSubmitted(s)
	}
	if err != nil {
		return s, err
	}
	_, shown := reviewer(ctx)
	_, err = tx.Exec(ctx, `UPDATE spreads SET approval_state = 'RETURNED', approval_by = $3, approval_at = $4,
		approval_note = $5
		WHERE workspace_id = $1 AND id = $2`, tx.ws, id, shown, tx.now, note)
	if err != nil {
		return s, err
	}
	endSubmission(tx, id)
	audit(ctx, tx, dossier.AuditSpreadReturn, "spread:"+string(id), nil)
	s.Approval = dossier.SpreadApproval{State: dossier.ApprovalReturned, By: &shown, At: &tx.now, Note: &note}
	return s, nil
}
