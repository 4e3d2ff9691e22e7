package dossier

import (
	"bytes"
	"encoding/json"
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
	EventLeadErased             EventType = "lead.erased" // the last one of a lead

	EventDocumentReceived  EventType = "document.received"
	EventDocumentExtracted EventType = "document.extracted"
	EventDocumentValidated EventType = "document.validated"
	EventDocumentCorrected EventType = "document.corrected"
	EventDocumentErased    EventType = "document.erased"

	EventItemCompleted EventType = "checklist_item.completed"
	EventItemInvalid   EventType = "checklist_item.invalid"

	EventMessageSent      EventType = "message.sent"
	EventMessageDelivered EventType = "message.delivered"
	EventMessageFailed    EventType = "message.failed"
	EventMessageReceived  EventType = "message.received"

	EventSpreadStarted   EventType = "spread.started"
	EventSpreadCompleted EventType = "spread.completed"
	EventSpreadFailed    EventType = "spread.failed"
	EventSpreadApproved  EventType = "spread.approved"

	EventReviewOpened  EventType = "review.opened"
	EventReviewDecided EventType = "review.decided"

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
		EventLeadReopened, EventLeadEscalated, EventLeadEscalationResolved, EventLeadErased,
		EventDocumentReceived, EventDocumentExtracted, EventDocumentValidated, EventDocumentCorrected,
		EventDocumentErased,
		EventItemCompleted, EventItemInvalid,
		EventMessageSent, EventMessageDelivered, EventMessageFailed, EventMessageReceived,
		EventSpreadStarted, EventSpreadCompleted, EventSpreadFailed, EventSpreadApproved,
		EventReviewOpened, EventReviewDecided,
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
	IsTest    bool      // it concerns a test lead, or what a test key made
	Webhook   WebhookID // "" for most: see Wants
	CreatedAt time.Time // of the commit's transaction
	Body      []byte    // the exact bytes that are signed and sent; never re-encoded
}

// APIVersion is the version of the OpenAPI document, which every event names.
const APIVersion = "1.0.0"

// EventBody composes the bytes of an event: {"id","type","timestamp","workspaceId","livemode","apiVersion","data"}.
// live says that it concerns no test lead. data is one JSON value and is copied as it stands, so the same event always
// has the same bytes.
func EventBody(id EventID, ws WorkspaceID, t EventType, at time.Time, live bool, data []byte) []byte {
	head, tail := EventParts(id, ws, t, at, data)
	return append(strconv.AppendBool(head, live), tail...)
}

// EventParts is EventBody for a caller that does not know yet whether the event is live: what stands before that word,
// and what stands behind it.
func EventParts(id EventID, ws WorkspaceID, t EventType, at time.Time, data []byte) (head, tail []byte) {
	head = make([]byte, 0, len(data)+260)
	head = append(head, `{"id":`...)
	head = strconv.AppendQuote(head, string(id))
	head = append(head, `,"type":`...)
	head = strconv.AppendQuote(head, string(t))
	head = append(head, `,"timestamp":"`...)
	head = at.UTC().AppendFormat(head, "2006-01-02T15:04:05.000Z")
	head = append(head, `","workspaceId":`...)
	head = strconv.AppendQuote(head, string(ws))
	head = append(head, `,"livemode":`...)
	tail = make([]byte, 0, len(data)+40)
	tail = append(tail, `,"apiVersion":"`+APIVersion+`","data":`...)
	tail = append(tail, data...)
	return head, append(tail, '}')
}

// MaxEventBody is how many bytes an event has at most.
const MaxEventBody = 256 << 10

// ShortenEvent makes the data of an event fit into limit bytes. The largest members of its resource, which is its
// largest object, become null: document.extraction, or pipelineRun.result. The resource then says "resultOmitted":
// true; the whole is where the resource is read.
func ShortenEvent(data []byte, limit int) ([]byte, error) {
	if len(data) <= limit {
		return data, nil
	}
	members, err := membersOf(data)
	if err != nil {
		return nil, err
	}
	resource := largest(members, func(value json.RawMessage) bool { return value[0] == '{' })
	if resource == nil {
		return data, nil
	}
	inner, err := membersOf(resource.value)
	if err != nil {
		return nil, err
	}
	over := len(data) + len(`,"resultOmitted":true`) - limit
	for over > 0 {
		member := largest(inner, func(value json.RawMessage) bool { return len(value) > len("null") })
		if member == nil {
			break
		}
		over -= len(member.value) - len("null")
		member.value = json.RawMessage("null")
	}
	resource.value = writeMembers(append(inner, member{"resultOmitted", json.RawMessage("true")}))
	return writeMembers(members), nil
}

// member is one name of an object with its value as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf reads an object's members in their order.
func membersOf(object []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var list []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// largest is the member with the longest value among those that may be taken, nil when there is none.
func largest(list []member, may func(json.RawMessage) bool) *member {
	var found *member
	for i := range list {
		if m := &list[i]; may(m.value) && (found == nil || len(m.value) > len(found.value)) {
			found = m
		}
	}
	return found
}

func writeMembers(list []member) json.RawMessage {
	object := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(strconv.AppendQuote(object, m.name), ':'), m.value...)
	}
	return append(object, '}')
}
