package specimen

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"
)

var borrowers = sync.OnceValue(Borrowers)

func TestBorrowers_spreadsFoot(t *testing.T) {
	all := borrowers()
	if len(all) < 12 {
		t.Fatalf("%d borrowers", len(all))
	}
	for _, b := range all {
		for _, p := range b.Spread.Income {
			v := func(k string) decimal.Decimal { return p.Values[k].Decimal }
			if !p.Annualized && !v("incomeStatementVariance").IsZero() {
				t.Errorf("%s %s: income statement variance %s", b.Name, p.ID, v("incomeStatementVariance"))
			}
			if !v("netIncome").Equal(v("operatingIncome").Add(v("totalOtherIncomeExpense")).Sub(v("incomeTaxes"))) {
				t.Errorf("%s %s: net income %s does not follow", b.Name, p.ID, v("netIncome"))
			}
		}
		for _, p := range b.Spread.Balance {
			if v := p.Values["balanceSheetVariance"]; !v.IsZero() {
				t.Errorf("%s %s: balance sheet variance %s", b.Name, p.ID, v)
			}
		}
		for _, p := range b.Spread.CashFlow {
			if v := p.Values["cashFlowVariance"]; !v.IsZero() && b.Spread.Tested("cashFlow", "cashFlowVariance") && !strings.Contains(b.Note, "distributions not shown") && !undisclosed[b.Name] {
				t.Errorf("%s %s: cash flow variance %s", b.Name, p.ID, v)
			}
		}
	}
}

// undisclosed are the borrowers whose statements do not say what the owners took: their variance is just that.
var undisclosed = map[string]bool{"quickbooks_cash": true, "retailer_52_weeks": true, "negative_equity": true}

// TestBorrowers_documentsAgree: what the documents say is what the spread was computed from.
func TestBorrowers_documentsAgree(t *testing.T) {
	for _, b := range borrowers() {
		for i, s := range b.Documents {
			if set := contains(b.Compared, i) || contains(b.Refused, i); set {
				continue
			}
			facts := s.Truth.Facts
			switch {
			case facts.Statement != nil:
				for _, c := range facts.Statement.Statements.IncomeStatement {
					p := periodOf(t, b, b.Spread.Income, *c.Start+"_"+*c.End)
					if !p.Values["netIncome"].Equal(c.Values["netIncome"].Decimal) {
						t.Errorf("%s %s: spread %s, document %s", b.Name, p.ID, p.Values["netIncome"], c.Values["netIncome"])
					}
				}
			case facts.Tax.OrdinaryBusinessIncome != nil:
				p := b.Spread.Income
				if !anyNet(p, facts.Tax.OrdinaryBusinessIncome.Decimal) {
					t.Errorf("%s: no period earns %s", s.Name, facts.Tax.OrdinaryBusinessIncome)
				}
			}
		}
	}
}

func anyNet(all []SpreadPeriod, want decimal.Decimal) bool {
	for _, p := range all {
		if p.Values["netIncome"].Equal(want) {
			return true
		}
	}
	return false
}

func contains(all []int, n int) bool {
	for _, i := range all {
		if i == n {
			return true
		}
	}
	return false
}

func periodOf(t *testing.T, b Borrower, all []SpreadPeriod, id string) SpreadPeriod {
	t.Helper()
	for _, p := range all {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("%s: no period %s", b.Name, id)
	return SpreadPeriod{}
}

func TestBorrowers_same(t *testing.T) {
	first, again := borrowers(), Borrowers()
	for i, b := range first {
		for j, s := range b.Documents {
			if !bytes.Equal(s.Data, again[i].Documents[j].Data) {
				t.Errorf("%s: %s differs between two calls", b.Name, s.Name)
			}
		}
	}
}
