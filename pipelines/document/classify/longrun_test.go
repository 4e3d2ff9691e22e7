package classify_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// bankPage looks like a statement of a deposit account; form1040 and schedule like pages of a return.
var (
	bankPage = []string{"Business Checking", "Statement Period|03/01/2024 - 03/31/2024", "Beginning Balance|8,100.25", "Deposits and Credits|5,000.00",
		"Withdrawals and Debits|3,600.00", "Ending Balance|9,500.25"}
	form1040 = []string{"Form 1040|Department of the Treasury-Internal Revenue Service|2023", "U.S. Individual Income Tax Return|OMB No. 1545-0074", "Filing Status|X Single"}
	deducted = []string{"SCHEDULE A|Itemized Deductions|OMB No. 1545-0074", "(Form 1040)|Attach to Form 1040 or 1040-SR.|2023", "Department of the Treasury",
		"4|Subtract line 3 from line 1|4|1,200"}
	prose   = []string{"How we think about lending", "Our customers ask us what to bring to a meeting."}
	balance = []string{"Consolidated Balance Sheets", "Total current assets|812,000|799,000", "Total assets|1,200,000|1,100,000", "Total liabilities|700,000|650,000", "Retained earnings|500,000|450,000"}
	bill    = []string{"Our electric utility segment", "Electric energy usage in kwh|4,120", "Water and sewer meter readings|212", "Total amount due|95.00"}
)

// between gives pages a running head, and a number at the foot when first is not 0.
func between(head string, first int, bodies ...[]string) text.Decoded {
	d := text.Decoded{PageCount: len(bodies), Layer: text.LayerText}
	for i, body := range bodies {
		lines := append([]string{head}, body...)
		for len(lines) < 12 {
			lines = append(lines, fmt.Sprintf("line %c of a page", 'a'+len(lines)))
		}
		if first > 0 {
			lines = append(lines, fmt.Sprint(first+i))
		}
		p := documenttest.Page(lines...)
		p.Number, p.Height = i+1, 210
		for k := range p.Tokens {
			p.Tokens[k].Page = i + 1
		}
		d.Pages = append(d.Pages, p)
	}
	return d
}

// found is the types of the documents of a file with their pages.
func found(d text.Decoded) []string {
	var all []string
	for _, doc := range document.Extract(d).Documents {
		all = append(all, fmt.Sprintf("%s %d-%d", doc.DocType, doc.Pages[0], doc.Pages[1]))
	}
	return all
}

// A long document is one whatever its pages show: what its edges print holds it together.
func TestSegments_long(t *testing.T) {
	t.Parallel()
	report := [][]string{{"Annual Report"}, prose, bill, balance, prose, bankPage, prose, balance}
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"report with numbers":      {between("", 1, report...), []string{"financial_statement 1-8"}},
		"report with running head": {between("Northgate Industries Annual Report", 0, report...), []string{"financial_statement 1-8"}},
		"guide with a statement":   {between("", 1, prose, prose, prose, bankPage, prose, prose, prose), []string{"other 1-7"}},
		"statements of two months": {between("Harbor Bank of Eastbrook", 0, bankPage, changed(bankPage, 1, "Statement Period|04/01/2024 - 04/30/2024")), []string{"bank_statement 1-1", "bank_statement 2-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func changed(lines []string, i int, line string) []string {
	out := append([]string(nil), lines...)
	out[i] = line
	return out
}

// A schedule goes with its return, and has its own name where it comes alone.
func TestSegments_schedules(t *testing.T) {
	t.Parallel()
	file := func(bodies ...[]string) text.Decoded {
		d := text.Decoded{PageCount: len(bodies), Layer: text.LayerText}
		for i, body := range bodies {
			p := documenttest.Page(body...)
			p.Number = i + 1
			d.Pages = append(d.Pages, p)
		}
		return d
	}
	docs := document.Extract(file(form1040, deducted)).Documents
	if len(docs) != 1 || docs[0].Facts.Tax == nil || *docs[0].Facts.Tax.Form != "1040" {
		t.Errorf("a return with its schedule: %d documents", len(docs))
	}
	docs = document.Extract(file(deducted)).Documents
	if len(docs) != 1 || docs[0].DocType != dossier.DocTaxReturn || *docs[0].Facts.Tax.Form != "1040 Schedule A" {
		t.Errorf("a schedule alone: %v", found(file(deducted)))
	}
}
