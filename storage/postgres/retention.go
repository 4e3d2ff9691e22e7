package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// retentionJSON is how a workspace's retention is kept: ages in nanoseconds.
type retentionJSON struct {
	GraceDays    *int                  `json:"graceDays,omitempty"`
	LeadsAfter   time.Duration         `json:"leadsAfter,omitempty"`
	LeadsFrom    dossier.RetentionFrom `json:"leadsFrom,omitempty"`
	FloorDays    int                   `json:"floorDays,omitempty"`
	FloorFrom    dossier.RetentionFrom `json:"floorFrom,omitempty"`
	Messages     time.Duration         `json:"messages,omitempty"`
	Events       time.Duration         `json:"events,omitempty"`
	PipelineRuns time.Duration         `json:"pipelineRuns,omitempty"`
	Requests     time.Duration         `json:"requests,omitempty"`
}

func readRetention(ctx context.Context, tx *tx) (dossier.Retention, error) {
	var r retentionJSON
	err := tx.QueryRow(ctx, `SELECT retention FROM workspaces WHERE id = $1`, tx.ws).Scan(&r)
	return dossier.Retention(r).OrDefault(), orMissing(err, "workspace")
}

// leadTimes are the columns of dossier.LeadTimes of a lead l.
const leadTimes = `l.created_at, ` + leadClosed + `, ` + leadActive + `, l.decision_at`

const (
	leadClosed = `CASE l.closing_status WHEN 'COMPLETED' THEN l.completed_at WHEN 'NOT_INTERESTED' THEN ` +
		`l.not_interested_at WHEN 'OPTED_OUT' THEN l.opt_out_at END`
	leadActive = `greatest(l.updated_at,
		(SELECT max(m.created_at) FROM messages m WHERE m.workspace_id = l.workspace_id AND m.lead_id = l.id),
		(SELECT max(d.uploaded_at) FROM documents d WHERE d.workspace_id = l.workspace_id AND d.lead_id = l.id),
		(SELECT max(e.updated_at) FROM checklist_entries e WHERE e.workspace_id = l.workspace_id AND e.lead_id = l.id))`
	leadHeld = `EXISTS (SELECT FROM holds h WHERE h.workspace_id = l.workspace_id AND h.lead_id = l.id
			AND h.released_at IS NULL)`
)

// leadMoment is what retention counts from, of a lead l.
func leadMoment(from dossier.RetentionFrom) string {
	switch from {
	case dossier.FromClosed:
		return leadClosed
	case dossier.FromLastActivity:
		return leadActive
	case dossier.FromDecision:
		return "l.decision_at"
	}
	return "l.created_at"
}

// keepUntil says when a lead and everything that belongs to it may be erased: a grace period after the deletion, and
// never before the floor.
type keepUntil struct {
	grace time.Duration
	floor *time.Time // nil: none
}

// after returns how long after now something that was deleted just now may be erased.
func (k keepUntil) after(now time.Time) time.Duration {
	if k.floor != nil {
		return max(k.grace, k.floor.Sub(now))
	}
	return k.grace
}

// allow refuses an erasure before the floor. Error: Conflict retention_floor.
func (k keepUntil) allow(now time.Time) error {
	if k.floor != nil && now.Before(*k.floor) {
		return dossier.RetentionFloor(*k.floor)
	}
	return nil
}

// keptUntil asks how long a lead, deleted ones too, is kept. Error: NotFound.
func keptUntil(ctx context.Context, tx *tx, id dossier.LeadID) (keepUntil, error) {
	r, err := readRetention(ctx, tx)
	if err != nil {
		return keepUntil{}, err
	}
	k := keepUntil{grace: r.Grace()}
	if r.FloorFrom == "" {
		return k, nil
	}
	var t dossier.LeadTimes
	err = tx.QueryRow(ctx, `SELECT `+leadTimes+` FROM leads l WHERE l.workspace_id = $1 AND l.id = $2`, tx.ws, id).
		Scan(&t.Created, &t.Closed, &t.LastActivity, &t.Decision)
	k.floor = r.Floor(t)
	return k, orMissing(err, "lead")
}

// RetentionWorkspaces lists the workspaces that erase something by age.
func (db *DB) RetentionWorkspaces(ctx context.Context) ([]dossier.WorkspaceID, error) {
	return systemTx(ctx, db, "retention workspaces", func(tx *tx) ([]dossier.WorkspaceID, error) {
		return collect(ctx, tx, pgx.RowTo[dossier.WorkspaceID], `SELECT id FROM workspaces WHERE deleted_at IS NULL
				AND retention <> '{}' ORDER BY id`)
	})
}

