package bankanalysis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"github.com/dossierhq/dossier"
)

func str(s string) *string { return &s }

func amount(s string) dossier.Amount {
	a, err := dossier.ParseAmount(s)
	if err != nil {
		panic(err)
	}
	return a
}

func jsonOf(v any) string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return string(data)
}

func day(s string) dossier.Day {
	d, ok := dossier.ParseDay(s)
	if !ok {
		panic(s)
	}
	return d
}

// statement makes a one-account statement that foots: date, amount, description a line.
func statementOf(number, from, to, opening string, lines ...string) dossier.ReadDocument {
	bank := &dossier.BankFacts{
		Institution: str("First Harbor Bank"), AccountNumber: str(number), Currency: str("USD"), PeriodStart: str(from), PeriodEnd: str(to),
		Accounts: []dossier.BankAccount{},
	}
	open := amount(opening)
	bank.OpeningBalance = &open
	d := dossier.ReadDocument{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Pages: [2]int{1, 2}, Confidence: 0.97,
		Sources: map[string]dossier.Source{"/openingBalance": {Page: 1, Text: opening}, "/closingBalance": {Page: 1, Text: "closing"}}}
	balance := open.Decimal
	for i, line := range lines {
		parts := strings.SplitN(line, " ", 3)
		a := amount(parts[1])
		balance = balance.Add(a.Decimal)
		bank.Entries = append(bank.Entries, dossier.BankEntry{Date: parts[0], Amount: a, Description: parts[2]})
		d.Sources[fmt.Sprintf("/entries/%d/amount", i)] = dossier.Source{Page: 2, Text: parts[1]}
	}
	bank.ClosingBalance = &dossier.Amount{Decimal: balance}
	d.Facts.Bank = bank
	return d
}

// twoAccounts is a business that is paid by one customer, pays rent, a weekly loan and its staff, and saves.
func twoAccounts() []File {
	return []File{
		{Document: "jan", Read: []dossier.ReadDocument{statementOf("000111222", "2024-01-01", "2024-01-31", "5000.00",
			"2024-01-02 -1800.00 ACH DEBIT ALDER REALTY RENT", "2024-01-04 -250.00 SWIFTBRIDGE LENDING PMT 0193", "2024-01-05 9000.00 DEPOSIT COBALT FREIGHT INV 88",
			"2024-01-11 -250.00 SWIFTBRIDGE LENDING PMT 0201", "2024-01-12 -2100.00 GUSTO PAYROLL", "2024-01-15 -1000.00 ONLINE TRANSFER TO SAVINGS XX9988",
			"2024-01-18 -250.00 SWIFTBRIDGE LENDING PMT 0209", "2024-01-25 -250.00 SWIFTBRIDGE LENDING PMT 0217", "2024-01-26 -2100.00 GUSTO PAYROLL")}},
		{Document: "feb", Read: []dossier.ReadDocument{statementOf("XXXXX1222", "2024-02-01", "2024-02-29", "6000.00",
			"2024-02-01 -250.00 SWIFTBRIDGE LENDING PMT 0225", "2024-02-02 -1800.00 ACH DEBIT ALDER REALTY RENT", "2024-02-09 -2100.00 GUSTO PAYROLL",
			"2024-02-12 -3000.00 CHECK 1044", "2024-02-13 -35.00 NSF FEE", "2024-02-15 -1000.00 ONLINE TRANSFER TO SAVINGS XX9988", "2024-02-16 7500.00 DEPOSIT COBALT FREIGHT INV 91",
			"2024-02-20 400.00 VENMO TRANSFER FROM J OKAFOR", "2024-02-23 -2100.00 GUSTO PAYROLL")}},
		{Document: "savings", Read: []dossier.ReadDocument{statementOf("777 9988", "2024-01-01", "2024-01-31", "200.00",
			"2024-01-16 1000.00 TRANSFER FROM CHECKING XX1222", "2024-01-31 0.85 INTEREST")}},
	}
}

