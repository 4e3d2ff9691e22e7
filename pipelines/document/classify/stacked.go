package classify

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// stackedLines is how many lines of other columns may stand between the two lines of a title.
const stackedLines = 4

// stackedTitles are the titles in the head of a page that run over two lines while the columns beside them print lines
// of their own in between: each as one line.
func stackedTitles(lines []text.Line) string {
	var titles strings.Builder
	for i, l := range lines {
		for _, upper := range l.Cells() {
			if len(upper.Tokens) < 2 {
				continue
			}
			for _, below := range lines[i+1 : min(len(lines), i+1+stackedLines)] {
				for _, lower := range below.Cells() {
					if lower.Y0 > upper.Y0+(upper.Y1-upper.Y0)/2 && sameTitle(upper, lower) {
						titles.WriteString(" \n " + text.Fold(upper.Text()+" "+lower.Text()))
					}
				}
			}
		}
	}
	return titles.String()
}

// explainsForm matches how the instructions of a form begin, which are none.
var explainsForm = lazyregexp.New(`(?:^|\n) ?(?:(?:20\d\d|general|specific|separate) )?instructions for (?:forms?` +
	` [w\d]|schedule [a-z\d]{1,2} )`)
