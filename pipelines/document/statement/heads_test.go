package statement

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// printedLine is a line of words, a space apart.
func printedLine(words string) text.Line {
	l := text.Line{Page: 1, Y1: 10}
	x := 0.0
	for w := range strings.FieldsSeq(words) {
		width := 6 * float64(len([]rune(w)))
		l.Tokens = append(l.Tokens, text.Token{Page: 1, X0: x, X1: x + width, Y1: 10, Text: w, Confidence: 1, Method: text.MethodText})
		x += width + 4
	}
	l.X1 = x
	return l
}

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
		unit, where, ok := unitIn(printedLine(words))
		if got := map[bool]int64{true: unit}[ok]; got != want {
			t.Errorf("%q: %d, want %d", words, got, want)
		}
		if ok && len(where) == 0 {
			t.Errorf("%q: nowhere printed", words)
		}
	}
}

// TestCurrencyIn names a currency only where one is printed: a bare dollar, a country or a region is none.
func TestCurrencyIn(t *testing.T) {
	for words, want := range map[string]string{
		"(in millions of United States dollars)": "USD", "US$ million": "USD", "All amounts in USD": "USD",
		"(Expressed in thousands of Canadian dollars)": "CAD", "C$ millions": "CAD", "AUD": "AUD", "NZ$000": "NZD",
		"(Millions of yen)": "JPY", "SEKm": "SEK", "£000": "GBP", "TEUR": "EUR", "(in euro's)": "EUR", "RMB in thousands": "CNY",
		"(Rs. in Lakhs)": "INR", "R$ million": "BRL", "HK$ million": "HKD", "(AED)": "AED", "T CHF": "CHF", "R'000": "ZAR", "Rm": "ZAR",
		"N'000": "NGN", "(Amounts in KShs '000)": "KES", "RM'000": "MYR", "za rok 2023 (w zł)": "PLN", "PKR in thousands": "PKR",
		"(in COP)": "COP", "NIS in thousands": "ILS", "In millions of Korean won": "KRW", "Belopp i kronor": "SEK",
		"COP SECURITY LLC": "", "The PEN Shop Inc.": "", "We won awards": "", "NIS Group plc": "",
		"$ in thousands": "", "Sales in Canada": "", "European operations": "", "Balance Sheet": "", "United States": "", "Mexico": "",
	} {
		if got, _ := currencyIn(printedLine(words)); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestReadPeriodText reads the headings of columns.
func TestReadPeriodText(t *testing.T) {
	for _, tc := range []struct {
		text, start, end string
		months           int
	}{
		{"Three Months Ended June 30, 2024", "", "2024-06-30", 3},
		{"Year ended 31 March 2024", "", "2024-03-31", 12},
		{"Jan - Dec 24", "2024-01-01", "2024-12-31", 12},
		{"January through June 2024", "2024-01-01", "2024-06-30", 6},
		{"Jan 24", "2024-01-01", "2024-01-31", 1},
		{"MAR 2024", "2024-03-01", "2024-03-31", 1},
		{"01 Jan 2024 To 31 Dec 2024", "2024-01-01", "2024-12-31", 12},
		{"As of December 31, 2024", "", "2024-12-31", 0},
		{"Q3 2024", "2024-07-01", "2024-09-30", 3},
		{"6 months ended 30 September 2023", "", "2023-09-30", 6},
		{"Quarter ended March 31, 2025", "", "2025-03-31", 3},
		{"Income statement", "", "", 0},
	} {
		p := readPeriodText(tc.text, text.MonthFirst)
		got := [2]string{}
		if p.start != nil {
			got[0] = p.start.String()
		}
		if p.end != nil {
			got[1] = p.end.String()
		}
		months := 0
		if p.months != nil {
			months = *p.months
		}
		if got != [2]string{tc.start, tc.end} || months != tc.months {
			t.Errorf("%q: %v, %d months, want %s to %s, %d months", tc.text, got, months, tc.start, tc.end, tc.months)
		}
	}
	for words, want := range map[string]columnRole{
		"% of Sales": anotherColumn, "$ Change": anotherColumn, "Budget": anotherColumn, "over Budget": anotherColumn, "Notes": anotherColumn,
		"Variance": anotherColumn, "Total": totalColumn, "Amount": totalColumn, "Actual": totalColumn, "2024": periodColumn,
	} {
		if got := columnPeriod([]string{words}, text.MonthFirst).role; got != want {
			t.Errorf("%q has the role %d, want %d", words, got, want)
		}
	}
}

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
		if got := foldCaption(printed); got != want {
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
		if got := wildMatch(tc.phrase, tc.caption); got != tc.want {
			t.Errorf("%q matches %q: %v", tc.phrase, tc.caption, got)
		}
	}
}

// The number of a form is no year; a year beside a word is.
func TestWithoutFormNumbers(t *testing.T) {
	for printed, want := range map[string]string{
		"DGFiP N° 2051 Exercice 2023": "DGFiP N° Exercice 2023",
		"Form 2050 2023":              "Form 2023",
		"Exercice 2051 2050":          "Exercice 2051 2050",
	} {
		l := statementLine{Line: printedLine(printed)}
		if got := text.Join(withoutFormNumbers([]statementLine{l})[0].Tokens); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
