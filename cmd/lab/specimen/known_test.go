package specimen

import (
	"bytes"
	"testing"
	"time"
)

// Every kind is drawn on any day, the same on the same day, and there are those of the contract.
func TestKnown(t *testing.T) {
	want := []string{"bank_statement", "bank_statement_unbalanced", "drivers_license", "drivers_license_expired", "tax_return_1040",
		"tax_return_1120s", "profit_and_loss", "balance_sheet", "encrypted", "unreadable"}
	for i, kind := range want {
		k, ok := FindKnown(kind)
		if !ok || KnownKinds()[i].Kind != kind || k.Verdict == "" {
			t.Fatalf("%s is missing or out of its place", kind)
		}
		for _, today := range []time.Time{time.Date(2026, 3, 31, 23, 0, 0, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC)} {
			data := k.Draw(today)
			if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Equal(data, k.Draw(today)) {
				t.Errorf("%s on %s: %d bytes that are no PDF, or not the same twice", kind, today.Format(time.DateOnly), len(data))
			}
		}
	}
	if _, ok := FindKnown("poem"); ok {
		t.Error("there is a kind that nobody asked for")
	}
}
