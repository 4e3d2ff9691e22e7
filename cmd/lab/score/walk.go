package score

import (
	"fmt"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
)

// walker compares the facts of one document with what is expected.
type walker struct {
	scores *Scores
	file   *FileScore
	kind   string // docType and layer
	scan   bool

	sources map[string]dossier.Source // where the facts are printed, by pointer
}

func (w walker) fact(at string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for _, key := range sortedKeys(want) {
			w.fact(at+"/"+key, want[key], have[key])
		}
		return
	case []any:
		have, _ := got.([]any)
		for i, item := range want {
			w.fact(fmt.Sprintf("%s/%d", at, i), item, matching(item, have, i))
		}
		return
	case nil:
		w.scores.Invented.add(got == nil)
		w.printed(at, got, false)
		if got != nil {
			w.file.Misses = append(w.file.Misses, fmt.Sprintf("%s: invented %v", at, got))
		}
		return
	}
	right := document.SameFact(want, got)
	w.printed(at, got, right)
	count(w.scores.Facts, w.kind, right)
	if w.scores.Layers == nil {
		w.scores.Layers = map[string]Tally{}
	}
	count(w.scores.Layers, map[bool]string{true: "scan", false: "text"}[w.scan], right)
	w.file.Facts.add(right)
	if !right {
		w.file.Misses = append(w.file.Misses, fmt.Sprintf("%s: want %v, got %v", at, want, got))
	}
}

// printed counts a fact that was given by how surely its place was read.
func (w walker) printed(at string, got any, right bool) {
	if source, ok := w.sources[at]; ok && got != nil {
		w.scores.Printed = trust(w.scores.Printed, source.Confidence, right)
	}
}

func count(tallies map[string]Tally, key string, right bool) {
	t := tallies[key]
	t.add(right)
	tallies[key] = t
}

// figures counts the figures of financial statements: one that the document does not print is invented.
func (w walker) figures(printed []string, facts map[string]any) {
	statements, _ := facts["statements"].(map[string]any)
	for _, kind := range sortedKeys(statements) {
		columns, _ := statements[kind].([]any)
		for i, column := range columns {
			values, _ := column.(map[string]any)["values"].(map[string]any)
			for _, row := range sortedKeys(values) {
				known := slices.ContainsFunc(printed, func(p string) bool { return document.SameFact(p, values[row]) })
				w.scores.Invented.add(known)
				if !known {
					w.file.Misses = append(w.file.Misses, fmt.Sprintf("/statements/%s/%d/values/%s: invented %v",
						kind, i, row, values[row]))
				}
			}
		}
	}
}

// matching is the item of a list that an expected item speaks of: the one with the same date and amount, period
// or name, else the one in its place. A transaction that was not read costs its own facts, not those below it.
func matching(item any, have []any, i int) any {
	want, ok := item.(map[string]any)
	if ok {
		for _, keys := range [][]string{{"date", "amount", "balance"}, {"date", "amount"}, {"start", "end"}, {"end"},
			{"name"}, {"accountNumber"}} {
			if want[keys[0]] == nil {
				continue
			}
			for _, h := range have {
				m, _ := h.(map[string]any)
				same := true
				for _, k := range keys {
					same = same && document.SameFact(want[k], m[k])
				}
				if same {
					return h
				}
			}
		}
	}
	if i < len(have) {
		return have[i]
	}
	return nil
}
