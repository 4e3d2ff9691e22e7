package classify

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// hasSign reports whether a page prints a sign: in its text, or in its head where titles stand. Neighbours that are
// easily confused have signs against each other: what only a credit card, a broker or a utility prints is one against a
// bank statement.
func hasSign(s doctype.Sign, folded, head string) bool {
	where := folded
	if s.Head {
		where = head
	}
	return !slices.ContainsFunc(s.Parts, func(part string) bool { return !text.HasWords(where, part) })
}
