package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// ErasureStep is what the job of an erasure has to do before the rows go.
type ErasureStep struct {
	Open    bool                    // false: it is over, or held
	Objects []string                // keys of stored objects
	Runs    []dossier.PipelineRunID // whose answers to polls may be kept in Redis
	Named   []string                // the lead and its documents: answers of models about them may be kept there too
}

// StartErasure begins or resumes an erasure. While a hold stands it is HELD instead. Error: NotFound.
func (db *DB) StartErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID) (ErasureStep, error) {
	return transact(ctx, db, ws, "start erasure", func(tx *tx) (ErasureStep, error) {
		var step ErasureStep
		e, lead, err := openErasure(ctx, tx, id)
		if err != nil || e.Status != dossier.ErasureScheduled && e.Status != dossier.ErasureRunning {
			return step, err
		}
		if lead.Held {
			return step, waitForRelease(ctx, tx, id)
		}
		var waits bool // for a second person
		err = tx.QueryRow(ctx, `SELECT waits FROM erasures WHERE workspace_id = $1 AND id = $2`, tx.ws, id).Scan(&waits)
		if err != nil || waits {
			return step, err
		}
		if early, err := waitForFloor(ctx, tx, e); err != nil || early {
			return step, err
		}
		scope, err := readErasureScope(ctx, tx, e.Subject, e.LeadID, e.SubjectID)
		if err != nil {
			return step, err
		}
		step = ErasureStep{Open: true, Runs: scope.Runs, Named: scope.IDs}
		err = tx.QueryRow(ctx, `UPDATE erasures SET status = 'RUNNING', started_at = coalesce(started_at, $3),
			objects = ARRAY(SELECT DISTINCT k FROM unnest(objects || $4::text[]) k ORDER BY k) WHERE workspace_id = $1
			AND id = $2 RETURNING objects`,
			tx.ws, id, tx.now, scope.Objects).Scan(&step.Objects)
		return step, err
	})
}

// waitForRelease makes an erasure wait for the last hold to be released, which stages it again.
func waitForRelease(ctx context.Context, tx *tx, id dossier.ErasureID) error {
	_, err := tx.Exec(ctx, `UPDATE erasures SET status = 'HELD' WHERE workspace_id = $1 AND id = $2`, tx.ws, id)
	return err
}

// waitForFloor puts off an erasure whose lead has a floor that was not known when it was asked for.
func waitForFloor(ctx context.Context, tx *tx, e dossier.Erasure) (bool, error) {
	k, err := keptUntil(ctx, tx, e.LeadID)
	if err != nil {
		return false, ignoreMissing(err)
	}
	if k.allow(tx.now) == nil {
		return false, nil
	}
	if _, err := tx.Exec(ctx, `UPDATE erasures SET status = 'SCHEDULED', due_at = $3 WHERE workspace_id = $1
			AND id = $2`, tx.ws, e.ID, *k.floor); err != nil {
		return false, err
	}
	_, err = enqueue(ctx, tx, jobs.Erase{Workspace: tx.ws, Erasure: e.ID},
		staging{subject: string(e.ID), delay: k.floor.Sub(tx.now)})
	return true, err
}

// openErasure holds an erasure and its lead. Error: NotFound (the erasure).
func openErasure(ctx context.Context, tx *tx, id dossier.ErasureID) (dossier.Erasure, storedLead, error) {
	var leadID dossier.LeadID
	if err := tx.QueryRow(ctx, `SELECT coalesce(lead_id::text, '') FROM erasures WHERE workspace_id = $1 AND id = $2`,
		tx.ws, id).Scan(&leadID); err != nil {
		return dossier.Erasure{}, storedLead{}, orMissing(err, "erasure")
	}
	var lead storedLead
	var err error
	if leadID != "" {
		lead, err = lockStoredLead(ctx, tx, leadID) // first, as everybody does
	}
	if err != nil && dossier.KindOf(err) != dossier.NotFound {
		return dossier.Erasure{}, lead, err
	}
	e, err := oneOf(ctx, tx, "erasure", scanErasure, `SELECT `+erasureColumns+` FROM erasures WHERE workspace_id = $1
			AND id = $2 FOR UPDATE`, tx.ws, id)
	return e, lead, err
}

