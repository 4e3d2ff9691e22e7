package record

import "github.com/dossierhq/dossier"

// Spread is the run state of a spread (api.md, Spread).
type Spread struct {
	ID                 dossier.SpreadID     `json:"id"`
	Status             dossier.SpreadStatus `json:"status"`
	Error              *string              `json:"error"`
	LeadID             dossier.LeadID       `json:"leadId"`
	ExternalID         *string              `json:"externalId"`
	EntityName         *string              `json:"entityName"`
	Currency           string               `json:"currency"`
	FiscalYearEndMonth int                  `json:"fiscalYearEndMonth"`
	PartyID            *dossier.PartyID     `json:"partyId"`
	Scope              dossier.SpreadScope  `json:"scope"`

	Distributions *dossier.SpreadDistributions `json:"distributions"` // null unless global

	Documents []SpreadDocument `json:"documents"`
	Artifacts []Artifact       `json:"artifacts"`
	Source    string           `json:"source"`
	User      *SpreadUser      `json:"user"`
	Approval  SpreadApproval   `json:"approval"`
	CreatedAt Time             `json:"createdAt"`
	UpdatedAt Time             `json:"updatedAt"`
}

// SpreadApproval is whether people stand by the figures (review.md section 3).
type SpreadApproval struct {
	State dossier.ApprovalState `json:"state"`
	By    *string               `json:"by"`
	At    *Time                 `json:"at"`
	Note  *string               `json:"note"`
}

// SpreadUser is the person who started a spread; null for the API.
type SpreadUser struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

// SpreadDocument is a document of a spread.
type SpreadDocument struct {
	ID       dossier.DocumentID           `json:"id"`
	Filename string                       `json:"filename"`
	Status   dossier.SpreadDocumentStatus `json:"status"`
	Error    *string                      `json:"error"`
}

// Artifact names a file of a spread.
type Artifact struct {
	ID    dossier.ArtifactID   `json:"id"`
	Type  dossier.ArtifactType `json:"type"`
	Title string               `json:"title"`
}

// OfSpread shapes a spread.
func OfSpread(s dossier.Spread) Spread {
	r := Spread{ID: s.ID, Status: s.Status, Error: s.Error, LeadID: s.LeadID, ExternalID: s.ExternalID,
		EntityName: s.EntityName, Currency: s.Currency,
		FiscalYearEndMonth: s.FiscalYearEndMonth, PartyID: s.PartyID, Scope: s.Scope, Distributions: s.Distributions,
		Documents: []SpreadDocument{}, Artifacts: OfArtifacts(s.Artifacts),
		Source:    s.Source,
		Approval:  SpreadApproval{s.Approval.State, s.Approval.By, TimeOf(s.Approval.At), s.Approval.Note},
		CreatedAt: Time(s.CreatedAt), UpdatedAt: Time(s.UpdatedAt)}
	for _, d := range s.Documents {
		r.Documents = append(r.Documents, SpreadDocument{ID: d.ID, Filename: d.Filename, Status: d.Status,
			Error: d.Error})
	}
	return r
}

// OfArtifacts shapes the files of a spread.
func OfArtifacts(list []dossier.Artifact) []Artifact {
	shaped := []Artifact{}
	for _, a := range list {
		shaped = append(shaped, Artifact{ID: a.ID, Type: a.Type, Title: a.Title})
	}
	return shaped
}

// SpreadAdjustment is an analyst's correction of one figure.
type SpreadAdjustment struct {
	dossier.SpreadAdjustment
	CreatedAt Time `json:"createdAt"`
}

// OfAdjustments shapes the corrections of a spread.
func OfAdjustments(list []dossier.SpreadAdjustment) []SpreadAdjustment {
	shaped := []SpreadAdjustment{}
	for _, a := range list {
		shaped = append(shaped, SpreadAdjustment{a, Time(a.CreatedAt)})
	}
	return shaped
}
