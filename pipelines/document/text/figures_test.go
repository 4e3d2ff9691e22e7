package text

import "testing"

// rowOf is a line of words that OCR or a text layer gave, a blank of 4 points between them.
func rowOf(method string, words ...string) Line {
	l, x := Line{Page: 1}, 10.0
	for _, w := range words {
		width := 5 * float64(len([]rune(w)))
		l.Tokens = append(l.Tokens, Token{Page: 1, X0: x, X1: x + width, Y0: 10, Y1: 19, Text: w, Confidence: 0.95, Method: method})
		x += width + 4
	}
	return l
}

func TestMoneyOn_marks(t *testing.T) {
	for _, c := range []struct {
		line  Line
		style DecimalStyle
		want  string
	}{
		{rowOf(MethodText, "8.895,91", "H"), CommaDecimal, "8895.91"},
		{rowOf(MethodText, "1.143,66", "S"), CommaDecimal, "-1143.66"},
		{rowOf(MethodText, "12,00", "Soll"), CommaDecimal, "-12"},
		{rowOf(MethodOCR, "3,", "668.31-0D"), DotDecimal, "-3668.31"},
		{rowOf(MethodOCR, "14,618.69"), DotDecimal, "14618.69"},
	} {
		got := MoneyOn(c.line, c.style)
		if len(got) != 1 || got[0].Value.Decimal.String() != c.want {
			t.Errorf("%s: %v, want %s", c.line.Text(), got, c.want)
		}
	}
}

// Days without a year say nothing of the decimal mark where amounts have commas.
func TestStyleOf_days(t *testing.T) {
	var p Page
	for range 8 {
		p.Tokens = append(p.Tokens, rowOf(MethodText, "04.02", "05.02").Tokens...)
	}
	p.Tokens = append(p.Tokens, rowOf(MethodText, "1 384,57", "127,18", "934,95", "12,40").Tokens...)
	if got := StyleOf([]Page{p}); got != CommaDecimal {
		t.Error("days were taken for amounts with a point")
	}
	if got := StyleOf([]Page{{Tokens: rowOf(MethodText, "12.10", "05.11", "1,384.57").Tokens}}); got != DotDecimal {
		t.Error("small amounts with a point were taken for days")
	}
}

// Who an address belongs to, where the bank's own lines stand above it, and where a village follows the street.
func TestHolderOf_blocks(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"below the bank":          {[]string{"Severnside Bank plc", "ULRIC EASTLAKE", "14 LANTERN ROW", "WR14 4XX"}, "ULRIC EASTLAKE"},
		"village":                 {[]string{"ULRIC EASTLAKE", "14 LANTERN ROW", "LITTLE MALVERN", "WR14 4XX"}, "ULRIC EASTLAKE"},
		"number behind a street":  {[]string{"Fabian Hathersage", "Voorbeeldlaan 8", "9999 ZZ Modelstad"}, "Fabian Hathersage"},
		"a bank alone":            {[]string{"Severnside Bank plc", "Downtown Banking Center", "14 Lantern Row", "Harrowgate, PA 19699"}, ""},
		"no blank behind a comma": {[]string{"HOLLIS LARKSPUR", "6314 ALDER COURT", "FALLOW CREEK,TX 75999"}, "HOLLIS LARKSPUR"},
	} {
		var lines []Line
		for i, s := range c.lines {
			l := rowOf(MethodText, s)
			l.Tokens[0].Y0, l.Tokens[0].Y1 = 10+12*float64(i), 19+12*float64(i)
			lines = append(lines, l)
		}
		lines = Segment{Pages: []Page{{Number: 1, Width: 600, Height: 800, Tokens: joinTokens(lines)}}}.Lines()
		if got, _ := HolderOf(lines); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func joinTokens(lines []Line) []Token {
	var all []Token
	for _, l := range lines {
		all = append(all, l.Tokens...)
	}
	return all
}
