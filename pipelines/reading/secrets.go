package reading

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	// ssnCaption names a number of a person, also as recognition misreads it (folded, twins as figures).
	ssnCaption = lazyregexp.New(`55n|50c1a1 ?5ecur1t|1t1n\b|ta[xk]payer 1d`)
	// idCaption may name one, or that of a card or a business: in a picture nobody can tell them apart.
	idCaption = lazyregexp.New(`55n|50c1a1 ?5ecur1t|1t1n\b|ta[xk]payer 1d|1dent1f1cat10n n(umber|0)`)
	// ssnLike is printed as one: three figures, two, four, with whatever parts them.
	ssnLike = lazyregexp.New(`^\D?\d{3}\W{0,3}\d{2}\W{0,3}\d{4}\D?$`)
	// ssnDashed is one wherever it stands, when all of its signs but one are figures, or look like some.
	ssnDashed = lazyregexp.New(`^[^0-9A-Za-z]{0,2}[0-9A-Za-z]{3} ?[-–—−_~=] ?[0-9A-Za-z]{2} ?[-–—−_~=] ?` +
		`[0-9A-Za-z]{4}[^0-9A-Za-z]{0,2}$`)
	// ssnHead and ssnRest are its two ends, where a line breaks it.
	ssnHead = lazyregexp.New(`(?:^|[^\d,.])\d{3} ?(?:[-–—−_~. ] ?\d{2} ?)?([-–—−_~]?)$`)
	ssnRest = lazyregexp.New(`^(?:[-–—−_~. ]? ?\d{2} ?[-–—−_~. ] ?)?\d{4}(?:\D|$)`)
	// notSSN matches figures beside a caption that are no social security number: an EIN, amounts, dates, ZIP codes.
	notSSN = lazyregexp.New(`^\D?(?:\d{2}-\d{7}|[\d,]+\.\d\d|[\d,]+,\d{3}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}` +
		`|\d{5}-\d{4})\D?$`)
)

// dashes are the dashes of a number, also as OCR misreads them.
const dashes = "-–—−_~="

// maxSSNWords is how many words may form one number: nine digits, each in a box of its own, and two dashes.
const maxSSNWords = 11

// withoutSSNs returns the pages with social security numbers starred, also those that were stored before readers
// starred them and those that OCR misread but a person could still make out.
func withoutSSNs(pages []text.Page) []text.Page {
	pages = slices.Clone(pages)
	for i := range pages {
		pages[i].Tokens, pages[i].Codes = slices.Clone(pages[i].Tokens), slices.Clone(pages[i].Codes)
	}
	text.HideSecrets(&text.Decoded{Pages: pages}, &dossier.Extraction{})
	for i := range pages {
		starSSNs(&pages[i])
	}
	return pages
}

// starSSNs stars the digits of every number that a page's words form, whichever way their letters are read.
func starSSNs(page *text.Page) {
	secret := map[text.Token]bool{}
	lines := text.Lines(*page)
	for i, line := range lines {
		captioned := ssnCaption.MatchString(string(folded(line.Text())))
		for _, words := range dashedSSNs(line) {
			for _, w := range words {
				secret[w] = true
			}
		}
		for _, w := range brokenNumber(lines, i, captioned) {
			secret[w] = true
		}
		if !captioned {
			continue
		}
		for _, place := range underCaption(ssnCaption, line, *page) {
			for _, words := range numbersNearCaption(lines, place) {
				for _, w := range words {
					secret[w] = true
				}
			}
		}
	}
	for i, t := range page.Tokens {
		if secret[t] {
			page.Tokens[i].Text = starred(t.Text)
		}
	}
}

// starred returns a word with a star for each letter and digit.
func starred(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return '*'
		}
		return r
	}, word)
}

