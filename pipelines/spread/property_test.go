package spread

import (
	"encoding/json"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// drawn are amounts for the lines of a statement, in cents, each row with the sign that it is stored with. A row is left
// out now and then, as documents do.
func drawn(t *rapid.T, statement string) map[string]dossier.Amount {
	values := map[string]dossier.Amount{}
	for _, row := range Template().Of(statement) {
		if row.Computed != "never" || rapid.IntRange(0, 3).Draw(t, row.Key+" is shown") == 0 {
			continue
		}
		cents := rapid.Int64Range(0, 900_000_00).Draw(t, row.Key)
		if row.Sign == "negative" || row.Sign == "signed" && cents%2 == 1 {
			cents = -cents
		}
		values[row.Key] = dossier.Amount{Decimal: decimal.New(cents, -2)}
	}
	return values
}

// books are an income statement of some months of 2025 and the balance sheets at both ends, of one document. With
// balanced the sheets foot by their retained earnings.
func books(t *rapid.T, months int, balanced bool) Input {
	column := func(start, end string, months int, values map[string]dossier.Amount) dossier.StatementColumn {
		c := dossier.StatementColumn{Label: end, Start: &start, End: &end, Months: &months, Values: values}
		if months == 0 {
			c.Start, c.Months = nil, nil
		}
		return c
	}
	first, _ := dossier.ParseDay("2025-01-01")
	end := first.AddMonths(months - 1).MonthEnd().String()
	facts := dossier.StatementFacts{}
	facts.Statements.IncomeStatement = []dossier.StatementColumn{column("2025-01-01", end, months, drawn(t, "incomeStatement"))}
	for _, day := range []string{"2024-12-31", end} {
		values := drawn(t, "balanceSheet")
		if _, shown := values["cash"]; !shown { // without it the cash flow has nothing to hold its change against
			values["cash"] = dossier.Amount{}
		}
		if balanced {
			values["retainedEarnings"] = dossier.Amount{}
			values["retainedEarnings"] = dossier.Amount{Decimal: calculate(columnOf("balanceSheet", values)).of("balanceSheetVariance")}
		}
		facts.Statements.BalanceSheet = append(facts.Statements.BalanceSheet, column("", day, 0, values))
	}
	return Input{SpreadID: "s", LeadID: "l", Currency: "USD", FiscalYearEndMonth: 12, Documents: []Document{{ID: "d", Filename: "books.xlsx",
		Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}}}}}
}

func columnOf(statement string, values map[string]dossier.Amount) *column {
	c := &column{statement: statement, lines: map[string]cell{}}
	for key, amount := range values {
		c.lines[key] = cell{amount: amount.Decimal}
	}
	return c
}

func (s rowSet) of(key string) decimal.Decimal { return s[key].amount }

// Whatever the books say: the derived cash flow explains every balance sheet row but retained earnings, whose movement
// beyond income and distributions is its variance, sign turned; the UCA ends with the same net change in cash; every
// subtotal, annualized ones too, foots; and the same books give the same bytes.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		months := rapid.IntRange(1, 12).Draw(t, "months")
		in := books(t, months, true)
		r, _, err := Consolidate(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range specimen.SpreadFaults(Template(), r) {
			t.Error(fault)
		}
		again, _, _ := Consolidate(in)
		one, _ := json.Marshal(r)
		if two, _ := json.Marshal(again); string(one) != string(two) {
			t.Error("the same books give other bytes")
		}
		flow := r.Statements.CashFlow.Periods[0]
		sheets := r.Statements.BalanceSheet.Periods
		get := func(p dossier.SpreadPeriod, key string) decimal.Decimal { v, _ := p.Values.Get(key); return v }
		unexplained := get(flow, "netIncome").Add(get(flow, "distributionsPaid"))
		for _, key := range []string{"retainedEarnings", "currentYearEarnings", "distributionsDividends"} {
			unexplained = unexplained.Sub(get(sheets[1], key).Sub(get(sheets[0], key)))
		}
		if variance := get(flow, "cashFlowVariance"); !variance.Equal(unexplained) {
			t.Errorf("the variance is %s, what retained earnings leave unexplained %s", variance, unexplained)
		}
		lines := r.UCA[0].Values
		if bottom := lines[len(lines)-1].Value; !bottom.Equal(get(flow, "netChangeInCash")) {
			t.Errorf("the UCA ends with %s, the cash flow with %s", bottom, get(flow, "netChangeInCash"))
		}
		if columns := len(r.Statements.IncomeStatement.Periods); (columns == 2) != (months < 12) {
			t.Errorf("%d months have %d columns", months, columns)
		}
	})
}

// Nothing is plugged: sheets that do not foot and a bottom line that the lines do not give show just that difference.
func TestProperties_nothing_is_plugged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := books(t, 12, false)
		statements := &in.Documents[0].Parts[0].Facts.Statement.Statements
		reported := decimal.New(rapid.Int64Range(-900_000_00, 900_000_00).Draw(t, "reported"), -2)
		statements.IncomeStatement[0].Values["netIncome"] = dossier.Amount{Decimal: reported}
		delete(statements.IncomeStatement[0].Values, "reportedNetIncome")
		r, _, err := Consolidate(in)
		if err != nil {
			t.Fatal(err)
		}
		income := r.Statements.IncomeStatement.Periods[0].Values
		net, calculated := income.Get("netIncome")
		if variance, ok := income.Get("incomeStatementVariance"); calculated != ok || ok && !variance.Equal(net.Sub(reported)) {
			t.Errorf("net income %s reported as %s has the variance %s", net, reported, variance)
		}
		for i, p := range r.Statements.BalanceSheet.Periods {
			want := calculate(columnOf("balanceSheet", statements.BalanceSheet[i].Values)).of("balanceSheetVariance")
			if variance, _ := p.Values.Get("balanceSheetVariance"); !variance.Equal(want) {
				t.Errorf("a sheet that misses by %s has the variance %s", want, variance)
			}
		}
	})
}
