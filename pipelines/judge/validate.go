package judge

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Judgement is everything that decides whether one file is good for one checklist item.
type Judgement struct {
	FieldType dossier.FieldType
	Config    dossier.ItemConfig
	Rules     []string
	Party     dossier.Party
	Today     dossier.Day

	Document   dossier.DocumentID // "" when no stored document is judged
	Filename   string
	Extraction dossier.Extraction
	Parts      []int // which documents of the extraction serve the item (Match gives them); none: all
	// the item's other documents: "covers the last 3 months" may be met by several together
	Others []dossier.ReadDocument
	Pages  []text.Page // the file's tokens when at hand: more printed text to look into; nil is fine
}

// Validate judges one file for one item: the item's rules in their order, and before them, only when it does
// not hold, that the document is of the item's type and kind (a person may have put any file on any item).
//
// A rule nobody understands and a fact nobody can read are never passed: they ask for a person. A package
// with several documents for the item meets a rule when each of them does. It cannot fail.
func Validate(in Judgement) dossier.ValidationResult {
	result := dossier.ValidationResult{Results: []dossier.RuleResult{}}
	parts := in.parts()
	if r, wrong := kindResult(in, parts); wrong {
		result.Results = append(result.Results, r)
	}
	for _, text := range in.Rules {
		result.Results = append(result.Results, judgeRule(in, parts, text))
	}
	result.OverallValid = true
	for _, r := range result.Results {
		result.OverallValid = result.OverallValid && r.IsValid
	}
	result.OtherNotes = otherNotes(parts)
	return result
}

func judgeRule(in Judgement, parts []dossier.ReadDocument, text string) dossier.RuleResult {
	r, ok := readRule(text)
	if !ok {
		return ask(say("rule_not_understood")).result(text)
	}
	if len(parts) == 0 {
		return ask(say("nothing_recognised")).result(text)
	}
	a := in.ask(r, parts)
	if a.verdict != yes {
		a.why = in.withCounterfactual(a.why, r, parts)
	}
	return a.result(text)
}

// ask asks a rule about each document; a rule holds when it does for all of them.
func (in Judgement) ask(r rule, parts []dossier.ReadDocument) answer {
	answers := make([]answer, len(parts))
	for i, part := range parts {
		answers[i] = r.judge(&evidence{Judgement: &in, doc: part})
		answers[i].why.Citations = in.withDocument(answers[i].why.Citations, i)
		if len(parts) > 1 {
			answers[i].why = answers[i].why.With("pages", []int{part.Pages[0], part.Pages[1]})
		}
	}
	return allOf(answers...)
}

// withDocument sets in citations the document and the part they are about: the i-th of those that are judged.
func (in Judgement) withDocument(citations []dossier.Citation, i int) []dossier.Citation {
	part := i
	if n := 0; len(in.Parts) > 0 {
		for _, p := range in.Parts {
			if p < 0 || p >= len(in.Extraction.Documents) {
				continue
			}
			if n == i {
				part = p
			}
			n++
		}
	}
	for k := range citations {
		citations[k].Part = part
		if in.Document != "" {
			citations[k].DocumentID = &in.Document
		}
	}
	return citations
}

func (in Judgement) parts() []dossier.ReadDocument {
	if len(in.Parts) == 0 {
		return in.Extraction.Documents
	}
	var parts []dossier.ReadDocument
	for _, i := range in.Parts {
		if i >= 0 && i < len(in.Extraction.Documents) {
			parts = append(parts, in.Extraction.Documents[i])
		}
	}
	return parts
}

// evidence is what one rule sees: one document and what it is judged for.
type evidence struct {
	*Judgement
	doc dossier.ReadDocument
}

// verdict is what evidence says of a rule.
type verdict int

const (
	no     verdict = -1
	unsure verdict = 0
	yes    verdict = 1
)

