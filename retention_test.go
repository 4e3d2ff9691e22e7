package dossier

import (
	"testing"
	"time"
)

func TestRetention_days(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n) }
	at := func(n int) *time.Time { d := day(n); return &d }
	for name, c := range map[string]struct {
		r          Retention
		t          LeadTimes
		floor, due *time.Time
	}{
		"nothing set":                     {Retention{}, LeadTimes{Created: day(0), Closed: at(1)}, nil, nil},
		"open":                            {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromClosed}, LeadTimes{}, nil, nil},
		"closed":                          {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromClosed}, LeadTimes{Closed: at(1)}, nil, at(3)},
		"created":                         {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromCreated}, LeadTimes{Created: day(5)}, nil, at(7)},
		"last activity":                   {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromLastActivity}, LeadTimes{LastActivity: day(6)}, nil, at(8)},
		"the floor is later":              {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromClosed, FloorDays: 9, FloorFrom: FromDecision}, LeadTimes{Closed: at(1), Decision: at(1)}, at(10), at(10)},
		"the floor is earlier":            {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromClosed, FloorDays: 1, FloorFrom: FromDecision}, LeadTimes{Closed: at(1), Decision: at(1)}, at(2), at(3)},
		"no day of decision, no floor":    {Retention{LeadsAfter: 48 * time.Hour, LeadsFrom: FromClosed, FloorDays: 9, FloorFrom: FromDecision}, LeadTimes{Closed: at(1)}, nil, at(3)},
		"a floor without an age of leads": {Retention{FloorDays: 9, FloorFrom: FromCreated}, LeadTimes{Created: day(0)}, at(9), nil},
	} {
		if floor := c.r.Floor(c.t); !sameTime(floor, c.floor) {
			t.Errorf("%s: floor %v, want %v", name, floor, c.floor)
		}
		if due := c.r.LeadDue(c.t); !sameTime(due, c.due) {
			t.Errorf("%s: due %v, want %v", name, due, c.due)
		}
	}
}

func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"760d": 760 * 24 * time.Hour, "12h": 12 * time.Hour, "90m": 90 * time.Minute} {
		if got, err := ParseAge(text); err != nil || got != want || FormatAge(got) != text {
			t.Errorf("%s: %v, %v; written %s", text, got, err, FormatAge(got))
		}
	}
	for _, text := range []string{"", "d", "0d", "-1d", "1.5d", "1d2h", "30", "30s", "760D", "99999999999d"} {
		if got, err := ParseAge(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
	days := 0
	if g := (Retention{GraceDays: &days}).Grace(); g != 0 {
		t.Errorf("a grace of 0 days is %v", g)
	}
	if r := (Retention{GraceDays: &days}).OrDefault(); r.Events != DefaultEventAge || r.PipelineRuns != DefaultPipelineRunAge || r.Messages != 0 {
		t.Errorf("defaults of a part: %+v", r)
	}
	if r := (Retention{}).OrDefault(); r.IsSet() {
		t.Errorf("nothing set is %+v", r)
	}
}
