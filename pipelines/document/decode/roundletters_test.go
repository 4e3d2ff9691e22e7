package decode

import "testing"

// A recognizer takes the round O of capitals for a zero: words get their letter back, codes keep their figures.
func TestRoundLetters(t *testing.T) {
	for read, want := range map[string]string{
		"DEP0SIT": "DEPOSIT", "GR0CERY": "GROCERY", "T0": "TO", "PAYR0LL": "PAYROLL", "C0NF": "CONF",
		"K0A": "K0A", "X0X": "X0X", "AB00000": "AB00000", "W2020": "W2020", "0D": "0D", "1,020.84-0D": "1,020.84-0D", "D0000": "D0000",
	} {
		if got := zerosToLetters(read); got != want {
			t.Errorf("%s became %s, want %s", read, got, want)
		}
	}
}
