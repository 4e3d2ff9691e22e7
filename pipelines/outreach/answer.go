package outreach

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
)

// Phrases by which a reply is understood, English and Spanish, matched as whole words without case.
var (
	asksPerson = phrases(`human`, `real person`, `a person`, `someone`, `somebody`, `call me`, `phone me`,
		`speak (to|with)`, `talk (to|with)`, `representative`, `manager`, `supervisor`,
		`una persona`, `alguien`, `ll[aá]m(e|ame|enme)`, `hablar con`, `representante`, `gerente`)
	complains = phrases(`complain\w*`, `complaint`, `lawyer`, `attorney`, `sue`, `scam`, `fraud`, `unacceptable`,
		`ridiculous`, `harass\w*`, `angry`,
		`queja`, `abogado`, `estafa`, `fraude`, `inaceptable`, `acos\w*`, `demandar`)
	declines = phrases(`not interested`, `no longer (interested|need)`, `changed my mind`,
		`went with (another|someone|somebody)`, `withdraw`, `don'?t need (it|this)`,
		`no me interesa`, `ya no (lo )?(necesito|quiero)`, `cambi[eé] de opini[oó]n`)
	asksWhy = phrases(`why`, `rejected`, `refused`, `not accepted`, `wrong with`, `what'?s wrong`, `por ?qu[eé]`,
		`rechaz\w*`, `qu[eé] est[aá] mal`)
	asksMissing = phrases(`what (else )?(do|did|is|are|should)`, `what'?s (left|missing|next|needed|still)`,
		`what (documents|papers|else)`, `which (documents|papers|ones|files)`, `still (need|missing|open|required)`,
		`status`, `checklist`, `anything else`,
		`qu[eé] (m[aá]s )?(falta|necesita\w*|debo|tengo que)`, `qu[eé] documentos`, `cu[aá]les`, `algo m[aá]s`)
	asksWhere = phrases(`link`, `portal`, `where (do|can|should)`,
		`how (do|can|should) i (send|upload|submit|give|get)`, `upload it`, `send (it|them) to`,
		`enlace`, `d[oó]nde (puedo|debo|lo|los|env[ií]o|subo)`, `c[oó]mo (puedo|debo|lo|los|env[ií]o|subo)`)
	promises = phrases(`will (do|send|upload|get)`, `tomorrow`, `later`, `tonight`, `next week`, `this week`, `soon`,
		`working on it`, `on it`,
		`ma[nñ]ana`, `luego`, `m[aá]s tarde`, `esta (noche|semana)`, `pronto`, `lo (env[ií]o|mando)`)
	asksArrived = phrases(`did you (get|receive|see)`, `have you (got|gotten|received|seen)`,
		`receive[d]? (it|my|the)`, `recibi(ó|eron|o)`, `les? lleg[oó]`)
	asksAbout = phrases(`what('?s| is| are| does| do you mean)`, `which`, `explain`, `mean`,
		`qu[eé] (es|son|significa)`, `expl[ií]\w*`)
	asksOpen     = phrases(`missing`, `left`, `need\w*`, `else`, `open`, `still`, `falta\w*`, `necesita\w*`)
	acknowledges = regexp.MustCompile(`(?i)^[\s\W]*(ok|okay|k|thanks|thank you|thx|ty|great|perfect|got it|sure` +
		`|cool|yes|will do|np|gracias|muchas gracias|perfecto|vale|bien|listo)([\s\W]*(ok|okay|thanks|thank you|so ` +
		`much|a lot|very much|great|gracias))*[\s\W]*$`)
	questionStart = regexp.MustCompile(`(?i)^\s*¿?(who|what|when|where|why|which|how|can|could|do|does|did|is|are` +
		`|will|would|should|may|qui[eé]n|qu[eé]|cu[aá]ndo|d[oó]nde|por ?qu[eé]|cu[aá]l|c[oó]mo|puedo|puede|pueden)\b`)
)

