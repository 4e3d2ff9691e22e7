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

// The interval is Wilson's, by figures worked out elsewhere.
func TestReviewQuality_Share(t *testing.T) {
	for _, tt := range []struct {
		right, of        int
		share, low, high float64
	}{{8, 10, 0.8, 0.4902, 0.9433}, {412, 412, 1, 0.9908, 1}, {0, 5, 0, 0, 0.4345}, {0, 0, 0, 0, 1}} {
		share, low, high := ReviewQuality{LookedAt: tt.of, Right: tt.right}.Share()
		for _, pair := range [][2]float64{{share, tt.share}, {low, tt.low}, {high, tt.high}} {
			if diff := pair[0] - pair[1]; diff > 0.0001 || diff < -0.0001 {
				t.Errorf("%d of %d: %.4f [%.4f, %.4f], want %.4f [%.4f, %.4f]", tt.right, tt.of, share, low, high, tt.share, tt.low, tt.high)
				break
			}
		}
	}
}

// A sample is the same each time, and about the share that is wanted.
func TestSampled(t *testing.T) {
	n := 0
	for i := range 10_000 {
		id := EntryID(string(rune('a'+i%26)) + "-" + string(jsonOf(i)))
		sampled := Sampled(0.05, id)
		if again := Sampled(0.05, id); again != sampled {
			t.Fatal("two samples of one share differ")
		}
		if sampled {
			n++
			if !Sampled(0.1, id) {
				t.Errorf("%s is in the smaller sample only", id)
			}
		}
		if Sampled(0, id) || !Sampled(1, id) {
			t.Errorf("%s: of nothing, or not of all", id)
		}
	}
	if n < 400 || n > 600 {
		t.Errorf("%d of 10,000 in a sample of 5 %%", n)
	}
}
