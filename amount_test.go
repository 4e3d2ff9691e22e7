package dossier

import (
	"fmt"
	"testing"
)

func TestAmount_Format(t *testing.T) {
	a, _ := ParseAmount("50.00")
	if got := fmt.Sprintf("%s %v", a, a); got != "50.00 50.00" {
		t.Errorf("an amount lost its places in a message: %s", got)
	}
}

// Amounts are grouped by thousands and keep their places.
func TestAmount_Grouped(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"2967.65": "2,967.65", "-1234567.5": "-1,234,567.5", "999": "999",
		"0": "0", "1000.00": "1,000.00", "-12": "-12"} {
		a, err := ParseAmount(printed)
		if err != nil || a.Grouped() != want {
			t.Errorf("%s: %q, %v, want %q", printed, a.Grouped(), err, want)
		}
	}
}
