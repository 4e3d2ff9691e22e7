package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Condition says when an item or a group is visible (decisions.md section 2): {all:[...]}, {any:[...]},
// {not:...} or a leaf {code, op, value}. Exactly one form is used.
type Condition struct {
	All  []Condition
	Any  []Condition
	Not  *Condition
	Leaf *ConditionLeaf
}

// ConditionLeaf compares the value of the item with this code. Value is JSON; nil only with exists.
type ConditionLeaf struct {
	Code  string
	Op    ConditionOp
	Value json.RawMessage
}

// ConditionOp is a comparison. On a missing value neq is true, all else false.
type ConditionOp string

// Comparisons. A MULTI_SELECT value eq a text when that text is among its choices.
const (
	OpEq     ConditionOp = "eq"
	OpNeq    ConditionOp = "neq"
	OpIn     ConditionOp = "in"
	OpGt     ConditionOp = "gt"
	OpGte    ConditionOp = "gte"
	OpLt     ConditionOp = "lt"
	OpLte    ConditionOp = "lte"
	OpExists ConditionOp = "exists"
)

var conditionOps = []ConditionOp{OpEq, OpNeq, OpIn, OpGt, OpGte, OpLt, OpLte, OpExists}

// Bounds of one condition, so that evaluating it stays cheap.
const (
	maxConditionDepth = 16
	maxConditionWidth = 100
)

// ParseCondition reads a condition; absent and null are none. Faults have pointers below at ("/conditions").
func ParseCondition(raw json.RawMessage, at string) (*Condition, []Fault) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var f faults
	condition := parseCondition(raw, at, 1, &f)
	if len(f) > 0 {
		return nil, f
	}
	return &condition, nil
}

func parseCondition(raw json.RawMessage, at string, depth int, f *faults) Condition {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		f.add(at, "invalid_type", "a condition must be an object: {all}, {any}, {not} or {code, op, value}")
		return Condition{}
	}
	if depth > maxConditionDepth {
		f.add(at, "invalid_value", "conditions may be nested at most %d deep", maxConditionDepth)
		return Condition{}
	}
	keys := sortedKeys(object)
	switch {
	case slices.Equal(keys, []string{"all"}):
		return Condition{All: parseConditions(object["all"], at+"/all", depth, f)}
	case slices.Equal(keys, []string{"any"}):
		return Condition{Any: parseConditions(object["any"], at+"/any", depth, f)}
	case slices.Equal(keys, []string{"not"}):
		not := parseCondition(object["not"], at+"/not", depth+1, f)
		return Condition{Not: &not}
	case object["code"] != nil || object["op"] != nil:
		return Condition{Leaf: parseLeaf(object, at, f)}
	}
	f.add(at, "invalid_value", "a condition is {all:[...]}, {any:[...]}, {not:...} or {code, op, value}, not {%s}",
		strings.Join(keys, ", "))
	return Condition{}
}

func parseConditions(raw json.RawMessage, at string, depth int, f *faults) []Condition {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 || len(list) > maxConditionWidth {
		f.add(at, "invalid_value", "%s must be an array of 1 to %d conditions", at[strings.LastIndexByte(at, '/')+1:],
			maxConditionWidth)
		return nil
	}
	conditions := make([]Condition, len(list))
	for i, one := range list {
		conditions[i] = parseCondition(one, fmt.Sprintf("%s/%d", at, i), depth+1, f)
	}
	return conditions
}

func parseLeaf(object map[string]json.RawMessage, at string, f *faults) *ConditionLeaf {
	leaf := &ConditionLeaf{}
	for _, key := range sortedKeys(object) {
		switch key {
		case "code", "op", "value":
		default:
			f.add(at+"/"+PointerStep(key), "unknown_field", "a condition has no %q; it has code, op and value", key)
		}
	}
	if json.Unmarshal(object["code"], &leaf.Code) != nil || leaf.Code == "" {
		f.add(at+"/code", "required", "code must be the code of a checklist item")
	}
	if json.Unmarshal(object["op"], &leaf.Op) != nil || !slices.Contains(conditionOps, leaf.Op) {
		f.add(at+"/op", "invalid_value", "op must be eq, neq, in, gt, gte, lt, lte or exists")
		return leaf
	}
	if value := bytes.TrimSpace(object["value"]); len(value) > 0 && string(value) != "null" {
		leaf.Value = value
	}
	leaf.check(at, f)
	return leaf
}

