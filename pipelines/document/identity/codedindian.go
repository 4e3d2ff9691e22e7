package identity

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// codedIndian takes what the code on India's identity card says: the whole name in one, a birth that may be a year
// alone, and in later codes no number, which is left to the print.
func (r *identityReader) codedIndian(codes map[string]text.Coded) {
	f := r.facts
	country := codes[text.CodedKind]
	r.fromCode(&f.Country, "/country", "IND", country)
	number := codes[text.CodedNumber]
	if figures := strings.ReplaceAll(number.Text, " ", ""); len(figures) == 12 && text.HasDigits(figures, 12) {
		r.fromCode(&f.Number, "/number", figures[:4]+" "+figures[4:8]+" "+figures[8:], number)
	}
	birth := codes[text.CodedBirth]
	if found := text.FindDates(birth.Text, text.DayFirst); len(found) == 1 && found[0].Date.Complete() {
		r.fromCode(&f.DateOfBirth, "/dateOfBirth", found[0].Date.String(), birth)
	}
	sex := strings.ToUpper(codes[text.CodedSex].Text)
	if sex != "" {
		r.fromCode(&f.Sex, "/sex", map[byte]string{'M': "M", 'F': "F", 'T': "X"}[sex[0]], codes[text.CodedSex])
	}
	r.fromCode(&f.Address, "/address", codes[text.CodedAddress].Text, codes[text.CodedAddress])
	name := codes[text.CodedName]
	name.Confidence = splitConfidence
	words := strings.Fields(name.Text)
	switch n := len(words); {
	case n == 1:
		r.fromCode(&f.FirstName, "/firstName", codedName(name.Text), name)
	case n > 1 && n <= mostWhole && len(words[n-1]) > 2: // an initial at the end is the father's or the place's
		r.fromCode(&f.LastName, "/lastName", codedName(words[n-1]), name)
		r.fromCode(&f.FirstName, "/firstName", codedName(strings.Join(words[:n-1], " ")), name)
	}
}

// splitConfidence is how sure the parts of a whole name are: the code proves its letters, not which word is whose.
const splitConfidence = 0.8
