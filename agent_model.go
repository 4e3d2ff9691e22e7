package dossier

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

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
	return []Intent{IntentPerson, IntentComplain, IntentDecline, IntentMissing, IntentWhere, IntentWhy, IntentItem, IntentArrived, IntentPromise, IntentThanks, IntentUnknown}
}

// Reading is what a language model made of a message that the rules did not understand.
type Reading struct {
	Intent Intent
	Code   string // of the item it is about; "" mostly
	Sure   bool
}

// Advice is what a language model adds to a turn: a reading of the lead's message, and words for the message that the
// rules would write. The zero value: none was asked.
type Advice struct {
	Reading *Reading
	For     string // the rules' message that Words stand in for; another one is sent as it is
	Words   string
	Refused string // why the model's words are not used
}

// Reword puts the model's words in place of the rules'.
func (a Advice) Reword(step *Step) {
	if step.Draft != nil && a.Words != "" && a.For == step.Draft.Body {
		step.Draft.Body = a.Words
	}
}

// Wordable says whether a model may word a step's message: not what the workspace worded itself, a reminder's text or
// an approved template.
func (s Situation) Wordable(step Step) bool {
	return step.Kind == StepWrite && step.Draft.Template == nil && (s.Workflow.Type != WorkflowReminder || s.Workflow.Message == "" || s.Trigger == TriggerReply)
}

// LinkMark stands for the address of the lead's page in what a model sees: the address is a key.
const LinkMark = "{{link}}"

// HideLink replaces the address of the lead's page by LinkMark.
func (s Situation) HideLink(words string) string {
	if s.Portal == "" {
		return words
	}
	return strings.ReplaceAll(words, s.Portal, LinkMark)
}

// ShowLink is the reverse of HideLink.
func (s Situation) ShowLink(words string) string {
	return strings.ReplaceAll(words, LinkMark, s.Portal)
}

var (
	urlForm     = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)|\b[a-z0-9-]+\.(?:com|net|org|io|co|us|biz|info|link|app|me|ly|gl|example|test)\b`)
	figureForm  = regexp.MustCompile(`\d[\d.,:/%-]*`)
	bracketForm = regexp.MustCompile(`\(([^()]+)\)`)
	properForm  = regexp.MustCompile(`([\p{L}\p{N},;:)'’»"-]\s+[«"'(¿¡]?)(\p{Lu}[\p{L}'’-]*)`)
	modelForm   = regexp.MustCompile(`(?i)\b(?:language model|as an ai|ai assistant|system prompt|chat ?gpt|modelo de lenguaje|inteligencia artificial)\b`)
	markupForm  = regexp.MustCompile("[<>*_`#|]|\\]\\(|\\{\\{|\\}\\}")
	promiseForm = regexp.MustCompile(`(?i)\b(?:guarant\w*|promis\w*|assur\w*|ensur\w*|(?:pre-?)?approv\w*|qualif\w*|eligib\w*|fund(?:s|ed|ing)|rates?|discount\w*|refund\w*|for free|free of|bonus|definitely|certainly|surely` +
		`|(?:we|i|it|they|somebody|someone|a colleague)(?:'ll| will| shall| can| may)(?: \w+)?|you(?:'ll| will| shall)(?: \w+)?|within (?:an?|the|one|two|three|minutes|hours|days)|by (?:today|tonight|tomorrow|the end|monday|tuesday|wednesday|thursday|friday|saturday|sunday)` +
		`|today|tomorrow|tonight|immediately|right away|instantly|urgent\w*|must|deadline|overdue|penalt\w*|legal action|last chance|final notice` +
		`|garant\w*|promet\w*|asegur\w*|aprob\w*|aprueb\w*|califica\w*|tasas?|descuento\w*|reembols\w*|gratis|mañana|hoy|inmediat\w*|urgent\w*|debe|multas?|último aviso|(?:le|lo|la) \p{L}+(?:remos|ré|rá|rán)|pod(?:rá|remos)|ser[áa]n?)(?:\W|$)`)
)

// Unfit says why a model's words must not stand in for the rules' draft, or "". Words may only say what the draft says:
// its items, reasons and figures, and the one link; they promise nothing and are no longer than the channel takes.
// Both have LinkMark in place of the address.
func (s Situation) Unfit(channel Channel, draft, words string) string {
	bare := strings.ReplaceAll(words, LinkMark, "")
	length := len([]rune(words)) + strings.Count(words, LinkMark)*(len([]rune(s.Portal))-len(LinkMark))
	switch {
	case length > maxBody[channel]:
		return "longer than the channel takes"
	case len([]rune(strings.TrimSpace(bare))) < 20:
		return "says too little"
	case strings.ContainsFunc(words, hidden):
		return "has characters that nobody sees"
	case strings.Count(words, LinkMark) != strings.Count(draft, LinkMark):
		return "has another number of links"
	case urlForm.MatchString(bare) || strings.Contains(bare, "@"):
		return "links elsewhere"
	case markupForm.MatchString(bare) && !markupForm.MatchString(strings.ReplaceAll(draft, LinkMark, "")):
		return "has markup"
	case modelForm.MatchString(words):
		return "speaks of itself"
	case !within(terms(figureForm, bare), terms(figureForm, draft)):
		return "has a figure that the record does not give"
	case !within(terms(promiseForm, bare), terms(promiseForm, draft)):
		return "promises or presses"
	case !within(names(bare), terms(wordForm, draft+" "+s.Company+" "+s.Lead.Name())):
		return "names what the record does not give"
	}
	if why := s.leftOut(draft, words); why != "" {
		return why
	}
	for entry := range s.Checklist.All() {
		if label := strings.ToLower(entry.Item.Label); strings.Contains(strings.ToLower(words), label) && !strings.Contains(strings.ToLower(draft), label) {
			return "asks for something else"
		}
	}
	if language, sure := languageOf(words); sure && language != s.Language() {
		return "is in another language"
	}
	return ""
}

// terms are what of a text has a form, in lower case.
func terms(form *regexp.Regexp, text string) map[string]bool {
	found := map[string]bool{}
	for _, term := range form.FindAllString(text, -1) {
		found[strings.ToLower(strings.Trim(term, " .,:;!?\n-/"))] = true
	}
	return found
}

// names are the words of a text that have a capital letter within a sentence.
func names(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range properForm.FindAllStringSubmatch(text, -1) {
		if word := strings.ToLower(match[2]); word != "i" && !strings.HasPrefix(word, "i'") && !strings.HasPrefix(word, "i’") {
			for _, part := range wordForm.FindAllString(word, -1) {
				found[part] = true
			}
		}
	}
	return found
}

func within(have, allowed map[string]bool) bool {
	for term := range have {
		if !allowed[term] {
			return false
		}
	}
	return true
}

// leftOut says what of the draft the words lack that a lead must read.
func (s Situation) leftOut(draft, words string) string {
	for entry := range s.Checklist.All() {
		if label := strings.TrimRight(entry.Item.Label, ". "); strings.Contains(draft, label) && !strings.Contains(words, label) {
			return "leaves out an item"
		}
	}
	for _, reason := range bracketForm.FindAllString(draft, -1) {
		if !strings.Contains(words, reason) {
			return "leaves out a reason"
		}
	}
	for _, part := range []string{s.say("stop"), s.Agent.signature(), s.Company} {
		if strings.Contains(draft, part) && !strings.Contains(words, part) {
			return "leaves out who writes, or the way out"
		}
	}
	return ""
}

// hidden says whether a character does not show, but for the end of a line.
func hidden(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r))
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
