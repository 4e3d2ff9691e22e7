package text

import "slices"

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
