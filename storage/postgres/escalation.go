package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// escalationColumns are the columns of dossier.Escalation, scanned by name. e is the table.
const escalationColumns = `e.id, e.lead_id, e.workflow_run_id AS run_id, e.reason, e.detail, e.status, e.created_at,
	e.resolved_at, e.resolved_by, e.note`

// CreateEscalation asks for a person: the lead, unless it is closed, is in REVIEW until it is resolved.
// Errors: NotFound (lead), Invalid.
func (db *DB) CreateEscalation(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, reason string,
	detail *string, by Caller) (dossier.Escalation, error) {
	return transact(ctx, db, ws, "create escalation", func(tx *tx) (dossier.Escalation, error) {
		return escalate(ctx, tx, lead, "", reason, detail, by)
	})
}

// escalate is CreateEscalation for callers that have a transaction; run is that of the agent that asks, or empty.
func escalate(ctx context.Context, tx *tx, lead dossier.LeadID, run dossier.RunID, reason string, detail *string,
	by Caller) (dossier.Escalation, error) {
	e, err := dossier.NewEscalation(newID[dossier.EscalationID](), lead, dossier.MaskSecrets(reason), masked(detail),
		tx.now)
	if err != nil {
		return e, err
	}
	e.RunID = dossier.OrNil(run)
	ref, err := lockLeadRef(ctx, tx, lead)
	if err != nil {
		return e, err
	}
	_, err = tx.Exec(ctx, `
		WITH l AS (UPDATE leads SET open_escalations = open_escalations + 1, version = version + 1, updated_at = @now
			WHERE workspace_id = @workspace AND id = @leadId)
		INSERT INTO escalations (workspace_id, id, lead_id, workflow_run_id, reason, detail, status, created_at)
			VALUES (@workspace, @id, @leadId, @workflowRunId, @reason, @detail, 'OPEN', @now)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": e.ID, "leadId": lead, "workflowRunId": e.RunID, "reason": e.Reason,
			"now": tx.now, "detail": e.Detail})
	if err != nil {
		return e, err
	}
	if err := countIntervention(ctx, tx, lead, "escalations", by.Actor); err != nil {
		return e, err
	}
	if err := logEscalation(ctx, tx, e, "escalated", "Escalated: "+e.Reason, by); err != nil {
		return e, err
	}
	if err := emitEscalation(ctx, tx, dossier.EventLeadEscalated, ref, e); err != nil {
		return e, err
	}
	return e, reviewEscalation(ctx, tx, ref, e)
}

// ResolveEscalation closes an escalation in the name of by.Actor. A resolved one stays as it is.
// Errors: NotFound, Invalid.
func (db *DB) ResolveEscalation(ctx context.Context, ws dossier.WorkspaceID, id dossier.EscalationID, note *string,
	by Caller) (dossier.Escalation, error) {
	note = masked(note)
	return transact(ctx, db, ws, "resolve escalation", func(tx *tx) (dossier.Escalation, error) {
		return resolveEscalation(ctx, tx, id, note, by)
	})
}

// resolveEscalation is ResolveEscalation for callers that have a transaction.
func resolveEscalation(ctx context.Context, tx *tx, id dossier.EscalationID, note *string,
	by Caller) (dossier.Escalation, error) {
	var lead dossier.LeadID
	if err := tx.QueryRow(ctx, `SELECT lead_id FROM escalations WHERE workspace_id = $1 AND id = $2`, tx.ws,
		id).Scan(&lead); err != nil {
		return dossier.Escalation{}, orMissing(err, "escalation")
	}
	ref, err := lockLeadRef(ctx, tx, lead) // leads are always locked first
	if dossier.KindOf(err) == dossier.NotFound {
		return dossier.Escalation{}, missing("escalation")
	}
	if err != nil {
		return dossier.Escalation{}, err
	}
	rows, err := tx.Query(ctx, `SELECT `+escalationColumns+` FROM escalations e WHERE e.workspace_id = $1
		AND e.id = $2 FOR UPDATE`, tx.ws, id)
	if err != nil {
		return dossier.Escalation{}, err
	}
	e, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[dossier.Escalation])
	if err != nil {
		return e, err
	}
	changed, err := e.Resolve(dossier.OrNil(by.Actor), note, tx.now)
	if err != nil || !changed {
		return e, err
	}
	return e, saveResolution(ctx, tx, ref, e, by)
}

func saveResolution(ctx context.Context, tx *tx, lead leadRef, e dossier.Escalation, by Caller) error {
	_, err := tx.Exec(ctx, `
		WITH l AS (UPDATE leads SET open_escalations = greatest(open_escalations - 1, 0), version = version + 1,
			updated_at = $5 WHERE workspace_id = $1 AND id = $2)
		UPDATE escalations SET status = 'RESOLVED', resolved_at = $5, resolved_by = $6, note = $4
			WHERE workspace_id = $1 AND id = $3`,
		tx.ws, e.LeadID, e.ID, e.Note, tx.now, e.ResolvedBy)
	if err != nil {
		return err
	}
	endReviews(tx, []string{string(e.ID)}, []dossier.ReviewCode{dossier.ReviewEscalation})
	if err := logEscalation(ctx, tx, e, "escalation_resolved", "Escalation resolved: "+e.Reason, by); err != nil {
		return err
	}
	return emitEscalation(ctx, tx, dossier.EventLeadEscalationResolved, lead, e)
}

// Escalations returns a page of escalations, newest first; lead and status, when not empty, keep only theirs.
// Error: NotFound (lead).
func (db *DB) Escalations(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	status dossier.EscalationStatus, page dossier.Page) ([]dossier.Escalation, error) {
	return snapshot(ctx, db, ws, "list escalations", func(tx *tx) ([]dossier.Escalation, error) {
		q := psql.Select(escalationColumns).From("escalations e").
			Join("leads l ON l.workspace_id = e.workspace_id AND l.id = e.lead_id AND l.deleted_at IS NULL").
			Where("e.workspace_id = ?", tx.ws)
		if lead != "" {
			if err := requireLead(ctx, tx, lead); err != nil {
				return nil, err
			}
			q = q.Where("e.lead_id = ?", lead)
		}
		if status != "" {
			q = q.Where("e.status = ?", status)
		}
		if page.After != nil {
			q = q.Where("(e.created_at, e.id) < (?, ?::uuid)", page.After.At, page.After.ID)
		}
		sql, args, err := q.OrderBy("e.created_at DESC, e.id DESC").Limit(uint64(page.Limit) + 1).ToSql()
		if err != nil {
			return nil, err
		}
		return collect(ctx, tx, pgx.RowToStructByName[dossier.Escalation], sql, args...)
	})
}

func logEscalation(ctx context.Context, tx *tx, e dossier.Escalation, eventType, summary string, by Caller) error {
	_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: e.LeadID, RunID: e.RunID, Type: dossier.ActionSystem,
		Summary: summary, Actor: dossier.OrNil(by.Actor)},
		map[string]any{"eventType": eventType, "escalationId": e.ID, "reason": e.Reason, "detail": e.Detail,
			"note": e.Note})
	return err
}

func emitEscalation(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, e dossier.Escalation) error {
	return emit(ctx, tx, event, lead.LeadID, record.EscalationEvent{LeadRef: lead, Escalation: record.OfEscalation(e)})
}
