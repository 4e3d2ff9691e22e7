// Package identity reads driving licences, passports, national ids and residence permits.
package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Read reads driver licences, passports, identity cards and residence permits: the machine readable
// zone where its check digits agree, the printed fields otherwise. Source: facts.md; AAMVA card design
// standard; ICAO 9303.
func Read(s text.Segment) text.Findings {
	r := identityReader{Segment: s, lines: sameRows(s.Lines()), facts: &dossier.IdentityFacts{}}
	r.found.Facts.Identity = r.facts
	if s.Type == dossier.DocDriversLicense || s.Type == dossier.DocNationalID {
		r.lines, r.touching = splitFieldNumbers(r.lines)
		r.beside = s.Type == dossier.DocDriversLicense ||
			slices.ContainsFunc(r.lines, func(l text.Line) bool { return text.StateNamed(l.Text()) != "" })
	}
	r.fields = text.NewFieldFinder(r.lines)
	r.fields.Twins, r.fields.Loose = true, true
	r.kind()
	r.readBarcode()
	r.zone()
	r.licenceZone()
	r.setDateOrder()
	r.names()
	r.nameOfLine()
	r.dates()
	r.number()
	r.otherFields()
	r.datesOfZone()
	r.birthFromNumber()
	r.numberByFormat()
	r.refuse()
	return r.found
}

type identityReader struct {
	text.Segment
	lines  []text.Line
	fields *text.FieldFinder
	facts  *dossier.IdentityFacts
	found  text.Findings
	mrz    text.MRZ
	// doubted is a zone of which not all check digits agree.
	doubted text.MRZ
	// lineName is the family name of a licence's line of figures.
	lineName   string
	lineTokens []text.Token
	beside     bool // its values stand beside their captions, as on the cards of the states
	// touching says that the captions of the card touch their values, so that no blank parts a field's number from its
	// value.
	touching bool
}

func (r *identityReader) set(at **string, pointer, value string, tokens []text.Token) {
	if value == "" || *at != nil {
		return
	}
	*at = &value
	r.found.From(pointer, tokens, "")
}

var idTypes = map[dossier.DocType]string{
	dossier.DocDriversLicense: "DRIVERS_LICENSE", dossier.DocPassport: "PASSPORT",
	dossier.DocNationalID: "NATIONAL_ID", dossier.DocResidencePermit: "RESIDENCE_PERMIT",
}

func (r *identityReader) kind() {
	kind := idTypes[r.Type]
	r.facts.IDType = &kind
	r.found.Derive("/idType", "type of the document")
}

// zone reads the machine readable zone. A zone that fails its check digits is reported and not used.
func (r *identityReader) zone() {
	m, ok := text.FindMRZ(r.lines)
	if !ok {
		return
	}
	r.facts.MRZ = m.AsPrinted()
	r.facts.MRZValid = &m.Valid
	r.found.From("/mrz", m.Tokens, "")
	r.found.Derive("/mrzValid", "check digits of number, birth and expiry, weights 7 3 1")
	r.found.Check("mrz_valid", m.Valid, "check digits of the %s zone", m.Format)
	if !m.Valid {
		r.doubted = m
		r.provenNumber()
		return
	}
	// its other lines were lost: what is printed outside says whose zone it is
	if strings.Trim(m.Lines[0], "<-") == "" {
		r.setDateOrder()
		r.dates()
	}
	r.mrz = m
	r.found.Evidence = append(r.found.Evidence, "machine readable zone with correct check digits")
	r.set(&r.facts.Country, "/country", m.Country, m.Tokens)
	number := m.Number
	if r.isSpanish() {
		number, _ = spanishNumber(m.Optional)
	}
	if printed := r.grouped(number); printed != nil {
		r.set(&r.facts.Number, "/number", printed[0].Text, printed)
	}
	r.set(&r.facts.Number, "/number", number, m.Tokens)
	r.set(&r.facts.DateOfBirth, "/dateOfBirth", m.Birth.String(), m.Tokens)
	if m.Expiry.Complete() {
		r.set(&r.facts.ExpiryDate, "/expiryDate", m.Expiry.String(), m.Tokens)
	}
	r.set(&r.facts.Sex, "/sex", m.Sex, m.Tokens)
}

// datesOfZone fills in what is not printed legibly from a zone whose number fails but whose dates their check digits
// prove: the number of a card stands in another line than its dates.
func (r *identityReader) datesOfZone() {
	m, f := r.doubted, r.facts
	if !m.Dated || !m.Expiry.Complete() {
		return
	}
	if f.ExpiryDate == nil && (f.IssueDate == nil || *f.IssueDate < m.Expiry.String()) {
		r.set(&f.ExpiryDate, "/expiryDate", m.Expiry.String(), m.Tokens)
	}
	if f.DateOfBirth == nil && (f.IssueDate == nil || *f.IssueDate > m.Birth.String()) {
		r.set(&f.DateOfBirth, "/dateOfBirth", m.Birth.String(), m.Tokens)
	}
	r.set(&f.Sex, "/sex", m.Sex, m.Tokens)
}

