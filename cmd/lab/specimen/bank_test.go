package specimen

import (
	"bytes"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// bankSpecimens is made once for all tests.
var bankSpecimens = sync.OnceValue(bankSamples)

// bankSamples is one personal and one business statement of each layout, and a broken one.
func bankSamples() []Specimen {
	var all []Specimen
	for i, layout := range BankLayouts() {
		seed := uint64(i + 1)
		all = append(all,
			BankStatement(BankOptions{Seed: seed, Layout: layout}),
			BankStatement(BankOptions{Seed: seed + 100, Layout: layout, Business: true}),
			BankStatement(BankOptions{Seed: seed + 200, Layout: layout, Broken: true}))
	}
	return all
}

// signed is a printed fact, or zero.
func signed(a *dossier.Amount) decimal.Decimal {
	if a == nil {
		return decimal.Zero
	}
	return a.Decimal
}

func TestBankStatement_foots(t *testing.T) {
	for _, s := range bankSpecimens() {
		f := s.Truth.Facts.Bank
		if f.OpeningBalance == nil || f.ClosingBalance == nil {
			continue // combined balances of several accounts are checked account by account
		}
		at := f.OpeningBalance.Decimal
		for _, e := range f.Entries {
			at = at.Add(e.Amount.Decimal)
		}
		if foots := at.Equal(f.ClosingBalance.Decimal); foots != *f.Reconciles {
			t.Errorf("%s: opening and entries give %s, printed closing %s, truth says reconciles=%v", s.Name, at, f.ClosingBalance, *f.Reconciles)
		}
	}
}

// TestBankStatement_totals holds the printed totals against the printed balances.
func TestBankStatement_totals(t *testing.T) {
	for _, s := range bankSpecimens() {
		f := s.Truth.Facts.Bank
		if f.OpeningBalance == nil || f.ClosingBalance == nil || (f.TotalDeposits == nil && f.TotalCredits == nil) {
			continue
		}
		in := signed(f.TotalDeposits).Add(signed(f.TotalCredits)).Add(signed(f.Interest))
		out := signed(f.TotalWithdrawals).Add(signed(f.TotalDebits)).Add(signed(f.Checks)).Add(signed(f.ServiceFees))
		at := f.OpeningBalance.Add(in).Sub(out)
		if foots := at.Equal(f.ClosingBalance.Decimal); foots != *f.Reconciles {
			t.Errorf("%s: %s + %s - %s = %s, printed closing %s, truth says reconciles=%v", s.Name, f.OpeningBalance, in, out, at, f.ClosingBalance, *f.Reconciles)
		}
	}
}

// TestBankStatement_accounts holds each of several accounts against its own figures.
func TestBankStatement_accounts(t *testing.T) {
	several := 0
	for _, s := range bankSpecimens() {
		for _, a := range s.Truth.Facts.Bank.Accounts {
			several++
			at := signed(a.OpeningBalance).Add(signed(a.Deposits)).Add(signed(a.Interest)).Sub(signed(a.Withdrawals)).Sub(signed(a.Checks)).Sub(signed(a.Fees))
			if foots := at.Equal(signed(a.ClosingBalance)); foots != *s.Truth.Facts.Bank.Reconciles {
				t.Errorf("%s %s: %s, printed %s, truth says reconciles=%v", s.Name, *a.Name, at, a.ClosingBalance, *s.Truth.Facts.Bank.Reconciles)
			}
		}
	}
	if several == 0 {
		t.Error("no layout has several accounts")
	}
}

// TestBankStatement_holder: the caller's holder and month are what the statement shows.
func TestBankStatement_holder(t *testing.T) {
	s := BankStatement(BankOptions{Seed: 4, Layout: "meridian", Holder: "Rosalind Q. Pemberly", Month: date(2024, 2, 17)})
	f := s.Truth.Facts.Bank
	if got := *f.AccountHolder; got != "Rosalind Q. Pemberly" {
		t.Errorf("holder %q", got)
	}
	if *f.PeriodStart != "2024-02-01" || *f.PeriodEnd != "2024-02-29" {
		t.Errorf("period %s to %s", *f.PeriodStart, *f.PeriodEnd)
	}
}

func TestBankStatement_sameSeedSameBytes(t *testing.T) {
	again := bankSamples()
	for i, first := range bankSpecimens() {
		if !bytes.Equal(first.Data, again[i].Data) {
			t.Errorf("%s differs between two runs of one seed", first.Name)
		}
	}
}

// popplerText is the text of a PDF by an independent reader.
func popplerText(t *testing.T, s Specimen) string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed")
	}
	cmd := exec.Command(tool, "-layout", "-", "-")
	cmd.Stdin = bytes.NewReader(s.Data)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil || problems.Len() > 0 {
		t.Fatalf("%s: pdftotext: %v %s", s.Name, err, problems.String())
	}
	return out.String()
}

// squeeze drops what notation may differ in: spaces and separators.
func squeeze(text string) string {
	return strings.NewReplacer(" ", "", ",", "", ".", "", "'", "", "\n", "", "\f", "", "\u00a0", "").Replace(text)
}

// TestBankStatement_printsItsTruth: what the truth says is on the pages, seen by another program.
func TestBankStatement_printsItsTruth(t *testing.T) {
	for _, s := range bankSpecimens() {
		text := squeeze(popplerText(t, s))
		f := s.Truth.Facts.Bank
		for _, name := range []*string{f.Institution, f.AccountHolder, f.AccountNumber, f.AccountType} {
			if name != nil && !strings.Contains(text, squeeze(*name)) {
				t.Errorf("%s: %q is not in the text", s.Name, *name)
			}
		}
		amounts := []*dossier.Amount{f.OpeningBalance, f.ClosingBalance, f.AvailableBalance, f.TotalDeposits, f.TotalWithdrawals,
			f.TotalCredits, f.TotalDebits, f.Checks, f.ServiceFees, f.Interest, f.MinimumDailyBalance}
		for _, e := range f.Entries {
			amounts = append(amounts, &e.Amount, e.Balance)
		}
		for _, a := range f.Accounts {
			amounts = append(amounts, a.OpeningBalance, a.ClosingBalance, a.Deposits, a.Withdrawals, a.Checks, a.Fees, a.Interest)
		}
		for _, a := range amounts {
			if a != nil && !strings.Contains(text, squeeze(a.Abs().StringFixed(2))) {
				t.Errorf("%s: amount %s is not in the text", s.Name, a)
			}
		}
	}
}
