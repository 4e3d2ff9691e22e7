package statement_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Each fixture is a layout of one program or firm; the .want file beside it lists facts by pointer, "-" for
// those that must be absent.
func TestStatement_layouts(t *testing.T) {
	wants, err := filepath.Glob("testdata/statements/*.want")
	if err != nil || len(wants) < 10 {
		t.Fatalf("%d fixtures, %v", len(wants), err)
	}
	for _, path := range wants {
		name := strings.TrimSuffix(filepath.Base(path), ".want")
		t.Run(name, func(t *testing.T) {
			files, _ := filepath.Glob("testdata/statements/" + name + ".[tc]*")
			e := readtest.Extract(t, files[0])
			i := slices.IndexFunc(e.Documents, func(d dossier.ReadDocument) bool { return d.DocType == dossier.DocFinancialStatement })
			if i < 0 {
				t.Fatalf("read as %s", e.Documents[0].DocType)
			}
			doc := e.Documents[i]
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(raw)) {
				at, want, ok := strings.Cut(strings.TrimSpace(line), " ")
				if !ok {
					continue
				}
				if strings.HasPrefix(at, "check:") {
					readtest.WantCheck(t, doc, strings.TrimPrefix(at, "check:"), want == "passed")
					continue
				}
				if got := document.FactAt(doc.Facts, at); got != want && (want != "-" || got != "") {
					t.Errorf("%s = %q, want %q", at, got, want)
				}
			}
			everyStatementFactHasASource(t, doc)
			totalsFollow(t, e, i)
		})
	}
}

// totalsFollow corrects every fact that a printed total rests on, itself or a line of it: the check of its column says
// so, and what it said before when the correction is taken back.
func totalsFollow(t *testing.T, e dossier.Extraction, part int) {
	t.Helper()
	for _, sum := range e.Documents[part].Sums {
		for _, term := range append(slices.Clone(sum.Lines), sum.Total) {
			if term.Pointer == "" {
				continue
			}
			was, err := dossier.ParseAmount(document.FactAt(e.Documents[part].Facts, term.Pointer))
			if err != nil {
				t.Fatalf("%s of %s: %v", term.Pointer, sum.Caption, err)
			}
			other, _ := json.Marshal(dossier.Amount{Decimal: was.Add(decimal.New(7, 9))})
			wrong, _ := e.Correct([]dossier.Correction{{Part: part, Pointer: term.Pointer, Value: other}})
			if !slices.ContainsFunc(wrong.Documents[part].Checks, func(c dossier.FactCheck) bool {
				return c.Name == "lines_foot" && !c.Passed && strings.Contains(c.Detail, "the lines give")
			}) {
				t.Errorf("%s of %q corrected: %+v", term.Pointer, sum.Caption, wrong.Documents[part].Checks)
			}
			value, _ := json.Marshal(was)
			right, _ := wrong.Correct([]dossier.Correction{{Part: part, Pointer: term.Pointer, Value: value}})
			if diff := cmp.Diff(e.Documents[part].Checks, right.Documents[part].Checks); diff != "" {
				t.Errorf("%s of %q corrected back (-read +corrected):\n%s", term.Pointer, sum.Caption, diff)
			}
		}
	}
}

func everyStatementFactHasASource(t *testing.T, doc dossier.ReadDocument) {
	t.Helper()
	raw, err := json.Marshal(doc.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var facts any
	if err := json.Unmarshal(raw, &facts); err != nil {
		t.Fatal(err)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(at+text.Pointer(k), x)
			}
			return
		case []any:
			for i, x := range v {
				walk(at+text.Pointer(i), x)
			}
			return
		case nil:
			return
		}
		_, printed := doc.Sources[at]
		_, derived := doc.Derived[at]
		if !printed && !derived && !strings.HasSuffix(at, "/section") && !strings.HasSuffix(at, "/row") {
			t.Errorf("%s = %v has no source", at, v)
		}
	}
	walk("", facts)
}

// A list of balances by debit and credit is no statement, whatever accounts it names.
func TestStatement_trialBalanceIsNone(t *testing.T) {
	text := "Bramble Cabinetry, Inc.\nTrial Balance\nAs of December 31, 2023\n" +
		"                            Debit        Credit\n" +
		"Checking                41,220.40\nAccounts Receivable     88,410.00\nAccounts Payable                     30,110.00\n" +
		"Retained Earnings                    60,110.00\nSales                               210,300.00\n" +
		"Cost of Goods Sold      91,000.00\nPayroll Expenses        79,889.60\nTOTAL                  300,520.00   300,520.00\n"
	d, err := office.TXT([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range document.Extract(d).Documents {
		if doc.DocType == dossier.DocFinancialStatement {
			t.Errorf("read as a statement: %v", doc.Evidence)
		}
	}
}

// What a sheet says to its reader, and the caption of a name, are no name; the name stands beside its caption.
func TestEntity_remarks(t *testing.T) {
	for head, want := range map[string]string{
		"Company Name,Larkspur Books":                 "Larkspur Books",
		"Business,Larkspur Books":                     "Larkspur Books",
		"Larkspur Books,":                             "Larkspur Books",
		"How Ledgerly Helps,":                         "",
		"Learn how your business does,":               "",
		"This template is free,":                      "",
		"Company Name,":                               "",
		"How Bright Books Inc.,":                      "How Bright Books Inc.",
		"Larkspur Books,\nHow Ledgerly Helps,":        "Larkspur Books",
		"How Ledgerly Helps,\nCompany,Larkspur Books": "Larkspur Books",
	} {
		d, err := office.CSV([]byte(head + "\nIncome Statement,\nPeriod: January 2024,\nAccount,Amount\nSales,100.00\n" +
			"Cost of goods sold,40.00\nGross profit,60.00\nRent,20.00\nTotal operating expenses,20.00\nNet income,40.00\n"))
		if err != nil {
			t.Fatal(err)
		}
		read := document.Extract(d).Documents
		if len(read) != 1 || read[0].Facts.Statement == nil {
			t.Fatalf("%s: read as %+v", head, read)
		}
		if got := documenttest.OrEmpty(read[0].Facts.Statement.EntityName); got != want {
			t.Errorf("%s: the entity is %q, want %q", head, got, want)
		}
	}
}
