package text

import (
	"fmt"
	"testing"

	"github.com/shopspring/decimal"
)

// Thousands are parted as each country parts them, and never read as decimals.
func TestParseMoney_groups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, want string
		style         DecimalStyle
	}{
		{"12,34,56,789.00", "123456789.00", DotDecimal}, // India
		{"₹ 1,00,000", "100000", DotDecimal},
		{"CHF 1'234'567.85", "1234567.85", DotDecimal}, // Switzerland
		{"1’234.50", "1234.50", DotDecimal},
		{"1\u00a0234\u00a0567,89", "1234567.89", CommaDecimal}, // France
		{"1 234 567.89", "1234567.89", DotDecimal},             // Canada, in English
		{"1.234.567", "1234567", CommaDecimal},                 // Germany, whole
		{"1.234", "1234", CommaDecimal},
		{"1.234", "1.234", DotDecimal},
		{"0,5", "0.5", CommaDecimal},
		{",50", "0.50", CommaDecimal},
		{"12,3456", "12.3456", CommaDecimal},
		{"1,234,567", "1234567", DotDecimal},
	} {
		m, ok := ParseMoney(c.printed, c.style)
		if !ok || m.Value.String() != c.want {
			t.Errorf("%q: %v, %v, want %s", c.printed, m.Value, ok, c.want)
		}
	}
}

// What goes out is negative, whichever way it is marked, and a percentage is no money.
func TestParseMoney_marks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, want, mark string
		style               DecimalStyle
	}{
		{"250.00DB", "-250.00", "DR", DotDecimal},
		{"250.00 0D", "-250.00", "OD", DotDecimal},
		{"250.00-/DEBIT", "-250.00", "DR", DotDecimal},
		{"250.00+/CREDIT", "250.00", "CR", DotDecimal},
		{"250,00 S", "-250.00", "DR", CommaDecimal},
		{"250,00 Haben", "250.00", "CR", CommaDecimal},
		{"+250.00", "250.00", "", DotDecimal},
		{"−250.00", "-250.00", "", DotDecimal}, // the sign of mathematics
		{"€ -250,00", "-250.00", "", CommaDecimal},
		{"250,00- €", "", "", CommaDecimal}, // the sign stands inside: no way to print it that is known
		{"(250.00)*", "-250.00", "", DotDecimal},
	} {
		m, ok := ParseMoney(c.printed, c.style)
		if !ok {
			if c.want != "" {
				t.Errorf("%q: not read", c.printed)
			}
			continue
		}
		if m.Value.String() != c.want || m.Mark != c.mark || !m.Signed {
			t.Errorf("%q: %s %q signed %v, want %s %q", c.printed, m.Value, m.Mark, m.Signed, c.want, c.mark)
		}
	}
	for printed, percent := range map[string]bool{"12.50%": true, "(3.25%)": true, "(3.25)%": true, "12.50": false} {
		if m, ok := ParseMoney(printed, DotDecimal); !ok || m.Percent != percent || m.Looks() == percent {
			t.Errorf("%q: %+v, %v", printed, m, ok)
		}
	}
}

// A bare integer is a year, a page or a count; cents, a symbol or groups make it money.
func TestMoney_Looks(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{"2024": false, "12": false, "12.5": false, "12.50": true, "$12": true,
		"1,234": true, "USD 7": true, "—": false, "0.125": false} {
		if m, ok := ParseMoney(printed, DotDecimal); !ok || m.Looks() != want {
			t.Errorf("%q: %v, %v, want %v", printed, m.Looks(), ok, want)
		}
	}
}

func TestParseMoney_refusesWithCommas(t *testing.T) {
	t.Parallel()
	for _, printed := range []string{"1.2.3", "12.34.56", "31.12.2024", "1,234.56", "1 23,45", "12:30", "A1,00",
		"1,234.567.890,00", "99999999999999999999999999999999999999999,00"} {
		if m, ok := ParseMoney(printed, CommaDecimal); ok {
			t.Errorf("%q read as %s", printed, m.Value)
		}
	}
}

// The letters that OCR sees in figures become figures where money comes of it, and nowhere else.
func TestAmounts_repaired(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, want string
	}{
		{"1,2O4.5O", "1204.50"},
		{"l,204.50", "1204.50"},
		{"S1,204.50", "1204.50"},
		{"1,204,50", "1204.50"},
		{"1.204.50", "1204.50"},
		{"~1,204.50", "-1204.50"},
		{"1,204..50", "1204.50"},
		{"§12.00", "512.00"},
		{"B1lO", ""},
		{"Oslo", ""},
		{"12O", ""},
	} {
		got := ""
		for _, m := range scanned(words(c.printed)).Amounts(DotDecimal) {
			if m.Looks() {
				got = m.Value.String()
			}
			if !m.Repaired {
				t.Errorf("%q is not said to be repaired", c.printed)
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.printed, got, c.want)
		}
		for _, m := range words(c.printed).Amounts(DotDecimal) {
			t.Errorf("%q of a text layer is read as %s", c.printed, m.Value)
		}
	}
}

