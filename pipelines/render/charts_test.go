package render

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// Losses, gaps and nothing at all can be drawn; one period is no line and gets no picture.
func TestCharts(t *testing.T) {
	for name, bars := range map[string][]bar{
		"losses": {{label: "2023", value: -5}, {label: "2024", value: 3}}, "gaps": {{label: "2023", value: math.NaN()}, {label: "2024", value: 2}}, "nothing": {{label: "2023", value: math.NaN()}, {label: "2024", value: 0}},
	} {
		chart, err := chartOf("Net income", bars)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if chart.Y.Min > 0 || chart.Y.Max < 0 || chart.Y.Min == chart.Y.Max {
			t.Errorf("%s: the axis goes from %v to %v", name, chart.Y.Min, chart.Y.Max)
		}
	}
	r := resultsOf(t, "interim_six_months")
	picture := []byte("/Subtype /Image")
	if !bytes.Contains(reportOf(t, r), picture) {
		t.Error("a report over several periods has no charts")
	}
	r.Ratios = r.Ratios[:1]
	if bytes.Contains(reportOf(t, r), picture) {
		t.Error("a report of one period has charts")
	}
}

// A chart without any value is left out and named, whether nothing is known or nothing is reliable; one with some says of
// the others why they are not there.
func TestCharts_without_values(t *testing.T) {
	charts := func(change func(r *dossier.SpreadResults)) (*report, []string) {
		r := resultsOf(t, "quickbooks_accrual")
		change(&r)
		p := &report{template: spread.Template(), r: r}
		_, missing, err := p.drawable()
		if err != nil {
			t.Fatal(err)
		}
		return p, missing
	}
	doubt := func(r *dossier.SpreadResults, key string, periods int) {
		for i := range periods {
			values := r.Statements.IncomeStatement.Periods[i].Values
			values[slices.IndexFunc(values, func(v dossier.SpreadValue) bool { return v.Key == key })].Reliable = new(bool)
		}
	}
	if _, missing := charts(func(*dossier.SpreadResults) {}); len(missing) > 0 {
		t.Errorf("left out %v", missing)
	}
	p, missing := charts(func(r *dossier.SpreadResults) { doubt(r, "ebitda", 1) })
	_, bars := p.series("ebitda")
	if len(missing) > 0 || bars[0].absent != notReliable || !math.IsNaN(bars[0].value) || math.IsNaN(bars[1].value) {
		t.Errorf("left out %v, drawn %+v", missing, bars)
	}
	if _, missing := charts(func(r *dossier.SpreadResults) { doubt(r, "ebitda", 2) }); !slices.Equal(missing, []string{"EBITDA, USD"}) {
		t.Errorf("left out %v", missing)
	}
	_, missing = charts(func(r *dossier.SpreadResults) {
		for _, ratios := range r.Ratios {
			for i := range ratios.Values {
				ratios.Values[i].Value = nil
			}
		}
	})
	if len(missing) != 2 {
		t.Errorf("left out %v", missing)
	}
}

func TestShortAmount(t *testing.T) {
	for value, want := range map[float64]string{4_557_773: "4.558M", -294_310: "-294.3K", 1.25e9: "1.25B", 950: "950", 9_610: "9,610", -1_050: "-1,050", 0.7222: "0.722"} {
		if got := shortAmount(value); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}