func phrases(list ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + strings.Join(list, "|") + `)(?:[^\p{L}]|$)`)
}

// replier makes the step of a message from its reason, opening, items and closing.
type replier func(reason, opening string, items []*dossier.ChecklistEntry, closing string) dossier.Step

// escalated returns a step that escalates to a person and tells the lead so.
func escalated(reply replier, reason, opening string) dossier.Step {
	step := reply("Passes it on to a colleague", opening, nil, "")
	step.Escalate = reason
	return step
}

// answer replies to the lead's message with facts of the lead's own record only. What the rules do not understand is
// escalated to a person.
func (s situation) answer(channel dossier.Channel) dossier.Step {
	said := dossier.QuestionText(s.Question.Body)
	open := s.open()
	reply := replier(func(reason, opening string, items []*dossier.ChecklistEntry, closing string) dossier.Step {
		return dossier.Step{Kind: dossier.StepWrite, Reason: reason,
			Draft: s.compose(channel, s.greeting()+opening, items, closing)}
	})
	escalate := func(reason, opening string) dossier.Step { return escalated(reply, reason, s.translate(opening)) }
	question := strings.ContainsAny(said, "?¿") || questionStart.MatchString(said)
	switch {
	case complains.MatchString(said):
		return escalate("Complaint", "complaint")
	case asksPerson.MatchString(said):
		return escalate("Asks for a person", "person")
	case declines.MatchString(said):
		return escalate("Says they are not interested", "declined")
	case len(s.notedLabels) > 0:
		left := s.translate(choose(len(open) == 0, "none_left", "still_open"))
		noted := s.translate("noted", "what", strings.Join(s.notedLabels, ", "))
		return reply("Notes what the lead gave", noted+left, open,
			s.uploadHintIfOpen(channel, open))
	case len(s.Question.DocumentIDs)+len(s.Refused) > 0:
		return s.answerFiles(reply)
	case asksWhy.MatchString(said) && s.hasRefused():
		refused := open[:s.refusedCount()]
		return reply("Explains what was refused", s.translate("why"), refused, s.uploadHint(channel, refused))
	}
	if step, ok := s.answerAboutItem(channel, said, reply); ok {
		return step
	}
	switch {
	case asksWhere.MatchString(said):
		return reply("Says where to send things", s.translate("here"), nil, s.uploadHint(channel, nil))
	case asksMissing.MatchString(said):
		return s.listMissing(channel, open, reply)
	case strings.TrimSpace(said) == "" || acknowledges.MatchString(said):
		return dossier.Step{Kind: dossier.StepWait, Reason: "Nothing to answer"}
	case promises.MatchString(said) && !question:
		return reply("Thanks for the promise", s.translate("promised"), nil, s.uploadHint(channel, nil))
	}
	if step, ok := s.answerFromReading(channel, reply); ok {
		return step
	}
	step := reply("Thanks and says what is missing", s.translate("thanks")+s.translate("still_open"), open,
		s.uploadHint(channel, open))
	switch {
	case question:
		step = escalate(unanswered, "question")
	case s.Workflow.Type == dossier.WorkflowSupport:
		step = escalate("Message the agent does not understand", "unclear")
	case len(open) == 0:
		step = dossier.Step{Kind: dossier.StepWait, Reason: "Nothing to answer"}
	}
	step.Unsure = true
	return step
}

