package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

const erasureColumns = `id, subject, subject_id, coalesce(lead_id::text, '') AS lead_id,
	status, reason, requested_by, requested_at, due_at, started_at, completed_at,
	row_count, object_count, certificate, is_test`

func scanErasure(row pgx.CollectableRow) (dossier.Erasure, error) {
	var e dossier.Erasure
	var certificate *string
	err := row.Scan(&e.ID, &e.Subject, &e.SubjectID, &e.LeadID, &e.Status, &e.Reason, &e.RequestedBy, &e.RequestedAt,
		&e.DueAt,
		&e.StartedAt, &e.CompletedAt, &e.Counts.Rows, &e.Counts.Objects, &certificate, &e.Test)
	if certificate != nil {
		e.Certificate = []byte(*certificate)
	}
	return e, err
}

// requester is who asks, as erasures and holds show it: key:<name>, or system.
func requester(ctx context.Context) string {
	who := actorOf(ctx)
	switch who.Type {
	case dossier.ActorKey:
		return "key:" + who.Name
	case dossier.ActorPerson:
		return who.Name
	}
	return "system"
}

// storedLead is a lead that may have been deleted already.
type storedLead struct {
	Deleted bool
	Test    bool
	Held    bool
}

// lockOwnLead is lockStoredLead for a caller: a test key sees test leads only. Error: NotFound.
func lockOwnLead(ctx context.Context, tx *tx, id dossier.LeadID) (storedLead, error) {
	lead, err := lockStoredLead(ctx, tx, id)
	if err == nil && actorOf(ctx).Test && !lead.Test {
		err = missing("lead")
	}
	return lead, err
}

// lockStoredLead holds a lead's row, also one that is deleted and not erased yet. Error: NotFound.
func lockStoredLead(ctx context.Context, tx *tx, id dossier.LeadID) (storedLead, error) {
	var l storedLead
	err := tx.QueryRow(ctx, `SELECT deleted_at IS NOT NULL, is_test,
		EXISTS (SELECT FROM holds h WHERE h.workspace_id = $1 AND h.lead_id = $2 AND h.released_at IS NULL)
		FROM leads WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`, tx.ws, id).Scan(&l.Deleted, &l.Test, &l.Held)
	return l, orMissing(err, "lead")
}

// EraseLead orders everything about a lead to go now: the lead is gone with the answer, the rest when the job has run.
// Under a hold it stays as it is until the last one is released. A repeat while it is open changes nothing, but that
// what waits for its grace goes now. Under four eyes nothing goes before a second person agrees (Erasure.Asked).
// Errors: NotFound, Conflict retention_floor.
func (db *DB) EraseLead(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID, reason string,
	by Caller) (dossier.Erasure, error) {
	return transact(ctx, db, ws, "erase lead", func(tx *tx) (dossier.Erasure, error) {
		lead, err := lockOwnLead(ctx, tx, id)
		if err != nil {
			return dossier.Erasure{}, err
		}
		needed, err := needsSecond(ctx, tx, dossier.FourEyesErase)
		if err == nil && needed {
			err = mayErase(ctx, tx, id)
		}
		if err != nil {
			return dossier.Erasure{}, err
		}
		if needed {
			audit(ctx, tx, dossier.AuditLeadErase, leadSubject(id), map[string]any{"waits": true})
			return askErasure(ctx, tx, erasing{dossier.EraseLead, string(id), id, lead, reason, "request"}, by)
		}
		return eraseLead(ctx, tx, id, reason, by)
	})
}

// eraseLead is EraseLead for callers that have a transaction and need no second person.
func eraseLead(ctx context.Context, tx *tx, id dossier.LeadID, reason string, by Caller) (dossier.Erasure, error) {
	lead, err := lockOwnLead(ctx, tx, id)
	if err != nil {
		return dossier.Erasure{}, err
	}
	if err := mayErase(ctx, tx, id); err != nil {
		return dossier.Erasure{}, err
	}
	if !lead.Held && !lead.Deleted {
		ref, err := lockLeadRef(ctx, tx, id)
		if err != nil {
			return dossier.Erasure{}, err
		}
		if err := hideLead(ctx, tx, ref, by); err != nil {
			return dossier.Erasure{}, err
		}
	}
	e, err := scheduleErasure(ctx, tx, erasing{dossier.EraseLead, string(id), id, lead, reason, "request"}, 0)
	audit(ctx, tx, dossier.AuditLeadErase, leadSubject(id), map[string]any{"erasureId": e.ID})
	return e, err
}

