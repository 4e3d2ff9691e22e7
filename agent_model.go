package dossier

import "slices"

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

// read answers by what a model understood; not ok: it understood nothing that the agent has an answer to.
func (s Situation) read(channel Channel, say sayer) (Step, bool) {
	reading, open := s.Reading, s.open()
	if reading == nil || !slices.Contains(Intents(), reading.Intent) || reading.Intent == IntentUnknown {
		return Step{}, false
	}
	if !reading.Sure {
		return escalated(say, "Message the agent is not sure about", s.say("unclear")), true
	}
	switch reading.Intent {
	case IntentPerson:
		return escalated(say, "Asks for a person", s.say("person")), true
	case IntentComplain:
		return escalated(say, "Complaint", s.say("complaint")), true
	case IntentDecline:
		return escalated(say, "Says they are not interested", s.say("declined")), true
	case IntentWhere:
		return say("Says where to send things", s.say("here"), nil, s.whereTo(channel, nil)), true
	case IntentPromise:
		return say("Thanks for the promise", s.say("promised"), nil, s.whereTo(channel, nil)), true
	case IntentThanks:
		return Step{Kind: StepWait, Reason: "Nothing to answer"}, true
	case IntentMissing:
		return s.sayMissing(channel, open, say), true
	case IntentWhy:
		if s.hasRefused() {
			refused := open[:s.refusedCount()]
			return say("Explains what was refused", s.say("why"), refused, s.whereTo(channel, refused)), true
		}
	case IntentItem, IntentArrived:
		if entry := s.Checklist.Entry(reading.Code); entry != nil && entry.Visible {
			return s.explain(channel, entry, reading.Intent == IntentArrived, say), true
		}
	}
	return Step{}, false
}