// retentionPage is how much of each kind one call of ApplyRetention takes.
const retentionPage = 100

// ApplyRetention erases what is past its age, a page of each kind, and returns how many rows that were: leads by their
// erasure, which is due now, messages and pipeline runs at once. What a hold keeps is passed by.
func (db *DB) ApplyRetention(ctx context.Context, ws dossier.WorkspaceID) (int, error) {
	return transact(ctx, db, ws, "apply retention", func(tx *tx) (int, error) {
		r, err := readRetention(ctx, tx)
		if err != nil {
			return 0, err
		}
		leads, err := eraseOldLeads(ctx, tx, r)
		if err != nil {
			return 0, err
		}
		messages, err := eraseOldMessages(ctx, tx, r)
		if err != nil {
			return 0, err
		}
		if r.PipelineRuns == 0 {
			return leads + messages, nil
		}
		runs, err := tx.Exec(ctx, `DELETE FROM pipeline_runs WHERE workspace_id = $1 AND id IN (SELECT id
			FROM pipeline_runs r
			WHERE workspace_id = $1 AND finished_at < $2 AND NOT EXISTS (SELECT FROM holds h
				LEFT JOIN documents d ON d.workspace_id = h.workspace_id AND d.lead_id = h.lead_id
				WHERE h.workspace_id = $1 AND h.released_at IS NULL AND r.parameters::text ~ concat_ws('|', h.lead_id,
				d.id))
			ORDER BY finished_at LIMIT $3)`, tx.ws, tx.now.Add(-r.PipelineRuns), retentionPage)
		return leads + messages + int(runs.RowsAffected()), err
	})
}

// pastFloor is true of a lead l whose floor is over, or has no day. $3 is now.
func pastFloor(from dossier.RetentionFrom) string {
	if from == "" {
		return "true"
	}
	return `(` + leadMoment(from) + `) IS NULL OR (` + leadMoment(from) + `) + make_interval(days => $4) <= $3`
}

func eraseOldLeads(ctx context.Context, tx *tx, r dossier.Retention) (int, error) {
	if r.LeadsFrom == "" {
		return 0, nil
	}
	due, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `WITH p AS (SELECT $3::timestamptz, $4::int)
		SELECT l.id FROM leads l WHERE l.workspace_id = $1 AND l.deleted_at IS NULL AND l.created_at <= $2
		AND `+leadMoment(r.LeadsFrom)+` <= $2
		  AND (`+pastFloor(r.FloorFrom)+`) AND NOT `+leadHeld+`
		ORDER BY l.created_at, l.id LIMIT $5`, tx.ws, tx.now.Add(-r.LeadsAfter), tx.now, r.FloorDays, retentionPage)
	if err != nil {
		return 0, err
	}
	for _, id := range due {
		stored, err := lockStoredLead(ctx, tx, id)
		if err != nil || stored.Held || stored.Deleted {
			if err = ignoreMissing(err); err != nil {
				return 0, err
			}
			continue
		}
		ref, err := lockLeadRef(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		if err := hideLead(ctx, tx, ref, Caller{}); err != nil {
			return 0, err
		}
		e, err := scheduleErasure(ctx, tx,
			erasing{dossier.EraseLead, string(id), id, stored, "retention", r.LeadRule()}, 0)
		if err != nil {
			return 0, err
		}
		audit(ctx, tx, dossier.AuditLeadErase, leadSubject(id), map[string]any{"erasureId": e.ID, "rule": r.LeadRule()})
	}
	return len(due), nil
}

// eraseOldMessages takes the words of old messages away, and of those of strangers the rows.
func eraseOldMessages(ctx context.Context, tx *tx, r dossier.Retention) (int, error) {
	if r.Messages == 0 {
		return 0, nil
	}
	before := tx.now.Add(-r.Messages)
	strangers, err := tx.Exec(ctx, `DELETE FROM messages WHERE workspace_id = $1 AND id IN (SELECT id FROM messages
		WHERE workspace_id = $1 AND lead_id IS NULL AND created_at < $2 LIMIT $3)`, tx.ws, before, retentionPage)
	if err != nil {
		return 0, err
	}
	old, err := collect(ctx, tx, pgx.RowTo[dossier.MessageID], `WITH p AS (SELECT $3::timestamptz, $4::int)
		SELECT m.id FROM messages m JOIN leads l ON l.workspace_id = m.workspace_id AND l.id = m.lead_id
		WHERE m.workspace_id = $1 AND m.created_at < $2 AND m.erased_at IS NULL AND m.status NOT IN ('DRAFT', 'QUEUED')
		  AND (`+pastFloor(r.FloorFrom)+`) AND NOT `+leadHeld+`
		ORDER BY m.created_at LIMIT $5`, tx.ws, before, tx.now, r.FloorDays, retentionPage)
	if err != nil || len(old) == 0 {
		return int(strangers.RowsAffected()), err
	}
	tx.deferExec(`UPDATE messages SET body = '', subject = NULL, original_body = NULL, from_address = NULL,
		to_address = NULL, media = NULL, refused = NULL,
		provider_message_id = NULL, in_reply_to = NULL, error_detail = NULL, document_ids = '{}', erased_at = $3
		WHERE workspace_id = $1 AND id = ANY ($2)`, tx.ws, old, tx.now)
	tx.deferExec(`UPDATE action_logs SET summary = 'Message', input = '{}', tool_calls = '[]' WHERE workspace_id = $1
			AND message_id = ANY ($2)`, tx.ws, old)
	return len(old) + int(strangers.RowsAffected()), nil
}

