package statement_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// scannedStatement reads a page of a statement as OCR gives it; of figures in unsure it was not sure.
func scannedStatement(t *testing.T, s string, unsure ...string) *dossier.Statements {
	t.Helper()
	p := office.PageOf(1, strings.Split(s, "\n"))
	p.Layer = text.LayerScanned
	for i := range p.Tokens {
		p.Tokens[i].Method = text.MethodOCR
		p.Tokens[i].Confidence = 0.96
		if slices.Contains(unsure, p.Tokens[i].Text) {
			p.Tokens[i].Confidence = 0.55
		}
	}
	doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerScanned, Pages: []text.Page{p}}).Documents[0]
	if doc.Facts.Statement == nil {
		t.Fatalf("read as %s", doc.DocType)
	}
	return &doc.Facts.Statement.Statements
}

// columnsOf sets captions and two columns of figures, which end below each other.
func columnsOf(rows ...string) string {
	var b strings.Builder
	for _, row := range rows {
		cells := append(strings.Split(row, "|"), "", "")
		fmt.Fprintf(&b, "%-42s%14s%14s\n", cells[0], cells[1], cells[2])
	}
	return b.String()
}

// A figure that OCR misread is left out when the sums say so, and takes nothing else with it.
func TestStatement_misread(t *testing.T) {
	income := func(returns, net string) string {
		return columnsOf("Example Tools LLC", "Income Statement", "for the years ended December 31, 2023 and 2022", "|2023|2022",
			"Gross sales|1,404,000|1,044,000", "Less returns and allowances|(15,303)|"+returns, "Net sales|1,388,697|1,031,890",
			"Cost of goods sold|726,850|518,554", "Gross profit|661,847|513,336",
			"Rent|330,558|304,421", "Salaries and wages|200,000|140,000", "Total operating expenses|530,558|444,421", "Net income|131,289|"+net)
	}
	cash := func(accrued string) string {
		return columnsOf("Example Tools LLC", "Statement of Cash Flows", "for the years ended December 31, 2023 and 2022", "|2023|2022",
			"Cash flows from operating activities", "Net income|72,850|67,860", "Adjustments to reconcile net income", "Depreciation|20,000|19,708",
			"Changes in operating assets and liabilities", "Accounts receivable|(1,000)|(11,790)", "Accrued liabilities|6,380|"+accrued,
			"Net cash provided by operating activities|98,230|78,149", "Purchase of equipment|(31,125)|(27,186)", "Net cash used in investing activities|(31,125)|(27,186)",
			"Net increase in cash|67,105|50,963", "Cash, beginning of year|93,772|42,809", "Cash, end of year|160,877|93,772")
	}
	for _, c := range []struct {
		name, text string
		unsure     []string
		kind, row  string
		want       string // of 2022; "-": left out
	}{
		{"as printed", income("(12,110)", "68,915"), nil, "income", "returnsAllowances", "12110"},
		{"another digit, unsure", income("(22,110)", "68,915"), []string{"(22,110)"}, "income", "returnsAllowances", "-"},
		{"what it is taken from stays", income("(22,110)", "68,915"), []string{"(22,110)"}, "income", "grossRevenues", "1044000"},
		{"a digit lost, sure", income("(12,110)", "68,91"), nil, "income", "netIncome", "-"},
		{"a bracket read as a minus, sure", income("12,110-", "68,915"), nil, "income", "returnsAllowances", "12110"},
		{"a line of cash flows as printed", cash("2,371"), nil, "cash", "changeInAccruedLiabilities", "2371"},
		{"a line of cash flows, unsure", cash("25,901"), []string{"25,901"}, "cash", "changeInAccruedLiabilities", "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := scannedStatement(t, c.text, c.unsure...)
			columns := s.IncomeStatement
			if c.kind == "cash" {
				columns = s.CashFlow
			}
			if len(columns) != 2 {
				t.Fatalf("%d columns: %+v", len(columns), columns)
			}
			got := "-"
			if v, ok := columns[1].Values[c.row]; ok {
				got = v.String()
			}
			if got != c.want {
				t.Errorf("%s is %s, want %s; all: %v", c.row, got, c.want, columns[1].Values)
			}
		})
	}
}
