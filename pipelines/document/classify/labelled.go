package classify

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// partLabel is what people write on the sheet before a paper of a bundle, or above its first page: "Exhibit B - Bank
// Statements", "Tab 3".
type partLabel struct {
	word, mark string // "exhibit", "b"
	sheet      bool   // the page holds nothing else
	known      bool   // its title names a kind of paper
}

var labelLine = lazyregexp.New(`^(exhibit|tab|attachment|appendix|annex|section|part|enclosure|anexo|annexe|anlage` +
	`|allegato|bijlage) ([a-z]|[ivx]{1,4}|\d{1,2})\b ?(.*)$`)

// paperNames are words for papers of a bundle that no label of a type holds.
var paperNames = lazyregexp.New(`\b(?:bank statements?|financial statements?|financials|tax returns?|1040|1065|1120s?` +
	`|profit and loss|p l|balance sheets?|leases?|licen[cs]es?|passports?|identification|insurance|invoices?` +
	`|pay ?stubs?|articles of [a-z]+|operating agreements?|by ?laws|purchase agreements?|contracts?|rent rolls?` +
	`|debt schedules?|ag(?:e)?ing|applications?|void(?:ed)? checks?|utility bills?|appraisals?|resumes?` +
	`|business plans?|w 2s?|w 9|1099s?|credit reports?)\b`)

// A sheet that parts a bundle names the paper that follows it: it holds few words. A label above a page stands in its
// first lines.
const (
	sheetWords  = 14
	labelledTop = 2
)

// labelOf finds the label of a page; it is empty where it has none.
func labelOf(p text.Page, lines []text.Line) partLabel {
	if p.Layer == text.LayerNative {
		return partLabel{}
	}
	words := 0
	for _, l := range lines {
		words += len(strings.Fields(text.Fold(l.Text())))
	}
	sheet := words <= sheetWords
	top := min(len(lines), labelledTop)
	if sheet {
		top = len(lines)
	}
	for i, l := range lines[:top] {
		for _, cell := range l.Cells() {
			g := labelLine.FindStringSubmatch(strings.TrimSpace(text.Fold(cell.Text())))
			if g == nil || len(strings.Fields(g[3])) > titleWordsMost {
				continue
			}
			title := g[3]
			if sheet && title == "" && i+1 < len(lines) {
				title = text.Fold(lines[i+1].Text())
			}
			return partLabel{word: g[1], mark: g[2], sheet: sheet, known: namesPaper(title)}
		}
	}
	return partLabel{}
}

// onSheet reports whether a run is the sheet before a paper alone, and a page is of that paper.
func (r *run) onSheet(k pageKind) bool {
	return len(r.pages) == 1 && r.last.label.sheet && k.docType != dossier.DocOther
}

// namesPaper reports whether a title names a kind of paper.
func namesPaper(title string) bool {
	if title == "" {
		return false
	}
	return paperNames.MatchString(title) || slices.ContainsFunc(doctype.All(), func(t doctype.Record) bool {
		return slices.ContainsFunc(t.Labels, func(label string) bool { return text.HasWords(title, label) })
	})
}

// partsBundle reports whether the label of a page parts it from the pages before it: the file begins with such a label,
// the label names a paper, or on a sheet of its own it stands before a page that says what it is. Reports have parts
// and sections, and agreements exhibits, which go with them.
func partsBundle(kinds []pageKind, i int) bool {
	label := kinds[i].label
	if label.word == "" {
		return false
	}
	switch label.word {
	case "part", "section", "appendix": // of one paper as well
		if !label.sheet {
			return false
		}
	}
	if first := kinds[0].label; label.known || first.word == label.word && first.mark != label.mark {
		return true
	}
	return label.sheet && i+1 < len(kinds) && kinds[i+1].docType != dossier.DocOther &&
		(i == 0 || kinds[i+1].docType != nearestType(kinds, i, -1))
}
