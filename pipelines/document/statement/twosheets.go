package statement

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Some sheets print each side under a title of its own, mostly on a page of its own: "Bilan - Actif", "Bilan - Passif".

// fewestOwed is how many lines of debts and equity a sheet has that is no half.
const fewestOwed = 2

// isHalf reports whether a title is that of what is owed, and the sheet above it has assets only.
func (b *statementBlock) isHalf(title string) bool {
	folded := text.Fold(title)
	if b.kind != balanceSheet || !rightSide.MatchString(folded) || leftSide.MatchString(folded) {
		return false
	}
	owed, rows := 0, 0
	for _, p := range b.parts {
		for _, l := range p.lines {
			if len(l.figures) == 0 || len(l.caption) == 0 || allYears(l.figures) {
				continue
			}
			rows++
			if isOwed(text.Join(l.caption)) {
				owed++
			}
		}
	}
	return rows > fewestOwed && owed < fewestOwed
}

// hasOtherSide reports whether a page begins with the other half of a sheet: its title says so, or a heading below it.
func (b *statementBlock) hasOtherSide(lines []statementLine) bool {
	sheet := false
	for _, l := range lines {
		if len(l.figures) > 0 && !allYears(l.figures) && len(l.caption) > 0 {
			return false
		}
		if kind, titled := titledKind(l); titled && kind != balanceSheet {
			return false
		} else if titled {
			sheet = true
		}
		if sheet && b.isHalf(l.Text()) {
			return true
		}
	}
	return false
}
