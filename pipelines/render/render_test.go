package render

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/spread"
)

var borrowers = sync.OnceValue(specimen.Borrowers)

// resultsOf spreads a borrower's documents.
func resultsOf(t *testing.T, name string) dossier.SpreadResults {
	t.Helper()
	for _, b := range borrowers() {
		if b.Name == name {
			return spreadOf(t, b)
		}
	}
	t.Fatalf("no borrower %s", name)
	return dossier.SpreadResults{}
}

func spreadOf(t *testing.T, b specimen.Borrower) dossier.SpreadResults {
	t.Helper()
	r, _, err := spread.Consolidate(inputOf(b))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// inputOf is what a borrower's spread is made from.
func inputOf(b specimen.Borrower) spread.Input {
	in := spread.Input{SpreadID: "0198c0de-0000-7000-8000-000000000001", Currency: "USD", FiscalYearEndMonth: 12, GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for i, facts := range b.Facts() {
		in.Documents = append(in.Documents, spread.Document{ID: dossier.DocumentID(fmt.Sprint("d", i)), Filename: b.Documents[i].Name + ".pdf",
			Parts: []dossier.ReadDocument{{DocType: b.Documents[i].Truth.DocType, Pages: [2]int{1, 3}, Confidence: 0.97, Facts: facts}}})
	}
	return in
}

func sheetOf(t *testing.T, r dossier.SpreadResults) []byte {
	t.Helper()
	data, err := Sheet(spread.Template(), r)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("RENDER_DIR"); dir != "" { // to look at
		_ = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+".xlsx"), data, 0o600)
	}
	return data
}

func TestFiles_are_the_same_bytes(t *testing.T) {
	for _, name := range []string{"interim_six_months", "overlapping_sources"} {
		r := resultsOf(t, name)
		if !bytes.Equal(sheetOf(t, r), sheetOf(t, r)) {
			t.Errorf("%s: two workbooks of the same results differ", name)
		}
		one, err := Report(spread.Template(), r)
		if err != nil {
			t.Fatal(err)
		}
		two, _ := Report(spread.Template(), r)
		if !bytes.Equal(one, two) {
			t.Errorf("%s: two reports of the same results differ", name)
		}
	}
}

// LibreOffice calculates every formula anew; each figure must be the one of the results, and no cell an error.
func TestSheet_recalculated(t *testing.T) {
	all, books := map[string]dossier.SpreadResults{"widest": widest(t)}, map[string][]byte{}
	for _, b := range borrowers() {
		all[b.Name] = spreadOf(t, b)
	}
	for name, r := range all {
		books[name] = sheetOf(t, r)
	}
	tables := recalculated(t, books)
	for name, r := range all {
		t.Run(name, func(t *testing.T) {
			n := compareStatements(t, r, tables[name]) + compareRatios(t, r, tables[name])
			t.Logf("%d figures of the results and %d formulas of the workbook compared", n, compareFormulas(t, books[name], tables[name]))
		})
	}
}

func compareStatements(t *testing.T, r dossier.SpreadResults, tables map[string][][]string) (compared int) {
	t.Helper()
	w := placed(r)
	for _, s := range statementSheets {
		for _, p := range r.Statements.Named(s.statement).Periods {
			for _, v := range p.Values {
				got := cellOf(tables[s.sheet], w.columns[s.statement][p.ID], w.rows[s.statement][v.Key])
				compared++
				if !sameNumber(got, v.Value.String()) {
					t.Errorf("%s %s %s is %q, the results say %s", s.sheet, p.ID, v.Key, got, v.Value)
				}
			}
		}
	}
	return compared
}

