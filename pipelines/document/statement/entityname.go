package statement

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	// nameCaption says that the cell beside it is a name; it is none itself.
	nameCaption = lazyregexp.New(`(?i)^(?:(?:legal |registered )?(?:company|business|client|entity|organi[sz]ation` +
		`|firm|borrower|customer|taxpayer)(?: (?:legal )?name)?|(?:legal |trading )?name(?: of (?:the )?` +
		`(?:company|business|entity|client|firm|organi[sz]ation))?)\s*:?$`)
	// remark is what sheets and forms say to their reader, in the place where a name may stand.
	remark = lazyregexp.New(`(?i)^(?:how|what|why|when|where|which|learn|tips?|click|download|welcome|created` +
		`|powered|provided|made (?:by|with|in)|instructions?|introduc\w+|enter|fill|please|here)\b` +
		`|\b(?:helps?|your|you|is|are|was|were|will|can|should|this|these|learn more|free trial|sign up` +
		`|copyright|all rights reserved)\b`)
)

// nameOn is the name that a line above the figures may print in one or two cells; captioned is whether the line says
// that it is one.
func nameOn(l text.Line) (name string, tokens []text.Token, captioned bool) {
	cells := l.Cells()
	if len(cells) > 2 {
		return "", nil, false
	}
	for i, cell := range cells {
		if i == 0 && len(cells) == 2 && nameCaption.MatchString(cell.Text()) {
			captioned = true
			continue
		}
		if name, tokens = entityText(cell); name != "" {
			return name, tokens, captioned
		}
	}
	return "", nil, false
}

// sentenceEnd is how a sentence of running text ends: a word in small letters and a full stop.
var sentenceEnd = lazyregexp.New(`\S\s\S+\s\p{Ll}{3,}\.$`)

// isRemark reports whether a cell speaks to its reader, or is the caption of a name. What has a legal form is a name.
func isRemark(s string) bool {
	return !text.LegalForm.MatchString(s) && (remark.MatchString(s) || nameCaption.MatchString(s) ||
		sentenceEnd.MatchString(s))
}
