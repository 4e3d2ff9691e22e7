package text

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// shown are the dates of a text, as FindDates gives them.
func shown(text string, order DateOrder) string {
	var all []string
	for _, d := range FindDates(text, order) {
		all = append(all, d.String())
	}
	return strings.Join(all, " ")
}

func TestFindDates_languages(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"31 janvier 2024":           "2024-01-31",
		"1er février 2024":          "2024-02-01",
		"15 févr. 2024":             "2024-02-15",
		"31 de diciembre de 2024":   "2024-12-31",
		"31 de diciembre del 2024":  "2024-12-31",
		"5 de março de 2024":        "2024-03-05",
		"12. März 2024":             "2024-03-12",
		"12. Dezember 2024":         "2024-12-12",
		"3 maart 2024":              "2024-03-03",
		"9 maggio 2024":             "2024-05-09",
		"09 OTT 2024":               "2024-10-09",
		"1 października 2024":       "2024-10-01",
		"14 srpna 2024":             "2024-08-14",
		"29 Şubat 2024":             "2024-02-29",
		"3 Aralık 2024":             "2024-12-03",
		"17 Agustus 2024":           "2024-08-17",
		"20 noiembrie 2024":         "2024-11-20",
		"29 février 2023":           "2023-02-00", // no leap year: the month is left
		"29 février, 3 h":           "0000-02-29",
		"31 avril":                  "",
		"4th day of July 2024":      "2024-07-04",
		"the 22nd of May 2024":      "2024-05-22",
		"Mayor 12, 2024":            "",
		"set of 12":                 "",
		"out 12":                    "",
		"Marc 3, 2024":              "",
		"0ctober 1, 2024, room 101": "2024-10-01",
	} {
		if got := shown(printed, MonthFirst); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

func TestFindDates_forms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, want string
		order         DateOrder
	}{
		{"2024/03/31", "2024-03-31", DayFirst},
		{"2024.03.31", "2024-03-31", MonthFirst},
		{"31 . 03 . 2024", "2024-03-31", MonthFirst},
		{"03.04.2024", "2024-04-03", MonthFirst}, // points are the day's first everywhere
		{"13/01/24", "2024-01-13", MonthFirst},   // read whatever the order
		{"01/13/24", "2024-01-13", DayFirst},
		{"06/01/2024-06/30/2024", "2024-06-01 2024-06-30", MonthFirst},
		{"04/05/24 05/05/24", "2024-05-04 2024-05-05", DayFirst},
		{"08-02 GROCER", "0000-08-02", MonthFirst},
		{"08-02 GROCER", "0000-02-08", DayFirst},
		{"Invoice 08-02", "", MonthFirst}, // only where a row's date stands
		{"Mar-31-2024", "2024-03-31", MonthFirst},
		{"MAR31/24", "2024-03-31", MonthFirst},
		{"15/03", "0000-03-15", MonthFirst},
		{"13/13/2024", "", MonthFirst},
		{"00/10/2024", "", MonthFirst},
		{"10/00/2024", "", DayFirst},
		{"12/31/1850", "", MonthFirst},
		{"3/31.50", "", MonthFirst},
		{"1/2/3/4", "", MonthFirst},
		{"$12/31", "", MonthFirst},
		{"12.31.24", "", MonthFirst}, // no month 31
		{"A12/31/2024", "", MonthFirst},
		{"1234/31/2024", "", MonthFirst},
		{"12/31/20245", "", MonthFirst},
	} {
		if got := shown(c.printed, c.order); got != c.want {
			t.Errorf("%q: %q, want %q", c.printed, got, c.want)
		}
	}
}

