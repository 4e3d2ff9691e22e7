package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// printed are lines of a text of one width as the reader of statements sees them, one below the other.
func printed(rows ...string) []Line {
	var lines []Line
	for i, row := range rows {
		l := placedLine(row)
		for k := range l.Tokens {
			l.Tokens[k].Y0, l.Tokens[k].Y1 = float64(12*i), float64(12*i+10)
		}
		if len(l.Tokens) > 0 {
			lines = append(lines, readLine(lineOf(l.Line, l.Tokens), text.Segment{}))
		}
	}
	return lines
}

// figuresOf are a line's caption and figures in words.
func figuresOf(l Line) string {
	out := []string{text.Join(l.Caption)}
	for _, m := range l.Figures {
		out = append(out, m.Value.String())
	}
	return strings.Join(out, "|")
}

// What ends a line are its figures, what stands before them its caption; figures within a text are the caption's.
func TestReadLine(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		"Sales                    1,204    900":     "Sales|1204|900",
		"Common stock, 900,000 shares authorized":   "Common stock, 900,000 shares authorized",
		"Common stock, 900,000 shares        1,000": "Common stock, 900,000 shares|1000",
		"Loss            (1,204)     $ (900)":       "Loss|-1204|-900",
		"Payable         1,204 CR    900 DR":        "Payable|1204|-900",
		"As of December 31, 2024":                   "As of December 31, 2024",
		"                1,204       900":           "|1204|900",
		"Trade receivables   4.1(c)     1,204":      "Trade receivables|1204",
		"Taxes             —         1,204":         "Taxes|0|1204",
	} {
		if got := figuresOf(printed(row)[0]); got != want {
			t.Errorf("%q: %s, want %s", row, got, want)
		}
	}
}

// Figures stand in columns by their right edges; one figure alone makes none.
func TestGridOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want string // right edges of columns; a percentage sign where they hold shares
	}{
		"two years": {[]string{"Sales            1,204,000       900,000", "Costs             (80,500)       (7,000)",
			"Profit           1,123,500       893,000"}, "[130 200]"},
		"a stray figure": {[]string{"Sales            1,204,000       900,000", "Costs               80,500         7,000",
			"Profit           1,123,500       893,000", "Page 77    12"}, "[130 200]"},
		"shares without a sign": {[]string{"Sales            1,200.00       100.00", "Costs              600.00        50.00",
			"Wages              300.00        25.00", "Profit             300.00        25.00"}, "[125 190%]"},
		"with a sign": {[]string{"Sales            1,200.00       100.0%", "Costs              600.00        50.0%"}, "[125 185%]"},
		"like shares, but money": {[]string{"Sales            1,200.00       100.00", "Costs              600.00        40.00",
			"Wages              300.00        25.00", "Profit             300.00        25.00"}, "[125 190]"},
		"nothing": {[]string{"Sales", "Costs"}, "[]"},
	} {
		g := GridOf(printed(c.rows...), 0.8)
		got := []string{}
		for _, column := range g.Columns {
			s := fmt.Sprint(int(column.Right/5+0.5) * 5)
			if column.Percent {
				s += "%"
			}
			got = append(got, s)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// A column of small whole numbers beside money refers to notes, and no period stands above it.
func TestGridOf_notes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want bool
	}{
		"references": {[]string{"Sales        4      1,204,000", "Costs        5        804,000", "Wages                  10,000",
			"Profit       6        390,000"}, true},
		"parts of notes":     {[]string{"Sales      4.1      1,204,000", "Costs      4.2        804,000", "Wages                  10,000"}, true},
		"money of thousands": {[]string{"Sales        4          1,204", "Costs      105            804", "Wages       12             10"}, false},
		"in every row": {[]string{"Sales        4      1,204,000", "Costs        5        804,000", "Wages        7         10,000",
			"Profit       6        390,000"}, false},
		"small money beside": {[]string{"Sales        4            120", "Costs        5             80", "Wages                      10"}, false},
	} {
		g := GridOf(printed(c.rows...), 0.8)
		if len(g.Columns) != 2 || g.notes != c.want {
			t.Errorf("%s: %d columns, notes %v, want %v", name, len(g.Columns), g.notes, c.want)
		}
	}
}

