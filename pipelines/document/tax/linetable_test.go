package tax

import (
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

func tokenOf(printed string) text.Token { return text.Token{Text: printed, Method: text.MethodOCR} }

// formsOfTable are the names of all forms that have lines.
func formsOfTable() []string {
	var forms []string
	for _, l := range slices.Concat(taxLines, oldLines, scheduleFormLines) {
		for f := range strings.SplitSeq(l.forms, "|") {
			if !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
	}
	return forms
}

// The lines of every form and year stand in the order of their numbers, which are numbers of lines; a fact has one line a
// year, and is one that can be set. The forms of businesses of 2022 are printed with and without a line for buildings.
func TestLinesOf_consistent(t *testing.T) {
	t.Parallel()
	for _, form := range formsOfTable() {
		for year := 2015; year <= lastYear; year++ {
			facts, before := map[string]string{}, ""
			for _, l := range linesOf(form, year) {
				if !lineNumber.MatchString(l.number) || l.words == "" || l.from > l.to {
					t.Errorf("%s of %d: line %+v", form, year, l)
				}
				if before != "" && before != l.number && !beforeLine(before, l.number) {
					t.Errorf("%s of %d: line %s stands behind %s", form, year, l.number, before)
				}
				before = l.number
				if l.fact == "" {
					continue
				}
				if taxFacts[l.fact] == nil {
					t.Errorf("%s, line %s: no fact %q", form, l.number, l.fact)
				}
				if other, have := facts[l.fact]; have && other != l.number && (year != 2022 || form != sCorp && form != partners) {
					t.Errorf("%s of %d: %s is line %s and line %s", form, year, l.fact, other, l.number)
				}
				facts[l.fact] = l.number
			}
		}
	}
}

// A form whose year is lost is of the year whose numbers it prints, where its facts show which; else it is of none.
func TestMapYear(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form string
		rows []string
		year int
		want int // stands for years that number the facts alike
	}{
		"known":             {"1040", nil, 2021, 2021},
		"of 2018":           {"1040", []string{"7 Adjusted gross income 7 100", "10 Taxable income 10 90", "15 Total tax 15 9"}, 0, 2018},
		"of 2019":           {"1040", []string{"8b Adjusted gross income 8b 100", "11b Taxable income 11b 90", "16 Total tax 16 9"}, 0, 2019},
		"of 2025":           {"1040", []string{"11a Adjusted gross income 11a 100", "9 Total income 9 90", "24 Total tax 24 9"}, 0, 2025},
		"of 2020 and later": {"1040", []string{"11 Adjusted gross income 11 100", "15 Taxable income 15 90", "24 Total tax 24 9"}, 0, 2020},
		"one line alone":    {"1040", []string{"7 Adjusted gross income 7 100"}, 0, 0},
		"nothing":           {"1040", nil, 0, 0},
	} {
		var r taxReader
		r.Form, r.Year = c.form, c.year
		for i, row := range c.rows {
			_, l := rowOfBoxes("0 " + row)
			l.Page, l.Y0, l.Y1 = 1, float64(20*i), float64(20*i+10)
			r.lines = append(r.lines, l)
		}
		got := r.mapYear()
		if got != c.want || r.mapYear() != got {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if !sameFacts("1040", 2020, 2024) || sameFacts("1040", 2018, 2019) {
		t.Error("years that number their facts alike are not told from others")
	}
}

// The order of lines on a form: letters stand behind the number alone.
func TestBeforeLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{{"9", "10", true}, {"10", "10a", true}, {"10a", "10b", true}, {"10b", "11", true}, {"11", "10", false}, {"5", "5", false}, {"1", "40", false}} {
		if got := beforeLine(c.a, c.b); got != c.want {
			t.Errorf("%s before %s: %v", c.a, c.b, got)
		}
	}
}

// Most of a caption's words prove it, as OCR may have misread them; a few do not.
func TestSaysMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		caption, words string
		want           bool
	}{{"gross receipts or sales", "gross receipts or sales", true}, {"gross receipts less returns", "gross receipts or sales", false},
		{"grossreceiptsorsales 1a", "gross receipts or sales", true}, {"9r0ss receipts or sales", "gross receipts or sales", true},
		{"subtract line 30 from line 29", "net profit", false}, {"net profit or loss", "net profit", true}, {"", "net profit", false},
		{"conpensation of officers", "compensation of officers", true}} {
		if got := saysMost(c.caption, c.words); got != c.want {
			t.Errorf("%q says %q: %v", c.caption, c.words, got)
		}
	}
}

// An amended return's correct amount is that which the others prove, or the only one.
func TestCorrectAmount(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"100,000 5,000 105,000": "105000", "100,000 5,000 104,000": "", "100,000 (5,000) 95,000": "95000",
		"100,000 100,000": "100000", "100,000 5,000": "", "95,000": "95000", "23": "", "1,000 2,000 3,000 4,000": "", "": ""} {
		_, row := rowOfBoxes("0 " + printed)
		got := ""
		if m, ok := correctAmount(row.Amounts(text.DotDecimal)); ok {
			got = m.Value.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// The schedules within a return whose lines repeat the numbers of its first page.
func TestScheduleAt(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"Schedule L Balance Sheets per Books": "L-", "Schedule M-1 Reconciliation of Income": "M1-",
		"Schedule K Shareholders' Pro Rata Share Items": "K-", "Schedule B Other Information": "", "Schedule K-1 Partner's Share": "none",
		"Attach Schedule L": "none", "Schedule L": "none", "": "none"} {
		_, row := rowOfBoxes("0 " + printed)
		got, ok := scheduleAt(row)
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// A number in a box may be in brackets, and its figure 1 a letter to OCR.
func TestBoxNumber(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"|22|": "22", "(1A)": "1a", "16.": "16", "l0": "10", "i6": "16", "l": "l", "line": "line"} {
		token := tokenOf(printed)
		if got := boxNumber(token); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	for printed, want := range map[string]bool{"22": true, "49": true, "50": false, "0": false, "1,200": false, "-3": false} {
		if got := isBareNumber(printed); got != want {
			t.Errorf("%q: %v", printed, got)
		}
	}
}

// The amount of a line is what stands right behind its box: no number of the line beside it, no rest of a figure.
func TestAmountAfter(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"1a 1,200": "1200", "1a . . 1,200": "1200", "1a | 1,200": "1200", "1a 12 Other": "", "4a 2 4b": "2", "1a Other 12": "",
		"1a": "", "1a 1,200 300": "", "1a 1,200 00": "1200", "1a 5.0%": "", "1a —": ""} {
		_, row := rowOfBoxes("0 " + printed)
		got := ""
		if m, _, ok := amountAfter(row, 0, text.DotDecimal); ok {
			got = m.Value.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// Columns of properties are headed by three letters at the right; prior and current year by their words.
func TestHeadsOfColumns(t *testing.T) {
	t.Parallel()
	_, row := rowOfBoxes("0 Income: Properties: A B C")
	if got := propertyColumns(row, 200); len(got) != 3 || got[2].Text != "C" {
		t.Errorf("columns %v", got)
	}
	for _, printed := range []string{"0 Income: A B", "0 Income: Properties: A C B"} {
		if _, row := rowOfBoxes(printed); propertyColumns(row, 50) != nil {
			t.Errorf("%q heads columns", printed)
		}
	}
}
