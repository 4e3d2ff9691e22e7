package bankanalysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// provenDay is the balance at the end of a day and the statement it was computed from.
type provenDay struct {
	dossier.DayBalance
	by *statement
}

// provenDays returns the end-of-day balances of an account, each day once. A statement whose entries do not lead from
// its opening to its closing balance gives none.
func (b *analyzer) provenDays(a *account) []provenDay {
	byDay := map[dossier.Day]provenDay{}
	for _, s := range a.statements {
		days, ok := s.facts.DailyBalances()
		if !ok {
			b.warnings = append(b.warnings,
				fmt.Sprintf("account %s: document %s does not prove its daily balances (%s)", a.id, s.document,
					s.whyUnproven()))
			continue
		}
		for _, d := range days {
			if _, proven := byDay[d.Day]; !proven { // a second copy of a statement changes nothing
				byDay[d.Day] = provenDay{d, s}
			}
		}
	}
	days := make([]provenDay, 0, len(byDay))
	for _, d := range byDay {
		days = append(days, d)
	}
	slices.SortFunc(days, func(x, y provenDay) int { return cmp.Compare(x.Day, y.Day) })
	return days
}

func (s *statement) whyUnproven() string {
	var missing []string
	if s.period.Days() == 0 {
		missing = append(missing, "no period")
	}
	if s.facts.OpeningBalance == nil {
		missing = append(missing, "no opening balance")
	}
	if !s.hasEntries {
		missing = append(missing, "no entries")
	}
	if len(missing) > 0 {
		return strings.Join(missing, ", ")
	}
	end := s.facts.OpeningBalance.Decimal
	for _, e := range s.facts.Entries {
		end = end.Add(e.Amount.Decimal)
	}
	if closing := s.facts.ClosingBalance; closing != nil && !end.Equal(closing.Decimal) {
		return fmt.Sprintf("its entries lead from %s to %s, the closing balance is %s", s.facts.OpeningBalance,
			twoPlaces(end), closing)
	}
	return "an entry lies outside its period"
}

// averageOf is the mean end-of-day balance, nil without days.
func (b *analyzer) averageOf(a *account, days []provenDay) *Figure {
	if len(days) == 0 {
		return nil
	}
	balances := make([]dossier.DayBalance, len(days))
	for i, d := range days {
		balances[i] = d.DayBalance
	}
	return b.withSources(a, days, Figure{Value: dossier.AverageBalance(balances),
		Formula: fmt.Sprintf("mean of %d end-of-day balances", len(days))})
}

// lowestOf is the lowest end-of-day balance, the first of equals, nil without days.
func (b *analyzer) lowestOf(a *account, days []provenDay) *Figure {
	if len(days) == 0 {
		return nil
	}
	low := slices.MinFunc(days, func(x, y provenDay) int { return x.Balance.Cmp(y.Balance.Decimal) })
	return b.withSources(a, []provenDay{low}, Figure{Value: low.Balance, Formula: "end of " + low.Day.String()})
}

// withSources adds to a figure over balances what it was computed from: the opening balances of the statements, and the
// entries up to the last of the days.
func (b *analyzer) withSources(a *account, days []provenDay, f Figure) *Figure {
	first, last := days[0].by.period.From, days[len(days)-1].Day
	var by []*statement
	for _, d := range days {
		if !slices.Contains(by, d.by) {
			by = append(by, d.by)
			f.Sources = append(f.Sources, d.by.source(d.by.prefix+"/openingBalance"))
			first = min(first, d.by.period.From)
		}
	}
	for _, i := range a.entries {
		if b.days[i] >= first && b.days[i] <= last {
			f.Entries = append(f.Entries, i)
		}
	}
	return &f
}
