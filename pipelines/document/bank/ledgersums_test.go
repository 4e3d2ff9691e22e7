package bank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// exported reads the facts of an export; nil where it is read as none.
func exported(t *testing.T, csv string) *dossier.BankFacts {
	t.Helper()
	d, err := office.CSV([]byte(csv))
	if err != nil {
		t.Fatal(err)
	}
	f, ok := readBankLedger(text.Segment{Pages: d.Pages})
	if !ok {
		return nil
	}
	return f.Facts.Bank
}

func amountOr(a *dossier.Amount) string {
	if a == nil {
		return "-"
	}
	return a.String()
}

// entriesOf are the entries as they are listed.
func entriesOf(f *dossier.BankFacts) string {
	var out []string
	for _, e := range f.Entries {
		out = append(out, e.Date+" "+e.Amount.String())
	}
	return strings.Join(out, ", ")
}

// The days of rows without a year are those of the period above the table, where all of them lie in it.
func TestWithYears(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ csv, want string }{
		"within a year":      {"Period: 01/09/2024 - 30/09/2024\n\nDate,Description,Amount,Balance\n25/09,A,-5.00,95.00\n26/09,B,-5.00,90.00\n", "2024-09-25 -5.00, 2024-09-26 -5.00"},
		"over the new year":  {"Period: 15/12/2023 - 14/01/2024\n\nDate,Description,Amount,Balance\n28/12,A,-5.00,95.00\n03/01,B,-5.00,90.00\n", "2023-12-28 -5.00, 2024-01-03 -5.00"},
		"month first":        {"Period: 09/01/2024 - 09/30/2024\n\nDate,Description,Amount,Balance\n09/25,A,-5.00,95.00\n09/26,B,-5.00,90.00\n", "2024-09-25 -5.00, 2024-09-26 -5.00"},
		"a leap day":         {"Period: 01/02/2024 - 29/02/2024\n\nDate,Description,Amount,Balance\n28/02,A,-5.00,95.00\n29/02,B,-5.00,90.00\n", "2024-02-28 -5.00, 2024-02-29 -5.00"},
		"outside of it":      {"Period: 01/09/2024 - 30/09/2024\n\nDate,Description,Amount,Balance\n25/11,A,-5.00,95.00\n26/11,B,-5.00,90.00\n", ""},
		"no period":          {"Bank of nowhere\n\nDate,Description,Amount,Balance\n25/09,A,-5.00,95.00\n26/09,B,-5.00,90.00\n", ""},
		"years of their own": {"Period: 01/09/2024 - 30/09/2024\n\nDate,Description,Amount,Balance\n25/09/2023,A,-5.00,95.00\n26/09/2023,B,-5.00,90.00\n", "2023-09-25 -5.00, 2023-09-26 -5.00"},
	} {
		got := ""
		if f := exported(t, c.csv); f != nil {
			got = entriesOf(f)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// An export of several accounts lists each with its own sums, its own running balances and its own entries.
func TestReadBankLedger_accounts(t *testing.T) {
	t.Parallel()
	f := exported(t, "Account,Date,Description,Amount,Balance\n12345678,01/03/2024,A,100.00,600.00\n87654321,02/03/2024,B,-20.00,80.00\n"+
		"12345678,15/03/2024,C,-50.00,550.00\n87654321,20/03/2024,D,-30.00,50.00\n12345678,21/03/2024,E,-50.00,500.00\n87654321,22/03/2024,F,-30.00,20.00\n")
	if f == nil {
		t.Fatal("read as none")
	}
	var got []string
	for _, a := range f.Accounts {
		got = append(got, fmt.Sprint(*a.AccountNumber, " ", amountOr(a.OpeningBalance), " +", amountOr(a.Deposits), " -", amountOr(a.Withdrawals), " ",
			amountOr(a.ClosingBalance), " in ", *a.Transactions))
	}
	if all := strings.Join(got, "; "); all != "12345678 500.00 +100.00 -100.00 500.00 in 3; 87654321 100.00 +0.00 -80.00 20.00 in 3" {
		t.Error(all)
	}
	if f.Reconciles == nil || !*f.Reconciles || *f.Transactions != 6 || *f.PeriodStart != "2024-03-01" || *f.PeriodEnd != "2024-03-22" || f.OpeningBalance != nil {
		t.Errorf("%+v", f)
	}
	for _, e := range f.Entries {
		if e.Account == nil {
			t.Errorf("the entry of %s is nobody's", e.Date)
		}
	}
}

// The way of an amount is that of its column, of its own mark, or of the column that says so; fees leave the balance too.
func TestReadBankLedger_ways(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ csv, entries, sums string }{
		"columns": {"Date,Description,Debit,Credit,Balance\n13/03/2024,A,5.00,,95.00\n14/03/2024,B,,10.00,105.00\n", "2024-03-13 -5.00, 2024-03-14 10.00", "100.00 +10.00 -5.00 105.00"},
		"a mark against its column": {"Date,Description,Debit,Credit,Balance\n13/03/2024,A,,5.00Dr,95.00\n14/03/2024,B,,10.00Cr,105.00\n",
			"2024-03-13 -5.00, 2024-03-14 10.00", "100.00 +10.00 -5.00 105.00"},
		"a column of kinds":         {"Date,Description,Type,Amount,Balance\n13/03/2024,A,DEBIT,5.00,95.00\n14/03/2024,B,CREDIT,10.00,105.00\n", "2024-03-13 -5.00, 2024-03-14 10.00", "100.00 +10.00 -5.00 105.00"},
		"zeros in the other column": {"Date,Description,Debit,Credit,Balance\n13/03/2024,A,5.00,0.00,95.00\n14/03/2024,B,0.00,10.00,105.00\n", "2024-03-13 -5.00, 2024-03-14 10.00", "100.00 +10.00 -5.00 105.00"},
		"newest first":              {"Date,Description,Amount,Balance\n14/03/2024,B,10.00,105.00\n13/03/2024,A,-5.00,95.00\n", "2024-03-14 10.00, 2024-03-13 -5.00", "100.00 +10.00 -5.00 105.00"},
		"balances stated in rows": {"Date,Description,Amount,Balance\n13/03/2024,Opening balance,,100.00\n13/03/2024,A,-5.00,95.00\n14/03/2024,B,10.00,105.00\n14/03/2024,Closing balance,,105.00\n",
			"2024-03-13 -5.00, 2024-03-14 10.00", "100.00 +10.00 -5.00 105.00"},
		"no balances": {"Date,Description,Amount\n13/03/2024,A,-5.00\n14/03/2024,B,10.00\n", "2024-03-13 -5.00, 2024-03-14 10.00", "- +10.00 -5.00 -"},
		"a row of turnover": {"Date,Description,Amount\n13/03/2024,A,-5.00\n14/03/2024,B,-10.00\n15/03/2024,C,-1.00\n16/03/2024,Turnover,-16.00\n",
			"2024-03-13 -5.00, 2024-03-14 -10.00, 2024-03-15 -1.00", "- +0.00 -16.00 -"},
	} {
		f := exported(t, c.csv)
		if f == nil {
			t.Errorf("%s: read as none", name)
			continue
		}
		if got := entriesOf(f); got != c.entries {
			t.Errorf("%s: %s, want %s", name, got, c.entries)
		}
		got := amountOr(f.OpeningBalance) + " +" + amountOr(f.TotalDeposits) + " -" + amountOr(f.TotalWithdrawals) + " " + amountOr(f.ClosingBalance)
		if got != c.sums {
			t.Errorf("%s: %s, want %s", name, got, c.sums)
		}
	}
}

// An export whose balances contradict its entries says so.
func TestReadBankLedger_contradicts(t *testing.T) {
	t.Parallel()
	f := exported(t, "Opening balance,100.00\nClosing balance,900.00\n\nDate,Description,Amount\n13/03/2024,A,-5.00\n14/03/2024,B,10.00\n")
	if f == nil || f.Reconciles == nil || *f.Reconciles || f.ClosingBalance.String() != "900.00" {
		t.Errorf("%+v", f)
	}
}

// The period around a table is taken where all entries lie in it, else the days of the entries are.
func TestReadBankLedger_period(t *testing.T) {
	t.Parallel()
	rows := "\n\nDate,Description,Amount\n13/03/2024,A,-5.00\n14/03/2024,B,10.00\n"
	for head, want := range map[string]string{
		"From,01/03/2024\nTo,31/03/2024":                "2024-03-01 2024-03-31",
		"Von,01.03.2024\nBis,31.03.2024":                "2024-03-01 2024-03-31",
		"Period,01/03/2024 - 31/03/2024":                "2024-03-01 2024-03-31",
		"01/03/2024,31/03/2024":                         "2024-03-01 2024-03-31",
		"From,01/04/2024\nTo,30/04/2024":                "2024-03-13 2024-03-14",
		"Exported on,31/03/2024":                        "2024-03-13 2024-03-14",
		"Hello":                                         "2024-03-13 2024-03-14",
		"Statement date,31/03/2024\nPeriod: March 2024": "2024-03-01 2024-03-31",
	} {
		f := exported(t, head+rows)
		if f == nil {
			t.Errorf("%q: read as none", head)
			continue
		}
		if got := *f.PeriodStart + " " + *f.PeriodEnd; got != want {
			t.Errorf("%q: %s, want %s", head, got, want)
		}
	}
}