// answerFiles tells what became of the files of a message.
func (s situation) answerFiles(reply replier) dossier.Step {
	named := map[dossier.RefusalOfFile][]string{}
	for _, file := range s.Refused {
		named[file.Why] = append(named[file.Why], clip(file.Name, 60))
	}
	var said []string
	n := len(s.Question.DocumentIDs) - len(named[dossier.RefusedType])
	reason := "Says which files cannot be used"
	switch {
	case n > 0:
		reason = "Confirms documents"
		said = append(said, s.translate(choose(n == 1, "document", "documents"), "n", strconv.Itoa(n)))
	default:
		said = append(said, s.translate("thanks"))
	}
	if names := named[dossier.RefusedType]; len(names) > 0 {
		said = append(said, s.translate("cannot_open", "files", strings.Join(names, ", ")))
	}
	if names := named[dossier.RefusedSize]; len(names) > 0 {
		said = append(said, s.translate(choose(s.Portal == "", "too_large", "too_large_here"), "files",
			strings.Join(names, ", ")))
	}
	if names := named[dossier.RefusedLimit]; len(names) > 0 {
		said = append(said, s.translate("too_many_files", "files", strings.Join(names, ", ")))
	}
	return reply(reason, strings.Join(said, " "), nil, "")
}

// unanswered is the reason of an escalation when the rules have no answer.
const unanswered = "Question the agent cannot answer"

func (s situation) listMissing(channel dossier.Channel, open []*dossier.ChecklistEntry, reply replier) dossier.Step {
	if len(open) == 0 {
		return reply("Says that nothing is missing", s.translate("all_there"), nil, "")
	}
	// who asks wants all of it
	draft := s.composeWith(len(open), channel, s.greeting()+s.translate("missing"), open, s.uploadHint(channel, open))
	return dossier.Step{Kind: dossier.StepWrite, Reason: "Says what is missing", Draft: draft}
}

// uploadHintIfOpen returns uploadHint while something is open, else "".
func (s situation) uploadHintIfOpen(channel dossier.Channel, open []*dossier.ChecklistEntry) string {
	if len(open) == 0 {
		return ""
	}
	return s.uploadHint(channel, open)
}

// answerAboutItem answers a question about one item from its configuration and its state.
func (s situation) answerAboutItem(channel dossier.Channel, said string, reply replier) (dossier.Step, bool) {
	entry, arrived := checklist{&s.Checklist}.mentioned(said), asksArrived.MatchString(said)
	if entry == nil || !arrived && (!asksAbout.MatchString(said) || asksOpen.MatchString(said)) {
		return dossier.Step{}, false
	}
	return s.explain(channel, entry, arrived, reply), true
}

// explain says whether an item arrived, or what it is.
func (s situation) explain(channel dossier.Channel, entry *dossier.ChecklistEntry, arrived bool,
	reply replier) dossier.Step {
	label := strings.TrimRight(entry.Item.Label, ". ")
	if arrived {
		switch {
		case entry.Status.Done():
			return reply("Says that it is there", s.translate("have", "label", label), nil, "")
		case entry.Status == dossier.ItemInvalid:
			return reply("Explains what was refused",
				s.translate("not_right", "label", label, "reason", s.reason(entry)), nil,
				s.uploadHint(channel, []*dossier.ChecklistEntry{entry}))
		case len(entry.Documents) > 0:
			return reply("Says that it is being checked", s.translate("checking", "label", label), nil, "")
		}
		return reply("Says that it is not there", s.translate("not_yet", "label", label), nil,
			s.uploadHint(channel, []*dossier.ChecklistEntry{entry}))
	}
	help := strings.Trim(strings.TrimRight(dossier.Text(entry.Item.HelpText), ". ")+". "+
		strings.TrimRight(dossier.Text(entry.Item.ClientInstructions), ". "), ". ")
	name := choose(s.isInMessageLanguage(help), "about", "about_quote")
	if help == "" {
		name, help = "about", s.translate("help_"+string(entry.Item.FieldType))
	}
	if help == "" { // it is about this item, and nobody wrote down what it is
		return escalated(reply, unanswered, s.translate("question"))
	}
	return reply("Explains an item", s.translate(name, "label", label, "help", help), nil, "")
}

// mentioned returns the visible item whose label the words match best; nil when none or several do.
func (c checklist) mentioned(said string) *dossier.ChecklistEntry {
	var best *dossier.ChecklistEntry
	most, tie := 0, false
	for entry := range c.All() {
		if !entry.Visible {
			continue
		}
		n := sharedWords(entry.Item, said)
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
