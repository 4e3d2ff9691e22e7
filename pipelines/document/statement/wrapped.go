package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// endsOpen is the end of a line that no caption ends with.
var endsOpen = lazyregexp.New(`(?i)(?:&|\b(?:and|or|of|by|from|the|with))$`)

// mostWrapped is how many lines of a caption stand above or below its figures.
const mostWrapped = 2

// joinAround joins captions of several lines in the middle of which their figures stand, as cells of web pages have
// them: "Gross" beside the figures above "profit". Only together do the lines name a row.
func joinAround(rows []statementRow) []statementRow {
	for i := 0; i < len(rows); i++ {
		if !rows[i].hasFigures() || rows[i].nameless || rows[i].tokens[0].Cell != "" || isCaption(rows[i].caption) {
			continue
		}
		first, last := wrappedAround(rows, i)
		if last == i {
			continue
		}
		whole := rows[i]
		whole.caption, whole.left = rows[first].caption, rows[first].left
		whole.tokens = slices.Clone(rows[first].tokens)
		for _, r := range rows[first+1 : last+1] {
			whole.caption += " " + r.caption
			whole.tokens = append(whole.tokens, r.tokens...)
		}
		whole.lines = slices.Clone(rows[i].lines)
		for _, r := range rows[i+1 : last+1] {
			whole.lines = append(whole.lines, r.lines[0])
		}
		rows = slices.Replace(rows, first, last+1, whole)
		i = first
	}
	return rows
}

// wrappedAround are the first and last of the lines that form one caption around the line with the figures; that line
// itself when there are no others.
func wrappedAround(rows []statementRow, at int) (first, last int) {
	for below := mostWrapped; below > 0; below-- {
		for above := mostWrapped; above >= 0; above-- {
			if first, last = at-above, at+below; first < 0 || last >= len(rows) {
				continue
			}
			if caption, ok := joinWrappedLines(rows, first, at, last); ok && namesRowWhole(caption) {
				return first, last
			}
		}
	}
	return at, at
}

// joinWrappedLines joins the captions of lines of which only the one at a place prints figures; ok is false where they
// are not lines of one caption: a heading below the figures is none, unless there is a line above them too.
func joinWrappedLines(rows []statementRow, first, at, last int) (caption string, ok bool) {
	for k := first; k <= last; k++ {
		r := &rows[k]
		apart := k > first && !r.closeBelow(rows[k-1]) || text.Abs(r.left-rows[at].left) > 2
		another := k != at && (r.hasFigures() || r.nameless) || strings.HasSuffix(r.caption, ":") ||
			captions.Fold(r.caption) == "" || k > at && first == at && captions.OpensSection(r.caption)
		if apart || another {
			return "", false
		}
		caption += " " + r.caption
	}
	return caption, true
}

// namesRowWhole reports whether a caption is that of a row of some statement, word for word.
func namesRowWhole(caption string) bool {
	folded := captions.Fold(caption)
	for _, book := range captions.Books() {
		if book.Exact[folded] != nil {
			return true
		}
	}
	return false
}

// joinWrapped joins captions that go on over two lines: the figures may stand on the first or the last.
func joinWrapped(rows []statementRow) []statementRow {
	var out []statementRow
	right := captionEdge(rows)
	narrow := narrowCaptions(rows, right)
	for _, r := range rows {
		n := len(out)
		if n == 0 || r.tokens[0].Cell != "" || r.nameless || itemMark.MatchString(r.caption) ||
			!r.hasFigures() && totalAlone.MatchString(r.caption) ||
			!r.closeBelow(out[n-1]) {
			out = append(out, r)
			continue
		}
		last, lower := &out[n-1], r.beginsLower()
		tight := narrow && r.hadNoRoom(*last, right)
		switch {
		case !last.hasFigures() && r.hasFigures() && (tight || r.endsCaption(last.caption, lower) ||
			r.goesOnFrom(*last, right)):
			r.caption, r.left = last.caption+" "+r.caption, last.left
			r.tokens = slices.Concat(last.tokens, r.tokens)
			out[n-1] = r
		case !r.hasFigures() && (tight && !last.hasFigures() || r.endsWithoutFigures(*last, lower)):
			last.caption += " " + r.caption
			last.tokens = slices.Concat(last.tokens, r.tokens)
			last.lines = append(last.lines, r.lines[0])
		default:
			out = append(out, r)
		}
	}
	return out
}

