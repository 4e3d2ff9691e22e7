package spread

import (
	"encoding/json"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Change is a cell of a spread whose figure is another than before. Before is nil of one that was not there, After
// of one that is not there any more.
type Change struct {
	Statement      string
	PeriodID       string
	Row            string
	PartyID        *dossier.PartyID // of a global spread: whose row it is; nil: everybody's
	CounterpartyID *dossier.PartyID
	Before         *json.Number // with 2 places, a ratio with 4
	After          *json.Number
}

// Changes lists the cells in which two results differ: by statement, then the columns of before and those that only
// after has, each in template order. Figures that are equal in value are no change, whatever they are made of.
func Changes(before, after dossier.SpreadResults) []Change {
	var changes []Change
	for _, name := range []string{"incomeStatement", "balanceSheet", "cashFlow"} {
		was, is := before.Statements.Named(name), after.Statements.Named(name)
		for _, p := range was.Periods {
			var now dossier.SpreadValues
			if same := is.Period(p.ID); same != nil {
				now = same.Values
			}
			changes = appendChanges(changes, name, p.ID, p.Values, now)
		}
		for _, p := range is.Periods {
			if was.Period(p.ID) == nil {
				changes = appendChanges(changes, name, p.ID, nil, p.Values)
			}
		}
	}
	return changes
}

func appendChanges(changes []Change, statement, period string, was, is dossier.SpreadValues) []Change {
	for _, row := range was {
		change := Change{Statement: statement, PeriodID: period, Row: row.Key,
			Before: places(row.Value.Decimal)}
		if now, there := is.Get(row.Key); there {
			if now.Equal(row.Value.Decimal) {
				continue
			}
			change.After = places(now)
		}
		changes = append(changes, change)
	}
	for _, row := range is {
		if _, there := was.Get(row.Key); !there {
			changes = append(changes, Change{Statement: statement, PeriodID: period, Row: row.Key,
				After: places(row.Value.Decimal)})
		}
	}
	return changes
}

// GlobalChanges lists the rows in which two results of a global spread differ: the years of before, then those that
// only after has, each in the order of its rows.
func GlobalChanges(before, after dossier.GlobalResults) []Change {
	var changes []Change
	for _, p := range before.Periods {
		rows := rowsOfYear(after, p.ID)
		for _, row := range p.Rows {
			changes = appendMoved(changes, p.ID, row, globalFigure(&row), globalFigure(sameRow(rows, row)))
		}
	}
	for _, p := range after.Periods {
		rows := rowsOfYear(before, p.ID)
		for _, row := range p.Rows {
			if sameRow(rows, row) == nil {
				changes = appendMoved(changes, p.ID, row, nil, globalFigure(&row))
			}
		}
	}
	return changes
}

func appendMoved(changes []Change, year string, row dossier.GlobalRow, before, after *json.Number) []Change {
	if (before == nil) == (after == nil) && (before == nil || sameNumber(*before, *after)) {
		return changes
	}
	return append(changes, Change{"global", year, row.Key, row.PartyID, row.CounterpartyID, before, after})
}

func rowsOfYear(r dossier.GlobalResults, id string) []dossier.GlobalRow {
	for _, p := range r.Periods {
		if p.ID == id {
			return p.Rows
		}
	}
	return nil
}

// sameRow finds the row of the same key and parties; nil when there is none.
func sameRow(rows []dossier.GlobalRow, row dossier.GlobalRow) *dossier.GlobalRow {
	same := func(a, b *dossier.PartyID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	for i := range rows {
		if r := &rows[i]; r.Key == row.Key && same(r.PartyID, row.PartyID) &&
			same(r.CounterpartyID, row.CounterpartyID) {
			return r
		}
	}
	return nil
}

func globalFigure(row *dossier.GlobalRow) *json.Number {
	if row == nil {
		return nil
	}
	return row.Value
}

func sameNumber(a, b json.Number) bool {
	x, one := decimal.NewFromString(a.String())
	y, two := decimal.NewFromString(b.String())
	return one == nil && two == nil && x.Equal(y)
}

func places(d decimal.Decimal) *json.Number {
	number := json.Number(d.StringFixed(2))
	return &number
}
