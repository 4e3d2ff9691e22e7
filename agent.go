package dossier

import "time"

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
