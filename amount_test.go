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
