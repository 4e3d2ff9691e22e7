package render

import (
	"bytes"
	"math"
	"testing"
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

func TestShortAmount(t *testing.T) {
	for value, want := range map[float64]string{4_557_773: "4.558M", -294_310: "-294.3K", 1.25e9: "1.25B", 950: "950", 9_610: "9,610", -1_050: "-1,050", 0.7222: "0.722"} {
		if got := shortAmount(value); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}
