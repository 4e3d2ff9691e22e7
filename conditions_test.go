package dossier

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The operators of decisions.md section 2, on every kind of value, and on a missing one (resources.md section 2).
func TestCondition_Holds(t *testing.T) {
	t.Parallel()
	values := map[string]json.RawMessage{
		"TYPE": json.RawMessage(`"LLC"`), "AMOUNT": json.RawMessage(`12500`), "EXACT": json.RawMessage(`0.10`), "DAY": json.RawMessage(`"2026-01-31"`),
		"MANY": json.RawMessage(`["a","b"]`), "NULL": json.RawMessage(`null`), "ADDRESS": json.RawMessage(`{"city":"X"}`),
	}
	tests := []struct {
		condition string
		want      bool
	}{
		{`{"code":"TYPE","op":"eq","value":"LLC"}`, true},
		{`{"code":"TYPE","op":"eq","value":"llc"}`, false},
		{`{"code":"TYPE","op":"neq","value":"LLC"}`, false},
		{`{"code":"TYPE","op":"neq","value":"S-Corp"}`, true},
		{`{"code":"TYPE","op":"in","value":["S-Corp","LLC"]}`, true},
		{`{"code":"TYPE","op":"in","value":["S-Corp"]}`, false},
		{`{"code":"TYPE","op":"exists"}`, true},
		{`{"code":"TYPE","op":"exists","value":false}`, false},
		{`{"code":"TYPE","op":"gt","value":1}`, false}, // a text is not greater than a number
		{`{"code":"AMOUNT","op":"eq","value":12500.00}`, true},
		{`{"code":"AMOUNT","op":"gt","value":12499.99}`, true},
		{`{"code":"AMOUNT","op":"gt","value":12500}`, false},
		{`{"code":"AMOUNT","op":"gte","value":12500}`, true},
		{`{"code":"AMOUNT","op":"lt","value":12500}`, false},
		{`{"code":"AMOUNT","op":"lt","value":12501}`, true},
		{`{"code":"AMOUNT","op":"lte","value":12500}`, true},
		{`{"code":"AMOUNT","op":"in","value":[1,12500]}`, true},
		{`{"code":"EXACT","op":"eq","value":0.1}`, true},
		{`{"code":"DAY","op":"gt","value":"2026-01-30"}`, true},
		{`{"code":"DAY","op":"lte","value":"2026-01-30"}`, false},
		{`{"code":"MANY","op":"eq","value":"b"}`, true},
		{`{"code":"MANY","op":"eq","value":["a","b"]}`, true},
		{`{"code":"MANY","op":"in","value":["x","a"]}`, true},
		{`{"code":"MANY","op":"neq","value":"c"}`, true},
		{`{"code":"ADDRESS","op":"eq","value":"X"}`, false},
		{`{"code":"ADDRESS","op":"exists"}`, true},
		// On a missing value neq and not are true, all else false.
		{`{"code":"NONE","op":"eq","value":"LLC"}`, false},
		{`{"code":"NONE","op":"neq","value":"LLC"}`, true},
		{`{"code":"NONE","op":"in","value":["LLC"]}`, false},
		{`{"code":"NONE","op":"gt","value":1}`, false},
		{`{"code":"NONE","op":"gte","value":1}`, false},
		{`{"code":"NONE","op":"lt","value":1}`, false},
		{`{"code":"NONE","op":"lte","value":1}`, false},
		{`{"code":"NONE","op":"exists"}`, false},
		{`{"code":"NONE","op":"exists","value":false}`, true},
		{`{"not":{"code":"NONE","op":"eq","value":"LLC"}}`, true},
		{`{"code":"NULL","op":"exists"}`, false},
		// Combinations.
		{`{"all":[{"code":"TYPE","op":"exists"},{"code":"AMOUNT","op":"gt","value":1}]}`, true},
		{`{"all":[{"code":"TYPE","op":"exists"},{"code":"NONE","op":"exists"}]}`, false},
		{`{"any":[{"code":"NONE","op":"exists"},{"code":"TYPE","op":"exists"}]}`, true},
		{`{"any":[{"code":"NONE","op":"exists"}]}`, false},
		{`{"not":{"any":[{"code":"NONE","op":"exists"},{"all":[{"code":"NULL","op":"exists"}]}]}}`, true},
	}
	for _, test := range tests {
		t.Run(test.condition, func(t *testing.T) {
			t.Parallel()
			c, faults := ParseCondition(json.RawMessage(test.condition), "/conditions")
			if faults != nil {
				t.Fatal(faults)
			}
			if got := c.Holds(func(code string) json.RawMessage { return values[code] }); got != test.want {
				t.Errorf("holds %v, want %v", got, test.want)
			}
		})
	}
}

