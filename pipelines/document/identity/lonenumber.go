package identity

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// cardShapes are the shapes of the numbers of identity cards by the country that issues them. Source: PRADO, the
// register of documents of the Council of the European Union.
var cardShapes = map[string]*lazyregexp.Regexp{
	"AUT": shape(`\d{7,8}|[A-Z]{2}\d{7}`), "BEL": shape(`\d{12}|[A-Z]\d{9}|\d{3}-\d{7}-\d{2}`),
	"BGR": shape(`\d{9}|[A-Z]{2}\d{7}`),
	"CHE": shape(`[A-Z]\d{7}|[A-Z]\d[A-Z]\d{5}`), "CYP": shape(`[A-Z]{2}\d{7}|\d{8}`), "CZE": shape(`\d{9}`),
	"DEU": shape(`[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{7}\d[0-9D]?|[LT]\d{8}`), "EST": shape(`[A-Z]{2}\d{7}`),
	"FIN": shape(`[A-Z0-9]{8}\d|\d{7}[A-Z]`), "FRA": shape(`[A-Z0-9]{8}\d|\d{12}`),
	"GRC": shape(`[A-Z]{1,2}\d{6,7}`), "HRV": shape(`\d{9}`), "HUN": shape(`\d{6}[A-Z]{2}`),
	"IRL": shape(`C\d{8}`), "ITA": shape(`[A-Z]{2}\d{5}[A-Z]{2}|[A-Z]{2}\d{7}`), "LTU": shape(`\d{8}`),
	"LUX": shape(`[A-Z0-9]{9}`), "LVA": shape(`[A-Z]{2}\d{7}`), "NLD": shape(`[A-Z]{2}[A-Z0-9]{6}\d`),
	"NOR": shape(`[A-Z]{3}\d{6}|[A-Z]\d{8}`), "POL": shape(`[A-Z]{3}\d{6}`), "PRT": shape(`\d{8,9}[A-Z]{2}\d`),
	"ROU": shape(`[A-Z]{2}\d{6}`), "SVK": shape(`[A-Z]{2}\d{6}`), "SVN": shape(`[A-Z]{2}\d{7}`),
	"SWE": shape(`\d{8}|[A-Z]{2}\d{6}`), "TUR": shape(`[A-Z]\d{2}[A-Z]\d{5}`),
	"ARE": shape(`784-\d{4}-\d{7}-\d`), "CHN": shape(`\d{17}[\dX]`), "DOM": shape(`\d{3}-\d{7}-\d`),
	"GHA": shape(`GHA-\d{9}-\d`), "HKG": shape(`[A-Z]{1,2}\d{6}\([0-9A]\)`), "IDN": shape(`\d{16}`),
	"IND": shape(`\d{4} ?\d{4} ?\d{4}`), "KOR": shape(`\d{6}-\d{7}`), "MYS": shape(`\d{6}-\d{2}-\d{4}`),
	"NGA": shape(`\d{4} ?\d{3} ?\d{4}`), "PAK": shape(`\d{5}-\d{7}-\d`), "PHL": shape(`\d{4}-\d{4}-\d{4}-\d{4}`),
	"SGP": shape(`[STFGM]\d{7}[A-Z]`), "SLV": shape(`\d{8}-\d`), "THA": shape(`\d ?\d{4} ?\d{5} ?\d{2} ?\d`),
	"ZAF": shape(`\d{13}`), "ARG": shape(`\d{1,2}\.\d{3}\.\d{3}`), "CHL": shape(`\d{1,2}\.\d{3}\.\d{3}-[\dK]`),
	"URY": shape(`\d\.\d{3}\.\d{3}-\d`), "ECU": shape(`\d{9}-?\d`), "GTM": shape(`\d{4} ?\d{5} ?\d{4}`),
}

// personalNumbers are the countries whose cards' number is the person's: it has no other.
var personalNumbers = map[string]bool{"ZAF": true, "MYS": true, "IDN": true, "THA": true, "KOR": true,
	"CHN": true, "PAK": true, "ARE": true, "NGA": true, "ECU": true,
	"URY": true, "GTM": true, "DOM": true, "SLV": true}

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
		if !personalNumbers[*country] && (otherNumbers.MatchString(text.Fold(l.Text())) ||
			otherNumbers.MatchString(text.Fold(above.Text()))) {
			continue
		}
		for _, cell := range l.Cells() {
			tokens := cell.Tokens
			if len(tokens) > 1 && !text.HasDigits(tokens[0].Text, 1) { // a caption of one word before it
				tokens = tokens[1:]
			}
			printed := text.Join(tokens)
			if !fits(printed) || !text.HasDigits(printed, 3) || text.MeanConfidence(tokens) < 0.6 ||
				len(text.FindDates(printed, r.Order)) > 0 {
				continue
			}
			if found != nil && text.Join(found) != printed {
				return
			}
			found = tokens
		}
	}
	if found != nil {
		r.set(&r.facts.Number, "/number", text.Join(found), found)
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

// provenNumber takes the printed number that the check digit of a zone proves whose number was misread: all but two of
// its characters stand there, in their places.
func (r *identityReader) provenNumber() {
	m := r.doubted
	if !m.Dated || len(m.Number) < 6 || m.Format == text.FormatFrench {
		return
	}
	for _, l := range r.lines {
		for _, t := range l.Tokens {
			printed := withoutGaps.Replace(t.Text)
			if len(printed) < 7 || len(printed) > 9 || strings.Trim(printed, capitalsAndFigures) != "" ||
				!nearNumber(printed, m.Number) {
				continue
			}
			if dossier.CheckDigit(printed) == m.NumberCheck {
				r.set(&r.facts.Number, "/number", t.Text, []text.Token{t})
				return
			}
		}
	}
}

// grouped is the word that prints the number of the zone with hyphens or points between its groups.
func (r *identityReader) grouped(number string) []text.Token {
	for _, l := range r.lines {
		for _, t := range l.Tokens {
			if t.Text != number && strings.NewReplacer("-", "", ".", "").Replace(t.Text) == number {
				return []text.Token{t}
			}
		}
	}
	return nil
}

const capitalsAndFigures = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// nearNumber reports whether two numbers differ in two places at most, of which fillers may stand for lost ones.
func nearNumber(printed, read string) bool {
	wrong := max(len(printed)-len(read), len(read)-len(printed))
	for i := range min(len(printed), len(read)) {
		if printed[i] != read[i] {
			wrong++
		}
	}
	return wrong <= 2
}

// hasShape reports whether a number may be the card's: where the number is the person's, it has one shape.
func (r *identityReader) hasShape(number string) bool {
	country := r.country()
	return !personalNumbers[country] || cardShapes[country].MatchString(number)
}
