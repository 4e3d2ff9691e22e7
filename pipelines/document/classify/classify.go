// Package classify finds the documents in a file: what kind each page is, and which pages are one document.
package classify

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Result is a segment with how sure its type is, and why.
type Result struct {
	Segment    text.Segment
	Confidence float64
	Evidence   []string
	Kinds      []pageKind // of its pages
}

// sureness is the score from which a page's type is taken; below it the page goes with its neighbours.
const sureness = 5.0

// pageKind is what one page alone says it is.
type pageKind struct {
	docType  dossier.DocType // DocOther when nothing is recognised
	form     string
	year     int
	score    float64
	lead     float64 // over the second best type
	evidence []string
	number   int             // the page number it prints ("page 2 of 7"), else 0
	of       int             // the count it prints, else 0
	key      string          // what tells two documents of one type apart, when printed
	house    string          // the bank that heads a page of a numbered account, else empty
	company  string          // whose statement its title says it is, folded, else empty
	apart    bool            // its head names an office that has nothing to do with taxes
	lean     dossier.DocType // the type with the best score below sureness, else empty
	begins   beginning       // of a page of no known type
	title    string          // of a paper that begins with one, folded
	label    partLabel       // of a part of a bundle
}

// Segments finds the documents of a file: a type for each page, then runs of pages, then a type for each long run. The
// extractors tell papers of one type apart by what they say.
func Segments(d text.Decoded, read func(dossier.DocType) text.Extractor) []Result {
	kinds := make([]pageKind, len(d.Pages))
	for i, p := range d.Pages {
		kinds[i] = kindOfPage(p)
	}
	bonds := bondsOf(d.Pages, kinds)
	taught := guideEnd(kinds, bonds)
	forgetPictured(d.Pages[:taught], kinds[:taught])
	dropLonePages(kinds)
	var runs []run
	for i, p := range d.Pages {
		kind := kinds[i]
		if n := len(runs); n > 0 && (bonds[i] == strongBond || !partsBundle(kinds, i)) &&
			runs[n-1].takes(kind, bonds[i]) && (bonds[i] == strongBond || !runs[n-1].onSheet(kind)) &&
			(bonds[i] == strongBond || !runs[n-1].otherPaper(p, kind, read)) {
			runs[n-1].add(p, kind)
			continue
		}
		runs = append(runs, beginRun(p, kind))
	}
	if len(runs) == 0 {
		runs = []run{{kind: pageKind{docType: dossier.DocOther}, pages: []text.Page{{Number: 1}}}}
	}
	for i := range runs {
		runs[i].settle()
	}
	runs = joinFront(runs)
	found := make([]Result, len(runs))
	for i, r := range runs {
		found[i] = Result{
			Segment:    text.Segment{Pages: r.pages, Type: r.kind.docType, Form: r.kind.form, Year: r.kind.year},
			Confidence: r.kind.confidence(), Evidence: r.kind.evidence, Kinds: r.kinds,
		}
	}
	return found
}

// Parts are the documents that a person says a file has, in their order; pages that are in none stay out. A part
// without a type is what its pages say.
func Parts(d text.Decoded, parts []dossier.DocumentPart) []Result {
	found := []Result{}
	for _, part := range parts {
		var r run
		for _, p := range d.Pages {
			if p.Number < part.Pages[0] || p.Number > part.Pages[1] {
				continue
			}
			kind := kindOfPage(p)
			if len(r.pages) == 0 {
				r = beginRun(p, kind)
				continue
			}
			r.add(p, kind)
		}
		if len(r.pages) == 0 {
			r = run{kind: pageKind{docType: dossier.DocOther}, pages: []text.Page{{Number: part.Pages[0]}}}
		}
		r.settle()
		one := Result{Segment: text.Segment{Pages: r.pages, Type: r.kind.docType, Form: r.kind.form, Year: r.kind.year},
			Confidence: r.kind.confidence(), Evidence: r.kind.evidence, Kinds: r.kinds}
		if part.DocType != "" {
			one.Segment.Type, one.Confidence, one.Evidence = part.DocType, 1, []string{"a person said what it is"}
		}
		found = append(found, one)
	}
	return found
}

// beginRun is a document that begins with a page.
func beginRun(p text.Page, k pageKind) run {
	return run{kind: k, last: k, pages: []text.Page{p}, kinds: []pageKind{k}, key: k.key, house: k.house,
		company: k.company}
}

