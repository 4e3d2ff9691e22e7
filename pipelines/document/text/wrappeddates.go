package text

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// datePart is a part of a date as a narrow column cuts it: a day, a month, both, or a year.
var datePart = lazyregexp.New(`^(?i:\d{1,2}[-/.,]?|(?:\d{1,2}[-/.])?[a-zéû]{3,4}[-/.,]?|\d{4}` +
	`|\d{1,2}[-/.]\d{1,2}[-/.])$`)

// cutYear is what a third part can be.
var cutYear = lazyregexp.New(`^\d{4}$`)

// leastWrapped is how many dates a page breaks before its dates are mended: a column of them, not a chance.
const leastWrapped = 3

// joinWrappedDates puts together dates that a column too narrow for them breaks over two or three lines, each part
// right below the one before: "06-" "May-" "2024". They stand on the line of their first part, as their row does.
func joinWrappedDates(lines []Line) []Line {
	mended := make([]Line, len(lines))
	for i, l := range lines {
		mended[i] = Line{Page: l.Page, Tokens: slices.Clone(l.Tokens)}
	}
	count := 0
	for i := range mended {
		for k := 0; k < min(len(mended[i].Tokens), 8); k++ {
			if wrapped := wrappedDate(mended, i, k); wrapped != nil {
				count++
				mended[i].Tokens = slices.Replace(mended[i].Tokens, k, k+1, wrapped...)
				k += len(wrapped) - 1
			}
		}
	}
	if count < leastWrapped {
		return lines
	}
	mended = slices.DeleteFunc(mended, func(l Line) bool { return len(l.Tokens) == 0 })
	for i := range mended {
		mended[i].settle()
	}
	return mended
}

// wrappedDate is the date that begins with word k of line i and goes on below, whose parts it takes out of their lines;
// nil where none does.
func wrappedDate(lines []Line, i, k int) []Token {
	first := lines[i].Tokens[k]
	if !datePart.MatchString(first.Text) {
		return nil
	}
	parts, at := []Token{first}, [][2]int{}
	for j := i + 1; j < len(lines) && len(parts) < 3; j++ {
		last := parts[len(parts)-1]
		n := slices.IndexFunc(lines[j].Tokens, func(t Token) bool {
			return Abs(t.X0-first.X0) < 0.3*(first.Y1-first.Y0) && datePart.MatchString(t.Text)
		})
		if n >= 0 && len(parts) == 2 && !cutYear.MatchString(lines[j].Tokens[n].Text) {
			break // the next row begins
		}
		if n < 0 || lines[j].Page != lines[i].Page || lines[j].Tokens[n].Y0-last.Y1 > 0.7*(last.Y1-last.Y0) {
			break
		}
		parts, at = append(parts, lines[j].Tokens[n]), append(at, [2]int{j, n})
	}
	for ; len(parts) > 1; parts, at = parts[:len(parts)-1], at[:len(at)-1] {
		whole := joinedParts(parts)
		if !wholeDate(whole) {
			continue
		}
		for _, a := range at {
			lines[a[0]].Tokens = slices.Delete(slices.Clone(lines[a[0]].Tokens), a[1], a[1]+1)
		}
		return onOneLine(parts, strings.Fields(whole))
	}
	return nil
}

func joinedParts(parts []Token) string {
	var whole string
	for i, p := range parts {
		if i > 0 && !strings.ContainsAny(whole[len(whole)-1:], "-/.") {
			whole += " "
		}
		whole += p.Text
	}
	return whole
}

// wholeDate reports whether words are one date with its month, and nothing else.
func wholeDate(s string) bool {
	found := FindDates(s, DayFirst)
	return len(found) == 1 && found[0].From == 0 && found[0].To >= len(s)-1 && found[0].Date.Month > 0
}

// onOneLine are words side by side on the line of the first part.
func onOneLine(parts []Token, words []string) []Token {
	width := 0.0
	for _, p := range parts {
		width = max(width, p.X1-p.X0)
	}
	var line []Token
	for n, w := range words {
		t := parts[0]
		t.Text = w
		t.X0 = parts[0].X0 + width*float64(n)/float64(len(words))
		t.X1 = parts[0].X0 + width*float64(n+1)/float64(len(words))
		line = append(line, t)
	}
	return line
}
