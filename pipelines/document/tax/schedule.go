package tax

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// taxSchedules are the schedules inside business returns whose lines repeat the numbers of page 1: by the
// words that begin them and the prefix of their lines.
var taxSchedules = []struct{ begins, prefix string }{
	{"schedule l", "L-"}, {"schedule m 1", "M1-"}, {"schedule m 2", "M2-"}, {"schedule m 3", ""}, {"schedule k", "K-"},
	{"schedule b", ""}, {"schedule c", ""}, {"schedule j", ""}, {"schedule d", ""}, {"analysis of net income", ""},
}

// scheduleAt is the prefix of the schedule that a row begins; ok is false when it begins none.
func scheduleAt(row text.Line) (string, bool) {
	text := text.Fold(row.Text())
	for _, s := range taxSchedules {
		if text == s.begins || strings.HasPrefix(text, s.begins+" ") {
			return s.prefix, !strings.HasPrefix(text, "schedule k 1") && len(text) > len(s.begins)+3
		}
	}
	return "", false
}

// readSchedules reads balance sheets per books, reconciliations and pass-through items, row by row.
func (r *taxReader) readSchedules() {
	if r.Form != corporate && r.Form != sCorp && r.Form != partners {
		return
	}
	for _, p := range r.pages[1:] {
		section, right := "", p.Width
		var columns []float64
		for _, row := range text.Lines(p) {
			if prefix, ok := scheduleAt(row); ok {
				section, columns, right = prefix, nil, p.Width
				continue
			}
			if section == "M2-" && right == p.Width {
				right = firstColumn(row, right)
			}
			if section == "M1-" || section == "M2-" {
				r.reconciliationRow(section, right, row)
			}
			if section == "L-" && len(columns) == 0 {
				columns = columnLetters(row)
				continue
			}
			r.scheduleRow(p, section, columns, row)
		}
	}
}

// columnLetters are the middles of the columns titled (a) to (d); nil when the row does not title them.
func columnLetters(row text.Line) []float64 {
	var at []float64
	for _, t := range row.Tokens {
		if len(at) < 4 && t.Text == "("+string(rune('a'+len(at)))+")" {
			at = append(at, (t.X0+t.X1)/2)
		}
	}
	if len(at) < 4 {
		return nil
	}
	return at
}

// firstColumn is where the column titled (b) begins, as far as the amounts of (a) may reach; right when none is titled.
func firstColumn(row text.Line, right float64) float64 {
	at := slices.IndexFunc(row.Tokens, func(t text.Token) bool { return t.Text == "(b)" })
	if at < 1 || row.Tokens[0].Text != "(a)" {
		return right
	}
	return row.Tokens[at].X0
}

// reconciliationRow reads the amounts of a row of a reconciliation, which has a number before each of its two captions
// and none before the amounts. Amounts that end right of the given place belong to other columns.
func (r *taxReader) reconciliationRow(section string, right float64, row text.Line) {
	for i, t := range row.Tokens {
		if i > 0 && !text.WideGap(row.Tokens[i-1], t) {
			continue
		}
		for _, l := range scheduleLines {
			if l.prefix != section || l.number != boxNumber(t) || !hasForm(l.forms, r.Form) {
				continue
			}
			rest := halfRow(text.Line{Page: row.Page, Tokens: row.Tokens[i+1:]})
			for _, m := range rest.Amounts(r.Style) {
				if isBareNumber(m.Text) || m.Dash || m.Percent || text.FigureEdge(m) > right {
					continue
				}
				if saysMost(text.Fold(text.Join(rest.Tokens[:m.First])), l.words) {
					r.setSchedule(l.prefix+l.number, l.words, m, rest.Tokens[m.First:m.Last+1])
				}
				break
			}
		}
	}
}