// run is a document in the making.
type run struct {
	kind    pageKind
	last    pageKind // of its last page
	pages   []text.Page
	kinds   []pageKind // of its pages
	key     string
	house   string
	company string
	facts   map[string]string // that tell its last page's paper from another of its type
}

// takes reports whether a page goes on with the run. What its edges say outranks its words, but for the head of another
// form. Without a bond, a page that says nothing goes on; so does one of the same type, unless it says it is page 1 of
// another; a page of another type begins a document.
func (r *run) takes(k pageKind, b bond) bool {
	otherForm := k.form != "" && r.kind.form != "" && !sameReturn(r.kind.form, k.form)
	otherKey := r.otherKey(k)
	switch {
	case b == strongBond:
		return !otherForm
	case k.number == 1 && k.of > 0:
		return false
	case b == weakBond && k.form == "":
		return !otherKey && !r.letterBehind(k)
	case k.docType == dossier.DocOther:
		return (!k.apart || !onePageForm.MatchString(r.kind.form)) && !r.beginsAfter(k)
	case r.kind.docType == dossier.DocOther:
		return r.kind.lean == k.docType
	case k.docType != r.kind.docType:
		return k.score < sureness+1 && r.kind.score > 2*k.score
	}
	return !otherForm && !otherKey && k.number != 1 && !r.countIsComplete(k)
}

// otherKey reports whether a page prints another number, bank or company than the run.
func (r *run) otherKey(k pageKind) bool {
	return k.key != "" && r.key != "" && k.key != r.key || isOtherBank(r.house, k.house) || r.otherCompany(k)
}

// letterBehind reports whether a page is a letter of the bank whose statement the run is: both have its head.
func (r *run) letterBehind(k pageKind) bool {
	return k.begins == beginsLetter && r.kind.docType == dossier.DocBankStatement
}

// countIsComplete reports whether a run ends with the last page of a count that another page is no part of.
func (r run) countIsComplete(k pageKind) bool {
	return r.last.of > 1 && r.last.number == r.last.of && k.of != r.last.of
}

// onePageForm matches the forms of one page, which what follows them is no part of: their backs and further copies say
// what they are.
var onePageForm = lazyregexp.New(`^(?:W-2G?|W-3|1095-[A-C]|1098(?:-[A-Z]+)?|1099(?:-[A-Z]+)?|SSA-1099|1042-S)$`)

// anOffice matches how the head of a page names an office of government, ofTaxes one of taxes or of the benefits that
// such forms report.
var (
	anOffice = lazyregexp.New(`\b(?:department of|ministry of|bureau of|office of|board of|commission|agency` +
		`|administration|division of|county of|city of|united states (?:postal|citizenship|district))\b`)
	ofTaxes = lazyregexp.New(`\b(?:internal revenue|treasury|irs|tax(?:es|ation)?|social security|wage|w 2|w 3` +
		`|10(?:9[589]|40)|revenue|copy [a-d12]|notice to (?:employee|recipient)|instructions for)\b`)
)

// otherOffice reports whether the head of a page names an office that has nothing to do with taxes.
func otherOffice(head string) bool { return anOffice.MatchString(head) && !ofTaxes.MatchString(head) }

func (r *run) add(p text.Page, k pageKind) {
	r.pages, r.kinds = append(r.pages, p), append(r.kinds, k)
	if len(p.Tokens) > 0 { // a blank page says nothing of where the count ends
		r.last = k
	}
	if r.kind.docType == dossier.DocOther && k.docType != dossier.DocOther {
		r.kind = k
	}
	if r.house == "" {
		r.house = k.house
	}
	if r.key == "" {
		r.key = k.key
	}
	if r.company == "" {
		r.company = k.company
	}
	if k.docType == r.kind.docType && k.score > r.kind.score {
		r.kind.score, r.kind.lead, r.kind.evidence = k.score, k.lead, k.evidence
		if r.kind.year == 0 {
			r.kind.year = k.year
		}
	}
}

// confidence is the probability that the type is right: a logistic curve over the score and its lead.
func (k pageKind) confidence() float64 {
	if k.docType == dossier.DocOther {
		return 0.5
	}
	x := 0.35*min(k.score, 14) + 0.3*min(k.lead, 10) - 2.2
	return math.Round(100/(1+math.Exp(-x))) / 100
}

