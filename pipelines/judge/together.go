package judge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// asksTogether reports whether a rule of an item asks of several documents together.
func asksTogether(item dossier.FileItem) bool { return slices.ContainsFunc(item.Rules, isTogether) }

func isTogether(text string) bool {
	r, ok := readRule(text)
	return ok && r.together
}

// togetherOn asks the rules that look at an item's other documents again, of each of its documents: "covers the last 3
// months" is broken by the first statement and met by all three when the third is there. Nothing else is asked again,
// and what a rule cannot tell without the words of the pages stays as it was told.
func togetherOn(today dossier.Day) func(dossier.FileItem, dossier.Party,
	[]dossier.JudgedFile) map[dossier.DocumentID]dossier.ValidationResult {
	return func(item dossier.FileItem, whose dossier.Party,
		files []dossier.JudgedFile) map[dossier.DocumentID]dossier.ValidationResult {
		rules := slices.DeleteFunc(slices.Clone(item.Rules), func(text string) bool { return !isTogether(text) })
		moved := map[dossier.DocumentID]dossier.ValidationResult{}
		for i, f := range files {
			if f.Result == nil || f.Extraction == nil {
				continue
			}
			others := slices.Concat(files[:i], files[i+1:])
			in := Judgement{FieldType: item.FieldType, Config: item.Config, Party: whose, Today: today, Document: f.ID,
				Filename: f.Filename, Extraction: *f.Extraction, Parts: f.Parts, Others: OtherParts(others)}
			if result, is := in.movedBy(rules, f); is {
				moved[f.ID] = result
			}
		}
		return moved
	}
}

// movedBy is the verdict on a file with those rules as they are met now.
func (in Judgement) movedBy(rules []string, f dossier.JudgedFile) (result dossier.ValidationResult, moved bool) {
	result = *f.Result
	result.Results = slices.Clone(result.Results)
	for _, text := range rules {
		k := slices.IndexFunc(result.Results, func(r dossier.RuleResult) bool { return r.RuleName == text })
		if k < 0 {
			continue
		}
		now := in.judgeAgain(result.Results[k], f.JudgedAt)
		if !now.Unsure() && !sameButToday(now, result.Results[k]) {
			result.Results[k], moved = now, true
		}
	}
	result.OverallValid = !slices.ContainsFunc(result.Results, func(r dossier.RuleResult) bool { return !r.IsValid })
	return result, moved
}

// judgeAgain asks a rule again: one that was met as of the day on which it was judged, for time that goes by breaks
// none, and neither does a later document. What is not met so, with the documents that are there now, is judged as of
// today.
func (in Judgement) judgeAgain(last dossier.RuleResult, at *time.Time) dossier.RuleResult {
	if last.IsValid && at != nil {
		then := in
		then.Today = dossier.DayOf(at.UTC())
		if r := judgeRule(then, then.parts(), last.RuleName); r.IsValid {
			return r
		}
	}
	return judgeRule(in, in.parts(), last.RuleName)
}

// sameButToday reports whether two results say the same, whatever day they say it is.
func sameButToday(a, b dossier.RuleResult) bool {
	if a.IsValid != b.IsValid || a.Code != b.Code {
		return false
	}
	plain := func(r dossier.RuleResult) []byte {
		args := maps.Clone(r.Args)
		delete(args, "today")
		delete(args, "wouldPass")
		text, _ := json.Marshal(args) // one was stored, and has other types
		return text
	}
	return bytes.Equal(plain(a), plain(b))
}
