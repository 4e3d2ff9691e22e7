package dossier

import (
	"regexp"
	"strconv"
	"strings"
)

// Phrases by which a reply is understood, English and Spanish, matched as whole words without case.
var (
	asksPerson = phrases(`human`, `real person`, `a person`, `someone`, `somebody`, `call me`, `phone me`, `speak (to|with)`, `talk (to|with)`, `representative`, `manager`, `supervisor`,
		`una persona`, `alguien`, `ll[aá]m(e|ame|enme)`, `hablar con`, `representante`, `gerente`)
	complains = phrases(`complain\w*`, `complaint`, `lawyer`, `attorney`, `sue`, `scam`, `fraud`, `unacceptable`, `ridiculous`, `harass\w*`, `angry`,
		`queja`, `abogado`, `estafa`, `fraude`, `inaceptable`, `acos\w*`, `demandar`)
	declines = phrases(`not interested`, `no longer (interested|need)`, `changed my mind`, `went with (another|someone|somebody)`, `withdraw`, `don'?t need (it|this)`,
		`no me interesa`, `ya no (lo )?(necesito|quiero)`, `cambi[eé] de opini[oó]n`)
	asksWhy     = phrases(`why`, `rejected`, `refused`, `not accepted`, `wrong with`, `what'?s wrong`, `por ?qu[eé]`, `rechaz\w*`, `qu[eé] est[aá] mal`)
	asksMissing = phrases(`what (else )?(do|did|is|are|should)`, `what'?s (left|missing|next|needed|still)`, `what (documents|papers|else)`, `which (documents|papers|ones|files)`, `still (need|missing|open|required)`, `status`, `checklist`, `anything else`,
		`qu[eé] (m[aá]s )?(falta|necesita\w*|debo|tengo que)`, `qu[eé] documentos`, `cu[aá]les`, `algo m[aá]s`)
	asksWhere = phrases(`link`, `portal`, `where (do|can|should)`, `how (do|can|should) i (send|upload|submit|give|get)`, `upload it`, `send (it|them) to`,
		`enlace`, `d[oó]nde (puedo|debo|lo|los|env[ií]o|subo)`, `c[oó]mo (puedo|debo|lo|los|env[ií]o|subo)`)
	promises = phrases(`will (do|send|upload|get)`, `tomorrow`, `later`, `tonight`, `next week`, `this week`, `soon`, `working on it`, `on it`,
		`ma[nñ]ana`, `luego`, `m[aá]s tarde`, `esta (noche|semana)`, `pronto`, `lo (env[ií]o|mando)`)
	asksArrived   = phrases(`did you (get|receive|see)`, `have you (got|gotten|received|seen)`, `receive[d]? (it|my|the)`, `recibi(ó|eron|o)`, `les? lleg[oó]`)
	asksAbout     = phrases(`what('?s| is| are| does| do you mean)`, `which`, `explain`, `mean`, `qu[eé] (es|son|significa)`, `expl[ií]\w*`)
	asksOpen      = phrases(`missing`, `left`, `need\w*`, `else`, `open`, `still`, `falta\w*`, `necesita\w*`)
	acknowledges  = regexp.MustCompile(`(?i)^[\s\W]*(ok|okay|k|thanks|thank you|thx|ty|great|perfect|got it|sure|cool|yes|will do|np|gracias|muchas gracias|perfecto|vale|bien|listo)([\s\W]*(ok|okay|thanks|thank you|so much|a lot|very much|great|gracias))*[\s\W]*$`)
	questionStart = regexp.MustCompile(`(?i)^\s*¿?(who|what|when|where|why|which|how|can|could|do|does|did|is|are|will|would|should|may|qui[eé]n|qu[eé]|cu[aá]ndo|d[oó]nde|por ?qu[eé]|cu[aá]l|c[oó]mo|puedo|puede|pueden)\b`)
)

