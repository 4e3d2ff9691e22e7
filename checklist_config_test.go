package dossier

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseItemConfig(t *testing.T) {
	for _, c := range []struct {
		fieldType FieldType
		config    string
		back      string // the config as JSON again; "" when faults are expected
		faults    []string
	}{
		{FieldBankStatement, `{"months":3}`, `{"months":3}`, nil},
		{FieldBankStatement, `{"months":1,"gracePeriodDays":3650,"isPersonal":false}`, `{"gracePeriodDays":3650,"isPersonal":false,"months":1}`, nil},
		{FieldBankStatement, ``, `null`, nil},
		{FieldBankStatement, `null`, `null`, nil},
		{FieldBankStatement, `{}`, "", []string{"/config/months required"}},
		{FieldBankStatement, `{"months":"3"}`, "", []string{"/config/months invalid_type"}},
		{FieldBankStatement, `{"months":0}`, "", []string{"/config/months invalid_value"}},
		{FieldBankStatement, `{"months":2.5}`, "", []string{"/config/months invalid_value"}},
		{FieldBankStatement, `{"months":1e999999999}`, "", []string{"/config/months invalid_value"}},
		{FieldBankStatement, `{"months":3,"graceDays":45,"years":1}`, "", []string{"/config/graceDays unknown_field", "/config/years unknown_field"}},
		{FieldBankStatement, `{"months":null,"isPersonal":"yes"}`, "", []string{"/config/months invalid_type", "/config/isPersonal invalid_type"}},
		{FieldBankStatement, `[3]`, "", []string{"/config invalid_type"}},
		{FieldID, `{"type":"PASSPORT"}`, `{"type":"PASSPORT"}`, nil},
		{FieldID, `{"type":"NATIONAL_ID"}`, "", []string{"/config/type invalid_value"}},
		{FieldID, `{"type":""}`, "", []string{"/config/type invalid_value"}},
		{FieldTaxReturn, `{"years":2,"isPersonal":true}`, `{"isPersonal":true,"years":2}`, nil},
		{FieldTaxReturn, `{"years":-1}`, "", []string{"/config/years invalid_value"}},
		{FieldSelect, `{"options":["LLC","S-Corp"]}`, `{"options":["LLC","S-Corp"]}`, nil},
		{FieldSelect, `{"options":[]}`, "", []string{"/config/options invalid_value"}},
		{FieldMultiSelect, `{"options":["a","a",""]}`, "", []string{"/config/options/1 invalid_value", "/config/options/2 invalid_value"}},
		{FieldMultiSelect, `{"options":[1]}`, "", []string{"/config/options invalid_type"}},
		{FieldNumber, `{"min":1000,"max":5000000.50}`, `{"max":5000000.5,"min":1000}`, nil},
		{FieldNumber, `{}`, `null`, nil},
		{FieldNumber, `{"min":2,"max":1}`, "", []string{"/config/min invalid_value"}},
		{FieldText, `{"pattern":"[A-Z]{2}\\d+"}`, `{"pattern":"[A-Z]{2}\\d+"}`, nil},
		{FieldText, `{"pattern":"("}`, "", []string{"/config/pattern invalid_value"}},
		{FieldFile, `{"months":1}`, "", []string{"/config/months unknown_field"}},
		{FieldFile, `{}`, `null`, nil},
		{FieldEIN, `{"a/b":1}`, "", []string{"/config/a~1b unknown_field"}},
	} {
		config, faults := ParseItemConfig(c.fieldType, json.RawMessage(c.config), "/config")
		var got []string
		for _, f := range faults {
			got = append(got, f.Pointer+" "+f.Code)
		}
		if diff := cmp.Diff(c.faults, got); diff != "" {
			t.Errorf("%s %s: faults -want +got\n%s", c.fieldType, c.config, diff)
		}
		if c.back == "" {
			continue
		}
		back, err := json.Marshal(config)
		if err != nil || string(back) != c.back {
			t.Errorf("%s %s: written back as %s, %v, want %s", c.fieldType, c.config, back, err, c.back)
		}
		var again ItemConfig
		if err := json.Unmarshal(back, &again); err != nil {
			t.Errorf("%s: %v", back, err)
		}
		if diff := cmp.Diff(config, again); diff != "" {
			t.Errorf("%s did not survive the store: -want +got\n%s", back, diff)
		}
	}
}

func TestItemConfig_Grace(t *testing.T) {
	if got := (ItemConfig{}).Grace(); got != 60 {
		t.Errorf("default grace is %d days, want 60", got)
	}
}

func TestValidationResult(t *testing.T) {
	met := NewRuleResult("a", true, NewReason("signed"))
	broken := NewRuleResult("b", false, NewReason("not_signed"))
	unsure := NewRuleResult("c", false, NewReason("rule_not_understood"))
	for _, c := range []struct {
		name   string
		result ValidationResult
		review bool
		broken string
	}{
		{"all met", ValidationResult{OverallValid: true, Results: []RuleResult{met}}, false, ""},
		{"one broken", ValidationResult{Results: []RuleResult{met, unsure, broken}}, false, "b"},
		{"one unsure", ValidationResult{Results: []RuleResult{met, unsure}}, true, ""},
	} {
		if got := c.result.NeedsReview(); got != c.review {
			t.Errorf("%s: NeedsReview = %v", c.name, got)
		}
		if got := c.result.Broken(); (got == nil) != (c.broken == "") || got != nil && got.RuleName != c.broken {
			t.Errorf("%s: Broken = %v, want %q", c.name, got, c.broken)
		}
		data, _ := json.Marshal(c.result)
		var back ValidationResult
		if err := json.Unmarshal(data, &back); err != nil || back.NeedsReview() != c.review {
			t.Errorf("%s: the verdict changed in JSON: %s", c.name, data)
		}
	}
}
