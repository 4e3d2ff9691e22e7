package classify_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A document whose pages print their numbers says whether one is missing.
func TestExtract_pageNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		numbers []string
		want    string // the check's detail, "nil" without one
		warned  bool
	}{
		"all there":                 {[]string{"Page 1 of 2", "Page 2 of 2"}, "page 1 of 2 to page 2 of 2", false},
		"the last ones missing":     {[]string{"Page 1 of 4", "Page 2 of 4"}, "page 3, 4 of 4 is not there", true},
		"one in the middle missing": {[]string{"Page 1 of 3", "Page 3 of 3"}, "page 2 of 3 is not there", true},
		"a page without a number":   {[]string{"Page 1 of 2", "Continued"}, "nil", false},
		"no numbers":                {[]string{"Maple Bank", "Continued"}, "nil", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := text.Decoded{PageCount: len(c.numbers), Layer: text.LayerText}
			for i, number := range c.numbers {
				p := documenttest.Page("Maple Bank|"+number, "Account # 432-1234567", "", "Deposits", "Date|Description|Amount", "01/05|Deposit|500.00")
				if i == 0 {
					p = documenttest.Page("Maple Bank|"+number, "Statement Period: Jan 01 2024 - Jan 31 2024", "Beginning Balance|1,000.00", "Deposits|500.00", "Withdrawals|400.00", "Ending Balance|1,100.00")
				}
				p.Number = i + 1
				d.Pages = append(d.Pages, p)
			}
			got := document.Extract(d).Documents[0]
			detail, warned := "nil", false
			for _, check := range got.Checks {
				if check.Name == "all_pages_present" {
					detail = check.Detail
				}
			}
			for _, w := range got.Warnings {
				warned = warned || w == dossier.FactWarning{Code: "page_missing", Detail: "P" + detail[1:] + "."}
			}
			if detail != c.want || warned != c.warned {
				t.Errorf("said %q, warned %v", detail, warned)
			}
		})
	}
}