// dashedSSNs returns the runs of words on a line that are printed as one number with dashes.
func dashedSSNs(line text.Line) [][]text.Token {
	if !strings.ContainsAny(line.Text(), dashes) {
		return nil
	}
	var found [][]text.Token
	for i, first := range line.Tokens {
		if !strings.ContainsAny(figuresOf(first.Text), "0123456789") {
			continue
		}
		for n := 1; n <= maxSSNWords && i+n <= len(line.Tokens); n++ {
			words := line.Tokens[i : i+n]
			printed := text.Join(words)
			if n > 1 && areFarApart(words[n-2], words[n-1]) || n > 1 && len(printed) > 2*maxSSNWords {
				break
			}
			if figuresIn(printed) >= 3 && figuresIn(figuresOf(printed)) >= 8 &&
				ssnDashed.MatchString(figuresOf(printed)) {
				found = append(found, words)
			}
		}
	}
	return found
}

// areFarApart reports whether the gap between two words of a line is too wide for them to belong to one number.
func areFarApart(a, b text.Token) bool { return b.X0-a.X1 > 3*(a.Y1-a.Y0) }

// numbersNearCaption returns the runs of words around a caption that may be the number it names: about nine characters,
// most of them digits or letters that OCR confuses with digits. EINs, amounts and dates are excluded.
func numbersNearCaption(lines []text.Line, place text.Box) [][]text.Token {
	var found [][]text.Token
	for _, line := range lines {
		for i := range line.Tokens {
			for n := 1; n <= maxSSNWords && i+n <= len(line.Tokens); n++ {
				words := line.Tokens[i : i+n]
				if !isInside(words[n-1], place) || notSSN.MatchString(words[n-1].Text) ||
					n > 1 && areFarApart(words[n-2], words[n-1]) {
					break
				}
				if mayBeSSN(text.Join(words)) {
					found = append(found, words)
				}
			}
		}
	}
	return found
}

// isInside reports whether the middle of a word lies inside a box.
func isInside(t text.Token, place text.Box) bool {
	x, y := (t.X0+t.X1)/2, (t.Y0+t.Y1)/2
	return x >= place.X0 && x <= place.X1 && y >= place.Y0 && y <= place.Y1
}

// mayBeSSN reports whether words beside a caption may be the number it names, however badly they were read.
func mayBeSSN(words string) bool {
	signs, figures := 0, 0
	for _, r := range figuresOf(words) {
		switch {
		case unicode.IsDigit(r):
			signs, figures = signs+1, figures+1
		case unicode.IsLetter(r):
			signs++
		}
	}
	return signs >= 8 && signs <= 10 && signs-figures <= 2 && figuresIn(words) >= 3
}

func figuresIn(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// brokenNumber returns the words of a number that is split between the end of a cell on line i and the cell below it or
// the next line. A dash at the end, or a caption on the line, shows that the number continues.
func brokenNumber(lines []text.Line, i int, captioned bool) []text.Token {
	if i+1 >= len(lines) {
		return nil
	}
	next := lines[i+1]
	if next.Y0-lines[i].Y1 > 4*lines[i].Box().Height() {
		return nil
	}
	for _, cell := range lines[i].Cells() {
		head := endOf(cell)
		said := ssnHead.FindStringSubmatch(figuresOf(text.Join(head)))
		if said == nil || said[1] == "" && !captioned || figuresIn(text.Join(head)) < 2 {
			continue
		}
		for n, below := range next.Cells() {
			if n > 0 && text.Abs(below.X0-cell.X0) > 2*cell.Box().Height() {
				continue
			}
			rest := beginOf(below)
			if len(rest) > 0 && figuresIn(said[0])+figuresIn(figuresOf(text.Join(rest))) == 9 {
				return append(slices.Clone(head), rest...)
			}
		}
	}
	return nil
}

// endOf returns the digits at the end of a cell that may be the first part of a number.
func endOf(cell text.Line) []text.Token {
	from := len(cell.Tokens)
	for from > 0 && len(cell.Tokens)-from < 4 && figuresIn(cell.Tokens[from-1].Text)+strings.Count(
		cell.Tokens[from-1].Text, "-") > 0 {
		from--
	}
	return cell.Tokens[from:]
}

// beginOf returns the digits at the beginning of a cell that may be the last part of a number.
func beginOf(cell text.Line) []text.Token {
	for n := 1; n <= 3 && n <= len(cell.Tokens); n++ {
		words := cell.Tokens[:n]
		if printed := figuresOf(text.Join(words)); ssnRest.MatchString(printed) {
			return words
		}
	}
	return nil
}
