package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// A release that announces a brand is of the company whose legal form stands elsewhere; a word that no legal form
// follows names nobody.
func TestEntity_of_a_brand(t *testing.T) {
	release := func(foot string) []string {
		return []string{"Ravelle Announces Third Quarter 2024 Results", "Ravelle sold more than ever.", "Orders of Ravelle grew.",
			"CONSOLIDATED STATEMENTS OF INCOME", "(In thousands)", "|Three Months Ended September 30,", "|2024|2023",
			"Net sales|48,210|45,077", "Cost of sales|29,104|27,930", "Gross profit|19,106|17,147", "Operating expenses|11,020|10,411",
			"Operating income|8,086|6,736", "Net income|8,086|6,736", foot}
	}
	for foot, want := range map[string]string{
		"Ravelle Footwear Holdings, Inc., 12 Mill Lane, Dover": "Ravelle Footwear Holdings, Inc.",
		"Ravelle is a maker of shoes":                          "",
	} {
		doc := readtest.Lines(t, release(foot)...)
		got := ""
		if f := doc.Facts.Statement; f != nil && f.EntityName != nil {
			got = *f.EntityName
		}
		if got != want {
			t.Errorf("%q: the entity is %q, want %q", foot, got, want)
		}
	}
}

// A name is as long as it has letters: those of most scripts take several bytes each.
func TestStatement_longNames(t *testing.T) {
	for _, name := range []string{"श्री गणेश इंजीनियरिंग प्राइवेट लिमिटेड", "ООО «Северный торговый дом и сыновья, Архангельск»", "บริษัท สยามการค้าและอุตสาหกรรม จำกัด"} {
		doc := document.Extract(sheetOf(name, "Profit and Loss", "January - December 2024", "|Total", "Sales|912,000", "Total Income|912,000", "Rent|72,000",
			"Payroll|188,000", "Total Expenses|260,000", "Net Income|652,000")).Documents[0]
		if doc.Facts.Statement == nil || doc.Facts.Statement.EntityName == nil || *doc.Facts.Statement.EntityName != name {
			t.Errorf("%s is read as %+v", name, doc.Facts.Statement)
		}
	}
}