// withPeriods are columns that end at the places, each of them of a period of its own.
func withPeriods(rows []Line, labels ...string) Grid {
	g := GridOf(rows, 0.8)
	g.Periods, g.Heads = make([]Period, len(g.Columns)), make([][]text.Token, len(g.Columns))
	for i := range g.Columns {
		if i < len(labels) && labels[i] != "" {
			g.Periods[i] = columnPeriod([]string{labels[i]}, text.MonthFirst)
			g.Heads[i] = placedLine(labels[i]).Tokens
		}
	}
	return g
}

func rolesOf(g Grid) string {
	var out []string
	for _, p := range g.Periods {
		out = append(out, map[columnRole]string{PeriodColumn: "period", TotalColumn: "total", AnotherColumn: "other"}[p.Role])
	}
	return strings.Join(out, " ")
}

// What two columns differ by is the figure of neither, in whatever language it is headed; three months and three that
// make six are periods.
func TestDropChanges(t *testing.T) {
	t.Parallel()
	rows := printed(
		"Sales            1,204       900       304", "Costs              800       700       100",
		"Wages              200       150        50", "Rent               100        90        10",
		"Profit             104       (40)      144")
	for name, c := range map[string]struct {
		labels []string
		want   string
	}{
		"a word that is not known": {[]string{"2024", "2023", "Ero"}, "period period other"},
		"a period of its own":      {[]string{"Six months ended June 30, 2024", "Three months ended June 30, 2024", "Three months ended March 31, 2024"}, "period period period"},
	} {
		g := withPeriods(rows, c.labels...)
		g.DropChanges(rows)
		if got := rolesOf(g); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	g := withPeriods(rows[:3], "2024", "2023", "Ero")
	if g.DropChanges(rows[:3]); rolesOf(g) != "period period period" {
		t.Errorf("of three rows: %s", rolesOf(g))
	}
}

// Details and their sums stand in two columns of one period, which is named above one of them.
func TestDetailColumns(t *testing.T) {
	t.Parallel()
	rows := printed(
		"Cash         1,200                 900", "Stock          800                 700",
		"Assets                  2,000                1,600", "Debts          500                 400",
		"Loans          500                 400", "Owed                    1,000                  800")
	for name, c := range map[string]struct {
		labels []string
		want   string
	}{
		"above the sums":    {[]string{"$", "2024", "$", "2023"}, "map[0:1 2:1]"},
		"above the details": {[]string{"2024", "$", "2023", "$"}, "map[1:-1 3:-1]"},
		"above all":         {[]string{"2024", "2023", "2022", "2021"}, "map[]"},
		"other headings":    {[]string{"Notes", "2024", "Notes", "2023"}, "map[]"},
	} {
		g := withPeriods(rows, c.labels...)
		for i := range g.Periods {
			if c.labels[i] == "$" {
				g.Periods[i].Role = AnotherColumn
			}
		}
		if got := fmt.Sprint(g.DetailColumns(rows)); len(g.Columns) != 4 || got != c.want {
			t.Errorf("%s: %d columns, %s, want %s", name, len(g.Columns), got, c.want)
		}
	}
	two := printed("Cash         1,200", "Stock          800", "Assets                  2,000", "Owed                    1,000")
	if g := withPeriods(two); !g.OneSplit(two) || g.SideBySide(two) {
		t.Error("details and sums in two columns are one column")
	}
	beside := printed("Cash         1,200      1,100", "Stock          800        900", "Assets       2,000      2,000")
	if g := withPeriods(beside); g.OneSplit(beside) || !g.SideBySide(beside) {
		t.Error("two columns side by side are no details and sums")
	}
	if g := withPeriods(two, "2024", "2023"); g.OneSplit(two) {
		t.Error("columns with headings are not one")
	}
}

// Of a plan nothing has happened; columns of what has are read.
func TestIsPlan(t *testing.T) {
	t.Parallel()
	rows := printed("Sales            1,204       900", "Costs              800       700")
	for name, c := range map[string]struct {
		head   string
		labels []string
		want   bool
		roles  string
	}{
		"projected":            {"Projected Income Statement", []string{"2025", "2026"}, true, "other other"},
		"a forecast":           {"Forecast", []string{"2025", "2026"}, true, "other other"},
		"beside what happened": {"Projected Income Statement", []string{"2024 Actual", "2025"}, false, "period other"},
		"no plan":              {"Income Statement", []string{"2024", "2023"}, false, "period period"},
		"actual, in the title": {"Forecast and actual income statement", []string{"2024", "2023"}, false, "period period"},
		"within a sentence":    {"Sales were above those that had been forecast", []string{"2024", "2023"}, false, "period period"},
	} {
		g := withPeriods(rows, c.labels...)
		if got := g.IsPlan(printed(c.head)); got != c.want || rolesOf(g) != c.roles {
			t.Errorf("%s: %v, %s, want %v, %s", name, got, rolesOf(g), c.want, c.roles)
		}
	}
}

// A row begins where its caption does, which may be lines above its figures.
func TestBeginsRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want int
	}{
		"alone":            {[]string{"Income", "Sales            1,204"}, 1},
		"a comma":          {[]string{"Property, plant,", "equipment          1,204"}, 0},
		"an open word":     {[]string{"Cash provided by", "Operations          1,204"}, 0},
		"a small letter":   {[]string{"Loans and advances", "to customers          1,204"}, 0},
		"below a heading":  {[]string{"Current assets", "cash          1,204"}, 1},
		"below a title":    {[]string{"Balance sheet", "cash          1,204"}, 1},
		"over three lines": {[]string{"Gains and losses,", "realised or", "unrealised          1,204"}, 0},
	} {
		p := Part{Lines: printed(c.rows...)}
		if got := p.BeginsRow(len(c.rows) - 1); got != c.want {
			t.Errorf("%s: line %d, want %d", name, got, c.want)
		}
	}
}

