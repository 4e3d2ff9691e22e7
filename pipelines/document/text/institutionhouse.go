package text

import "strings"

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
