package identity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Captions of one field that holds the whole name, folded: with the given names first, and with the family name first.
var (
	givenFirstCaptions = []string{"nome e sobrenome", "nombre y apellidos", "nombres y apellidos", "nome e cognome",
		"name and surname", "prenom et nom", "vor und nachname"}
	familyFirstCaptions = []string{"apellidos y nombres", "apellido y nombre", "apellidos y nombre", "nom et prenom",
		"nom et prenoms", "cognome e nome", "surname and given names", "surname and name", "name und vorname",
		"nazwisko i imiona", "nazwisko i imie"}
)

// mostWhole is how many words a whole name has at most: of more, nobody knows where the family name begins.
const mostWhole = 3

// wholeName reads both names from the one field that holds them. A comma parts them where there is one.
func (r *identityReader) wholeName() bool {
	for _, field := range []struct {
		captions []string
		given    bool
	}{{givenFirstCaptions, true}, {familyFirstCaptions, false}} {
		var name []text.Token
		_, _, ok := r.fields.Find(text.Field{Captions: field.captions,
			Accept: func(tokens []text.Token) (string, []text.Token, bool) {
				v, used, ok := acceptName(tokens)
				name = used
				return v, used, ok && len(used) > 1 && !anyFieldWord(v) && !holdsCaption(v)
			}, Below: true, Cell: true})
		if !ok {
			continue
		}
		last, first := splitAtComma(name)
		switch {
		case first != nil:
		case len(name) > mostWhole:
			return false
		case field.given:
			last, first = name[len(name)-1:], name[:len(name)-1]
		case len(name) == 2:
			last, first = name[:1], name[1:]
		default:
			return false // two family names, or two given ones
		}
		r.setNames(last, first)
		return true
	}
	return false
}

// goesOn is the name on the line right below one that ends with a comma, wherever it begins.
func (r *identityReader) goesOn(last []text.Token) []text.Token {
	at := text.BoxOf(last)
	for _, l := range r.lines {
		if l.Page != last[0].Page || l.Y0 < at.Y1-0.3*at.Height() || l.Y0 > at.Y1+1.5*at.Height() {
			continue
		}
		for _, cell := range l.Cells() {
			if text.Overlap(cell.X0, cell.X1, at.X0, at.X1) <= 0 {
				continue
			}
			if v, used, ok := acceptName(cell.Tokens); ok && len(used) == len(cell.Tokens) && !anyFieldWord(v) {
				return used
			}
		}
	}
	return nil
}

// loneNames reads names without captions of a licence that prints no address below them: the only two lines of capitals
// that stand right below one another, the family name above. What may be a heading is none.
func (r *identityReader) loneNames() bool {
	if r.Type != dossier.DocDriversLicense {
		return false
	}
	var last, first []text.Token
	for i, l := range r.lines {
		for _, cell := range l.Cells() {
			if !r.isLoneName(cell) {
				continue
			}
			height := cell.Y1 - cell.Y0
			for j := i + 1; j < len(r.lines) && j <= i+2 && r.lines[j].Page == l.Page; j++ {
				for _, below := range r.lines[j].Cells() {
					if text.Abs(below.X0-cell.X0) > height || below.Y0 > cell.Y1+1.2*height ||
						!r.isLoneName(capitalized(below)) {
						continue
					}
					if last != nil {
						return false
					}
					last, first = cell.Tokens, below.Tokens
				}
			}
		}
	}
	if last == nil {
		return false
	}
	r.setNames(last, first)
	return true
}

// capitalized is a cell in capitals: given names may stand in small letters below a family name in capitals.
func capitalized(cell text.Line) text.Line {
	cell.Tokens = slices.Clone(cell.Tokens)
	for i, t := range cell.Tokens {
		if first, _ := utf8.DecodeRuneInString(t.Text); unicode.IsUpper(first) {
			cell.Tokens[i].Text = strings.ToUpper(t.Text)
		}
	}
	return cell
}

// isLoneName reports whether a cell is words of capitals that are of no heading, caption, place or month.
func (r *identityReader) isLoneName(cell text.Line) bool {
	s := cell.Text()
	if len(cell.Tokens) > 3 || len(s) < 3 || s != strings.ToUpper(s) || !nameWords.MatchString(s) || r.noName(s) ||
		anyFieldWord(s) || holdsCaption(s) || text.StateNamed(s) != "" || issuingCountry(cell) != "" {
		return false
	}
	return text.MeanConfidence(cell.Tokens) > 0.8 && !slices.ContainsFunc(strings.Fields(text.Fold(s)),
		func(w string) bool { return len(w) < 3 || titleWords[w] || placeWords[w] })
}

// placeWords are words of places, offices and kinds of licences.
var placeWords = text.WordSet("australia canada united states america republic kingdom government transport " +
	"transportation roads road ministry authority registry services service card full provisional learner " +
	"probationary class heavy vehicle light rigid rider")

// captionWords are the captions of one word that are no names of people.
var captionWords = func() map[string]bool {
	words := map[string]bool{}
	for _, list := range [][]string{birthCaptions, expiryCaptions, issueCaptions, lastCaptions, firstCaptions} {
		for _, c := range list {
			if !strings.Contains(c, " ") && len(c) > 5 {
				words[c] = true
			}
		}
	}
	return words
}()

// holdsCaption reports whether one of the words of a text is a caption.
func holdsCaption(s string) bool {
	return slices.ContainsFunc(strings.Fields(text.Fold(s)), func(w string) bool {
		return captionWords[w] || looksCaption(w)
	})
}
