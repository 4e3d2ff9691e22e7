package classify

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// taught matches what lessons, exercises and manuals print above what they show; one of them is enough.
var taught = lazyregexp.New(`\b(?:lesson \d+|lesson plan|answer key|answer the (?:following )?questions|learning ` +
	`(?:goal|objective|target)s?|students will|for (?:teachers|students)|class period|discussion questions` +
	`|directions (?:use|study|read|look|complete|answer)|simulation|key takeaways|fact checked` +
	`|definition and examples?|this (?:topic|article|section|chapter|guide|lesson|module|tutorial)` +
	` (?:explains|describes|shows|covers|discusses|applies to)` +
	`|get to know your|reference (?:guide|manual)|underwriting (?:guide|reference|manual)|user s? ?(?:guide|manual)` +
	`|conozca su|ejemplo ilustrativo|le explicamos|exemple de releve|comment lire` +
	`|beispiel(?:hafter)? kontoauszug)\b`)

// hints are what explanations say, by kind; more than one kind must be there.
var hints = []*lazyregexp.Regexp{
	lazyregexp.New(`\b(?:for example|an example|example of|the example|suppose that|sample file|the sample` +
		`|illustrat(?:es?|ion)|por ejemplo|par exemple|zum beispiel)\b`),
	lazyregexp.New(`\b(?:how to (?:read|use|understand|review|import|interpret)|explains?|explained|learn (?:how|to` +
		`|about|more about how)|guidelines?|is a summary of|what is an?)\b`),
	lazyregexp.New(`\b(?:(?:is|are|as|the one) (?:shown|pictured|described|found|listed)` +
		` (?:here|below|above|at|on|in)` +
		`|sample below|example below|on the next page|(?:letters|numbers) refer to` +
		`|as the (?:table|figure|picture) shows)\b`),
	lazyregexp.New(`\b(?:redesigned|new look|look different|easier to (?:read|understand)` +
		`|changing the layout|new format)\b`),
	lazyregexp.New(`\b(?:you (?:will|ll|can) find|here is what|what (?:it|each|this) means|paso a paso)\b`),
	lazyregexp.New(`\b(?:lenders? (?:ask|require|look)|when you (?:review|apply|receive)|verify the following` +
		`|before you approve|underwriters?|processors)\b`),
}

// question is a question of an exercise: numbered, or with a place for its answer.
var question = lazyregexp.New(`(?i)^\(?(?:\d{1,2}|[a-h])[.)]\s+(?:what|how|which|why|who|when|where|did|does` +
	`|is|was|would|calculate|circle|find|explain|write|add|subtract|the result)\b|\?\s*_{3,}|_{3,}.*\?`)

// leastQuestions is how many of them an exercise has.
const leastQuestions = 3

// isTeachingMaterial reports whether a file explains a document that it shows: it says so above the first figures, or
// asks questions about it. Text behind the figures of a statement is its own small print.
func isTeachingMaterial(pages []text.Page) bool {
	first := text.Lines(pages[0])
	style := text.StyleOf(pages[:1])
	above, dated := first, false
	prose := 0
	for i, l := range first {
		if len(figuresOn(l, style)) > 0 {
			above = first[:i]
			break
		}
		if len(l.Tokens) >= proseWords && len(l.Cells()) == 1 {
			prose++
		} else if prose == 0 {
			dated = dated || len(l.Dates(text.MonthFirst)) > 0
		}
	}
	if prose == 0 && len(pages) == 1 && len(above) == len(first) {
		return false
	}
	folded := foldedLines(above)
	kinds := 0
	for _, h := range hints {
		if h.MatchString(folded) {
			kinds++
		}
	}
	strong := taught.MatchString(folded)
	least := 2
	if dated { // a letter, or a statement with a message to its reader
		least = 3
	}
	return strong || prose > 0 && kinds >= least || isExercise(pages)
}

// isExercise reports whether pages are those of an exercise.
func isExercise(pages []text.Page) bool {
	questions, asked := 0, false
	for _, p := range pages[:min(len(pages), 12)] {
		for _, l := range text.Lines(p) {
			str := l.Text()
			if question.MatchString(str) {
				questions++
			}
			asked = asked || taught.MatchString(text.Fold(str))
		}
	}
	return questions >= leastQuestions && asked
}

// cardProse is how many lines of prose a page has that is no card: cards have captions and values. A caption in several
// languages is as long as a sentence, but has signs between them.
const cardProse = 3

// weighCardProse takes from the types of cards what a page of text about cards has of their words.
func weighCardProse(p text.Page, lines []text.Line, scores map[dossier.DocType]float64) {
	if p.Layer != text.LayerText {
		return
	}
	prose := 0
	for _, l := range lines {
		if len(l.Tokens) >= proseWords+1 && len(l.Cells()) == 1 && !strings.ContainsAny(l.Text(), "/•·|") {
			prose++
		}
	}
	if prose < cardProse {
		return
	}
	for _, t := range []dossier.DocType{dossier.DocDriversLicense, dossier.DocPassport, dossier.DocNationalID,
		dossier.DocResidencePermit, dossier.DocSocialSecurityCard} {
		scores[t] *= proseWorth
	}
}
