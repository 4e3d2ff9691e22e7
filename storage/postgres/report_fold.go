package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// foldBatch is how many leads one fold counts.
const foldBatch = 500

// FoldReports counts up to a batch of changed leads of each workspace and returns how many. The answers of analytics
// are the same before and after; only their cost falls.
func (db *DB) FoldReports(ctx context.Context) (int, error) {
	total, after := 0, dossier.WorkspaceID("00000000-0000-0000-0000-000000000000")
	for {
		var ws dossier.WorkspaceID
		err := db.system.QueryRow(ctx, `SELECT workspace_id FROM report_changes WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1`, after).Scan(&ws)
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
	}
}

// FoldWorkspaceReports is FoldReports for one workspace. 0: nothing had changed.
func (db *DB) FoldWorkspaceReports(ctx context.Context, ws dossier.WorkspaceID) (int, error) {
	return fixed(ctx, db, ws, "fold reports", func(tx *tx) (int, error) {
		ids, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `
			SELECT DISTINCT lead_id FROM report_changes WHERE workspace_id = $1 ORDER BY lead_id LIMIT $2`, tx.ws, foldBatch)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		// What this moment does not see yet is not deleted either, and is folded next time.
		tx.later(`DELETE FROM report_changes WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, ids)
		return len(ids), foldLeads(ctx, tx, ids)
	})
}

// fixed is transact for writes that follow from what one moment shows. A row that changed since makes it run again.
func fixed[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, do func(tx *tx) (T, error)) (T, error) {
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
		delta(old.created).add(old.counts, -1)
	}
	var rows [][]any
	err = template.afresh(ctx, tx, dossier.ReportFilter{}, ids, func(r dossier.LeadReport) {
		c := countsOf(r)
		delta(r.CreatedAt).add(c, 1)
		rows = append(rows, append([]any{tx.ws, r.LeadID, r.CreatedAt}, c.values()...))
	})
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM report_leads WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, ids); err != nil {
		return err
	}
	columns := append([]string{"workspace_id", "lead_id", "created_at"}, countColumns[:]...)
	if err := insertRows(ctx, tx, "report_leads", columns, rows, ""); err != nil {
		return err
	}
	return moveHours(ctx, tx, deltas)
}

// foldedLead is a row of report_leads.
type foldedLead struct {
	lead    dossier.LeadID
	created time.Time
	counts
}

func scanFoldedLead(row pgx.CollectableRow) (foldedLead, error) {
	var f foldedLead
	err := row.Scan(append([]any{&f.lead, &f.created}, f.into()...)...)
	return f, err
}

func foldedLeads(ctx context.Context, tx *tx, ids []dossier.LeadID) ([]foldedLead, error) {
	return collect(ctx, tx, scanFoldedLead, `SELECT lead_id, created_at, `+countList+` FROM report_leads WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, ids)
}

func (c counts) values() []any {
	list := make([]any, len(c))
	for i, n := range c {
		list[i] = n
	}
	return list
}

// moveHours adds to the sums of hours.
func moveHours(ctx context.Context, tx *tx, deltas map[time.Time]*counts) error {
	var rows [][]any
	for hour, c := range deltas {
		if *c != (counts{}) {
			rows = append(rows, append([]any{tx.ws, hour}, c.values()...))
		}
	}
	// In one order, so that two processes that fold at once wait for each other instead of deadlocking.
	slices.SortFunc(rows, func(a, b []any) int { return a[1].(time.Time).Compare(b[1].(time.Time)) })
	columns := append([]string{"workspace_id", "hour"}, countColumns[:]...)
	return insertRows(ctx, tx, "report_hours", columns, rows, `ON CONFLICT (workspace_id, hour) DO UPDATE SET `+countExpressions("% = report_hours.% + excluded.%"))
}

// insertRows inserts rows, many in one statement: Postgres takes 65,535 arguments.
func insertRows(ctx context.Context, tx *tx, table string, columns []string, rows [][]any, suffix string) error {
	for batch := range slices.Chunk(rows, 65_535/len(columns)) {
		q := psql.Insert(table).Columns(columns...).Suffix(suffix)
		for _, row := range batch {
			q = q.Values(row...)
		}
		sql, args, err := q.ToSql()
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}
