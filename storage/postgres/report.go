package postgres

import (
	"context"
	"math"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ReportPage returns a page of reports, oldest lead first, and the totals of the whole result set of the same moment,
// in a handful of round trips however many leads there are. A page holds up to page.Limit+1 reports. A lead that is
// added while somebody pages comes at the end of the list and moves no other; one whose commit is slower than a page
// is asked for may be missed by that paging. Error: Unavailable, when more leads have changed than can be counted while
// somebody waits, as after a change of everybody's checklist; they are being counted meanwhile (FoldReports).
func (db *DB) ReportPage(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter,
	page dossier.Page) ([]dossier.LeadReport, dossier.ReportTotals, error) {
	var totals dossier.ReportTotals
	reports, err := snapshot(ctx, db, ws, "analytics", func(tx *tx) ([]dossier.LeadReport, error) {
		r, err := openReports(ctx, tx, filter, pageChanges)
		if err != nil {
			return nil, err
		}
		if filter.Test && len(r.fresh) > pageChanges {
			return nil, dossier.Errorf(dossier.Unavailable,
				"There are more than %d test leads; ask for a shorter time", pageChanges)
		}
		if len(r.changed) > pageChanges {
			return nil, dossier.Errorf(dossier.Unavailable,
				"More than %d leads have changed and are being counted; try again in a while", pageChanges)
		}
		sum, _, err := r.sum(ctx)
		if err != nil {
			return nil, err
		}
		totals = sum.totals()
		return r.page(ctx, page)
	})
	return reports, totals, err
}

// pageChanges is how many changed leads a page counts itself: some seconds of work.
const pageChanges = 20_000

// StreamReports hands every report of a filter to row, oldest lead first, all of one moment. Before the first it
// tells begin how many there are and how many items the longest checklist has. Memory is that of two batches: what a
// report points to is taken again when row has returned.
// What has changed is folded before, however much it is. An error of begin or row ends it and is returned as it is.
func (db *DB) StreamReports(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter,
	begin func(leads, width int) error, row func(dossier.LeadReport) error) error {
	if err := db.catchUp(ctx, ws); err != nil {
		return err
	}
	_, err := snapshot(ctx, db, ws, "stream analytics", func(tx *tx) (none, error) {
		r, err := openReports(ctx, tx, filter, math.MaxInt32)
		if err != nil {
			return none{}, err
		}
		leads, width, err := r.size(ctx)
		if err != nil {
			return none{}, err
		}
		if err := begin(leads, width); err != nil {
			return none{}, err
		}
		return none{}, r.stream(ctx, row)
	})
	return err
}

// reported keeps the leads that analytics cover; l is the lead. Moments are compared in milliseconds, as they show.
func reported(q squirrel.SelectBuilder, ws dossier.WorkspaceID, filter dossier.ReportFilter) squirrel.SelectBuilder {
	q = q.Where("l.workspace_id = ? AND l.deleted_at IS NULL AND l.is_test = ?", ws, filter.Test)
	if filter.Start != nil {
		q = q.Where("l.created_at >= ?", filter.Start.UTC())
	}
	if filter.End != nil {
		q = q.Where("l.created_at < ?", filter.End.UTC().Truncate(time.Millisecond).Add(time.Millisecond))
	}
	return q
}

// countedMessage is a message that arrived, or went out.
const countedMessage = `(t.direction = 'INBOUND' AND t.status = 'RECEIVED' OR t.direction = 'OUTBOUND'
	AND t.status IN ('SENT', 'DELIVERED'))`

// eachRow runs a query and hands its rows over one by one.
func eachRow(ctx context.Context, tx *tx, query squirrel.SelectBuilder, do func(row pgx.Rows) error) error {
	sql, args, err := query.ToSql()
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
