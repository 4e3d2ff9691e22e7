package postgres

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// foldSize is how many leads one fold counts.
const foldSize = 500

// FoldReports counts up to a batch of changed leads of each workspace and returns how many. The answers of analytics
// are the same before and after; only their cost falls. Between two workspaces it rests as long as the last one took,
// so that a long backlog leaves half of a processor to others.
func (db *DB) FoldReports(ctx context.Context) (int, error) {
	total, after := 0, dossier.WorkspaceID("00000000-0000-0000-0000-000000000000")
	for {
		began := time.Now()
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
		if err := wait(ctx, time.Since(began)); err != nil {
			return total, err
		}
	}
}

// wait ends early with ctx and its error.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// FoldWorkspaceReports is FoldReports for one workspace, without a rest. 0: nothing had changed.
func (db *DB) FoldWorkspaceReports(ctx context.Context, ws dossier.WorkspaceID) (int, error) {
	for {
		n, mine, err := db.foldBatch(ctx, ws)
		if err != nil || mine {
			return n, err
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil { // until whoever folds is done
			return 0, err
		}
	}
}

// foldBatch counts a batch unless another process does: two at once would count the same leads, and one of them in vain.
func (db *DB) foldBatch(ctx context.Context, ws dossier.WorkspaceID) (n int, mine bool, err error) {
	n, err = fixed(ctx, db, ws, "fold reports", func(tx *tx) (int, error) {
		if err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(4218004, hashtext($1))`, string(ws)).Scan(&mine); err != nil || !mine {
			return 0, err
		}
		ids, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `
			SELECT DISTINCT lead_id FROM report_changes WHERE workspace_id = $1 ORDER BY lead_id LIMIT $2`, tx.ws, foldSize)
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		// What this moment does not see yet is not deleted either, and is folded next time.
		tx.later(`DELETE FROM report_changes WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, ids)
		return len(ids), foldLeads(ctx, tx, ids)
	})
	return n, mine, err
}

// catchUp folds a workspace until little is left to be counted by whoever reads it whole.
func (db *DB) catchUp(ctx context.Context, ws dossier.WorkspaceID) error {
	for {
		if n, err := db.FoldWorkspaceReports(ctx, ws); err != nil || n < foldSize {
			return err
		}
	}
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
	reports, err := template.read(ctx, tx, reportedLeads(tx.ws, dossier.ReportFilter{}).Where("l.id = ANY(?)", ids))
	if err != nil {
		return err
	}
	var rows leadRows
	for _, r := range reports {
		c := countsOf(r)
		delta(r.CreatedAt).add(c, 1)
		if err := rows.add(r, c); err != nil {
			return err
		}
	}
	if err := rows.replace(ctx, tx, ids); err != nil {
		return err
	}
	return moveHours(ctx, tx, deltas)
}

// leadRows are rows for report_leads.
type leadRows struct {
	leads   []dossier.LeadID
	created []time.Time
	facts   [][]byte
	counts  []counts
}

func (l *leadRows) add(r dossier.LeadReport, c counts) error {
	facts, err := encodeFacts(r)
	l.leads, l.created, l.facts, l.counts = append(l.leads, r.LeadID), append(l.created, r.CreatedAt), append(l.facts, facts), append(l.counts, c)
	return err
}

// replace puts the rows in the place of what is kept of some leads. Those of them that count no more have no row.
func (l *leadRows) replace(ctx context.Context, tx *tx, ids []dossier.LeadID) error {
	gone := slices.DeleteFunc(slices.Clone(ids), func(id dossier.LeadID) bool { return slices.Contains(l.leads, id) })
	if len(gone) > 0 {
		if _, err := tx.Exec(ctx, `DELETE FROM report_leads WHERE workspace_id = $1 AND lead_id = ANY($2)`, tx.ws, gone); err != nil {
			return err
		}
	}
	args := append([]any{tx.ws, l.leads, l.created, l.facts}, columnsOf(l.counts)...)
	_, err := tx.Exec(ctx, `INSERT INTO report_leads (workspace_id, lead_id, created_at, facts, `+countList+`)
		SELECT $1, * FROM unnest($2::uuid[], $3::timestamptz[], $4::bytea[], `+leadArrays+`)
		ON CONFLICT (workspace_id, lead_id) DO UPDATE SET created_at = excluded.created_at, facts = excluded.facts, `+countsReplaced, args...)
	return err
}

// columnsOf turns rows of counts into one array a column: a statement with arrays is planned once, and small.
func columnsOf(list []counts) []any {
	columns := make([]any, len(countColumns))
	for i := range columns {
		column := make([]int64, len(list))
		for row, c := range list {
			column[row] = c[i]
		}
		columns[i] = column
	}
	return columns
}

// Parts of the statements that write counts.
var (
	leadArrays     = countArrays(5)
	hourArrays     = countArrays(3)
	countsReplaced = countExpressions("% = excluded.%")
	countsAdded    = countExpressions("% = report_hours.% + excluded.%")
)

// countArrays are the parameters of columnsOf, the first of them with this number.
func countArrays(first int) string {
	list := make([]string, len(countColumns))
	for i := range list {
		list[i] = "$" + strconv.Itoa(first+i) + "::bigint[]"
	}
	return strings.Join(list, ", ")
}

// foldedLead is a row of report_leads.
type foldedLead struct {
	lead    dossier.LeadID
	created time.Time
	facts   []byte
	counts
}

func scanFoldedLead(row pgx.CollectableRow) (foldedLead, error) {
	var f foldedLead
	err := row.Scan(append([]any{&f.lead, &f.created, &f.facts}, f.into()...)...)
	return f, err
}

// foldedLeads looks each lead up by itself: a plan for the list, made while the table is empty, would read all of a table
// that has grown since.
func foldedLeads(ctx context.Context, tx *tx, ids []dossier.LeadID) ([]foldedLead, error) {
	return collect(ctx, tx, scanFoldedLead, `SELECT kept.* FROM unnest($2::uuid[]) AS asked (id) CROSS JOIN LATERAL (
		SELECT lead_id, created_at, facts, `+countList+` FROM report_leads WHERE workspace_id = $1 AND lead_id = asked.id LIMIT 1) AS kept`, tx.ws, ids)
}

// moveHours adds to the sums of hours.
func moveHours(ctx context.Context, tx *tx, deltas map[time.Time]*counts) error {
	var hours []time.Time
	for hour, c := range deltas {
		if *c != (counts{}) {
			hours = append(hours, hour)
		}
	}
	// In one order, so that two processes that fold at once wait for each other instead of deadlocking.
	slices.SortFunc(hours, time.Time.Compare)
	moved := make([]counts, len(hours))
	for i, hour := range hours {
		moved[i] = *deltas[hour]
	}
	_, err := tx.Exec(ctx, `INSERT INTO report_hours (workspace_id, hour, `+countList+`)
		SELECT $1, * FROM unnest($2::timestamptz[], `+hourArrays+`)
		ON CONFLICT (workspace_id, hour) DO UPDATE SET `+countsAdded, append([]any{tx.ws, hours}, columnsOf(moved)...)...)
	return err
}
