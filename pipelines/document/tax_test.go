package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/specimen"
)

// taxMisses compares a reading with the truth of a specimen: what is missing or wrong, and what was invented.
func taxMisses(truth specimen.Truth, doc dossier.ReadDocument) (right, tested int, misses []string) {
	want, got := jsonMap(truth.AllFacts().Tax), jsonMap(doc.Facts.Tax)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if slices.Contains(truth.NotTested, key) || key == "lines" || key == "priorYear" {
			continue
		}
		if want[key] == nil && got[key] == nil {
			continue
		}
		if tested++; sameFact(want[key], got[key]) {
			right++
			continue
		}
		misses = append(misses, fmt.Sprintf("%s: want %v, got %v", key, want[key], got[key]))
	}
	have, _ := got["lines"].(map[string]any)
	lines := want["lines"].(map[string]any)
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if tested++; sameFact(lines[n], have[n]) {
			right++
			continue
		}
		misses = append(misses, fmt.Sprintf("line %s: want %v, got %v", n, lines[n], have[n]))
	}
	for _, n := range slices.Sorted(maps.Keys(have)) {
		if _, ok := lines[n]; !ok && !strings.HasPrefix(n, "L-") {
			misses = append(misses, fmt.Sprintf("line %s: invented %v", n, have[n]))
		}
	}
	return right, tested, misses
}

func jsonMap(v any) map[string]any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	return m
}

func TestTaxReturn_specimens(t *testing.T) {
	t.Parallel()
	for _, form := range specimen.TaxForms() {
		t.Run(form, func(t *testing.T) {
			right, tested := 0, 0
			for year := 2019; year <= 2024; year++ {
				s := specimen.TaxReturn(specimen.TaxOptions{Seed: uint64(year), Form: form, Year: year})
				doc := taxDocument(t, s.Data)
				r, n, misses := taxMisses(s.Truth, doc)
				right, tested = right+r, tested+n
				for _, m := range misses {
					t.Logf("%d %v: %s", year, s.Truth.Traps, m)
					if strings.Contains(m, "invented") || !strings.HasSuffix(m, "got <nil>") {
						t.Errorf("%d: wrong or invented: %s", year, m)
					}
				}
				everyFactHasASource(t, doc)
			}
			t.Logf("%s: %d of %d", form, right, tested)
			if right*100 < tested*95 {
				t.Errorf("%d of %d facts, want 95 %%", right, tested)
			}
		})
	}
}

func everyFactHasASource(t *testing.T, doc dossier.ReadDocument) {
	t.Helper()
	var walk func(at string, v any)
	walk = func(at string, v any) {
		if m, ok := v.(map[string]any); ok {
			for k, x := range m {
				walk(at+"/"+k, x)
			}
			return
		}
		_, printed := doc.Sources[at]
		_, derived := doc.Derived[at]
		if v != nil && !printed && !derived {
			t.Errorf("%s = %v has no source", at, v)
		}
	}
	walk("", jsonMap(doc.Facts.Tax))
}

// taxDocument is the first return that a file holds.
func taxDocument(t *testing.T, data []byte) dossier.ReadDocument {
	t.Helper()
	got := mustRead(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %v", got.Refusal)
	}
	for _, d := range got.Extraction.Documents {
		if d.DocType == dossier.DocTaxReturn {
			return d
		}
	}
	t.Fatalf("no return among %d documents", len(got.Extraction.Documents))
	return dossier.ReadDocument{}
}

