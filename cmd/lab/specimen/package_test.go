package specimen

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

func TestPackage(t *testing.T) {
	s := Package(1, TaxReturn(TaxOptions{Seed: 1, Form: "1040", Year: 2023, Flattened: true}), FinancialStatement(StatementOptions{Seed: 2, Layout: "quickbooks_cash"}),
		BankStatement(BankOptions{Seed: 3, Layout: "meridian"}), Trap(4, "w9"))
	var kinds []string
	next := 1
	for _, p := range s.Truth.Parts {
		kinds = append(kinds, string(p.DocType))
		if p.First != next || p.Last < p.First {
			t.Errorf("%s on pages %d to %d, want from %d", p.DocType, p.First, p.Last, next)
		}
		next = p.Last + 1
	}
	if got := strings.Join(kinds, " "); got != "tax_return bank_statement tax_form_other" {
		t.Errorf("parts: %s", got)
	}
	if s.Truth.DocType != dossier.DocTaxReturn || s.Truth.Pages != next-1 {
		t.Errorf("package: %s of %d pages", s.Truth.DocType, s.Truth.Pages)
	}
	if pages := strings.Count(popplerText(t, s), "\f"); pages != s.Truth.Pages {
		t.Errorf("poppler sees %d pages, want %d", pages, s.Truth.Pages)
	}
}
