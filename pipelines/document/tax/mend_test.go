package tax

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/google/go-cmp/cmp"
)

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
			r := taxReader{Segment: text.Segment{Form: corporate, Year: 2022}, facts: &dossier.TaxFacts{Lines: map[string]dossier.Amount{}}, read: map[string]readLine{}}
			put := func(lines map[string]string, confidence float64) {
				for n, s := range lines {
					v, err := dossier.ParseAmount(s)
					if err != nil {
						t.Fatal(err)
					}
					r.setLine(taxLine{number: n, words: n}, text.Money{Value: v, Text: s}, []text.Token{{Text: s, Confidence: confidence, Method: text.MethodOCR}})
				}
			}
			put(c.sure, 0.95)
			put(c.doubtful, 0.5)
			r.correctLines()
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
