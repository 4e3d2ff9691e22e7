package dossier

import (
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"
)

// SpreadScope says whose figures a spread has.
type SpreadScope string

// Scopes.
const (
	SpreadOfParty SpreadScope = "party"
	SpreadGlobal  SpreadScope = "global" // cash flow of all parties of a lead together
)

// SpreadDistributions says what an owner counts of a business of the file.
type SpreadDistributions string

// Ways to count.
const (
	DistributionsK1     SpreadDistributions = "k1"     // what Schedules K-1 say was distributed
	DistributionsEntity SpreadDistributions = "entity" // the owner's share of the business's cash available
)

// Valid reports whether d is one of them.
func (d SpreadDistributions) Valid() bool { return d == DistributionsK1 || d == DistributionsEntity }

// GlobalSchemaVersion is the version of the results of a global spread.
const GlobalSchemaVersion = 2

// GlobalResults are the results of a global spread. Source: relationships.md section 3.
type GlobalResults struct {
	SchemaVersion int            `json:"schemaVersion"`
	SpreadID      SpreadID       `json:"spreadId"`
	LeadID        LeadID         `json:"leadId"`
	Scope         SpreadScope    `json:"scope"`
	GeneratedAt   string         `json:"generatedAt"` // when these figures first came about
	Currency      string         `json:"currency"`
	Parties       []GlobalParty  `json:"parties"`
	Periods       []GlobalPeriod `json:"periods"`
}

// GlobalParty is a party with the spread that its figures are from; none of a person, whose figures are its returns'.
type GlobalParty struct {
	PartyID  PartyID   `json:"partyId"`
	Name     string    `json:"name"`
	SpreadID *SpreadID `json:"spreadId"`
}

// GlobalPeriod is a calendar year. A fiscal year belongs to the one it ends in.
type GlobalPeriod struct {
	ID    string      `json:"id"`
	Label string      `json:"label"`
	Start string      `json:"start"`
	End   string      `json:"end"`
	Rows  []GlobalRow `json:"rows"`
}

// GlobalRow is one row of one year. Value has 2 places, a ratio 4; nil: nothing in the file says it.
type GlobalRow struct {
	Key            string       `json:"key"`
	Label          string       `json:"label"`
	PartyID        *PartyID     `json:"partyId"`
	CounterpartyID *PartyID     `json:"counterpartyId,omitempty"` // of an elimination: who paid
	Value          *json.Number `json:"value"`
	Kind           string       `json:"kind"` // line, subtotal, total
	Computed       bool         `json:"computed"`
	// false: it rests on figures that no printed total confirms
	Reliable *bool          `json:"reliable,omitempty"`
	Sources  []GlobalSource `json:"sources"`
}

// GlobalSource is where a figure, or a part of one, is from: a paper, a spread, a debt.
type GlobalSource struct {
	DocumentID *DocumentID `json:"documentId,omitempty"`
	SpreadID   *SpreadID   `json:"spreadId,omitempty"`
	DebtID     *DebtID     `json:"debtId,omitempty"`
	Page       int         `json:"page,omitempty"`
	Caption    string      `json:"caption"`
	Text       string      `json:"text"` // as printed, or the amount
}

// Row finds a row of a period by its key and party; nil when there is none.
func (p *GlobalPeriod) Row(key string, party PartyID) *GlobalRow {
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Key == key && (r.PartyID == nil && party == "" || r.PartyID != nil && *r.PartyID == party) {
			return r
		}
	}
	return nil
}

// GlobalInput is what making a global spread needs.
type GlobalInput struct {
	Spread         Spread
	Parties        []LeadParty
	Edges          []OwnershipEdge
	Debts          []Debt
	Spreads        map[PartyID]SpreadResults // of each party the newest that is finished
	Files          []PartyFile               // the newest first
	LivingExpenses *decimal.Decimal
	Currency       string         // of the workspace
	Previous       *GlobalResults // of the last COMPLETE round
	Used           []DocumentID   // by the parties' spreads
}

// PartyFile is what a file of a lead says, with whose its parts are.
type PartyFile struct {
	ID    DocumentID
	Parts []ReadDocument
	Of    map[int]PartyID
}

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
