package bank

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// undivided are currencies without a part that is counted, and milled those with thousandths (ISO 4217); all others
// have hundredths.
var (
	undivided = []string{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
		"VUV", "XAF", "XOF", "XPF"}
	milled = []string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
)

// setDecimalPlaces gives amounts and balances of cells two decimal places where the currency has them: a cell holds
// 1250.5 where a bank prints 1,250.50. Places that are printed stay.
func (b *bankReader) setDecimalPlaces() {
	if b.facts.Currency == nil || slices.Contains(undivided, *b.facts.Currency) ||
		slices.Contains(milled, *b.facts.Currency) {
		return
	}
	for i := range b.facts.Entries {
		e := &b.facts.Entries[i]
		twoPlaces(&e.Amount)
		twoPlaces(e.Balance)
	}
	if b.Pages[0].Unit() != dossier.UnitCell {
		return
	}
	f := b.facts
	for _, a := range []*dossier.Amount{f.OpeningBalance, f.ClosingBalance, f.AvailableBalance, f.TotalDeposits,
		f.TotalWithdrawals, f.TotalCredits, f.TotalDebits, f.Checks, f.ServiceFees, f.Interest, f.MinimumDailyBalance} {
		twoPlaces(a)
	}
	for _, a := range f.Accounts {
		for _, v := range []*dossier.Amount{a.OpeningBalance, a.Deposits, a.Withdrawals, a.Checks, a.Interest, a.Fees,
			a.ClosingBalance} {
			twoPlaces(v)
		}
	}
}

// twoPlaces adds the places that are missing.
func twoPlaces(a *dossier.Amount) {
	if a != nil && a.Exponent() > -2 {
		a.Decimal = decimal.RequireFromString(a.StringFixed(2))
	}
}
