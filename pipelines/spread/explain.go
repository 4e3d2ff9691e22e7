package spread

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// Explain notes beside every calculated figure and ratio how it comes about: the template's formula, and those of its
// operands that the results have.
func Explain(r *dossier.SpreadResults) {
	e := explainer{r, figuresOf(r)}
	for _, statement := range statements {
		periods := r.Statements.Named(statement).Periods
		for i := range periods {
			for j := range periods[i].Values {
				if v := &periods[i].Values[j]; v.Computed {
					e.figure(statement, periods[i], v)
				}
			}
		}
	}
	for _, table := range r.Ratios {
		for i := range table.Values {
			v := &table.Values[i]
			if formula, err := layout.ParseFormula(v.Formula); err == nil {
				v.Operands = e.operands(formula, "ratios", table.PeriodID, table.Columns)
			}
		}
	}
}

type explainer struct {
	r    *dossier.SpreadResults
	have map[dossier.SpreadOperand]bool
}

// figuresOf are the figures that there are.
func figuresOf(r *dossier.SpreadResults) map[dossier.SpreadOperand]bool {
	found := map[dossier.SpreadOperand]bool{}
	for _, statement := range statements {
		for _, p := range r.Statements.Named(statement).Periods {
			for _, v := range p.Values {
				found[dossier.SpreadOperand{Statement: statement, Row: v.Key, PeriodID: p.ID}] = true
			}
		}
	}
	for _, table := range r.Ratios {
		for _, v := range table.Values {
			found[dossier.SpreadOperand{Statement: "ratios", Row: v.Key, PeriodID: table.PeriodID}] = v.Value != nil
		}
	}
	for _, table := range r.UCA {
		for _, v := range table.Values {
			found[dossier.SpreadOperand{Statement: "uca", Row: v.Key, PeriodID: table.PeriodID}] = true
		}
	}
	return found
}

func (e explainer) figure(statement string, p dossier.SpreadPeriod, v *dossier.SpreadValue) {
	row := Template().Row(statement, v.Key)
	switch {
	case row == nil:
	case !row.Formula.Empty():
		v.Formula = row.Formula.String()
		v.Operands = e.operands(row.Formula, statement, p.ID, dossier.SpreadColumns{})
	case p.Annualized && p.DerivedFrom != nil:
		start, _ := dossier.ParseDay(p.Start)
		end, _ := dossier.ParseDay(p.End)
		times, by := layout.AnnualFactor(start, end)
		v.Formula = fmt.Sprintf("%s * %s / %s", v.Key, times, by)
		v.Operands = []dossier.SpreadOperand{{Statement: statement, Row: v.Key, PeriodID: *p.DerivedFrom}}
	case !row.Derived.Empty():
		start, _ := dossier.ParseDay(p.Start)
		v.Formula = row.Derived.String()
		v.Operands = e.operands(row.Derived, statement, p.ID, dossier.SpreadColumns{Income: p.ID, Flow: p.ID,
			Sheet: e.sheetEnding(p.End), PriorSheet: e.sheetEnding((start - 1).String())})
	}
}

// sheetEnding is the balance sheet that ends on a day.
func (e explainer) sheetEnding(day string) string {
	for _, p := range e.r.Statements.BalanceSheet.Periods {
		if p.End == day {
			return p.ID
		}
	}
	return ""
}

// operands are the figures that a formula names; what has no prefix is of its own list and period.
func (e explainer) operands(f layout.Formula, own, period string, c dossier.SpreadColumns) []dossier.SpreadOperand {
	of := map[string]dossier.SpreadOperand{"": {Statement: own, PeriodID: period},
		"uca": {Statement: "uca", PeriodID: period}, "is": {Statement: "incomeStatement", PeriodID: c.Income},
		"bs": {Statement: "balanceSheet", PeriodID: c.Sheet}, "cf": {Statement: "cashFlow", PeriodID: c.Flow},
		"is.prev": {Statement: "incomeStatement", PeriodID: c.PriorIncome},
		"bs.prev": {Statement: "balanceSheet", PeriodID: c.PriorSheet}}
	var found []dossier.SpreadOperand
	add := func(name string) {
		at := max(strings.LastIndex(name, "."), 0)
		one := of[name[:at]]
		one.Row = strings.TrimPrefix(name[at:], ".")
		if e.have[one] && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	text := f.String()
	for _, name := range f.References() {
		add(name)
		if strings.Contains(text, "delta("+name+")") {
			add(strings.Replace(name, "bs.", "bs.prev.", 1))
		}
	}
	return found
}
