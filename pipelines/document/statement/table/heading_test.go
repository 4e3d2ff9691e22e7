package table

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// spanOf is a period in words: its start and its end, a dash where they are not known.
func spanOf(p Period) string {
	start, end := "-", "-"
	if p.Start != nil {
		start = p.Start.String()
	}
	if p.End != nil {
		end = p.End.String()
	}
	return start + ".." + end
}

// headed reads the headings of columns whose figures end at the places, and says of each its span, or "other" where it
// is no column of the statement.
func headed(instant bool, order text.DateOrder, rights []int, lines ...string) string {
	b := Grid{near: 6}
	for _, right := range rights {
		b.Columns = append(b.Columns, text.Column{Right: float64(5 * right), Left: float64(5 * (right - 9)), Count: 9})
	}
	var above []Line
	for _, l := range lines {
		above = append(above, placedLine(l))
	}
	b.ReadHeadings(above, instant, order)
	var out []string
	for _, p := range b.Periods {
		if !instant {
			p.SettleYear(text.Date{})
			p.Settle(text.Date{})
		}
		switch {
		case p.Role == AnotherColumn:
			out = append(out, "other")
		default:
			out = append(out, spanOf(p))
		}
	}
	return strings.Join(out, " ")
}

// Figures are bound to the years and lengths that stand above them, in one row or in several.
func TestReadHeadings_years(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rights  []int
		instant bool
		lines   []string
		want    string
	}{
		"years of a title's day": {[]int{46, 60}, true, []string{"Balance Sheet", "As of December 31,",
			"                                         2024           2023"}, "-..2024-12-31 -..2023-12-31"},
		"years under a length": {[]int{46, 60}, false, []string{"Income Statement",
			"                              Years ended June 30,", "                                          2024          2023"},
			"2023-07-01..2024-06-30 2022-07-01..2023-06-30"},
		"a calendar year alone": {[]int{46}, false, []string{"Profit and Loss",
			"                                          2024"}, "2024-01-01..2024-12-31"},
		"dates over two lines": {[]int{46, 64}, true, []string{
			"                                  December 31,      December 31,", "                                          2024              2023"},
			"-..2024-12-31 -..2023-12-31"},
		"a year and its change": {[]int{46, 60, 74}, false, []string{
			"                                      FY 2024       FY 2023       Change"},
			"2024-01-01..2024-12-31 2023-01-01..2023-12-31 other"},
		"a budget beside": {[]int{46, 60, 74}, false, []string{"Profit and Loss January - March 2024",
			"                                       Actual        Budget      Variance"},
			"2024-01-01..2024-03-31 other other"},
		"months and their total": {[]int{40, 52, 64}, false, []string{
			"                                Jan 2024    Feb 2024       Total"},
			"2024-01-01..2024-01-31 2024-02-01..2024-02-29 -..-"},
		"last year beside": {[]int{46, 66}, false, []string{"Profit and Loss", "January through March 2024",
			"                                    This year           Last year"},
			"2024-01-01..2024-03-31 2023-01-01..2023-03-31"},
		"a period of the title": {[]int{46}, false, []string{"Income Statement", "For the three months ended March 31, 2024"},
			"2024-01-01..2024-03-31"},
		"no period at all": {[]int{46}, false, []string{"Income Statement"}, "-..-"},
		"a length over pairs": {[]int{40, 52, 66, 78}, false, []string{
			"                            Three months ended         Nine months ended",
			"                              September 30,              September 30,",
			"                                    2024        2023          2024        2023"},
			"2024-07-01..2024-09-30 2023-07-01..2023-09-30 2024-01-01..2024-09-30 2023-01-01..2023-09-30"},
		"opening and closing": {[]int{46, 66}, true, []string{"Balance Sheet as of December 31, 2024",
			"                               Ending balance   Beginning balance"},
			"-..2024-12-31 -..2023-12-31"},
		"a group and its parent": {[]int{40, 52, 66, 78}, false, []string{
			"                                   Group       Group       Company     Company",
			"                                    2024        2023          2024        2023"},
			"2024-01-01..2024-12-31 2023-01-01..2023-12-31 other other"},
		"two currencies of one year": {[]int{46, 60}, false, []string{
			"                                          2024          2024", "                                           EUR           USD"},
			"2024-01-01..2024-12-31 other"},
		"from and to on two lines": {[]int{46}, false, []string{"From: 1 May 2023", "To: 30 April 2024"},
			"2023-05-01..2024-04-30"},
		"the number of a form": {[]int{46}, true, []string{"DGFiP N° 2050", "Bilan au 31/12/2023"}, "-..2023-12-31"},
	} {
		if got := headed(c.instant, text.MonthFirst, c.rights, c.lines...); got != c.want {
			t.Errorf("%s:\n%s\n%s", name, got, c.want)
		}
	}
}