// EraseDocument is EraseLead for one document: its items are judged again, and spreads that used it made anew without
// it. It takes a deleted document, too, that is not erased yet. Errors: NotFound, Conflict
// retention_floor.
func (db *DB) EraseDocument(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID,
	reason string) (dossier.Erasure, error) {
	return transact(ctx, db, ws, "erase document", func(tx *tx) (dossier.Erasure, error) {
		d, lead, err := lockStoredDocument(ctx, tx, id)
		if err != nil {
			return dossier.Erasure{}, err
		}
		needed, err := needsSecond(ctx, tx, dossier.FourEyesErase)
		if err == nil && needed {
			err = mayErase(ctx, tx, d.Lead)
		}
		if err != nil {
			return dossier.Erasure{}, err
		}
		if needed {
			audit(ctx, tx, dossier.AuditDocumentErase, "document:"+string(id),
				map[string]any{"leadId": d.Lead, "waits": true})
			return askErasure(ctx, tx, erasing{dossier.EraseDocument, string(id), d.Lead, lead, reason, "request"},
				Caller{})
		}
		return eraseDocument(ctx, tx, id, reason)
	})
}

// eraseDocument is EraseDocument for callers that have a transaction and need no second person.
func eraseDocument(ctx context.Context, tx *tx, id dossier.DocumentID, reason string) (dossier.Erasure, error) {
	d, lead, err := lockStoredDocument(ctx, tx, id)
	if err != nil {
		return dossier.Erasure{}, err
	}
	if err := mayErase(ctx, tx, d.Lead); err != nil {
		return dossier.Erasure{}, err
	}
	if !lead.Held && !lead.Deleted && !d.Deleted {
		if err := hideStoredDocument(ctx, tx, id); err != nil {
			return dossier.Erasure{}, err
		}
	}
	e, err := scheduleErasure(ctx, tx, erasing{dossier.EraseDocument, string(id), d.Lead, lead, reason, "request"},
		0)
	audit(ctx, tx, dossier.AuditDocumentErase, "document:"+string(id),
		map[string]any{"erasureId": e.ID, "leadId": d.Lead})
	return e, err
}

// storedDocument is a document that may have been deleted already.
type storedDocument struct {
	Lead    dossier.LeadID
	Deleted bool
}

// lockStoredDocument holds a document's lead and finds the document, also one that is deleted and not erased yet.
// Error: NotFound.
func lockStoredDocument(ctx context.Context, tx *tx, id dossier.DocumentID) (storedDocument, storedLead, error) {
	var d storedDocument
	const find = `SELECT lead_id, deleted_at IS NOT NULL FROM documents WHERE workspace_id = $1 AND id = $2
			AND uploaded_at IS NOT NULL`
	if err := tx.QueryRow(ctx, find, tx.ws, id).Scan(&d.Lead, &d.Deleted); err != nil {
		return d, storedLead{}, orMissing(err, "document")
	}
	lead, err := lockOwnLead(ctx, tx, d.Lead)
	if dossier.KindOf(err) == dossier.NotFound {
		return d, lead, missing("document")
	}
	if err != nil {
		return d, lead, err
	}
	return d, lead, orMissing(tx.QueryRow(ctx, find, tx.ws, id).Scan(&d.Lead, &d.Deleted), "document")
}

// hideStoredDocument takes a document out of sight that is to be erased.
func hideStoredDocument(ctx context.Context, tx *tx, id dossier.DocumentID) error {
	d, err := readDocument(ctx, tx, id)
	if err != nil {
		return err
	}
	return hideDocument(ctx, tx, d, "api")
}

// erasing is an erasure that is asked for.
type erasing struct {
	subject dossier.ErasureSubject
	id      string
	lead    dossier.LeadID
	stored  storedLead
	reason  string
	policy  string // the rule by which it comes: request, grace, or one of the workspace's retention
}

