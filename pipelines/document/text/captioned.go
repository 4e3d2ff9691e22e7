package text

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// AccountNumber is an account number with where it stands.
type AccountNumber struct {
	Text   string
	Tokens []Token
	Line   int
}

// IBANOn reads an IBAN, which stands within one cell.
func IBANOn(l Line, i int) (AccountNumber, bool) {
	for _, cell := range l.Cells() {
		text := cell.Text()
		if at := IBANPattern.FindStringIndex(text); at != nil {
			number := text[at[0]:at[1]]
			if code := number[len(number)-3:]; number[len(number)-4] == ' ' && SymbolCode(code) == code {
				number = number[:len(number)-4] // the currency of the account, behind its number
			}
			return AccountNumber{number, cell.TokensOf(at[0], at[0]+len(number)), i}, true
		}
	}
	return AccountNumber{}, false
}

// ValueOf is what a caption that ends at byte at of line i captions: the rest of its cell, the next cell, or
// the cell below.
func ValueOf(lines []Line, i, at int) []Token {
	l := lines[i]
	text := l.Text()
	if rest := strings.TrimLeft(text[at:], " :"); rest != "" {
		first, _ := l.TokenRange(len(text)-len(rest), len(text))
		cells := Line{Page: l.Page, Tokens: l.Tokens[first:]}.Cells()
		if len(cells) > 0 {
			before := l.Tokens[max(first-1, 0)]
			if cells[0].X0-before.X1 < 20*(before.Y1-before.Y0) {
				return cells[0].Tokens
			}
		}
	}
	box := BoxOf(l.TokensOf(max(at-4, 0), at))
	for j := i + 1; j < len(lines) && j <= i+2; j++ {
		below := lines[j]
		if below.Page != l.Page || below.Y0-l.Y1 > 2.5*(l.Y1-l.Y0) {
			break
		}
		for _, cell := range below.Cells() {
			if Overlap(cell.X0, cell.X1, box.X0-60, box.X1+10) > 0 {
				return cell.Tokens
			}
		}
	}
	return nil
}

// IBANPattern is an international account number in groups or as one.
var IBANPattern = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`)

// withinNumber reports whether a token is a later group of the number that the token before it begins: "2 028,00".
func withinNumber(before, t Token) bool {
	return fewFigures.MatchString(before.Text) && splitGroup.MatchString(t.Text) && t.X0-before.X1 < 0.5*(t.Y1-t.Y0)
}

var fewFigures = lazyregexp.New(`^[-–−+(]?\d{1,3}$`)

func captionOnly(text string) bool {
	words := strings.Fields(Fold(text))
	return !slices.ContainsFunc(words, func(w string) bool { return !numberTitles[w] })
}

// numberTitles are what captions of a number go on with: "4d DL 12345678", "4d NUMBER".
var numberTitles = WordSet("dl dln dlno cdl id no number numero nro lic license licence oln customer identifier")
