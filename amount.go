package dossier

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/shopspring/decimal"
)

// Amount is money as printed: a decimal that keeps its number of places, in full units of its currency.
// It is never a float. In JSON it is a string without separators ("-1234.50").
type Amount struct{ decimal.Decimal }

// ParseAmount reads a plain decimal such as "-1234.50". Separators and signs of other styles are the
// document reader's business.
func ParseAmount(s string) (Amount, error) {
	d, err := decimal.NewFromString(s)
	if err != nil {
		return Amount{}, Errorf(Invalid, "%q is not a decimal amount", s)
	}
	return Amount{d}, nil
}

// String prints the amount with the places it has: "50.00" stays "50.00".
func (a Amount) String() string {
	if places := -a.Exponent(); places > 0 {
		return a.StringFixed(places)
	}
	return a.StringFixed(0)
}

// Format prints the amount as String does for every verb: the decimal inside would drop the places.
func (a Amount) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.String()) }

// MarshalJSON writes the amount as a string.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(`"` + a.String() + `"`), nil }

// UnmarshalJSON reads a decimal string, or a JSON number.
func (a *Amount) UnmarshalJSON(data []byte) error {
	parsed, err := ParseAmount(string(bytes.Trim(data, `"`)))
	if err != nil {
		return fmt.Errorf("amount: %w", err)
	}
	*a = parsed
	return nil
}

// Grouped prints the amount as amounts are printed: "2,967.65".
func (a Amount) Grouped() string { return moneyText(a.String()) }

// moneyText writes a decimal as amounts are printed: "2,967.65".
func moneyText(s string) string {
	if _, err := decimal.NewFromString(s); err != nil {
		return s
	}
	sign, whole, places := "", s, ""
	if strings.HasPrefix(s, "-") {
		sign, whole = "-", s[1:]
	}
	if i := strings.IndexByte(whole, '.'); i >= 0 {
		whole, places = whole[:i], whole[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + places
}
