package specimen

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
)

var statementSpecimens = sync.OnceValue(statementSamples)

func statementSamples() []Specimen {
	var all []Specimen
	for i, layout := range StatementLayouts() {
		all = append(all, FinancialStatement(StatementOptions{Seed: uint64(i + 1), Layout: layout}), FinancialStatement(StatementOptions{Seed: uint64(i + 50), Layout: layout}))
	}
	return all
}

// TestFinancialStatement_foots holds the identities of each column's truth.
func TestFinancialStatement_foots(t *testing.T) {
	for _, s := range statementSpecimens() {
		f := s.Truth.Facts.Statement.Statements
		for _, c := range f.IncomeStatement {
			unmapped := decimal.Zero
			for _, u := range c.Unmapped {
				unmapped = unmapped.Add(u.Amount.Decimal)
			}
			equal(t, s.Name, c, "grossProfit", sumOf(c, "netRevenues").Sub(sumOf(c, "totalCostOfRevenues")))
			equal(t, s.Name, c, "totalOperatingExpenses", sumOf(c, expenseKeys...).Add(unmapped))
			before := sumOf(c, "netRevenues").Sub(sumOf(c, "totalCostOfRevenues", "totalOperatingExpenses")).Add(sumOf(c, "totalOtherIncomeExpense"))
			equal(t, s.Name, c, "netIncome", before.Sub(sumOf(c, "incomeTaxes")))
		}
		for _, c := range f.BalanceSheet {
			equal(t, s.Name, c, "totalAssets", sumOf(c, "totalCurrentAssets", "netFixedAssets", "otherNonCurrentAssets", "dueFromOwnersAffiliates"))
			equal(t, s.Name, c, "totalLiabilities", sumOf(c, append(slices.Clone(currentDebtKeys), longDebtKeys...)...))
			equal(t, s.Name, c, "totalLiabilitiesAndEquity", sumOf(c, "totalLiabilities", "totalEquity"))
			equal(t, s.Name, c, "totalLiabilitiesAndEquity", sumOf(c, "totalAssets"))
		}
		for _, c := range f.CashFlow {
			equal(t, s.Name, c, "netChangeInCash", sumOf(c, "netCashFromOperating", "netCashFromInvesting", "netCashFromFinancing"))
			equal(t, s.Name, c, "endingCash", sumOf(c, "netChangeInCash", "beginningCash"))
		}
	}
}

func sumOf(c dossier.StatementColumn, keys ...string) decimal.Decimal {
	sum := decimal.Zero
	for _, k := range keys {
		sum = sum.Add(c.Values[k].Decimal)
	}
	return sum
}

func equal(t *testing.T, name string, c dossier.StatementColumn, key string, want decimal.Decimal) {
	t.Helper()
	if got := c.Values[key]; !got.Equal(want) {
		t.Errorf("%s %s: %s is %s, its parts give %s", name, c.Label, key, got, want)
	}
}

// contents is every printed text of a statement, read back by other means than this package's.
func contents(t *testing.T, s Specimen) string {
	t.Helper()
	switch s.MimeType {
	case mimeXLSX:
		f, err := excelize.OpenReader(bytes.NewReader(s.Data))
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		var b strings.Builder
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				b.WriteString(strings.Join(r, "\n") + "\n")
			}
		}
		return b.String()
	case mimeCSV:
		r := csv.NewReader(bytes.NewReader(s.Data))
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		var b strings.Builder
		for _, row := range rows {
			b.WriteString(strings.Join(row, "\n") + "\n")
		}
		return b.String()
	}
	return popplerText(t, s)
}

// TestFinancialStatement_printsItsTruth: each fact stands in the file in its scale.
func TestFinancialStatement_printsItsTruth(t *testing.T) {
	for _, s := range statementSpecimens() {
		f := s.Truth.Facts.Statement
		text := squeeze(contents(t, s))
		if !strings.Contains(text, squeeze(*f.EntityName)) {
			t.Errorf("%s: %q is not in the text", s.Name, *f.EntityName)
		}
		for _, c := range slices.Concat(f.Statements.IncomeStatement, f.Statements.BalanceSheet, f.Statements.CashFlow) {
			for key, v := range c.Values {
				printed := v.Abs().Div(decimal.NewFromInt(f.Unit))
				if !strings.Contains(text, squeeze(printed.StringFixed(2))) && !strings.Contains(text, squeeze(printed.String())) {
					t.Errorf("%s %s: %s %s is not in the text", s.Name, c.Label, key, printed)
				}
				if !slices.Contains(s.Truth.Printed, v.String()) {
					t.Errorf("%s %s: %s %s is not in the list of printed figures", s.Name, c.Label, key, v)
				}
			}
		}
	}
}

func TestFinancialStatement_sameSeedSameBytes(t *testing.T) {
	again := statementSamples()
	for i, first := range statementSpecimens() {
		if !bytes.Equal(first.Data, again[i].Data) {
			t.Errorf("%s differs between two runs of one seed", first.Name)
		}
	}
}

// TestFinancialStatement_weeks: a retailer's years have 52 or 53 weeks and end on a Saturday.
func TestFinancialStatement_weeks(t *testing.T) {
	s := FinancialStatement(StatementOptions{Seed: 3, Layout: "retailer_52_weeks", Year: 2023})
	for _, c := range s.Truth.Facts.Statement.Statements.IncomeStatement {
		start, end := dateOfISO(*c.Start), dateOfISO(*c.End)
		days := int(end.Sub(start).Hours()/24) + 1
		if end.Weekday().String() != "Saturday" || days != 52*7 && days != 53*7 {
			t.Errorf("%s: %s to %s is %d days", c.Label, *c.Start, *c.End, days)
		}
	}
}
