package postgres

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// reportReader reads the reports of a filter at one moment: of leads that have been folded since they changed what is
// kept, of the others the raw tables. It goes through them once, in their order.
type reportReader struct {
	tx       *tx
	template reportTemplate
	filter   dossier.ReportFilter
	changed  []dossier.LeadID        // not folded since: what is kept of them is old
	stale    map[dossier.LeadID]bool // the same
	fresh    []reportPlace           // those of them that the filter has, in order
	counted  []dossier.LeadReport    // the same, when sum has read them and they are few; else none
	after    reportPlace
}

// reportPlace is where a report stands in the list of all.
type reportPlace struct {
	created time.Time
	lead    dossier.LeadID
}

func (p reportPlace) compare(other reportPlace) int {
	return cmp.Or(p.created.Compare(other.created), cmp.Compare(p.lead, other.lead))
}

// openReports begins a reading. Of leads that changed it notes most+1 at most.
func openReports(ctx context.Context, tx *tx, filter dossier.ReportFilter, most int) (*reportReader, error) {
	r := &reportReader{tx: tx, filter: filter, stale: map[dossier.LeadID]bool{}}
	var err error
	if r.template, err = readReportTemplate(ctx, tx); err != nil {
		return nil, err
	}
	if filter.Test {
		return r, r.readFresh(ctx, reported(psql.Select("l.created_at, l.id").From("leads l"), tx.ws, filter))
	}
	r.changed, err = collect(ctx, tx, pgx.RowTo[dossier.LeadID],
		`SELECT DISTINCT lead_id FROM report_changes WHERE workspace_id = $1 LIMIT $2`, tx.ws, most+1)
	if err != nil || len(r.changed) == 0 || len(r.changed) > most {
		return r, err
	}
	for _, id := range r.changed {
		r.stale[id] = true
	}
	return r, r.readFresh(ctx, reported(psql.Select("l.created_at, l.id").From("leads l"), tx.ws, filter).
		Where("l.id IN (SELECT lead_id FROM report_changes WHERE workspace_id = ?)", tx.ws))
}

// readFresh notes the places of leads that are counted from the raw tables.
func (r *reportReader) readFresh(ctx context.Context, leads squirrel.SelectBuilder) error {
	return eachRow(ctx, r.tx, leads.OrderBy("l.created_at, l.id"), func(row pgx.Rows) error {
		var p reportPlace
		err := row.Scan(&p.created, &p.lead)
		r.fresh = append(r.fresh, p)
		return err
	})
}

// sum adds up all leads of the filter: what has been folded, less the folded counts of leads that changed since, plus
// those leads counted afresh. It costs as much as the hours of the range and the changes that wait, however many leads
// there are. The number is that of the items of the longest checklist among those counted afresh.
func (r *reportReader) sum(ctx context.Context) (counts, int, error) {
	var sum counts
	longest := 0
	if err := r.sumFolded(ctx, &sum); err != nil || len(r.fresh) == 0 {
		return sum, 0, err
	}
	for batch := range slices.Chunk(r.fresh, reportBatch) {
		reports, err := r.afresh(ctx, batch)
		if err != nil {
			return sum, 0, err
		}
		if len(reports) == len(r.fresh) {
			r.counted = reports
		}
		for _, one := range reports {
			sum.add(countsOf(one), 1)
			longest = max(longest, len(one.Items))
		}
	}
	return sum, longest, nil
}

// sumFolded adds what has been folded of leads that did not change since. Test leads are never folded.
func (r *reportReader) sumFolded(ctx context.Context, sum *counts) error {
	if r.filter.Test {
		return nil
	}
	span := spanOf(r.filter)
	if err := sumCounts(ctx, r.tx, sum, 1, span.sums(r.tx.ws)...); err != nil || len(r.changed) == 0 {
		return err
	}
	stale := span.folded(psql.Select(countSums), r.tx.ws).Where("r.lead_id = ANY(?)", r.changed)
	return sumCounts(ctx, r.tx, sum, -1, stale)
}

// size counts the leads of the filter and the items of the longest of their checklists.
func (r *reportReader) size(ctx context.Context) (int, int, error) {
	width := 0
	sum, longest, err := r.sum(ctx)
	if err != nil {
		return 0, 0, err
	}
	if r.filter.Test {
		return sum.totals().Count, longest, nil
	}
	kept := spanOf(r.filter).folded(psql.Select("coalesce(max(r.items), 0)"), r.tx.ws).
		Where("NOT EXISTS (SELECT FROM report_changes c WHERE c.workspace_id = ? AND c.lead_id = r.lead_id)", r.tx.ws)
	err = eachRow(ctx, r.tx, kept, func(row pgx.Rows) error { return row.Scan(&width) })
	return sum.totals().Count, max(width, longest), err
}

