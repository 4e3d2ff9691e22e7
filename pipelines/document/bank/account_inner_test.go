package bank

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The total of a day is no part of the statement's.
func TestAccount_takesTotalsOnce(t *testing.T) {
	var a account
	n := int64(0)
	for _, caption := range []string{"Total de entradas", "05 MAR 2024 Total de entradas", "09 MAR Total de entradas"} {
		n++
		a.take(bankItem{captionRead: captionRead{kind: bankDeposits}, caption: caption,
			money: text.Money{Value: dossier.Amount{Decimal: decimal.New(n, 2)}}})
	}
	if len(a.items) != 1 {
		t.Errorf("%d amounts taken, want 1", len(a.items))
	}
}
