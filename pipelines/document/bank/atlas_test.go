package bank_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

func bankLines(t *testing.T, lines ...string) dossier.BankFacts {
	t.Helper()
	doc := readtest.Lines(t, lines...)
	if doc.DocType != dossier.DocBankStatement {
		t.Fatalf("read as %s", doc.DocType)
	}
	return *doc.Facts.Bank
}

func printed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func amount(a *dossier.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// The amount stands before what it is of, as apps set it.
func TestBankStatement_amountBeforeCaption(t *testing.T) {
	f := bankLines(t, "Larkbank|Personal Account statement", "01/03/2024 - 31/03/2024", "Sort code: 00-00-00|Account number: 00441170", "£150.00|Personal Account balance", "£250.00|Total deposits", "-£100.00|Total outgoings",
		"Date|Description|(GBP) Amount|(GBP) Balance", "04/03/2024|Salary|250.00|250.00", "09/03/2024|Rent|-100.00|150.00")
	if got := [3]string{amount(f.ClosingBalance), amount(f.TotalDeposits), amount(f.TotalWithdrawals)}; got != [3]string{"150.00", "250.00", "100.00"} {
		t.Errorf("closing, in, out: %v", got)
	}
}

// A name stands above its street though the town is not understood, or above the number of the account.
func TestBankStatement_holderAboveStreet(t *testing.T) {
	for name, below := range map[string][]string{
		"street": {"CALLE 18 # 44 - 17", "BOGOTA D.C. COLOMBIA", "NÚMERO: 52331894757"}, "number": {"agência 0118|conta 74505-1"}, "whole address": {"Lindenallee 12, 70999 Musterstadt"},
	} {
		t.Run(name, func(t *testing.T) {
			lines := append([]string{"EXTRACTO BANCARIO", "TAMSIN EASTLAKE"}, below...)
			f := bankLines(t, append(lines, "SALDO ANTERIOR|1,000.00", "TOTAL ABONOS|250.00", "TOTAL CARGOS|100.00", "SALDO FINAL|1,150.00")...)
			if printed(f.AccountHolder) != "TAMSIN EASTLAKE" {
				t.Errorf("holder %q", printed(f.AccountHolder))
			}
		})
	}
}

// A firm that says it is no bank keeps the account, whoever holds the deposits; an authority is nobody's bank.
func TestBankStatement_whoKeepsTheAccount(t *testing.T) {
	summary := []string{"Checking|Account number|004411702", "Beginning balance|$1,000.00", "Deposits|$250.00", "Withdrawals|$100.00", "Ending balance|$1,150.00"}
	for foot, want := range map[string]string{
		"Harborlane is a financial technology company and not a bank. Banking services are provided by Tidewater Trust Company, Member FDIC.": "Harborlane",
		"Fjordpay Europe SA is authorised by the National Bank of Belgium.":                                                                   "Fjordpay Europe SA",
	} {
		f := bankLines(t, append(summary, "", foot)...)
		if printed(f.Institution) != want {
			t.Errorf("%q, want %q", printed(f.Institution), want)
		}
	}
}

// Dollars with the month first are those of the United States only where the words are English.
func TestBankStatement_dollarsOfSpanishStatements(t *testing.T) {
	for place, want := range map[string]string{"BOGOTA D.C. COLOMBIA": "COP", "SUCURSAL CENTRO": ""} {
		f := bankLines(t, "EXTRACTO BANCARIO", "CALLE 18 # 44 - 17", place, "SALDO ANTERIOR|$1,000.00", "TOTAL ABONOS|$250.00", "TOTAL CARGOS|$100.00", "SALDO FINAL|$1,150.00")
		if printed(f.Currency) != want {
			t.Errorf("%s: %q, want %q", place, printed(f.Currency), want)
		}
	}
}

// The last line of a table sums up its columns under the words of their heads.
func TestBankStatement_totalsOfColumns(t *testing.T) {
	f := bankLines(t, "Statement of account", "Account number|004411702", "Date|Description|Withdrawals|Deposits|Balance", "01 Mar 2024|Opening balance|||1,000.00", "04 Mar 2024|Salary||250.00|1,250.00",
		"09 Mar 2024|Rent|100.00||1,150.00", "Totals at end of period||100.00|250.00|1,150.00")
	if got := [2]string{amount(f.TotalDeposits), amount(f.TotalWithdrawals)}; got != [2]string{"250.00", "100.00"} {
		t.Errorf("in and out: %v", got)
	}
}
