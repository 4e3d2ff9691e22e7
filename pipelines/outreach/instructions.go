package outreach

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// pauseAfterContact is how long an agent writes nothing after a person has spoken with the lead, so that the lead does
// not hear from two sides at once.
const pauseAfterContact = 24 * time.Hour

var spokeWith = regexp.MustCompile(`(?i)(^|[_\W])(call|called|calls|phone|phoned|meeting|met|visit|visited|spoke` +
	`|talked|conversation|voicemail|llamada|reunion|reunión)([_\W]|$)`)

// deferToPerson postpones a follow-up while a person is in contact with the lead.
func (s situation) deferToPerson() (dossier.Step, bool) {
	if s.Trigger != dossier.TriggerFollowUp {
		return dossier.Step{}, false
	}
	for _, note := range s.Notes {
		rest := note.At.Add(pauseAfterContact).Sub(s.Now)
		if rest > 0 && (spokeWith.MatchString(note.EventType) || spokeWith.MatchString(note.Title)) {
			return dossier.Step{Kind: dossier.StepWait,
				Reason: "A person was in touch with the lead: " + clip(note.Title, 80), Later: rest}, true
		}
	}
	return dossier.Step{}, false
}

// Instructions are free text for an agent. Its rules understand these sentences of them, alone or among others:
//
//	Offer to explain what an operating agreement is.     Ofrezca explicar qué es un acuerdo operativo.
//	Say that a photo from the phone is fine.             Diga que una foto del teléfono sirve.
//	Mention that..., Tell them that...                   Mencione que..., Dígale que...
//	Ask for this first.    Do not ask for this.          Pida esto primero.    No pida esto.      (of an item)
//	Be formal.    Sign as Ava Ruiz.                      Sea formal.    Firme como Ava Ruiz.      (of an agent)
//
// What is to be said is said in messages of its own language: a workspace with leads of both writes it in both.
var (
	firstForm  = regexp.MustCompile(`(?i)\bask (?:for )?(?:this|it)? ?first\b|\bpida (?:esto|eso) primero\b`)
	skipForm   = regexp.MustCompile(`(?i)\b(?:do not|don'?t|never) ask\b|\b(?:no|nunca) pida\b`)
	formalForm = regexp.MustCompile(`(?i)\b(?:be|write|stay) formal\b|\bformal (?:tone|language)\b|\bsea formal\b` +
		`|\btono formal\b`)
	signForm = regexp.MustCompile(`(?im)(?:^|[.!\n]\s*)(?:sign (?:as|with)|firme como) "?([^."\n]{2,60})`)
	linkForm = regexp.MustCompile(`(?i)https?://|www\.`)

	sayForms = map[dossier.Language]struct{ offer, say *regexp.Regexp }{
		dossier.English: {regexp.MustCompile(`(?im)(?:^|[.!\n]\s*)offer to explain ([^.\n]{3,120})`),
			regexp.MustCompile(`(?im)(?:^|[.!\n]\s*)(?:say|mention|tell (?:them|the lead|the client|her|him))(?: ` +
				`that|:)\s+"?([^."\n]{3,200})`)},
		dossier.Spanish: {regexp.MustCompile(`(?im)(?:^|[.!\n]\s*)ofrezca explicar(?:le)? ([^.\n]{3,120})`),
			regexp.MustCompile(
				`(?im)(?:^|[.!\n]\s*)(?:diga|d[ií]gales?|mencione|avise)(?: que|:)\s+"?([^."\n]{3,200})`)},
	}
)

func formal(a dossier.Agent) bool { return formalForm.MatchString(a.Instructions) }

func signature(a dossier.Agent) string {
	if found := signForm.FindStringSubmatch(a.Instructions); found != nil {
		return strings.TrimSpace(found[1])
	}
	return a.Name
}

// itemsToRequest returns the open items that the agent asks for on its own initiative, those first that its
// instructions name as first.
func (s situation) itemsToRequest() []*dossier.ChecklistEntry {
	list := slices.DeleteFunc(s.open(), func(e *dossier.ChecklistEntry) bool {
		return e.Status != dossier.ItemInvalid && skipForm.MatchString(dossier.Text(e.Item.AgentInstructions))
	})
	slices.SortStableFunc(list, func(a, b *dossier.ChecklistEntry) int { return urgency(b) - urgency(a) })
	return list
}

func urgency(e *dossier.ChecklistEntry) int {
	switch {
	case e.Status == dossier.ItemInvalid:
		return 2
	case firstForm.MatchString(dossier.Text(e.Item.AgentInstructions)):
		return 1
	}
	return 0
}

// instructedSentences returns what the instructions of the first item, then those of the agent, want said. A text
// message has room for one sentence. Links are left out: a message links to the lead's page only.
func (s situation) instructedSentences(channel dossier.Channel, items []*dossier.ChecklistEntry) string {
	var sentences []string
	for _, entry := range items {
		sentences = append(sentences, s.sentencesToSay(dossier.Text(entry.Item.AgentInstructions))...)
	}
	if len(items) > 0 {
		sentences = append(sentences, s.sentencesToSay(s.Agent.Instructions)...)
	}
	room := map[dossier.Channel]int{dossier.ChannelSMS: 1, dossier.ChannelWhatsApp: 2, dossier.ChannelEmail: 4}[channel]
	if channel == dossier.ChannelSMS && len(items) != 1 {
		room = 0
	}
	return strings.Join(sentences[:min(room, len(sentences))], " ")
}

func (s situation) sentencesToSay(instructions string) []string {
	var sentences []string
	forms := sayForms[s.language()]
	if found := forms.offer.FindStringSubmatch(instructions); found != nil && !linkForm.MatchString(found[1]) {
		sentences = append(sentences, s.translate("explain", "what", strings.TrimSpace(found[1])))
	}
	for _, found := range forms.say.FindAllStringSubmatch(instructions, -1) {
		if said := strings.TrimSpace(found[1]); !linkForm.MatchString(said) {
			first, size := utf8.DecodeRuneInString(said)
			sentences = append(sentences, string(unicode.ToUpper(first))+said[size:]+".")
		}
	}
	return sentences
}