// mayErase refuses an erasure that would come before the floor of the lead. Error: Conflict retention_floor.
func mayErase(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	k, err := keptUntil(ctx, tx, lead)
	if err != nil {
		return err
	}
	return k.allow(tx.now)
}

// eraseDeleted schedules the erasure of what is deleted: after its grace and its floor, or at once where the floor lets
// it. Error: Conflict retention_floor.
func eraseDeleted(ctx context.Context, tx *tx, what erasing, atOnce bool) error {
	k, err := keptUntil(ctx, tx, what.lead)
	if err != nil {
		return err
	}
	after := k.after(tx.now)
	if atOnce {
		if needed, err := needsSecond(ctx, tx, dossier.FourEyesErase); err != nil || needed {
			return orElse(err, secondPerson) // whoever wants that asks for an erasure
		}
		if err := k.allow(tx.now); err != nil {
			return err
		}
		after = 0
	}
	what.reason, what.policy = "deleted", "grace"
	_, err = scheduleErasure(ctx, tx, what, after)
	return err
}

// scheduleErasure makes an erasure due after a time, or brings the open one of the same subject forward to it.
func scheduleErasure(ctx context.Context, tx *tx, what erasing, after time.Duration) (dossier.Erasure, error) {
	status := dossier.ErasureScheduled
	if what.stored.Held {
		status = dossier.ErasureHeld
	}
	e, err := oneOf(ctx, tx, "erasure", scanErasure, `
		INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, is_test, status, reason, requested_by,
		requested_at, due_at, policy)
		VALUES (@workspace, @id, @subject, @subjectId, @leadId, @isTest, @status, @reason, @requestedBy, @now,
			@dueAt, @policy)
		ON CONFLICT (workspace_id, subject_id) WHERE status IN ('SCHEDULED', 'RUNNING', 'HELD')
		DO UPDATE SET due_at = CASE WHEN erasures.waits THEN excluded.due_at
				ELSE least(erasures.due_at, excluded.due_at) END,
			four_eyes = erasures.four_eyes AND NOT erasures.waits, waits = false RETURNING `+erasureColumns,
		pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "subject": what.subject, "subjectId": what.id,
			"leadId": what.lead, "isTest": what.stored.Test, "status": status, "reason": what.reason,
			"requestedBy": requester(ctx), "now": tx.now, "dueAt": tx.now.Add(after), "policy": what.policy})
	if err != nil || e.Status != dossier.ErasureScheduled {
		return e, err
	}
	return e, stageErasure(ctx, tx, e.ID, after)
}

// stageErasure stages the job of an erasure in place of one that waits.
func stageErasure(ctx context.Context, tx *tx, id dossier.ErasureID, after time.Duration) error {
	if err := cancelSubject(ctx, tx, string(id)); err != nil {
		return err
	}
	_, err := enqueue(ctx, tx, jobs.Erase{Workspace: tx.ws, Erasure: id}, staging{subject: string(id), delay: after})
	return err
}

// CountErasure says what the erasure of a lead would take. Errors: NotFound, Conflict retention_floor.
func (db *DB) CountErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.LeadID) (dossier.ErasureCounts,
	error) {
	return transact(ctx, db, ws, "count erasure", func(tx *tx) (dossier.ErasureCounts, error) {
		if _, err := lockOwnLead(ctx, tx, id); err != nil {
			return dossier.ErasureCounts{}, err
		}
		if err := mayErase(ctx, tx, id); err != nil {
			return dossier.ErasureCounts{}, err
		}
		return countErasable(ctx, tx, dossier.EraseLead, id, string(id))
	})
}

// CountDocumentErasure says what the erasure of a document would take. Errors: NotFound, Conflict retention_floor.
func (db *DB) CountDocumentErasure(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.ErasureCounts, error) {
	return transact(ctx, db, ws, "count document erasure", func(tx *tx) (dossier.ErasureCounts, error) {
		d, _, err := lockStoredDocument(ctx, tx, id)
		if err != nil {
			return dossier.ErasureCounts{}, err
		}
		if err := mayErase(ctx, tx, d.Lead); err != nil {
			return dossier.ErasureCounts{}, err
		}
		return countErasable(ctx, tx, dossier.EraseDocument, d.Lead, string(id))
	})
}