// RetentionPlan lists up to limit things that will go as it stands, those that go first first.
func (db *DB) RetentionPlan(ctx context.Context, ws dossier.WorkspaceID, limit int) ([]dossier.PlannedErasure, error) {
	return snapshot(ctx, db, ws, "retention plan", func(tx *tx) ([]dossier.PlannedErasure, error) {
		r, err := readRetention(ctx, tx)
		if err != nil {
			return nil, err
		}
		plan, err := collect(ctx, tx, pgx.RowToStructByPos[dossier.PlannedErasure], `SELECT subject, subject_id::text,
			due_at, CASE WHEN status = 'HELD' THEN policy || ', held' ELSE policy END
			FROM erasures WHERE workspace_id = $1 AND status IN ('SCHEDULED', 'RUNNING', 'HELD') ORDER BY due_at, id
			LIMIT $2`, tx.ws, limit)
		if err != nil {
			return nil, err
		}
		leads, err := plannedLeads(ctx, tx, r, limit)
		if err != nil {
			return nil, err
		}
		plan = append(plan, leads...)
		for _, aged := range []struct {
			subject, oldest string
			age             time.Duration
		}{
			{"messages", `SELECT min(created_at) FROM messages WHERE workspace_id = $1 AND erased_at IS NULL`,
				r.Messages},
			{"events", `SELECT min(created_at) FROM events WHERE workspace_id = $1`, r.Events},
			{"pipelineRuns", `SELECT min(finished_at) FROM pipeline_runs WHERE workspace_id = $1`, r.PipelineRuns},
		} {
			if aged.age == 0 {
				continue
			}
			var oldest *time.Time
			if err := tx.QueryRow(ctx, aged.oldest, tx.ws).Scan(&oldest); err != nil {
				return nil, err
			}
			if oldest != nil {
				plan = append(plan, dossier.PlannedErasure{Subject: aged.subject, SubjectID: string(tx.ws),
					Due: oldest.Add(aged.age), Rule: aged.subject + " " + dossier.FormatAge(aged.age)})
			}
		}
		slices.SortStableFunc(plan, func(a, b dossier.PlannedErasure) int { return a.Due.Compare(b.Due) })
		return plan[:min(len(plan), limit)], nil
	})
}

// plannedLeads are the leads that will go by age.
func plannedLeads(ctx context.Context, tx *tx, r dossier.Retention, limit int) ([]dossier.PlannedErasure, error) {
	if r.LeadsFrom == "" {
		return nil, nil
	}
	rows, err := tx.Query(ctx, `SELECT l.id::text, `+leadHeld+`, `+leadTimes+` FROM leads l
		WHERE l.workspace_id = $1 AND l.deleted_at IS NULL
		AND `+leadMoment(r.LeadsFrom)+` IS NOT NULL ORDER BY `+leadMoment(r.LeadsFrom)+`, l.id LIMIT $2`, tx.ws, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (dossier.PlannedErasure, error) {
		p := dossier.PlannedErasure{Subject: string(dossier.EraseLead), Rule: r.LeadRule()}
		var held bool
		var t dossier.LeadTimes
		if err := row.Scan(&p.SubjectID, &held, &t.Created, &t.Closed, &t.LastActivity, &t.Decision); err != nil {
			return p, err
		}
		switch floor := r.Floor(t); {
		case r.FloorFrom != "" && floor == nil:
			p.Rule += "; no floor, its " + string(r.FloorFrom) + " has no day"
		case floor != nil && !r.LeadDue(t).After(*floor):
			p.Rule += "; the floor"
		}
		if held {
			p.Rule += "; held"
		}
		p.Due = *r.LeadDue(t)
		return p, nil
	})
}
