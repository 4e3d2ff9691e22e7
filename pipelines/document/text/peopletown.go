package text

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// townCode is a line of an address that is, or ends in, a postcode which no other text looks like: of the United
// Kingdom, Ireland or Canada.
var townCode = lazyregexp.New(`^(?:[\p{L} .,'’-]{2,30}[ ,]+)?(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[\dW] ` +
	`?[A-Z\d]{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$`)

// aboveTown is the name that begins an address without a number of a house: lines one right below the other, from a
// company, or a person who is addressed with courtesy, to a postcode.
func aboveTown(lines []Line) (string, []Token) {
	for i, l := range lines[:min(len(lines), 40)] {
		for _, cell := range l.Cells() {
			if !townCode.MatchString(strings.Trim(cell.Text(), " .,")) {
				continue
			}
			if top, ok := topOfAddress(lines, i, cell); ok {
				return top.Text(), top.Tokens
			}
		}
	}
	return "", nil
}

// topOfAddress climbs from the town to the first line of its address, which must be a name.
func topOfAddress(lines []Line, i int, town Line) (Line, bool) {
	top, between := town, 0
	for up := i - 1; up >= 0 && up > i-12; up-- {
		cell, ok := AlignedCell(lines[up], top)
		if !ok {
			if top.Y0-lines[up].Y1 > 1.5*(top.Y1-top.Y0) {
				break
			}
			continue
		}
		if top.Y0-cell.Y1 > top.Y1-top.Y0 || cell.Y1-cell.Y0 > 1.3*(top.Y1-top.Y0) {
			break
		}
		top = cell
		between++
	}
	name := top.Text()
	return top, between >= 2 && between <= 6 && looksLikeName(name) && !isBankLine(name) &&
		(Company.MatchString(name) || courtesy.MatchString(name)) && MeanConfidence(top.Tokens) > 0.7
}

// nextCaption begins what the head of a statement asks for next, where it follows a name without room between.
var nextCaption = lazyregexp.New(`(?i) (?:(?:account|acct|a/c)(?: (?:type|no|number|name|status|currency))?|address` +
	`|branch(?: name)?|currency|iban|customer (?:id|no|number)|product|statement|period|sort code|swift|bic` +
	`|(?:opening|closing) balance|from|phone|mobile|e-?mail)\b[ :.]*`)

// nameBefore is the name that begins a text which goes on with the next caption of the head.
func nameBefore(s string) string {
	if at := nextCaption.FindStringIndex(s); at != nil {
		if name := strings.TrimSpace(s[:at[0]]); looksLikeName(name) {
			return name
		}
	}
	return ""
}

// withForm is a company's name with the form of the company, where a narrow cell set that alone on a second line.
func withForm(lines []Line, tokens []Token) (string, []Token) {
	first := Line{Page: tokens[0].Page, Tokens: tokens, X0: tokens[0].X0, Y0: tokens[0].Y0, Y1: tokens[0].Y1}
	for _, l := range lines {
		below, ok := AlignedCell(l, first)
		if !ok || below.Y0 < first.Y1-1 || below.Y0-first.Y1 > first.Y1-first.Y0 {
			continue
		}
		if s := below.Text(); LegalForm.FindString(s) == s {
			tokens = append(append([]Token(nil), tokens...), below.Tokens...)
		}
		break
	}
	return Join(tokens), tokens
}

// unmarked is a cell without the mark that some banks print before whom they write to.
func unmarked(cell Line) Line {
	if first := cell.Tokens[0]; len(first.Text) > 1 && strings.HasPrefix(first.Text, "*") {
		first.Text = strings.TrimLeft(first.Text, "*")
		cell.Tokens = append([]Token{first}, cell.Tokens[1:]...)
	}
	return cell
}

// Party is a name that stands above a postal address: a sender, or who is written to.
type Party struct {
	Name   string
	Tokens []Token
}

// Parties are the names above addresses, in reading order.
func Parties(lines []Line) []Party {
	var found []Party
	for _, b := range addressBlocks(lines) {
		if name, tokens := b.holderName(); name != "" && !b.isBank {
			found = append(found, Party{name, tokens})
		}
	}
	return found
}
