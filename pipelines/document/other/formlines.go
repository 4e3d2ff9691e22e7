package other

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/tax"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// employersReturns are the forms that print dollars and cents in boxes of their own.
var employersReturns = text.WordSet("940 941 943 944 945")

// withCents is a segment of such a form with its amounts in one piece.
func withCents(s text.Segment) text.Segment {
	if s.Type != dossier.DocTaxFormOther || !employersReturns[s.Form] {
		return s
	}
	pages := make([]text.Page, len(s.Pages))
	for i, p := range s.Pages {
		pages[i] = tax.JoinCents(p)
	}
	s.Pages = pages
	return s
}

// findFormLines reads the numbered lines of a form that has no boxes known by their captions.
func findFormLines(s text.Segment, _ *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["lines"] != nil || s.Form == "" || boxesOf(s.Form) != nil || s.Form == shareOf ||
		strings.HasPrefix(s.Form, "W-") {
		return
	}
	lines := map[string]any{}
	for _, b := range tax.Boxes(s) {
		lines[b.Number] = b.Value.String()
		found.From(text.Pointer("lines", b.Number), b.Tokens, b.Caption)
	}
	if len(lines) > 0 {
		values["lines"] = lines
	}
	if s.Form == "941" {
		quarterlyAmounts(lines, values, found)
	}
}

// quarterlyAmounts takes the two named amounts of a quarterly return from their lines, whose numbers prove them. What
// their captions gave alone may be the other's, as they begin alike.
func quarterlyAmounts(lines, values map[string]any, found *text.Findings) {
	for name, number := range map[string]string{"wages": "2", "federalTaxWithheld": "3"} {
		if v := lines[number]; v != nil {
			values[name] = v
			found.Sources[text.Pointer(name)] = found.Sources[text.Pointer("lines", number)]
		}
	}
	wages, withheld := found.Sources["/wages"], found.Sources["/federalTaxWithheld"]
	if lines["2"] == nil && values["wages"] != nil && values["wages"] == values["federalTaxWithheld"] &&
		wages.Text == withheld.Text {
		delete(values, "wages")
		delete(found.Sources, "/wages")
	}
}