// check holds the value to what its op can compare.
func (l *ConditionLeaf) check(at string, f *faults) {
	value, given := decodeValue(l.Value)
	switch l.Op {
	case OpExists:
		if _, isBool := value.(bool); given && !isBool {
			f.add(at+"/value", "invalid_value", "exists takes true, false or no value")
		}
	case OpIn:
		if list, ok := value.([]any); !ok || len(list) == 0 {
			f.add(at+"/value", "invalid_value", "in takes an array of values")
		}
	case OpGt, OpGte, OpLt, OpLte:
		if _, number := numberOf(value); !number && !isDate(value) {
			f.add(at+"/value", "invalid_value", "%s takes a number or a date YYYY-MM-DD", l.Op)
		}
	default:
		if !given {
			f.add(at+"/value", "required", "%s takes a value", l.Op)
		}
	}
}

// Holds evaluates the condition. value returns an item's value by code, nil when it has none.
func (c Condition) Holds(value func(code string) json.RawMessage) bool {
	switch {
	case c.Leaf != nil:
		return c.Leaf.holds(value(c.Leaf.Code))
	case c.Not != nil:
		return !c.Not.Holds(value)
	case c.Any != nil:
		return slices.ContainsFunc(c.Any, func(one Condition) bool { return one.Holds(value) })
	}
	return !slices.ContainsFunc(c.All, func(one Condition) bool { return !one.Holds(value) })
}

func (l ConditionLeaf) holds(raw json.RawMessage) bool {
	have, exists := decodeValue(raw)
	want, _ := decodeValue(l.Value)
	if !exists {
		return l.Op == OpNeq || l.Op == OpExists && want == false
	}
	switch l.Op {
	case OpExists:
		return want != false
	case OpEq:
		return equalValues(have, want)
	case OpNeq:
		return !equalValues(have, want)
	case OpIn:
		list, _ := want.([]any)
		return slices.ContainsFunc(list, func(one any) bool { return equalValues(have, one) })
	}
	order, comparable := compareValues(have, want)
	if !comparable {
		return false
	}
	switch l.Op {
	case OpGt:
		return order > 0
	case OpGte:
		return order >= 0
	case OpLt:
		return order < 0
	default:
		return order <= 0
	}
}

// Codes lists the codes the condition looks at, each once, in order of appearance.
func (c Condition) Codes() []string {
	var codes []string
	c.walk(func(leaf *ConditionLeaf) {
		if !slices.Contains(codes, leaf.Code) {
			codes = append(codes, leaf.Code)
		}
	})
	return codes
}

func (c Condition) walk(do func(*ConditionLeaf)) {
	if c.Leaf != nil {
		do(c.Leaf)
	}
	if c.Not != nil {
		c.Not.walk(do)
	}
	for _, one := range append(slices.Clone(c.All), c.Any...) {
		one.walk(do)
	}
}

// MarshalJSON writes the form that was parsed.
func (c Condition) MarshalJSON() ([]byte, error) {
	switch {
	case c.Leaf != nil:
		object := map[string]any{"code": c.Leaf.Code, "op": c.Leaf.Op}
		if c.Leaf.Value != nil {
			object["value"] = c.Leaf.Value
		}
		return json.Marshal(object)
	case c.Not != nil:
		return json.Marshal(map[string]any{"not": c.Not})
	case c.Any != nil:
		return json.Marshal(map[string]any{"any": c.Any})
	}
	return json.Marshal(map[string]any{"all": slices.Concat([]Condition{}, c.All)})
}

