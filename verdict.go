package dossier

import "encoding/json"

// RuleResult is the answer to one rule; its JSON names are those of api.md (validationResults) and review.md
// section 1. The reason decides: IsValidReason and WouldPassIf are what it says, in English where they are stored,
// and are never read back.
type RuleResult struct {
	RuleName      string `json:"ruleName"` // the rule as the workspace wrote it
	IsValid       bool   `json:"isValid"`
	IsValidReason string `json:"isValidReason"` // one sentence with the printed evidence
	// what would have to be so for the rule to be met; null when it is, or nothing was found
	WouldPassIf *string `json:"wouldPassIf"`
	Reason
}

// NewRuleResult says a reason's verdict on a rule.
func NewRuleResult(rule string, valid bool, why Reason) RuleResult {
	r := RuleResult{RuleName: rule, IsValid: valid, Reason: why}
	r.fill()
	return r.InLanguage(English)
}

// InLanguage returns the result with its sentences in a language.
func (r RuleResult) InLanguage(language Language) RuleResult {
	if r.None() {
		return r // of an answer that was told before there were codes
	}
	r.IsValidReason, r.WouldPassIf = r.In(language), nil
	if change, ok := r.Args["wouldPass"]; ok && !r.IsValid {
		if nested, ok := nestedReason(change); ok {
			said := nested.say(reasonVoice{language: language})
			r.WouldPassIf = &said
		}
	}
	return r
}

// UnmarshalJSON reads a result as it is stored: the reason's own reading must not take the place of this one.
func (r *RuleResult) UnmarshalJSON(data []byte) error {
	type flat struct {
		RuleName      string     `json:"ruleName"`
		IsValid       bool       `json:"isValid"`
		IsValidReason string     `json:"isValidReason"`
		WouldPassIf   *string    `json:"wouldPassIf"`
		Code          ReasonCode `json:"code"`
		Args          ReasonArgs `json:"args"`
		Citations     []Citation `json:"citations"`
	}
	var f flat
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*r = RuleResult{f.RuleName, f.IsValid, f.IsValidReason, f.WouldPassIf, Reason{f.Code, f.Args, f.Citations}}
	r.fill()
	return nil
}

// Unsure reports that the rule was neither met nor broken as far as anybody could read.
func (r RuleResult) Unsure() bool { return !r.IsValid && r.Asks() }

// ValidationResult is what one document is worth for one checklist item (api.md, validationResult).
type ValidationResult struct {
	OtherNotes   string       `json:"otherNotes"`
	OverallValid bool         `json:"overallValid"`
	Results      []RuleResult `json:"validationResults"` // in the order of the rules
}

// InLanguage returns the result with its sentences in a language.
func (v ValidationResult) InLanguage(language Language) ValidationResult {
	results := make([]RuleResult, len(v.Results))
	for i, r := range v.Results {
		results[i] = r.InLanguage(language)
	}
	v.Results = results
	return v
}

// NeedsReview reports that nothing is wrong with the document but something is left for a person to decide.
// A broken rule is stronger than an unsure one.
func (v ValidationResult) NeedsReview() bool {
	return !v.OverallValid && v.Broken() == nil
}

// Broken returns the first rule that the document breaks, nil when it breaks none.
func (v ValidationResult) Broken() *RuleResult {
	for i, r := range v.Results {
		if !r.IsValid && !r.Unsure() {
			return &v.Results[i]
		}
	}
	return nil
}

// Doubt returns the first rule that waits for a person, nil when none does.
func (v ValidationResult) Doubt() *RuleResult {
	for i, r := range v.Results {
		if r.Unsure() {
			return &v.Results[i]
		}
	}
	return nil
}
