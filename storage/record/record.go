// Package record holds the JSON shapes of resources that an answer of the API and the body of an event share:
// the store writes events, the API writes answers, and a client must find the same object in both. Shapes that
// only an answer has (signed URLs, envelopes) stay in api.
package record

import (
	"encoding/json"
	"time"

	"github.com/dossierhq/dossier"
)

// Time is a moment as every page of the contract writes it: RFC 3339, UTC, milliseconds.
type Time time.Time

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Time(t).UTC().Format("2006-01-02T15:04:05.000Z"))
}

// UnmarshalJSON implements json.Unmarshaler, for those who read an answer.
func (t *Time) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*time.Time)(t)) }

// TimeOf converts an optional moment.
func TimeOf(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	converted := Time(*t)
	return &converted
}

// Document is a document without its signed URL and extraction (api.md, Document; facts.md).
type Document struct {
	ID              dossier.DocumentID `json:"id"`
	LeadID          dossier.LeadID     `json:"leadId"`
	Filename        string             `json:"filename"`
	MimeType        string             `json:"mimeType"`
	Size            int64              `json:"size"`
	ExternalID      *string            `json:"externalId"`
	Metadata        DocumentMetadata   `json:"metadata"`
	Associations    []Association      `json:"leadChecklistItemDocument"`
	ExtractionError *ExtractionError   `json:"extractionError"`
	CreatedAt       Time               `json:"createdAt"`
	UpdatedAt       Time               `json:"updatedAt"`
}

// DocumentMetadata is api.md's metadata; its oddly named key stays out of the rest of the program.
type DocumentMetadata struct {
	ExtractionStatus dossier.ExtractionStatus `json:"extractionStatus"`
	Matched          []MatchedItem            `json:"Matched checklist items"`
}

// MatchedItem names an item that the document serves.
type MatchedItem struct {
	EntryID dossier.EntryID `json:"leadChecklistItemId"`
	Label   string          `json:"label"`
}

// Association is an entry of leadChecklistItemDocument.
type Association struct {
	ID               dossier.AssociationID     `json:"id"`
	EntryID          dossier.EntryID           `json:"leadChecklistItemId"`
	DocumentID       dossier.DocumentID        `json:"documentId"`
	OverallValid     bool                      `json:"overallValid"`
	ValidationResult *dossier.ValidationResult `json:"validationResult"`
}

// ExtractionError is a stored reason why a file cannot be read.
type ExtractionError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// OfDocument shapes a document with its associations.
func OfDocument(d dossier.Document) Document {
	r := Document{
		ID: d.ID, LeadID: d.LeadID, Filename: d.Filename, MimeType: d.MimeType, Size: d.Size, ExternalID: d.ExternalID,
		Metadata:     DocumentMetadata{ExtractionStatus: d.ExtractionStatus, Matched: []MatchedItem{}},
		Associations: []Association{},
		CreatedAt:    Time(d.CreatedAt), UpdatedAt: Time(d.UpdatedAt),
	}
	if d.ExtractionError != nil {
		r.ExtractionError = &ExtractionError{Code: d.ExtractionError.Code, Detail: d.ExtractionError.Detail}
	}
	for _, a := range d.Associations {
		r.Metadata.Matched = append(r.Metadata.Matched, MatchedItem{EntryID: a.EntryID, Label: a.Label})
		r.Associations = append(r.Associations, OfAssociation(a))
	}
	return r
}

// OfAssociation shapes an association: overallValid is what counts, the override included.
func OfAssociation(a dossier.Association) Association {
	return Association{ID: a.ID, EntryID: a.EntryID, DocumentID: a.DocumentID, OverallValid: a.Valid(),
		ValidationResult: a.Result}
}

// ChecklistItem is an item of a lead's checklist in an event. A value is not in it: it may be an SSN.
type ChecklistItem struct {
	ID              dossier.EntryID      `json:"id"`
	Code            string               `json:"code"`
	Label           string               `json:"label"`
	FieldType       dossier.FieldType    `json:"fieldType"`
	IsRequired      bool                 `json:"isRequired"`
	Status          dossier.ItemStatus   `json:"status"`
	Source          *dossier.ValueSource `json:"source"` // as reads of the checklist have it
	ValidationError *string              `json:"validationError"`
	Reasons         []dossier.Reason     `json:"reasons"` // those that validationError says
}

// PipelineRun is the body of a poll (api.md, Pipeline job result; decisions.md section 7).
type PipelineRun struct {
	JobID       dossier.PipelineRunID    `json:"jobId"`
	PipelineID  string                   `json:"pipelineId"`
	Metadata    json.RawMessage          `json:"metadata"`
	Result      json.RawMessage          `json:"result"`
	Error       *dossier.PipelineFailure `json:"error"`
	Status      dossier.PipelineStatus   `json:"status"`
	Progress    int                      `json:"progress"`
	Attempts    int                      `json:"attempts"`
	TimeElapsed int64                    `json:"timeElapsed"` // ms
}

// OfPipelineRun shapes a run as it stands at now.
func OfPipelineRun(r dossier.PipelineRun, now time.Time) PipelineRun {
	body := PipelineRun{JobID: r.ID, PipelineID: r.PipelineID, Metadata: r.Parameters, Error: r.Failure,
		Status:   r.Status,
		Progress: r.Progress, Attempts: r.Attempts, TimeElapsed: r.Elapsed(now).Milliseconds()}
	if r.Status.Ended() {
		body.Result = r.Result
	}
	return body
}
