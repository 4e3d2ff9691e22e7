package table

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// wholeGroup and parentAlone stand above columns of the same periods: of a group, and of the company at its head alone.
var (
	wholeGroup = lazyregexp.New(`(?i)^\W*(?:the\s+)?(?:group|consolidated|consolidado|consolid[ée]|groupe|konzern` +
		`|koncernen|konsern)\b`)
	parentAlone = lazyregexp.New(`(?i)^\W*(?:the\s+)?(?:company|parent|controladora|individual|separate|stand-?alone` +
		`|bank|trust|soci[ée]t[ée]|moderbolaget|moderselskab\w*|morselskap\w*)\b`)
)

// dropParentOnly takes the columns of the parent alone, beside those of its group, for no figures of the statement.
func (b *Grid) dropParentOnly(texts [][]string) {
	if !slices.ContainsFunc(texts, func(of []string) bool { return slices.ContainsFunc(of, wholeGroup.MatchString) }) {
		return
	}
	for i, of := range texts {
		if slices.ContainsFunc(of, parentAlone.MatchString) {
			b.Periods[i].Role = AnotherColumn
		}
	}
}
