package outreach

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
)

// How long a message may be: two text messages' worth with room for a long link, and what people still read.
var maxBody = map[dossier.Channel]int{dossier.ChannelSMS: 480, dossier.ChannelWhatsApp: 1000,
	dossier.ChannelEmail: 4000}

// How many open items a message names; the rest is counted.
var maxNamed = map[dossier.Channel]int{dossier.ChannelSMS: 3, dossier.ChannelWhatsApp: 5, dossier.ChannelEmail: 8}

// message drafts the agent's next message on a channel. A step without a draft sends nothing.
func (s situation) message(channel dossier.Channel) dossier.Step {
	switch {
	case s.Trigger == dossier.TriggerReply:
		return s.answer(channel)
	case s.Workflow.Type == dossier.WorkflowReminder:
		return s.remind(channel)
	case s.Workflow.Type == dossier.WorkflowSupport:
		return dossier.Step{Kind: dossier.StepWait, Reason: "Waits for questions"}
	}
	return s.ask(channel)
}

// ask requests what is missing; refused items come first.
func (s situation) ask(channel dossier.Channel) dossier.Step {
	if step, wait := s.deferToPerson(); wait {
		return step
	}
	open := s.itemsToRequest()
	one := len(open) == 1
	var opening, reason string
	switch {
	case s.Trigger == dossier.TriggerRefused && !s.hasRefused():
		return dossier.Step{Kind: dossier.StepWait, Reason: "What was refused has been put right"}
	case len(open) == 0:
		return dossier.Step{Kind: dossier.StepWait, Reason: "The instructions say not to ask for what is missing"}
	case s.Trigger == dossier.TriggerRefused:
		open = s.open()[:s.refusedCount()]
		opening, reason = choose(len(open) == 1, "refused_one", "refused"), "What the lead sent cannot be used"
	case s.Written == 0:
		opening, reason = "first", "Asks for what is missing"
	case s.isLastFollowUp():
		opening, reason = "last", "Asks a last time"
	case s.FollowUps%2 == 0:
		opening, reason = choose(one, "again_one", "again"), "Asks again"
	default:
		opening, reason = "short", "Asks again"
	}
	return dossier.Step{Kind: dossier.StepWrite, Reason: reason,
		Draft: s.compose(channel, s.greeting()+s.translate(opening), open, s.uploadHint(channel, open))}
}

// isLastFollowUp reports whether the maximum number of follow-ups is reached with this one.
func (s situation) isLastFollowUp() bool {
	return s.Trigger == dossier.TriggerFollowUp && s.Workflow.FollowUps != nil && s.Workflow.FollowUps.Max > 1 &&
		s.FollowUps+1 == s.Workflow.FollowUps.Max
}

// remind fills in the workflow's own message.
func (s situation) remind(channel dossier.Channel) dossier.Step {
	template := s.Workflow.Message
	if template == "" {
		open := s.open()
		return dossier.Step{Kind: dossier.StepWrite, Reason: "Reminds",
			Draft: s.compose(channel, s.greeting()+s.translate(choose(len(open) == 0, "reminder", "reminder_of")), open,
				s.uploadHint(channel, open))}
	}
	body := s.fillPlaceholders(template)
	if !strings.Contains(body, "STOP") {
		body += s.optOutNotice(channel)
	}
	return dossier.Step{Kind: dossier.StepWrite, Reason: "Reminds",
		Draft: &dossier.Draft{Subject: s.subject(channel, s.Company+": "+s.Workflow.Name),
			Body: plainPunctuation(channel, body)}}
}

var placeholderForm = regexp.MustCompile(`\{\{\s*\w+\s*\}\}`)

func (s situation) fillPlaceholders(template string) string {
	return strings.TrimSpace(placeholderForm.ReplaceAllStringFunc(template,
		func(found string) string { return s.placeholderValue(strings.Trim(found, "{} ")) }))
}

// draftFromTemplate drafts a message from the approved WhatsApp template: the lead receives the template's text with
// the values that are sent.
func (s situation) draftFromTemplate(template string) *dossier.Draft {
	d := &dossier.Draft{Body: s.fillPlaceholders(template)}
	for _, found := range placeholderForm.FindAllString(template, -1) {
		d.Template = append(d.Template, s.placeholderValue(strings.Trim(found, "{} ")))
	}
	if d.Template == nil {
		d.Template = []string{}
	}
	return d
}

// placeholderValue returns the value of a placeholder in a workflow's message; "" for an unknown name.
func (s situation) placeholderValue(name string) string {
	switch name {
	case "firstName":
		return choose(s.firstName() == "", "there", s.firstName())
	case "lastName":
		return dossier.Text(s.Lead.LastName)
	case "name":
		return s.Lead.Name()
	case "businessName":
		return dossier.Text(s.Lead.BusinessName)
	case "portalLink":
		return s.Portal
	case "agentName":
		return s.Agent.Name
	case "workspaceName":
		return s.Company
	case "openItems":
		labels, more := s.named(dossier.ChannelSMS, s.open(), maxNamed[dossier.ChannelSMS])
		return strings.Join(labels, "; ") + more
	}
	return ""
}

func (s situation) firstName() string { return strings.TrimSpace(dossier.Text(s.Lead.FirstName)) }

func (s situation) greeting() string {
	if formal(s.Agent) && dossier.Text(s.Lead.LastName) != "" {
		return s.translate("dear", "name", strings.TrimSpace(s.firstName()+" "+dossier.Text(s.Lead.LastName)))
	}
	if s.firstName() == "" {
		return s.translate("hi_there")
	}
	return s.translate("hi", "name", s.firstName())
}

