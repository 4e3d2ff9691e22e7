package postgres

import (
	"context"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ReportTotals sums up all leads of a filter. What no condition can hide is counted by the database; only entries
// under a condition, and those conditions look at, are read and resolved here, one lead in memory at a time.
func (db *DB) ReportTotals(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter) (dossier.ReportTotals, error) {
	return snapshot(ctx, db, ws, "analytics totals", func(tx *tx) (dossier.ReportTotals, error) {
		return reportTotals(ctx, tx, filter)
	})
}

// ReportPage returns a page of reports, oldest lead first, in three round trips however many leads it has, and the
// totals of the whole result set of the same moment unless withTotals is false. A page holds up to page.Limit+1
// reports. A lead that is added while somebody pages comes at the end of the list and moves no other; one whose
// commit is slower than a page is asked for may be missed by that paging.
func (db *DB) ReportPage(ctx context.Context, ws dossier.WorkspaceID, filter dossier.ReportFilter, page dossier.Page, withTotals bool) ([]dossier.LeadReport, dossier.ReportTotals, error) {
	var totals dossier.ReportTotals
	reports, err := snapshot(ctx, db, ws, "analytics", func(tx *tx) (reports []dossier.LeadReport, err error) {
		if withTotals {
			if totals, err = reportTotals(ctx, tx, filter); err != nil {
				return nil, err
			}
		}
		template, err := readReportTemplate(ctx, tx)
		if err != nil {
			return nil, err
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
		leads, width, err := reportSize(ctx, tx, filter)
		if err != nil {
			return none{}, err
		}
		if err := begin(leads, width); err != nil {
			return none{}, err
		}
		template, err := readReportTemplate(ctx, tx)
		if err != nil {
			return none{}, err
		}
		page := dossier.Page{Limit: reportBatch - 1}
		for {
			reports, err := template.page(ctx, tx, filter, page)
			if err != nil {
				return none{}, err
			}
			for _, report := range reports {
				if err := row(report); err != nil {
					return none{}, err
				}
			}
			if len(reports) < reportBatch {
				return none{}, nil
			}
			last := reports[len(reports)-1]
			page.After = &dossier.Cursor{At: last.CreatedAt, ID: string(last.LeadID)}
		}
	})
	return err
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

// ofReported selects from a table whose rows belong to the leads that analytics cover; t is the table.
func ofReported(table string, ws dossier.WorkspaceID, filter dossier.ReportFilter, columns ...string) squirrel.SelectBuilder {
	q := psql.Select(columns...).From(table+" t").Join("leads l ON l.workspace_id = t.workspace_id AND l.id = t.lead_id").Where("t.workspace_id = ?", ws)
	return reported(q, ws, filter)
}

// countedMessage is a message that arrived, or went out.
const countedMessage = `(t.direction = 'INBOUND' AND t.status = 'RECEIVED' OR t.direction = 'OUTBOUND' AND t.status IN ('SENT', 'DELIVERED'))`

func reportTotals(ctx context.Context, tx *tx, filter dossier.ReportFilter) (dossier.ReportTotals, error) {
	var totals dossier.ReportTotals
	leads := reported(psql.Select("count(*), count(l.completed_at), count(l.not_interested_at), count(l.opt_out_at)").From("leads l"), tx.ws, filter)
	err := eachRow(ctx, tx, leads, func(row pgx.Rows) error {
		return row.Scan(&totals.Count, &totals.Completed, &totals.NotInterested, &totals.OptedOut)
	})
	if err != nil || totals.Count == 0 {
		return totals, err
	}
	messages := ofReported("messages", tx.ws, filter, "t.channel", "t.direction", "count(*)").Where(countedMessage).GroupBy("t.channel, t.direction")
	err = eachRow(ctx, tx, messages, func(row pgx.Rows) error {
		var channel dossier.Channel
		var direction dossier.MessageDirection
		var n int
		err := row.Scan(&channel, &direction, &n)
		if counts := totals.Channels.Of(channel); counts != nil {
			counts.Count(direction, n, nil, nil)
		}
		return err
	})
	if err != nil {
		return totals, err
	}
	interventions := ofReported("interventions", tx.ws, filter, "t.kind", "count(*)").GroupBy("t.kind")
	err = eachRow(ctx, tx, interventions, func(row pgx.Rows) error {
		var kind string
		var n int
		err := row.Scan(&kind, &n)
		totals.Interventions.Count(kind, n)
		return err
	})
	if err != nil {
		return totals, err
	}
	return totals, totalCompletion(ctx, tx, filter, &totals.Completion)
}

// totalCompletion counts required items over all leads of the filter.
func totalCompletion(ctx context.Context, tx *tx, filter dossier.ReportFilter, into *dossier.Completion) error {
	template, err := readReportTemplate(ctx, tx)
	if err != nil {
		return err
	}
	// Few definitions have conditions, and only the template's can: everything else is visible to whoever has it.
	free := ofReported("checklist_entries", tx.ws, filter, "t.status", "coalesce(t.source, '')", "count(*)").
		Join("checklist_items i ON i.workspace_id = t.workspace_id AND i.id = t.item_id").
		Where("i.is_required AND NOT t.item_id = ANY(?)", template.conditional).GroupBy("1, 2")
	err = eachRow(ctx, tx, free, func(row pgx.Rows) error {
		var status dossier.ItemStatus
		var source dossier.ValueSource
		var n int
		err := row.Scan(&status, &source, &n)
		into.Count(status, source, n)
		return err
	})
	if err != nil || len(template.conditional) == 0 {
		return err
	}
	bound := ofReported("checklist_entries", tx.ws, filter, entryFactColumns, "t.code").
		Where("(t.item_id = ANY(?) OR t.code = ANY(?))", template.conditional, template.watched).OrderBy("t.lead_id")
	var lead []entryFact
	flush := func() {
		for _, fact := range template.resolve(lead) {
			if def := template.items[fact.item]; def.conditional && fact.required {
				into.Count(fact.status, fact.source, 1)
			}
		}
		lead = lead[:0]
	}
	err = eachRow(ctx, tx, bound, func(row pgx.Rows) error {
		var fact entryFact
		var code string
		err := row.Scan(append(fact.into(), &code)...)
		if len(lead) > 0 && lead[0].lead != fact.lead {
			flush()
		}
		if template.items[fact.item] == nil { // a lead's own item under a code that a condition looks at
			template.items[fact.item] = &reportItem{rank: len(template.items), code: code}
		}
		lead = append(lead, fact)
		return err
	})
	flush()
	return err
}

// reportSize counts the leads of a filter and the items of the longest of their checklists.
func reportSize(ctx context.Context, tx *tx, filter dossier.ReportFilter) (leads, width int, err error) {
	err = eachRow(ctx, tx, reported(psql.Select("count(*)").From("leads l"), tx.ws, filter), func(row pgx.Rows) error { return row.Scan(&leads) })
	if err != nil {
		return 0, 0, err
	}
	lengths := ofReported("checklist_entries", tx.ws, filter, "count(*) AS n").GroupBy("t.lead_id")
	err = eachRow(ctx, tx, psql.Select("coalesce(max(n), 0)").FromSelect(lengths, "lengths"), func(row pgx.Rows) error { return row.Scan(&width) })
	return leads, width, err
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
