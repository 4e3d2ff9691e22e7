package captions

import "testing"

// TestFoldCaption makes captions comparable however programs dress them.
func TestFoldCaption(t *testing.T) {
	for printed, want := range map[string]string{
		"40100 · Construction Income":         "construction income",
		"Total for Operating Expense":         "total operating expense",
		"Less: accumulated depreciation":      "accumulated depreciation",
		"Accounts receivable, net (Note 4)":   "accounts receivable net",
		"IV. Expenses":                        "expenses",
		"Investments and other assets, total": "total investments and other assets",
		"Rent & Lease":                        "rent and lease",
		"Trade payables (notes 5 and 6)":      "trade payables",
		"Net income (loss)":                   "net income loss",
	} {
		if got := Fold(printed); got != want {
			t.Errorf("%q folds to %q, want %q", printed, got, want)
		}
	}
}

// TestWildMatch: a star stands for any text, and phrases without one match whole.
func TestWildMatch(t *testing.T) {
	for _, tc := range []struct {
		phrase, caption string
		want            bool
	}{
		{"income*before*taxes*", "income loss before provision for taxes on income", true},
		{"income*before*taxes*", "income taxes", false},
		{"*line of credit*", "bank line of credit payable", true},
		{"long term debt*net of current*", "long term debt net of current portion", true},
		{"long term debt*net of current*", "current portion of long term debt", false},
		{"cash", "cash on hand", false},
		{"a*b*a", "aba", true},
		{"ab*ba", "aba", false},
	} {
		if got := WildMatch(tc.phrase, tc.caption); got != tc.want {
			t.Errorf("%q matches %q: %v", tc.phrase, tc.caption, got)
		}
	}
}
