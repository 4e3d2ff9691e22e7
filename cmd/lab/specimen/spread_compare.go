package specimen

import (
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// Compared counts the figures of a spread that are as the books have them.
type Compared struct {
	Right, Tested int
	Misses        []string
}

func (c *Compared) miss(format string, args ...any) {
	c.Misses = append(c.Misses, fmt.Sprintf(format, args...))
}

// Compare holds results against the books, figure by figure: every row of the template that is expected, or there.
func (s Spread) Compare(t *layout.Template, r dossier.SpreadResults) Compared {
	var c Compared
	for _, part := range []struct {
		statement string
		want      []SpreadPeriod
	}{{"incomeStatement", s.Income}, {"balanceSheet", s.Balance}, {"cashFlow", s.CashFlow}} {
		byID := map[string]dossier.SpreadPeriod{}
		for _, p := range r.Statements.Named(part.statement).Periods {
			byID[p.ID] = p
		}
		for _, want := range part.want {
			p, ok := byID[want.ID]
			delete(byID, want.ID)
			switch {
			case ok:
				s.compare(&c, t, part.statement, want, p)
			case !want.Optional:
				c.Tested += len(want.Values)
				c.miss("%s has no period %s", part.statement, want.ID)
			}
		}
		for id := range byID {
			c.miss("%s has a period %s that nobody expects", part.statement, id)
		}
	}
	return c
}

func (s Spread) compare(c *Compared, t *layout.Template, statement string, want SpreadPeriod,
	p dossier.SpreadPeriod) {
	for _, row := range t.Of(statement) {
		value, have := p.Values.Get(row.Key)
		figure, listed := want.Values[row.Key]
		if !s.Tested(statement, row.Key) || !listed && (!have || value.IsZero()) {
			continue
		}
		c.Tested++
		if !value.Equal(figure.Decimal) {
			c.miss("%s %s %s = %s, want %s", statement, want.ID, row.Key, value, figure)
			continue
		}
		c.Right++
	}
	if p.Annualized != want.Annualized || want.DerivedFrom != "" && (p.DerivedFrom == nil ||
		*p.DerivedFrom != want.DerivedFrom) {
		c.miss("%s %s: annualized %t from %v", statement, want.ID, p.Annualized, p.DerivedFrom)
	}
}

// SpreadFaults lists what no spread may have, whatever its documents say: a subtotal, total or variance that its rows
// do not give, and a figure from documents that names no page.
func SpreadFaults(t *layout.Template, r dossier.SpreadResults) []string {
	var faults []string
	for _, statement := range []string{"incomeStatement", "balanceSheet", "cashFlow"} {
		for _, p := range r.Statements.Named(statement).Periods {
			for _, v := range p.Values {
				row := t.Row(statement, v.Key)
				traced := len(v.Sources) > 0 && v.Sources[0].DocumentID != "" && v.Sources[0].Page > 0 &&
					v.Sources[0].Text != ""
				if row.Formula.Empty() {
					if !traced {
						faults = append(faults, fmt.Sprintf("%s %s %s = %s has no source", statement, p.ID, v.Key,
							v.Value))
					}
					continue
				}
				if row.Computed == "fallback" && traced {
					continue // printed, where the documents show none of its rows
				}
				sum := row.Formula.Eval(layout.FormulaScope{Ref: func(key string) layout.Operand {
					amount, have := p.Values.Get(key)
					return layout.Operand{Amount: amount, Present: have}
				}})
				if !sum.Amount.Equal(v.Value.Decimal) {
					faults = append(faults, fmt.Sprintf("%s %s: %s is %s, its rows give %s", statement, p.ID, v.Key,
						v.Value, sum.Amount))
				}
			}
		}
	}
	return faults
}
