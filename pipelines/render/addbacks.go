package render

import (
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// addBack is a line that an analyst may take out of the earnings, and what its printed caption must say for that.
type addBack struct {
	key     string
	printed *regexp.Regexp
	why     string
}

var addBacks = []addBack{
	{"officersCompensation", regexp.MustCompile(`(?i)\b(?:officers?|owners?|shareholders?|partners?|members?` +
		`|directors?|guaranteed)\b`),
		"owner pay, as far as it is above a market salary"},
	{"gainLossOnAssetSales", regexp.MustCompile(`(?i)\b(?:gains?|loss(?:es)?|sale|disposals?|disposition)\b`),
		"one-time gain (taken off) or loss (added)"},
	{"rent", regexp.MustCompile(`(?i)\b(?:related|affiliates?|affiliated|shareholders?|stockholders?|owners?` +
		`|officers?|members?|partners?)\b`),
		"rent paid to a related party, as far as it is above market"},
	{"otherExpenses", oneTime, "one-time item"},
	{"otherOperatingExpenses", oneTime, "one-time item"},
}

// oneTime are words of costs that do not come again.
var oneTime = regexp.MustCompile(`(?i)\b(?:one[\s-]time|non[\s-]?recurring|extraordinary|unusual|settlements?` +
	`|casualty|restructuring|` +
	`impairments?|relocation|write[\s-]?(?:off|down)s?|closing|severance)\b`)

// evidence is what a period prints under captions that speak of the matter, and the captions; nothing when none does: a
// figure alone is no reason to suggest anything.
func (b addBack) evidence(period dossier.SpreadPeriod) (amount decimal.Decimal, captions string) {
	var said []string
	for _, v := range period.Values {
		if v.Key != b.key || v.Doubtful() {
			continue
		}
		for _, source := range v.Sources {
			if b.printed.MatchString(source.Caption) {
				said = append(said, source.Caption)
			}
		}
		if len(said) > 0 && len(said) == len(v.Sources) {
			amount = v.Value.Decimal
		}
	}
	if amount.IsZero() {
		return amount, ""
	}
	return amount, strings.Join(said, "; ")
}
