package spread

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

var borrowers = sync.OnceValue(specimen.Borrowers)

// inputOf is a borrower's documents as they come from reading.
func inputOf(b specimen.Borrower) Input {
	in := Input{SpreadID: "s", LeadID: "l", Currency: "USD", FiscalYearEndMonth: 12, GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for i, facts := range b.Facts() {
		part := dossier.ReadDocument{DocType: b.Documents[i].Truth.DocType, Pages: [2]int{1, 1}, Confidence: 0.9, Facts: facts}
		in.Documents = append(in.Documents, Document{ID: dossier.DocumentID(fmt.Sprint("d", i)), Filename: b.Documents[i].Name, Parts: []dossier.ReadDocument{part}})
	}
	return in
}

func consolidated(t *testing.T, b specimen.Borrower) (dossier.SpreadResults, []Problem) {
	t.Helper()
	r, problems, err := Consolidate(inputOf(b))
	if err != nil {
		t.Fatal(err)
	}
	return r, problems
}

// The spread of every borrower is the one its books give, figure for figure; all subtotals recompute, and every figure
// names the page it is printed on.
func TestConsolidate_borrowers(t *testing.T) {
	right, tested := 0, 0
	for _, b := range borrowers() {
		t.Run(b.Name, func(t *testing.T) {
			r, problems := consolidated(t, b)
			c := b.Spread.Compare(Template(), r)
			right, tested = right+c.Right, tested+c.Tested
			for _, fault := range append(c.Misses, specimen.SpreadFaults(Template(), r)...) {
				t.Error(fault)
			}
			if len(problems) != len(b.Refused) {
				t.Errorf("%d documents are refused, want %d: %v", len(problems), len(b.Refused), problems)
			}
			if got := comparedDocuments(r); len(got) != len(b.Compared) {
				t.Errorf("compared documents %v, want %v", got, b.Compared)
			}
		})
	}
	t.Logf("%d of %d figures are right", right, tested)
}

func comparedDocuments(r dossier.SpreadResults) map[dossier.DocumentID]bool {
	set := map[dossier.DocumentID]bool{}
	for _, c := range r.Comparisons {
		if len(c.Differences) > 0 {
			set[c.DocumentID] = true
		}
	}
	return set
}

func TestConsolidate_checks_pass_where_the_books_foot(t *testing.T) {
	for _, b := range borrowers() {
		r, _ := consolidated(t, b)
		for _, c := range r.Checks {
			if c.Passed || strings.Contains(c.Name, "cashFlow") || c.Name == "retainedEarningsRollForward" {
				continue // what owners took is not always disclosed
			}
			t.Errorf("%s: %s %s %s differs by %s: %s", b.Name, c.Name, c.Statement, c.PeriodID, c.Value, c.Detail)
		}
	}
}

// Annualized lines are scaled and everything else is calculated again from them.
func TestConsolidate_annualized_foots(t *testing.T) {
	columns := 0
	for _, b := range borrowers() {
		r, _ := consolidated(t, b)
		for _, p := range r.Statements.IncomeStatement.Periods {
			if !p.Annualized {
				continue
			}
			columns++
			for _, row := range Template().Of("incomeStatement") {
				value, ok := p.Values.Get(row.Key)
				if row.Formula.Empty() || !ok {
					continue
				}
				sum := row.Formula.Eval(layout.FormulaScope{Ref: func(key string) layout.Operand {
					v, have := p.Values.Get(key)
					return layout.Operand{Amount: v, Present: have}
				}})
				if !sum.Amount.Equal(value) {
					t.Errorf("%s %s: %s is %s, its rows give %s", b.Name, p.ID, row.Key, value, sum.Amount)
				}
			}
			for _, v := range p.Values {
				if !v.Computed {
					t.Errorf("%s %s: %s is not marked computed", b.Name, p.ID, v.Key)
				}
			}
		}
	}
	if columns == 0 {
		t.Error("no borrower has an annualized column")
	}
}

// Every balance sheet line but retained earnings moves exactly one line of the derived cash flow, once: each line is
// changed alone, and the net change in cash must follow. Cash itself is what is explained.
func TestCashFlow_covers_every_row_once(t *testing.T) {
	unexplained := map[string]bool{"cash": true, "retainedEarnings": true, "currentYearEarnings": true, "distributionsDividends": true}
	for _, row := range Template().Of("balanceSheet") {
		if row.Computed != "never" || unexplained[row.Key] {
			continue
		}
		asset := map[string]bool{"currentAssets": true, "nonCurrentAssets": true}[row.Section]
		v := view{is: rowSet{"netIncome": {}}, bs: rowSet{}, bsPrev: rowSet{}, cf: rowSet{}, call: func(string) layout.Operand { return layout.Operand{} }}
		v.bs[row.Key] = cell{amount: decimal.NewFromInt(100)}
		complete(v.bs, "balanceSheet")
		v.fill()
		complete(v.cf, "cashFlow")
		want := decimal.NewFromInt(100)
		if asset {
			want = want.Neg()
		}
		if got := v.cf["netChangeInCash"].amount; !got.Equal(want) {
			t.Errorf("100 more in %s changes cash by %s, want %s", row.Key, got, want)
		}
	}
}

// The same documents give the same bytes, in whatever order their maps are walked.
func TestConsolidate_is_deterministic(t *testing.T) {
	for _, b := range borrowers() {
		first, _ := consolidated(t, b)
		one, _ := json.Marshal(first)
		for range 3 {
			again, _ := consolidated(t, b)
			if two, _ := json.Marshal(again); string(one) != string(two) {
				t.Fatalf("%s: two runs differ", b.Name)
			}
		}
	}
}

func TestTemplate_counts(t *testing.T) {
	for statement, want := range map[string]int{"incomeStatement": 43, "balanceSheet": 42, "cashFlow": 27} {
		if got := len(Template().Of(statement)); got != want {
			t.Errorf("%s has %d rows, want %d", statement, got, want)
		}
	}
	if len(precedence()) != 6 {
		t.Errorf("classes of sources: %v", precedence())
	}
}