func phrases(list ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + strings.Join(list, "|") + `)(?:[^\p{L}]|$)`)
}

// sayer makes the step of a message from its reason, opening, items and closing.
type sayer func(reason, opening string, items []*ChecklistEntry, closing string) Step

// escalated tells the lead that a person was asked, and asks one.
func escalated(say sayer, reason, opening string) Step {
	step := say("Passes it on to a colleague", opening, nil, "")
	step.Escalate = reason
	return step
}

// answer replies to what the lead wrote, from the lead's own record only. What the rules do not understand, a
// person answers.
func (s Situation) answer(channel Channel) Step {
	said := QuestionText(s.Question.Body)
	open := s.open()
	say := sayer(func(reason, opening string, items []*ChecklistEntry, closing string) Step {
		return Step{Kind: StepWrite, Reason: reason, Draft: s.compose(channel, s.greeting()+opening, items, closing)}
	})
	escalate := func(reason, opening string) Step { return escalated(say, reason, s.say(opening)) }
	question := strings.ContainsAny(said, "?¿") || questionStart.MatchString(said)
	switch {
	case complains.MatchString(said):
		return escalate("Complaint", "complaint")
	case asksPerson.MatchString(said):
		return escalate("Asks for a person", "person")
	case declines.MatchString(said):
		return escalate("Says they are not interested", "declined")
	case len(s.Noted) > 0:
		left := s.say(choose(len(open) == 0, "none_left", "still_open"))
		return say("Notes what the lead gave", s.say("noted", "what", strings.Join(s.Noted, ", "))+left, open, s.whereIf(channel, open))
	case len(s.Question.DocumentIDs)+len(s.Refused) > 0:
		return s.answerFiles(say)
	case asksWhy.MatchString(said) && s.hasRefused():
		refused := open[:s.refusedCount()]
		return say("Explains what was refused", s.say("why"), refused, s.whereTo(channel, refused))
	}
	if step, ok := s.answerAboutItem(channel, said, say); ok {
		return step
	}
	switch {
	case asksWhere.MatchString(said):
		return say("Says where to send things", s.say("here"), nil, s.whereTo(channel, nil))
	case asksMissing.MatchString(said):
		return s.sayMissing(channel, open, say)
	case strings.TrimSpace(said) == "" || acknowledges.MatchString(said):
		return Step{Kind: StepWait, Reason: "Nothing to answer"}
	case promises.MatchString(said) && !question:
		return say("Thanks for the promise", s.say("promised"), nil, s.whereTo(channel, nil))
	}
	if step, ok := s.read(channel, say); ok {
		return step
	}
	step := say("Thanks and says what is missing", s.say("thanks")+s.say("still_open"), open, s.whereTo(channel, open))
	switch {
	case question:
		step = escalate(unanswered, "question")
	case s.Workflow.Type == WorkflowSupport:
		step = escalate("Message the agent does not understand", "unclear")
	case len(open) == 0:
		step = Step{Kind: StepWait, Reason: "Nothing to answer"}
	}
	step.Unsure = true
	return step
}

// answerFiles says what became of the files of a message.
func (s Situation) answerFiles(say sayer) Step {
	named := map[RefusalOfFile][]string{}
	for _, file := range s.Refused {
		named[file.Why] = append(named[file.Why], clip(file.Name, 60))
	}
	var said []string
	n := len(s.Question.DocumentIDs) - len(named[RefusedType])
	reason := "Says which files cannot be used"
	switch {
	case n > 0:
		reason = "Confirms documents"
		said = append(said, s.say(choose(n == 1, "document", "documents"), "n", strconv.Itoa(n)))
	default:
		said = append(said, s.say("thanks"))
	}
	if names := named[RefusedType]; len(names) > 0 {
		said = append(said, s.say("cannot_open", "files", strings.Join(names, ", ")))
	}
	if names := named[RefusedSize]; len(names) > 0 {
		said = append(said, s.say(choose(s.Portal == "", "too_large", "too_large_here"), "files", strings.Join(names, ", ")))
	}
	if names := named[RefusedLimit]; len(names) > 0 {
		said = append(said, s.say("too_many_files", "files", strings.Join(names, ", ")))
	}
	return say(reason, strings.Join(said, " "), nil, "")
}