func TestParseCondition_faults(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`[]`:         "/c invalid_type",
		`{}`:         "/c invalid_value",
		`{"all":[]}`: "/c/all invalid_value",
		`{"all":[{"code":"A","op":"exists"}],"any":[]}`: "/c invalid_value",
		`{"any":[{"code":"A","op":"is","value":1}]}`:    "/c/any/0/op invalid_value",
		`{"not":{"code":"","op":"exists"}}`:             "/c/not/code required",
		`{"code":"A","op":"eq"}`:                        "/c/value required",
		`{"code":"A","op":"eq","value":null}`:           "/c/value required",
		`{"code":"A","op":"in","value":"x"}`:            "/c/value invalid_value",
		`{"code":"A","op":"gt","value":"much"}`:         "/c/value invalid_value",
		`{"code":"A","op":"lt","value":1e999999999}`:    "/c/value invalid_value",
		`{"code":"A","op":"exists","value":"yes"}`:      "/c/value invalid_value",
		`{"code":"A","op":"exists","vlaue":true}`:       "/c/vlaue unknown_field",
		`{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"not":{"code":"A","op":"exists"}}}}}}}}}}}}}}}}}`: "/c/not/not/not/not/not/not/not/not/not/not/not/not/not/not/not/not invalid_value",
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			_, faults := ParseCondition(json.RawMessage(text), "/c")
			if len(faults) == 0 || faults[0].Pointer+" "+faults[0].Code != want {
				t.Errorf("faults %v, want %s", faults, want)
			}
		})
	}
	for _, none := range []string{"", "null", " "} {
		if c, faults := ParseCondition(json.RawMessage(none), "/c"); c != nil || faults != nil {
			t.Errorf("%q is %v, %v; want no condition", none, c, faults)
		}
	}
}

func TestCheckConditions(t *testing.T) {
	t.Parallel()
	on := func(codes ...string) *Condition {
		c := &Condition{}
		for _, code := range codes {
			c.Any = append(c.Any, Condition{Leaf: &ConditionLeaf{Code: code, Op: OpExists}})
		}
		return c
	}
	node := func(code string, conditions ...*Condition) ConditionNode {
		return ConditionNode{Code: code, Conditions: conditions, Pointer: "/" + code}
	}
	tests := []struct {
		name  string
		nodes []ConditionNode
		want  []string
	}{
		{"a chain", []ConditionNode{node("A"), node("B", on("A")), node("C", on("A", "B"), nil)}, nil},
		{"unknown code", []ConditionNode{node("A", on("Z"))}, []string{"/A unknown_code the condition of A names Z, which is no item of this checklist"}},
		{"itself", []ConditionNode{node("A", on("A"))}, []string{"/A condition_cycle the conditions form a cycle: A -> A"}},
		{"its own group", []ConditionNode{node("A", nil, on("B")), node("B", nil, on("B"))}, []string{"/B condition_cycle the conditions form a cycle: B -> B"}},
		{"three in a ring, one beside it", []ConditionNode{node("A", on("B")), node("B", on("C")), node("C", on("A")), node("D", on("A"))}, []string{
			"/A condition_cycle the conditions form a cycle: A -> B -> C -> A", "/B condition_cycle the conditions form a cycle: B -> C -> A -> B",
			"/C condition_cycle the conditions form a cycle: C -> A -> B -> C"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range CheckConditions(test.nodes) {
				got = append(got, f.Pointer+" "+f.Code+" "+f.Detail)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever parses is written back to something that parses to the same, and evaluating it ends.
func FuzzParseCondition(f *testing.F) {
	for _, seed := range []string{`{"all":[{"code":"A","op":"in","value":["x",1]}]}`, `{"not":{"any":[{"code":"B","op":"lte","value":1e3}]}}`,
		`{"code":"A","op":"gt","value":"2026-01-31"}`, `{"code":"A","op":"eq","value":1e-9999}`, `null`, `[[[`} {
		f.Add(seed, `"x"`)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		c, faults := ParseCondition(json.RawMessage(text), "/c")
		if c == nil || faults != nil {
			return
		}
		c.Holds(func(string) json.RawMessage { return json.RawMessage(value) })
		written, err := json.Marshal(c)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, faults := ParseCondition(written, "/c")
		if faults != nil {
			t.Fatalf("%s was written as %s, which has faults: %v", text, written, faults)
		}
		if rewritten, err := json.Marshal(again); err != nil || string(rewritten) != string(written) {
			t.Fatalf("%s was written as %s, then as %s (%v)", text, written, rewritten, err)
		}
	})
}
