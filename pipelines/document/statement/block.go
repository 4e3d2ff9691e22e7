package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// statementLine is one line of a page as the reader of statements sees it: what is printed first, and the
// figures that end it.
type statementLine struct {
	text.Line
	caption []text.Token
	figures []text.Money
	cells   bool // of a workbook or CSV
}

// statementPart is the run of lines of one page that belong to one statement.
type statementPart struct {
	lines []statementLine
	head  int // lines before the first row
	bound *boundColumns
}

// statementBlock is one printed statement: a title, and parts on one or more pages.
type statementBlock struct {
	kind  string // empty: no statement that is read
	title string
	weak  bool // the kind is only a guess
	parts []statementPart
}

// titleOf are the names of statements. Those with an empty kind end the statement before them.
var titleOf = []struct{ phrase, kind string }{
	{"statement of cash flow", cashFlow}, {"statements of cash flow", cashFlow}, {"statement of cash flows", cashFlow},
	{"statements of cash flows", cashFlow}, {"cash flow statement", cashFlow}, {"cash flow statements", cashFlow},
	{"cash flows statement", cashFlow}, {"statement of cashflows", cashFlow},
	{"changes in equity", ""}, {"stockholders equity statement", ""}, {"statement of stockholders equity", ""},
	{"statements of stockholders equity", ""}, {"statements of shareholders equity", ""},
	{"statement of shareholders equity", ""}, {"changes in stockholders equity", ""},
	{"changes in shareholders equity", ""}, {"changes in members equity", ""}, {"changes in partners capital", ""},
	{"changes in net assets", ""},
	{"statement of retained earnings", ""}, {"statements of retained earnings", ""},
	{"notes to financial statements", ""}, {"notes to the financial statements", ""},
	{"notes to consolidated financial statements", ""}, {"notes to condensed consolidated financial statements", ""},
	{"notes to the consolidated financial statements", ""}, {"trial balance", ""}, {"general ledger", ""},
	{"aging summary", ""}, {"ageing summary", ""}, {"aging detail", ""}, {"a r aging", ""}, {"a p aging", ""},
	{"accounts receivable aging", ""}, {"accounts payable aging", ""},
	{"schedule of", ""}, {"schedules of", ""}, {"sales by", ""}, {"transaction detail", ""},
	{"functional expenses", ""}, {"segment information", ""}, {"table of contents", ""}, {"reconciliation of", ""},
	{"supplemental schedule", ""}, {"supplementary information", ""},
	{"balance sheet", balanceSheet}, {"balance sheets", balanceSheet},
	{"statement of financial position", balanceSheet}, {"statements of financial position", balanceSheet},
	{"statement of financial condition", balanceSheet}, {"statements of financial condition", balanceSheet},
	{"statement of assets liabilities", balanceSheet}, {"statements of assets liabilities", balanceSheet},
	{"statement of assets and liabilities", balanceSheet},
	{"income statement", incomeStatement}, {"income statements", incomeStatement},
	{"statement of income", incomeStatement}, {"statements of income", incomeStatement},
	{"statement of operations", incomeStatement}, {"statements of operations", incomeStatement},
	{"statement of earnings", incomeStatement}, {"statements of earnings", incomeStatement},
	{"profit and loss", incomeStatement}, {"profit & loss", incomeStatement}, {"profit or loss", incomeStatement},
	{"statement of profit", incomeStatement}, {"statement of activities", incomeStatement},
	{"statements of activities", incomeStatement}, {"statement of revenues and expenses", incomeStatement},
	{"statements of revenues and expenses", incomeStatement}, {"statement of revenue and expenses", incomeStatement},
	{"statement of revenues", incomeStatement}, {"statements of revenues", incomeStatement},
	{"income and expense statement", incomeStatement}, {"revenue and expense statement", incomeStatement},
	{"operating statement", incomeStatement}, {"statement of loss", incomeStatement},
	{"statements of consolidated income", incomeStatement}, {"statement of consolidated income", incomeStatement},
	{"statements of consolidated operations", incomeStatement},
	{"statements of consolidated earnings", incomeStatement}, {"trading profit", incomeStatement},
	{"p&l", incomeStatement}, {"p & l", incomeStatement},
	{"statement of comprehensive income", incomeStatement}, {"statements of comprehensive income", incomeStatement},
	{"statements of comprehensive loss", incomeStatement}, {"statements of comprehensive earnings", incomeStatement},
	{"statements of profit", incomeStatement}, {"statements of net income", incomeStatement},
	{"income and retained earnings", incomeStatement}, {"statement of consolidated operations", incomeStatement},
	{"statement of consolidated earnings", incomeStatement}, {"consolidated results", incomeStatement},
	{"compte de resultat", incomeStatement}, {"comptes de resultat", incomeStatement},
	{"etat du resultat", incomeStatement}, {"etat des resultats", incomeStatement}, {"bilan", balanceSheet},
	{"etat de la situation financiere", balanceSheet}, {"flux de tresorerie", cashFlow},
	{"estado de resultados", incomeStatement}, {"estados de resultados", incomeStatement},
	{"consolidados de resultados", incomeStatement}, {"consolidado de resultados", incomeStatement},
	{"perdidas y ganancias", incomeStatement}, {"situacion financiera", balanceSheet},
	{"balance general", balanceSheet}, {"balance de situacion", balanceSheet}, {"flujos de efectivo", cashFlow},
	{"flujo de efectivo", cashFlow},
	{"gewinn und verlustrechnung", incomeStatement}, {"bilanz", balanceSheet}, {"konzernbilanz", balanceSheet},
	{"kapitalflussrechnung", cashFlow}, {"konzern kapitalflussrechnung", cashFlow},
	{"conto economico", incomeStatement}, {"stato patrimoniale", balanceSheet}, {"rendiconto finanziario", cashFlow},
	{"winst en verliesrekening", incomeStatement}, {"kasstroomoverzicht", cashFlow},
	{"demonstracao do resultado", incomeStatement}, {"balanco patrimonial", balanceSheet},
	{"fluxos de caixa", cashFlow},
	{"balans", balanceSheet}, {"balans per", balanceSheet}, {"geconsolideerde balans", balanceSheet},
	{"verlies en winstrekening", incomeStatement}, {"staat van baten en lasten", incomeStatement},
	{"resultatrakning", incomeStatement}, {"balansrakning", balanceSheet}, {"kassaflodesanalys", cashFlow},
	{"resultatopgorelse", incomeStatement}, {"resultatregnskap", incomeStatement},
	{"cuenta de resultados", incomeStatement}, {"balance abreviado", balanceSheet},
	{"demonstracao dos resultados", incomeStatement},
	{"statements of consolidated cash flows", cashFlow},
	{"statements of consolidated financial position", balanceSheet},
}

