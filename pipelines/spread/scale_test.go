package spread

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// sheetOf is a balance sheet with six figures, the largest of them ten times the first; without a scale when unit is 0.
func sheetOf(id, end string, first, unit int64) Document {
	facts := dossier.StatementFacts{Unit: max(1, unit)}
	values := map[string]dossier.Amount{}
	for i, key := range []string{"cash", "accountsReceivable", "inventory", "accountsPayable", "longTermDebt", "retainedEarnings"} {
		values[key] = dossier.Amount{Decimal: decimal.NewFromInt(first * int64(2*i+1))}
	}
	facts.Statements.BalanceSheet = []dossier.StatementColumn{{Label: end, End: &end, Values: values}}
	part := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}
	if unit == 0 {
		part.Warnings = []dossier.FactWarning{{Code: "scale_unknown"}}
	}
	return Document{ID: dossier.DocumentID(id), Filename: id + ".pdf", Parts: []dossier.ReadDocument{part}}
}

// Figures whose scale no document says are never mixed with others: the same figures in another document say the scale;
// without those, a document of another size is set aside, and one of the same size or alone is taken as it is printed.
func TestConsolidate_scales(t *testing.T) {
	few := sheetOf("few", "2024-12-31", 2_000, 0)
	few.Parts[0].Facts.Statement.Statements.BalanceSheet[0].Values = map[string]dossier.Amount{"cash": {Decimal: decimal.NewFromInt(2_000)}}
	for _, c := range []struct {
		name      string
		documents []Document
		cash      []string // of the balance sheets in order of time
		warned    string
		aside     string
	}{
		{"the same figures in millions", []Document{sheetOf("plain", "2023-12-31", 1_500, 0), sheetOf("filing", "2023-12-31", 1_500_000_000, 1_000_000)}, []string{"1500000000"}, "plain.pdf prints no scale; its figures are taken for millions, as another document prints the same ones", ""},
		{"the same figures in thousands, rounded", []Document{sheetOf("filing", "2023-12-31", 1_500_000_000, 1_000_000), sheetOf("plain", "2023-12-31", 1_500_001, 0)}, []string{"1500001000"}, "thousands", ""},
		{"the same figures as printed", []Document{sheetOf("plain", "2023-12-31", 1_500, 0), sheetOf("books", "2023-12-31", 1_500, 1)}, []string{"1500"}, "", ""},
		{"another size", []Document{sheetOf("plain", "2022-12-31", 1_400, 0), sheetOf("filing", "2023-12-31", 1_500_000_000, 1_000_000)}, []string{"1500000000"}, "", "plain"},
		{"another size, too few figures in common", []Document{few, sheetOf("filing", "2024-12-31", 2_000_000_000, 1_000_000)}, []string{"2000000000"}, "", "few"},
		{"the same size", []Document{sheetOf("plain", "2022-12-31", 1_400, 0), sheetOf("books", "2023-12-31", 1_500, 1)}, []string{"1400", "1500"}, "", ""},
		{"alone", []Document{sheetOf("plain", "2022-12-31", 1_400, 0)}, []string{"1400"}, "plain.pdf prints no scale; its figures are taken as they are printed", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, problems, err := Consolidate(Input{Currency: "USD", FiscalYearEndMonth: 12, Documents: c.documents})
			if err != nil {
				t.Fatal(err)
			}
			var cash []string
			for _, p := range r.Statements.BalanceSheet.Periods {
				v, _ := p.Values.Get("cash")
				cash = append(cash, v.String())
			}
			if strings.Join(cash, " ") != strings.Join(c.cash, " ") {
				t.Errorf("cash %v, want %v", cash, c.cash)
			}
			said := ""
			for _, w := range r.Warnings {
				if w.Code == "scale_uncertain" {
					said += w.Detail
				}
			}
			if (said == "") != (c.warned == "") || !strings.Contains(said, c.warned) {
				t.Errorf("warned %q, want %q", said, c.warned)
			}
			aside := ""
			for _, p := range problems {
				aside += string(p.DocumentID)
				if !strings.Contains(p.Detail, "no scale is printed") {
					t.Errorf("%s is set aside with %q", p.DocumentID, p.Detail)
				}
			}
			if aside != c.aside {
				t.Errorf("set aside %q, want %q", aside, c.aside)
			}
		})
	}
}
