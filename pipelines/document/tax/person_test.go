package tax_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The owner of a Schedule SE stands below a caption of its own; what goes on of a caption is nobody.
func TestTax_personWithSelfEmployment(t *testing.T) {
	for name, want := range map[string]string{"OTIS DUNNOCK": "OTIS DUNNOCK", "SR, or 1040-NR)": "nobody"} {
		d := readtest.Lines(t, "SCHEDULE SE|Self-Employment Tax", "(Form 1040)|2022", "Department of the Treasury",
			"Name of person with self-employment income", name, "2 Net profit or loss from Schedule C|||2|54,185.")
		got := "nobody"
		if f := d.Facts.Tax; f != nil && f.Taxpayer != nil {
			got = *f.Taxpayer
		}
		if got != want {
			t.Errorf("%s: %s is the taxpayer", name, got)
		}
	}
}