func TestAnalyze(t *testing.T) {
	got := Analyze(twoAccounts())
	if len(got.Accounts) != 2 {
		t.Fatalf("%d accounts, want the checking account of two statements and the savings account", len(got.Accounts))
	}
	checking := got.Accounts[0]
	if *checking.From != "2024-01-01" || *checking.To != "2024-02-29" || checking.Days != 60 || checking.MonthsHeld != 2 || len(checking.MissingDays) != 0 {
		t.Errorf("coverage: %+v", checking)
	}
	flat := func(m Month) []string {
		return []string{m.Month, m.Deposits.Value.String(), m.TransfersIn.Value.String(), m.NetDeposits.Value.String(), m.Withdrawals.Value.String(),
			m.TransfersOut.Value.String(), m.NetWithdrawals.Value.String(), m.Average.Value.String(), m.Lowest.Value.String(), fmt.Sprint(*m.NegativeDays), fmt.Sprint(m.NSF.Value)}
	}
	// The balances by hand. January: 5000 on 1 day, 3200 on 2, 2950 on 1, 11950 on 6, 11700 on 1, 9600 on 3, 8600 on 3,
	// 8350 on 7, 8100 on 1, 6000 on 6. February: 5750 on 1 day, 3950 on 7, 1850 on 3, -1150 on 1, -1185 on 2, -2185 on 1,
	// 5315 on 4, 5715 on 3, 3615 on 7.
	want := [][]string{
		{"2024-01", "9000.00", "0.00", "9000.00", "8000.00", "1000.00", "7000.00", "8222.58", "2950.00", "0", "0"},
		{"2024-02", "7900.00", "0.00", "7900.00", "10285.00", "1000.00", "9285.00", "3343.28", "-2185.00", "4", "1"},
	}
	var months [][]string
	for _, m := range checking.Months {
		months = append(months, flat(m))
	}
	if diff := cmp.Diff(want, months); diff != "" {
		t.Error("checking: -want +got\n", diff)
	}
	savings := got.Accounts[1]
	if diff := cmp.Diff([]string{"1000.85", "1000.00", "0.85"}, []string{savings.Months[0].Deposits.Value.String(), savings.Months[0].TransfersIn.Value.String(), savings.Months[0].NetDeposits.Value.String()}); diff != "" {
		t.Error("savings: -want +got\n", diff)
	}
	together := got.Months[0]
	if together.NetDeposits.Value.String() != "9000.85" || together.Average.Value.String() != "8938.74" || *together.DepositCount != 3 {
		t.Errorf("January of both: %+v", together)
	}
}

func TestAnalyze_flows(t *testing.T) {
	got := Analyze(twoAccounts())
	var transfers []string
	for _, tr := range got.Transfers {
		transfers = append(transfers, tr.Kind+" "+tr.Amount.String())
	}
	// The February transfer has one side only; the Venmo one comes from somebody else.
	if diff := cmp.Diff([]string{"matched 1000.00", "described 1000.00"}, transfers); diff != "" {
		t.Error("transfers: -want +got\n", diff)
	}
	var recurring []string
	for _, r := range got.Recurring {
		recurring = append(recurring, fmt.Sprintf("%s %s %s %s x%d", r.Kind, r.Direction, r.Frequency, r.Typical, r.Count))
	}
	if diff := cmp.Diff([]string{"payroll out biweekly 2100.00 x4", "rent out monthly 1800.00 x2", "loan out weekly 250.00 x5"}, recurring); diff != "" {
		t.Error("recurring: -want +got\n", diff)
	}
	if c := got.Counterparties[0]; c.Name != "cobalt freight inv" || c.Total.Value.String() != "16500.00" || c.Count != 2 || c.Share.String() != "0.9763" {
		t.Errorf("largest counterparty: %+v", c)
	}
}

// Every figure leads back to print: its entries exist, add up to it, and name a document, a pointer and a page.
func TestAnalyze_sources(t *testing.T) {
	got := Analyze(twoAccounts())
	check := func(what string, f Figure) {
		sum := decimal.Zero
		for _, i := range f.Entries {
			sum = sum.Add(got.Entries[i].Amount.Abs())
		}
		if !sum.Equal(f.Value.Decimal) {
			t.Errorf("%s: %s is not the sum of its entries, %s", what, f.Value, sum)
		}
	}
	for _, a := range got.Accounts {
		for _, m := range a.Months {
			check(m.Month+" deposits", m.Deposits)
			check(m.Month+" net deposits", m.NetDeposits)
			check(m.Month+" withdrawals", m.Withdrawals)
			check(m.Month+" net withdrawals", m.NetWithdrawals)
		}
		if s := a.Opening.Sources[0]; s.Pointer != "/openingBalance" || s.Page != 1 {
			t.Errorf("opening balance: %+v", s)
		}
		if len(a.Statements) != len(a.Average.Sources) || a.Statements[0].Document != a.Average.Sources[0].Document || len(a.Average.Entries) == 0 {
			t.Errorf("the average of %+v comes from %+v", a.Statements, a.Average)
		}
	}
	// The lowest balance is an opening balance and the entries from there on; days below zero are named.
	low, balance := got.Accounts[0].Lowest, amount("6000.00").Decimal
	for _, i := range low.Entries {
		balance = balance.Add(got.Entries[i].Amount.Decimal)
	}
	if !balance.Equal(low.Value.Decimal) || len(low.Sources) != 1 || low.Sources[0].Document != "feb" || low.Formula != "end of 2024-02-15" {
		t.Errorf("lowest balance: %+v, its entries lead to %s", low, balance)
	}
	if diff := cmp.Diff([]string{"2024-02-12", "2024-02-13", "2024-02-14", "2024-02-15"}, got.Accounts[0].Months[1].NegativeDates); diff != "" {
		t.Error("negative days: -want +got\n", diff)
	}
	for _, e := range got.Entries {
		if e.Document == "" || !strings.HasPrefix(e.Pointer, "/entries/") || e.Page != 2 || e.Text == "" {
			t.Errorf("entry without a source: %+v", e)
		}
	}
}