// dates reads the three dates by their captions; where captions were lost and three different dates are
// printed, their order in time tells: birth, issue, expiry.
func (r *identityReader) dates() {
	accept := text.AcceptCardDate(r.Order)
	below := !r.beside
	find := func(at **string, pointer string, captions ...string) {
		if v, used, ok := r.fields.Find(text.Field{Captions: captions, Accept: accept, Below: below}); ok {
			r.set(at, pointer, v, used)
		}
	}
	f := r.facts
	find(&f.DateOfBirth, "/dateOfBirth", birthCaptions...)
	find(&f.ExpiryDate, "/expiryDate", expiryCaptions...)
	find(&f.IssueDate, "/issueDate", issueCaptions...)
	r.datesByOrder()
	r.dropImpossible()
}

// dropImpossible removes dates that cannot be right together: a caption was misread, and no date is better
// than a wrong one.
func (r *identityReader) dropImpossible() {
	f := r.facts
	if f.DateOfBirth != nil && f.ExpiryDate != nil && *f.DateOfBirth >= *f.ExpiryDate {
		r.drop(&f.DateOfBirth, "/dateOfBirth")
		r.drop(&f.ExpiryDate, "/expiryDate")
	}
	if f.IssueDate != nil && (f.ExpiryDate != nil && *f.IssueDate >= *f.ExpiryDate || f.DateOfBirth != nil &&
		*f.IssueDate <= *f.DateOfBirth) {
		r.drop(&f.IssueDate, "/issueDate")
	}
}

var (
	licenceNumber  = lazyregexp.New(`^[A-Z0-9][A-Z0-9-]{3,24}$`)
	passportNumber = lazyregexp.New(`^(?:[A-Z]{0,2}\d{6,9}|[A-Z]\d{8}|\d{2}[A-Z]{2}\d{5})$`)
	polishLicence  = lazyregexp.New(`^\d{5}/\d{2}/\d{4}$`)
	permitNumber   = lazyregexp.New(`^(?:[A-Z]?\d{3}-\d{3}-\d{3}|[A-Z]{0,3}\d{7,10}|[A-Z]\d{8})$`)
)

// number reads the document's number by its caption, in the shape its kind has.
func (r *identityReader) number() {
	if r.isSpanish() {
		r.spanish()
		return
	}
	captions, fits := r.numberField()
	if v, used, ok := r.fields.Find(text.Field{Captions: captions, Accept: text.AcceptJoined(fits),
		Below: !r.beside, Cell: !r.beside}); ok {
		r.set(&r.facts.Number, "/number", v, used)
		return
	}
	if r.Type == dossier.DocNationalID && r.facts.Number == nil {
		r.loneNumber()
	}
	if r.Type == dossier.DocPassport && r.facts.Number == nil { // the only thing on the page that looks like one
		r.lonePassportNumber()
	}
}

// numberField is the captions of the number, and its shape.
func (r *identityReader) numberField() ([]string, func(string) bool) {
	captions := licenceCaptions
	fits := func(s string) bool {
		return polishLicence.MatchString(s) || licenceNumber.MatchString(s) && (text.HasDigits(s, 4) ||
			len(s) >= 9 && text.HasDigits(s, 3)) && len(text.FindDates(s, r.Order)) == 0
	}
	switch r.Type {
	case dossier.DocPassport:
		captions, fits = []string{"passport no", "passport number", "passeport no", "document no", "no du passeport",
			"no de pasaporte", "no"}, passportNumber.MatchString
	case dossier.DocResidencePermit:
		captions, fits = []string{"uscis #", "uscis", "u scis #", "u scis", "a #", "alien number",
			"alien registration number", "document no", "card no", "card number", "number", "no"},
			permitNumber.MatchString
	case dossier.DocDriversLicense:
		if r.beside && slices.ContainsFunc(r.lines, func(l text.Line) bool { return text.StateNamed(l.Text()) != "" }) {
			// there it is the document discriminator
			captions = slices.DeleteFunc(slices.Clone(captions), func(c string) bool { return c == "5" })
		} else if r.numbersFields() { // field 4d of Europe's licences is a number of the person
			captions = slices.Concat([]string{"5"}, captions)
		}
	case dossier.DocNationalID:
		captions = slices.DeleteFunc(append(slices.Clone(cardNumberCaptions), captions...), // "NO 27" is a house
			func(c string) bool { return !r.beside && (c == "no" || c == "number" || c == "5") })
		usual := fits
		fits = func(s string) bool { return r.hasShape(s) && usual(s) || r.ofCountry(s) }
	}
	return captions, fits
}

