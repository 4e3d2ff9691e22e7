package bankanalysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Transfer is money that moved between the lead's own accounts: both sides when both are shown, else the side
// whose description says so.
type Transfer struct {
	Kind   string         `json:"kind"` // matched, described
	Amount dossier.Amount `json:"amount"`
	From   *int           `json:"fromEntry"`
	To     *int           `json:"toEntry"`
	Reason string         `json:"reason"`
}

// Counterparty is who money came from or went to, transfers left out. The ten largest each way.
type Counterparty struct {
	Name      string         `json:"name"`
	Direction string         `json:"direction"` // in, out
	Currency  *string        `json:"currency"`
	Total     Figure         `json:"total"`
	Count     int            `json:"count"`
	Share     dossier.Amount `json:"share"` // of all that came in or went out, 0 to 1, four places
}

const maxCounterparties = 10

// transferDays is how long the two sides of a transfer may lie apart: a weekend and a day.
const transferDays = 3

// findTransfers pairs what left one account with what reached another: same amount, at most transferDays apart, and a
// description that speaks of moving money, for equal amounts alone are chance. A side that names the other account is a
// transfer without its partner too: that account's statement is just not there.
func (b *analyzer) findTransfers() []Transfer {
	transfers := []Transfer{}
	paired := map[int]bool{}
	for i, e := range b.entries {
		if !e.Amount.IsNegative() || paired[i] {
			continue
		}
		j := b.partner(i, paired)
		if j < 0 {
			continue
		}
		paired[i], paired[j] = true, true
		from, to := i, j
		transfers = append(transfers, Transfer{"matched", twoPlaces(e.Amount.Abs()), &from, &to,
			fmt.Sprintf("%s left account %s on %s and reached account %s on %s", twoPlaces(e.Amount.Abs()), e.Account,
				e.Date, b.entries[j].Account, b.entries[j].Date)})
	}
	for i, e := range b.entries {
		if paired[i] || !describesTransfer(e.Description) {
			continue
		}
		paired[i] = true
		t := Transfer{Kind: "described", Amount: twoPlaces(e.Amount.Abs()),
			Reason: fmt.Sprintf("described as %q", e.Description)}
		at := i
		if e.Amount.IsNegative() {
			t.From = &at
		} else {
			t.To = &at
		}
		transfers = append(transfers, t)
	}
	for i := range b.entries {
		if paired[i] {
			b.entries[i].Flags = append(b.entries[i].Flags, flagTransfer)
		}
	}
	return transfers
}

// partner finds the nearest entry that may be the other side of entry i, -1 without one.
func (b *analyzer) partner(i int, paired map[int]bool) int {
	best, bestDays := -1, transferDays+1
	out := b.entries[i]
	for j, in := range b.entries {
		apart := int(b.days[j] - b.days[i])
		if apart < 0 {
			apart = -apart
		}
		if apart >= bestDays || paired[j] || in.Account == out.Account || !in.Amount.Equal(out.Amount.Neg()) ||
			b.currencyOf(in) != b.currencyOf(out) {
			continue
		}
		if sidesOfTransfer(out.Description, in.Description) {
			best, bestDays = j, apart
		}
	}
	return best
}

func (b *analyzer) currencyOf(e Entry) string {
	for _, a := range b.accounts {
		if a.id == e.Account {
			return dossier.Text(a.currency)
		}
	}
	return ""
}

// commonWords are what banks put around a counterparty's name.
var commonWords = text.WordSet(`ach pos debit credit card purchase checkcard check deposit deposits withdrawal payment
	pmt pymt pmnt web ppd ccd ctx tel recurring online electronic external
	orig co name id entry descr descrip description sec trace des indn eed desc date ref reference conf confirmation
	no number auth authorized on at to from the of for by and
	transaction trn transfer xfer wire zelle in out incoming outgoing preauthorized pre mobile visa mastercard bill
	pay billpay autopay auto dbt crd mth pur intl int ext inc llc corp ltd`)

// counterparty returns the name in a description: its first words that are not a bank's own and contain no digit, or
// the whole folded description when nothing is left.
func counterparty(description string) string {
	folded := text.Fold(description)
	var words []string
	for _, w := range strings.Fields(folded) {
		if commonWords[w] || strings.ContainsAny(w, "0123456789") || len(w) == 1 {
			continue
		}
		if words = append(words, w); len(words) == 3 {
			break
		}
	}
	if len(words) == 0 {
		return folded
	}
	return strings.Join(words, " ")
}

// counterparties totals the money received from and paid to each counterparty.
func (b *analyzer) counterparties() []Counterparty {
	type key struct{ name, direction, currency string }
	groups := map[key][]int{}
	all := map[key]decimal.Decimal{} // name "" : what came in or went out in a currency
	for i, e := range b.entries {
		if e.Amount.IsZero() || slices.Contains(e.Flags, flagTransfer) {
			continue
		}
		k := key{e.Counterparty, directionOf(e), b.currencyOf(e)}
		groups[k] = append(groups[k], i)
		whole := key{"", k.direction, k.currency}
		all[whole] = all[whole].Add(e.Amount.Abs())
	}
	list := []Counterparty{}
	for k, entries := range groups {
		c := Counterparty{Name: k.name, Direction: k.direction, Total: b.sum(entries), Count: len(entries)}
		if k.currency != "" {
			currency := k.currency
			c.Currency = &currency
		}
		c.Share = dossier.Amount{Decimal: c.Total.Value.DivRound(all[key{"", k.direction, k.currency}], 4)}
		list = append(list, c)
	}
	slices.SortFunc(list, func(x, y Counterparty) int {
		return cmp.Or(cmp.Compare(x.Direction, y.Direction),
			cmp.Compare(dossier.Text(x.Currency), dossier.Text(y.Currency)),
			y.Total.Value.Cmp(x.Total.Value.Decimal), cmp.Compare(x.Name, y.Name))
	})
	kept, rank := []Counterparty{}, map[string]int{}
	for _, c := range list {
		k := c.Direction + dossier.Text(c.Currency)
		if rank[k]++; rank[k] <= maxCounterparties {
			kept = append(kept, c)
		}
	}
	return kept
}

func directionOf(e Entry) string {
	if e.Amount.IsNegative() {
		return "out"
	}
	return "in"
}