// kindOfPage decides the type of a page, unless it is the sheet before one.
func kindOfPage(p text.Page) pageKind {
	lines := text.Lines(p)
	kind, label := pageKind{docType: dossier.DocOther}, labelOf(p, lines)
	if label.sheet {
		kind.number, kind.of = pageNumber(foldedLines(lines))
	} else {
		kind = kindOfLines(p, lines)
	}
	kind.label = label
	return kind
}

// kindOfLines decides the type of a page by structure first, then by weighted phrases.
func kindOfLines(p text.Page, lines []text.Line) pageKind {
	table, exported := bank.Ledger{}, false
	if p.Layer == text.LayerNative {
		table, exported = bank.LedgerHeader(lines)
	}
	if exported {
		lines = table.Head(lines) // neither its transactions nor the heads of its columns name the document
	}
	folded, head := spelled(p, foldedLines(lines)), spelled(p, foldedLines(lines[:headLines(lines, p)]))
	scores := map[dossier.DocType]float64{}
	why := map[dossier.DocType][]string{}
	for _, t := range doctype.All() {
		for _, s := range t.Signs {
			if !hasSign(s, folded, head) {
				continue
			}
			scores[t.Type] += s.Weight
			if s.Weight > 0 {
				why[t.Type] = append(why[t.Type], fmt.Sprintf("phrase %q p%d", s.Phrase, p.Number))
			}
		}
	}
	kind := pageKind{docType: dossier.DocOther}
	kind.number, kind.of = pageNumber(folded)
	weighStructure(p, lines, folded, head, scores, why, &kind)
	if p.Layer != text.LayerNative {
		weighProse(lines, scores)
		weighCardProse(p, lines, scores)
		weighProgram(p, scores)
		weighOwnSum(folded, scores)
		weighLetter(p, lines, scores)
	}
	if exported {
		bank.WeighLedger(table, p, scoring(scores, why))
	}
	for _, t := range sortedTypes(scores) {
		switch s := scores[t]; {
		case s > kind.score:
			kind.lead = s - kind.score
			kind.score, kind.docType = s, t
		default:
			kind.lead = min(kind.lead, kind.score-s)
		}
	}
	if kind.score < sureness {
		other := pageKind{docType: dossier.DocOther, number: kind.number, of: kind.of, lean: kind.docType,
			apart: otherOffice(head)}
		other.begins, other.title = beginningOf(p, lines)
		switch {
		case other.begins == beginsLetter:
			other.lean = "" // of what it speaks of, or is sent with
		case other.begins == beginsTitled && titleOf(lines, accountantsReport) != "":
			other.lean = dossier.DocFinancialStatement
		}
		return other
	}
	switch {
	case kind.docType == dossier.DocBankStatement && !exported:
		kind.key, kind.house = statementKey(lines), headingBank(lines)
	case kind.docType == dossier.DocFinancialStatement && p.Layer != text.LayerNative:
		kind.company = companyOf(lines)
	}
	kind.evidence = why[kind.docType]
	if kind.docType != dossier.DocTaxReturn && kind.docType != dossier.DocTaxFormOther {
		kind.form, kind.year = "", 0
	}
	return kind
}

// scoring adds a structural sign of a type to the scores of a page.
func scoring(scores map[dossier.DocType]float64, why map[dossier.DocType][]string) func(dossier.DocType, float64,
	string, ...any) {
	return func(t dossier.DocType, weight float64, format string, args ...any) {
		scores[t] += weight
		if weight > 0 {
			why[t] = append(why[t], fmt.Sprintf(format, args...))
		}
	}
}

func sortedTypes(scores map[dossier.DocType]float64) []dossier.DocType {
	types := make([]dossier.DocType, 0, len(scores))
	for t := range scores {
		types = append(types, t)
	}
	slices.Sort(types)
	return types
}

// headLines is how many lines stand in the top third of a page: titles do.
func headLines(lines []text.Line, p text.Page) int {
	n := 0
	for _, l := range lines {
		if l.Y0 < p.Height*0.34 {
			n++
		}
	}
	return n
}

// pageNumber is the number and count that a page prints.
func pageNumber(folded string) (n, of int) {
	g := text.PageOfPages.FindStringSubmatch(folded)
	if g == nil {
		return 0, 0
	}
	n, _ = strconv.Atoi(g[1])
	of, _ = strconv.Atoi(g[2])
	if n == 0 || n > of {
		return 0, 0
	}
	return n, of
}
