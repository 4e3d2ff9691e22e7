package text

import (
	"fmt"
	"testing"
)

func TestFindPeriods_withinAMonth(t *testing.T) {
	for s, want := range map[string]string{
		"Statement Period: January 1 - 31, 2024":           "2024-01-01 2024-01-31",
		"June 1-30, 2023":                                  "2023-06-01 2023-06-30",
		"01 - 31 March 2024":                               "2024-03-01 2024-03-31",
		"del 1 de mayo al 31 de mayo de 2024":              "2024-05-01 2024-05-31",
		"1 May 2024 [GMT+01:00] - 31 May 2024 [GMT+02:00]": "2024-05-01 2024-05-31",
		"Dec 15 - Jan 14, 2024":                            "2023-12-15 2024-01-14",
		"Section 3 - 14, 2024 is not a month's":            "",
		"January 31 - 1, 2024 runs the wrong way round":    "",
	} {
		got := ""
		for _, p := range FindPeriods(s, MonthFirst) {
			got += fmt.Sprint(p.Start, " ", p.End)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// Groups that a blank parts are one amount where they begin their cell; a number behind a word is the word's.
func TestAmounts_blankBeforeThePoint(t *testing.T) {
	line := func(words ...string) Line {
		l, x := Line{Page: 1, Y1: 10}, 0.0
		for _, w := range words {
			if w == "|" {
				x += 40
				continue
			}
			n := 5 * float64(len(w))
			l.Tokens = append(l.Tokens, Token{Page: 1, Text: w, X0: x, X1: x + n, Y1: 10, Confidence: 1, Method: MethodText})
			x += n + 3
		}
		return l
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"Saldo", "|", "1", "802.55"}, "[1802.55]"},
		{[]string{"Total:", "12", "004", "118.20"}, "[12004118.20]"},
		{[]string{"Check", "118", "250.00"}, "[250.00]"},
		{[]string{"3", "|", "250.00"}, "[250.00]"},
	} {
		var got []string
		for _, m := range MoneyOn(line(c.words...), DotDecimal) {
			got = append(got, m.Value.String())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.words, got, c.want)
		}
	}
}