// afresh reads the reports at some places, which follow one another in r.fresh, from the raw tables.
func (r *reportReader) afresh(ctx context.Context, places []reportPlace) ([]dossier.LeadReport, error) {
	if len(places) == 0 {
		return nil, nil
	}
	if len(r.counted) > 0 {
		first := sort.Search(len(r.fresh), func(i int) bool { return r.fresh[i].compare(places[0]) >= 0 })
		return r.counted[first : first+len(places)], nil
	}
	ids := make([]dossier.LeadID, len(places))
	for i, p := range places {
		ids[i] = p.lead
	}
	return r.template.read(ctx, r.tx, reportedLeads(r.tx.ws, r.filter).Where("l.id = ANY(?)",
		ids).OrderBy("l.created_at, l.id"))
}

// page reads the reports that follow page.After, up to one more than the limit.
func (r *reportReader) page(ctx context.Context, page dossier.Page) ([]dossier.LeadReport, error) {
	if page.After != nil {
		r.after = reportPlace{page.After.At, dossier.LeadID(page.After.ID)}
	}
	var reports []dossier.LeadReport
	for more := true; more && len(reports) <= page.Limit; {
		var err error
		var next []dossier.LeadReport
		if next, more, err = r.next(ctx, page.Limit+1); err != nil {
			return nil, err
		}
		reports = append(reports, next...)
	}
	return reports[:min(len(reports), page.Limit+1)], nil
}

// next reads on: the reports up to some place, about limit of them, and whether there are more behind.
func (r *reportReader) next(ctx context.Context, limit int) ([]dossier.LeadReport, bool, error) {
	kept, last, err := r.kept(ctx, limit)
	if err != nil {
		return nil, false, err
	}
	more := last != nil
	first := sort.Search(len(r.fresh), func(i int) bool { return r.fresh[i].compare(r.after) > 0 })
	fresh := r.fresh[first:]
	if more {
		fresh = fresh[:sort.Search(len(fresh), func(i int) bool { return fresh[i].compare(*last) > 0 })]
		r.after = *last
	}
	if len(fresh) > limit { // then only as far as these go; what is kept of the rest is read again
		fresh, more = fresh[:limit], true
		r.after = fresh[limit-1]
		kept = kept[:sort.Search(len(kept), func(i int) bool { return placeOf(kept[i]).compare(r.after) > 0 })]
	}
	changed, err := r.afresh(ctx, fresh)
	return mergeReports(kept, changed), more, err
}

// firstID comes before all ids.
const firstID = "00000000-0000-0000-0000-000000000000"

// kept reads the folded reports among the limit places that follow r.after, and the last of these places: nil when
// there are fewer.
func (r *reportReader) kept(ctx context.Context, limit int) ([]dossier.LeadReport, *reportPlace, error) {
	if r.filter.Test {
		return nil, nil, nil
	}
	q := spanOf(r.filter).folded(psql.Select("r.created_at", "r.lead_id", "r.facts"), r.tx.ws).
		Where("(r.created_at, r.lead_id) > (?, ?::uuid)", r.after.created, cmp.Or(r.after.lead, firstID)).
		OrderBy("r.created_at, r.lead_id").Limit(uint64(limit))
	var reports []dossier.LeadReport
	var last reportPlace
	n := 0
	err := eachRow(ctx, r.tx, q, func(row pgx.Rows) error {
		n++
		var facts reportFacts
		if err := row.Scan(&last.created, &last.lead, &facts); err != nil || r.stale[last.lead] {
			return err
		}
		reports = append(reports, facts.report(last.lead, last.created))
		return nil
	})
	if n < limit {
		return reports, nil, err
	}
	return reports, &last, err
}

func placeOf(r dossier.LeadReport) reportPlace { return reportPlace{r.CreatedAt, r.LeadID} }

// mergeReports makes one list in order of two.
func mergeReports(a, b []dossier.LeadReport) []dossier.LeadReport {
	if len(b) == 0 {
		return a
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y dossier.LeadReport) int { return placeOf(x).compare(placeOf(y)) })
	return all
}

// reportBatch is how many leads a stream reads at once, and how many are counted afresh at once.
const reportBatch = 1000

// stream hands over all reports. While row has one batch the next is read; whatever happens, the transaction is
// nobody's when it returns.
func (r *reportReader) stream(ctx context.Context, row func(dossier.LeadReport) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan []dossier.LeadReport)
	var failed error
	go func() {
		defer close(batches)
		for more := true; more && failed == nil; {
			var reports []dossier.LeadReport
			if reports, more, failed = r.next(ctx, reportBatch); failed != nil {
				return
			}
			select {
			case batches <- reports:
			case <-ctx.Done():
				failed = ctx.Err()
			}
		}
	}()
	var err error
	for reports := range batches {
		for i := 0; i < len(reports) && err == nil; i++ {
			err = row(reports[i])
		}
		if err != nil {
			stop() // and wait until the reader has heard of it
		}
	}
	return orElse(err, failed)
}
