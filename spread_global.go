package dossier

import (
	"encoding/json"

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
