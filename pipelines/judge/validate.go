package judge

import (
	"fmt"
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

	Filename   string
	Extraction dossier.Extraction
	Parts      []int                  // which documents of the extraction serve the item (Match gives them); none: all
	Others     []dossier.ReadDocument // the item's other documents: "covers the last 3 months" may be met by several together
	Pages      []text.Page            // the file's tokens when at hand: more printed text to look into; nil is fine
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
		return dossier.RuleResult{RuleName: text, IsValidReason: dossier.RuleNotUnderstood + "."}
	}
	if len(parts) == 0 {
		return answer{unsure, "nothing was recognised in the file."}.result(text)
	}
	answers := make([]answer, len(parts))
	for i, part := range parts {
		answers[i] = r.judge(&evidence{Judgement: &in, doc: part})
		if len(parts) > 1 {
			answers[i].why = pagesOf(part) + ": " + answers[i].why
		}
	}
	return allOf(answers...).result(text)
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

// answer is a verdict with the sentence that shows the printed evidence. The sentence states facts, not
// approval, so it reads the same when the rule is turned round.
type answer struct {
	verdict verdict
	why     string
}

func met(holds bool, format string, args ...any) answer {
	a := answer{no, fmt.Sprintf(format, args...)}
	if holds {
		a.verdict = yes
	}
	return a
}

func ask(format string, args ...any) answer { return answer{unsure, fmt.Sprintf(format, args...)} }

// allOf is no when one is no, unsure when one is unsure; it keeps the sentences that decided.
func allOf(answers ...answer) answer { return decide(no, answers) }

// anyOf is yes when one is yes, unsure when one is unsure.
func anyOf(answers ...answer) answer { return decide(yes, answers) }

func decide(strongest verdict, answers []answer) answer {
	for _, v := range []verdict{strongest, unsure} {
		if why := sentencesOf(answers, v); why != "" {
			return answer{v, why}
		}
	}
	return answer{-strongest, sentencesOf(answers, -strongest)}
}

func sentencesOf(answers []answer, v verdict) string {
	var sentences []string
	for _, a := range answers {
		if a.verdict == v && !containsString(sentences, a.why) {
			sentences = append(sentences, a.why)
		}
	}
	return strings.Join(sentences, " ")
}

func containsString(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

func (a answer) result(rule string) dossier.RuleResult {
	r := dossier.RuleResult{RuleName: rule, IsValid: a.verdict == yes, IsValidReason: a.why}
	if a.verdict == unsure {
		r.IsValidReason = dossier.NeedsPerson + lowerFirst(a.why)
	}
	return r
}

// lowerFirst continues a sentence, unless it begins with a name or an abbreviation.
func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

func pagesOf(d dossier.ReadDocument) string {
	if d.Pages[0] == d.Pages[1] {
		return fmt.Sprintf("Page %d", d.Pages[0])
	}
	return fmt.Sprintf("Pages %d to %d", d.Pages[0], d.Pages[1])
}

// otherNotes tells what a person should know whatever the rules: the warnings of the reading.
func otherNotes(parts []dossier.ReadDocument) string {
	var notes []string
	for _, part := range parts {
		for _, w := range part.Warnings {
			note := strings.ReplaceAll(w.Code, "_", " ")
			if w.Detail != "" {
				note += ": " + w.Detail
			}
			if note = strings.TrimSuffix(note, ".") + "."; !containsString(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return strings.Join(notes, " ")
}
