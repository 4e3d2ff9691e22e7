package table

import (
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Some sheets print each side under a title of its own, mostly on a page of its own: "Bilan - Actif", "Bilan - Passif".

// fewestOwed is how many lines of debts and equity a sheet has that is no half.
const fewestOwed = 2

// isHalf reports whether a title is that of what is owed, and the sheet above it has assets only.
func (b *Block) isHalf(title string) bool {
	folded := text.Fold(title)
	if b.Kind != captions.BalanceSheet || !rightSide.MatchString(folded) || leftSide.MatchString(folded) {
		return false
	}
	owed, rows := 0, 0
	for _, p := range b.Parts {
		for _, l := range p.Lines {
			if len(l.Figures) == 0 || len(l.Caption) == 0 || AllYears(l.Figures) {
				continue
			}
			rows++
			if isOwed(text.Join(l.Caption)) {
				owed++
			}
		}
	}
	return rows > fewestOwed && owed < fewestOwed
}

// hasOtherSide reports whether a page begins with the other half of a sheet: its title says so, or a heading below it.
func (b *Block) hasOtherSide(lines []Line) bool {
	sheet := false
	for _, l := range lines {
		if len(l.Figures) > 0 && !AllYears(l.Figures) && len(l.Caption) > 0 {
			return false
		}
		if kind, titled := TitledKind(l); titled && kind != captions.BalanceSheet {
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
