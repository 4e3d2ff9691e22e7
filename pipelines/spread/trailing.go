package spread

import "github.com/dossierhq/dossier"

// trailing lists the trailing twelve months of the periods of which all three parts are known: the last full year, its
// months to date, and those of this year. Source: template.yaml, annualization.alternative.
func (w *consolidation) trailing() []dossier.SpreadTrailing {
	var all []dossier.SpreadTrailing
	for _, now := range w.chosen["incomeStatement"] {
		year, before := w.yearBefore(now)
		if year == nil || before == nil {
			continue
		}
		set := rowSet{}
		y, b, n := w.sets["incomeStatement"][w.of[year]], w.sets["incomeStatement"][w.of[before]],
			w.sets["incomeStatement"][w.of[now]]
		for _, row := range w.template.Of("incomeStatement") {
			line := row.Formula.Empty() || row.Computed == "fallback" &&
				len(y[row.Key].sources)+len(n[row.Key].sources) > 0
			_, inYear := y[row.Key]
			_, inBefore := b[row.Key]
			_, inNow := n[row.Key]
			if line && (inYear || inBefore || inNow) {
				set[row.Key] = cell{amount: y[row.Key].amount.Sub(b[row.Key].amount).Add(n[row.Key].amount)}
			}
		}
		complete(set, "incomeStatement")
		all = append(all, dossier.SpreadTrailing{Start: (before.end + 1).String(), End: now.end.String(),
			Year: w.of[year], Before: w.of[before], Now: w.of[now],
			Values: w.doubted(values(set, "incomeStatement", true, true), year, before, now)})
	}
	return all
}

// doubted marks the figures of twelve months that rest on what no printed total confirms in one of their parts.
func (w *consolidation) doubted(all dossier.SpreadValues, parts ...*column) dossier.SpreadValues {
	for i := range all {
		for _, c := range parts {
			row := w.template.Row("incomeStatement", all[i].Key)
			if !row.Formula.Empty() && w.proofs["incomeStatement"][w.of[c]].unsure(all[i].Key) {
				all[i].Reliable = new(bool)
			}
		}
	}
	return all
}

// yearBefore is the full year before a year to date, and the same months of that year; nil when one is not known, or
// when the documents show the twelve months themselves.
func (w *consolidation) yearBefore(now *column) (year, before *column) {
	for _, c := range w.chosen["incomeStatement"] {
		if lengthOf(c.start, c.end).full() && nearDays(c.end, now.start-1) {
			year = c
		}
		if lengthOf(c.start, c.end).full() && c.end == now.end {
			return nil, nil
		}
	}
	if year == nil || !lengthOf(now.start, now.end).interim() {
		return nil, nil
	}
	for _, c := range w.chosen["incomeStatement"] {
		if nearDays(c.start, year.start) && nearDays(c.start+(now.end-now.start), c.end) && c != year {
			before = c
		}
	}
	return year, before
}

// nearDays reports whether two days may be the same in a calendar of weeks.
func nearDays(a, b dossier.Day) bool { return a-b <= 7 && b-a <= 7 }
