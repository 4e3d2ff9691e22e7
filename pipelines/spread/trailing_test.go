package spread

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// The trailing twelve months are the last full year, without its months to date, with those of this year, and foot. A
// quarter within the year has none, nor has a year to date without last year's.
func TestTrailing(t *testing.T) {
	for _, b := range borrowers() {
		r, _ := consolidated(t, b)
		want := map[string]int{"interim_three_months": 1, "interim_six_months": 1, "interim_nine_months": 1}[b.Name]
		if len(r.Trailing) != want {
			t.Errorf("%s: %d trailing twelve months, want %d", b.Name, len(r.Trailing), want)
		}
		for _, x := range r.Trailing {
			checkTrailing(t, b.Name, r, x)
		}
	}
}

func checkTrailing(t *testing.T, name string, r dossier.SpreadResults, x dossier.SpreadTrailing) {
	t.Helper()
	start, _ := dossier.ParseDay(x.Start)
	end, _ := dossier.ParseDay(x.End)
	if !lengthOf(start, end).full() {
		t.Errorf("%s: %s to %s are no twelve months", name, x.Start, x.End)
	}
	part := func(period, key string) decimal.Decimal {
		v, _ := r.Statements.IncomeStatement.Period(period).Values.Get(key)
		return v
	}
	for _, v := range x.Values { // sums of sums: subtotals follow from the lines, and are those of the parts
		if want := part(x.Year, v.Key).Sub(part(x.Before, v.Key)).Add(part(x.Now, v.Key)); !v.Value.Equal(want) {
			t.Errorf("%s: %s of the trailing twelve months is %s, want %s", name, v.Key, v.Value, want)
		}
		if !v.Computed {
			t.Errorf("%s: %s is not marked computed", name, v.Key)
		}
	}
	if len(x.Values) < 10 {
		t.Errorf("%s: the trailing twelve months have %d rows", name, len(x.Values))
	}
}

// A column of twelve months that a document prints is a full year of its own: it keeps its dates and is not annualized,
// and stands in the place of the one that could be calculated.
func TestTrailing_printed(t *testing.T) {
	column := func(start, end string, months int, n int64) dossier.StatementColumn {
		return dossier.StatementColumn{Label: start, Start: &start, End: &end, Months: &months, Values: map[string]dossier.Amount{"grossRevenues": {Decimal: decimal.NewFromInt(n)}}}
	}
	for _, c := range []struct {
		printed  bool
		trailing int
	}{{false, 1}, {true, 0}} {
		r := adjustedBooks(t, func(in *Input) {
			columns := []dossier.StatementColumn{column("2024-01-01", "2024-12-31", 12, 100), column("2024-01-01", "2024-06-30", 6, 40), column("2025-01-01", "2025-06-30", 6, 70)}
			if c.printed {
				columns = append(columns, column("2024-07-01", "2025-06-30", 12, 130))
			}
			in.Documents[0].Parts[0].Facts.Statement.Statements.IncomeStatement = columns
		})
		if len(r.Trailing) != c.trailing {
			t.Fatalf("printed %t: %d trailing twelve months", c.printed, len(r.Trailing))
		}
		p := r.Statements.IncomeStatement.Period("2024-07-01_2025-06-30")
		if c.printed != (p != nil) || r.Statements.IncomeStatement.Period("2024-07-01_2025-06-30_annualized") != nil {
			t.Errorf("printed %t: periods %+v", c.printed, r.Statements.IncomeStatement.Periods)
		}
		if !c.printed {
			if v, _ := r.Trailing[0].Values.Get("netRevenues"); v.String() != "130" || r.Trailing[0].Start != "2024-07-01" {
				t.Errorf("trailing %+v", r.Trailing[0])
			}
		}
	}
}
