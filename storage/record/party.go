package record

import "github.com/dossierhq/dossier"

// Party is a party of a lead as it is shown (relationships.md section 2).
type Party struct {
	ID         dossier.PartyID   `json:"id"`
	LeadID     dossier.LeadID    `json:"leadId"`
	Name       string            `json:"name"`
	Kind       dossier.PartyKind `json:"kind"`
	Role       dossier.PartyRole `json:"role"`
	TaxIDLast4 *string           `json:"taxIdLast4"`
	IsPrimary  bool              `json:"isPrimary"`
	CreatedAt  Time              `json:"createdAt"`
	UpdatedAt  Time              `json:"updatedAt"`
}

// OfParty converts a party.
func OfParty(p dossier.LeadParty) Party {
	return Party{ID: p.ID, LeadID: p.LeadID, Name: p.Name, Kind: p.Kind, Role: p.Role, TaxIDLast4: p.TaxIDLast4,
		IsPrimary: p.IsPrimary, CreatedAt: Time(p.CreatedAt), UpdatedAt: Time(p.UpdatedAt)}
}
