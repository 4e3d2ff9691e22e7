package classify

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// beginning is how surely a page of no known kind says that a paper begins on it.
type beginning int

const (
	beginsNothing beginning = iota
	beginsTitled            // a title of its own in larger type: parts of a long paper have such titles as well
	beginsLetter            // a salutation and a close, or the cover of a fax
)

var (
	salutation = lazyregexp.New(`^(?:dear \pL|to whom it may concern|sehr geehrte|estimad[oa]s? |madame monsieur)`)
	closeWords = lazyregexp.New(`^(?:sincerely|yours (?:truly|sincerely|faithfully)|very truly yours` +
		`|(?:kind|best|warm)? ?regards|respectfully(?: submitted)?` +
		`|mit freundlichen grussen|atentamente|cordialement)\b`)
	letterDate = lazyregexp.New(`^(?:january|february|march|april|may|june|july|august|september|october|november` +
		`|december) \d{1,2} (?:19|20)\d\d$`)
	faxTitle = lazyregexp.New(`^(?:fax|facsimile)(?: (?:cover(?: sheet| page)?|transmi[a-z]+(?: sheet)?|message))?$`)
	faxTo    = lazyregexp.New(`^(?:to|attn|attention|recipient)\b`)
	faxFrom  = lazyregexp.New(`^(?:from|sender)\b`)

	// paperTitle matches titles of papers that are no part of others.
	paperTitle = lazyregexp.New(`^(?:[a-z]+ ){0,5}(?:(?:mortgage|loan|escrow) statement|account verification` +
		`|certificate of [a-z]+(?: [a-z]+){0,4}|articles of [a-z]+` +
		`|(?:direct deposit|pre authorized debit)(?: [a-z]+){0,5} form` +
		`|(?:loan|credit|financing|funding|rental|employment)(?: [a-z]+){0,2} application` +
		`|(?:document )?checklist|(?:operating|purchase|purchase and sale|partnership|shareholders?|security)` +
		` agreement|promissory note|personal guarant(?:y|ee)|personal financial statement|settlement statement` +
		`|closing disclosure|(?:corporate )?by ?laws|verification of employment|letter of intent` +
		`|(?:a r|a p|accounts (?:receivable|payable)) ag(?:e)?ing(?: (?:summary|detail|report)){0,2}` +
		`|(?:business|professional|retail|liquor) (?:license|licence|permit)` +
		`|payoff (?:letter|statement)|debt schedule` +
		`|remittance advice|merchant processing statement)$`)

	// accountantsReport matches the title of a letter that goes before financial statements.
	accountantsReport = lazyregexp.New(`^independent (?:accountant|auditor|practitioner)s? (?:s )?(?:[a-z]+ )*report`)
)

// Where a title stands, and how much larger than the lines around it it is set.
const (
	titleLines     = 12
	aloneLines     = 4 // of the top: a title alone on its line may be set as small as the rest
	titleWordsMost = 9
	titleLarger    = 1.25
)

// beginningOf says what a page says of a paper that begins on it, and its title where it has one.
func beginningOf(p text.Page, lines []text.Line) (beginning, string) {
	if p.Layer == text.LayerNative {
		return beginsNothing, ""
	}
	greeted, to, from, fax := false, false, false, false
	for i, l := range lines {
		s := text.Fold(l.Text())
		if i < titleLines {
			fax = fax || faxTitle.MatchString(s)
			to, from = to || faxTo.MatchString(s), from || faxFrom.MatchString(s)
		}
		greeted = greeted || len(l.Tokens) <= 8 && salutation.MatchString(s) ||
			i < titleLines && letterDate.MatchString(s) // a letter of confirmation greets nobody
		if greeted && len(l.Tokens) <= 5 && closeWords.MatchString(s) {
			return beginsLetter, ""
		}
	}
	if fax && to && from {
		return beginsLetter, ""
	}
	for _, titles := range []*lazyregexp.Regexp{paperTitle, accountantsReport} {
		if title := titleOf(lines, titles); title != "" {
			return beginsTitled, title
		}
	}
	return beginsNothing, ""
}

// titleOf is the title in the head of a page, folded: in capitals, larger than most lines, or alone at the top; empty
// when it has none that matches.
func titleOf(lines []text.Line, title *lazyregexp.Regexp) string {
	if len(lines) < 3 {
		return ""
	}
	heights := make([]float64, len(lines))
	for i, l := range lines {
		heights[i] = l.Tokens[0].Y1 - l.Tokens[0].Y0
	}
	slices.Sort(heights)
	usual := heights[len(heights)/2]
	for i, l := range lines[:min(len(lines), titleLines)] {
		for _, cell := range l.Cells() {
			t := cell.Tokens[0]
			set := strings.ToUpper(cell.Text()) == cell.Text() || t.Y1-t.Y0 >= titleLarger*usual ||
				i < aloneLines && len(cell.Tokens) == len(l.Tokens)
			s := strings.TrimSpace(text.Fold(cell.Text()))
			if len(cell.Tokens) <= titleWordsMost && set && title.MatchString(s) {
				return s
			}
		}
	}
	return ""
}

// shortLetter is how many figures of money a letter has at most that is none of the papers it speaks of.
const shortLetter = 3

// weighLetter takes from a letter most of what its words gave to the kinds that it speaks of: it says what is enclosed.
func weighLetter(p text.Page, lines []text.Line, scores map[dossier.DocType]float64) {
	if begins, _ := beginningOf(p, lines); begins != beginsLetter {
		return
	}
	style, figures := text.StyleOf([]text.Page{p}), 0
	for _, l := range lines {
		figures += len(figuresOn(l, style))
	}
	if figures > shortLetter {
		return
	}
	for t := range scores {
		if t != dossier.DocTaxReturn && t != dossier.DocTaxFormOther {
			scores[t] *= proseWorth
		}
	}
}

// beginsAfter reports whether a page of no known kind begins a paper after a run, for what it says itself.
func (r run) beginsAfter(k pageKind) bool {
	if k.begins == beginsLetter {
		return len(r.pages) < longRun || r.kind.docType != dossier.DocOther
	}
	if r.kind.docType == dossier.DocOther { // two titled papers, or parts of one that has no title of its own
		return k.begins == beginsTitled && r.kind.begins == beginsTitled && k.title != r.kind.title &&
			len(r.pages) < longRun
	}
	long := slices.Contains(longKinds, r.kind.docType) && len(r.pages) > 2
	if r.kind.docType == dossier.DocFinancialStatement {
		long = len(r.pages) >= longRun // a set of statements has no other papers among its first pages
	}
	return k.begins == beginsTitled && !long
}
