package judge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// asksTogether reports whether a rule of an item depends on several documents together.
func asksTogether(item dossier.FileItem) bool { return slices.ContainsFunc(item.Rules, isTogether) }

func isTogether(text string) bool {
	r, ok := readRule(text)
	return ok && r.together
}

// rejudgeTogether returns a function that judges again, for each document of an item, the rules that depend on the
// item's other documents: "covers the last 3 months" fails with the first statement and holds for all three once the
// third is there. Other rules are left alone, and so is the result of a rule that cannot be decided without the text of
// the pages.
func rejudgeTogether(today dossier.Day) func(dossier.FileItem, dossier.Party,
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
			if result, is := in.revisedResult(rules, f); is {
				moved[f.ID] = result
			}
		}
		return moved
	}
}

// revisedResult judges the given rules of a file again and reports whether a result changed.
func (in Judgement) revisedResult(rules []string, f dossier.JudgedFile) (result dossier.ValidationResult, moved bool) {
	result = *f.Result
	result.Results = slices.Clone(result.Results)
	for _, text := range rules {
		k := slices.IndexFunc(result.Results, func(r dossier.RuleResult) bool { return r.RuleName == text })
		if k < 0 {
			continue
		}
		now := in.rejudgeRule(result.Results[k], f.JudgedAt)
		if !now.Unsure() && !equalIgnoringToday(now, result.Results[k]) {
			result.Results[k], moved = now, true
		}
	}
	result.OverallValid = !slices.ContainsFunc(result.Results, func(r dossier.RuleResult) bool { return !r.IsValid })
	return result, moved
}

// rejudgeRule judges a rule again. A rule that held is first judged as of the day of its last result, since neither the
// passing of time nor a later document may break it. When it does not hold then, it is judged as of today.
func (in Judgement) rejudgeRule(last dossier.RuleResult, at *time.Time) dossier.RuleResult {
	if last.IsValid && at != nil {
		then := in
		then.Today = dossier.DayOf(at.UTC())
		if r := judgeRule(then, then.parts(), last.RuleName); r.IsValid {
			return r
		}
	}
	return judgeRule(in, in.parts(), last.RuleName)
}

// equalIgnoringToday reports whether two results are equal but for the day they were judged on.
func equalIgnoringToday(a, b dossier.RuleResult) bool {
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
