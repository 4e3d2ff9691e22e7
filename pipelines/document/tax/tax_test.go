package tax_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// taxMisses compares a reading with the truth of a specimen: what is missing or wrong, and what was invented.
func taxMisses(truth specimen.Truth, doc dossier.ReadDocument) (right, tested int, misses []string) {
	want, got := documenttest.JSONMap(truth.AllFacts().Tax), documenttest.JSONMap(doc.Facts.Tax)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if slices.Contains(truth.NotTested, key) || key == "lines" || key == "priorYear" {
			continue
		}
		if want[key] == nil && got[key] == nil {
			continue
		}
		if tested++; document.SameFact(want[key], got[key]) {
			right++
			continue
		}
		misses = append(misses, fmt.Sprintf("%s: want %v, got %v", key, want[key], got[key]))
	}
	have, _ := got["lines"].(map[string]any)
	lines := want["lines"].(map[string]any)
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if tested++; document.SameFact(lines[n], have[n]) {
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

func TestTaxReturn_specimens(t *testing.T) {
	t.Parallel()
	for _, form := range specimen.TaxForms() {
		t.Run(form, func(t *testing.T) {
			right, tested := 0, 0
			for year := 2019; year <= 2024; year++ {
				s := specimen.TaxReturn(specimen.TaxOptions{Seed: uint64(year), Form: form, Year: year})
				doc := readtest.TaxReturn(t, s.Data)
				r, n, misses := taxMisses(s.Truth, doc)
				right, tested = right+r, tested+n
				for _, m := range misses {
					t.Logf("%d %v: %s", year, s.Truth.Traps, m)
					if strings.Contains(m, "invented") || !strings.HasSuffix(m, "got <nil>") {
						t.Errorf("%d: wrong or invented: %s", year, m)
					}
				}
				readtest.EveryFactHasASource(t, doc)
			}
			t.Logf("%s: %d of %d", form, right, tested)
			if right*100 < tested*95 {
				t.Errorf("%d of %d facts, want 95 %%", right, tested)
			}
		})
	}
}

// Each property of a Schedule E has a column of its own; a total is no property's.
func TestTaxReturn_properties(t *testing.T) {
	d, facts := readtest.Facts(t, documenttest.TextPDF(t, `SCHEDULE E (Form 1040)|Supplemental Income and Loss||2023
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
	readtest.EveryFactHasASource(t, d)
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
			f := readtest.Lines(t, c.lines...).Facts.Tax
			if f == nil {
				t.Fatal("read as no return")
			}
			got := []string{documenttest.Shown(f.Form), documenttest.Shown(f.SSN)}
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
			f := readtest.Lines(t, "Form 1120|U.S. Corporation Income Tax Return", "Department of the Treasury|||2022", c.line).Facts.Tax
			if f == nil {
				t.Fatal("read as no return")
			}
			if got := documenttest.Shown(f.PeriodStart) + " " + documenttest.Shown(f.PeriodEnd); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The amount of line 4a may have one figure; it is not the number of line 4b beside it.
func TestTaxReturn_linesSideBySide(t *testing.T) {
	for _, row := range []string{"4a IRA distributions|4a 2|b Taxable amount|4b", "4a IRA distributions|4a 2|4b Taxable amount|4b"} {
		f := readtest.Lines(t, "Form 1040|U.S. Individual Income Tax Return|2023|OMB No. 1545-0074", "Department of the Treasury - Internal Revenue Service",
			"1z Add lines 1a through 1h|||1z 51,220.", row, "9 Add lines 1z, 2b, 3b, 4b, 5b, 6b, 7, and 8. This is your total income|||9 51,220.",
			"11 Subtract line 10 from line 9. This is your adjusted gross income|||11 51,220.").Facts.Tax
		if f == nil {
			t.Fatal("read as no return")
		}
		if got := f.Lines["4a"].String(); got != "2" {
			t.Errorf("%s: line 4a is %s", row, got)
		}
	}
}

func TestTaxReturn_shortFormLines(t *testing.T) {
	f := readtest.Lines(t, "Form 990-EZ|Short Form||OMB No. 1545-0047", "Return of Organization Exempt From Income Tax||2022", "9 Total revenue. Add lines 1, 2, 3, 4, 5c, 6d, 7c, and 8|||9 109,330.",
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
	first := documenttest.Page("Form 1120-S|U.S. Income Tax Return for an S Corporation||2022", "For calendar year 2022")
	later := documenttest.Page("Form 1120-S (2022)|||Page 5", "Schedule M-1 Reconciliation of Income (Loss) per Books With Income (Loss) per Return",
		"1 Net income (loss) per books|88,000.|5 Income recorded on books", "4 Add lines 1 through 3|89,720.|8 Income (loss) (Schedule K, line 18)|89,720.",
		"Schedule M-2 Analysis of Accumulated Adjustments Account", "|(a) Accumulated|(b) Shareholders'|(c) Accumulated", "1 Balance at beginning of tax year|210,000.", "7 Distributions|60,000.", "8 Balance at end of tax year||12,000.")
	later.Number = 2
	f := document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{first, later}}).Documents[0].Facts.Tax
	if f == nil {
		t.Fatal("read as no return")
	}
	for line, want := range map[string]string{"M1-1": "88000", "M1-8": "89720", "M2-1": "210000", "M2-7": "60000", "M2-8": ""} {
		if got, have := f.Lines[line]; have != (want != "") || have && got.String() != want {
			t.Errorf("%s = %s, want %s", line, got, want)
		}
	}
}