// endsWithoutFigures reports whether a line without figures goes on with the caption above it, which may have them.
func (r *statementRow) endsWithoutFigures(above statementRow, lower bool) bool {
	if above.hasFigures() {
		return lower || endsOpen.MatchString(above.caption) ||
			!namesRowSurely(above.caption) && r.endsKnown(above.caption)
	}
	return wrapsOn(above.caption, lower) || inSentence(above.caption, r.caption) ||
		toOwner.MatchString(above.caption) && r.left > above.left+1 ||
		lower && namesRowSurely(above.caption+" "+r.caption) ||
		strings.HasPrefix(r.caption, "(") && captions.OpensSection(above.caption+" "+r.caption)
}

// endsKnown reports whether a line without figures ends the caption above it: it looks unfinished, or is known only so.
func (r *statementRow) endsKnown(above string) bool {
	return table.GoesOn.MatchString(above) && namesRowSurely(above+" "+r.caption) ||
		strings.Count(above, " ") > 1 && joinsToCaption(above, r.caption)
}

// itemMark begins a caption of its own, whatever stands above it: "(b) Purchases of stock-in-trade", "Total other".
var itemMark = lazyregexp.New(`(?i)^\s*\(?(?:[a-z]|[ivx]{1,4})\)\s+\S|^total\s`)

// totalAlone is the first line of a total's caption: it goes on with none above it.
var totalAlone = lazyregexp.New(`(?i)^(?:sub-?)?totals?$`)

// captionEdge is how far right captions run.
func captionEdge(rows []statementRow) float64 {
	right := 0.0
	for _, r := range rows {
		right = max(right, r.tokens[len(r.tokens)-1].X1)
	}
	return right
}

// fewestTight is how many captions break for want of room before a column of captions is taken for a narrow one.
const fewestTight = 3

// narrowCaptions reports whether the column of captions is so narrow that many go on in the next line.
func narrowCaptions(rows []statementRow, right float64) bool {
	tight := 0
	for i := 1; i < len(rows); i++ {
		if rows[i].tokens[0].Cell == "" && !rows[i].nameless && rows[i].closeBelow(rows[i-1]) &&
			rows[i].hadNoRoom(rows[i-1], right) {
			tight++
		}
	}
	return tight >= fewestTight
}

// hadNoRoom reports whether a line stands below one without figures that its first word had no room in: flush with it,
// and no heading of a section lies between.
func (r *statementRow) hadNoRoom(above statementRow, right float64) bool {
	last, next := above.tokens[len(above.tokens)-1], r.tokens[0]
	return !above.hasFigures() && last.X1+0.2*(last.Y1-last.Y0)+next.X1-next.X0 > right &&
		text.Abs(r.left-above.left) < 2 &&
		!strings.HasSuffix(above.caption, ":") && !captions.OpensSection(above.caption) &&
		(r.hasFigures() || !strings.HasSuffix(r.caption, ":") && !captions.OpensSection(r.caption))
}

// goesOnFrom reports whether a row ends the caption of a row without figures above it, whose line had no room for the
// next word: the caption above names a row that is known, and that of the row below none.
func (r *statementRow) goesOnFrom(above statementRow, right float64) bool {
	last, next := above.tokens[len(above.tokens)-1], r.tokens[0]
	blank := 0.2 * (last.Y1 - last.Y0)
	return last.X1+blank+next.X1-next.X0 > right && !strings.HasSuffix(above.caption, ":") &&
		!captions.OpensSection(above.caption) && !namesRowSurely(r.caption) &&
		(namesRowSurely(above.caption) || captions.WholeResult.MatchString(captions.Fold(above.caption)))
}

// surely is how long a phrase with a star is that names a row beyond doubt.
const surely = 12

// namesRowSurely reports whether a caption names a row of some statement, whole or by a long phrase.
func namesRowSurely(caption string) bool {
	folded := captions.Fold(caption)
	for _, book := range captions.Books() {
		if book.Exact[folded] != nil || slices.ContainsFunc(book.Wild, func(r captions.Rule) bool {
			return len(r.Phrase) >= surely && captions.WildMatch(r.Phrase, folded)
		}) {
			return true
		}
	}
	return false
}

// closeBelow reports whether a row stands right below another one on its page.
func (r *statementRow) closeBelow(above statementRow) bool {
	first := r.lines[0]
	return first.Page == above.lines[0].Page &&
		first.Y0-above.lines[len(above.lines)-1].Y0 < 2.1*(first.Y1-first.Y0)
}