func TestTaxReturn_samples(t *testing.T) {
	t.Parallel()
	dir := documenttest.Samples(t)
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct{ Files map[string]expectation }
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	for path, want := range expected.Files {
		if want.DocType != dossier.DocTaxReturn {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		var s Scores
		s.Facts = map[string]Tally{}
		score := FileScore{Path: path}
		doc := taxDocument(t, data)
		s.compare(&score, doc, want, "return")
		t.Logf("%s: %v", path, score.Facts)
		for _, m := range score.Misses {
			t.Log("   ", m)
		}
		if path[len(path)-4:] == ".pdf" && score.Facts.Right*100 < score.Facts.Tested*90 {
			t.Errorf("%s: %v", path, score.Facts)
		}
		everyFactHasASource(t, doc)
	}
}

// Where the lines that lenders ask for stand, form by form and year by year.
func TestLinesOf_numbersMove(t *testing.T) {
	for _, c := range []struct {
		form, fact string
		at         map[int]string // year: number
	}{
		{"1040", "totalIncome", map[int]string{2015: "22", 2017: "22", 2018: "6", 2019: "7b", 2020: "9", 2025: "9"}},
		{"1040", "adjustedGrossIncome", map[int]string{2015: "37", 2016: "37", 2018: "7", 2019: "8b", 2020: "11", 2024: "11", 2025: "11a"}},
		{"1040", "taxableIncome", map[int]string{2017: "43", 2018: "10", 2019: "11b", 2021: "15"}},
		{"1040-SR", "totalTax", map[int]string{2019: "16", 2020: "24", 2025: "24"}},
		{"1040", "totalTax", map[int]string{2015: "63", 2018: "15", 2019: "16", 2022: "24"}},
		{"1040", "amountOwed", map[int]string{2016: "78", 2018: "22", 2019: "23", 2023: "37"}},
		{"1040 Schedule C", "netProfit", map[int]string{2015: "31", 2025: "31"}},
		{"1040 Schedule C", "totalExpenses", map[int]string{2015: "28", 2025: "28"}},
		{"1040 Schedule E", "totalIncome", map[int]string{2015: "41", 2025: "41"}},
		{"1120", "taxableIncome", map[int]string{2015: "30", 2025: "30"}},
		{"1120", "amountOwed", map[int]string{2017: "34", 2018: "35", 2025: "35"}},
		{"1120-S", "ordinaryBusinessIncome", map[int]string{2015: "21", 2021: "21", 2023: "22", 2025: "22"}},
		{"1065", "ordinaryBusinessIncome", map[int]string{2015: "22", 2021: "22", 2023: "23"}},
		{"990", "totalRevenue", map[int]string{2015: "12", 2025: "12"}},
		{"990", "netAssets", map[int]string{2015: "22", 2025: "22"}},
	} {
		for year, want := range c.at {
			var got []string
			for _, l := range linesOf(c.form, year) {
				if l.fact == c.fact {
					got = append(got, l.number)
				}
			}
			if len(got) != 1 || got[0] != want {
				t.Errorf("%s of a %s of %d stands at %v, want %s", c.fact, c.form, year, got, want)
			}
		}
	}
	for _, l := range linesOf("1040", 0) {
		if l.number == "22" || l.fact == "adjustedGrossIncome" {
			t.Errorf("line %s moves between years and is read without one", l.number)
		}
	}
}

// A head speaks of other forms, a title runs over two lines, and a scan loses a form's large figures.
func TestTaxForm_ofHead(t *testing.T) {
	for _, c := range []struct {
		name, head, form string
		year             int
	}{
		{"form mentioned", "Form 1120-S U.S. Income Tax Return for an S Corporation\nDo not file this form unless the corporation has filed or is attaching Form 2553 to elect\nDepartment of the Treasury", "1120-S", 0},
		{"title over two lines, number lost", "Application for Automatic Extension of Time\nTo File U.S. Individual Income Tax Return\nFor calendar year 2024", "4868", 2024},
		{"what a scan leaves of an extension", "rom A868\nAutomatic Extension of Tirne\nTo File U.S. Individual Income Tax Return", "4868", 0},
		{"number in the corner", "Form 2553\nElection by a Small Business Corporation", "2553", 0},
		{"year at the foot", "U.S. Corporation Income Tax Return\nGross receipts or sales\nCat. No. 11450Q Form 1120 (2019)", "1120", 2019},
		{"schedule with its year", "Profit or Loss From Business\n(Sole Proprietorship)\nSchedule C (Form 1040) 2022", "1040 Schedule C", 2022},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind := kindOfPage(page(strings.Split(c.head, "\n")...))
			if kind.form != c.form || kind.year != c.year {
				t.Errorf("form %q of %d, want %q of %d", kind.form, kind.year, c.form, c.year)
			}
		})
	}
}

// Each property of a Schedule E has a column of its own; a total is no property's.
func TestTaxReturn_properties(t *testing.T) {
	d, facts := factsOf(t, textPDF(t, `SCHEDULE E (Form 1040)|Supplemental Income and Loss||2023
Name(s) shown on return
Rosa Quill
Income:|Properties:|A|B|C
3 Rents received||3 12000|18500|
5 Advertising||5 250||
9 Insurance||9 900|1100|
20 Total expenses. Add lines 5 through 19||20 1150|1100|
23a Total of all amounts reported on line 3 for all rental properties|||23a|30500`))
	if d.DocType != dossier.DocTaxReturn {
		t.Fatalf("read as %s", d.DocType)
	}
	want := map[string]any{"3A": "12000", "3B": "18500", "5A": "250", "9A": "900", "9B": "1100", "20A": "1150", "20B": "1100", "23a": "30500"}
	if diff := cmp.Diff(want, facts["lines"]); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
	everyFactHasASource(t, d)
}

