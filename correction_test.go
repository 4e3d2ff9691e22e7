package dossier

import (
	"encoding/json"
	"testing"
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

// A sheet whose totals were corrected says its sum as the reader of statements does: in printed units, by the first sum
// that holds.
func TestBalances(t *testing.T) {
	amounts := func(of ...string) map[string]Amount {
		values := map[string]Amount{}
		for i := 0; i < len(of); i += 2 {
			values[of[i]] = amount(t, of[i+1])
		}
		return values
	}
	for want, in := range map[string]struct {
		values map[string]Amount
		unit   int64
	}{
		"521,720 = 521,720": {amounts("totalAssets", "521720000", "totalLiabilitiesAndEquity", "521720000"), 1000},
		"880 + 120 = 1,000": {amounts("totalAssets", "1000", "totalLiabilitiesAndEquity", "900", "totalLiabilities", "880", "totalEquity", "120"), 1},
		"1,010.50 + (10.00) = 1,000.50": {
			amounts("totalAssets", "1000.50", "totalLiabilities", "1010.50", "totalEquity", "-10.00"), 1},
		"900 is not 1,000": {amounts("totalAssets", "1000", "totalLiabilitiesAndEquity", "900", "totalLiabilities", "800", "totalEquity", "90"), 1},
	} {
		if passed, got, ok := balances(in.values, in.unit); !ok || got != want || passed == (want == "900 is not 1,000") {
			t.Errorf("%v %q %v, want %q", passed, got, ok, want)
		}
	}
	if _, _, ok := balances(amounts("totalLiabilities", "1"), 1); ok {
		t.Error("a sheet without total assets says whether it balances")
	}
}
