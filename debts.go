package dossier

import (
	"slices"

	"github.com/shopspring/decimal"
)

// DebtKind is what a debt is.
type DebtKind string

// Kinds of debts.
const (
	DebtTermLoan     DebtKind = "term_loan"
	DebtLineOfCredit DebtKind = "line_of_credit"
	DebtMortgage     DebtKind = "mortgage"
	DebtLease        DebtKind = "lease"
	DebtCreditCard   DebtKind = "credit_card"
	DebtAuto         DebtKind = "auto"
	DebtStudent      DebtKind = "student"
	DebtOther        DebtKind = "other"
)

// Valid reports whether k is a kind.
func (k DebtKind) Valid() bool {
	return slices.Contains([]DebtKind{DebtTermLoan, DebtLineOfCredit, DebtMortgage, DebtLease, DebtCreditCard,
		DebtAuto, DebtStudent, DebtOther}, k)
}

// DebtFrequency is how often a debt is paid.
type DebtFrequency string

// Frequencies of payments.
const (
	DebtWeekly    DebtFrequency = "weekly"
	DebtMonthly   DebtFrequency = "monthly"
	DebtQuarterly DebtFrequency = "quarterly"
	DebtAnnually  DebtFrequency = "annually"
)

var paymentsAYear = map[DebtFrequency]int64{DebtWeekly: 52, DebtMonthly: 12, DebtQuarterly: 4, DebtAnnually: 1}

// Valid reports whether f is a frequency.
func (f DebtFrequency) Valid() bool { return paymentsAYear[f] != 0 }

// DebtSource says where a debt is known from.
type DebtSource string

// Sources of debts.
const (
	DebtStatement DebtSource = "statement"
	DebtManual    DebtSource = "manual"
)

// Valid reports whether s is a source.
func (s DebtSource) Valid() bool { return s == DebtStatement || s == DebtManual }

// MaxDebts is how many debts are kept of a lead.
const MaxDebts = 500

// Debt is what a party owes. Amounts are in the currency of the lead's spreads. Source: relationships.md section 3.
type Debt struct {
	ID         DebtID
	PartyID    PartyID
	Lender     string
	Kind       DebtKind
	Balance    decimal.Decimal
	Rate       *decimal.Decimal // percent a year
	Payment    decimal.Decimal  // each time
	Frequency  DebtFrequency
	Maturity   *string // YYYY-MM-DD
	Secured    bool
	Source     DebtSource
	DocumentID *DocumentID
}

// Annual is what is paid on the debt in a year.
func (d Debt) Annual() decimal.Decimal {
	return d.Payment.Mul(decimal.NewFromInt(paymentsAYear[d.Frequency]))
}
