package dossier

import (
	"encoding/json"
	"strings"
	"time"
)

// ActionLog is one entry of a lead's timeline: what an integration, a person, an agent or the service did.
type ActionLog struct {
	ID          ActionLogID
	LeadID      LeadID
	RunID       *RunID
	AgentID     *AgentID
	MessageID   *MessageID
	Type        ActionLogType
	Status      ActionLogStatus
	Summary     string
	Input       json.RawMessage // an object
	ToolCalls   json.RawMessage // an array of {name, input, output}
	DocumentIDs []DocumentID
	Actor       *string // the person, when one did it
	ScheduledAt *time.Time
	CreatedAt   time.Time
	CompletedAt *time.Time
}

// ActionLogType says what kind of thing happened.
type ActionLogType string

// Types of action logs.
const (
	ActionAPIActivity     ActionLogType = "API_ACTIVITY" // updates of the lead and entries written through the API
	ActionDocumentUpload  ActionLogType = "DOCUMENT_UPLOAD"
	ActionDocumentRead    ActionLogType = "DOCUMENT_EXTRACTION"
	ActionDocumentDeleted ActionLogType = "DOCUMENT_DELETED"
	ActionOverride        ActionLogType = "DOCUMENT_OVERRIDE"
	ActionItemJudged      ActionLogType = "CHECKLIST_ITEM_JUDGED"
	ActionOutboundMessage ActionLogType = "OUTBOUND_MESSAGE"
	ActionFollowUpMessage ActionLogType = "FOLLOW_UP_MESSAGE"
	ActionInboundMessage  ActionLogType = "INBOUND_MESSAGE"
	ActionPortalActivity  ActionLogType = "PORTAL_ACTIVITY"
	ActionAgentActivity   ActionLogType = "AGENT_ACTIVITY"
	ActionSystem          ActionLogType = "SYSTEM" // the service by itself: runs, validation, escalations
)

// ActionLogStatus is how far the action is.
type ActionLogStatus string

// States of an action.
const (
	ActionPending   ActionLogStatus = "PENDING"
	ActionCompleted ActionLogStatus = "COMPLETED"
	ActionFailed    ActionLogStatus = "FAILED"
	ActionCancelled ActionLogStatus = "CANCELLED"
)

// Activity is an entry that another system writes onto a lead's timeline (api.md, create an activity entry).
type Activity struct {
	LeadID      LeadID
	EventType   string // a badge, free text
	Title       string
	Description *string
	Metadata    json.RawMessage // an object, or nil
}

// Faults finds everything wrong with the entry.
func (a Activity) Faults() []Fault {
	var f faults
	f.required("/eventType", a.EventType)
	f.required("/title", a.Title)
	f.length("/description", Text(a.Description), MaxText)
	var object map[string]json.RawMessage
	switch {
	case a.Metadata == nil:
	case json.Unmarshal(a.Metadata, &object) != nil || object == nil:
		f.add("/metadata", "invalid_type", "metadata must be an object")
	case len(a.Metadata) > MaxMetadata:
		f.add("/metadata", "too_long", "metadata may have at most %d bytes", MaxMetadata)
	case strings.Contains(string(a.Metadata), `\u0000`):
		f.add("/metadata", "invalid_value", "metadata must not contain NUL characters")
	}
	return f
}