// unanswered is the reason of an escalation that the rules know no answer for.
const unanswered = "Question the agent cannot answer"

func (s Situation) sayMissing(channel Channel, open []*ChecklistEntry, say sayer) Step {
	if len(open) == 0 {
		return say("Says that nothing is missing", s.say("all_there"), nil, "")
	}
	draft := s.composeWith(len(open), channel, s.greeting()+s.say("missing"), open, s.whereTo(channel, open)) // who asks wants all of it
	return Step{Kind: StepWrite, Reason: "Says what is missing", Draft: draft}
}

// whereIf is whereTo while something is open.
func (s Situation) whereIf(channel Channel, open []*ChecklistEntry) string {
	if len(open) == 0 {
		return ""
	}
	return s.whereTo(channel, open)
}

// answerAboutItem answers a question about one item by what its configuration and its state say.
func (s Situation) answerAboutItem(channel Channel, said string, say sayer) (Step, bool) {
	entry, arrived := s.Checklist.mentioned(said), asksArrived.MatchString(said)
	if entry == nil || !arrived && (!asksAbout.MatchString(said) || asksOpen.MatchString(said)) {
		return Step{}, false
	}
	return s.explain(channel, entry, arrived, say), true
}

// explain says whether an item arrived, or what it is.
func (s Situation) explain(channel Channel, entry *ChecklistEntry, arrived bool, say sayer) Step {
	label := strings.TrimRight(entry.Item.Label, ". ")
	if arrived {
		switch {
		case entry.Status.Done():
			return say("Says that it is there", s.say("have", "label", label), nil, "")
		case entry.Status == ItemInvalid:
			return say("Explains what was refused", s.say("not_right", "label", label, "reason", s.reason(entry)), nil, s.whereTo(channel, []*ChecklistEntry{entry}))
		case len(entry.Documents) > 0:
			return say("Says that it is being checked", s.say("checking", "label", label), nil, "")
		}
		return say("Says that it is not there", s.say("not_yet", "label", label), nil, s.whereTo(channel, []*ChecklistEntry{entry}))
	}
	help := strings.Trim(strings.TrimRight(text(entry.Item.HelpText), ". ")+". "+strings.TrimRight(text(entry.Item.ClientInstructions), ". "), ". ")
	name := choose(s.ofMessage(help), "about", "about_quote")
	if help == "" {
		name, help = "about", s.say("help_"+string(entry.Item.FieldType))
	}
	if help == "" { // it is about this item, and nobody wrote down what it is
		return escalated(say, unanswered, s.say("question"))
	}
	return say("Explains an item", s.say(name, "label", label, "help", help), nil, "")
}

// mentioned is the one visible item whose label the words name best, nil when none or several do.
func (c *Checklist) mentioned(said string) *ChecklistEntry {
	var best *ChecklistEntry
	most, tie := 0, false
	for entry := range c.All() {
		if !entry.Visible {
			continue
		}
		n := entry.Item.sharedWords(said)
		switch {
		case n > most:
			best, most, tie = entry, n, false
		case n == most:
			tie = true
		}
	}
	if tie {
		return nil
	}
	return best
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
	optOutWords = []string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "ALTO", "PARAR", "BAJA", "CANCELAR"}
	optInWords  = []string{"START", "YES", "UNSTOP"}
	loneWord    = regexp.MustCompile(`^[\s\W]*(\w+)[\s\W]*$`)
)

// Consent is what a message says about consent: one of the words alone opts out or in (decisions.md section 4). Spanish
// words for stopping hold too: whoever says so plainly must not be written to again.
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