// numbersFields reports whether the card numbers its fields as European licences do: "4a." with its point.
func (r *identityReader) numbersFields() bool {
	return slices.ContainsFunc(r.lines, func(l text.Line) bool {
		return slices.ContainsFunc(l.Tokens, func(t text.Token) bool { return dottedField.MatchString(t.Text) })
	})
}

var dottedField = lazyregexp.New(`^4[abc]\.`)

func (r *identityReader) lonePassportNumber() {
	var found []text.Token
	for _, l := range r.lines {
		for _, t := range l.Tokens {
			if passportNumber.MatchString(t.Text) && len(t.Text) >= 8 && t.Confidence > 0.6 {
				if found != nil && found[0].Text != t.Text {
					return
				}
				found = []text.Token{t}
			}
		}
	}
	if found != nil {
		r.set(&r.facts.Number, "/number", found[0].Text, found)
	}
}

// otherFields reads sex, state, country and address.
func (r *identityReader) otherFields() {
	f := r.facts
	if v, used, ok := r.fields.Find(text.Field{Captions: []string{"sex", "sexe", "sexo", "gender", "sexisexe",
		"sexlsexe", "15"},
		Accept: acceptSex, Below: !r.beside}); ok {
		r.set(&f.Sex, "/sex", v, used)
	}
	r.loneSex()
	if r.Type == dossier.DocDriversLicense || r.Type == dossier.DocNationalID {
		r.state()
		r.address()
	}
	for i, l := range r.lines {
		if r.Type == dossier.DocResidencePermit && (saysNationality(l) || i > 0 && saysNationality(r.lines[i-1])) {
			continue // of who may stay, not of who lets them
		}
		r.set(&f.Country, "/country", issuingCountry(l), l.Tokens)
	}
}

// sexShape is a sex as cards print it, or in the language of the country and in English: "K/F".
var sexShape = lazyregexp.New(`^(?:[A-Z]/)?([MFX])$`)

func acceptSex(tokens []text.Token) (string, []text.Token, bool) {
	g := sexShape.FindStringSubmatch(tokens[0].Text)
	if g == nil {
		return "", nil, false
	}
	return g[1], tokens[:1], true
}

// loneSex reads a sex whose caption was misread: in two languages a cell of its own ("V/F", "K/F", "M/M"), on a licence
// behind the number of its field and three letters.
func (r *identityReader) loneSex() {
	for _, l := range r.lines {
		for _, cell := range l.Cells() {
			s := cell.Text()
			g := twinSex.FindStringSubmatch(s)
			if g == nil && r.beside {
				g = numberedSex.FindStringSubmatch(l.Text())
			}
			if g != nil {
				r.set(&r.facts.Sex, "/sex", strings.Join(g[1:], ""), cell.Tokens)
				return
			}
		}
	}
}

var (
	twinSex     = lazyregexp.New(`^(?:[VKNŽZH]/(F)|[MPV]/(M))$`)
	numberedSex = lazyregexp.New(`\b15[.]? [S5][A-Za-z]{1,2}[.:]? ([MFX])\b`)
)

func saysNationality(l text.Line) bool { return nationality.MatchString(text.Fold(l.Text())) }

var nationality = lazyregexp.New(`\b(?:nationality|nationalite|nacionalidad|staatsangehorigkeit|cittadinanza` +
	`|nationaliteit|country of birth|birth country)\b`)

// state finds the issuing state by its name, the first printed, else by the address.
func (r *identityReader) state() {
	for _, l := range r.lines {
		if code := text.StateNamed(l.Text()); code != "" {
			r.set(&r.facts.State, "/state", code, l.Tokens)
			if country := text.StateCountry(code); country != "" {
				r.set(&r.facts.Country, "/country", country, l.Tokens)
			}
			return
		}
	}
	for _, l := range r.lines {
		if g := stateZip.FindStringSubmatch(l.Text()); g != nil {
			r.set(&r.facts.State, "/state", g[1], l.Tokens)
			r.set(&r.facts.Country, "/country", "USA", l.Tokens)
			return
		}
		if g := provincePost.FindStringSubmatch(l.Text()); g != nil {
			r.set(&r.facts.State, "/state", g[1], l.Tokens)
			r.set(&r.facts.Country, "/country", "CAN", l.Tokens)
			return
		}
	}
}

// provincePost matches a province of Canada before a postal code.
var provincePost = lazyregexp.New(`\b(AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT)[ ,]+[A-Z]\d[A-Z] ?\d[A-Z]\d\b`)

var stateZip = lazyregexp.New(`\b([A-Z]{2})[ ,]+\d{5}(?:-\d{4})?\b`)
