package dossier

import (
	"fmt"
	"regexp"
	"strings"
)

// How long a message may be: two text messages' worth with room for a long link, and what people still read.
var maxBody = map[Channel]int{ChannelSMS: 480, ChannelWhatsApp: 1000, ChannelEmail: 4000}

// How many open items a message names; the rest is counted.
var maxNamed = map[Channel]int{ChannelSMS: 3, ChannelWhatsApp: 5, ChannelEmail: 8}

// words finds what to say on a channel. A step without a draft says nothing.
func (s Situation) words(channel Channel) Step {
	switch {
	case s.Trigger == TriggerReply:
		return s.answer(channel)
	case s.Workflow.Type == WorkflowReminder:
		return s.remind(channel)
	case s.Workflow.Type == WorkflowSupport:
		return Step{Kind: StepWait, Reason: "Waits for questions"}
	}
	return s.ask(channel)
}

// ask requests what is missing, what was refused first.
func (s Situation) ask(channel Channel) Step {
	open := s.open()
	one := len(open) == 1
	var opening, reason string
	switch {
	case s.Trigger == TriggerRefused && !s.hasRefused():
		return Step{Kind: StepWait, Reason: "What was refused has been put right"}
	case s.Trigger == TriggerRefused:
		open = open[:s.refusedCount()]
		opening, reason = "thank you for what you sent. One thing is not right yet:", "What the lead sent cannot be used"
		if s.refusedCount() > 1 {
			opening = "thank you for what you sent. A few things are not right yet:"
		}
	case s.Written == 0:
		opening, reason = fmt.Sprintf("this is %s from %s. To complete your file we need:", s.Agent.Name, s.Company), "Asks for what is missing"
	case s.lastOne():
		opening, reason = "this is my last reminder. Your file can go on as soon as we have:", "Asks a last time"
	case s.FollowUps%2 == 0:
		opening, reason = fmt.Sprintf("%s from %s again. %s still missing:", s.Agent.Name, s.Company, choose(one, "One thing is", "A few things are")), "Asks again"
	default:
		opening, reason = "a short reminder. We are still waiting for:", "Asks again"
	}
	return Step{Kind: StepWrite, Reason: reason, Draft: s.compose(channel, s.greeting()+opening, open, s.whereTo(channel))}
}

// lastOne says whether the cap leaves no further follow-up.
func (s Situation) lastOne() bool {
	return s.Trigger == TriggerFollowUp && s.Workflow.FollowUps != nil && s.Workflow.FollowUps.Max > 1 && s.FollowUps+1 == s.Workflow.FollowUps.Max
}

// remind fills in the workflow's own message.
func (s Situation) remind(channel Channel) Step {
	template := s.Workflow.Message
	if template == "" {
		return Step{Kind: StepWrite, Reason: "Reminds", Draft: s.compose(channel, s.greeting()+"a friendly reminder from "+s.Company+".", s.open(), s.whereTo(channel))}
	}
	body := placeholderForm.ReplaceAllStringFunc(template, func(found string) string { return s.fill(strings.Trim(found, "{} ")) })
	return Step{Kind: StepWrite, Reason: "Reminds", Draft: &Draft{Subject: s.subject(channel, s.Workflow.Name), Body: strings.TrimSpace(body)}}
}

var placeholderForm = regexp.MustCompile(`\{\{\s*\w+\s*\}\}`)

// fill is the value of a placeholder in a workflow's message; unknown names are left out.
func (s Situation) fill(name string) string {
	switch name {
	case "firstName":
		return s.firstName()
	case "lastName":
		return text(s.Lead.LastName)
	case "name":
		return s.Lead.Name()
	case "businessName":
		return text(s.Lead.BusinessName)
	case "portalLink":
		return s.Portal
	case "agentName":
		return s.Agent.Name
	case "workspaceName":
		return s.Company
	case "openItems":
		labels, more := s.named(ChannelSMS, s.open(), maxNamed[ChannelSMS])
		return strings.Join(labels, "; ") + more
	}
	return ""
}

func (s Situation) firstName() string {
	if name := strings.TrimSpace(text(s.Lead.FirstName)); name != "" {
		return name
	}
	return "there"
}

