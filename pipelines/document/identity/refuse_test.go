package identity

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func seen(words ...text.Token) text.Line {
	for i := range words {
		words[i].Method, words[i].Page = text.MethodOCR, 1
	}
	return text.Line{Page: 1, Tokens: words}
}

func at(s string, x, y float64) text.Token {
	return text.Token{Text: s, X0: x, X1: x + 10*float64(len(s)), Y0: y, Y1: y + 12}
}

// A caption and its value that lie askew are one row; a word under another never is.
func TestSameRows(t *testing.T) {
	for name, c := range map[string]struct {
		a, b text.Line
		rows int
	}{
		"side by side":        {seen(at("F", 60, 3), at("16", 120, 4)), seen(at("SEX", 10, 8)), 1},
		"one between others":  {seen(at("F", 60, 3)), seen(at("SEX", 10, 7), at("16", 100, 6)), 1},
		"one under the other": {seen(at("SEX", 10, 3)), seen(at("F", 12, 12)), 2},
		"too far down":        {seen(at("SEX", 10, 3)), seen(at("F", 60, 13)), 2},
		"far apart":           {seen(at("SEX", 10, 3)), seen(at("F", 500, 3)), 2},
	} {
		if got := sameRows([]text.Line{c.a, c.b}); len(got) != c.rows {
			t.Errorf("%s: %d rows, want %d", name, len(got), c.rows)
		}
	}
	printed := []text.Line{{Page: 1, Tokens: []text.Token{at("F", 60, 3)}}, {Page: 1, Tokens: []text.Token{at("SEX", 10, 5)}}}
	if got := sameRows(printed); len(got) != 2 {
		t.Error("lines of a text layer were joined")
	}
}

func TestPartFields(t *testing.T) {
	for glued, want := range map[string]string{
		"SEXM": "SEX M", "15SEXF": "15 SEX F", "DLA1234567": "DL A1234567", "NO.1234567": "NO 1234567", "1HOLLOWAY": "1 HOLLOWAY",
		"LNHOLLOWAY": "LN HOLLOWAY", "SEXTON": "SEXTON", "NOEL": "NOEL", "5.13AA00002": "5 13AA00002",
	} {
		lines, _ := splitFieldNumbers([]text.Line{seen(at(glued, 10, 10))})
		if got := text.Join(lines[0].Tokens); got != want {
			t.Errorf("%s is parted into %q, want %q", glued, got, want)
		}
	}
}

// The field's number is parted from the house's only on a card that prints its names so too.
func TestWithoutEight(t *testing.T) {
	for number, want := range map[string]string{"84176": "4176", "8": "8", "812B": "12B", "7412": "7412", "80": "80"} {
		if got := withoutEight([]text.Token{at(number, 10, 10), at("ELM", 80, 10)}); got[0].Text != want {
			t.Errorf("%s becomes %s, want %s", number, got[0].Text, want)
		}
	}
	if _, touching := splitFieldNumbers([]text.Line{seen(at("1HOLLOWAY", 10, 10)), seen(at("2MARTIN", 10, 30))}); !touching {
		t.Error("captions that touch both names were not seen")
	}
	if _, touching := splitFieldNumbers([]text.Line{seen(at("3DOB", 10, 10)), seen(at("4bEXP", 10, 30))}); touching {
		t.Error("the number of a caption is not its value")
	}
}

func TestRefuse_names(t *testing.T) {
	r := identityReader{}
	for name, refused := range map[string]bool{
		"HOLLOWAY": false, "DRIVER LICENSE": true, "SEX": true, "DE LA ROSA": false, "CLASS D": true, "MARTIN 2": true, "JEAN-LUC": false, "SPECIMEN": false,
	} {
		if got := r.noName(name); got != refused {
			t.Errorf("%q refused: %v", name, got)
		}
	}
}

func TestNearlySame(t *testing.T) {
	for _, c := range []struct {
		printed, coded string
		same           bool
	}{
		{"okonjo", "konjo", true}, {"martin", "martin", true}, {"martin", "martjn", true}, {"lee", "li", false}, {"holloway", "hollow", false}, {"anderson", "andersen", true}, {"brown", "green", false},
	} {
		if got := nearlySame(c.printed, c.coded); got != c.same {
			t.Errorf("%s and %s: %v", c.printed, c.coded, got)
		}
	}
}

func TestIssuingCountry(t *testing.T) {
	for line, want := range map[string]string{"REPUBLIK ÖSTERREICH": "AUT", "SVERIGE SWEDEN": "SWE", "BELGIË BELGIQUE": "BEL", "RZECZPOSPOLITA POLSKA": "POL", "United Kingdom": "GBR", "EXAMPLE OFFICE": ""} {
		if got := issuingCountry(seen(at(line, 10, 10))); got != want {
			t.Errorf("%s is of %q, want %q", line, got, want)
		}
	}
	r := identityReader{Segment: text.Segment{Type: dossier.DocDriversLicense}, lines: []text.Line{seen(at("NEW MEXICO", 10, 10))}}
	if r.setDateOrder(); r.Order == text.DayFirst {
		t.Error("a state of the United States prints the month first")
	}
}

// Each jurisdiction's shape takes the numbers that its cards print.
func TestLicenceShapes(t *testing.T) {
	for state, numbers := range map[string][2]string{
		"CA": {"A1234567", "1234567"}, "CT": {"123456789", "12345678"}, "FL": {"S123-456-78-910-0", "S123-456"}, "MN": {"A123-456-789-012", "A123"},
		"NY": {"123 456 789", "12 345"}, "OH": {"AB123456", "123"}, "IA": {"123AB4567", "12AB"}, "NH": {"12ABC34567", "ABC"}, "WI": {"A123-4567-8901-23", "A1"},
	} {
		if of := licenceShapes[state]; !of.MatchString(withoutGaps.Replace(numbers[0])) || of.MatchString(withoutGaps.Replace(numbers[1])) {
			t.Errorf("%s: shape of %q and not of %q", state, numbers[0], numbers[1])
		}
	}
}
