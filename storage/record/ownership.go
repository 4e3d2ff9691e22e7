package record

import (
	"encoding/json"

	"github.com/dossierhq/dossier"
)

// OwnershipEdge is a share of one party in another as it is shown (relationships.md section 2).
type OwnershipEdge struct {
	OwnerID    dossier.PartyID     `json:"ownerId"`
	OwnedID    dossier.PartyID     `json:"ownedId"`
	Percent    json.Number         `json:"percent"`
	Source     dossier.EdgeSource  `json:"source"`
	DocumentID *dossier.DocumentID `json:"documentId,omitempty"`
}

// OfOwnership converts edges.
func OfOwnership(edges []dossier.OwnershipEdge) []OwnershipEdge {
	shown := []OwnershipEdge{}
	for _, e := range edges {
		shown = append(shown, OwnershipEdge{e.OwnerID, e.OwnedID, json.Number(e.Percent.String()), e.Source,
			e.DocumentID})
	}
	return shown
}

// Debt is what a party owes as it is shown (relationships.md section 3). Amounts have 2 places.
type Debt struct {
	ID         dossier.DebtID        `json:"id"`
	PartyID    dossier.PartyID       `json:"partyId"`
	Lender     string                `json:"lender"`
	Kind       dossier.DebtKind      `json:"kind"`
	Balance    dossier.Figure        `json:"balance"`
	Rate       *json.Number          `json:"rate"` // percent a year
	Payment    dossier.Figure        `json:"payment"`
	Frequency  dossier.DebtFrequency `json:"frequency"`
	Maturity   *string               `json:"maturity"`
	Secured    bool                  `json:"secured"`
	Source     dossier.DebtSource    `json:"source"`
	DocumentID *dossier.DocumentID   `json:"documentId,omitempty"`
}

// OfDebts converts debts.
func OfDebts(list []dossier.Debt) []Debt {
	shown := []Debt{}
	for _, d := range list {
		one := Debt{ID: d.ID, PartyID: d.PartyID, Lender: d.Lender, Kind: d.Kind,
			Balance: dossier.Figure{Decimal: d.Balance},
			Payment: dossier.Figure{Decimal: d.Payment}, Frequency: d.Frequency, Maturity: d.Maturity,
			Secured: d.Secured,
			Source:  d.Source, DocumentID: d.DocumentID}
		if d.Rate != nil {
			rate := json.Number(d.Rate.String())
			one.Rate = &rate
		}
		shown = append(shown, one)
	}
	return shown
}
