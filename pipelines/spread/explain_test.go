package spread

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Every calculated figure names its formula, and those operands that are there, each where it stands.
func TestExplain(t *testing.T) {
	t.Parallel()
	value := func(key, kind string, computed bool) dossier.SpreadValue {
		return dossier.SpreadValue{Key: key, Kind: kind, Computed: computed, Value: dossier.Figure{Decimal: decimal.NewFromInt(1)}}
	}
	first, second, half := "2024-01-01_2024-12-31", "2025-01-01_2025-12-31", "2026-01-01_2026-06-30"
	period := func(id string, values ...dossier.SpreadValue) dossier.SpreadPeriod {
		start, end, _ := strings.Cut(id, "_")
		return dossier.SpreadPeriod{ID: id, Start: start, End: end, Values: values}
	}
	scaled := period(half, value("rent", "line", true), value("totalOperatingExpenses", "subtotal", true))
	scaled.ID, scaled.Annualized, scaled.DerivedFrom = half+"_annualized", true, &half
	var r dossier.SpreadResults
	r.Statements.IncomeStatement.Periods = []dossier.SpreadPeriod{
		period(second, value("grossRevenues", "line", false), value("netRevenues", "subtotal", true), value("depreciation", "line", false), value("cogsDepreciation", "line", false)),
		period(half, value("rent", "line", false), value("totalOperatingExpenses", "subtotal", true)), scaled}
	r.Statements.BalanceSheet.Periods = []dossier.SpreadPeriod{period(first, value("inventory", "line", false)), period(second, value("inventory", "line", false))}
	r.Statements.CashFlow.Periods = []dossier.SpreadPeriod{period(second, value("depreciation", "line", true), value("changeInInventory", "line", true))}
	r.Ratios = []dossier.SpreadRatios{{PeriodID: second, Columns: dossier.SpreadColumns{Income: second, Sheet: second, PriorSheet: first},
		Values: []dossier.SpreadRatio{{Key: "inventoryDays", Formula: "365 * bs.inventory / is.netRevenues"}}}}
	Explain(&r)

	var got []string
	say := func(name, formula string, operands []dossier.SpreadOperand) {
		line := name + " = " + formula + ":"
		for _, o := range operands {
			line += fmt.Sprintf(" %s.%s@%s", o.Statement, o.Row, o.PeriodID)
		}
		got = append(got, line)
	}
	for _, statement := range statements {
		for _, p := range r.Statements.Named(statement).Periods {
			for _, v := range p.Values {
				if v.Computed {
					say(v.Key, v.Formula, v.Operands)
				} else if v.Formula != "" || v.Operands != nil {
					t.Errorf("%s is read, not calculated: %q", v.Key, v.Formula)
				}
			}
		}
	}
	say("inventoryDays", "", r.Ratios[0].Values[0].Operands)
	rent := Template().Row("incomeStatement", "totalOperatingExpenses").Formula.String()
	want := []string{
		"netRevenues = grossRevenues - returnsAllowances: incomeStatement.grossRevenues@" + second,
		"totalOperatingExpenses = " + rent + ": incomeStatement.rent@" + half,
		"rent = rent * 12 / 6: incomeStatement.rent@" + half,
		"totalOperatingExpenses = " + rent + ": incomeStatement.rent@" + half + "_annualized",
		"depreciation = is.depreciation + is.cogsDepreciation: incomeStatement.depreciation@" + second + " incomeStatement.cogsDepreciation@" + second,
		"changeInInventory = -delta(bs.inventory): balanceSheet.inventory@" + second + " balanceSheet.inventory@" + first,
		"inventoryDays = : balanceSheet.inventory@" + second + " incomeStatement.netRevenues@" + second,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
