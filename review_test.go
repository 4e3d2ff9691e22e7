package dossier

import (
	"testing"
	"time"
)

// Business days are Monday to Friday of the workspace's zone; a day is the same hour of the next of them.
func TestReviewSettings_Due(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, opened, want string
		in                 time.Duration
	}{
		{"a day on a Tuesday", "2026-11-24T10:00:00-05:00", "2026-11-25T10:00:00-05:00", 24 * time.Hour},
		{"a day on a Friday", "2026-11-27T15:30:00-05:00", "2026-11-30T15:30:00-05:00", 24 * time.Hour},
		{"Friday here, Saturday in UTC", "2026-11-28T02:00:00Z", "2026-11-30T21:00:00-05:00", 24 * time.Hour},
		{"a day on a Saturday", "2026-11-28T10:00:00-05:00", "2026-11-30T10:00:00-05:00", 24 * time.Hour},
		{"three days over a weekend", "2026-11-26T09:00:00-05:00", "2026-12-01T09:00:00-05:00", 72 * time.Hour},
		{"over the change of the clocks", "2026-10-30T09:00:00-04:00", "2026-11-02T09:00:00-05:00", 24 * time.Hour},
		{"four hours", "2026-11-24T10:00:00-05:00", "2026-11-24T14:00:00-05:00", 4 * time.Hour},
		{"four hours into the weekend", "2026-11-27T22:00:00-05:00", "2026-11-30T02:00:00-05:00", 4 * time.Hour},
		{"four hours on a Sunday", "2026-11-29T22:00:00-05:00", "2026-11-30T04:00:00-05:00", 4 * time.Hour},
		{"a day and a half", "2026-11-26T18:00:00-05:00", "2026-11-30T06:00:00-05:00", 36 * time.Hour},
	} {
		opened, _ := time.Parse(time.RFC3339, tt.opened)
		want, _ := time.Parse(time.RFC3339, tt.want)
		if got := (ReviewSettings{DueIn: tt.in}).Due(opened, zone); !got.Equal(want) {
			t.Errorf("%s: due %s, want %s", tt.name, got.In(zone), want.In(zone))
		}
	}
}

// Every code has a priority and at least two ways to decide it.
func TestReviewCodes(t *testing.T) {
	if len(ReviewCodes) != len(reviewKinds) {
		t.Errorf("%d codes are listed, %d known", len(ReviewCodes), len(reviewKinds))
	}
	for i, c := range ReviewCodes {
		if !c.Valid() || c.Priority() < 1 || len(reviewKinds[c].decisions) < 2 || i > 0 && c.Priority() < ReviewCodes[i-1].Priority() {
			t.Errorf("%s: priority %d, decisions %v", c, c.Priority(), reviewKinds[c].decisions)
		}
	}
}
