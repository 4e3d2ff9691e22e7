package judge

import (
	"fmt"
	"slices"

	"github.com/dossierhq/dossier"
)

// statementSpan returns the days a bank statement stands for. A printed period speaks for itself; one derived
// from the first and last line of a transaction list gets the quiet edges of dossier.Span. End is the last
// day that is really shown: the age of a document is counted from it.
func statementSpan(d dossier.ReadDocument, today dossier.Day) (span dossier.Span, end dossier.Day, ok bool) {
	b := d.Facts.Bank
	if b == nil {
		return dossier.Span{}, 0, false
	}
	from, okFrom := dossier.FactDay(b.PeriodStart)
	to, okTo := dossier.FactDay(b.PeriodEnd)
	if !okFrom || !okTo || to < from {
		return dossier.Span{}, 0, false
	}
	span = dossier.Span{From: from, To: to}
	if listsOnly(d) {
		return span.WithQuietEdges(today), to, true
	}
	return span, to, true
}

// listsOnly reports whether a bank statement is a list of transactions, whose period is not printed.
func listsOnly(d dossier.ReadDocument) bool {
	for _, pointer := range []string{"/periodStart", "/periodEnd"} {
		if d.Derived[pointer] != "" || d.Sources[pointer].Method == "cell" {
			return true
		}
	}
	return false
}

// meetsMonths reports whether accepted statements hold the wanted consecutive months, ending not more than
// grace days before today (resources.md section 2; what a month is: dossier.Span). The periods of all
// documents count together. A statement that a person accepted counts whatever its age, and one whose period
// nobody could read is enough by that person's word.
func meetsMonths(months, grace int, docs []JudgedDocument, today dossier.Day) (bool, []dossier.Reason) {
	var spans []dossier.Span
	var recent []dossier.Day // last days of the statements that are recent enough
	latest, accepted := dossier.Day(-1<<30), false
	for _, d := range docs {
		overridden := d.Override != nil && *d.Override
		read := false
		for _, part := range d.Parts {
			span, end, ok := statementSpan(part, today)
			if !ok {
				continue
			}
			read = true
			latest = max(latest, end)
			if end > today+1 && !overridden {
				continue // no statement ends in the future; a day is left for zones
			}
			spans = append(spans, span)
			if overridden || end >= today-dossier.Day(grace) {
				recent = append(recent, end)
			}
		}
		accepted = accepted || !read // JudgeItem asks a person first
	}
	if accepted {
		return true, nil
	}
	best := dossier.Span{From: 0, To: -1}
	for _, run := range dossier.JoinSpans(spans) {
		if holdsAny(run, recent) && run.Months() >= best.Months() {
			best = run
		}
	}
	if best.Months() >= months {
		return true, nil
	}
	return false, missingMonths(months, grace, best, latest, today)
}

// holdsAny reports whether one of the days lies in the run: a run with a recent statement in it ends recently.
func holdsAny(run dossier.Span, days []dossier.Day) bool {
	return slices.ContainsFunc(days, func(d dossier.Day) bool { return d >= run.From && d <= run.To })
}

func missingMonths(months, grace int, best dossier.Span, latest, today dossier.Day) []dossier.Reason {
	have := []any{"have", best.Months(), "wanted", months}
	switch {
	case best.Days() == 0 && latest > today+1:
		return because("months_future", append(have, "latest", latest.String())...)
	case best.Days() == 0:
		return because(
			"months_old",
			append(have, "latest", latest.String(), "grace", grace, "today", today.String())...)
	}
	return because("months_covered", append(have, "from", best.From.String(), "to", best.To.String())...)
}

// meetsYears reports whether accepted returns are of the wanted number of distinct consecutive tax years, the
// latest not before last year but one (resources.md section 2).
func meetsYears(years int, docs []JudgedDocument, today dossier.Day) (bool, []dossier.Reason) {
	have, byPerson, accepted := map[int]bool{}, map[int]bool{}, false
	for _, d := range docs {
		overridden := d.Override != nil && *d.Override
		read := false
		for _, part := range d.Parts {
			if t := part.Facts.Tax; t != nil && t.TaxYear != nil {
				read = true
				have[*t.TaxYear] = true
				byPerson[*t.TaxYear] = byPerson[*t.TaxYear] || overridden
			}
		}
		accepted = accepted || !read // JudgeItem asks a person first
	}
	if accepted {
		return true, nil
	}
	thisYear, _, _ := today.Date()
	best := 0
	for last := range have {
		run := 0
		for have[last-run] && (byPerson[last] || last >= thisYear-2 && last <= thisYear) {
			run++
		}
		best = max(best, run)
	}
	if best >= years {
		return true, nil
	}
	return false, missingYears(years, best, have, thisYear-2)
}

func missingYears(years, best int, have map[int]bool, oldest int) []dossier.Reason {
	var list []string
	for y := range have {
		list = append(list, fmt.Sprint(y))
	}
	slices.Sort(list)
	if best == 0 {
		return because("years_old", "have", best, "wanted", years, "oldest", oldest, "years", list)
	}
	return because("years_apart", "have", best, "wanted", years, "years", list)
}

// count writes "1 month", "3 months".
func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
