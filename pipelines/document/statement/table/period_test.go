package table

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

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
		if got, _ := CurrencyIn(documenttest.Line(words)); got != want {
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
		p := ReadPeriod(tc.text, text.MonthFirst)
		got := [2]string{}
		if p.Start != nil {
			got[0] = p.Start.String()
		}
		if p.End != nil {
			got[1] = p.End.String()
		}
		months := 0
		if p.Months != nil {
			months = *p.Months
		}
		if got != [2]string{tc.start, tc.end} || months != tc.months {
			t.Errorf("%q: %v, %d months, want %s to %s, %d months", tc.text, got, months, tc.start, tc.end, tc.months)
		}
	}
	for words, want := range map[string]columnRole{
		"% of Sales": AnotherColumn, "$ Change": AnotherColumn, "Budget": AnotherColumn, "over Budget": AnotherColumn, "Notes": AnotherColumn,
		"Variance": AnotherColumn, "Total": TotalColumn, "Amount": TotalColumn, "Actual": TotalColumn, "2024": PeriodColumn,
	} {
		if got := columnPeriod([]string{words}, text.MonthFirst).Role; got != want {
			t.Errorf("%q has the role %d, want %d", words, got, want)
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
		l := Line{Line: documenttest.Line(printed)}
		if got := text.Join(withoutFormNumbers([]Line{l})[0].Tokens); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a column's heading leaves open the title says, and nothing that the heading says itself.
func TestStatementPeriod_withTitle(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		heading, title string
		instant        bool
		start, end     string
		months         int
	}{
		{"Total", "January through June 2024", false, "2024-01-01", "2024-06-30", 6},
		{"YTD", "6 months ended 30 September 2023", false, "", "2023-09-30", 6},
		{"Jan 24", "January through June 2024", false, "2024-01-01", "2024-01-31", 1},
		{"Year ended 31 March 2024", "Quarter ended March 31, 2025", false, "", "2024-03-31", 12},
		{"Total", "As of December 31, 2024", true, "", "2024-12-31", 0},
		{"Total", "January through June 2024", true, "", "2024-06-30", 0},
	} {
		p := columnPeriod([]string{tc.heading}, text.MonthFirst)
		title := ReadPeriod(tc.title, text.MonthFirst)
		p.withTitle([]Period{title}, tc.title, tc.instant, text.MonthFirst)
		start, end, months := "", "", 0
		if p.Start != nil {
			start = p.Start.String()
		}
		if p.End != nil {
			end = p.End.String()
		}
		if p.Months != nil {
			months = *p.Months
		}
		if start != tc.start || end != tc.end || months != tc.months {
			t.Errorf("%q below %q: %s to %s, %d months; want %s to %s, %d", tc.heading, tc.title, start, end, months,
				tc.start, tc.end, tc.months)
		}
	}
}