// beginsLower reports whether a caption begins with a small letter, as one that goes on does.
func (r *statementRow) beginsLower() bool {
	return table.StartsLower(r.caption) && !captions.ListMark.MatchString(r.caption) ||
		strings.HasPrefix(r.caption, "(") && table.StartsLower(r.caption[1:]) || capitalsGoOn.MatchString(r.caption)
}

// capitalsGoOn begins a line of capitals that goes on with the one above it: no caption begins with such a word.
var capitalsGoOn = lazyregexp.New(`^(?:AND|OR|OF|BY|FROM|WITH)(?: |$)`)

// endsCaption reports whether a row with figures ends the caption that stands above it without any.
func (r *statementRow) endsCaption(above string, lower bool) bool {
	whole := above + " " + r.caption
	return lower && (!captions.OpensSection(above) || isCaption(whole) || namesRowSurely(whole)) ||
		table.GoesOn.MatchString(above) ||
		inSentence(above, r.caption) || joinsToCaption(above, r.caption) || toOwner.MatchString(above) ||
		asideAlone.MatchString(r.caption) && !captions.OpensSection(above) || opensAside(above) ||
		resultBefore.MatchString(above) && (!namesRowSurely(r.caption) || namesRowSurely(whole)) ||
		sharesAside.MatchString(r.caption) && !captions.OpensSection(above)
}

// resultBefore begins the name of a result, which is no heading: what it is before or after goes on in the line below.
var resultBefore = lazyregexp.New(`(?i)^(?:net )?(?:profit|loss|income|earnings|surplus|deficit|results?)\b` +
	`[^:]*\b(?:before|after)\s[^:]+$`)

// asideAlone is the rest of a caption that is a reference to a note: "(Note 6)".
var asideAlone = lazyregexp.New(`(?i)^\(\s*(?:see )?notes?\s[\w\s,&]+\)$`)

// opensAside reports whether a caption ends within parentheses.
func opensAside(caption string) bool {
	return strings.LastIndex(caption, "(") > strings.LastIndex(caption, ")")
}

// toOwner is a caption that names whose a result is; a long name goes on in the line below.
var toOwner = lazyregexp.New(`(?i)\battributable to (?:the )?(?:\w+ )*[\p{L}&.,'’]+$`)

// sharesAside is a line that counts the shares of the stock that the line above names: "(9,000 million shares
// authorized".
var sharesAside = lazyregexp.New(`(?i)^\([\d.,]+\s+(?:million\s+|thousand\s+)?shares\b`)

// inSentence reports whether a line that begins with a figure goes on with a long caption: "... losses of $1,204 and
// $988 as of September" and "28, 2024, respectively".
func inSentence(caption, next string) bool {
	return figureFirst.MatchString(next) && strings.Count(caption, " ") >= fewestOfSentence &&
		(!strings.HasSuffix(caption, ":") || parValue.MatchString(caption)) && !captions.OpensSection(caption)
}

// parValue is a caption of stock, which goes on with how many shares of it there are.
var parValue = lazyregexp.New(`(?i)\bpar value\b|\bauthori[sz]ed\b`)

// fewestOfSentence is how many blanks a caption has that may go on with a figure.
const fewestOfSentence = 5

var figureFirst = lazyregexp.New(`^\$?[\d,]+(?:\.\d+)?,?\s+(?:[a-z]|(?:19|20)\d\d\b)`)

// wrapsOn reports whether a caption without figures goes on in the line below it, which has none either: of captions
// over three lines only the last line prints figures.
func wrapsOn(caption string, lower bool) bool {
	if strings.HasSuffix(caption, ":") || captions.OpensSection(caption) {
		return false
	}
	return lower || table.GoesOn.MatchString(caption)
}

// isCaption reports whether a caption is known whole.
func isCaption(caption string) bool {
	folded := captions.Fold(caption)
	for _, book := range captions.Books() {
		if _, heading := book.Heading(folded); heading || book.Exact[folded] != nil {
			return true
		}
	}
	return false
}

// joinsToCaption reports whether two lines are a known caption only together.
func joinsToCaption(a, b string) bool {
	together := captions.Fold(a + " " + b)
	for _, book := range captions.Books() {
		if (book.Exact[together] != nil || slices.Contains(book.Skips, together)) &&
			book.Exact[captions.Fold(b)] == nil {
			if _, heading := book.Heading(captions.Fold(a)); !heading {
				return true
			}
		}
	}
	return false
}
