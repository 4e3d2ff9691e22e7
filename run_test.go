package dossier_test

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// The table of api.md, Workflow run status, and decisions.md section 4: what each operation makes of each state.
func TestRun_moves(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	moves := map[string]func(r *dossier.Run) (bool, error){
		"pause":    func(r *dossier.Run) (bool, error) { return r.Pause(now) },
		"resume":   func(r *dossier.Run) (bool, error) { return r.Resume(now) },
		"complete": func(r *dossier.Run) (bool, error) { return r.Complete(true, now) },
		"refused":  func(r *dossier.Run) (bool, error) { return r.Complete(false, now) },
		"cancel":   func(r *dossier.Run) (bool, error) { return r.Cancel(now) },
		"finish":   func(r *dossier.Run) (bool, error) { return r.Finish(now), nil },
	}
	for _, test := range []struct {
		from    dossier.RunStatus
		move    string
		to      dossier.RunStatus
		changed bool
		refusal string
	}{
		{"ACTIVE", "pause", "PAUSED", true, ""},
		{"PAUSED", "pause", "PAUSED", false, ""},
		{"COMPLETED", "pause", "COMPLETED", false, "This workflow run is already COMPLETED"},
		{"CANCELLED", "pause", "CANCELLED", false, "This workflow run is already CANCELLED"},
		{"ACTIVE", "resume", "ACTIVE", false, ""},
		{"PAUSED", "resume", "ACTIVE", true, ""},
		{"COMPLETED", "resume", "COMPLETED", false, "This workflow run is already COMPLETED"},
		{"CANCELLED", "resume", "CANCELLED", false, "This workflow run is already CANCELLED"},
		{"ACTIVE", "complete", "COMPLETED", true, ""},
		{"PAUSED", "complete", "COMPLETED", true, ""},
		{"COMPLETED", "complete", "COMPLETED", false, ""},
		{"CANCELLED", "complete", "CANCELLED", false, "This workflow run is already CANCELLED"},
		{"ACTIVE", "refused", "ACTIVE", false, "Runs of this workflow cannot be completed manually"},
		{"ACTIVE", "cancel", "CANCELLED", true, ""},
		{"PAUSED", "cancel", "CANCELLED", true, ""},
		{"CANCELLED", "cancel", "CANCELLED", false, ""},
		{"COMPLETED", "cancel", "COMPLETED", false, "This workflow run is already COMPLETED"},
		{"ACTIVE", "finish", "COMPLETED", true, ""},
		{"PAUSED", "finish", "PAUSED", false, ""},
		{"CANCELLED", "finish", "CANCELLED", false, ""},
	} {
		run := dossier.Run{Status: test.from}
		changed, err := moves[test.move](&run)
		refusal := ""
		if err != nil {
			refusal = err.Error()
		}
		if run.Status != test.to || changed != test.changed || refusal != test.refusal || err != nil && dossier.KindOf(err) != dossier.Conflict {
			t.Errorf("%s of %s: %s, %v, %q; want %s, %v, %q", test.move, test.from, run.Status, changed, refusal, test.to, test.changed, test.refusal)
		}
		if changed && run.UpdatedAt != now {
			t.Errorf("%s of %s does not say when", test.move, test.from)
		}
	}
}

func TestConsent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		"STOP": {true, false}, " stop! ": {true, false}, "StopAll": {true, false}, "unsubscribe": {true, false}, "Cancel.": {true, false},
		"END": {true, false}, "quit": {true, false}, "Start": {false, true}, "yes": {false, true}, "UNSTOP": {false, true},
		"Alto": {true, false}, "¡PARAR!": {true, false}, "baja": {true, false}, "cancelar": {true, false}, "darme de baja no": {},
		"stop\n\nOn Monday Ava wrote:\n> hello": {true, false},
		"please stop":                           {}, "stop it now": {}, "yes please": {}, "": {}, "cancelled": {},
	} {
		out, in := dossier.Consent(text)
		if out != want[0] || in != want[1] {
			t.Errorf("Consent(%q) = %v, %v; want %v", text, out, in, want)
		}
	}
}

func TestQuietHours_Next(t *testing.T) {
	t.Parallel()
	zone := dossier.Zone("America/New_York")
	night := dossier.QuietHours{From: "21:00", To: "08:00"}
	at := func(text string) time.Time {
		parsed, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, test := range []struct {
		hours    dossier.QuietHours
		at, want string
	}{
		{night, "2021-03-13 20:59", "2021-03-13 20:59"},
		{night, "2021-03-13 21:00", "2021-03-14 08:00"}, // the clocks change in that night
		{night, "2021-03-14 03:30", "2021-03-14 08:00"},
		{night, "2021-03-14 08:00", "2021-03-14 08:00"},
		{dossier.QuietHours{From: "12:00", To: "13:00"}, "2021-03-13 12:30", "2021-03-13 13:00"},
		{dossier.QuietHours{From: "00:00", To: "00:00"}, "2021-03-13 03:00", "2021-03-13 03:00"},
	} {
		if got := test.hours.Next(at(test.at), zone); !got.Equal(at(test.want)) {
			t.Errorf("%v at %s: %v, want %s", test.hours, test.at, got, test.want)
		}
	}
}

func TestReminderSchedule_Next(t *testing.T) {
	t.Parallel()
	zone := dossier.Zone("America/New_York")
	at := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		parsed, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	workdays := []string{"MON", "TUE", "WED", "THU", "FRI"}
	monthly := dossier.ReminderSchedule{Every: 720 * time.Hour, At: []string{"10:00"}, Weekdays: workdays}
	for _, test := range []struct {
		name        string
		schedule    dossier.ReminderSchedule
		last, after string
		want        string
	}{
		{"first, today", monthly, "", "2021-03-08 09:00", "2021-03-08 10:00"},
		{"first, too late on a Friday", monthly, "", "2021-03-12 10:00", "2021-03-15 10:00"},
		{"next, over the change of clocks", monthly, "2021-03-08 10:00", "2021-03-08 10:00", "2021-04-07 10:00"},
		{"next, on a Saturday", monthly, "2021-03-11 10:00", "2021-03-11 10:00", "2021-04-12 10:00"}, // April 10th
		{"missed for long: the next one only", monthly, "2021-03-08 10:00", "2021-08-01 00:00", "2021-08-05 10:00"},
		{"twice a day", dossier.ReminderSchedule{At: []string{"15:00", "09:00"}}, "2021-03-08 09:00", "2021-03-08 09:00", "2021-03-08 15:00"},
		{"interval, first at once", dossier.ReminderSchedule{Every: time.Hour}, "", "2021-03-08 09:00", "2021-03-08 09:00"},
		{"interval, missed ticks", dossier.ReminderSchedule{Every: time.Hour}, "2021-03-08 09:00", "2021-03-08 12:30", "2021-03-08 13:00"},
		{"interval, not on Sunday", dossier.ReminderSchedule{Every: 24 * time.Hour, Weekdays: workdays}, "2021-03-05 09:00", "2021-03-05 09:00", "2021-03-08 09:00"},
	} {
		if got := test.schedule.Next(at(test.last), at(test.after), zone); !got.Equal(at(test.want)) {
			t.Errorf("%s: %v, want %s", test.name, got.In(zone), test.want)
		}
	}
}
