package dossier

import (
	"strconv"
	"time"
)

// EventType names what happened. Names are part of the public contract: they are added, never renamed.
type EventType string

// Event types (decisions.md section 6).
const (
	EventRunCreated   EventType = "workflow_run.created"
	EventRunPaused    EventType = "workflow_run.paused"
	EventRunResumed   EventType = "workflow_run.resumed"
	EventRunCompleted EventType = "workflow_run.completed"
	EventRunCancelled EventType = "workflow_run.cancelled"

	EventLeadCreated            EventType = "lead.created"
	EventLeadUpdated            EventType = "lead.updated"
	EventLeadCompleted          EventType = "lead.completed" // only through a run, and after its completion
	EventLeadOptedOut           EventType = "lead.opted_out"
	EventLeadNotInterested      EventType = "lead.not_interested"
	EventLeadReopened           EventType = "lead.reopened"
	EventLeadEscalated          EventType = "lead.escalated"
	EventLeadEscalationResolved EventType = "lead.escalation_resolved"

	EventDocumentReceived  EventType = "document.received"
	EventDocumentExtracted EventType = "document.extracted"
	EventDocumentValidated EventType = "document.validated"

	EventItemCompleted EventType = "checklist_item.completed"
	EventItemInvalid   EventType = "checklist_item.invalid"

	EventMessageSent      EventType = "message.sent"
	EventMessageDelivered EventType = "message.delivered"
	EventMessageFailed    EventType = "message.failed"
	EventMessageReceived  EventType = "message.received"

	EventSpreadStarted   EventType = "spread.started"
	EventSpreadCompleted EventType = "spread.completed"
	EventSpreadFailed    EventType = "spread.failed"

	EventPipelineRunCompleted EventType = "pipeline_run.completed"
	EventPipelineRunFailed    EventType = "pipeline_run.failed"

	EventExportCompleted EventType = "export.completed"

	EventWebhookTest     EventType = "webhook.test"
	EventWebhookDisabled EventType = "webhook.disabled"
)

// EventTypes lists every event type, in the order of decisions.md section 6.
func EventTypes() []EventType {
	return []EventType{
		EventRunCreated, EventRunPaused, EventRunResumed, EventRunCompleted, EventRunCancelled,
		EventLeadCreated, EventLeadUpdated, EventLeadCompleted, EventLeadOptedOut, EventLeadNotInterested,
		EventLeadReopened, EventLeadEscalated, EventLeadEscalationResolved,
		EventDocumentReceived, EventDocumentExtracted, EventDocumentValidated,
		EventItemCompleted, EventItemInvalid,
		EventMessageSent, EventMessageDelivered, EventMessageFailed, EventMessageReceived,
		EventSpreadStarted, EventSpreadCompleted, EventSpreadFailed,
		EventPipelineRunCompleted, EventPipelineRunFailed,
		EventExportCompleted, EventWebhookTest, EventWebhookDisabled,
	}
}

// Known reports whether t is one of EventTypes.
func (t EventType) Known() bool {
	for _, known := range EventTypes() {
		if t == known {
			return true
		}
	}
	return false
}

// Event is something that happened in a workspace, stored in the commit of the change it tells of.
type Event struct {
	ID        EventID // also the webhook-id of every delivery of it
	Workspace WorkspaceID
	Type      EventType
	LeadID    LeadID    // "" when the event belongs to no lead
	Webhook   WebhookID // "" for most: see Wants
	CreatedAt time.Time // of the commit's transaction
	Body      []byte    // the exact bytes that are signed and sent; never re-encoded
}

// EventBody composes the bytes of an event: {"id","type","timestamp","workspaceId","data"}. data is one
// JSON value and is copied as it stands, so the same event always has the same bytes.
func EventBody(id EventID, ws WorkspaceID, t EventType, at time.Time, data []byte) []byte {
	body := make([]byte, 0, len(data)+220)
	body = append(body, `{"id":`...)
	body = strconv.AppendQuote(body, string(id))
	body = append(body, `,"type":`...)
	body = strconv.AppendQuote(body, string(t))
	body = append(body, `,"timestamp":"`...)
	body = at.UTC().AppendFormat(body, "2006-01-02T15:04:05.000Z")
	body = append(body, `","workspaceId":`...)
	body = strconv.AppendQuote(body, string(ws))
	body = append(body, `,"data":`...)
	body = append(body, data...)
	return append(body, '}')
}
