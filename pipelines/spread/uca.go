package spread

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

func sortBases(all []base) {
	slices.SortStableFunc(all, func(a, b base) int {
		if a.end != b.end {
			return int(a.end - b.end)
		}
		return int(a.start - b.start)
	})
}

// uca is the Uniform Credit Analysis cash flow of every period that has a cash flow and both balance sheets. Its last
// row equals netChangeInCash of a derived cash flow. Source: template.yaml, uca.
func (w *consolidation) uca() []dossier.SpreadUCA {
	var all []dossier.SpreadUCA
	for _, p := range w.basePeriods() {
		set := w.ucaSet(p)
		if set == nil {
			continue
		}
		_, prior := w.sheetAt(p.start - 1)
		u := dossier.SpreadUCA{PeriodID: p.id,
			Columns: dossier.SpreadColumns{Income: p.id, Sheet: p.id, Flow: p.id, PriorSheet: prior}}
		unsure := w.unsureChange(p)
		for _, row := range w.template.UCA {
			v, ok := set[row.Key]
			if !ok {
				continue
			}
			line := dossier.SpreadUCALine{Key: row.Key, Label: row.Label, Subtotal: row.Subtotal,
				Value: figure(v.amount)}
			if w.firstUnsure(row.Formula, unsure) != "" {
				line.Reliable = new(bool)
			}
			u.Values = append(u.Values, line)
		}
		all = append(all, u)
	}
	return all
}

// unsureChange answers for references as the lines of the UCA write them whether they are unsure; a movement of the
// balance sheet is when either of its ends is.
func (w *consolidation) unsureChange(p base) func(ref string) bool {
	sure := w.unsureRefs(p, w.proofs["cashFlow"][p.id])
	return func(ref string) bool {
		key, sheet := strings.CutPrefix(ref, "bs.")
		return strings.Contains(ref, ".") && sure(ref) || sheet && sure("bs.prev."+key)
	}
}

// ucaSet calculates the lines of a period; nil when a statement it needs is missing.
func (w *consolidation) ucaSet(p base) rowSet {
	v := view{is: w.sets["incomeStatement"][p.id], bs: w.sets["balanceSheet"][p.id], cf: w.sets["cashFlow"][p.id],
		own: rowSet{}}
	v.bsPrev, _ = w.sheetAt(p.start - 1)
	if v.is == nil || v.bs == nil || v.cf == nil || v.bsPrev == nil {
		return nil
	}
	for _, row := range w.template.UCA {
		if x := row.Formula.Eval(v.scope()); x.Present {
			v.own[row.Key] = cell{amount: x.Amount.Round(2)}
		}
	}
	return v.own
}