func TestAnalyze_gaps(t *testing.T) {
	totals := statementOf("5566", "2024-03-01", "2024-03-31", "10.00")
	deposits, withdrawals := amount("700.00"), amount("600.00")
	totals.Facts.Bank.TotalDeposits, totals.Facts.Bank.TotalWithdrawals = &deposits, &withdrawals
	broken := statementOf("5566", "2024-05-01", "2024-05-31", "110.00", "2024-05-03 50.00 DEPOSIT A")
	wrong := amount("999.00")
	broken.Facts.Bank.ClosingBalance = &wrong
	got := Analyze([]File{{Document: "totals", Read: []dossier.ReadDocument{totals}}, {Document: "broken", Read: []dossier.ReadDocument{broken}}})
	a := got.Accounts[0]
	if diff := cmp.Diff([]string{"2024-04-01 to 2024-04-30"}, a.MissingDays); diff != "" {
		t.Error(diff)
	}
	march, may := a.Months[0], a.Months[1]
	if march.Deposits.Value.String() != "700.00" || march.Deposits.Sources[0].Pointer != "/totalDeposits" || march.NSF != nil || march.DepositCount != nil {
		t.Errorf("printed totals: %+v", march)
	}
	if may.Average != nil || may.NegativeDays != nil || a.Average != nil {
		t.Errorf("balances that no entries prove: %+v", may)
	}
	if len(got.Warnings) != 2 || !strings.Contains(got.Warnings[1], "lead from 110.00 to 160.00, the closing balance is 999.00") || a.MonthsHeld != 1 {
		t.Errorf("%d months, warnings %q", a.MonthsHeld, got.Warnings)
	}
}

// Where a month's entries are not all there, its printed totals count, with what stands apart from them; what the entries
// tell besides stays.
func TestAnalyze_entries_missing(t *testing.T) {
	d := statementOf("5566", "2024-03-01", "2024-03-31", "10.00", "2024-03-03 50.00 DEPOSIT A", "2024-03-09 -20.00 TRANSFER TO SAVINGS XX1")
	closing, deposits, withdrawals, fees := amount("582.00"), amount("700.00"), amount("100.00"), amount("28.00")
	d.Facts.Bank.ClosingBalance, d.Facts.Bank.TotalDeposits, d.Facts.Bank.TotalWithdrawals, d.Facts.Bank.ServiceFees = &closing, &deposits, &withdrawals, &fees
	got := Analyze([]File{{Document: "d", Read: []dossier.ReadDocument{d}}})
	m := got.Accounts[0].Months[0]
	if diff := cmp.Diff([]string{"700.00", "128.00", "20.00", "108.00"}, []string{m.Deposits.Value.String(), m.Withdrawals.Value.String(), m.TransfersOut.Value.String(), m.NetWithdrawals.Value.String()}); diff != "" {
		t.Error("-want +got\n", diff)
	}
	if m.DepositCount != nil || m.NSF != nil || m.Average != nil || len(m.Withdrawals.Sources) != 2 || len(got.Entries) != 2 || len(got.Warnings) != 1 {
		t.Errorf("%+v, %q", m, got.Warnings)
	}
}