// The first row is the first line of a caption and money: no years, no footer, no figure beside the columns.
func TestFirstRow(t *testing.T) {
	t.Parallel()
	lines := printed("ACME Ltd", "Year ended 31 December     2024       2023", "Page 3", "", "Revenue",
		"Sales                     1,204        900", "Costs                       800        700")
	g := GridOf(lines, 0.8)
	p := Part{Lines: lines}
	p.Head = p.FirstRow(&g)
	if got := lines[p.Head].Text(); !strings.HasPrefix(got, "Sales") {
		t.Errorf("first row %q", got)
	}
	if got := lines[p.FirstHeading("incomeStatement", text.MonthFirst)].Text(); got != "Revenue" {
		t.Errorf("first heading %q", got)
	}
	if !g.BindsAll(lines[4:]) || g.BindsAll(printed("Tax          9,999,999")) || g.BindsAll(printed("Tax")) {
		t.Error("lines are bound to columns in which they do not stand, or not to those in which they do")
	}
	if none := (&Part{Lines: lines[:4]}).FirstRow(&g); none != 4 {
		t.Errorf("without rows: line %d", none)
	}
}

// A page that goes on with a statement has its columns at their places; other columns are another table's.
func TestBelow(t *testing.T) {
	t.Parallel()
	first := GridOf(printed("Sales            1,204       900", "Costs              800       700"), 0.8)
	same := GridOf(printed("Wages              204        90", "Rent               100        70"), 0.8)
	if got := fmt.Sprint(same.Below(&first, []int{0, 1})); got != "[0 1]" {
		t.Errorf("the same columns: %s", got)
	}
	noted := GridOf(printed("Wages       4      204        90", "Rent        5      100        70"), 0.8)
	if got := fmt.Sprint(noted.Below(&first, []int{0, 1})); got != "[-1 0 1]" {
		t.Errorf("with notes: %s", got)
	}
	others := GridOf(printed("Wages    204        90", "Rent     100        70"), 0.8)
	if got := others.Below(&first, []int{0, 1}); got != nil {
		t.Errorf("other columns: %v", got)
	}
}

func TestIsFurniture(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]bool{"Page 3": true, "- 4 -": true, "See accompanying notes": true, "Unaudited": true,
		"No assurance is provided": true, "https://books.example/report": true, "Cash basis Tuesday 4 June 2024": true,
		"Notes payable": false, "Sales": false, "Page rental income": false, strings.Repeat("word ", 26): true} {
		if got := IsFurniture(printed(row)[0]); got != want {
			t.Errorf("%q: %v, want %v", row, got, want)
		}
	}
}
