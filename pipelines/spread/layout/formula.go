package layout

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Operand is what a reference in a formula stands for. The zero value is an absent row of a statement that is
// there: it counts as 0 in a sum. An unknown operand (a statement that nobody handed in, a division by zero)
// makes the whole result unknown.
type Operand struct {
	Amount  decimal.Decimal
	Present bool
	Unknown bool
}

// Formula is an expression of spread-template.yaml over row keys: + - * / parentheses, numbers, references such
// as "grossRevenues" or "bs.prev.cash", delta(bs.cash) and calls without arguments.
type Formula struct {
	root *FormulaNode
	text string
}

// FormulaNode is one node: Op is + - * / with two arguments, "neg" and "delta" with one, "number", "ref" or
// "call" with none.
type FormulaNode struct {
	Op     string
	Name   string          // of a ref or call
	Number decimal.Decimal // of a number
	Args   []*FormulaNode
}

// ParseFormula reads an expression. Error: Invalid, naming the expression.
func ParseFormula(text string) (Formula, error) {
	p := formulaParser{rest: strings.TrimSpace(text)}
	root := p.sum()
	if p.failed || p.rest != "" || root == nil {
		return Formula{}, dossier.Errorf(dossier.Invalid, "formula %q cannot be read", text)
	}
	return Formula{root, text}, nil
}

// Empty reports whether there is no formula.
func (f Formula) Empty() bool { return f.root == nil }

// String is the formula as written.
func (f Formula) String() string { return f.text }

// Root is the tree, for whoever writes the formula in another language.
func (f Formula) Root() *FormulaNode { return f.root }

// References lists the references in order of appearance; delta(x) gives x.
func (f Formula) References() []string {
	var names []string
	var walk func(n *FormulaNode)
	walk = func(n *FormulaNode) {
		if n == nil {
			return
		}
		if n.Op == "ref" {
			names = append(names, n.Name)
		}
		for _, a := range n.Args {
			walk(a)
		}
	}
	walk(f.root)
	return names
}

// FormulaScope gives the operands of a formula. Delta is closing minus opening of a reference.
type FormulaScope struct {
	Ref      func(name string) Operand
	Delta    func(name string) Operand
	Call     func(name string) Operand
	Positive bool // a denominator must be above zero
}

// Eval calculates. Absent operands count as 0; the result is absent when all are. It is not rounded, but divisions
// keep 16 places.
func (f Formula) Eval(s FormulaScope) Operand {
	if f.root == nil {
		return Operand{}
	}
	return f.root.eval(s)
}

func (n *FormulaNode) eval(s FormulaScope) Operand {
	switch n.Op {
	case "number":
		return Operand{Amount: n.Number, Present: true}
	case "ref":
		return s.Ref(n.Name)
	case "delta":
		return s.Delta(n.Args[0].Name)
	case "call":
		return s.Call(n.Name)
	case "neg":
		x := n.Args[0].eval(s)
		x.Amount = x.Amount.Neg()
		return x
	}
	a, b := n.Args[0].eval(s), n.Args[1].eval(s)
	if a.Unknown || b.Unknown {
		return Operand{Unknown: true}
	}
	switch n.Op {
	case "+":
		return Operand{Amount: a.Amount.Add(b.Amount), Present: a.Present || b.Present && n.Args[1].Op != "number"}
	case "-":
		return Operand{Amount: a.Amount.Sub(b.Amount), Present: a.Present || b.Present && n.Args[1].Op != "number"}
	}
	if !a.Present || !b.Present {
		return Operand{}
	}
	if n.Op == "*" {
		return Operand{Amount: a.Amount.Mul(b.Amount), Present: true}
	}
	if b.Amount.IsZero() || s.Positive && !b.Amount.IsPositive() {
		return Operand{Unknown: true}
	}
	return Operand{Amount: a.Amount.DivRound(b.Amount, 16), Present: true}
}

// formulaParser is a recursive descent over the rest of the text.
type formulaParser struct {
	rest   string
	failed bool
}

func (p *formulaParser) take(chars string) string {
	if p.rest == "" || !strings.ContainsRune(chars, rune(p.rest[0])) {
		return ""
	}
	c := p.rest[:1]
	p.rest = strings.TrimLeft(p.rest[1:], " ")
	return c
}

func (p *formulaParser) sum() *FormulaNode {
	left := p.product()
	for {
		op := p.take("+-")
		if op == "" {
			return left
		}
		left = &FormulaNode{Op: op, Args: []*FormulaNode{left, p.product()}}
	}
}

func (p *formulaParser) product() *FormulaNode {
	left := p.unary()
	for {
		op := p.take("*/")
		if op == "" {
			return left
		}
		left = &FormulaNode{Op: op, Args: []*FormulaNode{left, p.unary()}}
	}
}

func (p *formulaParser) unary() *FormulaNode {
	if p.take("-") != "" {
		return &FormulaNode{Op: "neg", Args: []*FormulaNode{p.unary()}}
	}
	if p.take("(") != "" {
		inner := p.sum()
		if p.take(")") == "" {
			p.failed = true
		}
		return inner
	}
	return p.word()
}

func (p *formulaParser) word() *FormulaNode {
	end := 0
	for end < len(p.rest) && (p.rest[end] == '.' || p.rest[end] >= '0' && p.rest[end] <= '9' || p.rest[end]|
		0x20 >= 'a' && p.rest[end]|0x20 <= 'z') {
		end++
	}
	word := p.rest[:end]
	p.rest = strings.TrimLeft(p.rest[end:], " ")
	if word == "" {
		p.failed = true
		return &FormulaNode{Op: "number"}
	}
	if number, err := decimal.NewFromString(word); err == nil {
		return &FormulaNode{Op: "number", Number: number}
	}
	if p.take("(") == "" {
		return &FormulaNode{Op: "ref", Name: word}
	}
	if p.take(")") != "" {
		return &FormulaNode{Op: "call", Name: word}
	}
	inner := p.sum()
	if p.take(")") == "" || word != "delta" || inner.Op != "ref" {
		p.failed = true
	}
	return &FormulaNode{Op: "delta", Args: []*FormulaNode{inner}}
}