func TestReadPeriod_forms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, want string
		months, weeks int
		year          int
	}{
		{printed: "52 weeks ended December 28, 2024", want: "-..2024-12-28", weeks: 52},
		{printed: "Fifty-three weeks ended February 3, 2024", want: "-..2024-02-03", weeks: 53},
		{printed: "Two quarters ended June 30, 2024", want: "-..2024-06-30", months: 6},
		{printed: "Half year ended 31 December 2024", want: "-..2024-12-31", months: 6},
		{printed: "H1 2024", want: "2024-01-01..2024-06-30", months: 6},
		{printed: "2H 2024", want: "2024-07-01..2024-12-31", months: 6},
		{printed: "9M 2024", want: "2024-01-01..2024-09-30", months: 9},
		{printed: "4Q 24", want: "2024-10-01..2024-12-31", months: 3},
		{printed: "Second quarter 2024", want: "2024-04-01..2024-06-30", months: 3},
		{printed: "FY 2024", want: "-..-", months: 12, year: 2024},
		{printed: "FY24", want: "-..-", year: 2024},
		{printed: "2024 (unaudited)", want: "-..-", year: 2024},
		{printed: "Nov 2023 - Feb 2024", want: "2023-11-01..2024-02-29", months: 4},
		{printed: "Nov - Feb 2024", want: "2023-11-01..2024-02-29", months: 4},
		{printed: "Three and nine months ended September 30, 2024", want: "-..2024-09-30"},
		{printed: "Month ended January 31, 2024", want: "-..2024-01-31", months: 1},
		{printed: "January 1 to February 15, 2024", want: "2024-01-01..2024-02-15", months: 2},
		{printed: "Page 2024 of 3", want: "-..-"},
		{printed: "70 months", want: "-..-"},
		{printed: "", want: "-..-"},
	} {
		p := ReadPeriod(c.printed, text.MonthFirst)
		months := 0
		if p.Months != nil {
			months = *p.Months
		}
		if spanOf(p) != c.want || months != c.months || p.Weeks != c.weeks || p.YearOnly != c.year {
			t.Errorf("%q: %s, %d months, %d weeks, year %d; want %s, %d, %d, %d", c.printed, spanOf(p), months, p.Weeks,
				p.YearOnly, c.want, c.months, c.weeks, c.year)
		}
	}
	if p := ReadPeriod("Year to date June 30, 2024", text.MonthFirst); !p.ToDate || p.Months != nil {
		t.Errorf("year to date: %+v", p)
	}
}

