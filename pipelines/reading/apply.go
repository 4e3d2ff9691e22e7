package reading

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/dossierhq/dossier"
)

// Apply puts the model's facts into an extraction, which may have changed since the model was asked: a fact that was
// filled meanwhile stays. It returns the extraction with a record of the model's use, and whether a fact or a type
// changed. It does not modify e.
func (o Outcome) Apply(e dossier.Extraction) (dossier.Extraction, bool) {
	changed := len(o.types) > 0
	e = withTypes(e, o.types)
	e.Documents = slices.Clone(e.Documents)
	use := o.Use
	for _, t := range o.Taken {
		if t.Part < len(e.Documents) && t.setIn(&e.Documents[t.Part]) {
			changed = true
		} else {
			use.Taken, use.Dropped = use.Taken-1, use.Dropped+1
		}
	}
	for _, d := range o.Doubts {
		if d.Part < len(e.Documents) {
			doc := &e.Documents[d.Part]
			doc.Warnings = append(slices.Clone(doc.Warnings), dossier.FactWarning{Code: "low_confidence",
				Pointer: d.Pointer, Detail: d.Pointer + " was read as " + d.Rules + "; a language model reads " +
					d.Model + "."})
		}
	}
	e.Model, e.Warnings = &use, append(slices.Clone(e.Warnings), o.Warnings...)
	return e.Listed(), changed
}

// setIn sets the fact in d if it is still open, and reports whether it did.
func (t Taken) setIn(d *dossier.ReadDocument) bool {
	facts := treeOf(d.Facts)
	if !isOpen(*d, facts, t.Pointer) || isTaken(t.Pointer, boxOf(t.Source), boxesOf(*d)) ||
		!setValueAt(facts, t.Pointer, t.Value) {
		return false
	}
	raw, err := json.Marshal(map[string]any{"docType": d.DocType, "facts": facts})
	if err != nil {
		return false
	}
	var read dossier.ReadDocument
	if json.Unmarshal(raw, &read) != nil {
		return false // the value is not of its fact's type
	}
	d.Facts, d.Sources, d.Derived = read.Facts, maps.Clone(d.Sources), maps.Clone(d.Derived)
	if d.Sources == nil {
		d.Sources = map[string]dossier.Source{}
	}
	d.Sources[t.Pointer] = t.Source
	delete(d.Derived, t.Pointer)
	return true
}