// open lists what is still wanted: refused items first, then missing ones, in checklist order.
func (s situation) open() []*dossier.ChecklistEntry {
	var refused, missing []*dossier.ChecklistEntry
	for entry := range s.Checklist.All() {
		switch {
		case !entry.Visible:
		case entry.Status == dossier.ItemInvalid && s.Trigger == dossier.TriggerRefused:
			refused = append(refused, entry) // optional ones too: the lead wants to know
		case !entry.Item.IsRequired:
		case entry.Status == dossier.ItemInvalid:
			refused = append(refused, entry)
		case entry.Status == dossier.ItemTodo:
			missing = append(missing, entry)
		}
	}
	return append(refused, missing...)
}

func (s situation) refusedCount() int {
	n := 0
	for _, entry := range s.open() {
		if entry.Status == dossier.ItemInvalid {
			n++
		}
	}
	return n
}

func (s situation) hasRefused() bool { return s.refusedCount() > 0 }

// uploadHint says how the lead can send things. The portal's address is the only link that a message contains.
func (s situation) uploadHint(channel dossier.Channel, items []*dossier.ChecklistEntry) string {
	closing := s.translate("reply")
	if s.Portal != "" {
		closing = s.translate(choose(len(items) == 1, "where_one", "where"))
	}
	return closing + s.optOutNotice(channel)
}

// optOutNotice tells in the first message of a run how to opt out; every email has an unsubscribe link of its own.
func (s situation) optOutNotice(channel dossier.Channel) string {
	if channel == dossier.ChannelEmail || s.Written > 0 {
		return ""
	}
	return choose(channel == dossier.ChannelSMS, " ", "\n\n") + s.translate("stop")
}

// compose puts a message together that names as many items as one reads without being asked to.
func (s situation) compose(channel dossier.Channel, opening string, items []*dossier.ChecklistEntry,
	closing string) *dossier.Draft {
	return s.composeWith(maxNamed[channel], channel, opening, items, closing)
}

// composeWith puts a message together within the channel's length: fewer items are named before anything is cut.
func (s situation) composeWith(limit int, channel dossier.Channel, opening string, items []*dossier.ChecklistEntry,
	closing string) *dossier.Draft {
	for ; ; limit-- {
		named, more := s.named(channel, items, limit)
		body := formatBody(channel, opening, named, more, s.instructedSentences(channel, items), closing)
		if channel == dossier.ChannelEmail {
			body += "\n\n" + s.translate("regards") + "\n" + signature(s.Agent) + "\n" + s.Company
		}
		if len([]rune(body)) <= maxBody[channel] || limit <= 1 {
			return &dossier.Draft{Subject: s.subject(channel, s.translate("subject")),
				Body: plainPunctuation(channel, body)}
		}
	}
}

// plainSigns replaces typographic characters that the alphabet of text messages (GSM 03.38) lacks.
var plainSigns = strings.NewReplacer("«", `"`, "»", `"`, "“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-",
	"…", "...", "\u00a0", " ")

func plainPunctuation(channel dossier.Channel, body string) string {
	if channel == dossier.ChannelSMS {
		return plainSigns.Replace(body)
	}
	return body
}

func formatBody(channel dossier.Channel, opening string, named []string, more, advice, closing string) string {
	apart := choose(channel == dossier.ChannelSMS, " ", "\n\n")
	body := opening
	switch {
	case len(named) == 0:
	case channel == dossier.ChannelSMS:
		body += " " + strings.Join(named, "; ") + more + "."
	default:
		body += "\n\n- " + strings.Join(named, "\n- ") + choose(more == "", "", "\n-"+more)
	}
	if advice != "" {
		body += apart + advice
	}
	return strings.TrimSpace(body + apart + closing)
}

// named writes items in words, at most limit of them, and what the rest comes to.
func (s situation) named(channel dossier.Channel, items []*dossier.ChecklistEntry, limit int) (named []string,
	more string) {
	for i, entry := range items {
		if i == limit {
			return named, s.translate("more", "n", strconv.Itoa(len(items)-limit))
		}
		named = append(named, s.describe(channel, entry))
	}
	return named, ""
}

// describe is an item with the reason why it is still open, and outside text messages how to do it.
func (s situation) describe(channel dossier.Channel, entry *dossier.ChecklistEntry) string {
	line := strings.TrimRight(entry.Item.Label, ". ")
	if reason := s.reason(entry); reason != "" {
		line += " (" + clip(reason, map[bool]int{true: 110, false: 400}[channel == dossier.ChannelSMS]) + ")"
	}
	if channel == dossier.ChannelSMS {
		return line
	}
	if hint := dossier.Text(entry.Item.ClientInstructions); hint != "" && s.isInMessageLanguage(hint) {
		line += ". " + strings.TrimRight(hint, ". ")
	}
	if options := entry.Item.Config.Options; len(options) > 1 && len(options) <= 6 {
		line += ". " + s.translate("your_choices", "options", strings.Join(options, ", "))
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

// subject returns the subject of the message that is answered, else a constant one, so that mail programs keep the
// thread.
func (s situation) subject(channel dossier.Channel, about string) string {
	if channel != dossier.ChannelEmail {
		return ""
	}
	if s.Question != nil && dossier.Text(s.Question.Subject) != "" {
		return "Re: " + replyMark.ReplaceAllString(*s.Question.Subject, "")
	}
	return about
}

var replyMark = regexp.MustCompile(`(?i)^(\s*(re|aw|rv|fwd?)\s*:\s*)+`)

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}