// A start that is not printed is counted back from the end; a year of weeks ends on a day of the week.
func TestPeriod_Settle(t *testing.T) {
	t.Parallel()
	day := func(y, m, d int) *text.Date { return &text.Date{Year: y, Month: m, Day: d} }
	n := func(i int) *int { return &i }
	for name, c := range map[string]struct {
		p      Period
		fiscal text.Date
		want   string
	}{
		"a quarter":            {Period{End: day(2024, 3, 31), Months: n(3)}, text.Date{}, "2024-01-01..2024-03-31"},
		"a year":               {Period{End: day(2024, 2, 29), Months: n(12)}, text.Date{}, "2023-03-01..2024-02-29"},
		"52 weeks":             {Period{End: day(2024, 12, 28), Weeks: 52}, text.Date{}, "2023-12-31..2024-12-28"},
		"a year within a week": {Period{End: day(2024, 12, 28), Months: n(12)}, text.Date{}, "2023-12-31..2024-12-28"},
		"13 weeks":             {Period{End: day(2024, 9, 28), Months: n(3)}, text.Date{}, "2024-06-30..2024-09-28"},
		"26 weeks":             {Period{End: day(2024, 6, 29), Months: n(6)}, text.Date{}, "2023-12-31..2024-06-29"},
		"39 weeks":             {Period{End: day(2024, 9, 28), Months: n(9)}, text.Date{}, "2023-12-31..2024-09-28"},
		"within a month":       {Period{End: day(2024, 6, 15), Months: n(2)}, text.Date{}, "2024-04-16..2024-06-15"},
		"to date":              {Period{End: day(2024, 5, 31), ToDate: true}, text.Date{}, "2024-01-01..2024-05-31"},
		"to date, of a fiscal": {Period{End: day(2024, 5, 31), ToDate: true}, text.Date{Year: 2023, Month: 6, Day: 30}, "2023-07-01..2024-05-31"},
		"an instant":           {Period{End: day(2024, 5, 31)}, text.Date{}, "-..2024-05-31"},
		"printed":              {Period{Start: day(2024, 1, 9), End: day(2024, 5, 31), Months: n(3)}, text.Date{}, "2024-01-09..2024-05-31"},
		"no end":               {Period{Months: n(3)}, text.Date{}, "-..-"},
	} {
		p := c.p
		p.Settle(c.fiscal)
		if got := spanOf(p); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if c.p.Start == nil && p.Start != nil && p.Derived == "" {
			t.Errorf("%s: nothing says how the start was found", name)
		}
	}
	for name, c := range map[string]struct {
		year   int
		fiscal text.Date
		want   string
	}{
		"calendar":                  {2024, text.Date{}, "-..2024-12-31"},
		"as the balance sheet":      {2024, text.Date{Year: 2023, Month: 6, Day: 30}, "-..2024-06-30"},
		"of weeks, its own year":    {2024, text.Date{Year: 2024, Month: 9, Day: 28}, "-..2024-09-28"},
		"of weeks, another year":    {2023, text.Date{Year: 2024, Month: 9, Day: 28}, "-..-"},
		"no year alone in the head": {0, text.Date{Year: 2024, Month: 9, Day: 28}, "-..-"},
	} {
		p := Period{YearOnly: c.year}
		p.SettleYear(c.fiscal)
		if got := spanOf(p); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWholeMonths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start, end text.Date
		want       int
	}{
		{text.Date{Year: 2024, Month: 1, Day: 1}, text.Date{Year: 2024, Month: 12, Day: 31}, 12},
		{text.Date{Year: 2023, Month: 11, Day: 1}, text.Date{Year: 2024, Month: 2, Day: 29}, 4},
		{text.Date{Year: 2023, Month: 12, Day: 31}, text.Date{Year: 2024, Month: 12, Day: 28}, 12},
		{text.Date{Year: 2024, Month: 6, Day: 30}, text.Date{Year: 2024, Month: 9, Day: 28}, 3},
		{text.Date{Year: 2024, Month: 6, Day: 1}, text.Date{Year: 2024, Month: 6, Day: 10}, 0},
	} {
		if got := *WholeMonths(c.start, c.end); got != c.want {
			t.Errorf("%v to %v: %d months, want %d", c.start, c.end, got, c.want)
		}
	}
	if got := DaysBetween(text.Date{Year: 2024, Month: 2, Day: 28}, text.Date{Year: 2024, Month: 3, Day: 1}); got != 2 {
		t.Errorf("%d days", got)
	}
}

// Two columns of the same days are one period's: which of them is the title's is not printed.
func TestPeriod_WithoutSharedDays(t *testing.T) {
	t.Parallel()
	p := ReadPeriod("January - March 2024", text.MonthFirst)
	got := p.WithoutSharedDays([]Period{ReadPeriod("January - March 2023", text.MonthFirst)})
	if spanOf(got) != spanOf(p) {
		t.Errorf("beside another period: %s", spanOf(got))
	}
	if got := p.WithoutSharedDays([]Period{p}); spanOf(got) != "-..-" || got.Months != nil {
		t.Errorf("beside its twin: %s", spanOf(got))
	}
}

// A title is short and names a statement; a sentence, a total, a line of a table of contents and a note do not.
func TestTitledKind_world(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"Consolidated Balance Sheets":                           captions.BalanceSheet,
		"STATEMENT OF OPERATIONS AND CHANGES IN NET ASSETS":     captions.IncomeStatement,
		"Income Statements of ACME SE for the Years Ended":      captions.IncomeStatement,
		"Statement of Cash Flows (continued)":                   captions.CashFlow,
		"Gewinn- und Verlustrechnung":                           captions.IncomeStatement,
		"Compte de résultat":                                    captions.IncomeStatement,
		"Estado de situación financiera":                        captions.BalanceSheet,
		"Balanço Patrimonial":                                   captions.BalanceSheet,
		"Balanco Patrimonial":                                   captions.BalanceSheet,
		"Notes to Financial Statements":                         "",
		"Statement of Retained Earnings":                        "",
		"Aging Summary":                                         "",
		"Balance Sheet ........ 4":                              "-",
		"Balance sheet  12":                                     "-",
		"See accompanying notes to the balance sheet":           "-",
		"Total balance sheet":                                   "-",
		"Net income statement":                                  "-",
		"the balance sheet":                                     "-",
		"The auditors have examined the balance sheet of ACME.": "-",
		"Sales":    "-",
		"Bilanzen": "-",
	} {
		got, ok := TitledKind(placedLine(printed))
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}
