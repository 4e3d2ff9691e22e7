package tax

import (
	"slices"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A point or a narrow blank before three places is a comma that OCR misread or lost; two places are cents, and what is
// set is as it is.
func TestWholeFigures(t *testing.T) {
	for _, c := range []struct {
		printed []string
		want    string
		method  string
	}{
		{[]string{"602.440"}, "602,440", text.MethodOCR}, {[]string{"(12.118)"}, "(12,118)", text.MethodOCR},
		{[]string{"602.44"}, "602.44", text.MethodOCR}, {[]string{"6.540,811"}, "6,540,811", text.MethodOCR},
		{[]string{"8.018.440."}, "8,018,440.", text.MethodOCR}, {[]string{"1.204.30"}, "1,204.30", text.MethodOCR},
		{[]string{"2.884,206.31"}, "2,884,206.31", text.MethodOCR}, {[]string{"1", "418.002"}, "1,418,002", text.MethodOCR},
		{[]string{"66", ".180"}, "66,180", text.MethodOCR}, {[]string{"602.440"}, "602.440", text.MethodText},
		{[]string{"112", "300"}, "112 300", text.MethodText},
	} {
		p := text.Page{Number: 1, Layer: text.LayerImage}
		for i, s := range c.printed {
			p.Tokens = append(p.Tokens, text.Token{Text: s, X0: float64(100 * i), X1: float64(100*i + 95), Y1: 20,
				Method: c.method})
		}
		if got := text.Join(joinFigures([]text.Page{p})[0].Tokens); got != c.want {
			t.Errorf("%v: %s, want %s", c.printed, got, c.want)
		}
	}
	apart := text.Page{Layer: text.LayerImage, Tokens: []text.Token{ // the number of a line, and its amount
		{Text: "12", X1: 20, Y1: 20, Method: text.MethodOCR}, {Text: "418", X0: 40, X1: 80, Y1: 20, Method: text.MethodOCR}}}
	if got := text.Join(joinFigures([]text.Page{apart})[0].Tokens); got != "12 418" {
		t.Errorf("joined what stands apart: %s", got)
	}
}

// The schedules of the 1040 have the lines of their years.
func TestLinesOf_schedules(t *testing.T) {
	for _, c := range []struct {
		form, number string
		year         int
		want         bool
	}{
		{"1040 Schedule A", "17", 2023, true}, {"1040 Schedule A", "17", 2016, false}, {"1040 Schedule A", "8d", 2020, true},
		{"1040 Schedule A", "8d", 2023, false}, {"1040 Schedule D", "16", 2016, true}, {"1040 Schedule SE", "4a", 2021, true},
		{"1040 Schedule SE", "4a", 2018, false}, {"1040 Schedule F", "9", 2019, true},
	} {
		have := slices.ContainsFunc(linesOf(c.form, c.year), func(l taxLine) bool { return l.number == c.number })
		if have != c.want {
			t.Errorf("line %s of %s of %d: %v", c.number, c.form, c.year, have)
		}
	}
}
