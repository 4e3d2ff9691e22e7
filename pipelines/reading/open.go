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

// pointers are all facts of a part that a model may be asked for, in order: those of its type, and of a financial
// statement the rows that some column has.
func (p *part) pointers() []string {
	var all []string
	for _, f := range asked[p.doc.DocType] {
		all = append(all, "/"+f.name)
	}
	if p.doc.Facts.Statement == nil {
		return all
	}
	s := p.doc.Facts.Statement.Statements
	for _, kind := range []struct {
		name    string
		columns []dossier.StatementColumn
	}{{"incomeStatement", s.IncomeStatement}, {"balanceSheet", s.BalanceSheet}, {"cashFlow", s.CashFlow}} {
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

// isOpen reports whether a model may give a fact: the rules found none, or read it with less than text.Surely and
// nothing else vouches for it.
func isOpen(d dossier.ReadDocument, facts map[string]any, pointer string) bool {
	if at(facts, pointer) == nil {
		return true
	}
	src, printed := d.Sources[pointer]
	return printed && src.Confidence < text.Surely && !vouched(d, pointer, src)
}

// vouched reports whether something surer than a reader stands behind a fact: a form's field, a barcode, a person,
// check digits, or an arithmetic that holds.
func vouched(d dossier.ReadDocument, pointer string, src dossier.Source) bool {
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

// asksAgain reports whether a fact that was read is worth asking for again: not what a person or a model gave.
func asksAgain(d dossier.ReadDocument, pointer string) bool {
	src, printed := d.Sources[pointer]
	return printed && src.Method != "person" && src.Method != "model"
}

// at is the fact at a pointer; nil when there is none.
func at(facts map[string]any, pointer string) any {
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

// put sets the fact at a pointer whose parents exist, and reports whether they do.
func put(facts map[string]any, pointer string, value any) bool {
	cut := strings.LastIndexByte(pointer, '/')
	name := pointer[cut+1:]
	parent := any(facts)
	if cut > 0 {
		parent = at(facts, pointer[:cut])
	}
	have, ok := parent.(map[string]any)
	if ok && have != nil {
		have[name] = value
	}
	return ok && have != nil
}
