package text

import "testing"

func TestParseMoney(t *testing.T) {
	tests := []struct {
		text, want string
		style      DecimalStyle
	}{
		{"(1,234)", "-1234", DotDecimal},
		{"- 1,234.56", "-1234.56", DotDecimal},
		{"12.34-", "-12.34", DotDecimal},
		{"$-1,234.56", "-1234.56", DotDecimal},
		{"-$1,234.56", "-1234.56", DotDecimal},
		{"$ -12.34", "-12.34", DotDecimal},
		{"($12.34)", "-12.34", DotDecimal},
		{"$(12.34)", "-12.34", DotDecimal},
		{"12.34-OD", "-12.34", DotDecimal},
		{"12.34 OD", "-12.34", DotDecimal},
		{"12.34CR", "12.34", DotDecimal},
		{"12.34 DR", "-12.34", DotDecimal},
		{"-0", "0", DotDecimal},
		{"123,456.", "123456", DotDecimal},
		{".50", "0.50", DotDecimal},
		{"12345.00", "12345.00", DotDecimal},
		{"12'345.67", "12345.67", DotDecimal},
		{"1,23,456.00", "123456.00", DotDecimal},
		{"1 234,56", "1234.56", CommaDecimal},
		{"1.234,56 €", "1234.56", CommaDecimal},
		{"-12,34", "-12.34", CommaDecimal},
		{"US$1,234.00", "1234.00", DotDecimal},
		{"USD 1,234.00", "1234.00", DotDecimal},
		{"—", "", DotDecimal},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			m, ok := ParseMoney(tt.text, tt.style)
			if !ok {
				t.Fatal("not read as money")
			}
			if tt.want == "" {
				if !m.Dash {
					t.Fatalf("want a dash, got %v", m.Value)
				}
				return
			}
			if got := m.Value.String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseMoney_refuses(t *testing.T) {
	for _, text := range []string{"12/03/2024", "1-800-869-3557", "12-34", "1.2.3", "A12", "1,23", "1,234)", "12:30", "XXXX1234", "1,2345", ""} {
		if m, ok := ParseMoney(text, DotDecimal); ok {
			t.Errorf("%q read as %s", text, m.Value)
		}
	}
}

func FuzzParseMoney(f *testing.F) {
	for _, s := range []string{"(1,234)", "$ -12.34", "12.34-OD", "1 234,56", "—"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, comma bool) {
		style := DotDecimal
		if comma {
			style = CommaDecimal
		}
		m, ok := ParseMoney(s, style)
		if ok && !m.Dash && m.Value.String() == "" {
			t.Errorf("%q: no value", s)
		}
		repairDigits(s, style)
	})
}

// words lays words out on one line, 6 units a character, parted by the gap before each.
func words(parts ...any) Line {
	l := Line{Page: 1}
	x := 0.0
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			x += float64(p)
		case string:
			w := float64(len(p)) * 6
			l.Tokens = append(l.Tokens, Token{Page: 1, X0: x, X1: x + w, Y0: 100, Y1: 110, Text: p, Confidence: 1, Method: MethodText})
			x += w + 3
		}
	}
	return l
}

// scanned is the line as OCR would give it.
func scanned(l Line) Line {
	for i := range l.Tokens {
		l.Tokens[i].Method = MethodOCR
	}
	return l
}

func TestLine_Amounts(t *testing.T) {
	tests := []struct {
		name string
		line Line
		want []string
	}{
		{"sign apart", words("Withdrawals", 100, "-", "26,557.01"), []string{"-26557.01"}},
		{"symbol far away", words("Revenue", 100, "$", 60, "1,234"), []string{"1234"}},
		{"parentheses apart", words("Loss", 80, "(", "1,234", ")"), []string{"-1234"}},
		{"range of dates", words("12/01/24", "-", "12/31/24"), nil},
		{"two columns", words("Fees", 50, "10.00", 50, "20.00"), []string{"10.00", "20.00"}},
		{"overdrawn", words("Balance", 50, "10.00", "OD"), []string{"-10.00"}},
		{"commas read as points", scanned(words("Cash", 50, "630.109", 50, "(1.654.447)")), []string{"630109", "-1654447"}},
		{"a colon for the point", scanned(words("Balance", 50, "3,913:22")), []string{"3913.22"}},
		{"a time", scanned(words("Received", 50, "12:30")), nil},
		{"the head of a figure lost", scanned(words("Gross profit", 50, ",", 2, "584,645")), nil},
		{"three decimals of a text layer", words("Rate", 50, "$0.125"), []string{"0.125"}},
		{"sign of the second", words("a", 40, "10.00", 60, "-", "20.00"), []string{"10.00", "-20.00"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range tt.line.Amounts(DotDecimal) {
				if m.Looks() {
					got = append(got, m.Value.String())
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("got %v, want %v", got, tt.want)
				}
			}
		})
	}
}
