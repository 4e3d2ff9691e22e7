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

// Shares of the pages of a long document that must be of a type when its first pages are not: of one that a checklist asks
// for, at least half.
const (
	typedShare  = 0.2
	prizedShare = 0.5
)

// reportTitle matches what the first pages of a company's report print.
var reportTitle = lazyregexp.New(`\b(?:annual report|form 10 ?[kq]|form 20 f|form 40 f|quarterly report|interim report|half year(?:ly)? report|earnings release|reports? (?:first|second|third|fourth|full) (?:quarter|year)|(?:first|second|third|fourth) quarter (?:and|results)|financial statements|financial report|annual accounts|comprehensive annual|geschaftsbericht|jahresabschluss|rapport annuel|rapport financier|cuentas anuales|informe anual|estados financieros)\b`)

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
		if r.maybe(t, counts[t], written) && (winner == dossier.DocOther || totals[t] > totals[winner]) {
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

// maybe reports whether a long run may be of a type that so many of its pages are of.
func (r *run) maybe(t dossier.DocType, pages, written int) bool {
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
	for _, p := range r.pages[:3] {
		lines := text.Lines(p)
		if reportTitle.MatchString(foldedLines(lines[:min(len(lines), 25)])) {
			return true
		}
	}
	return false
}
