package identity

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// cardShapes are the shapes of the numbers of identity cards by the country that issues them. Source: PRADO, the
// register of documents of the Council of the European Union.
var cardShapes = map[string]*lazyregexp.Regexp{
	"AUT": shape(`\d{7,8}|[A-Z]{2}\d{7}`), "BEL": shape(`\d{12}|[A-Z]\d{9}`), "BGR": shape(`\d{9}|[A-Z]{2}\d{7}`),
	"CHE": shape(`[A-Z]\d{7}|[A-Z]\d[A-Z]\d{5}`), "CYP": shape(`[A-Z]{2}\d{7}|\d{8}`), "CZE": shape(`\d{9}`),
	"DEU": shape(`[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{7}\d[0-9D]?|[LT]\d{8}`), "EST": shape(`[A-Z]{2}\d{7}`),
	"FIN": shape(`[A-Z0-9]{8}\d|\d{7}[A-Z]`), "FRA": shape(`[A-Z0-9]{8}\d|\d{12}`),
	"GRC": shape(`[A-Z]{1,2}\d{6,7}`), "HRV": shape(`\d{9}`), "HUN": shape(`\d{6}[A-Z]{2}`),
	"IRL": shape(`C\d{8}`), "ITA": shape(`[A-Z]{2}\d{5}[A-Z]{2}|[A-Z]{2}\d{7}`), "LTU": shape(`\d{8}`),
	"LUX": shape(`[A-Z0-9]{9}`), "LVA": shape(`[A-Z]{2}\d{7}`), "NLD": shape(`[A-Z]{2}[A-Z0-9]{6}\d`),
	"NOR": shape(`[A-Z]{3}\d{6}|[A-Z]\d{8}`), "POL": shape(`[A-Z]{3}\d{6}`), "PRT": shape(`\d{8,9}[A-Z]{2}\d`),
	"ROU": shape(`[A-Z]{2}\d{6}`), "SVK": shape(`[A-Z]{2}\d{6}`), "SVN": shape(`[A-Z]{2}\d{7}`),
	"SWE": shape(`\d{8}|[A-Z]{2}\d{6}`), "TUR": shape(`[A-Z]\d{2}[A-Z]\d{5}`),
}

// otherNumbers match the captions of numbers that are not the card's own: of the person, of taxes, of access.
var otherNumbers = lazyregexp.New(`\b(?:personal|personnummer|persoonsnummer|isikukood|asmens|pesel|cnp|nif|nie|tax` +
	`|fiscal\w*|steuer\w*|codice|social|bsn|access|can|zugangsnummer|oib|emso|rodne|birth)\b`)

// loneNumber takes the number of an identity card that stands without a caption: the only word of the shape of its
// country's numbers, of which many print it beside the title. What has a caption of another number is none.
func (r *identityReader) loneNumber() {
	country := r.facts.Country
	for _, l := range r.lines {
		if code := issuingCountry(l); country == nil && code != "" {
			country = &code
		}
	}
	if country == nil || cardShapes[*country] == nil {
		return
	}
	fits := cardShapes[*country].MatchString
	var found []text.Token
	for i, l := range r.lines {
		above := r.lines[max(i-1, 0)]
		if otherNumbers.MatchString(text.Fold(l.Text())) || otherNumbers.MatchString(text.Fold(above.Text())) {
			continue
		}
		for _, cell := range l.Cells() {
			t := cell.Tokens[0]
			if len(cell.Tokens) != 1 || !fits(t.Text) || !text.HasDigits(t.Text, 3) || t.Confidence < 0.6 ||
				len(text.FindDates(t.Text, r.Order)) > 0 {
				continue
			}
			if found != nil && found[0].Text != t.Text {
				return
			}
			found = []text.Token{t}
		}
	}
	if found != nil {
		r.set(&r.facts.Number, "/number", found[0].Text, found)
	}
}

// ofCountry reports whether a text has the shape of the numbers of the country that issues the card: some have few
// figures.
func (r *identityReader) ofCountry(s string) bool {
	country := r.facts.Country
	for _, l := range r.lines {
		if code := issuingCountry(l); country == nil && code != "" {
			country = &code
		}
	}
	return country != nil && cardShapes[*country] != nil && cardShapes[*country].MatchString(s) && text.HasDigits(s, 2)
}
