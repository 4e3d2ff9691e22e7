package dossier

import "strings"

// Reasons with these beginnings mean that no machine decided: the item goes to NEEDS_REVIEW. The beginning of
// the reason is the only mark, so a result keeps its meaning through every store and every client.
const (
	NeedsPerson       = "needs a person: "
	RuleNotUnderstood = NeedsPerson + "rule not understood"
)

// RuleResult is the answer to one rule; its JSON names are those of api.md (validationResults).
type RuleResult struct {
	RuleName      string `json:"ruleName"` // the rule as the workspace wrote it
	IsValid       bool   `json:"isValid"`
	IsValidReason string `json:"isValidReason"` // one sentence with the printed evidence
}

// Unsure reports that the rule was neither met nor broken as far as anybody could read.
func (r RuleResult) Unsure() bool {
	return !r.IsValid && strings.HasPrefix(r.IsValidReason, NeedsPerson)
}

// ValidationResult is what one document is worth for one checklist item (api.md, validationResult).
type ValidationResult struct {
	OtherNotes   string       `json:"otherNotes"`
	OverallValid bool         `json:"overallValid"`
	Results      []RuleResult `json:"validationResults"` // in the order of the rules
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