// What stands apart on a line is joined as far as it belongs together, and no further.
func TestAmounts_joined(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line  Line
		style DecimalStyle
		want  string
	}{
		"groups of France":            {words("Solde", 60, "12", "345,67"), CommaDecimal, "[12345.67]"},
		"a count before a price":      {words("3", 40, "345,67"), CommaDecimal, "[345.67]"},
		"a code before":               {words("EUR", "1.234,56"), CommaDecimal, "[1234.56]"},
		"a code far before":           {words("EUR", 100, "1.234,56"), CommaDecimal, "[1234.56]"},
		"a symbol of another column":  {words("$", 300, "12.00"), DotDecimal, "[12.00]"},
		"credit apart":                {words("Balance", 40, "12.00", "CR"), DotDecimal, "[12.00]"},
		"credit of the next column":   {words("12.00", 40, "CR", 40, "15.00"), DotDecimal, "[12.00 15.00]"},
		"a dash for nothing, a price": {words("Fees", 40, "-", 60, "$", "5.00"), DotDecimal, "[5.00]"},
		"a sign behind":               {words("Fees", 40, "5.00", "-"), DotDecimal, "[-5.00]"},
		"parentheses and a symbol":    {words("Loss", 40, "$", "(", "5.00", ")"), DotDecimal, "[-5.00]"},
		"a percentage apart":          {words("Rate", 40, "5.00", "%"), DotDecimal, "[]"},
	} {
		got := []string{}
		for _, m := range MoneyOn(c.line, c.style) {
			got = append(got, m.Value.String())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// A torn figure of a picture is none: whole ones have cents.
func TestMoneyOn_torn(t *testing.T) {
	t.Parallel()
	if got := MoneyOn(scanned(words("$", "1,204")), DotDecimal); len(got) != 0 {
		t.Errorf("read as %v", got)
	}
	if got := MoneyOn(words("$", "1,204"), DotDecimal); len(got) != 1 {
		t.Errorf("of a text layer: %v", got)
	}
}

// The edge of a figure is that of its last digit.
func TestFigureEdge(t *testing.T) {
	t.Parallel()
	for printed, hangs := range map[string]bool{"12.50": false, "(12.50)": true, "12.50-": true, "12.50CR": true, "—": false} {
		m := words(printed).Amounts(DotDecimal)[0]
		if got := FigureEdge(m); got < m.X1 != hangs || got < m.X0 {
			t.Errorf("%q: edge %v of %v to %v", printed, got, m.X0, m.X1)
		}
		m.Cell = true
		if got := FigureEdge(m); got != m.X1 {
			t.Errorf("%q in a cell: edge %v, want %v", printed, got, m.X1)
		}
	}
}

func TestMistakable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		read, meant string
		want        bool
	}{{"18.00", "13.00", true}, {"18.00", "14.00", false}, {"18.00", "18.00", false}, {"18.00", "180.00", false},
		{"18.50", "13.60", false}, {"47.00", "41.00", true}} {
		if got := Mistakable(decimal.RequireFromString(c.read), decimal.RequireFromString(c.meant)); got != c.want {
			t.Errorf("%s for %s: %v", c.read, c.meant, got)
		}
	}
}

func TestStyleOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		printed []string
		want    DecimalStyle
	}{
		"Germany":               {[]string{"1.234,56", "12,00", "31.12.2024"}, CommaDecimal},
		"whole amounts":         {[]string{"1,234", "25,000"}, DotDecimal},
		"whole, by points":      {[]string{"1.234.000", "25.000.000"}, CommaDecimal},
		"a rate beside":         {[]string{"0.125", "1.234,56"}, CommaDecimal},
		"one misread of many":   {[]string{"1,234.56", "12.00", "7.50", "1.234,56"}, DotDecimal},
		"days beside few":       {[]string{"04.02", "05.02", "12,00"}, DotDecimal},
		"nothing at all":        {[]string{"Saldo"}, DotDecimal},
		"dates alone":           {[]string{"31.12.2024", "01.01.24"}, DotDecimal},
		"as many of both kinds": {[]string{"1.234,56", "1,234.56"}, DotDecimal},
	} {
		if got := StyleOf([]Page{{Tokens: rowOf(MethodText, c.printed...).Tokens}}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := StyleIn([]Page{{Tokens: rowOf(MethodText, "Saldo").Tokens}}, CommaDecimal); got != CommaDecimal {
		t.Error("a part that says nothing is not as the whole")
	}
}
