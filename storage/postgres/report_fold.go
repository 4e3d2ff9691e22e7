package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// FoldSize is how many leads one fold counts. After fewer little is left.
const FoldSize = 500

// FoldReports counts up to a batch of changed leads of each workspace and returns how many. The answers of analytics
// are the same before and after; only their cost falls. Between two workspaces it rests as long as the last one took,
// so that a long backlog leaves half of a processor to others.
func (db *DB) FoldReports(ctx context.Context) (int, error) {
	total, after := 0, dossier.WorkspaceID(firstID)
	for {
		began := time.Now()
		var ws dossier.WorkspaceID
		err := db.system.QueryRow(ctx, `SELECT workspace_id FROM report_changes WHERE workspace_id > $1
			ORDER BY workspace_id LIMIT 1`, after).Scan(&ws)
		if errors.Is(err, pgx.ErrNoRows) {
			return total, nil
		}
		if err != nil {
			return total, translate("fold reports", err)
		}
		n, err := db.FoldWorkspaceReports(ctx, ws)
		if total += n; err != nil {
			return total, err
		}
		after = ws
		if !jobs.Sleep(ctx, time.Since(began)) {
			return total, ctx.Err()
		}
	}
}

// FoldWorkspaceReports is FoldReports for one workspace, without a rest. 0: nothing had changed.
func (db *DB) FoldWorkspaceReports(ctx context.Context, ws dossier.WorkspaceID) (int, error) {
	for {
		n, mine, err := db.foldBatch(ctx, ws)
		if err != nil || mine {
			return n, err
		}
		if !jobs.Sleep(ctx, 20*time.Millisecond) { // until whoever folds is done
			return 0, ctx.Err()
		}
	}
}

// foldBatch counts a batch unless another process does: two at once would count the same leads, and one of them in
// vain.
func (db *DB) foldBatch(ctx context.Context, ws dossier.WorkspaceID) (n int, mine bool, err error) {
	n, err = transactRepeatable(ctx, db, ws, "fold reports", func(tx *tx) (int, error) {
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(4218004, hashtext($1))`,
			string(ws)).Scan(&mine); err != nil || !mine {
			return 0, err
		}
		ids, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `
			SELECT DISTINCT lead_id FROM report_changes WHERE workspace_id = $1 ORDER BY lead_id LIMIT $2`, tx.ws,
			FoldSize)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		// What this moment does not see yet is not deleted either, and is folded next time.
		tx.deferExec(`DELETE FROM report_changes WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, ids)
		return len(ids), foldLeads(ctx, tx, ids)
	})
	return n, mine, err
}

// catchUp folds a workspace until little is left to be counted by whoever reads it whole.
func (db *DB) catchUp(ctx context.Context, ws dossier.WorkspaceID) error {
	for {
		if n, err := db.FoldWorkspaceReports(ctx, ws); err != nil || n < FoldSize {
			return err
		}
	}
}

// transactRepeatable is transact at isolation level repeatable read: all statements see one snapshot, and when a row
// that it writes was changed since, the whole runs again.
func transactRepeatable[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin isolation level repeatable read", setWorkspace(ws), ws, do)
	})
}

// foldLeads replaces what is kept of some leads and moves the sums by the difference.
func foldLeads(ctx context.Context, tx *tx, ids []dossier.LeadID) error {
	template, err := readReportTemplate(ctx, tx)
	if err != nil {
		return err
	}
	deltas := map[time.Time]*counts{}
	delta := func(created time.Time) *counts {
		hour := created.UTC().Truncate(time.Hour)
		if deltas[hour] == nil {
			deltas[hour] = &counts{}
		}
		return deltas[hour]
	}
	kept, err := foldedLeads(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, old := range kept {
		delta(old.CreatedAt).add(old.counts, -1)
	}
	reports, err := template.read(ctx, tx, reportedLeads(tx.ws, dossier.ReportFilter{}).Where("l.id = ANY(?)", ids))
	if err != nil {
		return err
	}
	rows := make([]foldedLead, len(reports))
	for i, r := range reports {
		if rows[i], err = foldedOf(r); err != nil {
			return err
		}
		delta(r.CreatedAt).add(rows[i].counts, 1)
	}
	if err := replaceLeads(ctx, tx, ids, rows); err != nil {
		return err
	}
	return moveHours(ctx, tx, deltas)
}

// foldedLead is a row of report_leads.
type foldedLead struct {
	LeadID    dossier.LeadID  `json:"lead_id"`
	CreatedAt time.Time       `json:"created_at"`
	Facts     json.RawMessage `json:"facts"` // reportFacts
	counts
}

func foldedOf(r dossier.LeadReport) (foldedLead, error) {
	facts, err := json.Marshal(factsOf(r))
	return foldedLead{r.LeadID, r.CreatedAt, facts, countsOf(r)}, err
}

// replaceLeads puts rows in the place of what is kept of some leads. Those of them that count no more have no row.
func replaceLeads(ctx context.Context, tx *tx, ids []dossier.LeadID, rows []foldedLead) error {
	gone := map[dossier.LeadID]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	for _, row := range rows {
		delete(gone, row.LeadID)
	}
	if len(gone) > 0 {
		if _, err := tx.Exec(ctx, `DELETE FROM report_leads WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws,
			slices.Collect(maps.Keys(gone))); err != nil {
			return err
		}
	}
	return insertRows(ctx, tx, `INSERT INTO report_leads (workspace_id, lead_id, created_at, facts, `+countList+`)
		SELECT $1, lead_id, created_at, facts, `+countList+` FROM jsonb_populate_recordset(NULL::report_leads, $2)
		ON CONFLICT (workspace_id, lead_id) DO UPDATE
			SET created_at = excluded.created_at, facts = excluded.facts, `+countsReplaced, rows)
}

// Parts of the statements that write counts.
var (
	countsReplaced = countExpressions("% = excluded.%")
	countsAdded    = countExpressions("% = report_hours.% + excluded.%")
)

// foldedLeads looks each lead up by itself: a plan for the list, made while the table is empty, would read all of a
// table that has grown since.
func foldedLeads(ctx context.Context, tx *tx, ids []dossier.LeadID) ([]foldedLead, error) {
	return collect(ctx, tx, pgx.RowToStructByName[foldedLead], `
		SELECT kept.* FROM unnest($2::uuid[]) AS asked (id) CROSS JOIN LATERAL (
			SELECT lead_id, created_at, facts, `+countList+` FROM report_leads
			WHERE workspace_id = $1 AND lead_id = asked.id LIMIT 1) AS kept`, tx.ws, ids)
}

// reportHour is a row of report_hours.
type reportHour struct {
	Hour time.Time `json:"hour"`
	counts
}

// moveHours adds to the sums of hours.
func moveHours(ctx context.Context, tx *tx, deltas map[time.Time]*counts) error {
	var rows []reportHour
	for hour, c := range deltas {
		if *c != (counts{}) {
			rows = append(rows, reportHour{hour, *c})
		}
	}
	// In one order, so that two processes that fold at once wait for each other instead of deadlocking.
	slices.SortFunc(rows, func(a, b reportHour) int { return a.Hour.Compare(b.Hour) })
	return insertRows(ctx, tx, `INSERT INTO report_hours (workspace_id, hour, `+countList+`)
		SELECT $1, hour, `+countList+` FROM jsonb_populate_recordset(NULL::report_hours, $2)
		ON CONFLICT (workspace_id, hour) DO UPDATE SET `+countsAdded, rows)
}
