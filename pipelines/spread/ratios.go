package spread

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// ratios calculates the ratios of every base period that has an income statement or a balance sheet. On an interim
// period income comes from its annualized column. Source: template.yaml, ratios.
func (w *consolidation) ratios() []dossier.SpreadRatios {
	var all []dossier.SpreadRatios
	for _, p := range w.basePeriods() {
		own, missing := rowSet{}, map[string]bool{}
		v, columns := w.viewOf(p)
		v.own, v.uca = own, w.ucaSet(p)
		r := dossier.SpreadRatios{PeriodID: p.id, Columns: columns}
		doubted, sure := map[string]bool{}, w.unsureRefs(p, w.proofs["cashFlow"][p.id])
		unsure := func(ref string) bool { return doubted[ref] || strings.Contains(ref, ".") && sure(ref) }
		for _, row := range w.template.Ratios {
			v.positive = row.Positive
			x := row.Formula.Eval(v.ratioScope(missing))
			missing[row.Key] = x.Unknown
			ratio := dossier.SpreadRatio{Key: row.Key, Label: row.Label, Group: row.Group, Format: row.Format,
				Formula: row.Formula.String()}
			if x.Present && !x.Unknown {
				own[row.Key] = cell{amount: x.Amount}
				ratio.Value = numberOf(x, row.Format)
			}
			if because := w.firstUnsure(row.Formula, unsure); because != "" && ratio.Value != nil {
				ratio.Value, ratio.Reason = nil,
					copyOf("Not reliable: it rests on "+because+", which the printed statements do not confirm")
				doubted[row.Key] = true
			}
			r.Values = append(r.Values, ratio)
		}
		all = append(all, r)
	}
	return all
}

// firstUnsure names the first unreliable figure of a formula, looking through the lines of the UCA cash flow; empty
// when all are reliable.
func (w *consolidation) firstUnsure(formula layout.Formula, unsure func(ref string) bool) string {
	for _, ref := range formula.References() {
		line, uca := strings.CutPrefix(ref, "uca.")
		if row := slices.IndexFunc(w.template.UCA,
			func(r layout.UCA) bool { return r.Key == cmp.Or(line, ref) }); row >= 0 &&
			(uca || !strings.Contains(ref, ".")) {
			if because := w.firstUnsure(w.template.UCA[row].Formula, unsure); because != "" {
				return because
			}
			continue
		}
		if unsure(ref) {
			return w.nameOf(ref)
		}
	}
	return ""
}

// nameOf is a reference in words.
func (w *consolidation) nameOf(ref string) string {
	key := ref[strings.LastIndex(ref, ".")+1:]
	for _, row := range w.template.Rows {
		if row.Key == key {
			return row.Label
		}
	}
	for _, row := range w.template.Ratios {
		if row.Key == key {
			return row.Label
		}
	}
	return words(key)
}

func numberOf(x layout.Operand, format string) *json.Number {
	places := int32(4)
	if format == "money" {
		places = 2
	}
	n := json.Number(x.Amount.StringFixed(places))
	return &n
}

// base is a period with its dates.
type base struct {
	id         string
	start, end dossier.Day
}

// basePeriods lists the periods of the statements, income statements first in order, then balance sheets that have
// a period of their own, merged by time.
func (w *consolidation) basePeriods() []base {
	var all []base
	seen := map[string]bool{}
	for _, s := range []string{"incomeStatement", "balanceSheet"} {
		for _, p := range w.results.Statements.Named(s).Periods {
			if p.Annualized || seen[p.ID] {
				continue
			}
			seen[p.ID] = true
			start, _ := dossier.ParseDay(p.Start)
			end, _ := dossier.ParseDay(p.End)
			all = append(all, base{p.ID, start, end})
		}
	}
	sortBases(all)
	return all
}

// viewOf is what the ratios of a period refer to, and the ids of those columns.
func (w *consolidation) viewOf(p base) (view, dossier.SpreadColumns) {
	columns := dossier.SpreadColumns{Income: p.id, Flow: p.id}
	if _, ok := w.sets["incomeStatement"][p.id+"_annualized"]; ok {
		columns.Income = p.id + "_annualized"
	}
	var v view
	v.bs, columns.Sheet = w.sheetAt(p.end) // a quarter shares the sheet of the year to date
	if prior := w.priorYear(&column{start: p.start, end: p.end}); prior != nil {
		columns.PriorIncome = w.of[prior]
		if lengthOf(p.start, p.end).interim() {
			v.bsPrev, columns.PriorSheet = w.sheetAt(prior.end)
		}
	}
	if v.bsPrev == nil {
		v.bsPrev, columns.PriorSheet = w.sheetAt(p.start - 1)
	}
	v.is, v.cf = w.sets["incomeStatement"][columns.Income], w.sets["cashFlow"][p.id]
	v.isPrev = w.sets["incomeStatement"][columns.PriorIncome]
	if v.is == nil {
		columns.Income = ""
	}
	if v.cf == nil {
		columns.Flow = ""
	}
	return v, columns
}

// ratioScope makes a ratio that could not be calculated unknown to the ratios made of it; one that is merely absent
// (days of a row that the business does not have) counts as 0 in a sum.
func (v view) ratioScope(missing map[string]bool) layout.FormulaScope {
	scope := v.scope()
	scope.Ref = func(name string) layout.Operand {
		if missing[name] {
			return layout.Operand{Unknown: true}
		}
		return v.ref(name)
	}
	return scope
}