// answer is a verdict with the reason that shows the printed evidence. The reason states facts, not
// approval, so it reads the same when the rule is turned round.
type answer struct {
	verdict verdict
	why     dossier.Reason
}

// say makes a reason from a code and its arguments, given as pairs of name and value.
func say(code dossier.ReasonCode, args ...any) dossier.Reason {
	return dossier.NewReason(code, args...)
}

// either makes one of two reasons.
func either(first bool, yes, no dossier.ReasonCode, args ...any) dossier.Reason {
	if first {
		return say(yes, args...)
	}
	return say(no, args...)
}

// met returns a yes or a no with its reason.
func met(holds bool, why dossier.Reason) answer {
	if holds {
		return answer{yes, why}
	}
	return answer{no, why}
}

// ask returns an unsure answer: a person decides.
func ask(why dossier.Reason) answer { return answer{unsure, why} }

// missing returns an unsure answer because a fact was not read.
func missing(fact string) answer { return ask(say("fact_missing", "fact", fact)) }

// at adds citations of the facts at the given pointers; a pointer to a fact that is not there adds none.
func (a answer) at(d dossier.ReadDocument, pointers ...string) answer {
	for _, pointer := range pointers {
		if c, ok := cite(d, pointer); ok {
			a.why.Citations = append(a.why.Citations, c)
		}
	}
	return a
}

func cite(d dossier.ReadDocument, pointer string) (dossier.Citation, bool) {
	if source, ok := d.Sources[pointer]; ok {
		c := dossier.Citation{Box: source.Box, Text: source.Text, Pointer: pointer}
		if source.Page > 0 {
			c.Page = &source.Page
		}
		return c, true
	}
	formula, ok := d.Derived[pointer]
	return dossier.Citation{Text: formula, Pointer: pointer}, ok
}

// allOf is no when one answer is no, else unsure when one is unsure, else yes. It keeps the reasons of the answers that
// decided.
func allOf(answers ...answer) answer { return decide(no, answers) }

// anyOf is yes when one answer is yes, else unsure when one is unsure, else no.
func anyOf(answers ...answer) answer { return decide(yes, answers) }

func decide(strongest verdict, answers []answer) answer {
	for _, v := range []verdict{strongest, unsure} {
		if why := reasonsOf(answers, v); !why.None() {
			return answer{v, why}
		}
	}
	return answer{-strongest, reasonsOf(answers, -strongest)}
}

// reasonsOf returns the first reason with that verdict, with the other ones among its arguments.
func reasonsOf(answers []answer, v verdict) dossier.Reason {
	var first dossier.Reason
	var also []dossier.Reason
	var said []string
	for _, a := range answers {
		sentence := a.why.In(dossier.English)
		if a.verdict != v || slices.Contains(said, sentence) {
			continue
		}
		said = append(said, sentence)
		if first.None() {
			first = a.why
			continue
		}
		also = append(also, a.why)
	}
	if len(also) == 0 {
		return first
	}
	citations := slices.Clone(first.Citations)
	for i, a := range also {
		citations = append(citations, a.Citations...)
		also[i].Citations = []dossier.Citation{} // they stand with the verdict
	}
	if before, ok := first.Args["also"].([]dossier.Reason); ok {
		also = append(slices.Clone(before), also...)
	}
	first = first.With("also", also)
	first.Citations = citations
	return first
}

func (a answer) result(rule string) dossier.RuleResult {
	return dossier.NewRuleResult(rule, a.verdict == yes, a.why)
}

// otherNotes returns the warnings of the reading, which a person should see whatever the rules say.
func otherNotes(parts []dossier.ReadDocument) string {
	var notes []string
	for _, part := range parts {
		for _, w := range part.Warnings {
			note := strings.ReplaceAll(w.Code, "_", " ")
			if w.Detail != "" {
				note += ": " + w.Detail
			}
			if note = strings.TrimSuffix(note, ".") + "."; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return strings.Join(notes, " ")
}
