package other

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// How far down a paper its title may stand, and how far one that names the paper may stand below who it is of.
const (
	titleTop   = 5
	titleBelow = 8
	titleMost  = 16 // words
)

var (
	// paperNoun matches how a title says what a paper is.
	paperNoun = lazyregexp.New(`(?i)\b(?:statement|agreement|schedule|report|summary|licen[cs]e|certificate|notice` +
		`|application|form|aging|ageing|transcript|articles|policy|appraisal|calculation|confirmation|ledger|minutes` +
		`|resolution|contract|deed|permit|guarant(?:y|ee)|note|checklist|authori[sz]ation|plan|letter|analysis)\b`)

	// anOrganization matches names of offices, which head the papers that they issue as companies do.
	anOrganization = lazyregexp.New(`(?i)\b(?:department|ministry|bureau|office|agency|administration|commission` +
		`|authority|secretary of state|(?:city|county|state|town) of|customs|revenue)\b`)

	// captionedLine matches a caption with its value behind it.
	captionedLine = lazyregexp.New(`(?i)^(?:\pL+ )?(?:name|date|to|from|address|phone|tel|fax|re|account|number|file` +
		`|page|ref)\b[^:]{0,20}:`)
)

// findTitle reads the title of a document that is of no known type: its first line, when it is a heading; where that
// says only who the paper is of, the heading below that says what it is.
func findTitle(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var first []text.Token
	for i, l := range f.Lines[:min(len(f.Lines), titleBelow)] {
		for _, cell := range l.Cells() {
			str := cell.Text()
			switch {
			case !looksLikeTitle(str) || len(cell.Tokens) > titleMost || strings.HasSuffix(str, ".") ||
				captionedLine.MatchString(str):
			case first == nil && i < titleTop:
				first = cell.Tokens
			case first != nil && namesOnlyWho(text.Join(first)) && paperNoun.MatchString(str) && !namesOnlyWho(str):
				first = cell.Tokens
			}
		}
	}
	if first != nil {
		values["title"] = text.Join(first)
		found.From("/title", first, "")
	}
}

// namesOnlyWho reports whether a heading is the name of a company or an office and does not say what the paper is.
func namesOnlyWho(title string) bool {
	return !paperNoun.MatchString(title) && (text.Company.MatchString(title) || anOrganization.MatchString(title))
}

// supplier matches the names of companies that supply households, which need no form of law to be told from a title.
var supplier = lazyregexp.New(`(?i)^\S+(?: \S+){0,4} (?:co-?operative|co-?op|electric|energy|power|gas|water` +
	`|utilit(?:y|ies)|authority|district|wireless|communications|telecom|broadband|light|telephone|mobile)$`)

// findSupplier reads the supplier that heads a bill in larger type than the rest.
func findSupplier(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["issuer"] != nil || values["institution"] != nil {
		return
	}
	for _, l := range f.Lines[:min(len(f.Lines), titleTop)] {
		cell := l.Cells()[0]
		if name := cell.Text(); supplier.MatchString(name) && looksLikeTitle(name) && !notTitle.MatchString(name) &&
			name != values["name"] && cell.Y1-cell.Y0 > 1.2*usualHeight(f.Lines) {
			values["issuer"] = name
			found.From("/issuer", cell.Tokens, "")
			return
		}
	}
}

// usualHeight is the middle one of the heights of lines.
func usualHeight(lines []text.Line) float64 {
	heights := make([]float64, len(lines))
	for i, l := range lines {
		heights[i] = l.Y1 - l.Y0
	}
	slices.Sort(heights)
	return heights[len(heights)/2]
}