// A scanned line that was hard to read is a fact where a sum of the form confirms it, and is corrected where one digit
// read otherwise is all that a sum misses; where nothing proves it, it is left out.
func TestTaxReader_mendLines(t *testing.T) {
	for _, c := range []struct {
		name     string
		sure     map[string]string // lines of a 1120 read clearly
		doubtful map[string]string
		want     map[string]string
	}{
		{"confirmed by its sum", map[string]string{"1a": "900", "1b": "100"}, map[string]string{"1c": "800"}, map[string]string{"1a": "900", "1b": "100", "1c": "800"}},
		{"one digit misread", map[string]string{"1a": "900", "1b": "100"}, map[string]string{"1c": "860"}, map[string]string{"1a": "900", "1b": "100", "1c": "800"}},
		{"digits that nobody confuses", map[string]string{"1a": "900", "1b": "100"}, map[string]string{"1c": "810"}, map[string]string{"1a": "900", "1b": "100"}},
		{"two lines could be the wrong one", map[string]string{"1b": "100"}, map[string]string{"1a": "900", "1c": "600"}, map[string]string{"1b": "100"}},
		{"no sum speaks of it", map[string]string{"1a": "900"}, map[string]string{"22": "50"}, map[string]string{"1a": "900"}},
		{"one sum's result is a term of the next", map[string]string{"1a": "900", "1b": "100", "2": "300"}, map[string]string{"1c": "800", "3": "500"}, map[string]string{"1a": "900", "1b": "100", "2": "300", "1c": "800", "3": "500"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := taxReader{Segment: Segment{Form: corporate, Year: 2022}, facts: &dossier.TaxFacts{Lines: map[string]dossier.Amount{}}, read: map[string]readLine{}}
			put := func(lines map[string]string, confidence float64) {
				for n, text := range lines {
					v, err := dossier.ParseAmount(text)
					if err != nil {
						t.Fatal(err)
					}
					r.setLine(taxLine{number: n, words: n}, Money{Value: v, Text: text}, []Token{{Text: text, Confidence: confidence, Method: MethodOCR}})
				}
			}
			put(c.sure, 0.95)
			put(c.doubtful, 0.5)
			r.mendLines()
			got := map[string]string{}
			for n, v := range r.facts.Lines {
				got[n] = v.String()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("lines (-want +got)\n%s", diff)
			}
		})
	}
}

// Later pages of a scan that lost their year belong to the return above them; those of another year do not.
func TestSegments_yearOfLaterPages(t *testing.T) {
	for name, c := range map[string]struct {
		second string
		want   int
	}{
		"year lost":    {"Form 1120-S Page 2", 1},
		"same year":    {"Form 1120-S (2019) Page 2", 1},
		"another year": {"Form 1120-S (2021) Page 2", 2},
	} {
		t.Run(name, func(t *testing.T) {
			pages := []Page{page("Form 1120-S U.S. Income Tax Return for an S Corporation", "For calendar year 2019"), page(c.second, "Schedule L Balance Sheets per Books")}
			pages[1].Number = 2
			if got := segments(Decoded{PageCount: 2, Pages: pages}); len(got) != c.want {
				t.Errorf("%d documents, want %d", len(got), c.want)
			}
		})
	}
}

// Captions run over several rows, hidden numbers and the layouts of a year are read as they are printed.
func TestTaxReturn_printed(t *testing.T) {
	proprietor := []string{"SCHEDULE C|Profit or Loss From Business||OMB No. 1545-0074", "(Form 1040)|(Sole Proprietorship)||2023", "Name of proprietor|||Social security number (SSN)", "DANA FIELDING|||XXX-XX-4321"}
	for name, c := range map[string]struct {
		lines []string
		want  string // form, number of the filer, net revenues, gross receipts, net profit, adjusted gross income
	}{
		"caption over two rows":   {append(proprietor, "1 Gross receipts or sales. See instructions for line 1", "and check the box if this income was reported|||1 248,310."), "1040 Schedule C XXX-XX-4321 nil 248310 nil nil"},
		"box between rows":        {append(proprietor, "31 Net profit or (loss). Subtract line 30 from line 29.", "If a profit, enter on Schedule 1, line 3|||31 98,000.", "If a loss, you must go to line 32."), "1040 Schedule C XXX-XX-4321 nil nil 98000 nil"},
		"rows of another box":     {append(proprietor, "31 Net profit or (loss)|||30 400.", "enter the smaller of both|||31 98,000."), "1040 Schedule C XXX-XX-4321 nil nil nil nil"},
		"income of 2018":          {[]string{"Form 1040|U.S. Individual Income Tax Return|2018|OMB No. 1545-0074", "7 Adjusted gross income. If you have no adjustments,", "enter the amount from line 6; otherwise, subtract|||7 92310"}, "1040 nil nil nil nil 92310"},
		"three figures in a row":  {[]string{"Form 1120-S|U.S. Income Tax Return for an S Corporation||2023", "For calendar year 2023", "1a Gross receipts 1a 900.|b Less returns and allowances 1b 100.|c Balance|1c 800."}, "1120-S nil 800 nil nil nil"},
		"short form of a charity": {[]string{"Form 990-EZ|Short Form||OMB No. 1545-0047", "Return of Organization Exempt From Income Tax||2022"}, "990-EZ nil nil nil nil nil"},
	} {
		t.Run(name, func(t *testing.T) {
			f := identityOf(t, c.lines...).Facts.Tax
			if f == nil {
				t.Fatal("read as no return")
			}
			got := []string{show(f.Form), show(f.SSN)}
			for _, v := range []*dossier.Amount{f.NetRevenues, f.GrossReceipts, f.NetProfit, f.AdjustedGrossIncome} {
				if v == nil {
					got = append(got, "nil")
					continue
				}
				got = append(got, v.String())
			}
			if have := strings.Join(got, " "); have != c.want {
				t.Errorf("got  %s\nwant %s (%v)", have, c.want, f.Lines)
			}
		})
	}
}

