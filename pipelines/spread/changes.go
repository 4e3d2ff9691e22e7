package spread

import "github.com/dossierhq/dossier"

// Change is a cell of a spread whose figure is another than before. Before is nil of one that was not there, After
// of one that is not there any more.
type Change struct {
	Statement string
	PeriodID  string
	Row       string
	Before    *dossier.Figure
	After     *dossier.Figure
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
		change := Change{statement, period, row.Key, &dossier.Figure{Decimal: row.Value.Decimal}, nil}
		if now, there := is.Get(row.Key); there {
			if now.Equal(row.Value.Decimal) {
				continue
			}
			change.After = &dossier.Figure{Decimal: now}
		}
		changes = append(changes, change)
	}
	for _, row := range is {
		if _, there := was.Get(row.Key); !there {
			changes = append(changes, Change{statement, period, row.Key, nil,
				&dossier.Figure{Decimal: row.Value.Decimal}})
		}
	}
	return changes
}
