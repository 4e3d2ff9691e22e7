package dossier

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// A correction stands by what the machine reads the next time: the same as before, the same as the person, or a third.
func TestExtraction_Correct(t *testing.T) {
	read := func(closing string) Extraction {
		var e Extraction
		if err := json.Unmarshal([]byte(`{"documents": [{"docType": "bank_statement", "pages": [1, 1], "facts": {"closingBalance": `+closing+`},
			"sources": {}, "derived": {}, "checks": [], "warnings": []}]}`), &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	_, set := read(`"12.00"`).Correct([]Correction{{Pointer: "/closingBalance", Value: json.RawMessage(`"120.00"`)}})
	if set[0].State != CorrectionApplied || string(set[0].MachineValue) != `"12.00"` {
		t.Fatalf("at first: %+v", set[0])
	}
	for _, test := range []struct {
		closing string
		state   CorrectionState
		method  string
	}{
		{`"12.00"`, CorrectionApplied, MethodPerson}, {`"120.00"`, CorrectionConfirmed, ""}, {`"120.0"`, CorrectionConfirmed, ""},
		{`"7.00"`, CorrectionConflict, MethodPerson}, {`null`, CorrectionConflict, MethodPerson},
	} {
		e, stand := read(test.closing).Correct(set)
		d := e.Documents[0]
		if stand[0].State != test.state || d.Sources["/closingBalance"].Method != test.method || !d.Facts.Bank.ClosingBalance.Equal(amount(t, "120").Decimal) {
			t.Errorf("%s: %+v, facts %v, sources %v", test.closing, stand[0], d.Facts.Bank.ClosingBalance, d.Sources)
		}
		if test.state == CorrectionConflict { // it stays one until a person says something
			if _, again := read(test.closing).Correct(stand); again[0].State != CorrectionConflict {
				t.Errorf("%s read once more: %s", test.closing, again[0].State)
			}
		}
	}
	gone := read(`"12.00"`)
	gone.Documents = gone.Documents[:0]
	if _, stand := gone.Correct(set); stand[0].State != CorrectionConflict {
		t.Errorf("a part that is gone: %s", stand[0].State)
	}
}

// A total that the machine added up of the entries follows a corrected entry, and the balances are checked with it; what is
// printed, and what the person says too, stays.
func TestExtraction_Correct_entries(t *testing.T) {
	const read = `{"documents": [{"docType": "bank_statement", "pages": [1, 1], "facts": {"openingBalance": "100.00",
		"totalDeposits": "70.00", "totalWithdrawals": "20.00", "closingBalance": "150.00", "reconciles": true, "entries": [
		{"date": "2026-05-02", "description": "in", "amount": "50.00"}, {"date": "2026-05-03", "description": "in", "amount": "20.00"},
		{"date": "2026-05-04", "description": "out", "amount": "-20.00"}]}, "sources": {},
		"derived": {"/totalDeposits": "sum of 2 credits", "/totalWithdrawals": "sum of 1 debits"},
		"checks": [{"name": "reconciles", "passed": true, "detail": ""}], "warnings": []}]}`
	entry := Correction{Pointer: "/entries/1/amount", Value: json.RawMessage(`"-20.00"`)}
	for _, test := range []struct {
		name    string
		printed bool // the totals
		set     []Correction
		in, out string
		rolls   bool
	}{
		{"nothing said", false, nil, "70", "20", true},
		{"the sign of an entry", false, []Correction{entry}, "50", "40", false},
		{"and the total", false, []Correction{entry, {Pointer: "/totalDeposits", Value: json.RawMessage(`"70.00"`)}}, "70", "40", false},
		{"totals that are printed", true, []Correction{entry}, "70", "20", true},
	} {
		var e Extraction
		if err := json.Unmarshal([]byte(read), &e); err != nil {
			t.Fatal(err)
		}
		if test.printed {
			clear(e.Documents[0].Derived)
		}
		out, _ := e.Correct(test.set)
		b := out.Documents[0].Facts.Bank
		if !b.TotalDeposits.Equal(amount(t, test.in).Decimal) || !b.TotalWithdrawals.Equal(amount(t, test.out).Decimal) ||
			*b.Reconciles != test.rolls {
			t.Errorf("%s: in %v, out %v, reconciles %v", test.name, b.TotalDeposits, b.TotalWithdrawals, *b.Reconciles)
		}
	}
}

func amount(t *testing.T, s string) Amount {
	t.Helper()
	a, err := ParseAmount(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Facts of every type are found by their pointers, and nothing else is.
func TestFacts_find(t *testing.T) {
	for _, test := range []struct {
		docType DocType
		pointer string
		value   string
		known   bool
	}{
		{DocBankStatement, "/accounts/0/closingBalance", `"1.00"`, true}, {DocBankStatement, "/entries/0/amount", `"1.00"`, true},
		{DocBankStatement, "/accounts/1/name", `"x"`, false}, {DocBankStatement, "/accounts/0", `"x"`, false},
		{DocBankStatement, "closingBalance", `"1.00"`, false}, {DocBankStatement, "/transactions", `12`, true},
		{DocTaxReturn, "/lines/1a", `"1.00"`, true}, {DocTaxReturn, "/priorYear/totalIncome", `"1.00"`, true}, {DocTaxReturn, "/taxYear", `2024`, true},
		{DocFinancialStatement, "/statements/balanceSheet/0/values/totalAssets", `"1.00"`, true},
		{DocFinancialStatement, "/statements/balanceSheet/0/end", `"2025-12-31"`, true}, {DocFinancialStatement, "/statements/other/0/end", `"x"`, false},
		{DocPassport, "/mrz/0", `"P<"`, true}, {DocPassport, "/expiryDate", `"2030-01-01"`, true},
		{DocPayStub, "/netPay", `"1.00"`, true}, {DocPayStub, "/lines/1", `"1.00"`, false}, {DocTaxFormOther, "/lines/1", `"1.00"`, true},
		{DocOther, "/total", `"1.00"`, false}, {DocInvoice, "/issuer", `"x"`, true},
	} {
		var d ReadDocument
		if err := json.Unmarshal([]byte(`{"docType": "`+string(test.docType)+`", "facts": {}}`), &d); err != nil {
			t.Fatal(err)
		}
		_, _, problem := d.checkFact(test.pointer, json.RawMessage(test.value))
		if (problem == "") != test.known {
			t.Errorf("%s %s: %q, want known %v", test.docType, test.pointer, problem, test.known)
			continue
		}
		if !test.known {
			continue
		}
		if err := d.Facts.write(test.docType, test.pointer, json.RawMessage(test.value)); err != nil {
			t.Errorf("%s %s: %v", test.docType, test.pointer, err)
		}
		if got, ok := d.Facts.read(test.docType, test.pointer); !ok || !sameFact(got, json.RawMessage(test.value)) {
			t.Errorf("%s %s reads %s, want %s", test.docType, test.pointer, got, test.value)
		}
	}
}

// statementOf is a statement with one column of a kind whose checks are those that its figures give.
func statementOf(t *testing.T, kind string, unit int64, figures ...string) ReadDocument {
	t.Helper()
	values := map[string]Amount{}
	for i := 0; i < len(figures); i += 2 {
		values[figures[i]] = amount(t, figures[i+1])
	}
	d := ReadDocument{DocType: DocFinancialStatement, Pages: [2]int{1, 1}, Facts: Facts{Statement: &StatementFacts{Unit: unit}}}
	columns := []StatementColumn{{Label: "FY2024", Values: values, Unmapped: []UnmappedCaption{}}}
	switch s := &d.Facts.Statement.Statements; kind {
	case "incomeStatement":
		s.IncomeStatement = columns
	case "balanceSheet":
		s.BalanceSheet = columns
	default:
		s.CashFlow = columns
	}
	if check, ok := StatementCheck(kind, "FY2024", d.columnsOf(nil)[0]); ok {
		d.Checks = []FactCheck{check}
	}
	return d
}

// A sheet says its sum as the reader of statements does: in printed units, by the first sum that holds.
func TestStatementCheck(t *testing.T) {
	for want, d := range map[string]ReadDocument{
		"FY2024: 521,720 = 521,720": statementOf(t, "balanceSheet", 1000, "totalAssets", "521720000", "totalLiabilitiesAndEquity", "521720000"),
		"FY2024: 880 + 120 = 1,000": statementOf(t, "balanceSheet", 1, "totalAssets", "1000", "totalLiabilitiesAndEquity", "900",
			"totalLiabilities", "880", "totalEquity", "120"),
		"FY2024: 1,010.50 + (10.00) = 1,000.50": statementOf(t, "balanceSheet", 1, "totalAssets", "1000.50", "totalLiabilities", "1010.50", "totalEquity", "-10.00"),
		"FY2024: 900 is not 1,000": statementOf(t, "balanceSheet", 1, "totalAssets", "1000", "totalLiabilitiesAndEquity", "900",
			"totalLiabilities", "800", "totalEquity", "90"),
	} {
		if len(d.Checks) != 1 || d.Checks[0].Detail != want || d.Checks[0].Passed == strings.Contains(want, "not") {
			t.Errorf("%+v, want %q", d.Checks, want)
		}
	}
	if d := statementOf(t, "balanceSheet", 1, "totalLiabilities", "1"); d.Checks != nil {
		t.Errorf("a sheet without total assets says whether it balances: %+v", d.Checks)
	}
}

// Arithmetic follows what a person corrects: income statements, balance sheets, cash flows and the lines of forms. What
// the machine said for reasons that the facts do not show stays.
func TestExtraction_Correct_arithmetic(t *testing.T) {
	number := func(n int) *int { return &n }
	text := func(s string) *string { return &s }
	form := ReadDocument{DocType: DocTaxReturn, Pages: [2]int{1, 1}, Facts: Facts{Tax: &TaxFacts{Form: text("1120"), TaxYear: number(2023),
		Lines: map[string]Amount{"1a": amount(t, "900"), "1b": amount(t, "50"), "1c": amount(t, "850")}}}}
	form.Checks = taxChecks(form.Facts.Tax)
	income := statementOf(t, "incomeStatement", 1, "netRevenues", "1000", "totalCostOfRevenues", "400", "grossProfit", "600")
	totals := statementOf(t, "balanceSheet", 1000, "cash", "4000", "totalCurrentAssets", "9000")
	totals.Sums = []PrintedSum{{Column: "/statements/balanceSheet/0", Caption: "Total current assets",
		Total: SumTerm{Pointer: "/statements/balanceSheet/0/values/totalCurrentAssets"},
		Lines: []SumTerm{{Pointer: "/statements/balanceSheet/0/values/cash"}, {Amount: &Amount{decimal.New(5, 0)}}}, Slack: Amount{decimal.New(15, -1)}}}
	totals.Checks = []FactCheck{{"lines_foot", true, "FY2024: 1 of 1 totals are the sum of their lines"}}
	older := totals
	older.Sums = nil
	own := income
	own.Checks = []FactCheck{{"income_statement_foots", true, "FY2024: 1,000 - 390 - 10 = 600"}}
	for name, tt := range map[string]struct {
		part           ReadDocument
		pointer, value string
		want           string
	}{
		"an income statement": {income, "/statements/incomeStatement/0/values/grossProfit", "500", "false FY2024: 1,000 - 400 is not 500"},
		"a cash flow": {statementOf(t, "cashFlow", 1000, "beginningCash", "10000", "netChangeInCash", "5000", "endingCash", "15000"),
			"/statements/cashFlow/0/values/endingCash", "18000", "false FY2024: 10 + 5 is not 18"},
		"a balance sheet": {statementOf(t, "balanceSheet", 1, "totalAssets", "100", "totalLiabilitiesAndEquity", "100"),
			"/statements/balanceSheet/0/values/totalAssets", "110", "false FY2024: 100 is not 110"},
		"the lines of a form":   {form, "/lines/1c", "800", "false line 1c: 850 from lines 1a, 1b, printed 800"},
		"a label":               {income, "/statements/incomeStatement/0/label", "2024", "true 2024: 1,000 - 400 = 600"},
		"a figure that is none": {income, "/statements/incomeStatement/0/values/grossProfit", "", ""},
		"what only words can say": {own, "/statements/incomeStatement/0/values/grossProfit", "500",
			"true FY2024: 1,000 - 390 - 10 = 600" + asRead},
		"a line of a total": {totals, "/statements/balanceSheet/0/values/cash", "6000",
			"false FY2024: Total current assets: the lines give 11, printed is 9"},
		"a total": {totals, "/statements/balanceSheet/0/values/totalCurrentAssets", "8000",
			"true FY2024: 1 of 1 totals are the sum of their lines"}, // within rounding
		"a total that is none": {totals, "/statements/balanceSheet/0/values/totalCurrentAssets", "", ""},
		"a total whose lines were not kept": {older, "/statements/balanceSheet/0/values/cash", "6000",
			"true FY2024: 1 of 1 totals are the sum of their lines" + asRead},
	} {
		e := Extraction{PageCount: 1, Documents: []ReadDocument{tt.part}}
		value := jsonOf(tt.value)
		if tt.value == "" {
			value = json.RawMessage("null")
		}
		read, _ := tt.part.Facts.read(tt.part.DocType, tt.pointer)
		wrong, _ := e.Correct([]Correction{{Pointer: tt.pointer, Value: value}})
		said := ""
		for _, c := range wrong.Documents[0].Checks {
			said += fmt.Sprintf("%v %s", c.Passed, c.Detail)
		}
		if said != tt.want {
			t.Errorf("%s: %q, want %q", name, said, tt.want)
		}
		wrong.Documents[0].Sources = nil // as if it had been read so
		if strings.HasSuffix(tt.want, asRead) {
			continue // only words could say it: they stay
		}
		right, _ := wrong.Correct([]Correction{{Pointer: tt.pointer, Value: read}})
		if !slices.Equal(right.Documents[0].Checks, tt.part.Checks) {
			t.Errorf("%s, corrected: %+v, want %+v", name, right.Documents[0].Checks, tt.part.Checks)
		}
	}
}

// The zone of a card is checked again when a person corrects a line of it.
func TestExtraction_Correct_zone(t *testing.T) {
	holds := true
	lines := []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"} // ICAO 9303 part 4
	card := ReadDocument{DocType: DocPassport, Pages: [2]int{1, 1}, Facts: Facts{Identity: &IdentityFacts{MRZ: lines, MRZValid: &holds}},
		Checks: []FactCheck{{"mrz_valid", true, "check digits of the TD3 zone"}}}
	said := func(e Extraction) string {
		d := e.Documents[0]
		return fmt.Sprint(d.Checks[0].Passed, " ", *d.Facts.Identity.MRZValid, " ", d.Checks[0].Detail)
	}
	e := Extraction{PageCount: 1, Documents: []ReadDocument{card}}
	wrong, _ := e.Correct([]Correction{{Pointer: "/mrz/1", Value: jsonOf(strings.Replace(lines[1], "740812", "740813", 1))}})
	if got := said(wrong); got != "false false check digits of the TD3 zone" {
		t.Errorf("another birthday: %s", got)
	}
	wrong.Documents[0].Sources = nil
	right, _ := wrong.Correct([]Correction{{Pointer: "/mrz/1", Value: jsonOf(lines[1])}})
	if got := said(right); got != "true true check digits of the TD3 zone" {
		t.Errorf("corrected: %s", got)
	}
	short, _ := e.Correct([]Correction{{Pointer: "/mrz/1", Value: jsonOf("L898902C36")}})
	if got := said(short); got != "true true check digits of the TD3 zone"+asRead {
		t.Errorf("no zone any more: %s", got)
	}
}

// A line of a form that a fact is named after is put right once. What is printed elsewhere, or what the person says
// something else of, is not touched.
func TestExtraction_Correct_twins(t *testing.T) {
	total := amount(t, "900")
	form := ReadDocument{DocType: DocTaxReturn, Pages: [2]int{1, 1}, Facts: Facts{Tax: &TaxFacts{Lines: map[string]Amount{"9": total, "15": total},
		TotalIncome: &total, TaxableIncome: &total}}, Sources: map[string]Source{}}
	for at, y := range map[string]float64{"/lines/9": 100, "/totalIncome": 100, "/lines/15": 300, "/taxableIncome": 300} {
		form.Sources[at] = Source{Page: 1, Box: []any{10.0, y, 20.0, y + 10}, Text: "900", Confidence: 1, Method: "text"}
	}
	e := Extraction{PageCount: 1, Documents: []ReadDocument{form}}
	say := func(pointer, value string) Correction { return Correction{Pointer: pointer, Value: jsonOf(value)} }
	for name, tt := range map[string]struct {
		set  []Correction
		want string
	}{
		"by its line":     {[]Correction{say("/lines/9", "950")}, "950 950 900 900"},
		"by its name":     {[]Correction{say("/taxableIncome", "850")}, "900 900 850 850"},
		"each by itself":  {[]Correction{say("/lines/9", "950"), say("/totalIncome", "951")}, "950 951 900 900"},
		"nothing changes": {[]Correction{say("/lines/9", "900")}, "900 900 900 900"},
	} {
		right, stand := e.Correct(tt.set)
		f := right.Documents[0].Facts.Tax
		if got := fmt.Sprint(f.Lines["9"], " ", f.TotalIncome, " ", f.Lines["15"], " ", f.TaxableIncome); got != tt.want || len(stand) != len(tt.set) {
			t.Errorf("%s: %s, want %s; %+v", name, got, tt.want, stand)
		}
	}
}
