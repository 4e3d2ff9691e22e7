package spread

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// statementOf is a year's income statement of an entity with one figure of revenue.
func statementOf(id dossier.DocumentID, entity string, revenue int64, change func(p *dossier.ReadDocument)) Document {
	start, end, months := "2025-01-01", "2025-12-31", 12
	facts := dossier.StatementFacts{}
	if entity != "" {
		facts.EntityName = &entity
	}
	facts.Statements.IncomeStatement = []dossier.StatementColumn{{Label: "2025", Start: &start, End: &end, Months: &months,
		Values: map[string]dossier.Amount{"grossRevenues": {Decimal: decimal.NewFromInt(revenue)}}}}
	part := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}
	if change != nil {
		change(&part)
	}
	return Document{ID: id, Filename: string(id) + ".pdf", Parts: []dossier.ReadDocument{part}}
}

// Figures of two entities are never mixed: the entity that is asked for counts, else the one that most documents are
// about, the first on a tie. The others are set aside and say of whom they are. Legal forms and case do not make two
// entities of one; a document that names nobody goes with the others.
func TestConsolidate_entities(t *testing.T) {
	asked := func(name string) *string { return &name }
	for _, c := range []struct {
		name      string
		asked     *string
		documents []Document
		entity    string
		revenue   string
		aside     []dossier.DocumentID
	}{
		{"most documents", nil, []Document{statementOf("a", "Acme Holdings", 1, nil), statementOf("b", "Acme Trading LLC", 2, nil), statementOf("c", "ACME TRADING", 3, nil)}, "Acme Trading LLC", "3", []dossier.DocumentID{"a"}},
		{"the first on a tie", nil, []Document{statementOf("a", "Acme Holdings", 1, nil), statementOf("b", "Acme Trading LLC", 2, nil)}, "Acme Holdings", "1", []dossier.DocumentID{"b"}},
		{"as asked for", asked("Acme Trading"), []Document{statementOf("a", "Acme Holdings", 1, nil), statementOf("b", "Acme Trading, L.L.C.", 2, nil)}, "Acme Trading", "2", []dossier.DocumentID{"a"}},
		{"a document that names nobody", nil, []Document{statementOf("a", "Acme Holdings", 1, nil), statementOf("b", "", 2, nil)}, "Acme Holdings", "2", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, problems, err := Consolidate(Input{EntityName: c.asked, Currency: "USD", FiscalYearEndMonth: 12, Documents: c.documents})
			if err != nil {
				t.Fatal(err)
			}
			var aside []dossier.DocumentID
			for _, p := range problems {
				aside = append(aside, p.DocumentID)
				if !strings.Contains(p.Detail, r.EntityName) || !strings.Contains(p.Detail, "never mixed") || !strings.Contains(p.Detail, "entityName") {
					t.Errorf("%s is set aside with %q", p.DocumentID, p.Detail)
				}
			}
			if got := amountOf(t, r, "grossRevenues"); r.EntityName != c.entity || got != c.revenue || !slices.Equal(aside, c.aside) {
				t.Errorf("%s with revenue %s, set aside %v; want %s, %s, %v", r.EntityName, got, aside, c.entity, c.revenue, c.aside)
			}
		})
	}
	other := asked("Somebody Else")
	if _, problems, err := Consolidate(Input{EntityName: other, Currency: "USD", FiscalYearEndMonth: 12, Documents: []Document{statementOf("a", "Acme", 1, nil)}}); dossier.KindOf(err) != dossier.Invalid || len(problems) != 1 {
		t.Errorf("nothing of the entity: %v, %v", problems, err)
	}
}

// For one period the better source gives the whole statement, the later upload among equals, and every one that is set
// aside is kept as a comparison with what differs.
func TestConsolidate_source_preference(t *testing.T) {
	yes := true
	audited := statementOf("audited", "", 1000, func(p *dossier.ReadDocument) { p.Facts.Statement.Audited = &yes })
	reviewed := statementOf("reviewed", "", 2000, func(p *dossier.ReadDocument) { p.Evidence = []string{"accountant's review report p1"} })
	compiled := statementOf("compiled", "", 3000, func(p *dossier.ReadDocument) { p.Evidence = []string{"accountant's compilation report p1"} })
	internal, later := statementOf("internal", "", 5000, nil), statementOf("later", "", 6000, nil)
	year, form := 2025, "1120-S"
	filed := Document{ID: "return", Filename: "return.pdf", Parts: []dossier.ReadDocument{{DocType: dossier.DocTaxReturn, Pages: [2]int{1, 1},
		Facts: dossier.Facts{Tax: &dossier.TaxFacts{Form: &form, TaxYear: &year, Lines: map[string]dossier.Amount{"1a": {Decimal: decimal.NewFromInt(4000)}}}}}}}
	order := []Document{audited, reviewed, compiled, filed, later, internal} // best first
	for i := range order {
		documents := slices.Clone(order[i:])
		slices.Reverse(documents)
		r, problems, err := Consolidate(Input{Currency: "USD", FiscalYearEndMonth: 12, Documents: documents})
		if err != nil || len(problems) > 0 {
			t.Fatal(problems, err)
		}
		source := rowOf(r, "grossRevenues").Sources
		if len(source) != 1 || source[0].DocumentID != order[i].ID {
			t.Errorf("of %d sources %v was used, want %s", len(documents), source, order[i].ID)
		}
		if len(r.Comparisons) != len(documents)-1 {
			t.Errorf("%d comparisons of %d sources", len(r.Comparisons), len(documents))
		}
		for _, c := range r.Comparisons {
			if c.ChosenDocumentID != order[i].ID || len(c.Differences) == 0 {
				t.Errorf("comparison %+v", c)
			}
		}
	}
}

// A balance sheet without an income statement of its end starts after the fiscal year before it.
func TestConsolidate_balance_sheet_alone(t *testing.T) {
	for _, c := range []struct {
		end  string
		year int
		want string
	}{{"2025-12-31", 12, "2025-01-01"}, {"2025-06-30", 12, "2025-01-01"}, {"2025-09-30", 9, "2024-10-01"}, {"2025-12-31", 9, "2025-10-01"}, {"2024-02-29", 2, "2023-03-01"}} {
		facts := dossier.StatementFacts{}
		facts.Statements.BalanceSheet = []dossier.StatementColumn{{Label: c.end, End: &c.end, Values: map[string]dossier.Amount{"cash": {Decimal: decimal.NewFromInt(1)}}}}
		r, _, err := Consolidate(Input{Currency: "USD", FiscalYearEndMonth: c.year, Documents: []Document{{ID: "d",
			Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Statements.BalanceSheet.Periods[0].ID; got != c.want+"_"+c.end {
			t.Errorf("%s with years that end in month %d: %s, want %s_%s", c.end, c.year, got, c.want, c.end)
		}
	}
}
