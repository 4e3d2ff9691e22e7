package text

import "testing"

func TestFindDates(t *testing.T) {
	tests := []struct {
		text  string
		order DateOrder
		want  string // empty: no date; yearless as 0000-MM-DD
	}{
		{"March 31, 2001", MonthFirst, "2001-03-31"},
		{"03/31/2001", MonthFirst, "2001-03-31"},
		{"3/31", MonthFirst, "0000-03-31"},
		{"03-31-2001", MonthFirst, "2001-03-31"},
		{"31 Mar 2001", MonthFirst, "2001-03-31"},
		{"31.03.2001", MonthFirst, "2001-03-31"},
		{"Mar 31, 01", MonthFirst, "2001-03-31"},
		{"31/03/2001", MonthFirst, "2001-03-31"},
		{"03/04/2001", DayFirst, "2001-04-03"},
		{"Oct '21", MonthFirst, "2021-10-00"},
		{"2001-03-31T10:00:00Z", MonthFirst, "2001-03-31"},
		{"31-Mar-01", MonthFirst, "2001-03-31"},
		{"31MAR2001", MonthFirst, "2001-03-31"},
		{"31 août 2001", MonthFirst, "2001-08-31"},
		{"Sep. 30, 2023", MonthFirst, "2023-09-30"},
		{"12/01/24", MonthFirst, "2024-12-01"},
		{"As of Mar 31, 2001 (PP)", MonthFirst, "2001-03-31"},
		{"04.03. 04.03. Lastschrift", DayFirst, "0000-03-04"},
		{"MAR 28/24", MonthFirst, "2024-03-28"},
		{"31/Marzo/2001", MonthFirst, "2001-03-31"},
		{"31/DIC/01", MonthFirst, "2001-12-31"},
		{"04/MAR 04/MAR", MonthFirst, "0000-03-04"},
		{"2001-Mar-31", MonthFirst, "2001-03-31"},
		{"0ctober 31, 2024", MonthFirst, "2024-10-31"},
		{"Year ended Ju1y 31, 2024", MonthFirst, "2024-07-31"},
		{"1Apr 2024", MonthFirst, "2024-04-01"},
		{"7 września 2024", MonthFirst, "2024-09-07"},
		{"12 Ağustos 2024", MonthFirst, "2024-08-12"},
		{"05 OUT 2024", MonthFirst, "2024-10-05"},
		{"paid out 12", MonthFirst, ""},
		{"OCT15", MonthFirst, "0000-10-15"},
		{"OCT155", MonthFirst, ""},
		{"02/30/2001", MonthFirst, ""},
		{"1-800-869-3557", MonthFirst, ""},
		{"3.14.15", MonthFirst, ""},
		{"$3/31", MonthFirst, ""},
		{"5/8%", MonthFirst, ""},
		{"maybe 12 of them", MonthFirst, ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			found := FindDates(tt.text, tt.order)
			got := ""
			if len(found) > 0 {
				got = found[0].Date.String()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFindPeriods(t *testing.T) {
	tests := []struct{ text, start, end string }{
		{"January 14, 2021 through February 10, 2021", "2021-01-14", "2021-02-10"},
		{"12/01/24 - 12/31/24", "2024-12-01", "2024-12-31"},
		{"For the period Dec 15 - Jan 14, 2024", "2023-12-15", "2024-01-14"},
		{"from 01/06/2023 to 30/06/2023", "2023-06-01", "2023-06-30"},
	}
	for _, tt := range tests {
		order := MonthFirst
		if tt.start == "2023-06-01" {
			order = DayFirst
		}
		p := FindPeriods(tt.text, order)
		if len(p) != 1 || p[0].Start.String() != tt.start || p[0].End.String() != tt.end {
			t.Errorf("%q: got %v", tt.text, p)
		}
	}
}

func TestDate_WithYear(t *testing.T) {
	end := Date{2024, 1, 14}
	if got := (Date{0, 12, 29}).WithYear(end).String(); got != "2023-12-29" {
		t.Errorf("December before a January end: %s", got)
	}
	if got := (Date{0, 1, 3}).WithYear(end).String(); got != "2024-01-03" {
		t.Errorf("January: %s", got)
	}
}

func FuzzFindDates(f *testing.F) {
	f.Add("March 31, 2001 through 3/31", true)
	f.Fuzz(func(t *testing.T, s string, dayFirst bool) {
		order := MonthFirst
		if dayFirst {
			order = DayFirst
		}
		for _, d := range FindDates(s, order) {
			if !d.Valid() || d.From >= d.To || d.To > len(s) {
				t.Errorf("%q: %+v", s, d)
			}
		}
		FindPeriods(s, order)
	})
}

// A date of a picture that lost one of its strokes is whole again; what is set is as it is.
func TestAcceptCardDate_lostStroke(t *testing.T) {
	for _, c := range []struct{ printed, method, want string }{
		{"11/021991", MethodOCR, "1991-11-02"}, {"1102/1991", MethodOCR, "1991-11-02"}, {"11021991", MethodOCR, ""},
		{"11/021991", MethodText, ""},
	} {
		got, _, _ := AcceptCardDate(MonthFirst)([]Token{{Text: c.printed, Method: c.method, Confidence: 1}})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.printed, got, c.want)
		}
	}
}