func compareRatios(t *testing.T, r dossier.SpreadResults, tables map[string][][]string) (compared int) {
	t.Helper()
	for i, row := range spread.Template().Ratios {
		for j, ratios := range r.Ratios {
			got := cellOf(tables[ratiosSheet], letter(j+3), headerRow+1+i)
			want := ratios.Values[i].Value
			compared++
			if want == nil && got != absent(ratios.Values[i]) || want != nil && !near(got, want.String()) {
				t.Errorf("ratio %s of %s is %q, the results say %v", row.Key, ratios.PeriodID, got, want)
			}
		}
	}
	for i, row := range spread.Template().UCA {
		for j, u := range r.UCA {
			for _, v := range u.Values {
				if v.Key != row.Key {
					continue
				}
				compared++
				if got := cellOf(tables[ucaSheet], letter(j+2), headerRow+1+i); !sameNumber(got, v.Value.String()) {
					t.Errorf("UCA %s of %s is %q, the results say %s", v.Key, u.PeriodID, got, v.Value)
				}
			}
		}
	}
	return compared
}

// compareFormulas holds every formula of every sheet against the value that was written beside it from the results.
func compareFormulas(t *testing.T, book []byte, tables map[string][][]string) (compared int) {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	for sheet, table := range tables {
		for i, row := range table {
			for j, got := range row {
				cell := at(letter(j+1), i+1)
				if strings.HasPrefix(got, "#") || strings.HasPrefix(got, "Err:") {
					t.Errorf("%s %s is an error: %s", sheet, cell, got)
				}
				formula, err := f.GetCellFormula(sheet, cell)
				if err != nil || formula == "" {
					continue
				}
				written, _ := f.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
				compared++
				if kind, _ := f.GetCellType(sheet, cell); (kind == excelize.CellTypeFormula) != (strings.Trim(written, "0123456789.-") != "") {
					t.Errorf("%s %s: %s has the type %d beside its formula", sheet, cell, written, kind)
				}
				if got != written && !near(got, written) {
					t.Errorf("%s %s is %s, the results say %s", sheet, cell, got, written)
				}
			}
		}
	}
	return compared
}

// A changed input moves the totals, the annualized column, the ratios and the checks.
func TestSheet_is_alive(t *testing.T) {
	r := resultsOf(t, "interim_six_months")
	w := placed(r)
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	base := "2024-01-01_2024-06-30"
	rent := at(w.columns["incomeStatement"][base], w.rows["incomeStatement"]["rent"])
	v, _ := r.Statements.IncomeStatement.Period(base).Values.Get("rent")
	if err := f.SetCellValue(incomeSheet, rent, v.Add(decimal.NewFromInt(1000)).InexactFloat64()); err != nil {
		t.Fatal(err)
	}
	changed, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	tables := recalculated(t, map[string][]byte{"changed": changed.Bytes()})["changed"]
	for _, c := range []struct {
		period, key string
		by          int64
	}{{base, "totalOperatingExpenses", 1000}, {base, "netIncome", -1000}, {base, "ebitda", -1000}, {base, "incomeStatementVariance", -1000}, {base + "_annualized", "rent", 2000}, {base + "_annualized", "netIncome", -2000}} {
		before, _ := r.Statements.IncomeStatement.Period(c.period).Values.Get(c.key)
		got := cellOf(tables[incomeSheet], w.columns["incomeStatement"][c.period], w.rows["incomeStatement"][c.key])
		if want := before.Add(decimal.NewFromInt(c.by)).String(); !sameNumber(got, want) {
			t.Errorf("after 1000 more rent %s of %s is %s, want %s", c.key, c.period, got, want)
		}
	}
	if !slices.ContainsFunc(tables[checksSheet], func(row []string) bool {
		return len(row) > 5 && row[0] == "Income statement variance" && row[2] == periodText("incomeStatement", base) && row[5] == "review"
	}) {
		t.Error("after 1000 more rent the check of the income statement asks for no review")
	}
}

