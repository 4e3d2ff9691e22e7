package dossier

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var testNow = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// leadIn makes a lead whose marks were set one hour apart, in the order given, the last one an hour ago.
func leadIn(marks ...LeadStatus) Lead {
	l := Lead{ID: "lead", AssigneeType: AssigneeAgent, Tags: []string{}}
	for i, mark := range marks {
		at := testNow.Add(time.Duration(i-len(marks)) * time.Hour)
		if mark == LeadReview {
			l.OpenEscalations++
			continue
		}
		l.Close(mark, at)
	}
	return l
}

func status(s LeadStatus) *LeadStatus { return &s }
func yesNo(b bool) *bool              { return &b }

// The table of api.md (Lead status) and the finer points of decisions.md and resources.md section 2, one row each.
func TestLead_Update_status(t *testing.T) {
	t.Parallel()
	const none = LeadStatus("")
	tests := []struct {
		name      string
		marks     []LeadStatus // set before, in order
		status    LeadStatus
		didOptOut *bool
		want      LeadStatus
		optedOut  bool
		turn      string // which of LeadChanges is set
		code      string // of the error
	}{
		// Any status, COMPLETED: required items still open are skipped.
		{name: "open, COMPLETED", status: LeadCompleted, want: LeadCompleted, turn: "completed"},
		{name: "in review, COMPLETED", marks: []LeadStatus{LeadReview}, status: LeadCompleted, want: LeadCompleted, turn: "completed"},
		{name: "not interested, COMPLETED", marks: []LeadStatus{LeadNotInterested}, status: LeadCompleted, want: LeadCompleted, turn: "completed"},
		{name: "opted out, COMPLETED: the opt-out stays", marks: []LeadStatus{LeadOptedOut}, status: LeadCompleted, want: LeadCompleted, optedOut: true, turn: "completed"},
		{name: "completed again: open items are skipped again", marks: []LeadStatus{LeadCompleted}, status: LeadCompleted, want: LeadCompleted, turn: "completed"},
		// Any status, NOT_INTERESTED.
		{name: "open, NOT_INTERESTED", status: LeadNotInterested, want: LeadNotInterested, turn: "not interested"},
		{name: "completed, NOT_INTERESTED", marks: []LeadStatus{LeadCompleted}, status: LeadNotInterested, want: LeadNotInterested, turn: "not interested"},
		{name: "not interested again", marks: []LeadStatus{LeadNotInterested}, status: LeadNotInterested, want: LeadNotInterested},
		// Any status, OPTED_OUT.
		{name: "open, OPTED_OUT", status: LeadOptedOut, want: LeadOptedOut, optedOut: true, turn: "opted out"},
		{name: "completed, OPTED_OUT", marks: []LeadStatus{LeadCompleted}, status: LeadOptedOut, want: LeadOptedOut, optedOut: true, turn: "opted out"},
		{name: "opted out again", marks: []LeadStatus{LeadOptedOut}, status: LeadOptedOut, want: LeadOptedOut, optedOut: true},
		{name: "opted out, then completed, OPTED_OUT is set last again", marks: []LeadStatus{LeadOptedOut, LeadCompleted}, status: LeadOptedOut, want: LeadOptedOut, optedOut: true, turn: "opted out"},
		// COMPLETED or NOT_INTERESTED, IN_PROGRESS: reopened.
		{name: "completed, IN_PROGRESS", marks: []LeadStatus{LeadCompleted}, status: LeadInProgress, want: LeadInProgress, turn: "reopened"},
		{name: "not interested, IN_PROGRESS", marks: []LeadStatus{LeadNotInterested}, status: LeadInProgress, want: LeadInProgress, turn: "reopened"},
		{name: "completed and not interested, IN_PROGRESS clears both", marks: []LeadStatus{LeadCompleted, LeadNotInterested}, status: LeadInProgress, want: LeadInProgress, turn: "reopened"},
		{name: "completed with an open escalation, IN_PROGRESS is REVIEW", marks: []LeadStatus{LeadReview, LeadCompleted}, status: LeadInProgress, want: LeadReview, turn: "reopened"},
		{name: "open, IN_PROGRESS", status: LeadInProgress, want: LeadInProgress},
		{name: "in review, IN_PROGRESS", marks: []LeadStatus{LeadReview}, status: LeadInProgress, want: LeadReview},
		{name: "opted out, IN_PROGRESS", marks: []LeadStatus{LeadOptedOut}, status: LeadInProgress, code: "opt_out_active"},
		{name: "completed and opted out, IN_PROGRESS", marks: []LeadStatus{LeadOptedOut, LeadCompleted}, status: LeadInProgress, code: "opt_out_active"},
		// didOptOut.
		{name: "didOptOut true alone", didOptOut: yesNo(true), want: LeadOptedOut, optedOut: true, turn: "opted out"},
		{name: "didOptOut true with OPTED_OUT", didOptOut: yesNo(true), status: LeadOptedOut, want: LeadOptedOut, optedOut: true, turn: "opted out"},
		{name: "didOptOut true with COMPLETED", didOptOut: yesNo(true), status: LeadCompleted, code: "opt_out_status_conflict"},
		{name: "didOptOut true with NOT_INTERESTED", didOptOut: yesNo(true), status: LeadNotInterested, code: "opt_out_status_conflict"},
		{name: "didOptOut true with IN_PROGRESS", didOptOut: yesNo(true), status: LeadInProgress, code: "opt_out_status_conflict"},
		{name: "didOptOut false with OPTED_OUT", didOptOut: yesNo(false), status: LeadOptedOut, code: "opt_out_status_conflict"},
		{name: "didOptOut false alone", marks: []LeadStatus{LeadOptedOut}, didOptOut: yesNo(false), want: LeadInProgress},
		{name: "didOptOut false on a lead completed before: that stands again", marks: []LeadStatus{LeadCompleted, LeadOptedOut}, didOptOut: yesNo(false), want: LeadCompleted},
		{name: "didOptOut false on a lead completed after", marks: []LeadStatus{LeadOptedOut, LeadCompleted}, didOptOut: yesNo(false), want: LeadCompleted},
		{name: "didOptOut false with IN_PROGRESS", marks: []LeadStatus{LeadOptedOut}, didOptOut: yesNo(false), status: LeadInProgress, want: LeadInProgress, turn: "reopened"},
		{name: "didOptOut false with COMPLETED", marks: []LeadStatus{LeadOptedOut}, didOptOut: yesNo(false), status: LeadCompleted, want: LeadCompleted, turn: "completed"},
		{name: "didOptOut false on a lead that never opted out", didOptOut: yesNo(false), want: LeadInProgress},
		// REVIEW.
		{name: "REVIEW", status: LeadReview, code: "status_not_settable"},
		{name: "in review, NOT_INTERESTED", marks: []LeadStatus{LeadReview}, status: LeadNotInterested, want: LeadNotInterested, turn: "not interested"},
		{name: "no status is no change", marks: []LeadStatus{LeadReview}, want: LeadReview},
		{name: "an unknown status", status: "DONE", code: "validation_failed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			lead := leadIn(test.marks...)
			before := lead
			upd := LeadUpdate{DidOptOut: test.didOptOut}
			if test.status != none {
				upd.Status = status(test.status)
			}
			changes, err := lead.Update(upd, "US", testNow)
			if test.code != "" {
				var e *Error
				if !errors.As(err, &e) || e.Code != test.code {
					t.Fatalf("error %v, want code %s", err, test.code)
				}
				if diff := cmp.Diff(before, lead); diff != "" {
					t.Errorf("a refused update changed the lead:\n%s", diff)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if lead.Status() != test.want || lead.DidOptOut != test.optedOut || (lead.OptOutAt != nil) != test.optedOut {
				t.Errorf("status %s, opted out %v at %v; want %s, %v", lead.Status(), lead.DidOptOut, lead.OptOutAt, test.want, test.optedOut)
			}
			if turn := turnOf(changes); turn != test.turn {
				t.Errorf("turn %q, want %q", turn, test.turn)
			}
		})
	}
}

func turnOf(c LeadChanges) string {
	switch {
	case c.Completed:
		return "completed"
	case c.NotInterested:
		return "not interested"
	case c.OptedOut:
		return "opted out"
	case c.Reopened:
		return "reopened"
	}
	return ""
}

// Only what is sent changes, null clears, and the changed fields are named.
func TestLead_Update_fields(t *testing.T) {
	t.Parallel()
	first, zone := "Ann", "Europe/Berlin"
	full := Lead{FirstName: &first, Timezone: &zone, Tags: []string{"a"}, AssigneeType: AssigneeAgent}
	human := AssigneeHuman
	tests := []struct {
		name string
		lead Lead
		upd  LeadUpdate
		want []LeadChange
	}{
		{"nothing sent", full, LeadUpdate{}, nil},
		{"the same value", full, LeadUpdate{FirstName: Set("Ann")}, nil},
		{"white space is trimmed", full, LeadUpdate{FirstName: Set("  Eve ")}, []LeadChange{{"firstName", "Eve"}}},
		{"null clears", full, LeadUpdate{FirstName: Clear[string]()}, []LeadChange{{"firstName", nil}}},
		{"an empty text clears", full, LeadUpdate{FirstName: Set(" ")}, []LeadChange{{"firstName", nil}}},
		{"several, in the order of the record", full, LeadUpdate{Website: Set("https://x.example"), LastName: Set("Lee"), MiddleName: Set("B")},
			[]LeadChange{{"middleName", "B"}, {"lastName", "Lee"}, {"website", "https://x.example"}}},
		{"assignee", full, LeadUpdate{AssigneeType: &human}, []LeadChange{{"assigneeType", "HUMAN_AGENT"}}},
		{"email verified", full, LeadUpdate{EmailVerified: yesNo(true)}, []LeadChange{{"emailVerifiedAt", testNow}}},
		{"email verified false", Lead{EmailVerifiedAt: &testNow}, LeadUpdate{EmailVerified: yesNo(false)}, []LeadChange{{"emailVerifiedAt", nil}}},
		{"a new email is not verified", Lead{Email: &first, EmailVerifiedAt: &testNow}, LeadUpdate{Email: Set("a@b.example")},
			[]LeadChange{{"email", "a@b.example"}, {"emailVerifiedAt", nil}}},
		{"tags are replaced, folded and sorted", full, LeadUpdate{Tags: &[]string{"Zoo", "vip", " VIP ", "abc"}}, []LeadChange{{"tags", []string{"abc", "vip", "Zoo"}}}},
		{"[] removes all tags", full, LeadUpdate{Tags: &[]string{}}, []LeadChange{{"tags", []string{}}}},
		{"opting out tells status, mark and time", full, LeadUpdate{DidOptOut: yesNo(true)},
			[]LeadChange{{"status", "OPTED_OUT"}, {"didOptOut", true}, {"optOutAt", testNow}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			lead := test.lead
			changes, err := lead.Update(test.upd, "US", testNow)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, changes.Fields); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLead_Update_phone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		zone      string // before; "given:" marks one that a caller gave
		phone     string // before
		upd       LeadUpdate
		wantPhone string
		wantZone  string
	}{
		{"ten digits are of the default region", "", "", LeadUpdate{PhoneNumber: Set("212 555 0142")}, "+12125550142", "America/New_York"},
		{"with country code", "", "", LeadUpdate{PhoneNumber: Set("+49 30 901820")}, "+4930901820", "Europe/Berlin"},
		{"a toll-free number has no one zone", "", "", LeadUpdate{PhoneNumber: Set("800-555-0199")}, "+18005550199", ""},
		{"what cannot be a number is kept", "", "", LeadUpdate{PhoneNumber: Set("call me")}, "call me", ""},
		{"too short is kept", "", "", LeadUpdate{PhoneNumber: Set("12")}, "12", ""},
		{"a given zone wins", "", "", LeadUpdate{PhoneNumber: Set("2125550142"), Timezone: Set("Asia/Tokyo")}, "+12125550142", "Asia/Tokyo"},
		{"a given zone stays with a new number", "given:Asia/Tokyo", "+12125550142", LeadUpdate{PhoneNumber: Set("3105550142")}, "+13105550142", "Asia/Tokyo"},
		{"an inferred zone follows the number", "America/New_York", "+12125550142", LeadUpdate{PhoneNumber: Set("3105550142")}, "+13105550142", "America/Los_Angeles"},
		{"an inferred zone goes with a number without one", "America/New_York", "+12125550142", LeadUpdate{PhoneNumber: Set("8005550199")}, "+18005550199", ""},
		{"the same number infers nothing anew", "", "+12125550142", LeadUpdate{PhoneNumber: Set("(212) 555-0142")}, "+12125550142", ""},
		{"clearing the zone", "given:Asia/Tokyo", "+12125550142", LeadUpdate{Timezone: Clear[string]()}, "+12125550142", ""},
		{"clearing the number", "America/New_York", "+12125550142", LeadUpdate{PhoneNumber: Clear[string]()}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			lead := Lead{}
			if test.phone != "" {
				lead.PhoneNumber = &test.phone
			}
			if zone := test.zone; zone != "" {
				lead.TimezoneInferred = true
				if given, ok := strings.CutPrefix(zone, "given:"); ok {
					zone, lead.TimezoneInferred = given, false
				}
				lead.Timezone = &zone
			}
			if _, err := lead.Update(test.upd, "US", testNow); err != nil {
				t.Fatal(err)
			}
			if Text(lead.PhoneNumber) != test.wantPhone || Text(lead.Timezone) != test.wantZone {
				t.Errorf("phone %q in zone %q, want %q in %q", Text(lead.PhoneNumber), Text(lead.Timezone), test.wantPhone, test.wantZone)
			}
		})
	}
}

// All faults at once, each naming its field.
func TestLead_Update_faults(t *testing.T) {
	t.Parallel()
	long := make([]rune, 256)
	for i := range long {
		long[i] = 'ü'
	}
	bad := ItemStatus("DONE")
	upd := LeadUpdate{FirstName: Set(string(long)), LastName: Set("a\x00b"), Email: Set("nobody"), Website: Set("leefoods"), ExternalPortalLink: Set("javascript:alert(1)"),
		Timezone: Set("New York"), Tags: &[]string{"ok", "", string(long[:65])},
		Items: []ItemUpdate{{Code: ""}, {Code: "X", Status: &bad}, {Code: "Y", Value: []byte(`"a\u0000"`)}}}
	_, err := new(Lead).Update(upd, "US", testNow)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Faults {
		got = append(got, f.Pointer+" "+f.Code)
	}
	want := []string{"/firstName too_long", "/lastName invalid_value", "/website invalid_value", "/externalPortalLink invalid_value", "/email invalid_value",
		"/timezone invalid_value", "/tags/1 invalid_value", "/tags/2 too_long", "/checklistItems/0/code required", "/checklistItems/1/status invalid_value",
		"/checklistItems/2/value invalid_value"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestLead_Name(t *testing.T) {
	t.Parallel()
	p := func(s string) *string { return &s }
	for want, lead := range map[string]Lead{
		"Ann B Lee":    {FirstName: p("Ann"), MiddleName: p("B"), LastName: p("Lee"), BusinessName: p("Lee Foods")},
		"Lee":          {LastName: p("Lee")},
		"Lee Foods":    {BusinessName: p("Lee Foods"), Email: p("a@b.example")},
		"a@b.example":  {Email: p("a@b.example"), PhoneNumber: p("+12125550142")},
		"+12125550142": {PhoneNumber: p("+12125550142")},
		"":             {},
	} {
		if got := lead.Name(); got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}

func TestValidEmail(t *testing.T) {
	t.Parallel()
	for email, want := range map[string]bool{
		"ann@example.com": true, "ann.lee+x@mail.example.co.uk": true, "o'brien@example.com": true, "ann@münchen.example": true,
		"ann": false, "ann@": false, "@example.com": false, "ann@example": false, "ann@@example.com": false, "ann @example.com": false,
		"Ann <ann@example.com>": false, "ann@exa mple.com": false, ".ann@example.com": false, "ann..lee@example.com": false, "ann@-x.com": false,
		"ann@example.com\n": false, "": false,
	} {
		if got := ValidEmail(email); got != want {
			t.Errorf("%q valid %v, want %v", email, got, want)
		}
	}
}
