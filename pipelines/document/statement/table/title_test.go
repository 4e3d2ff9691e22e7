package table

import (
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A title names its statement; sentences, totals and lines of a table of contents that name one are none.
func TestTitledKind(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"Balance Sheet": captions.BalanceSheet, "Consolidated Statements of Operations": captions.IncomeStatement,
		"Statement of Cash Flows": captions.CashFlow, "Profit and Loss": captions.IncomeStatement, "Bilanz": captions.BalanceSheet,
		"Statements of Stockholders' Equity": "", "Notes to the Financial Statements": "",
		"See accompanying notes to the financial statements": "none", "Net income statement": "none",
		"Total income statement adjustments": "none", "the balance sheet of the company": "none",
		"Balance Sheet .......... 12": "none", "Acme Bakery LLC": "none",
	} {
		kind, ok := TitledKind(Line{Line: documenttest.Line(words)})
		if !ok {
			kind = "none"
		}
		if kind != want {
			t.Errorf("%q is %q, want %q", words, kind, want)
		}
	}
}

// printedPage is a page of lines; what stands behind "|" ends at the right.
func printedPage(number int, lines ...string) text.Page {
	p := text.Page{Number: number, Width: 600, Height: 800, Layer: text.LayerText}
	for i, line := range lines {
		caption, figure, _ := strings.Cut(line, "|")
		y := 40 + 14*float64(i)
		tokens := documenttest.Line(caption).Tokens
		if figure != "" {
			tokens = append(tokens, text.Token{X0: 500 - 6*float64(len(figure)), X1: 500, Text: figure, Confidence: 1,
				Method: text.MethodText})
		}
		for _, token := range tokens {
			token.Page, token.Y0, token.Y1 = number, y, y+10
			if token.X1 != 500 {
				token.X0, token.X1 = token.X0+40, token.X1+40
			}
			p.Tokens = append(p.Tokens, token)
		}
	}
	return p
}

// A statement goes on on a page without a title; one with a title begins another.
func TestStatementBlocks(t *testing.T) {
	t.Parallel()
	sheet := printedPage(1, "Acme Bakery LLC", "Balance Sheet", "December 31, 2024", "Cash|5,000",
		"Accounts receivable|2,000", "Inventory|1,000", "Total current assets|8,000", "Total assets|8,000")
	owed := printedPage(2, "Accounts payable|3,000", "Total current liabilities|3,000", "Total liabilities|3,000",
		"Total equity|5,000")
	income := printedPage(3, "Income Statement", "Year ended December 31, 2024", "Sales|9,000",
		"Cost of goods sold|4,000", "Gross profit|5,000")
	for name, tc := range map[string]struct {
		pages []text.Page
		kinds []string
		parts []int
	}{
		"over two pages": {[]text.Page{sheet, owed}, []string{captions.BalanceSheet}, []int{2}},
		"two statements": {[]text.Page{sheet, owed, income}, []string{captions.BalanceSheet, captions.IncomeStatement},
			[]int{2, 1}},
		"the other way around":  {[]text.Page{income, sheet}, []string{captions.IncomeStatement, captions.BalanceSheet}, []int{1, 1}},
		"without a title above": {[]text.Page{owed}, []string{captions.BalanceSheet}, []int{1}},
	} {
		var kinds []string
		var parts []int
		for _, b := range Blocks(text.Segment{Pages: tc.pages}) {
			kinds, parts = append(kinds, b.Kind), append(parts, len(b.Parts))
		}
		if !slices.Equal(kinds, tc.kinds) || !slices.Equal(parts, tc.parts) {
			t.Errorf("%s: %q in %d parts, want %q in %d", name, kinds, parts, tc.kinds, tc.parts)
		}
	}
}
