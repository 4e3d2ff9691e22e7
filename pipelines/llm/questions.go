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
}

// Rule asks whether a document meets a rule that a workspace wrote. about tells what else is known: the date and
// whose document it should be. Errors: ErrOff, ErrAddressed, ErrDropped, those of the network.
func (m *Model) Rule(ctx context.Context, scope, rule, about string, text Text) (RuleAnswer, error) {
	raw, err := m.ask(ctx, question{kind: "rule", scope: scope, text: text, schema: ruleSchema,
		task: "Does the document meet this rule: met, broken or unknown? Rule: " + rule + "\nKnown: " + about})
	if err != nil {
		return RuleAnswer{}, err
	}
	var a struct {
		Verdict Verdict `json:"verdict"`
		Quote   string  `json:"quote"`
		Reason  string  `json:"reason"`
	}
	if !strictly(raw, &a) {
		return RuleAnswer{}, ErrDropped
	}
	switch a.Verdict {
	case Unknown:
		return RuleAnswer{Verdict: Unknown, Reason: oneLine(a.Reason, 300)}, nil
	case Met, Broken:
	default:
		return RuleAnswer{}, ErrDropped
	}
	page := text.limited().find(a.Quote)
	if page == 0 {
		return RuleAnswer{}, ErrDropped
	}
	return RuleAnswer{a.Verdict, oneLine(a.Quote, 400), page, oneLine(a.Reason, 300)}, nil
}

// FactAnswer is where a fact is printed, as a model sees it.
type FactAnswer struct {
	Quote string // the value as printed on Page; empty: the document does not print it
	Page  int
}

// Fact asks how the document prints one fact. Errors: as of Rule.
func (m *Model) Fact(ctx context.Context, scope, fact string, text Text) (FactAnswer, error) {
	raw, err := m.ask(ctx, question{kind: "fact", scope: scope, text: text, schema: factSchema,
		task: "Copy the value of this fact as the document prints it, without its caption, into quote. Fact: " + fact})
	if err != nil {
		return FactAnswer{}, err
	}
	var a struct {
		Known bool   `json:"known"`
		Quote string `json:"quote"`
	}
	if !strictly(raw, &a) {
		return FactAnswer{}, ErrDropped
	}
	if !a.Known {
		return FactAnswer{}, nil
	}
	page := text.limited().find(a.Quote)
	if page == 0 {
		return FactAnswer{}, ErrDropped
	}
	return FactAnswer{oneLine(a.Quote, 400), page}, nil
}

// strictly decodes an answer that has the fields of its schema and no others.
func strictly(raw []byte, into any) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into) == nil && d.Decode(&struct{}{}) == io.EOF
}

var (
	ruleSchema = object(map[string]any{
		"verdict": map[string]any{"type": "string", "enum": []Verdict{Met, Broken, Unknown}},
		"quote":   map[string]any{"type": "string", "description": "copied from the document"},
		"reason":  map[string]any{"type": "string", "description": "one sentence"},
	}, "verdict", "quote", "reason")
	factSchema = object(map[string]any{
		"known": map[string]any{"type": "boolean"},
		"quote": map[string]any{"type": "string", "description": "copied from the document"},
	}, "known", "quote")
)

func object(properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}