func countErasable(ctx context.Context, tx *tx, subject dossier.ErasureSubject, lead dossier.LeadID,
	id string) (dossier.ErasureCounts, error) {
	things, err := readErasureScope(ctx, tx, subject, lead, id)
	if err != nil {
		return dossier.ErasureCounts{}, err
	}
	gone, err := erasableRows(ctx, tx, things, false)
	return dossier.ErasureCounts{Rows: len(gone), Objects: len(things.Objects)}, err
}

// ReadErasure returns one erasure, also when its lead is gone. test: only of test leads. Error: NotFound.
func (db *DB) ReadErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID,
	test bool) (dossier.Erasure, error) {
	return readOne(ctx, db, ws, "read erasure", "erasure", scanErasure,
		`SELECT `+erasureColumns+` FROM erasures WHERE workspace_id = $1 AND id = $2 AND (is_test OR NOT $3)`, ws, id,
		test)
}

// Erasures lists erasures, newest first; status and lead, when not empty, keep only theirs.
func (db *DB) Erasures(ctx context.Context, ws dossier.WorkspaceID, status dossier.ErasureStatus, lead dossier.LeadID,
	test bool, page dossier.Page) ([]dossier.Erasure, error) {
	at, id := pageArgs(page)
	return snapshot(ctx, db, ws, "list erasures", func(tx *tx) ([]dossier.Erasure, error) {
		if lead != "" {
			if err := requireLeadOrErasure(ctx, tx, lead); err != nil {
				return nil, err
			}
		}
		return collect(ctx, tx, scanErasure, `SELECT `+erasureColumns+` FROM erasures
			WHERE workspace_id = @workspace AND (@status = '' OR status = @status)
				AND (@leadId = '' OR lead_id::text = @leadId) AND (is_test
			OR NOT @test)
			  AND (@at::timestamptz IS NULL OR (requested_at, id) < (@at, @id::uuid))
			ORDER BY requested_at DESC, id DESC
			LIMIT @limit`,
			pgx.NamedArgs{"workspace": tx.ws, "status": string(status), "leadId": string(lead), "test": test, "at": at,
				"id": id, "limit": page.Limit + 1})
	})
}

// requireLeadOrErasure fails with NotFound for a lead that was never here: one that is erased has left its erasure.
func requireLeadOrErasure(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	var known bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM leads WHERE workspace_id = $1 AND id = $2)
		OR EXISTS (SELECT FROM erasures WHERE workspace_id = $1 AND lead_id = $2)`, tx.ws, lead).Scan(&known)
	if err == nil && !known {
		return missing("lead")
	}
	return err
}

// CancelErasure calls an erasure off that has not begun; a lead that is deleted stays deleted, and its data is kept.
// Errors: NotFound, Conflict erasure_not_open.
func (db *DB) CancelErasure(ctx context.Context, ws dossier.WorkspaceID, id dossier.ErasureID) (dossier.Erasure,
	error) {
	return transact(ctx, db, ws, "cancel erasure", func(tx *tx) (dossier.Erasure, error) {
		e, _, err := openErasure(ctx, tx, id)
		if err == nil && actorOf(ctx).Test && !e.Test {
			err = missing("erasure")
		}
		if err != nil {
			return e, err
		}
		if e.Status != dossier.ErasureScheduled && e.Status != dossier.ErasureHeld {
			return e, dossier.Coded(dossier.Conflict, "erasure_not_open",
				"This erasure is %s; only SCHEDULED and HELD ones can be cancelled", e.Status)
		}
		e.Status = dossier.ErasureCancelled
		if _, err := tx.Exec(ctx, `UPDATE erasures SET status = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id,
			e.Status); err != nil {
			return e, err
		}
		endErasureOpinion(tx, e.SubjectID)
		audit(ctx, tx, dossier.AuditErasureCancel, "erasure:"+string(id), map[string]any{"leadId": e.LeadID})
		return e, cancelSubject(ctx, tx, string(id))
	})
}
