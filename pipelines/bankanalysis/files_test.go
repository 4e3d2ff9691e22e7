package bankanalysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func readFile(t *testing.T, reader *sandbox.Reader, name string, data []byte) File {
	t.Helper()
	read, err := reader.Read(t.Context(), bytes.NewReader(data))
	if err != nil || read.Extraction == nil {
		t.Fatalf("reading %s: %v, %v", name, read.Refusal, err)
	}
	return File{Document: dossier.DocumentID(name), Read: read.Extraction.Documents}
}

// Statements in made-up layouts, as PDF: what is analysed is what the generator knows; or, where a layout was not read
// whole, the analysis says that its balances are not proven and gives none.
func TestAnalyze_layouts(t *testing.T) {
	t.Parallel()
	reader, proven := readtest.Reader(t, decode.Limits{}), 0
	figures := func(a Analysis) (list []string) {
		for _, m := range a.Months {
			list = append(list, m.Month, m.Deposits.Value.String(), m.NetDeposits.Value.String(), m.Withdrawals.Value.String(), m.NetWithdrawals.Value.String(),
				m.Average.Value.String(), fmt.Sprint(m.NegativeDates))
		}
		return list
	}
	layouts := specimen.BankLayouts()
	for i := 0; i < len(layouts); i += 3 {
		layout := layouts[i]
		made := specimen.BankStatement(specimen.BankOptions{Seed: uint64(40 + i), Layout: layout, Month: time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC), Business: i%2 == 0, Entries: 10})
		got := Analyze([]File{readFile(t, reader, made.Name, made.Data)})
		traced(t, made.Name, got)
		if len(got.Warnings) > 0 {
			if got.Accounts[0].Average != nil {
				t.Errorf("%s: an average that nothing proves; %q", made.Name, got.Warnings)
			}
			continue
		}
		proven++
		truth := File{Document: "truth", Read: []dossier.ReadDocument{{DocType: dossier.DocBankStatement, Facts: made.Truth.Facts}}}
		if diff := cmp.Diff(figures(Analyze([]File{truth})), figures(got)); diff != "" {
			t.Errorf("%s: -want +got\n%s", made.Name, diff)
		}
	}
	if proven < len(layouts)/3 {
		t.Errorf("%d layouts were read so that their balances are proven", proven)
	}
}

// traced wants every figure to lead back to print: its entries and sources name a document, a pointer and a page.
func traced(t *testing.T, what string, a Analysis) {
	t.Helper()
	printed := func(s FactSource) bool { return s.Document != "" && s.Pointer != "" && (s.Page > 0 || s.Text != "") }
	for _, e := range a.Entries {
		if !printed(e.FactSource) {
			t.Errorf("%s: an entry without a source: %+v", what, e)
		}
	}
	check := func(name string, f *Figure) {
		if f == nil || f.Value.IsZero() {
			return
		}
		if len(f.Entries) == 0 && len(f.Sources) == 0 || slices.ContainsFunc(f.Sources, func(s FactSource) bool { return !printed(s) }) {
			t.Errorf("%s: %s of %s without what it comes from: %+v", what, name, f.Value, f.Sources)
		}
	}
	for _, account := range a.Accounts {
		for name, f := range map[string]*Figure{"opening": account.Opening, "closing": account.Closing, "average": account.Average, "lowest": account.Lowest} {
			check(name, f)
		}
		for _, m := range account.Months {
			for name, f := range map[string]*Figure{"deposits": &m.Deposits, "net deposits": &m.NetDeposits, "withdrawals": &m.Withdrawals, "net withdrawals": &m.NetWithdrawals,
				"transfers in": &m.TransfersIn, "transfers out": &m.TransfersOut, "average": m.Average, "lowest": m.Lowest} {
				check(m.Month+" "+name, f)
			}
			if m.NegativeDays != nil && *m.NegativeDays != len(m.NegativeDates) || m.NSF != nil && m.NSF.Value != len(m.NSF.Entries) {
				t.Errorf("%s: %s counts %v negative days and lists %q, and %+v", what, m.Month, m.NegativeDays, m.NegativeDates, m.NSF)
			}
		}
	}
}

// sampleBank is what expected.json says of a bank statement.
type sampleBank struct {
	DocType dossier.DocType `json:"docType"`
	Layer   string          `json:"layer"`
	Facts   json.RawMessage `json:"facts"`
}

