package console

import (
	"cmp"
	"slices"
)

// columnsOf are the periods that any of the statements has, once each, in the template's order: by their end, the
// longest first, what is annualized behind its base.
func columnsOf(statements ...[]spreadPeriod) []spreadPeriod {
	var all []spreadPeriod
	for _, periods := range statements {
		for _, p := range periods {
			if !hasPeriod(all, p.ID) {
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b spreadPeriod) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.Start, b.Start),
			cmp.Compare(len(a.ID), len(b.ID)))
	})
	return all
}

// alignColumns gives a statement the columns of all statements, so that figures of one year stand above each other. A
// column that own lacks is marked absent.
func alignColumns(columns, own []spreadPeriod) []spreadPeriod {
	var found []spreadPeriod
	for _, c := range columns {
		i := slices.IndexFunc(own, func(p spreadPeriod) bool { return p.ID == c.ID })
		if i < 0 {
			found = append(found, spreadPeriod{ID: c.ID, Absent: true})
			continue
		}
		found = append(found, own[i])
		found[len(found)-1].Label = cmp.Or(own[i].Label, c.Label)
	}
	return found
}

func hasPeriod(list []spreadPeriod, id string) bool {
	return slices.ContainsFunc(list, func(p spreadPeriod) bool { return p.ID == id })
}
