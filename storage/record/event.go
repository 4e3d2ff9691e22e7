package record

import (
	"reflect"

	"github.com/dossierhq/dossier"
)

// LeadRef names the lead of an event.
type LeadRef struct {
	LeadID         dossier.LeadID `json:"leadId"`
	ExternalLeadID *string        `json:"externalLeadId"`
}

// AnyLeadRef is LeadRef for events that may concern no lead: both are null then.
type AnyLeadRef struct {
	LeadID         *dossier.LeadID `json:"leadId"`
	ExternalLeadID *string         `json:"externalLeadId"`
}

// RunEvent is the data of workflow_run.*.
type RunEvent struct {
	LeadRef
	Run WorkflowRun `json:"workflowRun"`
}

// LeadEvent is the data of lead.created, .completed, .opted_out, .not_interested and .reopened.
type LeadEvent struct {
	LeadRef
	Lead Lead `json:"lead"`
}

// LeadUpdatedEvent is the data of lead.updated.
type LeadUpdatedEvent struct {
	LeadRef
	Lead    Lead     `json:"lead"`
	Changes []string `json:"changes,omitempty"` // names of the fields that changed
}

// EscalationEvent is the data of lead.escalated and .escalation_resolved.
type EscalationEvent struct {
	LeadRef
	Escalation Escalation `json:"escalation"`
}

// LeadErasedEvent is the data of lead.erased: nothing else is left of it.
type LeadErasedEvent struct {
	LeadID    dossier.LeadID    `json:"leadId"`
	ErasureID dossier.ErasureID `json:"erasureId"`
}

// DocumentErasedEvent is the data of document.erased.
type DocumentErasedEvent struct {
	LeadID     dossier.LeadID     `json:"leadId"`
	DocumentID dossier.DocumentID `json:"documentId"`
	ErasureID  dossier.ErasureID  `json:"erasureId"`
}

// DocumentEvent is the data of document.received and .validated.
type DocumentEvent struct {
	LeadRef
	Document Document `json:"document"`
}

// DocumentCorrectedEvent is the data of document.corrected.
type DocumentCorrectedEvent struct {
	LeadRef
	Document Document `json:"document"`
	// pointers to the facts whose corrections changed: /documents/0/closingBalance
	Corrections []string `json:"corrections"`
}

// DocumentExtractedEvent is the data of document.extracted.
type DocumentExtractedEvent struct {
	LeadRef
	Document       Document        `json:"document"`
	Classification []DocumentClass `json:"classification,omitempty"` // of a file that could be read
}

// DocumentClass is one document that a file holds (resources.md section 6).
type DocumentClass struct {
	DocType    dossier.DocType   `json:"docType"`
	FieldType  dossier.FieldType `json:"fieldType"`
	Confidence float64           `json:"confidence"`
	Pages      [2]int            `json:"pages"`
}

// ItemEvent is the data of checklist_item.*.
type ItemEvent struct {
	LeadRef
	Item ChecklistItem `json:"checklistItem"`
}

// MessageEvent is the data of message.*. The sender of message.received may be no lead.
type MessageEvent struct {
	AnyLeadRef
	Message Message `json:"message"`
}

// SpreadEvent is the data of spread.started and .failed.
type SpreadEvent struct {
	LeadRef
	Spread Spread `json:"spread"`
}

// SpreadCompletedEvent is the data of spread.completed and .approved.
type SpreadCompletedEvent struct {
	LeadRef
	Spread    Spread     `json:"spread"`
	Artifacts []Artifact `json:"artifacts"`
}

// PipelineRunEvent is the data of pipeline_run.*. No lead is named: the run's parameters may concern several.
type PipelineRunEvent struct {
	AnyLeadRef
	PipelineRun PipelineRun `json:"pipelineRun"`
}

// ExportEvent is the data of export.completed.
type ExportEvent struct {
	AnyLeadRef
	Export Export `json:"export"`
}

// WebhookEvent is the data of webhook.*.
type WebhookEvent struct {
	AnyLeadRef
	Webhook Webhook `json:"webhook"`
}

// eventData has the data of each event type.
var eventData = map[dossier.EventType]any{
	dossier.EventRunCreated: RunEvent{}, dossier.EventRunPaused: RunEvent{}, dossier.EventRunResumed: RunEvent{},
	dossier.EventRunCompleted: RunEvent{}, dossier.EventRunCancelled: RunEvent{},
	dossier.EventLeadCreated: LeadEvent{}, dossier.EventLeadUpdated: LeadUpdatedEvent{},
	dossier.EventLeadCompleted: LeadEvent{}, dossier.EventLeadOptedOut: LeadEvent{},
	dossier.EventLeadNotInterested: LeadEvent{}, dossier.EventLeadReopened: LeadEvent{},
	dossier.EventLeadEscalated: EscalationEvent{}, dossier.EventLeadEscalationResolved: EscalationEvent{},
	dossier.EventLeadErased:       LeadErasedEvent{},
	dossier.EventDocumentReceived: DocumentEvent{}, dossier.EventDocumentExtracted: DocumentExtractedEvent{},
	dossier.EventDocumentCorrected: DocumentCorrectedEvent{},
	dossier.EventDocumentValidated: DocumentEvent{}, dossier.EventDocumentErased: DocumentErasedEvent{},
	dossier.EventItemCompleted: ItemEvent{}, dossier.EventItemInvalid: ItemEvent{},
	dossier.EventMessageSent: MessageEvent{}, dossier.EventMessageDelivered: MessageEvent{},
	dossier.EventMessageFailed: MessageEvent{}, dossier.EventMessageReceived: MessageEvent{},
	dossier.EventSpreadStarted: SpreadEvent{}, dossier.EventSpreadCompleted: SpreadCompletedEvent{},
	dossier.EventSpreadFailed: SpreadEvent{}, dossier.EventSpreadApproved: SpreadCompletedEvent{},
	dossier.EventReviewOpened: ReviewEvent{}, dossier.EventReviewDecided: ReviewEvent{},
	dossier.EventPipelineRunCompleted: PipelineRunEvent{}, dossier.EventPipelineRunFailed: PipelineRunEvent{},
	dossier.EventExportCompleted: ExportEvent{},
	dossier.EventWebhookTest:     WebhookEvent{}, dossier.EventWebhookDisabled: WebhookEvent{},
}

// EventData is the zero value of a type's data, nil for an unknown type. The OpenAPI document describes it, and the
// store emits no other.
func EventData(t dossier.EventType) any { return eventData[t] }

// FitsEvent reports whether data is what events of a type have.
func FitsEvent(t dossier.EventType, data any) bool {
	return reflect.TypeOf(data) == reflect.TypeOf(eventData[t])
}
