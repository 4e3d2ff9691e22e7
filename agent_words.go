package dossier

import (
	"regexp"
	"strconv"
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
	if step, wait := s.leaveToPerson(); wait {
		return step
	}
	open := s.asked()
	one := len(open) == 1
	var opening, reason string
	switch {
	case s.Trigger == TriggerRefused && !s.hasRefused():
		return Step{Kind: StepWait, Reason: "What was refused has been put right"}
	case len(open) == 0:
		return Step{Kind: StepWait, Reason: "The instructions say not to ask for what is missing"}
	case s.Trigger == TriggerRefused:
		open = s.open()[:s.refusedCount()]
		opening, reason = choose(len(open) == 1, "refused_one", "refused"), "What the lead sent cannot be used"
	case s.Written == 0:
		opening, reason = "first", "Asks for what is missing"
	case s.lastOne():
		opening, reason = "last", "Asks a last time"
	case s.FollowUps%2 == 0:
		opening, reason = choose(one, "again_one", "again"), "Asks again"
	default:
		opening, reason = "short", "Asks again"
	}
	return Step{Kind: StepWrite, Reason: reason, Draft: s.compose(channel, s.greeting()+s.say(opening), open, s.whereTo(channel, open))}
}

// lastOne says whether the cap leaves no further follow-up.
func (s Situation) lastOne() bool {
	return s.Trigger == TriggerFollowUp && s.Workflow.FollowUps != nil && s.Workflow.FollowUps.Max > 1 && s.FollowUps+1 == s.Workflow.FollowUps.Max
}

// remind fills in the workflow's own message.
func (s Situation) remind(channel Channel) Step {
	template := s.Workflow.Message
	if template == "" {
		open := s.open()
		return Step{Kind: StepWrite, Reason: "Reminds", Draft: s.compose(channel, s.greeting()+s.say(choose(len(open) == 0, "reminder", "reminder_of")), open, s.whereTo(channel, open))}
	}
	body := s.fillIn(template)
	if !strings.Contains(body, "STOP") {
		body += s.wayOut(channel)
	}
	return Step{Kind: StepWrite, Reason: "Reminds", Draft: &Draft{Subject: s.subject(channel, s.Company+": "+s.Workflow.Name), Body: plain(channel, body)}}
}

var placeholderForm = regexp.MustCompile(`\{\{\s*\w+\s*\}\}`)

func (s Situation) fillIn(template string) string {
	return strings.TrimSpace(placeholderForm.ReplaceAllStringFunc(template, func(found string) string { return s.fill(strings.Trim(found, "{} ")) }))
}

// approved words a message by the approved WhatsApp template: its words are what arrives, its values what is sent.
func (s Situation) approved(template string) *Draft {
	d := &Draft{Body: s.fillIn(template)}
	for _, found := range placeholderForm.FindAllString(template, -1) {
		d.Template = append(d.Template, s.fill(strings.Trim(found, "{} ")))
	}
	if d.Template == nil {
		d.Template = []string{}
	}
	return d
}

// fill is the value of a placeholder in a workflow's message; unknown names are left out.
func (s Situation) fill(name string) string {
	switch name {
	case "firstName":
		return choose(s.firstName() == "", "there", s.firstName())
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

func (s Situation) firstName() string { return strings.TrimSpace(text(s.Lead.FirstName)) }

func (s Situation) greeting() string {
	if s.Agent.formal() && text(s.Lead.LastName) != "" {
		return s.say("dear", "name", strings.TrimSpace(s.firstName()+" "+text(s.Lead.LastName)))
	}
	if s.firstName() == "" {
		return s.say("hi_there")
	}
	return s.say("hi", "name", s.firstName())
}

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
func (s Situation) whereTo(channel Channel, items []*ChecklistEntry) string {
	closing := s.say("reply")
	if s.Portal != "" {
		closing = s.say(choose(len(items) == 1, "where_one", "where"))
	}
	return closing + s.wayOut(channel)
}

// wayOut says in the first message of a run how to get no more of them; every email has a link for it.
func (s Situation) wayOut(channel Channel) string {
	if channel == ChannelEmail || s.Written > 0 {
		return ""
	}
	return choose(channel == ChannelSMS, " ", "\n\n") + s.say("stop")
}

// compose puts a message together that names as many items as one reads without being asked to.
func (s Situation) compose(channel Channel, opening string, items []*ChecklistEntry, closing string) *Draft {
	return s.composeWith(maxNamed[channel], channel, opening, items, closing)
}

// composeWith puts a message together within the channel's length: fewer items are named before anything is cut.
func (s Situation) composeWith(limit int, channel Channel, opening string, items []*ChecklistEntry, closing string) *Draft {
	for ; ; limit-- {
		named, more := s.named(channel, items, limit)
		body := layOut(channel, opening, named, more, s.instructed(channel, items), closing)
		if channel == ChannelEmail {
			body += "\n\n" + s.say("regards") + "\n" + s.Agent.signature() + "\n" + s.Company
		}
		if len([]rune(body)) <= maxBody[channel] || limit <= 1 {
			return &Draft{Subject: s.subject(channel, s.say("subject")), Body: plain(channel, body)}
		}
	}
}

// plainSigns stand in for typographic ones, which the alphabet of text messages lacks.
var plainSigns = strings.NewReplacer("«", `"`, "»", `"`, "“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "…", "...", "\u00a0", " ")

func plain(channel Channel, body string) string {
	if channel == ChannelSMS {
		return plainSigns.Replace(body)
	}
	return body
}

func layOut(channel Channel, opening string, named []string, more, advice, closing string) string {
	apart := choose(channel == ChannelSMS, " ", "\n\n")
	body := opening
	switch {
	case len(named) == 0:
	case channel == ChannelSMS:
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
func (s Situation) named(channel Channel, items []*ChecklistEntry, limit int) (named []string, more string) {
	for i, entry := range items {
		if i == limit {
			return named, s.say("more", "n", strconv.Itoa(len(items)-limit))
		}
		named = append(named, s.describe(channel, entry))
	}
	return named, ""
}

// describe is an item with the reason why it is still open, and outside text messages how to do it.
func (s Situation) describe(channel Channel, entry *ChecklistEntry) string {
	line := strings.TrimRight(entry.Item.Label, ". ")
	if reason := s.reason(entry); reason != "" {
		line += " (" + clip(reason, map[bool]int{true: 110, false: 400}[channel == ChannelSMS]) + ")"
	}
	if channel == ChannelSMS {
		return line
	}
	if hint := text(entry.Item.ClientInstructions); hint != "" && s.ofMessage(hint) {
		line += ". " + strings.TrimRight(hint, ". ")
	}
	if options := entry.Item.Config.Options; len(options) > 1 && len(options) <= 6 {
		line += ". " + s.say("your_choices", "options", strings.Join(options, ", "))
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

// subject is that of the message answered, else one that stays the same, so that mail programs keep the thread.
func (s Situation) subject(channel Channel, about string) string {
	if channel != ChannelEmail {
		return ""
	}
	if s.Question != nil && text(s.Question.Subject) != "" {
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
