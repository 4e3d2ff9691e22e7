package analytics

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

// Percentiles are nearest ranks, days without anything are there, and each funnel step counts what its words say.
func TestSummary(t *testing.T) {
	t.Parallel()
	var s Summary
	start := time.Date(2026, 3, 1, 22, 0, 0, 0, time.FixedZone("", 3600))
	for i := range 10 {
		r := dossier.LeadReport{CreatedAt: start}
		if i < 4 {
			done := start.Add(time.Duration(i+1) * 24 * time.Hour)
			r.CompletedAt = &done
		}
		if i < 6 {
			r.Channels.Of(dossier.ChannelSMS).Outbound = 2
		}
		if i == 0 {
			r.Channels.Of(dossier.ChannelEmail).Inbound = 1
			r.Interventions.MessageEdits = 3
			r.Completion = dossier.Completion{Required: 2, Completed: 2}
		}
		if i == 1 {
			r.Completion = dossier.Completion{Required: 2, Completed: 1}
		}
		s.Add(r)
	}
	if diff := cmp.Diff(Funnel{Written: 6, Answered: 1, Started: 2, Collected: 1, Completed: 4}, s.Funnel); diff != "" {
		t.Error("funnel: -want +got\n", diff)
	}
	var within []string
	for _, p := range s.TimesToComplete() {
		within = append(within, fmt.Sprint(p.Percent, " ", p.Within.Hours()/24))
	}
	if diff := cmp.Diff([]string{"10 1", "25 1", "50 2", "75 3", "90 4", "95 4", "99 4"}, within); diff != "" {
		t.Error("percentiles: -want +got\n", diff)
	}
	unit, periods := s.Periods()
	var days []string
	for _, p := range periods {
		days = append(days, fmt.Sprint(p.Start.Format("0102"), " ", p.Created, " ", p.Completed))
	}
	if diff := cmp.Diff([]string{"0301 10 0", "0302 0 1", "0303 0 1", "0304 0 1", "0305 0 1"}, days); unit != "day" || diff != "" {
		t.Error(unit, diff)
	}
	if s.Leads != 10 || s.Channels.Of(dossier.ChannelSMS).Outbound != 12 || s.Interventions.MessageEdits != 3 {
		t.Errorf("%+v", s)
	}
}

func TestSummary_long_ranges(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]string{92: "day 93", 93: "week 14", 730: "week 105", 731: "month 25"} {
		var s Summary
		first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) // a Monday
		s.Add(dossier.LeadReport{CreatedAt: first})
		s.Add(dossier.LeadReport{CreatedAt: first.AddDate(0, 0, days)})
		unit, periods := s.Periods()
		if got := fmt.Sprint(unit, " ", len(periods)); got != want {
			t.Errorf("%d days: %s, want %s", days, got, want)
		}
	}
	var none Summary
	if _, periods := none.Periods(); len(periods) != 0 || none.TimesToComplete() != nil {
		t.Error("nothing happened, and something is shown")
	}
}
