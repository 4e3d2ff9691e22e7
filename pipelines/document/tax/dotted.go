package tax

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// dottedThousands matches a figure with three places behind a point. The forms print whole dollars, or cents with two
// places: the point is a comma that OCR misread.
var dottedThousands = lazyregexp.New(`^[(-]{0,2}\d{1,3}(?:[.,]\d{3})+[.)]{0,2}$`)

// wholeThousands reads such a figure of a picture as what it was.
func wholeThousands(m text.Money, tokens []text.Token) text.Money {
	if len(tokens) != 1 || tokens[0].Method != text.MethodOCR || m.Places() != 3 ||
		!dottedThousands.MatchString(m.Text) {
		return m
	}
	digits := strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, m.Text)
	value, err := decimal.NewFromString(digits)
	if err != nil {
		return m
	}
	if m.Value.IsNegative() {
		value = value.Neg()
	}
	m.Value = dossier.Amount{Decimal: value}
	return m
}
