package render

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// TestAddBacks_rest_on_print: a figure alone suggests nothing; its printed caption must speak of the matter.
func TestAddBacks_rest_on_print(t *testing.T) {
	figure := func(key, caption string) dossier.SpreadPeriod {
		return dossier.SpreadPeriod{Values: dossier.SpreadValues{{Key: key,
			Value: dossier.Figure{Decimal: decimal.New(90000, 0)}, Sources: []dossier.SpreadSource{{Caption: caption}}}}}
	}
	for _, tc := range []struct {
		key, caption string
		suggested    bool
	}{
		{"rent", "Rent or lease of buildings", false},
		{"rent", "Rent", false},
		{"rent", "Rent - related party", true},
		{"rent", "Rent paid to shareholder", true},
		{"otherExpenses", "Other miscellaneous expense", false},
		{"otherExpenses", "Settlement of lawsuit", true},
		{"otherOperatingExpenses", "Restructuring charges", true},
		{"otherOperatingExpenses", "Dues and subscriptions", false},
		{"officersCompensation", "Officers' salaries", true},
		{"gainLossOnAssetSales", "Gain on sale of equipment", true},
	} {
		found := false
		for _, b := range addBacks {
			if amount, caption := b.evidence(figure(tc.key, tc.caption)); !amount.IsZero() {
				found = caption == tc.caption
			}
		}
		if found != tc.suggested {
			t.Errorf("%s %q: suggested %v, want %v", tc.key, tc.caption, found, tc.suggested)
		}
	}
}

// TestAddBacks_need_every_source: what only a part of a figure's captions speaks of is no amount to take out.
func TestAddBacks_need_every_source(t *testing.T) {
	no := false
	period := dossier.SpreadPeriod{Values: dossier.SpreadValues{{Key: "rent", Value: dossier.Figure{Decimal: decimal.New(90000, 0)},
		Sources: []dossier.SpreadSource{{Caption: "Rent - affiliate"}, {Caption: "Storage rent"}}}}}
	if amount, _ := addBacks[2].evidence(period); !amount.IsZero() {
		t.Errorf("%s of rent is suggested, of which a part is paid to a stranger", amount)
	}
	period.Values[0].Sources = period.Values[0].Sources[:1]
	period.Values[0].Reliable, period.Values[0].Computed = &no, true
	if amount, _ := addBacks[2].evidence(period); !amount.IsZero() {
		t.Errorf("%s is suggested though it is not reliable", amount)
	}
}
