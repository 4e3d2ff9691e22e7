package classify

import (
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// guideTitle matches the titles of papers that explain a statement, a stub or a bill to those who get one.
var guideTitle = lazyregexp.New(`\b(?:` +
	`(?:how to|tips for|learn(?:ing)? (?:how )?to|ways to|steps to) (?:read|understand|interpret|review` +
	`|use)(?:ing)? (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:understanding|reading|decoding|explaining|navigating|interpreting|introducing|discover|meet|get to know) ` +
	`(?:your|the|a|our) (?:[a-z]+ ){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:guide|key|introduction|companion) (?:to|for) (?:reading |understanding )?(?:your|the|a|our) (?:[a-z]+ ` +
	`){0,4}(?:statements?|pay ?stubs?|bills?)|` +
	`(?:anatomy|explanation|breakdown|tour|walkthrough) of (?:your|the|a|our) (?:[a-z]+ ){0,4}(?:statements?|pay ` +
	`?stubs?|bills?)|` +
	`(?:statements?|pay ?stubs?|bills?) (?:explained|made easy|user guide|guide)|` +
	`(?:what s|what is) (?:new )?(?:on|in) your (?:[a-z]+ ){0,4}statements?|` +
	`(?:como leer|como entender|guia para (?:leer|entender)) (?:su|tu|el) (?:estado de cuenta|extracto)|` +
	`(?:comprendre|lire|bien lire) (?:votre|mon|son|le) releve|` +
	`(?:kontoauszug|abrechnung) (?:verstehen|erklart|richtig lesen)|so lesen sie ihren (?:kontoauszug|abrechnung)` +
	`)\b`)

// guideLine is how many words a title has at most: a sentence that speaks of reading a statement is none.
const guideLine = 9

// forgetPictured takes the statements that a guide pictures for what they are. It says what it is on its first page:
// a statement has its own explanations behind.
func forgetPictured(pages []text.Page, kinds []pageKind) {
	if len(pages) == 0 || pages[0].Layer == text.LayerNative {
		return
	}
	forgetExamples(pages, kinds)
	if !titledGuide(pages[0]) && !(kinds[0].docType == dossier.DocOther && isExampleProse(pages[0])) &&
		!isGuided(pages, kinds) && !isTeachingMaterial(pages) {
		return
	}
	for i, k := range kinds {
		switch k.docType {
		case dossier.DocBankStatement, dossier.DocCreditCardStatement, dossier.DocPayStub, dossier.DocUtilityBill,
			dossier.DocBrokerageStatement, dossier.DocInvestmentStatement:
			kinds[i] = pageKind{docType: dossier.DocOther, number: k.number, of: k.of}
		}
	}
}

// guideEnd is how many pages from the first on a guide can have, if one begins the file: page numbers that go on hold
// it together, and where they end, the papers behind it begin.
func guideEnd(kinds []pageKind, bonds []bond) int {
	end := 1
	for end < len(bonds) && bonds[end] == strongBond {
		end++
	}
	if end > leastCount {
		return end
	}
	return len(kinds)
}

// explaining matches what a page says that shows an example, and listed its numbered notes.
var (
	explaining = lazyregexp.New(`\b(?:sample|example|illustration|illustrated|pictured|shown (?:here|below|above|on ` +
		`the (?:next|following) page)|redesigned|new look|easier to read|what(?: has| is|s)? (?:new|changed)|how to ` +
		`read|where to find)\b`)
	listed = lazyregexp.New(`^\(?[1-9a-h][.)]\)? \S+ \S+ \S+`)
)

// How much a page of explanations says: lines of prose, that speak of a statement, numbered notes, and at most so many
// figures.
const (
	explainedLines = 4
	explainedTimes = 3
	explainedNotes = 3
)

// isExampleProse reports whether a page is prose about a statement shown on it or the next page: it says that it is an
// example, and numbers its remarks.
func isExampleProse(p text.Page) bool {
	lines := text.Lines(p)
	style := text.StyleOf([]text.Page{p})
	prose, about, notes, figures, says := 0, 0, 0, 0, false
	for _, l := range lines {
		folded := text.Fold(l.Text())
		figures += len(figuresOn(l, style))
		if len(l.Tokens) >= proseWords {
			prose++
		}
		if text.HasWords(folded, "statement") || text.HasWords(folded, "statements") {
			about++
		}
		if listed.MatchString(l.Text()) {
			notes++
		}
		says = says || explaining.MatchString(folded)
	}
	return says && prose >= explainedLines && about >= explainedTimes && notes >= explainedNotes &&
		figures <= proseMoney
}

// guiding matches what papers say that show their readers how something is done or read.
var guiding = lazyregexp.New(`\b(?:guides?|handbook|brochure|booklet|tutorial|faqs?|frequently asked|tips|learn|how ` +
	`to|for example|examples?|sample|illustrat[a-z]+|` +
	`understand(?:ing)?|explain(?:s|ed)?|step \d|below is|shows? (?:you )?how|look for|you (?:will|ll|can) find` +
	`|what to (?:look|expect))\b`)

// leastGuiding is how many such words a page of guidance has.
const leastGuiding = 2

// isGuided reports whether the statements of a file are examples shown by guidance before them: it does not begin with
// one, has at least as many other pages, and one of those before is prose that guides its readers.
func isGuided(pages []text.Page, kinds []pageKind) bool {
	first, statements, guides := -1, 0, false
	for i, k := range kinds {
		switch {
		case k.docType == dossier.DocBankStatement:
			if statements++; first < 0 {
				first = i
			}
		case k.docType != dossier.DocOther:
			return false // of several papers, one of which is a letter
		case first < 0:
			guides = guides || guidesReaders(pages[i])
		}
	}
	return first > 0 && guides && 2*statements <= len(pages)
}

// guidesReaders reports whether a page is prose about statements that guides its readers.
func guidesReaders(p text.Page) bool {
	lines := text.Lines(p)
	folded := foldedLines(lines)
	prose := 0
	for _, l := range lines {
		if len(l.Tokens) >= proseWords && len(l.Cells()) == 1 {
			prose++
		}
	}
	about := text.HasWords(folded, "statement") || text.HasWords(folded, "statements")
	return about && prose >= explainedLines && len(guiding.FindAllString(folded, leastGuiding)) == leastGuiding
}

// titledGuide reports whether the head of a page is the title of a guide, which may be set in two lines.
func titledGuide(p text.Page) bool {
	lines := text.Lines(p)
	var above []text.Line
	for _, l := range lines[:headLines(lines, p)] {
		cells := append([]text.Line{l}, l.Cells()...)
		for _, cell := range cells {
			if isGuideTitle(cell.Tokens) || slices.ContainsFunc(above, func(a text.Line) bool {
				return sameTitle(a, cell) && isGuideTitle(slices.Concat(a.Tokens, cell.Tokens))
			}) {
				return true
			}
		}
		above = cells
	}
	return false
}

func isGuideTitle(words []text.Token) bool {
	return len(words) <= guideLine && guideTitle.MatchString(text.Fold(text.Join(words)))
}

// sameTitle reports whether a line goes on below another: set alike, and begun at one edge or about one middle.
func sameTitle(above, l text.Line) bool {
	h := l.Y1 - l.Y0
	middles := (above.X0 + above.X1 - l.X0 - l.X1) / 2
	return text.Abs(above.Y1-above.Y0-h) < 0.2*h && l.Y0-above.Y1 < h &&
		(text.Abs(above.X0-l.X0) < h/2 || text.Abs(middles) < h)
}