// halfRow ends a row where the number of another line begins in it.
func halfRow(l text.Line) text.Line {
	for k := 1; k+1 < len(l.Tokens); k++ {
		if text.WideGap(l.Tokens[k-1], l.Tokens[k]) && lineNumber.MatchString(boxNumber(l.Tokens[k])) &&
			text.Wordy(l.Tokens[k+1].Text) {
			l.Tokens = l.Tokens[:k]
			break
		}
	}
	return l
}

// scheduleRow takes the amounts of one row whose number and caption the table knows.
func (r *taxReader) scheduleRow(p text.Page, section string, columns []float64, row text.Line) {
	if section == "" || len(row.Tokens) < 3 || section == "L-" && columns == nil {
		return
	}
	number := boxNumber(row.Tokens[0])
	rest := text.Line{Page: row.Page, Tokens: row.Tokens[1:]}
	if digits := strings.TrimRight(number, "abcde"); digits == number && len(rest.Tokens[0].Text) == 1 &&
		strings.Contains("abcde", rest.Tokens[0].Text) {
		number += rest.Tokens[0].Text
		rest.Tokens = rest.Tokens[1:]
	}
	for _, l := range scheduleLines {
		if l.prefix != section || !hasForm(l.forms, r.Form) {
			continue
		}
		if section == "L-" && l.number == number {
			r.sheetRow(l, columns, rest)
		}
		if section == "L-" {
			continue
		}
		if m, tokens, ok := r.boxed(text.Page{Number: p.Number, Tokens: row.Tokens},
			taxLine{number: l.number, words: l.words}); ok {
			r.setSchedule(l.prefix+l.number, l.words, m, tokens)
		}
	}
}

func hasForm(forms, form string) bool {
	for f := range strings.SplitSeq(forms, "|") {
		if f == form {
			return true
		}
	}
	return false
}

// sheetRow takes the amounts of a row of Schedule L, each by the column nearest to its middle.
func (r *taxReader) sheetRow(l scheduleLine, columns []float64, rest text.Line) {
	amounts := rightAmounts(rest, r.Style, columns[0]-(columns[1]-columns[0])/2)
	if len(amounts) == 0 || !saysMost(text.Fold(text.Join(rest.Tokens[:amounts[0].First])), l.words) {
		return
	}
	for _, m := range amounts {
		best, middle := 0, (m.X0+m.X1)/2
		for i, at := range columns {
			if text.Abs(at-middle) < text.Abs(columns[best]-middle) {
				best = i
			}
		}
		r.setSchedule(l.prefix+l.number+string(rune('a'+best)), l.words, m, rest.Tokens[m.First:m.Last+1])
	}
}

func (r *taxReader) setSchedule(key, caption string, m text.Money, tokens []text.Token) {
	if _, have := r.facts.Lines[key]; have || !r.readable(tokens, caption) {
		return
	}
	r.facts.Lines[key] = m.Value
	r.found.From(text.Pointer("lines", key), tokens, caption)
}

// scheduleLine is a line of a schedule: like taxLine, in every year.
type scheduleLine struct{ forms, prefix, number, words string }

const corporations = "1120|1120-S"

