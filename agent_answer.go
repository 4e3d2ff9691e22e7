package dossier

import (
	"fmt"
	"regexp"
	"strings"
)

// Phrases by which a reply is understood, matched as whole words without case.
var (
	asksPerson    = phrases(`human`, `real person`, `a person`, `someone`, `somebody`, `call me`, `phone me`, `speak (to|with)`, `talk (to|with)`, `representative`, `manager`, `supervisor`)
	complains     = phrases(`complain\w*`, `complaint`, `lawyer`, `attorney`, `sue`, `scam`, `fraud`, `unacceptable`, `ridiculous`, `harass\w*`, `angry`)
	declines      = phrases(`not interested`, `no longer (interested|need)`, `changed my mind`, `went with (another|someone|somebody)`, `withdraw`, `don'?t need (it|this)`)
	asksWhy       = phrases(`why`, `rejected`, `refused`, `not accepted`, `wrong with`, `what'?s wrong`)
	asksMissing   = phrases(`what (else )?(do|did|is|are|should)`, `what'?s (left|missing|next|needed|still)`, `what (documents|papers|else)`, `which (documents|papers|ones|files)`, `still (need|missing|open|required)`, `status`, `checklist`, `anything else`)
	asksWhere     = phrases(`link`, `portal`, `where (do|can|should)`, `how (do|can|should) i (send|upload|submit|give|get)`, `upload it`, `send (it|them) to`)
	promises      = phrases(`will (do|send|upload|get)`, `tomorrow`, `later`, `tonight`, `next week`, `this week`, `soon`, `working on it`, `on it`)
	acknowledges  = regexp.MustCompile(`(?i)^[\s\W]*(ok|okay|k|thanks|thank you|thx|ty|great|perfect|got it|sure|cool|yes|will do|np)([\s\W]*(ok|okay|thanks|thank you|so much|a lot|very much|great))*[\s\W]*$`)
	questionStart = regexp.MustCompile(`(?i)^\s*(who|what|when|where|why|which|how|can|could|do|does|did|is|are|will|would|should|may)\b`)
)

func phrases(list ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(` + strings.Join(list, "|") + `)\b`)
}

// answer replies to what the lead wrote, from the lead's own record only. What the rules do not understand, a
// person answers.
func (s Situation) answer(channel Channel) Step {
	said := QuestionText(s.Question.Body)
	open := s.open()
	say := func(reason, opening string, items []*ChecklistEntry, closing string) Step {
		return Step{Kind: StepWrite, Reason: reason, Draft: s.compose(channel, s.greeting()+opening, items, closing)}
	}
	escalate := func(reason, opening string) Step {
		step := say(reason, opening, nil, "")
		step.Escalate = reason
		return step
	}
	switch {
	case complains.MatchString(said):
		return escalate("Complaint", "I am sorry about this. I have asked a colleague to look into it and to get back to you.")
	case asksPerson.MatchString(said):
		return escalate("Asks for a person", "of course. I have asked a colleague to get in touch with you.")
	case declines.MatchString(said):
		return escalate("Says they are not interested", "thank you for telling us. A colleague will look at it; you need not do anything.")
	case len(s.Noted) > 0:
		return say("Notes what the lead gave", "thank you, noted: "+strings.Join(s.Noted, ", ")+"."+s.remaining(open), open, s.whereTo(channel))
	case len(s.Question.DocumentIDs) > 0:
		return say("Confirms documents", fmt.Sprintf("thank you, %s arrived and will be checked now.", counted(len(s.Question.DocumentIDs), "document")), nil, "")
	case asksWhy.MatchString(said) && s.hasRefused():
		return say("Explains what was refused", "this is not right yet:", open[:s.refusedCount()], s.whereTo(channel))
	case asksWhere.MatchString(said):
		return say("Says where to send things", "here you go.", nil, s.whereTo(channel))
	case asksMissing.MatchString(said) && len(open) > 0:
		return say("Says what is missing", "this is what we still need:", open, s.whereTo(channel))
	case asksMissing.MatchString(said):
		return say("Says that nothing is missing", "we have everything we need from you at the moment. Thank you!", nil, "")
	case strings.TrimSpace(said) == "" || acknowledges.MatchString(said):
		return Step{Kind: StepWait, Reason: "Nothing to answer"}
	case promises.MatchString(said) && !strings.Contains(said, "?"):
		return say("Thanks for the promise", "thank you. Whenever you are ready.", nil, s.whereTo(channel))
	case strings.Contains(said, "?") || questionStart.MatchString(said):
		return escalate("Question the agent cannot answer", "thank you for your question. I have passed it on to a colleague, who will get back to you.")
	case s.Workflow.Type == WorkflowSupport:
		return escalate("Message the agent does not understand", "thank you for your message. I have passed it on to a colleague, who will get back to you.")
	case len(open) == 0:
		return Step{Kind: StepWait, Reason: "Nothing to answer"}
	}
	return say("Thanks and says what is missing", "thank you for your message."+s.remaining(open), open, s.whereTo(channel))
}

func (s Situation) remaining(open []*ChecklistEntry) string {
	if len(open) == 0 {
		return " Nothing else is missing."
	}
	return " Still open:"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "your " + noun
	}
	return fmt.Sprintf("your %d %ss", n, noun)
}

var quotedHead = regexp.MustCompile(`(?im)^\s*(on .{5,200} wrote:|-----\s*original message\s*-----|from: .+@.+)\s*$`)

// QuestionText is what somebody wrote, without the earlier messages that mail programs append.
func QuestionText(body string) string {
	if cut := quotedHead.FindStringIndex(body); cut != nil {
		body = body[:cut[0]]
	}
	var kept []string
	for line := range strings.SplitSeq(body, "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), ">") {
			kept = append(kept, strings.TrimRight(line, "\r"))
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

var (
	optOutWords = []string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"}
	optInWords  = []string{"START", "YES", "UNSTOP"}
	loneWord    = regexp.MustCompile(`^[\s\W]*(\w+)[\s\W]*$`)
)

// Consent is what a message says about consent: one of the words alone opts out or in (decisions.md section 4).
func Consent(body string) (optOut, optIn bool) {
	found := loneWord.FindStringSubmatch(QuestionText(body))
	if found == nil {
		return false, false
	}
	word := strings.ToUpper(found[1])
	for _, known := range optOutWords {
		optOut = optOut || word == known
	}
	for _, known := range optInWords {
		optIn = optIn || word == known
	}
	return optOut, optIn
}

var einInText = regexp.MustCompile(`\b\d{2}-\d{7}\b`)

// NotedIn names the items that hold a value which an agent took from this text.
func (c *Checklist) NotedIn(body string) []string {
	var labels []string
	for _, found := range einInText.FindAllString(QuestionText(body), -1) {
		for entry := range c.All() {
			if entry.Item.FieldType == FieldEIN && entry.Source == SourceAgent && sameJSON(entry.Value, jsonOf(found)) {
				labels = append(labels, entry.Item.Label)
			}
		}
	}
	return labels
}

// ValuesIn finds values for open items in free text: so far an EIN for the first open EIN item. They are proposals
// of an agent: whoever takes them checks them as any other value.
func (c *Checklist) ValuesIn(body string) []ItemUpdate {
	found := einInText.FindString(QuestionText(body))
	if found == "" {
		return nil
	}
	for entry := range c.All() {
		if entry.Visible && entry.Item.FieldType == FieldEIN && !entry.Status.Done() {
			return []ItemUpdate{{Code: entry.Item.Code, Value: jsonOf(found)}}
		}
	}
	return nil
}