func TestDate_calendar(t *testing.T) {
	t.Parallel()
	for d, want := range map[Date]bool{{2024, 2, 29}: true, {2023, 2, 29}: false, {0, 2, 29}: true, {1900, 2, 29}: false,
		{2000, 2, 29}: true, {2024, 13, 1}: false, {2024, 0, 1}: false, {2024, 4, 31}: false, {2024, 4, 0}: true,
		{0, 4, 0}: false, {1899, 1, 1}: false, {2101, 1, 1}: false, {2024, 1, -1}: false} {
		if d.Valid() != want {
			t.Errorf("%v: %v", d, d.Valid())
		}
	}
	for _, c := range []struct{ got, want Date }{
		{Date{2024, 2, 10}.EndOfMonth(), Date{2024, 2, 29}},
		{Date{2023, 12, 1}.EndOfMonth(), Date{2023, 12, 31}},
		{Date{2024, 2, 28}.AddDays(2), Date{2024, 3, 1}},
		{Date{2024, 1, 1}.AddDays(-1), Date{2023, 12, 31}},
		{DateOf(time.Date(2024, 6, 7, 23, 0, 0, 0, time.UTC)), Date{2024, 6, 7}},
		{Date{0, 1, 20}.WithYear(Date{2024, 1, 14}), Date{2024, 1, 20}}, // within a week of the end
		{Date{0, 1, 25}.WithYear(Date{2024, 1, 14}), Date{2023, 1, 25}},
		{Date{0, 2, 29}.WithYear(Date{2023, 3, 14}), Date{2023, 2, 29}}, // which is not complete
		{Date{1999, 1, 25}.WithYear(Date{2024, 1, 14}), Date{1999, 1, 25}},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if (Date{2023, 2, 29}).Complete() || !(Date{2024, 2, 29}).Complete() || (Date{0, 2, 29}).Complete() {
		t.Error("a day is complete that its year has not, or without a year")
	}
	for y, want := range map[int]int{0: 2000, 24: 2024, 50: 2050, 51: 1951, 99: 1999} {
		if got := ExpandYear(y); got != want {
			t.Errorf("%02d: %d, want %d", y, got, want)
		}
	}
}

// The order of a paper is its own dates', else its country's, else that of the file it is in.
func TestOrderOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  DateOrder
	}{
		"a day above twelve":         {[]string{"13/02/2024", "01/02/2024"}, DayFirst},
		"an American day":            {[]string{"02/13/2024", "£12"}, MonthFirst},
		"both, the more":             {[]string{"13/02/2024 14/02/2024", "02/13/2024"}, DayFirst},
		"pounds":                     {[]string{"Balance £12.00", "01/02/2024"}, DayFirst},
		"a sort code":                {[]string{"Sort code 20-11-43", "01/02/2024"}, DayFirst},
		"words of Spain":             {[]string{"Fecha", "Saldo", "01/02/2024"}, DayFirst},
		"Spanish in Texas":           {[]string{"Fecha", "Saldo", "AUSTIN, TX 78701"}, MonthFirst},
		"one foreign word":           {[]string{"Saldo", "01/02/2024"}, MonthFirst},
		"nothing":                    {[]string{"Hello"}, MonthFirst},
		"phone numbers say no order": {[]string{"13-13-2024"}, MonthFirst},
	} {
		var p Page
		for i, s := range c.lines {
			for _, token := range rowOf(MethodText, strings.Fields(s)...).Tokens {
				token.Y0, token.Y1 = token.Y0+20*float64(i), token.Y1+20*float64(i)
				p.Tokens = append(p.Tokens, token)
			}
		}
		if got := OrderOf([]Page{p}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := OrderIn([]Page{{Tokens: rowOf(MethodText, "01/02/2024").Tokens}}, DayFirst); got != DayFirst {
		t.Error("a part that says nothing is not as the whole")
	}
}

// Dates of cards are read where OCR made letters of their figures, or where the month stands twice.
func TestAcceptCardDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method string
		words  []string
		want   string
	}{
		{MethodOCR, []string{"O4/22/2O29"}, "2029-04-22"},
		{MethodText, []string{"O4/22/2O29"}, ""},
		{MethodText, []string{"12", "JUNE/JUIN", "84"}, "1984-06-12"},
		{MethodText, []string{"10", "MAA/MAR", "2021"}, "2021-03-10"},
		{MethodText, []string{"14", "11", "1969"}, "1969-11-14"},
		{MethodText, []string{"14", "31", "1969"}, ""},
		{MethodText, []string{"a", "b", "c", "12/31/2024"}, ""}, // too far from its caption
		{MethodText, []string{":", "12/31/2024"}, "2024-12-31"},
		{MethodText, []string{"March", "2024"}, ""}, // no day
	} {
		got, _, ok := AcceptCardDate(MonthFirst)(rowOf(c.method, c.words...).Tokens)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%v: %q, %v, want %q", c.words, got, ok, c.want)
		}
	}
}

func TestFindPeriods_languages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ printed, want string }{
		{"du 01/03/2024 au 31/03/2024", "2024-03-01 2024-03-31"},
		{"vom 01.03.2024 bis 31.03.2024", "2024-03-01 2024-03-31"},
		{"01.03.2024 - 31.03.2024", "2024-03-01 2024-03-31"},
		{"del 1 de marzo de 2024 al 31 de marzo de 2024", "2024-03-01 2024-03-31"},
		{"de 01/03/2024 a 31/03/2024", "2024-03-01 2024-03-31"},
		{"01-03-2024 t/m 31-03-2024", "2024-03-01 2024-03-31"},
		{"1 March 2024 to 31 March 2024", "2024-03-01 2024-03-31"},
		{"31/03/2024 to 01/03/2024", ""}, // backwards
		{"01/03/2024 paid 31/03/2024", ""},
		{"March 2024 to 31 March 2024", ""}, // no first day
		{"29 February to 31 March 2023", ""},
		{"29 February to 31 March 2024", "2024-02-29 2024-03-31"},
		{"1st - 30th June 2024", "2024-06-01 2024-06-30"},
		{"31 - 30 June 2024", ""},
		{"June 1 to 30, 2024", "2024-06-01 2024-06-30"},
		{"June 1 - 31, 2024", ""}, // no such day
	} {
		got := ""
		for _, p := range FindPeriods(c.printed, DayFirst) {
			got += fmt.Sprint(p.Start, " ", p.End)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.printed, got, c.want)
		}
	}
}
