package identity

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// readBarcode reads the bar code of a licence or identity card before the printed text: its error correction proves it.
// What it lacks, or encodes differently from the standard, is taken from the print. Source: AAMVA DL/ID card design
// standard of 2000 (version 1) to 2020 (10), annex D.
func (r *identityReader) readBarcode() {
	codes := map[string]text.Coded{}
	for _, p := range r.Pages {
		for _, c := range p.Codes {
			if _, twice := codes[c.Name]; !twice {
				codes[c.Name] = c
			}
		}
	}
	if codes[text.CodedKind].Text == "" {
		return
	}
	r.found.Evidence = append(r.found.Evidence, "code of a licence or an identity card, proven by its correction words")
	f := r.facts
	if codes[text.CodedKind].Text == text.CodedAadhaar {
		r.codedIndian(codes)
		return
	}
	r.codedNames(codes)
	if number := codes["DAQ"]; codedNumber.MatchString(number.Text) {
		r.fromCode(&f.Number, "/number", number.Text, number)
	}
	for _, date := range []struct {
		at            **string
		pointer, name string
	}{{&f.DateOfBirth, "/dateOfBirth", "DBB"}, {&f.ExpiryDate, "/expiryDate", "DBA"},
		{&f.IssueDate, "/issueDate", "DBD"}} {
		r.fromCode(date.at, date.pointer, codedDate(codes[date.name].Text), codes[date.name])
	}
	if sex := codedSexes[codes["DBC"].Text]; sex != "" {
		r.fromCode(&f.Sex, "/sex", sex, codes["DBC"])
	}
	r.codedPlace(codes)
}

// fromCode sets a fact to what an element says.
func (r *identityReader) fromCode(at **string, pointer, value string, element text.Coded) {
	if value == "" || *at != nil {
		return
	}
	*at = &value
	r.found.From(pointer, []text.Token{element.Token}, element.Name)
}

var codedNumber = lazyregexp.New(`^[A-Z0-9][A-Z0-9 *-]{3,24}$`)

// codedSexes are the values of the sex by version: letters in the first, figures since.
var codedSexes = map[string]string{"1": "M", "2": "F", "9": "X", "M": "M", "F": "F", "X": "X"}

// codedNames sets the names: apart, the given ones in one element, or all in one, by version. Names that the code cuts
// short are left to the print.
func (r *identityReader) codedNames(codes map[string]text.Coded) {
	last, given := codes["DCS"], codes["DAC"]
	if last.Text == "" {
		last = codes["DAB"]
	}
	first := codedName(given.Text)
	if first == "" {
		given = codes["DCT"]
		first = codedName(given.Text)
	} else if middle := codedName(codes["DAD"].Text); middle != "" && !strings.HasSuffix(" "+first, " "+middle) {
		first += " " + middle
	}
	family := codedName(last.Text)
	if whole := codes["DAA"]; family == "" && first == "" && whole.Text != "" {
		before, after, _ := strings.Cut(whole.Text, ",")
		last, given, family, first = whole, whole, codedName(before), codedName(after)
	}
	if codes["DDE"].Text != "T" {
		r.fromCode(&r.facts.LastName, "/lastName", family, last)
	}
	if codes["DDF"].Text != "T" && codes["DDG"].Text != "T" {
		r.fromCode(&r.facts.FirstName, "/firstName", first, given)
	}
}

// codedName is a name as an element has it, whose parts commas may part; none where it says that there is none.
func codedName(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, ",", " ")), " ")
	if noCodedName[s] || !text.PersonName.MatchString(strings.ReplaceAll(s, " ", "")) {
		return ""
	}
	return s
}

var noCodedName = map[string]bool{"NONE": true, "UNAVL": true, "UNK": true, "NMN": true, "": true}

// codedDate is an element's date: year first by the first version and in Canada, month first in the United States. No
// eight figures are both. Anything else is none.
func codedDate(s string) string {
	if len(s) != 8 || strings.Trim(s, "0123456789") != "" {
		return ""
	}
	figures := func(from, to int) int {
		n := 0
		for _, c := range s[from:to] {
			n = 10*n + int(c-'0')
		}
		return n
	}
	d := text.Date{Year: figures(0, 4), Month: figures(4, 6), Day: figures(6, 8)}
	if d.Year < 1900 || d.Year > 2100 {
		d = text.Date{Year: figures(4, 8), Month: figures(0, 2), Day: figures(2, 4)}
	}
	if d.Year < 1900 || d.Year > 2100 || !d.Valid() || !d.Complete() {
		return ""
	}
	return d.String()
}

// codedPlace sets the address, the country and the state that issued the card, by the number of the issuer.
func (r *identityReader) codedPlace(codes map[string]text.Coded) {
	f := r.facts
	street, unit, city, state, zip := codes["DAG"], codes["DAH"], codes["DAI"], codes["DAJ"], codes["DAK"]
	if street.Text == "" || city.Text == "" { // of the first version, where the others are the mailing address
		street, unit, city, state, zip = codes["DAL"], text.Coded{}, codes["DAN"], codes["DAO"], codes["DAP"]
	}
	if street.Text != "" && city.Text != "" {
		lines := street.Text
		if unit.Text != "" && !noCodedName[unit.Text] {
			lines += " " + unit.Text
		}
		town := strings.TrimSpace(city.Text + ", " + state.Text + " " + codedZIP(zip.Text))
		r.fromCode(&f.Address, "/address", lines+", "+town, street)
	}
	issuer := codes[text.CodedIssuer]
	if code := codedIssuers[issuer.Text]; code != "" && text.StateCountry(code) != "" {
		r.fromCode(&f.State, "/state", code, issuer)
		r.fromCode(&f.Country, "/country", text.StateCountry(code), issuer)
	}
}

// codedZIP is a postal code without the noughts that fill it up.
func codedZIP(s string) string {
	s = strings.ReplaceAll(s, " ", "")
	switch {
	case len(s) == 9 && strings.HasSuffix(s, "0000") && strings.Trim(s, "0123456789") == "":
		return s[:5]
	case len(s) == 9 && strings.Trim(s, "0123456789") == "":
		return s[:5] + "-" + s[5:]
	}
	return s
}

// codedIssuers are the numbers of the states and provinces that issue cards. Source: AAMVA, issuer identification
// numbers.
var codedIssuers = map[string]string{
	"636000": "VA", "636001": "NY", "636002": "MA", "636003": "MD", "636004": "NC", "636005": "SC", "636006": "CT",
	"636007": "LA", "636008": "MT", "636009": "NM", "636010": "FL", "636011": "DE", "636012": "ON", "636013": "NS",
	"636014": "CA", "636015": "TX", "636017": "NB", "636018": "IA", "636019": "GU", "636020": "CO", "636021": "AR",
	"636022": "KS", "636023": "OH", "636024": "VT", "636025": "PA", "636026": "AZ", "636028": "BC", "636029": "OR",
	"636030": "MO", "636031": "WI", "636032": "MI", "636033": "AL", "636034": "ND", "636035": "IL", "636036": "NJ",
	"636037": "IN", "636038": "MN", "636039": "NH", "636040": "UT", "636041": "ME", "636042": "SD", "636043": "DC",
	"636044": "SK", "636045": "WA", "636046": "KY", "636047": "HI", "636048": "MB", "636049": "NV", "636050": "ID",
	"636051": "MS", "636052": "RI", "636053": "TN", "636054": "NE", "636055": "GA", "636058": "OK", "636059": "AK",
	"636060": "WY", "636061": "WV", "604428": "QC", "604431": "PR", "604432": "AB",
}