// FinishErasure takes every row about the subject away, signs the certificate and tells of it: all in one commit, after
// the objects are gone. Error: ErrFenced.
func (db *DB) FinishErasure(ctx context.Context, claim Claim, id dossier.ErasureID) error {
	_, err := transact(ctx, db, claim.Workspace, "finish erasure", func(tx *tx) (none, error) {
		e, lead, err := openErasure(ctx, tx, id)
		if err != nil || e.Status != dossier.ErasureRunning {
			return none{}, err // somebody else finished or cancelled it
		}
		if lead.Held {
			return none{}, waitForRelease(ctx, tx, id)
		}
		if e.Subject == dossier.EraseLead {
			if err := finishDocumentsOf(ctx, tx, e.LeadID); err != nil {
				return none{}, err
			}
		}
		if err := eraseSubject(ctx, tx, &e); err != nil {
			return none{}, err
		}
		if err := emitErasure(ctx, tx, e, lead); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "erasure:"+string(id))
	})
	return err
}

// eraseSubject deletes all rows in the scope of an erasure, and completes the erasure with its certificate. The caller
// holds the erasure's lock.
func eraseSubject(ctx context.Context, tx *tx, e *dossier.Erasure) error {
	scope, err := readErasureScope(ctx, tx, e.Subject, e.LeadID, e.SubjectID)
	if err != nil {
		return err
	}
	if err := removeReferences(ctx, tx, scope); err != nil {
		return err
	}
	erased, err := erasableRows(ctx, tx, scope, true)
	if err != nil {
		return err
	}
	if e.Subject == dossier.EraseDocument {
		if err := regenerateWithout(ctx, tx, scope.Spreads); err != nil {
			return err
		}
	}
	if err := tx.QueryRow(ctx, `SELECT objects FROM erasures WHERE workspace_id = $1 AND id = $2`, tx.ws,
		e.ID).Scan(&scope.Objects); err != nil {
		return err
	}
	return completeErasure(ctx, tx, e, erased, scope.Objects)
}

// completeErasure marks an erasure COMPLETE and signs a certificate over the names of the deleted rows and objects.
func completeErasure(ctx context.Context, tx *tx, e *dossier.Erasure, rows, objects []string) error {
	if e.StartedAt == nil {
		e.StartedAt = &tx.now
	}
	e.Status, e.CompletedAt, e.Counts = dossier.ErasureComplete, &tx.now,
		dossier.ErasureCounts{Rows: len(rows), Objects: len(objects)}
	certificate, public, err := certify(ctx, tx, *e, append(rows, objects...))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE erasures SET status = 'COMPLETE', started_at = @startedAt, completed_at = @now,
		row_count = @rowCount,
		object_count = @objectCount, objects = '{}',
		certificate = @certificate, public_key = @publicKey WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": e.ID, "now": tx.now, "rowCount": e.Counts.Rows,
			"objectCount": e.Counts.Objects, "certificate": string(certificate), "publicKey": []byte(public),
			"startedAt": e.StartedAt})
	return err
}

// finishDocumentsOf completes the erasures of single documents that are still open when the whole lead is erased: their
// objects were deleted with the lead's.
func finishDocumentsOf(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	open, err := collect(ctx, tx, scanErasure, `SELECT `+erasureColumns+` FROM erasures
		WHERE workspace_id = $1 AND lead_id = $2 AND subject = 'document' AND status IN ('SCHEDULED', 'RUNNING', 'HELD')
		ORDER BY id FOR UPDATE`, tx.ws, lead)
	if err != nil {
		return err
	}
	for _, e := range open {
		scope, err := readErasureScope(ctx, tx, e.Subject, e.LeadID, e.SubjectID)
		if err != nil {
			return err
		}
		erased, err := erasableRows(ctx, tx, scope, true)
		if err != nil {
			return err
		}
		if err := completeErasure(ctx, tx, &e, erased, scope.Objects); err != nil {
			return err
		}
		if err := cancelSubject(ctx, tx, string(e.ID)); err != nil {
			return err
		}
	}
	return nil
}

// emitErasure emits the event that a lead or a document was erased. After a document it stages the judging of the
// lead's items.
func emitErasure(ctx context.Context, tx *tx, e dossier.Erasure, lead storedLead) error {
	tx.test = e.Test // other events read this from the lead's row, which may be deleted
	if e.Subject == dossier.EraseLead {
		return emit(ctx, tx, dossier.EventLeadErased, e.LeadID,
			record.LeadErasedEvent{LeadID: e.LeadID, ErasureID: e.ID})
	}
	if !lead.Deleted {
		if _, err := enqueue(ctx, tx, jobs.JudgeLead{Workspace: tx.ws, Lead: e.LeadID},
			staging{subject: string(e.LeadID)}); err != nil {
			return err
		}
	}
	return emit(ctx, tx, dossier.EventDocumentErased, e.LeadID, record.DocumentErasedEvent{LeadID: e.LeadID,
		DocumentID: dossier.DocumentID(e.SubjectID), ErasureID: e.ID})
}
