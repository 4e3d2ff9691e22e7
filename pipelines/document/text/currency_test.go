package text

import "testing"

// Signs and IBANs say a currency; a bare dollar sign says not whose.
func TestSymbolCode(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"£12.50": "GBP", "€": "EUR", "CA$": "CAD", "US$": "USD", "$": "$",
		"R$ 5": "BRL", "₹": "INR", "12.50": ""} {
		if got := SymbolCode(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	for iban, want := range map[string]string{"DE89370400440532013000": "EUR", "GB29NWBK60161331926819": "GBP",
		"CH9300762011623852957": "CHF", "NO9386011117947": "NOK", "XX00": "", "D": ""} {
		if got := IBANCurrency(iban); got != want {
			t.Errorf("%q: %q, want %q", iban, got, want)
		}
	}
	if got := DigitsOf("(1,204.50)-"); got != "120450" {
		t.Errorf("digits %q", got)
	}
}
