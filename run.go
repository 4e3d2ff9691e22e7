package dossier

import (
	"fmt"
	"slices"
	"time"
)

// Agent talks to leads: by itself (AUTOPILOT), or by drafts that a person approves (LISTEN).
type Agent struct {
	ID AgentID
	AgentConfig
	IsActive  bool // not archived: new runs may use it
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Trigger is why an agent takes a turn.
type Trigger string

// Triggers of turns.
const (
	TriggerStart    Trigger = "START"     // the run began, or goes on after a pause
	TriggerFollowUp Trigger = "FOLLOW_UP" // time has passed without an answer
	TriggerReminder Trigger = "REMINDER"  // the schedule says so
	TriggerRefused  Trigger = "REFUSED"   // what the lead sent cannot be used
	TriggerReply    Trigger = "REPLY"     // the lead wrote
)

// MaxDailyOutreach is how many messages a lead gets on one of its days, answers to its own not counted.
const MaxDailyOutreach = 4

// Situation is everything an agent knows when its turn comes. It speaks only of what is in it.
type Situation struct {
	Now       time.Time
	Zone      *time.Location
	Quiet     QuietHours
	Trigger   Trigger
	Lead      Lead
	Checklist Checklist // resolved
	Agent     Agent
	Workflow  Workflow
	Company   string // the workspace's name for the lead
	Portal    string // address of the lead's page, "" when there is none
	Channels  map[Channel]ChannelConfig
	Dead      map[Channel]bool // what was sent there last came back: the address does not work
	Window    bool             // WhatsApp takes free words: the lead wrote there within 24 hours
	Default   Language         // the workspace's
	Notes     []Note           // what people and other systems wrote on the timeline, newest first
	Inbound   []string         // what the lead wrote last, newest first
	TestRun   bool             // started with a test key: nothing reaches a person

	Written   int           // outreach of this run before, answers not counted
	FollowUps int           // follow-ups or reminders among them
	Today     int           // outreach to the lead on its present day
	Replied   bool          // the lead wrote since the run began
	Question  *Message      // what a REPLY answers
	Refused   []RefusedFile // files of the question that cannot be used
	Reading   *Reading      // what a language model made of it, where the rules did not understand; nil: nothing
}

// StepKind is what an agent does with its turn.
type StepKind string

// Steps.
const (
	StepComplete StepKind = "complete_run" // nothing is left to do
	StepSilent   StepKind = "stay_silent"  // the lead must not, or cannot, be written to
	StepWait     StepKind = "wait"         // nothing to say now
	StepWrite    StepKind = "write_message"
)

// Step is an agent's decision. Reason is for people; Draft is set with StepWrite.
type Step struct {
	Kind     StepKind
	Reason   string
	Draft    *Draft
	Escalate string        // why a person is asked for; "" mostly
	Later    time.Duration // with StepWait: the follow-up is put off by it
	Unsure   bool          // the rules did not understand what the lead wrote
	Language Language      // in which the lead is written to
}

// Draft is a message as an agent words it.
type Draft struct {
	Channel Channel
	To      string
	Subject string // email only
	Body    string
	NotYet  time.Time // quiet hours and the daily cap permit it from then on; zero: at once

	Template []string // values of the approved WhatsApp template whose words the body has; nil: free words
}

// Drafts says whether a person approves the message first: of a LISTEN agent, and while a person handles the lead.
func (s Situation) Drafts() bool {
	return s.Agent.Mode == AgentListen || s.Lead.AssigneeType == AssigneeHuman
}

// Note is an activity entry that a person or another system wrote on the lead's timeline (api.md, create an activity
// entry).
type Note struct {
	At          time.Time
	EventType   string
	Title       string
	Description string
}

// Intent is what a lead's message wants.
type Intent string

// Intents. The agent's answers to them are those of its rules.
const (
	IntentPerson   Intent = "person"    // to talk with somebody
	IntentComplain Intent = "complaint" // something went wrong
	IntentDecline  Intent = "not_interested"
	IntentMissing  Intent = "what_is_missing"
	IntentWhere    Intent = "where_to_send"
	IntentWhy      Intent = "why_refused"
	IntentItem     Intent = "about_item" // what an item is
	IntentArrived  Intent = "did_it_arrive"
	IntentPromise  Intent = "will_send_later"
	IntentThanks   Intent = "nothing" // thanks, fine, ok
	IntentUnknown  Intent = "unknown"
)

// Intents lists them all.
func Intents() []Intent {
	return []Intent{
		IntentPerson, IntentComplain, IntentDecline, IntentMissing, IntentWhere, IntentWhy, IntentItem, IntentArrived,
		IntentPromise, IntentThanks, IntentUnknown,
	}
}

// Reading is what a language model made of a message that the rules did not understand.
type Reading struct {
	Intent Intent
	Code   string // of the item it is about; "" mostly
	Sure   bool
}

// Run is one agent conducting one workflow on one lead.
type Run struct {
	ID              RunID
	LeadID          LeadID
	AgentID         AgentID
	WorkflowID      WorkflowID
	ExternalID      *string
	Status          RunStatus
	CompletedReason *string // MANUAL or AUTOMATIC
	CreatedAt       time.Time
	UpdatedAt       time.Time
	PausedAt        *time.Time
	CompletedAt     *time.Time
	CancelledAt     *time.Time
}

// RunStatus is the state of a run (api.md, Workflow run status).
type RunStatus string

// States of a run; the last two are terminal.
const (
	RunActive    RunStatus = "ACTIVE"
	RunPaused    RunStatus = "PAUSED"
	RunCompleted RunStatus = "COMPLETED"
	RunCancelled RunStatus = "CANCELLED"
)

// Valid reports whether s is one of the four states.
func (s RunStatus) Valid() bool {
	switch s {
	case RunActive, RunPaused, RunCompleted, RunCancelled:
		return true
	}
	return false
}

// Ended reports whether the run will do nothing any more.
func (s RunStatus) Ended() bool { return s == RunCompleted || s == RunCancelled }

// Why a run is COMPLETED.
const (
	CompletedManually      = "MANUAL"
	CompletedAutomatically = "AUTOMATIC"
)

// NewRun is a run as it begins: ACTIVE (api.md, create a workflow run).
func NewRun(id RunID, lead LeadID, agent AgentID, workflow WorkflowID, now time.Time) Run {
	return Run{ID: id, LeadID: lead, AgentID: agent, WorkflowID: workflow, Status: RunActive, CreatedAt: now,
		UpdatedAt: now}
}

// Pause stops outreach and reports whether anything changed: a PAUSED run stays as it is.
// Error: Conflict (run_terminal).
func (r *Run) Pause(now time.Time) (bool, error) {
	switch r.Status {
	case RunPaused:
		return false, nil
	case RunCompleted, RunCancelled:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.UpdatedAt = RunPaused, &now, now
	return true, nil
}

// Resume lets a PAUSED run go on and reports whether anything changed: an ACTIVE run stays as it is. What was
// queued before the pause is not sent; the agent looks at the lead anew.
// Error: Conflict (run_terminal).
func (r *Run) Resume(now time.Time) (bool, error) {
	switch r.Status {
	case RunActive:
		return false, nil
	case RunCompleted, RunCancelled:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.UpdatedAt = RunActive, nil, now
	return true, nil
}

// Cancel ends the run for good and reports whether anything changed: a CANCELLED run stays as it is.
// Error: Conflict (run_terminal), when the run is COMPLETED.
func (r *Run) Cancel(now time.Time) (bool, error) {
	switch r.Status {
	case RunCancelled:
		return false, nil
	case RunCompleted:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.CancelledAt, r.UpdatedAt = RunCancelled, nil, &now, now
	return true, nil
}

// Complete ends the run because a client says so, ACTIVE or PAUSED, and reports whether anything changed: a
// COMPLETED run stays as it is. manual says whether its workflow permits that.
// Errors: Conflict (run_terminal, when the run is CANCELLED; run_not_manually_completable).
func (r *Run) Complete(manual bool, now time.Time) (bool, error) {
	switch {
	case r.Status == RunCompleted:
		return false, nil
	case r.Status == RunCancelled:
		return false, r.ended()
	case !manual:
		return false, Coded(Conflict, "run_not_manually_completable",
			"Runs of this workflow cannot be completed manually")
	}
	r.complete(CompletedManually, now)
	return true, nil
}

// Finish ends an ACTIVE run whose workflow has nothing left to do, and reports whether it did. A PAUSED run waits
// until it is resumed.
func (r *Run) Finish(now time.Time) bool {
	if r.Status != RunActive {
		return false
	}
	r.complete(CompletedAutomatically, now)
	return true
}

func (r *Run) complete(reason string, now time.Time) {
	r.Status, r.PausedAt, r.CompletedAt, r.CompletedReason, r.UpdatedAt = RunCompleted, nil, &now, &reason, now
}

func (r *Run) ended() error {
	return Coded(Conflict, "run_terminal", "This workflow run is already %s", r.Status)
}

// Workflow is what an agent does with a lead, as the workspace's file configures it.
type Workflow struct {
	ID WorkflowID
	WorkflowConfig
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Startable refuses a workflow that cannot run yet. Error: Conflict (reminder_unscheduled).
func (w Workflow) Startable() error {
	if w.Type == WorkflowReminder && w.Schedule == nil {
		return Coded(Conflict, "reminder_unscheduled", "This reminder workflow has no schedule configured yet")
	}
	return nil
}

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
		return OnDay(local, 0, to)
	case from > to && now >= from:
		return OnDay(local, 1, to)
	case from > to && now < to:
		return OnDay(local, 0, to)
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
				if at := OnDay(day, 0, minute); at.After(after) {
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
		next = OnDay(local, 1, local.Hour()*60+local.Minute())
	}
	return next
}

// lastAt is the latest time of the schedule on a day.
func (s ReminderSchedule) lastAt(day time.Time) time.Time {
	minutes := s.minutes()
	return OnDay(day, 0, minutes[len(minutes)-1])
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

// OnDay returns the time of day minute (in minutes after midnight) some days after the day of t, in t's location. A
// time that a change of the clocks skips is moved behind the gap by as much.
func OnDay(t time.Time, days, minute int) time.Time {
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
