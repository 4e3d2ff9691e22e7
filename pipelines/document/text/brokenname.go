package text

import (
	"slices"
	"strings"
)

// nameInCell is the bank's name in a cell, or that begins in it, and how much of the cell it is.
func nameInCell(lines []Line, i int, cell Line, text string) (name string, share float64, tokens []Token) {
	if found, both := brokenName(lines, i, cell); found != "" {
		return found, 1, both
	}
	if found := writtenName(text, len(cell.Tokens)); found != "" {
		return found, fullCell(text, found), cell.Tokens
	}
	return "", 0, nil
}

// brokenName is a bank's name of which a cell of the head is the first line and the cell below it the second.
func brokenName(lines []Line, i int, cell Line) (string, []Token) {
	if i >= 12 {
		return "", nil
	}
	for _, l := range lines[i+1 : min(i+3, len(lines))] { // a line of what stands beside the head may come between
		if below, ok := AlignedCell(l, cell); ok && goesOnBelow(cell, below) {
			return cell.Text() + " " + below.Text(), slices.Concat(cell.Tokens, below.Tokens)
		}
	}
	return "", nil
}

// goesOnBelow reports whether two cells, one right below the other in letters as high, are a bank's name together, and
// the first alone is none.
func goesOnBelow(cell, below Line) bool {
	high, low := cell.Y1-cell.Y0, below.Y1-below.Y0
	if below.Y0-cell.Y1 > 0.8*high || high > 1.35*low || low > 1.35*high || len(cell.Tokens) > 6 ||
		len(below.Tokens) > 2 || bankName.MatchString(cell.Text()) {
		return false
	}
	whole := cell.Text() + " " + below.Text()
	g := bankName.FindStringSubmatch(whole)
	return g != nil && g[1] == whole && !notAName.MatchString(whole)
}

// nameElsewhere is the name of a bank that no words of a bank's name give away: by its site, who insures or licensed
// it, who holds the rights in the text, or how large it is set.
func nameElsewhere(lines []Line, style DecimalStyle) (string, []Token) {
	for _, find := range []func() (string, []Token){
		func() (string, []Token) { return nameOfSite(lines, style) },
		func() (string, []Token) { return nameOfDomain(lines, style) },
		func() (string, []Token) { return nameOfLicence(lines) },
		func() (string, []Token) { return nameInRights(lines) },
		func() (string, []Token) { return houseNamedTwice(lines) },
	} {
		if name, tokens := find(); name != "" {
			return name, tokens
		}
	}
	return nameInLargeType(lines)
}

// houseNamedTwice is the keeper of accounts without the word bank in its name that begins a line at the head of the
// first page and that a line further down names as well.
func houseNamedTwice(lines []Line) (string, []Token) {
	for i, l := range lines[:min(len(lines), 4)] {
		cell := l.Cells()[0]
		name := cell.Text()
		if !houseOfMoney.MatchString(name) || ownersTrust.MatchString(name) || letterheadWords.MatchString(name) {
			continue
		}
		for _, below := range lines[i+1:] {
			if s := below.Text(); len(s) > len(name) && strings.Contains(s, name) {
				return name, cell.Tokens
			}
		}
	}
	return "", nil
}
