package spread

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// view is what formulas of cash flow, ratios and UCA refer to: the statements of one period and the balance sheet
// before it. A statement that nobody handed in is nil: what refers to it is unknown.
type view struct {
	is, bs, cf, isPrev, bsPrev rowSet
	uca                        rowSet
	own                        rowSet // rows without a prefix: earlier lines of the same list
	call                       func(name string) layout.Operand
	positive                   bool
}

func (v view) scope() layout.FormulaScope {
	return layout.FormulaScope{Ref: v.ref, Delta: v.delta, Call: v.call, Positive: v.positive}
}

func (v view) ref(name string) layout.Operand {
	at := strings.LastIndex(name, ".")
	if at < 0 {
		return v.own.operand(name)
	}
	set := map[string]rowSet{"is": v.is, "bs": v.bs, "cf": v.cf, "uca": v.uca, "is.prev": v.isPrev,
		"bs.prev": v.bsPrev}[name[:at]]
	if set == nil {
		return layout.Operand{Unknown: true}
	}
	return set.operand(name[at+1:])
}

// delta is closing minus opening of a balance sheet row; absent when the row is on neither sheet.
func (v view) delta(name string) layout.Operand {
	if v.bs == nil || v.bsPrev == nil {
		return layout.Operand{Unknown: true}
	}
	key := strings.TrimPrefix(name, "bs.")
	closing, opening := v.bs.operand(key), v.bsPrev.operand(key)
	return layout.Operand{Amount: closing.Amount.Sub(opening.Amount), Present: closing.Present || opening.Present}
}

// cashFlows takes printed cash flow statements and derives the others from an income statement with a balance
// sheet at its end and one on the day before its start. Source: template.yaml, periods.cashFlowPeriod.
func (w *consolidation) cashFlows() {
	printed := w.choose("cashFlow", func(c *column) string { return periodID(c.start, c.end) })
	all := slices.Clone(printed)
	for _, is := range w.chosen["incomeStatement"] {
		closing, _ := w.sheetAt(is.end)
		opening, _ := w.sheetAt(is.start - 1)
		if closing == nil || opening == nil ||
			slices.ContainsFunc(printed, func(c *column) bool { return c.start == is.start && c.end == is.end }) {
			continue
		}
		all = append(all, &column{statement: "cashFlow", class: "derived", label: is.label, start: is.start,
			end: is.end, unit: is.unit, document: is.document})
	}
	slices.SortFunc(all, func(a, b *column) int {
		if a.end != b.end {
			return int(a.end - b.end)
		}
		return int(a.start - b.start)
	})
	w.chosen["cashFlow"] = all
	for _, c := range all {
		w.cashFlow(c)
	}
	w.listSetAside("cashFlow")
}

func (w *consolidation) cashFlow(c *column) {
	id := periodID(c.start, c.end)
	w.of[c] = id
	derived := c.class == "derived"
	var set rowSet
	if derived {
		set = w.derive(c, id)
	} else {
		set = w.printedFlow(c)
	}
	w.sets["cashFlow"][id] = set
	w.period(c, c.start, values(set, "cashFlow", derived, false))
}

// printedFlow calculates a printed cash flow. Cash at both ends, when it is not printed, comes from the balance
// sheets: memo rows that no other row sums.
func (w *consolidation) printedFlow(c *column) rowSet {
	set := calculate(w.adjusted(c, periodID(c.start, c.end)))
	closing, _ := w.sheetAt(c.end)
	opening, _ := w.sheetAt(c.start - 1)
	for key, sheet := range map[string]rowSet{"beginningCash": opening, "endingCash": closing} {
		if v, ok := sheet["cash"]; ok {
			if _, have := set[key]; !have {
				set[key] = v
			}
		}
	}
	complete(set, "cashFlow")
	return set
}

func (w *consolidation) derive(c *column, id string) rowSet {
	v := view{is: w.sets["incomeStatement"][id], cf: rowSet{}}
	v.bs, _ = w.sheetAt(c.end)
	v.bsPrev, _ = w.sheetAt(c.start - 1)
	v.call = func(string) layout.Operand { return layout.Operand{} }
	v.fill()
	if d, ok := w.distributions(c, v); ok {
		v.cf["distributionsPaid"] = d
	}
	w.adjust(v.cf, c.statement, id)
	complete(v.cf, "cashFlow")
	return v.cf
}

// fill derives the lines in template order, so that a later line may refer to an earlier one.
func (v view) fill() {
	for _, row := range Template().Of("cashFlow") {
		if row.Derived.Empty() {
			continue
		}
		if amount := row.Derived.Eval(v.scope()); amount.Present {
			v.cf[row.Key] = cell{amount: amount.Amount.Round(2), sources: v.sources(row.Derived)}
		}
	}
}

// sources are those of the rows that a formula refers to, so that a derived line can be traced to its pages.
func (v view) sources(f layout.Formula) []dossier.SpreadSource {
	var all []dossier.SpreadSource
	for _, name := range f.References() {
		at := strings.LastIndex(name, ".")
		key := name[at+1:]
		switch name[:max(at, 0)] {
		case "is":
			all = append(all, v.is.trace("incomeStatement", key)...)
		case "bs":
			all = append(append(all, v.bs.trace("balanceSheet", key)...), v.bsPrev.trace("balanceSheet", key)...)
		case "bs.prev":
			all = append(all, v.bsPrev.trace("balanceSheet", key)...)
		case "cf": // a line above, traced already
			all = append(all, v.cf[key].sources...)
		}
	}
	return all
}

// trace follows a calculated row down to the lines it is made of.
func (s rowSet) trace(statement, key string) []dossier.SpreadSource {
	v, ok := s[key]
	if !ok || len(v.sources) > 0 {
		return v.sources
	}
	var all []dossier.SpreadSource
	for _, part := range Template().Row(statement, key).Formula.References() {
		all = append(all, s.trace(statement, part)...)
	}
	return all
}

// distributions follows cashFlow.distributionRule of the template for a derived cash flow: Schedule M-2 or K, then
// the balance sheet's own row, whichever reading of it leaves the smaller variance; else absent, never a plug.
func (w *consolidation) distributions(c *column, v view) (cell, bool) {
	for _, s := range w.chosen["balanceSheet"] {
		if s.end == c.end && s.distributions != nil && !s.opening {
			return *s.distributions, true
		}
	}
	closing, ok := v.bs["distributionsDividends"]
	if !ok {
		return cell{}, false
	}
	change := cell{amount: closing.amount.Sub(v.bsPrev["distributionsDividends"].amount), sources: closing.sources}
	if w.varianceWith(v, closing).LessThan(w.varianceWith(v, change)) {
		return closing, true
	}
	return change, true
}

func (w *consolidation) varianceWith(v view, distributions cell) decimal.Decimal {
	set := rowSet{}
	for key, value := range v.cf {
		set[key] = value
	}
	set["distributionsPaid"] = distributions
	complete(set, "cashFlow")
	return set["cashFlowVariance"].amount.Abs()
}
