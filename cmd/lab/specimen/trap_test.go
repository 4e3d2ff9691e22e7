package specimen

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// TestTrap: look-alikes satisfy none of the types they resemble, print what their truth says, and repeat by seed.
func TestTrap(t *testing.T) {
	for i, name := range Traps() {
		s := Trap(uint64(i+1), name)
		if s.Truth.FieldType != dossier.FieldFile || s.Truth.DocType == dossier.DocBankStatement || s.Truth.DocType == dossier.DocTaxReturn {
			t.Errorf("%s is a %s for %s", name, s.Truth.DocType, s.Truth.FieldType)
		}
		if !bytes.Equal(s.Data, Trap(uint64(i+1), name).Data) {
			t.Errorf("%s differs between two runs of one seed", name)
		}
		if len(s.Truth.Facts.Other) == 0 {
			t.Errorf("%s has no facts", name)
		}
		if s.MimeType != mimePDF {
			continue
		}
		text := squeeze(popplerText(t, s))
		for key, v := range s.Truth.Facts.Other {
			printed := fmt.Sprint(v)
			if amount, ok := v.(dossier.Amount); ok {
				printed = amount.String()
			}
			if strings.Count(printed, "-") == 2 && strings.HasPrefix(printed, "20") {
				continue // dates are printed in other forms
			}
			if !strings.Contains(text, squeeze(printed)) {
				t.Errorf("%s: %s %q is not in the text", name, key, printed)
			}
		}
	}
}

// TestBankCSV: entries run from the opening to the closing balance, whatever their order in the file.
func TestBankCSV(t *testing.T) {
	for i, layout := range BankCSVLayouts() {
		s := BankCSV(BankOptions{Seed: uint64(i + 1), Layout: layout})
		f := s.Truth.Facts.Bank
		at := f.OpeningBalance.Decimal
		for _, e := range f.Entries {
			at = at.Add(e.Amount.Decimal)
			if !strings.Contains(squeeze(string(s.Data)), squeeze(e.Amount.Abs().StringFixed(2))) {
				t.Errorf("%s: %s is not in the file", layout, e.Amount)
			}
		}
		if !at.Equal(f.ClosingBalance.Decimal) || *f.Transactions != len(f.Entries) {
			t.Errorf("%s: entries lead to %s, closing %s, %d entries", layout, at, f.ClosingBalance, *f.Transactions)
		}
		if !bytes.Equal(s.Data, BankCSV(BankOptions{Seed: uint64(i + 1), Layout: layout}).Data) {
			t.Errorf("%s differs between two runs of one seed", layout)
		}
	}
}
