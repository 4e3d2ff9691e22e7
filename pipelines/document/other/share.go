package other

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// shareOf is the form of a schedule K-1 in the words of its title.
const shareOf = "Schedule K-1"

// shareBoxes are the words of the captions of Part III by the number of their box. Source: Schedule K-1 of Form 1065
// and of Form 1120-S of the Internal Revenue Service, 2015 to 2025.
var shareBoxes = map[string]map[string]string{
	"1065": {
		"1": "ordinary business", "2": "net rental real estate", "3": "other net rental income",
		"4":  "guaranteed payments",
		"4a": "guaranteed payments", "4b": "guaranteed payments", "4c": "total guaranteed", "5": "interest income",
		"6a": "ordinary dividends",
		"6b": "qualified dividends", "6c": "dividend equivalents", "7": "royalties", "8": "net short term",
		"9a": "net long term", "9b": "collectibles",
		"9c": "unrecaptured section 1250", "10": "net section 1231", "11": "other income", "12": "section 179",
		"13": "other deductions",
		"14": "self employment earnings", "15": "credits", "17": "alternative minimum tax", "18": "tax exempt income",
		"19": "distributions",
		"20": "other information", "21": "foreign taxes",
	},
	"1120-S": {
		"1": "ordinary business", "2": "net rental real estate", "3": "other net rental income", "4": "interest income",
		"5a": "ordinary dividends",
		"5b": "qualified dividends", "6": "royalties", "7": "net short term", "8a": "net long term",
		"8b": "collectibles", "8c": "unrecaptured section 1250",
		"9": "net section 1231", "10": "other income", "11": "section 179", "12": "other deductions", "13": "credits",
		"15": "alternative minimum tax",
		"16": "items affecting shareholder", "17": "other information",
	},
}

// shareForm matches the form that a schedule K-1 is attached to.
var shareForm = lazyregexp.New(`\bform (1065|1120 ?s|1041)\b`)

// findShare reads what only a schedule K-1 prints: the form it goes with, whose share it is, and the boxes of Part III.
func findShare(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if s.Form != shareOf || len(f.Lines) == 0 {
		return
	}
	form := ""
	for _, l := range f.Lines {
		if g := shareForm.FindStringSubmatch(text.Fold(l.Text())); g != nil {
			form = strings.NewReplacer("1120 s", "1120-S", "1120s", "1120-S").Replace(g[1])
			values["form"] = form + " " + shareOf
			found.From("/form", l.Tokens, "")
			break
		}
	}
	findHolder(f, "entityName", []string{"partnerships name", "corporations name", "estates or trusts name"}, values,
		found)
	findHolder(f, "taxpayer", []string{"shareholders name", "partners name", "beneficiarys name",
		"for partner entered in"}, values, found)
	findPercent(f, form, values, found)
	lines := map[string]any{}
	for _, p := range s.Pages {
		if m, ok := readDistributions(p, form); ok && values["distributions"] == nil {
			values["distributions"] = m.value.String()
			found.From("/distributions", m.tokens, shareBoxes[form][distributed[form].box])
		}
		for number, m := range readShareBoxes(p, shareBoxes[form]) {
			if _, have := lines[number]; !have {
				lines[number] = m.value.String()
				found.From(text.Pointer("lines", number), m.tokens, shareBoxes[form][number])
			}
		}
	}
	if len(lines) > 0 {
		values["lines"] = lines
	}
}