var contentsLine = lazyregexp.New(`\.{4,}|(?:\s\.){3,}|(?:[a-z)]\s{1,})\d{1,2}(?:\s*[-–]\s*\d{1,2})?$`)

// titledKind is the statement that a line names when it is a title: short, no sentence, no line of a table of contents.
func titledKind(l statementLine) (kind string, ok bool) {
	s := l.Text()
	if len(l.Tokens) > 18 || strings.HasSuffix(s, ".") && len(l.Tokens) > 6 {
		return "", false
	}
	folded := text.Fold(s)
	if strings.HasPrefix(folded, "see ") || strings.Contains(folded, "accompanying") ||
		strings.Contains(folded, "integral part") || strings.HasPrefix(folded, "total ") ||
		strings.HasPrefix(folded, "net ") {
		return "", false
	}
	for _, t := range titleOf {
		if !text.HasWords(folded, t.phrase) {
			continue
		}
		if contentsLine.MatchString(s) && len(text.FindDates(s, text.MonthFirst)) == 0 && !anyYear.MatchString(s) {
			return "", false
		}
		words := strings.Count(folded, " ") + 1
		if strings.Count(t.phrase, " ")+9 < words || startsLower(s) {
			return "", false
		}
		return t.kind, true
	}
	return "", false
}

