package document

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// leaveOutDoubtful takes from a document the facts that stand alone and whose place was read with less than the least
// confidence: names, numbers, dates and single amounts, which no sum and no check digit confirms. A warning names them.
func leaveOutDoubtful(doc *dossier.ReadDocument) {
	var left []string
	for at, source := range doc.Sources {
		name := strings.TrimPrefix(at, "/")
		if source.Confidence >= text.Surely || source.Confidence == 0 || strings.Contains(name, "/") {
			continue
		}
		if leaveOut(doc.Facts, name) {
			delete(doc.Sources, at)
			left = append(left, name)
		}
	}
	if len(left) == 0 {
		return
	}
	slices.Sort(left)
	doc.Warnings = append(doc.Warnings, dossier.FactWarning{Code: "low_confidence",
		Detail: "Hard to read, and left out: " + strings.Join(left, ", ") + "."})
}

// leaveOut empties a fact that stands alone; false when the type has none of that name.
func leaveOut(facts dossier.Facts, name string) bool {
	if facts.Other != nil {
		_, have := facts.Other[name]
		delete(facts.Other, name)
		return have
	}
	if b := facts.Bank; b != nil {
		for _, f := range []struct {
			name string
			at   **string
		}{{"institution", &b.Institution}, {"accountHolder", &b.AccountHolder}, {"accountNumber", &b.AccountNumber}} {
			if f.name == name && *f.at != nil {
				*f.at = nil
				return true
			}
		}
	}
	return false
}