// findPercent reads how much of the entity the holder has at the end of the year: of a partnership the share of profit
// in item J, of a corporation the percentage of allocation or stock in items F and G.
func findPercent(f *text.FieldFinder, form string, values map[string]any, found *text.Findings) {
	for i, l := range f.Lines {
		folded := text.Fold(l.Text())
		var of []text.Line
		switch {
		case form == "1065" && (strings.HasPrefix(folded, "profit") || strings.HasPrefix(folded, "j profit")):
			of = f.Lines[i : i+1]
		case form == "1120-S" && text.HasWords(folded, "percentage") &&
			(text.HasWords(folded, "allocation") || text.HasWords(folded, "stock ownership")):
			of = f.Lines[i:min(len(f.Lines), i+3)]
		}
		for _, row := range of {
			if row.Page != l.Page {
				break
			}
			percents := printedPercents(row)
			if len(percents) == 0 {
				continue
			}
			last := percents[len(percents)-1] // of beginning and ending, the ending
			if !last.Value.IsPositive() || last.Value.GreaterThan(decimal.NewFromInt(100)) ||
				!text.SurelyRead(row.Tokens[last.First:last.Last+1]) {
				break
			}
			values["ownershipPercent"] = last.Value.Decimal.String()
			found.From("/ownershipPercent", row.Tokens[last.First:last.Last+1], "")
			return
		}
	}
}

// printedPercents are the percentages of a row left of Part III: its amounts are none.
func printedPercents(row text.Line) []text.Money {
	var percents []text.Money
	for _, m := range row.Amounts(text.DotDecimal) {
		if m.Percent {
			percents = append(percents, m)
		}
	}
	return percents
}

// findHolder reads the whole line below a caption: it begins at the left edge of the box, where the caption's letter
// stands.
func findHolder(f *text.FieldFinder, name string, captions []string, values map[string]any, found *text.Findings) {
	accept := text.AcceptText(8, looksLikeTitle)
	for i, l := range f.Lines {
		for _, cell := range l.Cells() {
			folded := text.Fold(cell.Text())
			if !slices.ContainsFunc(captions, func(c string) bool { return text.HasWords(folded, c) }) {
				continue
			}
			height := cell.Y1 - cell.Y0
			left := cell.X0
			for _, t := range l.Tokens { // the letter of the box, set apart from its caption
				if t.X0 < left && left-t.X1 < 3*height && len(t.Text) <= 2 {
					left = t.X0
				}
			}
			for _, row := range f.Lines[i+1 : min(len(f.Lines), i+6)] {
				at := slices.IndexFunc(row.Tokens,
					func(t text.Token) bool { return t.X0 > left-height && t.X0 < cell.X1 })
				if row.Page != l.Page || row.Y0-cell.Y1 > 4*height {
					break
				}
				if at < 0 || row.Tokens[at].Y0 < cell.Y0+0.4*height {
					continue
				}
				if v, used, ok := accept(row.Tokens[at:]); ok {
					values[name] = v
					found.From(text.Pointer(name), used, captions[0])
					return
				}
			}
		}
	}
}

// shareAmount is the amount of a box.
type shareAmount struct {
	value  dossier.Amount
	tokens []text.Token
}

// readShareBoxes reads the boxes of a page that hold exactly one amount: of several with a code each, none is the
// box's.
func readShareBoxes(p text.Page, captions map[string]string) map[string]shareAmount {
	rows := text.Lines(p)
	corners := boxCorners(rows, captions)
	found := map[string]shareAmount{}
	for number, corner := range corners {
		if m, ok := amountInBox(rows, corner, corners, p); ok {
			found[number] = m
		}
	}
	return found
}

// distributed is the box in which a form prints what was paid out, and the code before it: cash and securities of a
// partnership, property distributions of a corporation.
var distributed = map[string]struct{ box, code string }{"1065": {"19", "A"}, "1120-S": {"16", "D"}}

// readDistributions reads what was paid out to the holder, which has a code: other amounts stand in the same box.
func readDistributions(p text.Page, form string) (shareAmount, bool) {
	at, known := distributed[form]
	if !known {
		return shareAmount{}, false
	}
	rows := text.Lines(p)
	corners := boxCorners(rows, shareBoxes[form])
	corner, ok := corners[at.box]
	if !ok {
		return shareAmount{}, false
	}
	var paid []shareAmount
	for _, cell := range cellsOfBox(rows, corner, corners, p) {
		m, ok := lastInBox(cell)
		first := slices.IndexFunc(cell.Tokens, func(t text.Token) bool { return ok && t == m.tokens[0] })
		if first > 0 && strings.EqualFold(strings.Trim(cell.Tokens[first-1].Text, "*. "), at.code) {
			paid = append(paid, m)
		}
	}
	if len(paid) != 1 || !text.SurelyRead(paid[0].tokens) {
		return shareAmount{}, false
	}
	return paid[0], true
}

