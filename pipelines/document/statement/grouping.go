package statement

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	pointGroups = lazyregexp.New(`^\(?[-–−]?\d{1,3}(?:\.\d{3})+\)?$`)
	commaGroups = lazyregexp.New(`^\(?[-–−$£€]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\)?$`)
	pointCents  = lazyregexp.New(`^\(?[-–−$£€]?[\d,]*\d\.\d{1,2}\)?$`)
	groupHead   = lazyregexp.New(`^\(?[-–−]?\d{1,3}$`)
	groupTail   = lazyregexp.New(`^\d{3}\)?$`)
)

// fewestGroups is how many figures must be grouped by points or blanks before a statement is read so.
const fewestGroups = 6

// groupingOf is the style of a statement's figures: without cents, groups of thousands are all that tells a point or a
// blank between thousands from a decimal point or the gap between two figures.
func groupingOf(s text.Segment) text.DecimalStyle {
	points, commas, blanks, cents := 0, 0, 0, 0
	for _, p := range s.Pages {
		for i, t := range p.Tokens {
			switch {
			case t.Cell != "":
			case pointGroups.MatchString(t.Text):
				points++
			case commaGroups.MatchString(t.Text):
				commas++
			case pointCents.MatchString(t.Text):
				cents++
			case i > 0 && groupTail.MatchString(t.Text) && groupHead.MatchString(p.Tokens[i-1].Text):
				before := p.Tokens[i-1]
				if gap, height := t.X0-before.X1, t.Y1-t.Y0; gap > 0 && gap < 0.5*height &&
					text.Abs(t.Y0-before.Y0) < 0.3*height {
					blanks++
				}
			}
		}
	}
	if points >= fewestGroups && points > 3*(commas+cents) || blanks >= fewestGroups && blanks > 3*commas {
		return text.CommaDecimal
	}
	return s.Style
}
