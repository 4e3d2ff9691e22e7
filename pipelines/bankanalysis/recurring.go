package bankanalysis

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Recurring is a repeated payment to or from one counterparty.
type Recurring struct {
	Name      string         `json:"name"`
	Kind      string         `json:"kind"`      // loan, rent, payroll, tax, insurance, utility, card, other
	Direction string         `json:"direction"` // in, out
	Frequency string         `json:"frequency"` // daily, weekly, biweekly, monthly, quarterly
	Account   string         `json:"account"`
	Typical   dossier.Amount `json:"typicalAmount"` // the median
	Varies    bool           `json:"amountVaries"`  // by more than a tenth of the median
	Total     Figure         `json:"total"`
	Count     int            `json:"count"`
	First     string         `json:"first"`
	Last      string         `json:"last"`
}

// frequencies are the intervals in days between payments; at least as many payments must be there. Two months
// of statements show rent twice, so a payment whose description says what it is needs two only.
var frequencies = []struct {
	name      string
	low, high int
	least     int
}{
	{"daily", 1, 4, 6}, {"weekly", 5, 9, 4}, {"biweekly", 12, 17, 3}, {"monthly", 25, 36, 3}, {"quarterly", 84, 98, 3},
}

// findRecurring finds payments with one counterparty, on one account, in one direction, whose intervals are
// even. Transfers are none.
func (b *analyzer) findRecurring() []Recurring {
	type key struct{ account, name, direction string }
	groups := map[key][]int{}
	for i, e := range b.entries {
		if !e.Amount.IsZero() && !slices.Contains(e.Flags, flagTransfer) && !slices.Contains(e.Flags, flagNSF) {
			k := key{e.Account, e.Counterparty, directionOf(e)}
			groups[k] = append(groups[k], i)
		}
	}
	list := []Recurring{}
	for k, entries := range groups {
		kind := b.kindOf(entries)
		frequency := b.frequencyOf(entries, kind)
		if frequency == "" {
			continue
		}
		r := Recurring{Name: k.name, Kind: kind, Direction: k.direction, Frequency: frequency, Account: k.account,
			Total: b.sum(entries), Count: len(entries),
			First: b.entries[entries[0]].Date, Last: b.entries[entries[len(entries)-1]].Date}
		r.Typical, r.Varies = b.typical(entries)
		if r.Varies && kind == "other" {
			continue // shops are visited evenly too; without a known kind only even amounts are an obligation
		}
		for _, i := range entries {
			b.entries[i].Flags = append(b.entries[i].Flags, flagRecurring)
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(x, y Recurring) int {
		return cmp.Or(cmp.Compare(x.Direction, y.Direction), y.Total.Value.Cmp(x.Total.Value.Decimal),
			cmp.Compare(x.Name, y.Name), cmp.Compare(x.Account, y.Account))
	})
	return list
}

// kindOf returns the first kind that the description of one of the entries names.
func (b *analyzer) kindOf(entries []int) string {
	for _, i := range entries {
		if kind := kindOf(b.entries[i].Description); kind != "other" {
			return kind
		}
	}
	return "other"
}

// frequencyOf returns the frequency that at least four fifths of the intervals between payments match, or "".
func (b *analyzer) frequencyOf(entries []int, kind string) string {
	for _, f := range frequencies {
		least := f.least
		if kind != "other" && f.low >= 25 {
			least = 2
		}
		if len(entries) < least {
			continue
		}
		even := 0
		for n := 1; n < len(entries); n++ {
			if gap := int(b.days[entries[n]] - b.days[entries[n-1]]); gap >= f.low && gap <= f.high {
				even++
			}
		}
		if even*5 >= (len(entries)-1)*4 {
			return f.name
		}
	}
	return ""
}

// typical returns the median amount of entries, and whether one differs from it by more than a tenth.
func (b *analyzer) typical(entries []int) (dossier.Amount, bool) {
	sizes := make([]decimal.Decimal, len(entries))
	for n, i := range entries {
		sizes[n] = b.entries[i].Amount.Abs()
	}
	slices.SortFunc(sizes, func(x, y decimal.Decimal) int { return x.Cmp(y) })
	median := sizes[len(sizes)/2]
	tenth := median.Shift(-1)
	varies := median.Sub(sizes[0]).GreaterThan(tenth) || sizes[len(sizes)-1].Sub(median).GreaterThan(tenth)
	return twoPlaces(median), varies
}
