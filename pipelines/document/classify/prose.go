package classify

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// A page of prose speaks of other papers and is none of them: what a stub, a bill or a statement says stands in
// captions and columns.
const (
	proseWords = 8   // of a line of prose
	proseLines = 5   // of a page of prose
	proseShare = 0.6 // of its lines
	proseMoney = 3   // figures of money that it may hold
	proseWorth = 0.2 // of what its words would say elsewhere
)

// agreementTitle matches what titles the papers that are prose: agreements and policies.
var agreementTitle = lazyregexp.New(`\b(?:lease|rental|tenancy|insurance|certificate|policy|declarations|bail` +
	`|location|arrendamiento|mietvertrag|versicherung|seguro|assurance)\b`)

// weighProse takes from the types of a page of prose most of what its words gave them. Agreements are prose, and have a
// title.
func weighProse(lines []text.Line, scores map[dossier.DocType]float64) {
	long, figures := 0, 0
	style := text.StyleOf([]text.Page{{Tokens: bank.TokensOf(lines)}})
	for _, l := range lines {
		figures += len(figuresOn(l, style))
		if len(l.Tokens) >= proseWords && len(l.Cells()) == 1 {
			long++
		}
	}
	if long < proseLines || figures > proseMoney || float64(long) < proseShare*float64(len(lines)) {
		return
	}
	titled := false
	for _, l := range lines[:min(6, len(lines))] {
		titled = titled || len(l.Tokens) <= proseWords && !strings.HasSuffix(l.Text(), ".") &&
			agreementTitle.MatchString(strings.TrimSpace(text.Fold(l.Text())))
	}
	for t := range scores {
		switch t {
		case dossier.DocTaxReturn, dossier.DocTaxFormOther, dossier.DocBenefitPlanReport:
		case dossier.DocLease, dossier.DocInsurance:
			if !titled {
				scores[t] *= proseWorth
			}
		default:
			scores[t] *= proseWorth
		}
	}
}