func TestAnalyze_several_accounts(t *testing.T) {
	d := statementOf("", "2024-01-01", "2024-01-31", "0.00", "2024-01-03 10.00 DEPOSIT", "2024-01-04 -4.00 CHECK 9")
	d.Facts.Bank.OpeningBalance, d.Facts.Bank.ClosingBalance, d.Facts.Bank.AccountNumber = nil, nil, nil
	d.Facts.Bank.Entries[0].Account, d.Facts.Bank.Entries[1].Account = str("Checking"), str("Savings")
	for _, name := range []string{"Checking", "Savings"} {
		open := amount("100.00")
		d.Facts.Bank.Accounts = append(d.Facts.Bank.Accounts, dossier.BankAccount{Name: str(name), AccountNumber: str("00000"), OpeningBalance: &open}) // masked
	}
	d.Facts.Bank.Entries = append(d.Facts.Bank.Entries, dossier.BankEntry{Date: "2024-01-05", Amount: amount("1.00"), Description: "DEPOSIT"})
	got := Analyze([]File{{Document: "d", Read: []dossier.ReadDocument{d}}})
	if diff := cmp.Diff([]string{"document d: 1 entries name none of its 2 accounts and are left out"}, got.Warnings); diff != "" {
		t.Error("-want +got\n", diff)
	}
	var lowest []string
	for _, a := range got.Accounts {
		lowest = append(lowest, dossier.Text(a.Name)+" "+a.Lowest.Value.String()+" "+a.Opening.Sources[0].Pointer)
	}
	if diff := cmp.Diff([]string{"Checking 100.00 /accounts/0/openingBalance", "Savings 96.00 /accounts/1/openingBalance"}, lowest); diff != "" {
		t.Error("-want +got\n", diff)
	}
}

func TestAnalyze_nothing(t *testing.T) {
	got := Analyze([]File{{Document: "card", Read: []dossier.ReadDocument{{DocType: dossier.DocCreditCardStatement}}}})
	data, err := json.Marshal(got)
	if want := `{"accounts":[],"months":[],"counterparties":[],"recurring":[],"transfers":[],"entries":[],"warnings":[]}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

// A generated account with known truth: whatever the entries, the months account for the whole movement, the
// average is the mean of the balances, and neither the order of documents nor a second copy changes a figure.
func TestAnalyze_properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		balance, docs := decimal.NewFromInt(int64(rapid.IntRange(-2000, 9000).Draw(t, "opening"))), []File{}
		opening := balance
		var ends []decimal.Decimal
		first := day("2023-11-01")
		for m := range rapid.IntRange(1, 4).Draw(t, "months") {
			from := first.AddMonths(m)
			perDay := map[dossier.Day]decimal.Decimal{}
			start, lines := balance.StringFixed(2), []string{}
			for i := range rapid.IntRange(1, 12).Draw(t, "entries") {
				d := from + dossier.Day(rapid.IntRange(0, int(from.MonthEnd()-from)).Draw(t, "day"))
				a := decimal.New(int64(rapid.IntRange(-90000, 90000).Draw(t, "cents")), -2)
				perDay[d] = perDay[d].Add(a)
				lines = append(lines, fmt.Sprintf("%s %s PARTY %c", d, a.StringFixed(2), 'A'+rune(i%5)))
			}
			for d := from; d <= from.MonthEnd(); d++ {
				balance = balance.Add(perDay[d])
				ends = append(ends, balance)
			}
			docs = append(docs, File{Document: dossier.DocumentID(fmt.Sprintf("d%d", m)), Read: []dossier.ReadDocument{statementOf("4242", from.String(), from.MonthEnd().String(), start, lines...)}})
		}
		got := Analyze(docs)
		moved, sum := decimal.Zero, decimal.Zero
		for _, m := range got.Months {
			moved = moved.Add(m.Deposits.Value.Decimal).Sub(m.Withdrawals.Value.Decimal)
		}
		if !moved.Equal(balance.Sub(opening)) {
			t.Fatalf("months move %s, the account %s", moved, balance.Sub(opening))
		}
		for _, end := range ends {
			sum = sum.Add(end)
		}
		if mean := sum.DivRound(decimal.NewFromInt(int64(len(ends))), 2); !got.Accounts[0].Average.Value.Equal(mean) {
			t.Fatalf("average %s, want %s", got.Accounts[0].Average.Value, mean)
		}
		again := slices.Clone(docs)
		slices.Reverse(again)
		if diff := cmp.Diff(jsonOf(got), jsonOf(Analyze(again))); diff != "" {
			t.Fatalf("the order of documents matters: -want +got\n%s", diff)
		}
		copied := docs[rapid.IntRange(0, len(docs)-1).Draw(t, "copied")]
		copied.Document += " copy"
		twice := Analyze(append(slices.Clone(docs), copied))
		if diff := cmp.Diff(jsonOf(got.Months), jsonOf(twice.Months)); diff != "" {
			t.Fatalf("a second copy counts: -want +got\n%s", diff)
		}
	})
}