// The dates of a tax year that is no calendar year, as people and programs fill them in.
func TestTaxReturn_fiscalYear(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"words":               {"A For the 2022 calendar year, or tax year beginning July 1, 2022 , and ending June 30, 2023", "2022-07-01 2023-06-30"},
		"capitals":            {"For calendar year 2022 or tax year beginning OCT 1 , 2022, ending SEP 30 , 20 23", "2022-10-01 2023-09-30"},
		"figures":             {"For calendar year 2022 or tax year beginning 07/01 , 2022, ending 06/30 , 20 23", "2022-07-01 2023-06-30"},
		"figures with a year": {"For calendar year 2022 or tax year beginning 07/01/2022 , ending 06/30/2023", "2022-07-01 2023-06-30"},
		"end before start":    {"For calendar year 2022 or tax year beginning 07/01 , 2023, ending 06/30 , 20 23", "nil nil"},
		"calendar year":       {"For calendar year 2022 or tax year beginning , 2022, ending , 20", "2022-01-01 2022-12-31"},
	} {
		t.Run(name, func(t *testing.T) {
			f := identityOf(t, "Form 1120|U.S. Corporation Income Tax Return", "Department of the Treasury|||2022", c.line).Facts.Tax
			if f == nil {
				t.Fatal("read as no return")
			}
			if got := show(f.PeriodStart) + " " + show(f.PeriodEnd); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTaxReturn_shortFormLines(t *testing.T) {
	f := identityOf(t, "Form 990-EZ|Short Form||OMB No. 1545-0047", "Return of Organization Exempt From Income Tax||2022", "9 Total revenue. Add lines 1, 2, 3, 4, 5c, 6d, 7c, and 8|||9 109,330.",
		"17 Total expenses. Add lines 10 through 16|||17 90,520.", "21 Net assets or fund balances at end of year|||21 58,810.", "25 Total assets||45,000. 25|63,810.").Facts.Tax
	if f == nil || f.TotalRevenue == nil || f.TotalExpenses == nil || f.NetAssets == nil || f.TotalAssets == nil {
		t.Fatalf("not all lines were read: %+v", f)
	}
	if got := f.TotalRevenue.String() + " " + f.TotalExpenses.String() + " " + f.NetAssets.String() + " " + f.TotalAssets.String(); got != "109330 90520 58810 63810" {
		t.Errorf("got %s", got)
	}
}

// Reconciliations print no number before their amounts, and two halves or several columns beside each other.
func TestTaxReturn_reconciliations(t *testing.T) {
	first := page("Form 1120-S|U.S. Income Tax Return for an S Corporation||2022", "For calendar year 2022")
	later := page("Form 1120-S (2022)|||Page 5", "Schedule M-1 Reconciliation of Income (Loss) per Books With Income (Loss) per Return",
		"1 Net income (loss) per books|88,000.|5 Income recorded on books", "4 Add lines 1 through 3|89,720.|8 Income (loss) (Schedule K, line 18)|89,720.",
		"Schedule M-2 Analysis of Accumulated Adjustments Account", "|(a) Accumulated|(b) Shareholders'|(c) Accumulated", "1 Balance at beginning of tax year|210,000.", "7 Distributions|60,000.", "8 Balance at end of tax year||12,000.")
	later.Number = 2
	f := Extract(Decoded{PageCount: 2, Layer: LayerText, Pages: []Page{first, later}}).Documents[0].Facts.Tax
	if f == nil {
		t.Fatal("read as no return")
	}
	for line, want := range map[string]string{"M1-1": "88000", "M1-8": "89720", "M2-1": "210000", "M2-7": "60000", "M2-8": ""} {
		if got, have := f.Lines[line]; have != (want != "") || have && got.String() != want {
			t.Errorf("%s = %s, want %s", line, got, want)
		}
	}
}
