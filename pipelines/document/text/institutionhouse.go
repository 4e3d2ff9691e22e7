package text

import "strings"

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