// UnmarshalJSON reads a stored condition. Error: Invalid.
func (c *Condition) UnmarshalJSON(data []byte) error {
	parsed, faults := ParseCondition(data, "/conditions")
	if len(faults) > 0 {
		return InvalidFaults(faults)
	}
	if parsed != nil {
		*c = *parsed
	}
	return nil
}

// ConditionNode is an item with all conditions that decide whether it shows: its own and its group's.
type ConditionNode struct {
	Code       string
	Conditions []*Condition // nil entries are none
	Pointer    string       // where a fault of it is reported
}

// CheckConditions finds codes that no item has, and items whose visibility waits for itself: their conditions
// could never be evaluated in any order.
func CheckConditions(nodes []ConditionNode) []Fault {
	var f faults
	needs := map[string][]string{}
	for _, node := range nodes {
		needs[node.Code] = node.needs()
	}
	for _, node := range nodes {
		for _, code := range needs[node.Code] {
			if _, known := needs[code]; !known {
				f.add(node.Pointer, "unknown_code", "the condition of %s names %s, which is no item of this checklist",
					node.Code, code)
			}
		}
		if path := pathTo(needs, node.Code, node.Code, map[string]bool{}); path != nil {
			f.add(node.Pointer, "condition_cycle", "the conditions form a cycle: %s",
				strings.Join(append([]string{node.Code}, path...), " -> "))
		}
	}
	return f
}

func (n ConditionNode) needs() []string {
	var codes []string
	for _, c := range n.Conditions {
		if c != nil {
			codes = append(codes, c.Codes()...)
		}
	}
	return codes
}

// pathTo returns the codes from one item to another along what they need, nil when there is no way.
func pathTo(needs map[string][]string, from, to string, seen map[string]bool) []string {
	for _, next := range needs[from] {
		if next == to {
			return []string{to}
		}
		if seen[next] {
			continue
		}
		seen[next] = true
		if path := pathTo(needs, next, to, seen); path != nil {
			return append([]string{next}, path...)
		}
	}
	return nil
}

// decodeValue reads JSON with numbers kept exact. It reports false for nothing, null and what is no JSON.
func decodeValue(raw json.RawMessage) (any, bool) {
	if len(raw) == 0 {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil || value == nil {
		return nil, false
	}
	return value, true
}

func equalValues(have, want any) bool {
	if list, ok := have.([]any); ok {
		if wanted, ok := want.([]any); ok {
			return slices.EqualFunc(list, wanted, equalValues)
		}
		return slices.ContainsFunc(list, func(one any) bool { return equalValues(one, want) })
	}
	if a, ok := numberOf(have); ok {
		b, ok := numberOf(want)
		return ok && a.Equal(b)
	}
	switch have := have.(type) {
	case string:
		want, ok := want.(string)
		return ok && have == want
	case bool:
		want, ok := want.(bool)
		return ok && have == want
	}
	return false
}

func compareValues(have, want any) (int, bool) {
	if a, ok := numberOf(have); ok {
		b, ok := numberOf(want)
		return a.Cmp(b), ok
	}
	if isDate(have) && isDate(want) {
		return strings.Compare(have.(string), want.(string)), true
	}
	return 0, false
}

// numberOf takes numbers of ordinary size only: aligning 1e999999999 with 1 would not end.
func numberOf(value any) (decimal.Decimal, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return decimal.Zero, false
	}
	return OrdinaryNumber(n.String())
}

func OrdinaryNumber(s string) (decimal.Decimal, bool) {
	if len(s) > 40 {
		return decimal.Zero, false
	}
	d, err := decimal.NewFromString(s)
	if err != nil || d.Exponent() > 30 || d.Exponent() < -30 {
		return decimal.Zero, false
	}
	return d, true
}

func isDate(value any) bool {
	s, ok := value.(string)
	if !ok {
		return false
	}
	_, ok = ParseDay(s)
	return ok
}