// scheduleLines is the table of schedules L, M-1, M-2 and K. Source: the forms of the Internal Revenue Service.
var scheduleLines = []scheduleLine{
	{business, "L-", "1", "cash"},
	{business, "L-", "2a", "trade notes accounts receivable"},
	{business, "L-", "2b", "less allowance bad debts"},
	{business, "L-", "3", "inventories"},
	{business, "L-", "4", "government obligations"},
	{business, "L-", "5", "tax exempt securities"},
	{business, "L-", "6", "other current assets"},
	{corporations, "L-", "7", "loans to shareholders"},
	{corporations, "L-", "8", "mortgage and real estate loans"},
	{corporations, "L-", "9", "other investments"},
	{corporations, "L-", "10a", "buildings and other depreciable assets"},
	{corporations, "L-", "10b", "less accumulated depreciation"},
	{corporations, "L-", "11a", "depletable assets"},
	{corporations, "L-", "11b", "less accumulated depletion"},
	{corporations, "L-", "12", "land"},
	{corporations, "L-", "13a", "intangible assets"},
	{corporations, "L-", "13b", "less accumulated amortization"},
	{corporations, "L-", "14", "other assets"},
	{corporations, "L-", "15", "total assets"},
	{corporations, "L-", "16", "accounts payable"},
	{corporations, "L-", "17", "mortgages notes bonds payable less"},
	{corporations, "L-", "18", "other current liabilities"},
	{corporations, "L-", "19", "loans from shareholders"},
	{corporations, "L-", "20", "mortgages notes bonds payable more"},
	{corporations, "L-", "21", "other liabilities"},
	{corporations, "L-", "23", "additional paid in capital"},
	{corporations, "L-", "26", "adjustments to shareholders equity"},
	{corporations, "L-", "22", "capital stock"},
	{corporations, "L-", "24", "retained earnings"},
	{corporate, "L-", "25", "retained earnings unappropriated"},
	{corporate, "L-", "27", "less cost of treasury stock"},
	{corporate, "L-", "28", "total liabilities and shareholders equity"},
	{sCorp, "L-", "25", "adjustments to shareholders equity"},
	{sCorp, "L-", "26", "less cost of treasury stock"},
	{corporations, "L-", "27", "total liabilities and shareholders equity"},
	{partners, "L-", "7a", "loans to partners"},
	{partners, "L-", "7b", "mortgage and real estate loans"},
	{partners, "L-", "8", "other investments"},
	{partners, "L-", "9a", "buildings and other depreciable assets"},
	{partners, "L-", "9b", "less accumulated depreciation"},
	{partners, "L-", "10a", "depletable assets"},
	{partners, "L-", "10b", "less accumulated depletion"},
	{partners, "L-", "11", "land"},
	{partners, "L-", "12a", "intangible assets"},
	{partners, "L-", "12b", "less accumulated amortization"},
	{partners, "L-", "13", "other assets"},
	{partners, "L-", "14", "total assets"},
	{partners, "L-", "15", "accounts payable"},
	{partners, "L-", "16", "mortgages notes bonds payable less"},
	{partners, "L-", "17", "other current liabilities"},
	{partners, "L-", "18", "nonrecourse loans"},
	{partners, "L-", "19a", "loans from partners"},
	{partners, "L-", "19b", "mortgages notes bonds payable more"},
	{partners, "L-", "20", "other liabilities"},
	{partners, "L-", "21", "partners capital accounts"},
	{partners, "L-", "22", "total liabilities and capital"},
	{business, "M1-", "1", "net income loss per books"},
	{corporate, "M1-", "2", "federal income tax per books"},
	{corporate, "M1-", "10", "income page 1"},
	{"1120-S|1065", "M1-", "8", "income loss schedule k"},
	{corporate, "M2-", "1", "balance at beginning"},
	{corporate, "M2-", "2", "net income per books"},
	{corporate, "M2-", "5", "distributions"},
	{corporate, "M2-", "8", "balance at end"},
	{sCorp, "M2-", "1", "balance at beginning"},
	{sCorp, "M2-", "2", "ordinary income"},
	{sCorp, "M2-", "7", "distributions"},
	{sCorp, "M2-", "8", "balance at end"},
	{sCorp, "M2-", "2", "net income per books"},
	{partners, "M2-", "1", "balance at beginning"},
	{partners, "M2-", "3", "net income"},
	{partners, "M2-", "6", "distributions"},
	{partners, "M2-", "9", "balance at end"},
	{partners, "M2-", "2", "net income per books"},
	{partners, "M2-", "8", "balance at end"},
	{"1120-S|1065", "K-", "1", "ordinary business income"},
	{"1120-S|1065", "K-", "2", "net rental real estate income"},
	{sCorp, "K-", "4", "interest income"},
	{sCorp, "K-", "16d", "distributions"},
	{partners, "K-", "4c", "guaranteed payments"},
	{partners, "K-", "5", "interest income"},
	{partners, "K-", "19a", "distributions"},
}
