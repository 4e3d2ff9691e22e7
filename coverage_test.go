package dossier

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func day(t testing.TB, s string) Day {
	t.Helper()
	d, ok := ParseDay(s)
	if !ok {
		t.Fatalf("%q is not a date", s)
	}
	return d
}

func span(t testing.TB, from, to string) Span { return Span{day(t, from), day(t, to)} }

func TestSpan_Months(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		want           int
	}{
		{"calendar month", "2024-12-01", "2024-12-31", 1},
		{"February", "2023-02-01", "2023-02-28", 1},
		{"cycle of 29 days", "2021-07-14", "2021-08-11", 1},
		{"cycle of 28 days over a long month", "2021-01-14", "2021-02-10", 1},
		{"cycle over mid-February", "2023-02-16", "2023-03-15", 1},
		{"cycle of 33 days", "2024-05-10", "2024-06-11", 1},
		{"half a month", "2024-08-01", "2024-08-14", 0},
		{"three weeks", "2024-08-01", "2024-08-21", 0},
		{"a month and a half", "2024-08-01", "2024-09-15", 1},
		{"two calendar months", "2024-07-01", "2024-08-31", 2},
		{"three cycles of four weeks", "2024-07-01", "2024-09-22", 3},
		{"quarter", "2024-01-01", "2024-03-31", 3},
		{"from the last day of a month", "2024-01-31", "2024-04-29", 3},
		{"eleven months are not a year", "2024-01-01", "2024-11-30", 11},
		{"year", "2024-01-01", "2024-12-31", 12},
		{"one day", "2024-01-01", "2024-01-01", 0},
		{"turned around", "2024-02-01", "2024-01-01", 0},
	} {
		if got := span(t, c.from, c.to).Months(); got != c.want {
			t.Errorf("%s: %s to %s holds %d months, want %d", c.name, c.from, c.to, got, c.want)
		}
	}
}

func TestSpan_WithQuietEdges(t *testing.T) {
	for _, c := range []struct {
		name, from, to, today, want string
		months                      int
	}{
		{"two weeks inside a month", "2022-08-04", "2022-08-17", "2026-01-01", "2022-08-01 to 2022-08-31", 1},
		{"the month is not over", "2022-08-04", "2022-08-17", "2022-08-18", "2022-08-01 to 2022-08-18", 0},
		{"three days", "2022-08-10", "2022-08-12", "2026-01-01", "2022-08-01 to 2022-08-26", 0},
		{"late July to mid August is not two months", "2022-07-28", "2022-08-17", "2026-01-01", "2022-07-14 to 2022-08-31", 1},
		{"an export of three months", "2022-06-02", "2022-08-29", "2026-01-01", "2022-06-01 to 2022-08-31", 3},
	} {
		got := span(t, c.from, c.to).WithQuietEdges(day(t, c.today))
		if got.String() != c.want || got.Months() != c.months {
			t.Errorf("%s: got %s with %d months, want %s with %d", c.name, got, got.Months(), c.want, c.months)
		}
	}
}

func TestJoinSpans(t *testing.T) {
	got := JoinSpans([]Span{
		span(t, "2024-03-01", "2024-03-31"),
		span(t, "2024-01-01", "2024-01-31"),
		span(t, "2024-02-03", "2024-02-28"), // two days open before, one after: a weekend
		span(t, "2024-01-10", "2024-01-20"), // inside another
		span(t, "2024-06-05", "2024-06-30"),
		span(t, "2024-07-04", "2024-07-31"), // three days open: a missing page of the story
	})
	want := []Span{
		span(t, "2024-01-01", "2024-03-31"),
		span(t, "2024-06-05", "2024-06-30"),
		span(t, "2024-07-04", "2024-07-31"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n", diff)
	}
}

// The union must not depend on the order of the documents, on duplicates, or on how a period is cut into
// statements, and must never cover a day that no document is near.
func TestJoinSpans_properties(t *testing.T) {
	spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Span {
		from := Day(rapid.IntRange(19000, 19400).Draw(t, "from"))
		return Span{from, from + Day(rapid.IntRange(-1, 70).Draw(t, "days"))}
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		in := spans.Draw(t, "spans")
		runs := JoinSpans(in)
		shuffled := rapid.Permutation(append(in, in...)).Draw(t, "shuffled")
		if diff := cmp.Diff(runs, JoinSpans(shuffled)); diff != "" {
			t.Fatalf("order or duplicates changed the union: -want +got\n%s", diff)
		}
		if diff := cmp.Diff(runs, JoinSpans(runs)); diff != "" {
			t.Fatalf("the union of the union differs: -want +got\n%s", diff)
		}
		covered := map[Day]bool{}
		for _, s := range in {
			for d := s.From; d <= s.To; d++ {
				covered[d] = true
			}
		}
		inRun := map[Day]bool{}
		for _, run := range runs {
			if !covered[run.From] || !covered[run.To] {
				t.Fatalf("run %s begins or ends on a day no span covers", run)
			}
			for d := run.From; d <= run.To; d++ {
				inRun[d] = true
				if !covered[d] && !covered[d-1] && !covered[d-2] {
					t.Fatalf("run %s bridges more than %d days at %s", run, joinGap, d)
				}
			}
		}
		for d := range covered {
			if !inRun[d] {
				t.Fatalf("%s is covered but in no run", d)
			}
		}
	})
}

// More days never mean fewer months, and n whole calendar months are n months wherever they begin.
func TestSpan_Months_properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := Day(rapid.IntRange(18000, 20000).Draw(t, "from"))
		n := rapid.IntRange(0, 30).Draw(t, "months")
		whole := Span{from, from.AddMonths(n) - 1}
		if got := whole.Months(); got != n {
			t.Fatalf("%s holds %d months, want %d", whole, got, n)
		}
		longer := Span{whole.From, whole.To + Day(rapid.IntRange(0, 90).Draw(t, "more"))}
		if longer.Months() < n {
			t.Fatalf("%s holds %d months, fewer than %s", longer, longer.Months(), whole)
		}
	})
}

func TestDay(t *testing.T) {
	for _, c := range []struct {
		from string
		n    int
		want string
	}{
		{"2024-01-31", 1, "2024-02-29"}, {"2023-01-31", 1, "2023-02-28"}, {"2024-02-29", 12, "2025-02-28"},
		{"2024-12-15", 1, "2025-01-15"}, {"2024-01-15", -1, "2023-12-15"}, {"1969-12-31", 2, "1970-02-28"},
	} {
		if got := day(t, c.from).AddMonths(c.n); got.String() != c.want {
			t.Errorf("%s + %d months = %s, want %s", c.from, c.n, got, c.want)
		}
	}
	for _, bad := range []string{"", "2024-02-30", "2024-1-1", "24-01-01", "2024-01-01T00:00:00Z"} {
		if d, ok := ParseDay(bad); ok {
			t.Errorf("ParseDay(%q) = %s", bad, d)
		}
	}
}