// compare holds the analysis of one file to what people read in it, and reports whether it proves the balances.
func (s sampleBank) compare(t *testing.T, name string, a Analysis) (proven bool) {
	t.Helper()
	var facts dossier.BankFacts
	if err := json.Unmarshal(s.Facts, &facts); err != nil {
		t.Fatal(err)
	}
	accounts := facts.Accounts
	if len(accounts) == 0 {
		accounts = []dossier.BankAccount{{Name: facts.AccountType, OpeningBalance: facts.OpeningBalance, ClosingBalance: facts.ClosingBalance, Deposits: facts.TotalDeposits,
			Withdrawals: facts.TotalWithdrawals, Checks: facts.Checks, Fees: facts.ServiceFees, Interest: facts.Interest}}
	}
	if len(a.Accounts) != len(accounts) {
		t.Fatalf("%s: %d accounts, want %d; %q", name, len(a.Accounts), len(accounts), a.Warnings)
	}
	for i, want := range accounts {
		if by := slices.IndexFunc(a.Accounts, func(got Account) bool { return text.Fold(dossier.Text(got.Name)) == text.Fold(dossier.Text(want.Name)) }); by >= 0 {
			i = by
		}
		proven = compareAccount(t, name, want, a.Accounts[i]) || proven
		if from, to := facts.PeriodStart, facts.PeriodEnd; from != nil && (dossier.Text(a.Accounts[i].From) != *from || dossier.Text(a.Accounts[i].To) != *to) {
			t.Errorf("%s: account %s is shown from %s to %s", name, dossier.Text(want.Name), dossier.Text(a.Accounts[i].From), dossier.Text(a.Accounts[i].To))
		}
	}
	if proven == (len(a.Warnings) > 0) || proven && (facts.Reconciles == nil || !*facts.Reconciles) {
		t.Errorf("%s: balances are proven: %v, with the warnings %q", name, proven, a.Warnings)
	}
	return proven
}

// compareAccount wants the printed balances in any case, and the printed totals of what is proven or printed as such.
func compareAccount(t *testing.T, name string, want dossier.BankAccount, got Account) (proven bool) {
	t.Helper()
	sum := func(list ...*dossier.Amount) string {
		total := decimal.Zero
		for _, one := range list {
			if one != nil {
				total = total.Add(one.Decimal)
			}
		}
		return total.StringFixed(2)
	}
	same := func(what, printed, analysed string) {
		t.Helper()
		if printed != analysed {
			t.Errorf("%s: %s of account %s: %s, want %s", name, what, dossier.Text(got.Name), analysed, printed)
		}
	}
	for what, pair := range map[string]struct {
		want *dossier.Amount
		got  *Figure
	}{"opening balance": {want.OpeningBalance, got.Opening}, "closing balance": {want.ClosingBalance, got.Closing}} {
		if pair.want != nil && pair.got != nil {
			same(what, sum(pair.want), sum(&pair.got.Value))
		} else if pair.want != nil {
			t.Errorf("%s: account %s has no %s", name, dossier.Text(got.Name), what)
		}
	}
	var deposits, withdrawals []*dossier.Amount
	negative, printed := 0, false
	for _, m := range got.Months {
		deposits, withdrawals = append(deposits, &m.Deposits.Value), append(withdrawals, &m.Withdrawals.Value)
		negative, printed = negative+len(m.NegativeDates), printed || m.DepositCount == nil
	}
	if proven = got.Average != nil; proven || printed {
		same("deposits", sum(want.Deposits, want.Interest), sum(deposits...))
		same("withdrawals", sum(want.Withdrawals, want.Checks, want.Fees), sum(withdrawals...))
	}
	if proven && (negative > 0) != got.Lowest.Value.IsNegative() {
		t.Errorf("%s: the lowest balance is %s and %d days are negative", name, got.Lowest.Value, negative)
	}
	return proven
}

// The statements of the sample set, which is licensed for testing and no part of the project: the analysis of each comes
// to the balances and totals that people read in it, and says so where its figures do not add up.
func TestAnalyze_samples(t *testing.T) {
	t.Parallel()
	dir := documenttest.Samples(t)
	data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct{ Files map[string]sampleBank }
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	reader, proven := readtest.Reader(t, decode.Limits{}), 0
	for name, sample := range expected.Files {
		if sample.DocType != dossier.DocBankStatement || sample.Layer == "image" {
			continue // recognising a scan takes longer than all else
		}
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got := Analyze([]File{readFile(t, reader, name, file)})
		if sample.compare(t, name, got) {
			proven++
		}
		traced(t, name, got)
	}
	if proven < 2 {
		t.Errorf("the balances of %d sample statements are proven", proven)
	}
}
