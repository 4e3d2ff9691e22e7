package table

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// pageOf is a page of a text of one width.
func pageOf(number int, rows ...string) text.Page {
	p := text.Page{Number: number, Width: 600, Height: 800, Layer: text.LayerText}
	for i, row := range rows {
		for _, t := range placedLine(row).Tokens {
			t.Page, t.Y0, t.Y1 = number, float64(40+12*i), float64(50+12*i)
			p.Tokens = append(p.Tokens, t)
		}
	}
	return p
}

// blocksOf says of each statement its kind and the captions of its parts.
func blocksOf(pages ...text.Page) string {
	var out []string
	for _, b := range Blocks(text.Segment{Pages: pages}) {
		s := b.Kind + ":"
		for i, p := range b.Parts {
			if i > 0 {
				s += " /"
			}
			for _, l := range p.Lines {
				if l.isRow() {
					s += " " + strings.ReplaceAll(text.Join(l.Caption), " ", "-")
				}
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// A page goes on with the statement before it where its rows, its title or its other half say so.
func TestBlocks_pages(t *testing.T) {
	t.Parallel()
	income := []string{"Income Statement", "Year ended December 31, 2024", "Sales              9,000",
		"Cost of goods sold 4,000", "Gross profit       5,000"}
	for name, c := range map[string]struct {
		pages [][]string
		want  string
	}{
		"the title again": {[][]string{income, {"Income Statement (continued)", "Year ended December 31, 2024",
			"Wages              2,000", "Net income         3,000"}},
			"incomeStatement: Sales Cost-of-goods-sold Gross-profit / Wages Net-income"},
		"of another year": {[][]string{append(income, "Net income         3,000"), {"Income Statement", "Year ended December 31, 2023",
			"Sales              8,000", "Net income         3,000"}},
			"incomeStatement: Sales Cost-of-goods-sold Gross-profit Net-income; incomeStatement: Sales Net-income"},
		"the halves of a sheet": {[][]string{{"Bilan - Actif", "Cash              9,000", "Inventory         1,000",
			"Total assets     10,000"}, {"Bilan - Passif", "Accounts payable  4,000", "Share capital     6,000"}},
			"balanceSheet: Cash Inventory Total-assets / Accounts-payable Share-capital"},
		"notes behind": {[][]string{income, {"Notes to Financial Statements", "Revenue by type     1,000"}},
			"incomeStatement: Sales Cost-of-goods-sold Gross-profit; : Revenue-by-type"},
		"two on one page": {[][]string{append(append([]string{}, income...), "Balance Sheet", "Cash               9,000",
			"Total assets       9,000")},
			"incomeStatement: Sales Cost-of-goods-sold Gross-profit; balanceSheet: Cash Total-assets"},
		"turned without a title": {[][]string{{"Balance Sheet", "Cash               9,000", "Inventory          1,000",
			"Total assets      10,000", "Total liabilities  4,000", "Total equity       6,000", "Operating activities",
			"Net income         3,000", "Cash at end        9,000"}},
			"balanceSheet: Cash Inventory Total-assets Total-liabilities Total-equity; cashFlow: Net-income Cash-at-end"},
		"what is no statement": {[][]string{{"Dear Sir", "we thank you        12.00", "for your letter     13.00"}},
			": we-thank-you for-your-letter"},
	} {
		var pages []text.Page
		for i, rows := range c.pages {
			pages = append(pages, pageOf(i+1, rows...))
		}
		if got := blocksOf(pages...); got != c.want {
			t.Errorf("%s:\n%s\n%s", name, got, c.want)
		}
	}
}

// A sheet that prints what is owed beside what is owned is read side by side, whichever stands left.
func TestBlocks_sides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want string
	}{
		"owned left": {[]string{"Balance Sheet as of December 31, 2024",
			"Assets                                  Liabilities",
			"Cash                 9,000              Accounts payable     4,000",
			"Inventory            1,000              Bank loan            1,000",
			"Equipment            2,000              Share capital        7,000",
			"Total assets        12,000              Total               12,000"},
			"balanceSheet: Cash Inventory Equipment Total-assets / Accounts-payable Bank-loan Share-capital Total"},
		"owed left": {[]string{"Balance Sheet as at 31.03.2024",
			"Liabilities                             Assets",
			"Capital              9,000              Cash                 4,000",
			"Loans                1,000              Stock                1,000",
			"Creditors            2,000              Machinery            7,000",
			"Total               12,000              Total               12,000"},
			"balanceSheet: Capital Loans Creditors Total / Cash Stock Machinery Total"},
		"one side, two years": {[]string{"Balance Sheet as of December 31, 2024",
			"Assets                2024               2023",
			"Cash                 9,000              4,000",
			"Inventory            1,000              1,000",
			"Equipment            2,000              7,000"},
			"balanceSheet: Cash Inventory Equipment"},
	} {
		got := blocksOf(pageOf(1, c.rows...))
		if got != c.want {
			t.Errorf("%s:\n%s\n%s", name, got, c.want)
		}
	}
}

// Two lists of prices beside each other are no sheet: nothing is parted.
func TestParted_noSheet(t *testing.T) {
	t.Parallel()
	var lines []text.Line
	for _, l := range printed("Apples       9,000       Pears        4,000", "Plums        1,000       Nuts         1,000",
		"Cherries     2,000       Figs         7,000") {
		lines = append(lines, l.Line)
	}
	if _, _, ok := splitSides(lines, text.DotDecimal); ok {
		t.Error("parted")
	}
}

// A cell that holds the heading of a report line under line is as many lines.
func TestRowsOfCell(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]int{"ACME\nBalance Sheet\n\n December 2024 ": 3, "ACME": 1, "\n \n": 1} {
		l := text.Line{Tokens: []text.Token{{Text: printed, Method: text.MethodCell, Cell: "S!A1"}}}
		if got := rowsOfCell(l); len(got) != want || want > 1 && got[want-1].Text() != "December 2024" {
			t.Errorf("%q: %d lines", printed, len(got))
		}
	}
}

// A skewed scan parts figures from their captions: they are joined to the nearest, and to none that has its own.
func TestLevelled(t *testing.T) {
	t.Parallel()
	row := func(s string, y float64) text.Line {
		l := placedLine(s)
		for i := range l.Tokens {
			l.Tokens[i].Y0, l.Tokens[i].Y1, l.Tokens[i].Method = y, y+10, text.MethodOCR
		}
		return lineOf(l.Line, l.Tokens)
	}
	texts := func(lines []text.Line) string {
		var out []string
		for _, l := range lines {
			out = append(out, l.Text())
		}
		return strings.Join(out, "; ")
	}
	for name, c := range map[string]struct {
		lines []text.Line
		want  string
	}{
		"above":            {[]text.Line{row("Sales", 10), row("            1,204.00", 16)}, "Sales 1,204.00"},
		"below":            {[]text.Line{row("            1,204.00", 10), row("Sales", 16)}, "Sales 1,204.00"},
		"the nearer":       {[]text.Line{row("Sales", 10), row("            1,204.00", 17), row("Costs", 21)}, "Sales; Costs 1,204.00"},
		"too far":          {[]text.Line{row("Sales", 10), row("            1,204.00", 30)}, "Sales; 1,204.00"},
		"one with its own": {[]text.Line{row("Sales      900.00", 10), row("                     1,204.00", 16)}, "Sales 900.00; 1,204.00"},
		"left of it":       {[]text.Line{row("                       Sales", 10), row("  1,204.00", 16)}, "Sales; 1,204.00"},
	} {
		if got := texts(joinSkewed(c.lines, text.DotDecimal)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	printed := []text.Line{placedLine("Sales").Line, placedLine("            1,204.00").Line}
	if got := texts(joinSkewed(printed, text.DotDecimal)); got != "Sales; 1,204.00" {
		t.Errorf("of a text layer: %s", got)
	}
}

func TestAllYears(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]bool{"Year  2024  2023": true, "Year  2024  1,204": false, "Year  2,024": false,
		"Year  $2024": false, "Year  1949": false, "Year  2061": false, "Year  (2024)": false, "Year 2024.00": false, "Year": true} {
		if got := AllYears(printed(row)[0].Figures); got != want {
			t.Errorf("%q: %v, want %v", row, got, want)
		}
	}
	for row, want := range map[string]bool{"months ended 31 months ended 31": true, "December 31, 2024": true, "Sales  31": false,
		"2024   2023": true, "Six months Six months 31": true, "31": false} {
		if got := printed(row)[0].isDated(); got != want {
			t.Errorf("%q is dated: %v, want %v", row, got, want)
		}
	}
}

// The kind of a page without a title is that of most of its captions, and none where that is unclear.
func TestGuessKind(t *testing.T) {
	t.Parallel()
	for want, rows := range map[string][]string{
		captions.BalanceSheet:    {"Cash            1,204", "Inventory            900", "Total assets       2,104"},
		captions.IncomeStatement: {"Sales            1,204", "Cost of goods sold            900", "Gross profit       304"},
		"":                       {"Cash            1,204", "Sales           900", "Apples       304"},
	} {
		if got := guessKind(printed(rows...)); got != want {
			t.Errorf("%v: %q, want %q", rows, got, want)
		}
	}
}
