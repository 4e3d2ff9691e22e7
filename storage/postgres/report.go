package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ReportTotals sums up all leads of a filter.
func (db *DB) ReportTotals(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter) (dossier.ReportTotals, error) {
	return snapshot(ctx, db, ws, "analytics totals", func(tx *tx) (dossier.ReportTotals, error) {
		template, err := readReportTemplate(ctx, tx)
		if err != nil {
			return dossier.ReportTotals{}, err
		}
		return reportTotals(ctx, tx, template, filter)
	})
}

// ReportPage returns a page of reports, oldest lead first, in three round trips however many leads it has, and the
// totals of the whole result set of the same moment unless withTotals is false. A page holds up to page.Limit+1
// reports. A lead that is added while somebody pages comes at the end of the list and moves no other; one whose
// commit is slower than a page is asked for may be missed by that paging.
func (db *DB) ReportPage(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter, page dossier.Page, withTotals bool) ([]dossier.LeadReport, dossier.ReportTotals, error) {
	var totals dossier.ReportTotals
	reports, err := snapshot(ctx, db, ws, "analytics", func(tx *tx) (reports []dossier.LeadReport, err error) {
		template, err := readReportTemplate(ctx, tx)
		if err != nil {
			return nil, err
		}
		if withTotals {
			if totals, err = reportTotals(ctx, tx, template, filter); err != nil {
				return nil, err
			}
		}
		return template.page(ctx, tx, filter, page)
	})
	return reports, totals, err
}

// reportBatch is how many leads an export reads at once.
const reportBatch = 1000

// StreamReports hands every report of a filter to row, oldest lead first, all of one moment. Before the first it
// tells begin how many there are and how many items the longest checklist has. Memory is that of one batch.
// An error of begin or row ends it and is returned as it is.
func (db *DB) StreamReports(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter, begin func(leads, width int) error, row func(dossier.LeadReport) error) error {
	_, err := snapshot(ctx, db, ws, "stream analytics", func(tx *tx) (none, error) {
		template, err := readReportTemplate(ctx, tx)
		if err != nil {
			return none{}, err
		}
		leads, width, err := reportSize(ctx, tx, template, filter)
		if err != nil {
			return none{}, err
		}
		if err := begin(leads, width); err != nil {
			return none{}, err
		}
		return none{}, template.stream(ctx, tx, filter, row)
	})
	return err
}

// stream hands over all reports of a filter. While row has one batch the next is read: whoever writes a file and the
// database work at the same time. tx is used by one of them only.
func (t reportTemplate) stream(ctx context.Context, tx *tx, filter dossier.ReportFilter, row func(dossier.LeadReport) error) error {
	ctx, stop := context.WithCancel(ctx)
	batches := make(chan []dossier.LeadReport)
	var failed error
	go func() {
		defer close(batches)
		failed = t.batches(ctx, tx, filter, batches)
	}()
	var err error
	for batch := range batches {
		for _, report := range batch {
			if err == nil {
				err = row(report)
			}
		}
		if err != nil {
			stop() // and take what is still offered, so that nobody uses tx when this returns
		}
	}
	stop()
	return orElse(err, failed)
}

// batches reads the reports of a filter, a batch at a time, until all have been taken or ctx ends.
func (t reportTemplate) batches(ctx context.Context, tx *tx, filter dossier.ReportFilter, out chan<- []dossier.LeadReport) error {
	page := dossier.Page{Limit: reportBatch - 1}
	for {
		reports, err := t.page(ctx, tx, filter, page)
		if err != nil {
			return err
		}
		if len(reports) == 0 {
			return nil
		}
		select {
		case out <- reports:
		case <-ctx.Done():
			return ctx.Err()
		}
		if len(reports) < reportBatch {
			return nil
		}
		last := reports[len(reports)-1]
		page.After = &dossier.Cursor{At: last.CreatedAt, ID: string(last.LeadID)}
	}
}

