package classify

import (
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// longRun is the number of pages from which a document is judged as a whole: a report, a guide or a brokerage statement
// shows pages that look like other documents.
const longRun = 6

// Shares of the pages of a long document that must be of a type when its first pages are not: of one that a checklist
// asks for, at least half.
const (
	typedShare  = 0.2
	prizedShare = 0.5
)

// reportTitle matches what the first pages of a company's report print.
var reportTitle = lazyregexp.New(`\b(?:annual report|form 10 ?[kq]|form 20 f|form 40 f|quarterly report|interim ` +
	`report|half year(?:ly)? report|earnings release|reports? (?:first|second|third|fourth|full) (?:quarter|year)` +
	`|(?:first|second|third|fourth) quarter (?:and|results)|financial statements|financial report|annual accounts` +
	`|comprehensive annual|geschaftsbericht|jahresabschluss|rapport annuel|rapport financier|cuentas anuales` +
	`|informe anual|estados financieros)\b`)

// settle types a long run by all its pages.
func (r *run) settle() {
	if len(r.pages) < longRun || r.pages[0].Layer == text.LayerNative {
		return
	}
	totals, counts, best := map[dossier.DocType]float64{}, map[dossier.DocType]int{}, map[dossier.DocType]pageKind{}
	written := 0
	for i, k := range r.kinds {
		if len(r.pages[i].Tokens) > 0 {
			written++
		}
		if k.docType == dossier.DocOther {
			continue
		}
		totals[k.docType] += min(k.score, 14)
		counts[k.docType]++
		if b, have := best[k.docType]; !have || k.score > b.score {
			best[k.docType] = k
		}
	}
	if first := r.kinds[0].docType; first != dossier.DocOther {
		totals[first] += 14
	}
	if r.titledReport() {
		if counts[dossier.DocFinancialStatement] > 0 {
			totals[dossier.DocFinancialStatement] += 14 * float64(written)
		}
	}
	winner := dossier.DocOther
	for _, t := range sortedTypes(totals) {
		if r.isPlausibleType(t, counts[t], written) && (winner == dossier.DocOther || totals[t] > totals[winner]) {
			winner = t
		}
	}
	switch {
	case winner == r.kind.docType:
	case winner == dossier.DocOther:
		r.kind = pageKind{docType: dossier.DocOther}
	default:
		r.kind = best[winner]
		for _, k := range r.kinds { // the first page of a form names it
			if k.docType == winner {
				r.kind.form, r.kind.year = k.form, k.year
				break
			}
		}
	}
}

// isPlausibleType reports whether a long run may be of a type that so many of its pages are of.
func (r *run) isPlausibleType(t dossier.DocType, pages, written int) bool {
	share := float64(pages) / float64(max(written, 1))
	begins := slices.ContainsFunc(r.kinds[:2], func(k pageKind) bool { return k.docType == t })
	switch {
	case begins:
		return true
	case t == dossier.DocFinancialStatement:
		return pages > 1 || share >= typedShare
	case t == dossier.DocBankStatement, t == dossier.DocTaxReturn, slices.Contains(identities, t):
		return share >= prizedShare
	}
	return share >= typedShare
}

// titledReport reports whether the first pages of a run title it as a company's report.
func (r *run) titledReport() bool {
	for _, p := range r.pages[:min(3, len(r.pages))] {
		lines := text.Lines(p)
		if reportTitle.MatchString(foldedLines(lines[:min(len(lines), 25)])) {
			return true
		}
	}
	return false
}

// longKinds are the types of papers that run over many pages of words and tables.
var longKinds = []dossier.DocType{dossier.DocLease, dossier.DocInsurance, dossier.DocFinancialStatement,
	dossier.DocBrokerageStatement,
	dossier.DocInvestmentStatement, dossier.DocBenefitPlanReport}

// How many pages of a long paper stand before and after one that looks like another, and the score that it then needs.
const (
	smoothAround = 2
	smoothScore  = 10.0
)

// dropLonePages clears the type of a single page within a long document of another type, unless it is certain: a page
// of a lease that speaks of receipts is not a receipt.
func dropLonePages(kinds []pageKind) {
	for i := range kinds {
		k := kinds[i]
		if i < smoothAround || i+1 >= len(kinds) || k.score >= smoothScore || k.form != "" || k.number == 1 {
			continue
		}
		before := nearestType(kinds, i, -1)
		if before == dossier.DocOther || before == k.docType || !slices.Contains(longKinds, before) ||
			nearestType(kinds, i, 1) != before {
			continue
		}
		kinds[i] = pageKind{docType: dossier.DocOther, number: k.number, of: k.of, lean: before}
	}
}

// nearestType is the type of the nearest page of one before or after page i.
func nearestType(kinds []pageKind, i, step int) dossier.DocType {
	for j := i + step; j >= 0 && j < len(kinds); j += step {
		if kinds[j].docType != dossier.DocOther {
			return kinds[j].docType
		}
	}
	return dossier.DocOther
}

// mostFront is how many pages a report has before those that are numbered: cover, contents, a letter.
const mostFront = 6

// joinFront puts the cover of a report before the report: it titles one, and a long one follows.
func joinFront(runs []run) []run {
	if len(runs) < 2 || runs[0].kind.docType != dossier.DocOther || len(runs[0].pages) > mostFront ||
		!runs[0].titledReport() {
		return runs
	}
	report := runs[1]
	if report.kind.docType != dossier.DocFinancialStatement || len(report.pages) < longRun {
		return runs
	}
	report.pages = slices.Concat(runs[0].pages, report.pages)
	report.kinds = slices.Concat(runs[0].kinds, report.kinds)
	return append([]run{report}, runs[2:]...)
}
