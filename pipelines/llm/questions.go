package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
)

// Verdict is a model's answer to a rule.
type Verdict string

// Verdicts.
const (
	Met     Verdict = "met"
	Broken  Verdict = "broken"
	Unknown Verdict = "unknown" // the document does not print what decides
)

// RuleAnswer is a verdict with its evidence.
type RuleAnswer struct {
	Verdict Verdict
	Quote   string // printed on Page; empty when the verdict is Unknown
	Page    int
	Reason  string // one sentence of the model's, at most 300 bytes
	Prompt  string // by which it was asked
}

// Rule asks whether a document meets a rule that a workspace wrote. known tells what else is known: the date and whose
// document it should be. Errors: ErrOff, ErrPromptInjection, ErrDropped, network errors.
func (m *Model) Rule(ctx context.Context, about About, rule, known string, text Text) (RuleAnswer, error) {
	got, err := m.Ask(ctx, Question{Kind: "rule", About: about, Text: text, Schema: ruleSchema, Prompt: documentPrompt,
		Task: "Does the document meet this rule: met, broken or unknown? Rule: " + rule + "\nKnown: " + known})
	if err != nil {
		return RuleAnswer{}, err
	}
	var a struct {
		Verdict Verdict `json:"verdict"`
		Quote   string  `json:"quote"`
		Reason  string  `json:"reason"`
	}
	if !DecodeStrict(got.JSON, &a) {
		return RuleAnswer{}, ErrDropped
	}
	switch a.Verdict {
	case Unknown:
		return RuleAnswer{Verdict: Unknown, Reason: oneLine(a.Reason, 300), Prompt: documentPrompt.Name}, nil
	case Met, Broken:
	default:
		return RuleAnswer{}, ErrDropped
	}
	page := text.withoutSSNs().limited().find(a.Quote)
	if page == 0 {
		return RuleAnswer{}, ErrDropped
	}
	return RuleAnswer{a.Verdict, oneLine(a.Quote, 400), page, oneLine(a.Reason, 300), documentPrompt.Name}, nil
}

// DecodeStrict decodes an answer and reports whether it has exactly the fields of its schema.
func DecodeStrict(raw []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into) == nil && d.Decode(&struct{}{}) == io.EOF
}

var (
	ruleSchema = Object(map[string]any{
		"verdict": map[string]any{"type": "string", "enum": []Verdict{Met, Broken, Unknown}},
		"quote":   map[string]any{"type": "string", "description": "copied from the document"},
		"reason":  map[string]any{"type": "string", "description": "one sentence"},
	}, "verdict", "quote", "reason")
)

// Object is the schema of an object that has the required properties and may have the others.
func Object(properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}
