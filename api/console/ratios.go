package console

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

type ratioTable struct {
	PeriodID string
	Values   []struct {
		Key, Label, Group, Format, Formula string
		Value                              *json.Number
		Reason                             *string
	}
}

// ratioGrid is the ratios of all periods beside each other.
type ratioGrid struct {
	Periods []spreadPeriod
	Rows    []ratioRow
}

type ratioRow struct {
	Key, Label string
	Cells      []ratioCell
}

// ratioCell is a ratio, or why there is none.
type ratioCell struct{ Value, Why string }

// ratioGridOf arranges the ratios by the columns of the statements.
func ratioGridOf(tables []ratioTable, columns []spreadPeriod) *ratioGrid {
	var own []spreadPeriod
	for _, t := range tables {
		own = append(own, spreadPeriod{ID: t.PeriodID})
	}
	g := &ratioGrid{Periods: alignColumns(columns, own)}
	place := map[string]int{}
	for _, t := range tables {
		column := slices.IndexFunc(g.Periods, func(p spreadPeriod) bool { return p.ID == t.PeriodID })
		for _, r := range t.Values {
			at, known := place[r.Key]
			if !known {
				at, place[r.Key] = len(g.Rows), len(g.Rows)
				g.Rows = append(g.Rows, ratioRow{r.Key, r.Label, make([]ratioCell, len(g.Periods))})
			}
			c := &g.Rows[at].Cells[column]
			if r.Value != nil {
				c.Value = ratioWords(*r.Value, r.Format)
			}
			if r.Reason != nil {
				c.Why = *r.Reason
			}
		}
	}
	if len(g.Rows) == 0 {
		return nil
	}
	return g
}

// ratioWords writes a ratio in its template's format: a share in percent, a multiple with an x, days, or money.
func ratioWords(n json.Number, format string) string {
	value, err := decimal.NewFromString(n.String())
	if err != nil {
		return n.String()
	}
	switch {
	case strings.HasSuffix(format, "%"):
		return accountant(value.Shift(2).StringFixed(places(format))) + "%"
	case format == "money":
		return accountant(value.StringFixed(2))
	}
	return accountant(value.StringFixed(places(format))) + strings.TrimLeft(format, "0.")
}

// places are the decimals of a format like 0.00x.
func places(format string) int32 {
	_, after, _ := strings.Cut(format, ".")
	return int32(strings.Count(after, "0"))
}
