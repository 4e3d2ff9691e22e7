package dossier

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

func TestFormula_Eval(t *testing.T) {
	rows := map[string]Operand{"a": {Amount: decimal.NewFromInt(7), Present: true}, "b": {Amount: decimal.NewFromInt(2), Present: true}, "gone": {Unknown: true},
		"zero": {Present: true}, "debt": {Amount: decimal.NewFromInt(-2), Present: true}}
	scope := FormulaScope{Ref: func(name string) Operand { return rows[name] },
		Delta: func(name string) Operand { return Operand{Amount: decimal.NewFromInt(100), Present: name == "bs.cash"} },
		Call:  func(string) Operand { return Operand{} }}
	for text, want := range map[string]string{
		"a - b": "5", "a - b - b": "3", "a - (b - b)": "7", "a + b * 2": "11", "-a + b": "-5", "a / b": "3.5", "a / zero": "unknown",
		"absent + missing": "absent", "absent - a": "-7", "absent / a": "absent", "a / absent": "absent", "gone + a": "unknown",
		"delta(bs.cash) + a": "107", "-(delta(bs.cash) + a)": "-107", "delta(bs.other)": "absent", "rule()": "absent", "a / b - 1": "2.5", "absent / b - 1": "absent", "a / debt": "-3.5",
	} {
		f, err := ParseFormula(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := shown(f.Eval(scope)); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "a +", "(a", "a b", "max(a)", "a)"} {
		if _, err := ParseFormula(text); KindOf(err) != Invalid {
			t.Errorf("%q is accepted", text)
		}
	}
	scope.Positive = true
	if f, _ := ParseFormula("a / debt"); shown(f.Eval(scope)) != "unknown" {
		t.Error("a denominator that is not positive is accepted where it must be")
	}
}

func shown(x Operand) string {
	switch {
	case x.Unknown:
		return "unknown"
	case !x.Present:
		return "absent"
	}
	return x.Amount.String()
}

func TestSpread_Regenerate(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for status, want := range map[SpreadStatus]Kind{SpreadComplete: -1, SpreadFailed: -1, SpreadInProgress: Conflict} {
		text := "before"
		s := Spread{Status: status, Round: 3, Error: &text}
		err := s.Regenerate(now)
		if want == Conflict {
			if KindOf(err) != Conflict || s.Round != 3 {
				t.Errorf("%s: %v, round %d", status, err, s.Round)
			}
			continue
		}
		if err != nil || s.Status != SpreadInProgress || s.Round != 4 || s.Error != nil || !s.UpdatedAt.Equal(now) {
			t.Errorf("%s: %+v, %v", status, s, err)
		}
	}
}

// A figure is a JSON number with 2 places, and values keep the order of the template.
func TestSpreadValues_JSON(t *testing.T) {
	text := `{"rent":{"label":"Rent","value":1234.50,"kind":"line","computed":false,"memo":false},"cash":{"label":"Cash","value":-0.10,"kind":"line","computed":true,"memo":false}}`
	var values SpreadValues
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(values)
	if err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
}
