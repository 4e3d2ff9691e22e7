package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// ExtractDocument reads the facts out of one stored file.
type ExtractDocument struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Document  dossier.DocumentID  `json:"document"`
	// FromTokens: apply today's rules to the words that were kept, without parsing the file again. The file is read
	// when none were kept.
	FromTokens bool `json:"fromTokens,omitempty"`
}

// Spec implements Job. The reader itself gives up after three minutes (decisions.md section 3).
func (ExtractDocument) Spec() Spec {
	return Spec{Kind: "document.extract", Lane: LaneDocument, Timeout: 5 * time.Minute, Tries: 3}
}

// DrawPage draws one page of a stored file as a picture, of a width in pixels.
type DrawPage struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Document  dossier.DocumentID  `json:"document"`
	Page      int                 `json:"page"`
	Width     int                 `json:"width"`
}

// Spec implements Job. Somebody waits for the picture: whoever still wants it later asks again.
func (DrawPage) Spec() Spec {
	return Spec{Kind: "document.draw", Lane: LaneDocument, Timeout: time.Minute, Tries: 2}
}

// MatchDocument finds the checklist items that one read document serves.
type MatchDocument struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Document  dossier.DocumentID  `json:"document"`
}

// Spec implements Job.
func (MatchDocument) Spec() Spec {
	return Spec{Kind: "document.match", Lane: LaneDocument, Timeout: time.Minute, Tries: 5}
}

// ValidateDocument checks one document against the rules of the items it serves, and judges those items.
type ValidateDocument struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Document  dossier.DocumentID  `json:"document"`
}

// Spec implements Job.
func (ValidateDocument) Spec() Spec {
	return Spec{Kind: "document.validate", Lane: LaneDocument, Timeout: time.Minute, Tries: 5}
}

// FillDocument has a language model read what the rules left open in one document (second-reader.md).
type FillDocument struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Document  dossier.DocumentID  `json:"document"`
}

// Spec implements Job. The model is given up on after 30 seconds.
func (FillDocument) Spec() Spec {
	return Spec{Kind: "document.fill", Lane: LaneModel, Timeout: 2 * time.Minute, Tries: 5}
}

// JudgeLead judges the file items of one lead again, after a document went or a person decided.
type JudgeLead struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Lead      dossier.LeadID      `json:"lead"`
	Lost      []dossier.EntryID   `json:"lost,omitempty"` // items that a document no longer serves
	// Parties: whose its documents are and who owns whom is to be found anew, too.
	Parties bool `json:"parties,omitempty"`
}

// Spec implements Job.
func (JudgeLead) Spec() Spec {
	return Spec{Kind: "lead.judge", Lane: LaneDocument, Timeout: time.Minute, Tries: 5}
}
