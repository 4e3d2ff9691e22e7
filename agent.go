package dossier

import (
	"strings"
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
	Spoken    Language         // the workspace's
	Notes     []Note           // what people and other systems wrote on the timeline, newest first
	Heard     []string         // what the lead wrote last, newest first
	TestRun   bool             // started with a test key: nothing reaches a person

	Written   int           // outreach of this run before, answers not counted
	FollowUps int           // follow-ups or reminders among them
	Today     int           // outreach to the lead on its present day
	Replied   bool          // the lead wrote since the run began
	Question  *Message      // what a REPLY answers
	Refused   []RefusedFile // files of the question that cannot be used
	Noted     []string      // labels of items whose value the question gave
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

// Decide chooses the agent's step by rules: what is missing, what was refused, what was asked before and when.
func (s Situation) Decide() Step {
	if done, why := s.done(); done && s.Trigger != TriggerReply {
		return Step{Kind: StepComplete, Reason: why}
	}
	if s.TestRun {
		return Step{Kind: StepSilent, Reason: "The run was started with a test key"}
	}
	if why := s.Lead.Unreachable(); why != "" {
		return Step{Kind: StepSilent, Reason: why}
	}
	channel, to, ok := s.channel()
	if !ok {
		return s.unreached()
	}
	step := s.words(channel)
	if step.Draft == nil {
		return step
	}
	if channel == ChannelWhatsApp && !s.Window && s.Channels[channel].Provider == "twilio" {
		step.Draft = s.approved(s.Channels[channel].TemplateText)
	}
	step.Draft.Channel, step.Draft.To = channel, to
	if due := s.permitted(); due.After(s.Now) {
		step.Draft.NotYet = due
	}
	return step
}

// Drafts says whether a person approves the message first: of a LISTEN agent, and while a person handles the lead.
func (s Situation) Drafts() bool {
	return s.Agent.Mode == AgentListen || s.Lead.AssigneeType == AssigneeHuman
}

// done says whether the workflow has nothing left to do.
func (s Situation) done() (bool, string) {
	complete := s.Checklist.Done()
	if s.Workflow.Type == WorkflowChecklist {
		return complete, "Everything required is there"
	}
	if s.Workflow.Type != WorkflowReminder || s.Workflow.Schedule == nil {
		return false, ""
	}
	if limit := s.Workflow.Schedule.Max; limit > 0 && s.FollowUps >= limit {
		return true, "All reminders were sent"
	}
	for _, stop := range s.Workflow.Schedule.StopWhen {
		switch {
		case stop == "checklist_complete" && complete:
			return true, "The checklist is complete"
		case stop == "lead_completed" && s.Lead.Status() == LeadCompleted:
			return true, "The lead is completed"
		case stop == "reply" && s.Replied:
			return true, "The lead replied"
		}
	}
	return false, ""
}

// Unreachable says why a lead is never written to, or "".
func (l Lead) Unreachable() string {
	switch {
	case l.IsTest:
		return "Test leads are never written to"
	case l.DidOptOut:
		return "The lead has opted out"
	case l.ClosingStatus != nil && *l.ClosingStatus == LeadNotInterested:
		return "The lead is not interested"
	case l.ClosingStatus != nil:
		return "The lead is completed"
	}
	return ""
}

// channel chooses the way: an answer goes where the question came from, else the agent's first channel that the
// workspace has and the lead can be reached on.
func (s Situation) channel() (Channel, string, bool) {
	if s.Question != nil && s.Question.From != nil {
		return Channel(s.Question.Channel), *s.Question.From, true
	}
	for _, channel := range s.Agent.Channels {
		config, configured := s.Channels[channel]
		if !configured || s.Dead[channel] {
			continue
		}
		if channel == ChannelWhatsApp && config.Provider == "twilio" && !s.Window && config.TemplateText == "" {
			continue // free words would be refused
		}
		if to := s.Lead.Address(channel); to != "" {
			return channel, to, true
		}
	}
	return "", "", false
}

// unreached is for a lead that none of the agent's channels leads to. Where what was sent came back, a person must
// find another way.
func (s Situation) unreached() Step {
	step := Step{Kind: StepSilent, Reason: "The lead has no address on the agent's channels"}
	if len(s.Dead) > 0 {
		step.Reason, step.Escalate = "The lead's addresses do not work", "The lead cannot be reached"
	}
	return step
}

// Address is where a lead is reached on a channel, or "".
func (l Lead) Address(channel Channel) string {
	if channel == ChannelEmail {
		return text(l.Email)
	}
	if phone := text(l.PhoneNumber); strings.HasPrefix(phone, "+") {
		return phone // what did not parse as a number cannot be called
	}
	return ""
}

// permitted is when the message may go: never in quiet hours, and not more than MaxDailyOutreach on a day.
func (s Situation) permitted() time.Time {
	due := s.Now
	if s.Trigger != TriggerReply && s.Today >= MaxDailyOutreach {
		due = onDay(s.Now.In(s.Zone), 1, 9*60)
	}
	return s.Quiet.Next(due, s.Zone)
}

// NextFollowUp is when the agent acts again after a message it wrote, zero when it does not.
func (s Situation) NextFollowUp(last time.Time) time.Time {
	switch {
	case s.Workflow.Type == WorkflowChecklist && s.Workflow.FollowUps != nil && s.FollowUps < s.Workflow.FollowUps.Max:
		return s.Quiet.Next(s.Now.Add(s.Workflow.FollowUps.Every), s.Zone)
	case s.Workflow.Type == WorkflowReminder && s.Workflow.Schedule != nil:
		if limit := s.Workflow.Schedule.Max; limit > 0 && s.FollowUps >= limit {
			return time.Time{}
		}
		return s.Quiet.Next(s.Workflow.Schedule.Next(last, s.Now, s.Zone), s.Zone)
	}
	return time.Time{}
}
