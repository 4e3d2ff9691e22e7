package outreach

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// answerFromReading answers from a language model's reading of the message; false when the agent has no answer to it.
func (s situation) answerFromReading(channel dossier.Channel, reply replier) (dossier.Step, bool) {
	reading, open := s.Reading, s.open()
	if reading == nil || !slices.Contains(dossier.Intents(), reading.Intent) ||
		reading.Intent == dossier.IntentUnknown {
		return dossier.Step{}, false
	}
	if !reading.Sure {
		return escalated(reply, "Message the agent is not sure about", s.translate("unclear")), true
	}
	switch reading.Intent {
	case dossier.IntentPerson:
		return escalated(reply, "Asks for a person", s.translate("person")), true
	case dossier.IntentComplain:
		return escalated(reply, "Complaint", s.translate("complaint")), true
	case dossier.IntentDecline:
		return escalated(reply, "Says they are not interested", s.translate("declined")), true
	case dossier.IntentWhere:
		return reply("Says where to send things", s.translate("here"), nil, s.uploadHint(channel, nil)), true
	case dossier.IntentPromise:
		return reply("Thanks for the promise", s.translate("promised"), nil, s.uploadHint(channel, nil)), true
	case dossier.IntentThanks:
		return dossier.Step{Kind: dossier.StepWait, Reason: "Nothing to answer"}, true
	case dossier.IntentMissing:
		return s.listMissing(channel, open, reply), true
	case dossier.IntentWhy:
		if s.hasRefused() {
			refused := open[:s.refusedCount()]
			return reply("Explains what was refused", s.translate("why"), refused, s.uploadHint(channel, refused)), true
		}
	case dossier.IntentItem, dossier.IntentArrived:
		if entry := s.Checklist.Entry(reading.Code); entry != nil && entry.Visible {
			return s.explain(channel, entry, reading.Intent == dossier.IntentArrived, reply), true
		}
	}
	return dossier.Step{}, false
}
