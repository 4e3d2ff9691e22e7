package identity

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// refuse takes back what cannot be what it is given for: a value that is a caption, carries a field's number, or is
// another field's value. No value is better than a wrong one. It is for cards whose captions OCR joined to their values
// or lost.
func (r *identityReader) refuse() {
	f := r.facts
	for _, name := range []struct {
		at      **string
		pointer string
	}{{&f.LastName, "/lastName"}, {&f.FirstName, "/firstName"}} {
		source := r.found.Sources[name.pointer]
		if *name.at != nil && (r.noName(**name.at) || r.ofAddress(name.pointer) ||
			source.Method == text.MethodOCR && source.Confidence < leastNameConfidence) {
			r.drop(name.at, name.pointer)
		}
	}
	if f.LastName != nil && f.FirstName != nil && *f.LastName == *f.FirstName &&
		r.sameTokens("/lastName", "/firstName") {
		r.drop(&f.LastName, "/lastName")
		r.drop(&f.FirstName, "/firstName")
	}
	if f.Number != nil && r.Type == dossier.DocDriversLicense && r.isDiscriminator(*f.Number) {
		r.drop(&f.Number, "/number")
	}
}

// leastNameConfidence is how surely a name must be read: what looks like a name may be what OCR made of a pattern.
const leastNameConfidence = 0.5

func (r *identityReader) drop(at **string, pointer string) {
	*at = nil
	delete(r.found.Sources, pointer)
	delete(r.found.Derived, pointer)
}

// sameTokens reports whether two facts were read in the same place.
func (r *identityReader) sameTokens(a, b string) bool {
	one, other := r.found.Sources[a], r.found.Sources[b]
	return one.Page == other.Page && reflect.DeepEqual(one.Box, other.Box)
}

// titleWords are words of a card's head, of offices and of marks, which are no part of a name.
var titleWords = text.WordSet("driver drivers driver's license licence operator operators identification card " +
	"passport usa department dmv motor vehicles donor veteran " +
	"federal limits apply enhanced commercial customer identifier duplicate dups under until class endorsements " +
	"restrictions specimen")

// noName reports whether text is no name of a person: words of captions, or of the card's own title.
func (r *identityReader) noName(name string) bool {
	words := strings.Fields(name)
	if strings.ContainsAny(name, "0123456789:#/") || len(words) == 0 || holdsCaption(name) {
		return true
	}
	odd := 0
	for _, w := range words {
		if folded := text.Fold(w); text.IsFieldWord(w) || titleWords[folded] && folded != "specimen" {
			odd++
		}
	}
	return odd > 0 && odd*2 >= len(words)
}

// discriminator is the caption of the number of the card itself, AAMVA field 5, which is not the licence's.
var discriminator = lazyregexp.New(`(?:^|[\s.])(?:5[.]?\s*)?(?:DD|DOC(?:UMENT)?\.? ?DISC\w*)[:.#]?\s*([A-Z0-9/-]{6,})`)

func (r *identityReader) isDiscriminator(number string) bool {
	bare := strings.NewReplacer(" ", "", "-", "").Replace(number)
	return slices.ContainsFunc(r.lines, func(l text.Line) bool {
		g := discriminator.FindStringSubmatch(l.Text())
		return g != nil && strings.ReplaceAll(g[1], "-", "") == bare
	})
}