func (s Situation) greeting() string { return "Hi " + s.firstName() + ", " }

// open lists what is still wanted: refused items first, then missing ones, in checklist order.
func (s Situation) open() []*ChecklistEntry {
	var refused, missing []*ChecklistEntry
	for entry := range s.Checklist.All() {
		switch {
		case !entry.Visible:
		case entry.Status == ItemInvalid && s.Trigger == TriggerRefused:
			refused = append(refused, entry) // optional ones too: the lead wants to know
		case !entry.Item.IsRequired:
		case entry.Status == ItemInvalid:
			refused = append(refused, entry)
		case entry.Status == ItemTodo:
			missing = append(missing, entry)
		}
	}
	return append(refused, missing...)
}

func (s Situation) refusedCount() int {
	n := 0
	for _, entry := range s.open() {
		if entry.Status == ItemInvalid {
			n++
		}
	}
	return n
}

func (s Situation) hasRefused() bool { return s.refusedCount() > 0 }

// whereTo says how the lead can send things: the portal's address is the only link a message ever has.
func (s Situation) whereTo(channel Channel) string {
	closing := "Simply reply to this message."
	if s.Portal != "" {
		closing = "You can send everything here: " + s.Portal
	}
	if channel == ChannelSMS && s.Written == 0 {
		closing += " Reply STOP to opt out."
	}
	return closing
}

// compose puts a message together within the channel's length: fewer items are named before anything is cut.
func (s Situation) compose(channel Channel, opening string, items []*ChecklistEntry, closing string) *Draft {
	for limit := maxNamed[channel]; ; limit-- {
		named, more := s.named(channel, items, limit)
		body := layOut(channel, opening, named, more, closing)
		if channel == ChannelEmail {
			body += "\n\nThank you,\n" + s.Agent.Name + "\n" + s.Company
		}
		if len([]rune(body)) <= maxBody[channel] || limit <= 1 {
			return &Draft{Subject: s.subject(channel, "what we still need from you"), Body: body}
		}
	}
}

func layOut(channel Channel, opening string, named []string, more, closing string) string {
	if len(named) == 0 {
		return strings.TrimSpace(opening + paragraph(channel) + closing)
	}
	if channel == ChannelSMS {
		return opening + " " + strings.Join(named, "; ") + more + ". " + closing
	}
	return opening + "\n\n- " + strings.Join(named, "\n- ") + choose(more == "", "", "\n-"+more) + "\n\n" + closing
}

func paragraph(channel Channel) string { return choose(channel == ChannelSMS, " ", "\n\n") }

// named writes items in words, at most limit of them, and what the rest comes to.
func (s Situation) named(channel Channel, items []*ChecklistEntry, limit int) (named []string, more string) {
	for i, entry := range items {
		if i == limit {
			return named, fmt.Sprintf(" and %d more", len(items)-limit)
		}
		named = append(named, describe(channel, entry))
	}
	return named, ""
}

// describe is an item with the reason why it is still open, and outside text messages how to do it.
func describe(channel Channel, entry *ChecklistEntry) string {
	line := strings.TrimRight(entry.Item.Label, ". ")
	if reason := text(entry.ValidationError); reason != "" {
		line += " (" + clip(strings.TrimRight(reason, ". "), map[bool]int{true: 110, false: 400}[channel == ChannelSMS]) + ")"
	}
	if hint := text(entry.Item.ClientInstructions); hint != "" && channel != ChannelSMS {
		line += ". " + strings.TrimRight(hint, ". ")
	}
	return line
}

// clip shortens at a word.
func clip(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	short := string(runes[:limit])
	if space := strings.LastIndexByte(short, ' '); space > limit/2 {
		short = short[:space]
	}
	return strings.TrimRight(short, " ,;:") + "..."
}

func (s Situation) subject(channel Channel, about string) string {
	if channel != ChannelEmail {
		return ""
	}
	if s.Question != nil && text(s.Question.Subject) != "" {
		return "Re: " + strings.TrimPrefix(*s.Question.Subject, "Re: ")
	}
	return s.Company + ": " + about
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}
