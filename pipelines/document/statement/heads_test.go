package statement

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
)

// TestUnitIn reads units as headings, columns and footnotes print them; an amount in words and a unit of shares are none.
func TestUnitIn(t *testing.T) {
	for words, want := range map[string]int64{
		"(In thousands, except per share data)":                              1000,
		"(Dollars in thousands)":                                             1000,
		"(Unaudited; Dollars & Shares in Millions Except Per Share Amounts)": 1_000_000,
		"Amounts in 000's":                                                   1000,
		"($000)":                                                             1000,
		"U.S. dollars in millions":                                           1_000_000,
		"(In millions, except share and per share amounts)":                  1_000_000,
		"$ million":                              1_000_000,
		"US$ m":                                  1_000_000,
		"SEKm":                                   1_000_000,
		"Rm":                                     1_000_000,
		"R'000":                                  1000,
		"(Millions of yen)":                      1_000_000,
		"(Rs. in Lakhs)":                         100_000,
		"(₹ in crore)":                           10_000_000,
		"(en milliers d'euros)":                  1000,
		"(in Tausend EUR)":                       1000,
		"T€":                                     1000,
		"(en millones de pesos)":                 1_000_000,
		"In billions of won":                     1_000_000_000,
		"Revenue of $3.2 million":                0,
		"Weighted average shares (in thousands)": 0,
		"Number of shares outstanding in millions": 0,
		"Balance Sheet":  0,
		"2024 2023":      0,
		"1,250 thousand": 0,
		"All figures are expressed in thousands of Canadian dollars": 1000,
	} {
		unit, where, ok := unitIn(documenttest.Line(words))
		if got := map[bool]int64{true: unit}[ok]; got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
		if ok && len(where) == 0 {
			t.Errorf("%q: nowhere printed", words)
		}
	}
}
