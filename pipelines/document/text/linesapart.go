package text

import "slices"

// joinApart joins the lines of a picture of which one goes on in the other: every word of the second stands as high as
// the word of the first that is nearest to it, and none stands over or under one. A line that begins with small type
// beside a title, or that curls, comes apart when its words are held against its first one alone.
func joinApart(lines []Line) []Line {
	for i := 0; i < len(lines); i++ {
		for k := i + 1; k < len(lines) && k <= i+3; k++ {
			if goesOn(lines[i], lines[k]) {
				lines[i].Tokens = slices.Concat(lines[i].Tokens, lines[k].Tokens)
				lines[i].settle()
				lines = slices.Delete(lines, k, k+1)
				k = i
			}
		}
	}
	return lines
}

// settle puts the words of a line in order, and its box around them.
func (l *Line) settle() {
	slices.SortStableFunc(l.Tokens, func(a, b Token) int { return CompareFloat(a.X0, b.X0) })
	b := BoxOf(l.Tokens)
	l.X0, l.Y0, l.X1, l.Y1 = b.X0, b.Y0, b.X1, b.Y1
}

func goesOn(line, rest Line) bool {
	for _, t := range rest.Tokens {
		near, least := Token{}, 0.0
		for _, w := range line.Tokens {
			apart := max(w.X0-t.X1, t.X0-w.X1)
			if apart < 0 {
				return false
			}
			if near.Text == "" || apart < least {
				near, least = w, apart
			}
		}
		if t.Method != MethodOCR || Abs(t.Y0+t.Y1-near.Y0-near.Y1) >= min(t.Y1-t.Y0, near.Y1-near.Y0) {
			return false
		}
	}
	return true
}
