package reading

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// namedStatement is the income statement, the balance sheet or the cash flow statement.
type namedStatement struct {
	name    string
	columns []dossier.StatementColumn
}

func statementsOf(s dossier.Statements) []namedStatement {
	return []namedStatement{{"incomeStatement", s.IncomeStatement}, {"balanceSheet", s.BalanceSheet},
		{"cashFlow", s.CashFlow}}
}

// anyLine is the pointer of a question for any numbered line of a return that prints an amount.
const anyLine = "/lines/*"

// pointers lists all facts of a part that a model may be asked for, in order: those of its type, those of each account
// of a bank statement, the lines of a form, and for a financial statement the rows that any column has.
func (p *part) pointers() []string {
	var all []string
	for _, f := range askableFacts[p.doc.DocType] {
		all = append(all, "/"+f.name)
	}
	if bank := p.doc.Facts.Bank; bank != nil {
		for i := range bank.Accounts {
			for _, f := range accountFacts {
				all = append(all, fmt.Sprintf("/accounts/%d/%s", i, f.name))
			}
		}
	}
	if hasLines(p.doc.DocType) {
		all = append(all, anyLine)
	}
	if p.doc.Facts.Statement == nil {
		return all
	}
	s := p.doc.Facts.Statement.Statements
	for _, kind := range statementsOf(s) {
		rows := map[string]bool{}
		for _, c := range kind.columns {
			for key := range c.Values {
				rows[key] = true
			}
		}
		for i := range kind.columns {
			for _, key := range slices.Sorted(maps.Keys(rows)) {
				all = append(all, fmt.Sprintf("/statements/%s/%d/values/%s", kind.name, i, key))
			}
		}
	}
	return all
}

// isWanted reports whether a part is asked for the fact at a pointer.
func (p *part) isWanted(pointer string) bool {
	return slices.Contains(p.wanted, pointer) || strings.HasPrefix(pointer, "/lines/") && slices.Contains(p.wanted,
		anyLine) && isOpen(p.doc, p.facts, pointer)
}

// isOpen reports whether a model may give a fact: the rules found none, or read it with a confidence below text.Surely
// and nothing corroborates it.
func isOpen(d dossier.ReadDocument, facts map[string]any, pointer string) bool {
	if valueAt(facts, pointer) == nil {
		return true
	}
	src, printed := d.Sources[pointer]
	return printed && src.Confidence < text.Surely && !isCorroborated(d, pointer, src)
}

// isCorroborated reports whether a fact rests on more than its reading: a form field, a barcode, a person, check
// digits, or arithmetic that holds.
func isCorroborated(d dossier.ReadDocument, pointer string, src dossier.Source) bool {
	switch src.Method {
	case text.MethodOCR, text.MethodText, text.MethodCell, "model":
	default:
		return true
	}
	f, _ := factAt(d.DocType, pointer)
	for _, check := range d.Checks {
		switch {
		case !check.Passed:
		case check.Name == "mrz_valid":
			return true
		case check.Name != "all_pages_present" && (f.kind == amount || f.kind == total || f.kind == row):
			return true
		}
	}
	return false
}

// isWorthChecking reports whether a fact that was read should be asked for again: not one that a person or a model
// gave.
func isWorthChecking(d dossier.ReadDocument, pointer string) bool {
	src, printed := d.Sources[pointer]
	return printed && src.Method != "person" && src.Method != "model"
}

// valueAt returns the fact at a pointer, or nil.
func valueAt(facts map[string]any, pointer string) any {
	var v any = facts
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch have := v.(type) {
		case map[string]any:
			v = have[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(have) {
				return nil
			}
			v = have[i]
		default:
			return nil
		}
	}
	return v
}

// setValueAt sets the fact at a pointer whose parents exist, and reports whether they do.
func setValueAt(facts map[string]any, pointer string, value any) bool {
	cut := strings.LastIndexByte(pointer, '/')
	name := pointer[cut+1:]
	parent := any(facts)
	if cut > 0 {
		parent = valueAt(facts, pointer[:cut])
	}
	if parent == nil && strings.HasPrefix(pointer, "/lines/") { // the first line of a return
		parent = map[string]any{}
		facts["lines"] = parent
	}
	have, ok := parent.(map[string]any)
	if ok && have != nil {
		have[name] = value
	}
	return ok && have != nil
}