func startsLower(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// statementBlocks parts the lines of a document into its statements. A page without a title goes on with the
// statement of the page before it when its rows are of the same kind.
func statementBlocks(s text.Segment) []*statementBlock {
	var blocks []*statementBlock
	var open *statementBlock
	begin := func(kind, title string, weak bool) {
		open = &statementBlock{kind: kind, title: title, weak: weak, parts: []statementPart{{}}}
		blocks = append(blocks, open)
	}
	for _, page := range s.Pages {
		lines, beside := statementLines(page, s)
		guess := guessKind(lines)
		onward := guessKind(untitled(lines))
		if open != nil && (page.Name == "" && !titledFirst(lines) && (onward == open.kind || onward == "") ||
			open.repeatsHead(lines) || open.hasOtherSide(lines)) {
			open.parts = append(open.parts, statementPart{})
		} else {
			begin(guess, page.Name, true)
		}
		for i, l := range lines {
			if beside > 0 && i == beside {
				open.parts = append(open.parts, statementPart{})
			}
			kind, titled := "", false
			if len(l.figures) == 0 || allYears(l.figures) {
				kind, titled = titledKind(l)
			}
			last := &open.parts[len(open.parts)-1]
			switch rows := last.rows(); {
			case titled && rows == 0 && len(open.parts) > 1 && open.kind == kind && open.isHalf(l.Text()):
			case titled && rows == 0:
				if open.weak || kind != "" && open.kind == "" || len(open.parts) > 1 {
					if len(open.parts) > 1 && open.kind != kind {
						lead := last.lines
						open.parts = open.parts[:len(open.parts)-1]
						begin(kind, l.Text(), false)
						last = &open.parts[0]
						last.lines = lead
					}
					open.kind, open.weak, open.title = kind, false, l.Text()
				}
			case titled && open.kind == kind && open.isHalf(l.Text()):
				open.parts = append(open.parts, statementPart{})
				last = &open.parts[len(open.parts)-1]
			case titled && (kind != open.kind || len(open.parts) == 1 || rows > 3):
				begin(kind, l.Text(), false)
				last = &open.parts[0]
			case open.turns(l):
				begin(turnedKind(l, open.kind), l.Text(), true)
				last = &open.parts[0]
			}
			last.lines = append(last.lines, l)
		}
	}
	return blocks
}

// repeatsHead reports whether a page prints the title and the periods of the statement above again and goes on with
// it: its bottom line is still to come.
func (b *statementBlock) repeatsHead(lines []statementLine) bool {
	if b.kind == "" || b.weak {
		return false
	}
	printed := map[string]bool{}
	for _, p := range b.parts {
		for _, l := range p.lines {
			if len(l.figures) == 0 || allYears(l.figures) {
				printed[text.Fold(continuedWord.ReplaceAllString(l.Text(), ""))] = true
			} else if b.ends(l) {
				return false
			}
		}
	}
	titled, dated, continued := false, false, false
	for _, l := range lines {
		if len(l.figures) > 0 && len(l.caption) > 0 && !allYears(l.figures) && !furniture.MatchString(l.Text()) {
			break
		}
		kind, isTitle := titledKind(l)
		isDated := anyYear.MatchString(l.Text())
		continued = continued || isTitle && continuedWord.MatchString(l.Text())
		if (isTitle || isDated) && !printed[text.Fold(continuedWord.ReplaceAllString(l.Text(), ""))] {
			return false
		}
		titled, dated = titled || isTitle && kind == b.kind, dated || isDated
	}
	return titled && (dated || continued)
}

// continuedWord says of a title that its statement began on a page before.
var continuedWord = lazyregexp.New(`(?i)[\s,–—-]*[(\[]?\b(?:continued|cont['’]?d)\b\.?[)\]]?`)

// ends reports whether a line is the bottom line of the statement.
func (b *statementBlock) ends(l statementLine) bool {
	for _, form := range captionForms(text.Join(l.caption)) {
		for _, rule := range captionBooks()[b.kind].exact[form] {
			if rule.row == bottomLines[b.kind] {
				return true
			}
		}
	}
	return false
}

func allYears(figures []text.Money) bool {
	for _, m := range figures {
		if !yearLike(m) {
			return false
		}
	}
	return true
}

// yearLike reports whether a figure may be a year: four bare digits.
func yearLike(m text.Money) bool {
	if m.Grouped || m.Symbol != "" || m.Signed || m.Places() > 0 || m.Percent || m.Dash {
		return false
	}
	n := m.Value.IntPart()
	return n >= 1950 && n <= 2060 && len(m.Text) == 4
}

// rows counts the lines of the part that carry figures.
func (p statementPart) rows() int {
	n := 0
	for _, l := range p.lines {
		if len(l.caption) > 0 && len(l.figures) > 0 && !allYears(l.figures) && !furniture.MatchString(l.Text()) {
			n++
		}
	}
	return n
}

// titledFirst reports whether a title stands above the first row of figures.
func titledFirst(lines []statementLine) bool {
	for _, l := range lines {
		if len(l.figures) == 0 || allYears(l.figures) {
			if _, ok := titledKind(l); ok {
				return true
			}
			continue
		}
		if len(l.caption) > 0 {
			return false
		}
	}
	return false
}

// untitled are the lines of a page above its first title, which may belong to the statement of the page before it.
func untitled(lines []statementLine) []statementLine {
	for i, l := range lines {
		if len(l.figures) == 0 || allYears(l.figures) {
			if _, ok := titledKind(l); ok {
				return lines[:i]
			}
		}
	}
	return lines
}

// guessKind is the statement that most captions of a page belong to; empty when that is unclear.
func guessKind(lines []statementLine) string {
	counts := map[string]int{}
	for _, l := range lines {
		if len(l.figures) == 0 || len(l.caption) == 0 {
			continue
		}
		for kind, book := range captionBooks() {
			for _, form := range captionForms(text.Join(l.caption)) {
				if rules := book.exact[form]; len(rules) > 0 {
					counts[kind]++
					if strings.HasPrefix(form, "total ") || rules[0].row == "netCashFromOperating" ||
						rules[0].row == "grossProfit" {
						counts[kind] += 2
					}
					break
				}
			}
		}
	}
	best, most, second := "", 0, 0
	for _, kind := range []string{incomeStatement, balanceSheet, cashFlow} {
		if n := counts[kind]; n > most {
			best, most, second = kind, n, most
		} else {
			second = max(second, n)
		}
	}
	if most < 3 || most == second {
		return ""
	}
	return best
}

var turnings = map[string][]string{
	balanceSheet: {"assets", "current assets", "fixed assets"},
	cashFlow: {"operating activities", "cash flows from operating activities",
		"cash flow from operating activities"},
	incomeStatement: {"income", "revenue", "revenues", "sales", "ordinary income expense", "operating revenue",
		"operating revenues"},
}

// turns reports whether a heading without a title of its own begins another statement on the same page.
func (b *statementBlock) turns(l statementLine) bool {
	if len(l.figures) > 0 || b.kind == "" || b.parts[len(b.parts)-1].rows() < 4 {
		return false
	}
	return turnedKind(l, b.kind) != ""
}

func turnedKind(l statementLine, from string) string {
	folded := text.Fold(l.Text())
	for kind, words := range turnings {
		if kind == from || from == cashFlow && kind == incomeStatement {
			continue
		}
		for _, w := range words {
			if folded == w && !(from == balanceSheet && (w == "income" || w == "sales")) {
				return kind
			}
		}
	}
	return ""
}

// statementLines reads the lines of a page with their trailing figures. Where two sides stand beside each other, beside
// is the first line of the right one, else 0.
func statementLines(p text.Page, s text.Segment) (lines []statementLine, beside int) {
	printed := levelled(text.Lines(p), s.Style)
	if left, right, ok := parted(printed, s.Style); ok {
		printed, beside = slices.Concat(left, right), len(left)
	}
	for i, l := range printed {
		for _, part := range rowsOfCell(l) {
			lines = append(lines, statementLineOf(part, s))
		}
		if i < beside {
			beside += len(rowsOfCell(l)) - 1
		}
	}
	return lines, beside
}

// rowsOfCell parts a cell that holds the whole heading of a report, line under line.
func rowsOfCell(l text.Line) []text.Line {
	if len(l.Tokens) != 1 || !strings.Contains(l.Tokens[0].Text, "\n") {
		return []text.Line{l}
	}
	var parts []text.Line
	for part := range strings.SplitSeq(l.Tokens[0].Text, "\n") {
		if part = strings.TrimSpace(part); part != "" {
			t := l.Tokens[0]
			t.Text = part
			parts = append(parts, lineOf(l, []text.Token{t}))
		}
	}
	if len(parts) == 0 {
		return []text.Line{l}
	}
	return parts
}

// levelled joins what a skewed scan parted: a line of figures alone and the caption that stands nearest to it.
func levelled(lines []text.Line, style text.DecimalStyle) []text.Line {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodOCR {
		return lines
	}
	out := slices.Clone(lines)
	for i, l := range lines {
		if text.Wordy(l.Text()) || len(text.MoneyOn(l, style)) == 0 {
			continue
		}
		best, distance := -1, 0.8*l.Box().Height()
		for _, k := range []int{i - 1, i + 1} {
			if k < 0 || k >= len(out) || !text.Wordy(out[k].Text()) || out[k].X1 >= l.X0 ||
				len(text.MoneyOn(out[k], style)) > 0 {
				continue
			}
			if d := text.Abs(out[k].Box().MiddleY() - l.Box().MiddleY()); d < distance {
				best, distance = k, d
			}
		}
		if best >= 0 {
			out[best].Tokens = append(slices.Clone(out[best].Tokens), l.Tokens...)
			b := text.BoxOf(out[best].Tokens)
			out[best].X0, out[best].Y0, out[best].X1, out[best].Y1 = b.X0, b.Y0, b.X1, b.Y1
			out[i].Tokens = nil
		}
	}
	return slices.DeleteFunc(out, func(l text.Line) bool { return len(l.Tokens) == 0 })
}

// statementLineOf parts a line into caption and figures. Figures that words follow belong to the caption:
// "900,000 shares authorized". In a table of cells the first cell with letters is the caption.
func statementLineOf(l text.Line, s text.Segment) statementLine {
	out := statementLine{Line: l, cells: l.Tokens[0].Cell != ""}
	dates := l.Dates(s.Order)
	inDate := func(m text.Money) bool {
		for _, d := range dates {
			if m.First <= d.Last && d.First <= m.Last {
				return true
			}
		}
		return false
	}
	first := 0 // token with which the figures may begin
	if out.cells {
		for first < len(l.Tokens) && !text.Wordy(l.Tokens[first].Text) {
			first++
		}
		if first < len(l.Tokens) {
			out.caption = l.Tokens[first : first+1]
		} else {
			first = 0
		}
	} else {
		for i, t := range l.Tokens {
			if text.Wordy(t.Text) && !isMark(t.Text) {
				first = i + 1
			}
		}
	}
	for _, m := range l.Amounts(s.Style) {
		if m.First >= first && !inDate(m) {
			out.figures = append(out.figures, m)
		}
	}
	if !out.cells {
		end := len(l.Tokens)
		if len(out.figures) > 0 {
			end = out.figures[0].First
		}
		out.caption = l.Tokens[:end]
		if !text.Wordy(text.Join(out.caption)) {
			out.caption = nil
		}
	}
	return out
}

var markWords = lazyregexp.New(`^(?:(?i:CR|DR|OD|USD|CAD|AUD|GBP|EUR)|\(?[a-z]\)|[A-Z]{0,3}\$)$`)

func isMark(text string) bool { return markWords.MatchString(text) }
