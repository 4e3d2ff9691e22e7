package analytics

import (
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// Summary adds reports up for people: what the charts of a report show. Memory is a few bytes for each completed lead
// and day. The zero value is empty.
type Summary struct {
	Leads         int
	Channels      dossier.ChannelCounts // without times
	Interventions dossier.Interventions
	Funnel        Funnel
	created       map[time.Time]int // by day, UTC
	completed     map[time.Time]int
	took          []time.Duration // from creation to completion
}

// Funnel counts the leads that came so far. A step does not presuppose the one before it: a lead may write first.
type Funnel struct {
	Written   int // at least one message went out to it
	Answered  int // at least one message came from it
	Started   int // at least one visible required item is COMPLETED
	Collected int // all visible required items are COMPLETED, and there are some
	Completed int // the lead itself is
}

// Add counts one lead.
func (s *Summary) Add(r dossier.LeadReport) {
	if s.created == nil {
		s.created, s.completed = map[time.Time]int{}, map[time.Time]int{}
	}
	s.Leads++
	s.created[day(r.CreatedAt)]++
	all := r.Channels.All()
	step(&s.Funnel.Written, all.Outbound > 0)
	step(&s.Funnel.Answered, all.Inbound > 0)
	step(&s.Funnel.Started, r.Completion.Completed > 0)
	step(&s.Funnel.Collected, r.Completion.Required > 0 && r.Completion.Completed == r.Completion.Required)
	step(&s.Funnel.Completed, r.CompletedAt != nil)
	for i := range r.Channels {
		s.Channels[i].Inbound += r.Channels[i].Inbound
		s.Channels[i].Outbound += r.Channels[i].Outbound
	}
	s.Interventions.DocumentOverrides += r.Interventions.DocumentOverrides
	s.Interventions.Escalations += r.Interventions.Escalations
	s.Interventions.ManualUpdates += r.Interventions.ManualUpdates
	s.Interventions.MessageEdits += r.Interventions.MessageEdits
	s.Interventions.MessageRejects += r.Interventions.MessageRejects
	if r.CompletedAt != nil {
		s.completed[day(*r.CompletedAt)]++
		s.took = append(s.took, max(0, r.CompletedAt.Sub(r.CreatedAt)))
	}
}

func step(count *int, reached bool) {
	if reached {
		*count++
	}
}

func day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// Period is a stretch of time with what happened in it.
type Period struct {
	Start     time.Time // midnight UTC; of a week the Monday, of a month the first
	Created   int
	Completed int
}

// Periods are all days from the first to the last in which something happened, in order and without gaps; weeks when
// these are more than 92 days, months when they are more than two years. unit is "day", "week" or "month".
func (s *Summary) Periods() (unit string, periods []Period) {
	var first, last time.Time
	for _, counts := range []map[time.Time]int{s.created, s.completed} {
		for d := range counts {
			if first.IsZero() || d.Before(first) {
				first = d
			}
			if d.After(last) {
				last = d
			}
		}
	}
	if first.IsZero() {
		return "day", nil
	}
	unit = "day"
	switch days := last.Sub(first).Hours() / 24; {
	case days > 730:
		unit = "month"
	case days > 92:
		unit = "week"
	}
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		start := startOf(unit, d)
		if n := len(periods); n == 0 || !periods[n-1].Start.Equal(start) {
			periods = append(periods, Period{Start: start})
		}
		p := &periods[len(periods)-1]
		p.Created += s.created[d]
		p.Completed += s.completed[d]
	}
	return unit, periods
}

func startOf(unit string, d time.Time) time.Time {
	switch unit {
	case "month":
		return d.AddDate(0, 0, 1-d.Day())
	case "week":
		return d.AddDate(0, 0, -(int(d.Weekday())+6)%7)
	}
	return d
}

// Percentile is the time within which so many percent of the completed leads were completed.
type Percentile struct {
	Percent int
	Within  time.Duration
}

// TimesToComplete are the percentiles of the time from creation to completion (nearest rank); none without a
// completed lead.
func (s *Summary) TimesToComplete() []Percentile {
	if len(s.took) == 0 {
		return nil
	}
	slices.Sort(s.took)
	var list []Percentile
	for _, percent := range []int{10, 25, 50, 75, 90, 95, 99} {
		rank := (percent*len(s.took) + 99) / 100
		list = append(list, Percentile{percent, s.took[max(rank, 1)-1]})
	}
	return list
}
