package dossier

import (
	"fmt"
	"slices"
	"time"
)

// Next returns t when a message may be sent then, else the end of the quiet hours that t falls into, in the lead's
// zone. On the day the clocks change the hours are those the lead's clock shows.
func (q QuietHours) Next(t time.Time, zone *time.Location) time.Time {
	from, okFrom := clock(q.From)
	to, okTo := clock(q.To)
	if !okFrom || !okTo || from == to {
		return t
	}
	local := t.In(zone)
	now := local.Hour()*60 + local.Minute()
	switch {
	case from < to && now >= from && now < to:
		return onDay(local, 0, to)
	case from > to && now >= from:
		return onDay(local, 1, to)
	case from > to && now < to:
		return onDay(local, 0, to)
	}
	return t
}

// Next returns the first time of the schedule after `after`, in the lead's zone. last is when the reminder was due
// before, zero for the first one. Times that passed unused are not made up for.
//
// With Every and At, it is the day Every after last (whole days by the calendar, so a change of the clocks moves
// nothing), at At; a first one is at the next At. With Every alone, Every after last, the first one at once. With
// At alone, at each At. A day that is not among Weekdays passes its turn to the next that is.
func (s ReminderSchedule) Next(last, after time.Time, zone *time.Location) time.Time {
	if len(s.At) == 0 {
		return s.byInterval(last, after, zone)
	}
	day, days := after.In(zone), int(s.Every/(24*time.Hour))
	if !last.IsZero() && s.Every > 0 {
		for day = last.In(zone); !s.lastAt(day).After(after); {
			day = day.AddDate(0, 0, max(days, 1))
		}
	}
	for range 400 { // a schedule without an allowed day cannot be configured
		if s.allows(day.Weekday()) {
			for _, minute := range s.minutes() {
				if at := onDay(day, 0, minute); at.After(after) {
					return at
				}
			}
		}
		day = day.AddDate(0, 0, 1)
	}
	return time.Time{}
}

func (s ReminderSchedule) byInterval(last, after time.Time, zone *time.Location) time.Time {
	next := after
	if !last.IsZero() {
		next = last.Add(s.Every)
		if missed := after.Sub(next); missed >= 0 && s.Every > 0 {
			next = next.Add((missed/s.Every + 1) * s.Every)
		}
	}
	for range 7 {
		if s.allows(next.In(zone).Weekday()) {
			break
		}
		local := next.In(zone)
		next = onDay(local, 1, local.Hour()*60+local.Minute())
	}
	return next
}

// lastAt is the latest time of the schedule on a day.
func (s ReminderSchedule) lastAt(day time.Time) time.Time {
	minutes := s.minutes()
	return onDay(day, 0, minutes[len(minutes)-1])
}

func (s ReminderSchedule) minutes() []int {
	minutes := make([]int, len(s.At))
	for i, at := range s.At {
		minutes[i], _ = clock(at)
	}
	slices.Sort(minutes)
	return minutes
}

func (s ReminderSchedule) allows(day time.Weekday) bool {
	names := []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
	return len(s.Weekdays) == 0 || slices.Contains(s.Weekdays, names[day])
}

// onDay is a time of day, in minutes, some days after the local day of t. A time the clocks skip is the same
// distance after the gap.
func onDay(t time.Time, days, minute int) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()+days, minute/60, minute%60, 0, 0, t.Location())
}

// clock reads HH:MM as minutes of the day.
func clock(text string) (int, bool) {
	if !clockPattern.MatchString(text) {
		return 0, false
	}
	var hour, minute int
	_, err := fmt.Sscanf(text, "%d:%d", &hour, &minute)
	return hour*60 + minute, err == nil
}

// Zone is the place whose clock a lead lives by: its own zone, else its workspace's, else UTC.
func Zone(names ...string) *time.Location {
	for _, name := range names {
		if zone, err := time.LoadLocation(name); err == nil && name != "" {
			return zone
		}
	}
	return time.UTC
}