// boxCorners are the numbers in the corners of the boxes of a page.
func boxCorners(rows []text.Line, captions map[string]string) map[string]text.Token {
	corners := map[string]text.Token{}
	for _, row := range rows {
		for i, t := range row.Tokens {
			number := strings.ToLower(strings.Trim(t.Text, "|[]. "))
			words := captions[number]
			if _, have := corners[number]; words == "" || have || i+1 == len(row.Tokens) {
				continue
			}
			caption := text.Fold(text.Join(row.Tokens[i+1 : min(len(row.Tokens), i+8)]))
			if strings.HasPrefix(caption, words) {
				corners[number] = t
			}
		}
	}
	return corners
}

// amountInBox is the only amount of the box whose number stands in its corner.
func amountInBox(rows []text.Line, corner text.Token, corners map[string]text.Token, p text.Page) (shareAmount, bool) {
	var amounts []shareAmount
	for _, cell := range cellsOfBox(rows, corner, corners, p) {
		if m, ok := lastInBox(cell); ok {
			amounts = append(amounts, m)
		}
	}
	if len(amounts) != 1 || !text.SurelyRead(amounts[0].tokens) {
		return shareAmount{}, false
	}
	return amounts[0], true
}

// cellsOfBox are the rows of a box: it ends at the numbers below and right of it.
func cellsOfBox(rows []text.Line, corner text.Token, corners map[string]text.Token, p text.Page) []text.Line {
	height := corner.Y1 - corner.Y0
	right, foot := p.Width, corner.Y0+7*height
	for _, c := range corners {
		switch {
		case c.X0 > corner.X0+6*height:
			right = min(right, c.X0)
		case text.Abs(c.X0-corner.X0) < 3*height && c.Y0 > corner.Y0+0.5*height:
			foot = min(foot, c.Y0)
		}
	}
	var cells []text.Line
	for _, row := range rows {
		cell := text.Line{Page: row.Page}
		for _, t := range row.Tokens {
			middle := (t.Y0 + t.Y1) / 2
			if t != corner && t.X0 > corner.X0-1.5*height && t.X1 < right+height && t.X0 < right-height &&
				middle > corner.Y0 && middle < foot {
				cell.Tokens = append(cell.Tokens, t)
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// boxCode is the code before an amount: "A", "AJ", with an asterisk where a statement says more.
var boxCode = lazyregexp.New(`^[A-Z]{1,2}\*?$|^\*$`)

// lastInBox is the amount that ends a row of a box: alone, behind its code, or set apart from the caption. Captions
// have figures as well: "Net section 1231 gain", "Collectibles (28%) gain".
func lastInBox(cell text.Line) (shareAmount, bool) {
	amounts := cell.Amounts(text.DotDecimal)
	if len(amounts) == 0 {
		return shareAmount{}, false
	}
	m := amounts[len(amounts)-1]
	for _, t := range cell.Tokens[m.Last+1:] {
		if t.Text != "*" && !strings.EqualFold(t.Text, "STMT") {
			return shareAmount{}, false
		}
	}
	if m.Dash || m.Percent {
		return shareAmount{}, false
	}
	if m.First > 0 && !boxCode.MatchString(cell.Tokens[m.First-1].Text) &&
		!text.WideGap(cell.Tokens[m.First-1], cell.Tokens[m.First]) {
		return shareAmount{}, false
	}
	return shareAmount{m.Value, cell.Tokens[m.First : m.Last+1]}, true
}
