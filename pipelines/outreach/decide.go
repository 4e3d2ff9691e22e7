// Package outreach decides what an agent says next to a lead, and words it: by rules, from the lead's own record only.
// It is pure: the store hands it a Situation while it holds the lead, and gets a Step. What a message from a lead means
// to the rules (its values, its questions) is read here too. Who is due and when, and that a message is sent, is the
// store's.
package outreach

import (
	"time"

	"github.com/dossierhq/dossier"
)

// situation is what the agent knows, with what it makes of it.
type situation struct {
	dossier.Situation
	notedLabels []string // labels of items whose value the question gave
}

// Decide chooses the agent's step by rules: what is missing, what was refused, what was asked before and when.
func Decide(known dossier.Situation) dossier.Step {
	s := newSituation(known)
	step := s.decide()
	step.Language = s.language()
	return step
}

func newSituation(known dossier.Situation) situation {
	s := situation{Situation: known}
	if s.Question != nil {
		s.notedLabels = notedAt(&s.Checklist, s.Question.CreatedAt)
	}
	return s
}

func (s situation) decide() dossier.Step {
	if done, why := s.done(); done && s.Trigger != dossier.TriggerReply {
		return dossier.Step{Kind: dossier.StepComplete, Reason: why}
	}
	if s.TestRun && !s.Lead.IsTest {
		return dossier.Step{Kind: dossier.StepSilent, Reason: "The run was started with a test key"}
	}
	if why := s.Lead.Unreachable(); why != "" {
		return dossier.Step{Kind: dossier.StepSilent, Reason: why}
	}
	channel, to, ok := s.channel()
	if !ok {
		return s.escalateUnreachable()
	}
	step := s.message(channel)
	if step.Draft == nil {
		return step
	}
	if channel == dossier.ChannelWhatsApp && !s.Window && s.Channels[channel].Provider == "twilio" {
		step.Draft = s.draftFromTemplate(s.Channels[channel].TemplateText)
	}
	step.Draft.Channel, step.Draft.To = channel, to
	if due := s.earliestSendTime(); due.After(s.Now) {
		step.Draft.NotYet = due
	}
	return step
}

// done reports whether the workflow has nothing left to do, and why.
func (s situation) done() (bool, string) {
	complete := s.Checklist.Done()
	if s.Workflow.Type == dossier.WorkflowChecklist {
		return complete, "Everything required is there"
	}
	if s.Workflow.Type != dossier.WorkflowReminder || s.Workflow.Schedule == nil {
		return false, ""
	}
	if limit := s.Workflow.Schedule.Max; limit > 0 && s.FollowUps >= limit {
		return true, "All reminders were sent"
	}
	for _, stop := range s.Workflow.Schedule.StopWhen {
		switch {
		case stop == "checklist_complete" && complete:
			return true, "The checklist is complete"
		case stop == "lead_completed" && s.Lead.Status() == dossier.LeadCompleted:
			return true, "The lead is completed"
		case stop == "reply" && s.Replied:
			return true, "The lead replied"
		}
	}
	return false, ""
}

// channel chooses the channel: that of the lead's question for an answer, else the first of the agent's channels that
// the workspace has configured and the lead can be reached on.
func (s situation) channel() (dossier.Channel, string, bool) {
	if s.Question != nil && s.Question.From != nil {
		return dossier.Channel(s.Question.Channel), *s.Question.From, true
	}
	for _, channel := range s.Agent.Channels {
		config, configured := s.Channels[channel]
		if !configured || s.Dead[channel] {
			continue
		}
		if channel == dossier.ChannelWhatsApp && config.Provider == "twilio" && !s.Window && config.TemplateText == "" {
			continue // free words would be refused
		}
		if to := s.Lead.Address(channel); to != "" {
			return channel, to, true
		}
	}
	return "", "", false
}

// escalateUnreachable is the step for a lead that none of the agent's channels reaches. When messages bounced, a person
// must find another address.
func (s situation) escalateUnreachable() dossier.Step {
	step := dossier.Step{Kind: dossier.StepSilent, Reason: "The lead has no address on the agent's channels"}
	if len(s.Dead) > 0 {
		step.Reason, step.Escalate = "The lead's addresses do not work", "The lead cannot be reached"
	}
	return step
}

// earliestSendTime returns when the message may be sent: outside quiet hours, and at most MaxDailyOutreach messages a
// day.
func (s situation) earliestSendTime() time.Time {
	due := s.Now
	if s.Trigger != dossier.TriggerReply && s.Today >= dossier.MaxDailyOutreach {
		due = dossier.OnDay(s.Now.In(s.Zone), 1, 9*60)
	}
	return s.Quiet.Next(due, s.Zone)
}
