package tax

import (
	"slices"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A point before three places is a comma that OCR misread; two places are cents, and what is set is as it is.
func TestWholeThousands(t *testing.T) {
	for _, c := range []struct {
		printed, want string
		method        string
	}{
		{"602.440", "602440", text.MethodOCR}, {"(12.118)", "-12118", text.MethodOCR}, {"602.44", "602.44", text.MethodOCR},
		{"602,440", "602440", text.MethodOCR}, {"602.440", "602.440", text.MethodText},
	} {
		m, ok := text.ParseMoney(c.printed, text.DotDecimal)
		if !ok {
			t.Fatalf("%s is no amount", c.printed)
		}
		got := wholeThousands(m, []text.Token{{Text: c.printed, Method: c.method}})
		if got.Value.String() != c.want {
			t.Errorf("%s: %s, want %s", c.printed, got.Value, c.want)
		}
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