// reported keeps the leads that analytics cover; l is the lead. Moments are compared in milliseconds, as they show.
func reported(q squirrel.SelectBuilder, ws dossier.WorkspaceID, filter dossier.ReportFilter) squirrel.SelectBuilder {
	q = q.Where("l.workspace_id = ? AND l.deleted_at IS NULL AND NOT l.is_test", ws)
	if filter.Start != nil {
		q = q.Where("l.created_at >= ?", filter.Start.UTC())
	}
	if filter.End != nil {
		q = q.Where("l.created_at < ?", filter.End.UTC().Truncate(time.Millisecond).Add(time.Millisecond))
	}
	return q
}

// countedMessage is a message that arrived, or went out.
const countedMessage = `(t.direction = 'INBOUND' AND t.status = 'RECEIVED' OR t.direction = 'OUTBOUND' AND t.status IN ('SENT', 'DELIVERED'))`

// reportTotals adds up all leads of a filter: what has been folded, less the folded counts of leads that changed
// since, plus those leads counted afresh. It costs as much as the hours of the range and the changes that wait, however
// many leads there are.
func reportTotals(ctx context.Context, tx *tx, template reportTemplate, filter dossier.ReportFilter) (dossier.ReportTotals, error) {
	var sum counts
	span := spanOf(filter)
	err := sumCounts(ctx, tx, &sum, 1, span.sums(tx.ws)...)
	if err != nil {
		return dossier.ReportTotals{}, err
	}
	changed, err := changedLeads(ctx, tx)
	if err != nil || len(changed) == 0 {
		return sum.totals(), err
	}
	stale := span.folded(psql.Select(countSums), tx.ws).Where("r.lead_id = ANY(?)", changed)
	if err := sumCounts(ctx, tx, &sum, -1, stale); err != nil {
		return dossier.ReportTotals{}, err
	}
	err = template.afresh(ctx, tx, filter, changed, func(r dossier.LeadReport) { sum.add(countsOf(r), 1) })
	return sum.totals(), err
}

// changedLeads lists the leads whose counts have not been folded since they changed.
func changedLeads(ctx context.Context, tx *tx) ([]dossier.LeadID, error) {
	return collect(ctx, tx, pgx.RowTo[dossier.LeadID], `SELECT DISTINCT lead_id FROM report_changes WHERE workspace_id = $1`, tx.ws)
}

// afresh counts the given leads of a filter from the raw tables, a batch in memory at a time.
func (t reportTemplate) afresh(ctx context.Context, tx *tx, filter dossier.ReportFilter, ids []dossier.LeadID, do func(dossier.LeadReport)) error {
	for batch := range slices.Chunk(ids, reportBatch) {
		reports, err := t.read(ctx, tx, reportedLeads(tx.ws, filter).Where("l.id = ANY(?)", batch))
		if err != nil {
			return err
		}
		for _, r := range reports {
			do(r)
		}
	}
	return nil
}

// reportSize counts the leads of a filter and the items of the longest of their checklists.
func reportSize(ctx context.Context, tx *tx, template reportTemplate, filter dossier.ReportFilter) (leads, width int, err error) {
	totals, err := reportTotals(ctx, tx, template, filter)
	if err != nil {
		return 0, 0, err
	}
	longest := spanOf(filter).folded(psql.Select("coalesce(max(r.items), 0)"), tx.ws).
		Where("NOT EXISTS (SELECT FROM report_changes c WHERE c.workspace_id = ? AND c.lead_id = r.lead_id)", tx.ws)
	if err := eachRow(ctx, tx, longest, func(row pgx.Rows) error { return row.Scan(&width) }); err != nil {
		return 0, 0, err
	}
	changed, err := changedLeads(ctx, tx)
	if err != nil {
		return 0, 0, err
	}
	err = template.afresh(ctx, tx, filter, changed, func(r dossier.LeadReport) { width = max(width, len(r.Items)) })
	return totals.Count, width, err
}

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
