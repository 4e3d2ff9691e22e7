package layout

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

func TestFormula_Eval(t *testing.T) {
	of := func(n int64) Operand { return Operand{Amount: decimal.NewFromInt(n), Present: true} }
	rows := map[string]Operand{"a": of(7), "b": of(2), "gone": {Unknown: true}, "zero": of(0), "debt": of(-2)}
	scope := FormulaScope{
		Ref:   func(name string) Operand { return rows[name] },
		Delta: func(name string) Operand { return Operand{Amount: decimal.NewFromInt(100), Present: name == "bs.cash"} },
		Call:  func(string) Operand { return Operand{} },
	}
	for text, want := range map[string]string{
		"a - b": "5", "a - b - b": "3", "a - (b - b)": "7", "a + b * 2": "11", "-a + b": "-5", "a / b": "3.5",
		"a / zero": "unknown", "absent + missing": "absent", "absent - a": "-7", "absent / a": "absent",
		"a / absent": "absent", "gone + a": "unknown", "delta(bs.cash) + a": "107", "-(delta(bs.cash) + a)": "-107",
		"delta(bs.other)": "absent", "rule()": "absent", "a / b - 1": "2.5", "absent / b - 1": "absent",
		"a / debt": "-3.5",
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
		if _, err := ParseFormula(text); dossier.KindOf(err) != dossier.Invalid {
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
