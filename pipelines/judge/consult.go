package judge

import (
	"context"
	"errors"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// Consult asks a language model about the rules of a result that no offline predicate understood; every other answer
// stays as it is. An answer counts only with evidence that the document prints, and the sentence says that a model
// gave it. Where the model is off, silent or not to be believed, the rule keeps waiting for a person. scope is the
// workspace. It cannot fail.
func Consult(
	ctx context.Context,
	model *llm.Model,
	scope dossier.WorkspaceID,
	in Judgement,
	result dossier.ValidationResult,
) dossier.ValidationResult {
	text := in.printed()
	if model == nil || len(text) == 0 {
		return result
	}
	results := append([]dossier.RuleResult{}, result.Results...)
	result.OverallValid = true
	for i, r := range results {
		if r.Code == "rule_not_understood" {
			results[i] = askModel(ctx, model, scope, in, r.RuleName, text)
		}
		result.OverallValid = result.OverallValid && results[i].IsValid
	}
	result.Results = results
	return result
}

func askModel(
	ctx context.Context,
	model *llm.Model,
	scope dossier.WorkspaceID,
	in Judgement,
	rule string,
	text llm.Text,
) dossier.RuleResult {
	waits := func(why string) dossier.RuleResult {
		return dossier.NewRuleResult(rule, false, say("rule_not_understood", "model", why))
	}
	a, err := model.Rule(ctx, llm.About{Workspace: scope, Subject: string(in.Document)}, rule, in.known(), text)
	switch {
	case errors.Is(err, llm.ErrPromptInjection):
		return waits("addressed")
	case errors.Is(err, llm.ErrDropped):
		return waits("dropped")
	case err != nil:
		return waits("silent")
	case a.Verdict == llm.Unknown:
		return waits("undecided")
	}
	return dossier.NewRuleResult(
		rule,
		a.Verdict == llm.Met,
		say("model_judged", "quote", a.Quote, "page", a.Page, "reason", a.Reason, "prompt", a.Prompt),
	)
}

// known returns the facts besides the document that a rule may refer to.
func (in Judgement) known() string {
	known := []string{"today is " + in.Today.String()}
	for _, p := range in.Party.People {
		known = append(known, "the lead is "+p.Full())
	}
	for _, b := range in.Party.Businesses {
		known = append(known, "the business is "+b)
	}
	return strings.Join(known, "; ")
}

// printed returns the text of the documents that are judged.
func (in Judgement) printed() llm.Text {
	var pages []text.Page
	for _, p := range in.Pages {
		for _, part := range in.parts() {
			if p.Number >= part.Pages[0] && p.Number <= part.Pages[1] {
				pages = append(pages, p)
				break
			}
		}
	}
	return document.TextOf(pages)
}