// What a document prints is text in every cell, whatever it looks like.
func TestSheet_text_is_inert(t *testing.T) {
	r := resultsOf(t, "two_currencies")
	evil := `=HYPERLINK("http://example.com","click")`
	r.EntityName = evil
	for i := range r.Statements.IncomeStatement.Periods {
		r.Statements.IncomeStatement.Periods[i].Label = "+1+cmd|' /C calc'!A0"
		for j := range r.Statements.IncomeStatement.Periods[i].Values {
			for k := range r.Statements.IncomeStatement.Periods[i].Values[j].Sources {
				r.Statements.IncomeStatement.Periods[i].Values[j].Sources[k].Caption = "@SUM(1+1)*\x01"
			}
		}
	}
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := f.GetCellValue(incomeSheet, "A2"); text != evil {
		t.Errorf("the entity's name became %q", text)
	}
	for _, sheet := range f.GetSheetList() {
		rows, _ := f.GetRows(sheet)
		for i, row := range rows {
			for j := range row {
				formula, _ := f.GetCellFormula(sheet, at(letter(j+1), i+1))
				if strings.Contains(formula, "HYPERLINK") || strings.Contains(formula, "cmd") || strings.Contains(formula, "@") {
					t.Errorf("%s %s has the formula %s", sheet, at(letter(j+1), i+1), formula)
				}
			}
		}
	}
}

// placed is where a workbook of the results has its rows and columns.
func placed(r dossier.SpreadResults) *workbook {
	w := &workbook{template: spread.Template(), r: r, columns: map[string]map[string]string{}, rows: map[string]map[string]int{}}
	for _, s := range statementSheets {
		w.layout(s.statement)
	}
	return w
}

// recalculated has LibreOffice open the files, calculate, and write every sheet as CSV: by file and sheet.
func recalculated(t *testing.T, books map[string][]byte) map[string]map[string][][]string {
	t.Helper()
	office, err := exec.LookPath("soffice")
	if err != nil {
		if office, err = exec.LookPath("libreoffice"); err != nil {
			t.Skip("LibreOffice is not installed: the workbook's formulas are NOT checked (apt-get install libreoffice-calc)")
		}
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "profile", "user"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "profile", "user", "registrymodifications.xcu"), []byte(recalculate), 0o600); err != nil {
		t.Fatal(err)
	}
	// 44,34,76: comma, quotes, UTF-8; false: figures as they are, not as shown; -1: every sheet a file.
	args := []string{"--headless", "-env:UserInstallation=file://" + filepath.Join(dir, "profile"),
		"--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1", "--outdir", dir}
	for name, data := range books {
		path := filepath.Join(dir, name+".xlsx")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if out, err := exec.CommandContext(t.Context(), office, args...).CombinedOutput(); err != nil {
		t.Fatalf("LibreOffice: %v\n%s", err, out)
	}
	all := map[string]map[string][][]string{}
	for name := range books {
		all[name] = map[string][][]string{}
		for _, sheet := range []string{summarySheet, incomeSheet, balanceSheet, flowSheet, ucaSheet, ratiosSheet, checksSheet, sourcesSheet, comparisonsSheet} {
			all[name][sheet] = readTable(t, filepath.Join(dir, name+"-"+sheet+".csv"))
		}
	}
	return all
}

// recalculate is the setting by which LibreOffice calculates what it opens, and does not trust the values in the file.
const recalculate = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>`

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func cellOf(rows [][]string, column string, row int) string {
	n, err := excelize.ColumnNameToNumber(column)
	if err != nil || row < 1 || row > len(rows) || n > len(rows[row-1]) {
		return ""
	}
	return rows[row-1][n-1]
}

func sameNumber(got, want string) bool {
	a, err := decimal.NewFromString(got)
	return err == nil && a.Round(2).Equal(decimal.RequireFromString(want).Round(2))
}

// near compares ratios to 4 places.
func near(got, want string) bool {
	if percent, ok := strings.CutSuffix(got, "%"); ok { // LibreOffice writes a percent cell so
		n, err := decimal.NewFromString(percent)
		return err == nil && n.Shift(-2).Sub(decimal.RequireFromString(want)).Abs().LessThan(decimal.New(2, -4))
	}
	a, err := decimal.NewFromString(got)
	return err == nil && a.Sub(decimal.RequireFromString(want)).Abs().LessThan(decimal.New(2, -4))
}
