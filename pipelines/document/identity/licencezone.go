package identity

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// licenceLine is the one line of figures that European licences print at their foot: D1, the country, the licence's
// number and a check digit over all of these, the end of its validity and the begin of the family name. Source: ISO/IEC
// 18013-1, French licence of 2013.
var licenceLine = lazyregexp.New(`^D1([A-Z]{3})([A-Z0-9<]{9})(\d)(\d\d)([01]\d)([0-3]\d)([A-Z]+)<`)

// licenceZone reads that line. A number that its check digit does not confirm is not taken.
func (r *identityReader) licenceZone() {
	if r.Type != dossier.DocDriversLicense {
		return
	}
	for _, l := range r.lines {
		g := licenceLine.FindStringSubmatch(text.MRZText(l))
		if g == nil || dossier.CheckDigit("D1"+g[1]+g[2]) != g[3][0] {
			continue
		}
		r.found.Evidence = append(r.found.Evidence, "line of figures with a correct check digit")
		r.set(&r.facts.Country, "/country", g[1], l.Tokens)
		r.set(&r.facts.Number, "/number", strings.TrimRight(g[2], "<"), l.Tokens)
		r.set(&r.facts.ExpiryDate, "/expiryDate", "20"+g[4]+"-"+g[5]+"-"+g[6], l.Tokens)
		r.lineName, r.lineTokens = g[7], l.Tokens
		return
	}
}

// nameOfLine takes the family name of that line for a printed one that lost a thin letter.
func (r *identityReader) nameOfLine() {
	last := r.facts.LastName
	if last == nil || !thinly(squeezed(r.lineName), squeezed(*last)) {
		return
	}
	r.drop(&r.facts.LastName, "/lastName")
	r.set(&r.facts.LastName, "/lastName", r.lineName, r.lineTokens)
}
