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

// AuditAction names an administrative act, noun.verb.
type AuditAction string

// Administrative acts. What agents, leads and integrations do in the course of a collection is in the timeline of a
// lead instead.
const (
	AuditKeyCreate        AuditAction = "api_key.create"
	AuditKeyRevoke        AuditAction = "api_key.revoke"
	AuditReveal           AuditAction = "checklist.reveal"
	AuditLinkOpen         AuditAction = "portal_link.open"
	AuditLinkRotate       AuditAction = "portal_link.rotate"
	AuditLinkRevoke       AuditAction = "portal_link.revoke"
	AuditWebhookCreate    AuditAction = "webhook.create"
	AuditWebhookUpdate    AuditAction = "webhook.update"
	AuditWebhookDelete    AuditAction = "webhook.delete"
	AuditWebhookRotate    AuditAction = "webhook.rotate_secret"
	AuditWebhookReplay    AuditAction = "webhook.replay"
	AuditWebhookDisabled  AuditAction = "webhook.disabled"
	AuditRedeliver        AuditAction = "delivery.redeliver"
	AuditJobRetry         AuditAction = "job.retry"
	AuditJobCancel        AuditAction = "job.cancel"
	AuditReprocess        AuditAction = "document.reprocess"
	AuditHashMismatch     AuditAction = "document.hash_mismatch"
	AuditPageRead         AuditAction = "document.page_read"
	AuditDocumentCorrect  AuditAction = "document.correct"
	AuditDocumentAttach   AuditAction = "document.attach"
	AuditDocumentDetach   AuditAction = "document.detach"
	AuditDocumentParts    AuditAction = "document.parts"
	AuditDocumentOverride AuditAction = "document.override"
	AuditReportsRepair    AuditAction = "analytics.repair"
	AuditWorkspaceCreate  AuditAction = "workspace.create"
	AuditWorkspaceChange  AuditAction = "workspace.change"
	AuditWorkspaceDelete  AuditAction = "workspace.delete"
	AuditWorkspaceErase   AuditAction = "workspace.erase"
	AuditWorkspaceRotate  AuditAction = "workspace.rotate_inbound"
	AuditLeadDelete       AuditAction = "lead.delete"
	AuditLeadErase        AuditAction = "lead.erase"
	AuditErasureCancel    AuditAction = "erasure.cancel"
	AuditHoldCreate       AuditAction = "hold.create"
	AuditHoldRelease      AuditAction = "hold.release"
	AuditDocumentDelete   AuditAction = "document.delete"
	AuditDocumentErase    AuditAction = "document.erase"
	AuditDocumentRead     AuditAction = "document.read"
	AuditDocumentParty    AuditAction = "document.set_party"
	AuditPartyCreate      AuditAction = "party.create"
	AuditPartyUpdate      AuditAction = "party.update"
	AuditPartyDelete      AuditAction = "party.delete"
	AuditOwnership        AuditAction = "ownership.update"
	AuditDebts            AuditAction = "debts.update"
	AuditConsoleOpen      AuditAction = "console.open"
	AuditSessionCreate    AuditAction = "session.create"
	AuditSessionRevoke    AuditAction = "session.revoke"
	AuditPersonAdd        AuditAction = "person.add"
	AuditPersonDisable    AuditAction = "person.disable"
	AuditSpreadSubmit     AuditAction = "spread.submit"
	AuditSpreadReturn     AuditAction = "spread.return"
	AuditSpreadApprove    AuditAction = "spread.approve"
	AuditReviewTakeOver   AuditAction = "review.take_over"
	AuditReviewAssign     AuditAction = "review.assign"
	AuditReviewDecide     AuditAction = "review.decide"
)

// ActorType is what kind of party does something.
type ActorType string

// Types of actors. The service itself and the operators' command line are the system.
const (
	ActorKey    ActorType = "key"
	ActorPerson ActorType = "person"
	ActorPortal ActorType = "portal"
	ActorSystem ActorType = "system"
)

// AuditActor is who acted. ID is that of the key, the person or, on its own page, the lead, and nil for the system;
// Name is the key's, a person's email, or operator and dossier, and nil for a lead.
type AuditActor struct {
	Type ActorType
	ID   *string
	Name *string
}

// AuditSubject is what something was done to: its noun (lead, api_key, ...) and id.
type AuditSubject struct {
	Type string
	ID   string
}

// AuditEntry is one act. Nothing in it is about a lead as a person: details are ids, codes, names of fields and counts.
type AuditEntry struct {
	ID              string
	At              time.Time
	Action          AuditAction
	Subject         AuditSubject
	Actor           AuditActor
	OnBehalfOf      *string // x-actor of the call
	KeyID           *KeyID
	Address         *string // that the call came from
	RequestID       *string // the server's own
	CallerRequestID *string // X-Request-Id as the caller wrote it
	Details         map[string]any
	Position        int64  // in the workspace's chain, from 1
	Hash            string // hex SHA-256 of the hash before it in the workspace's chain and the entry as canonical JSON
}

// Valid reports whether entries can have the action.
func (a AuditAction) Valid() bool {
	for _, known := range AuditActions {
		if known.Action == a {
			return true
		}
	}
	return false
}

// AuditActions are all of them with what each means, in the order of the reference.
var AuditActions = []struct {
	Action  AuditAction
	Meaning string
}{
	{AuditKeyCreate, "an API key was made"},
	{AuditKeyRevoke, "an API key was ended"},
	{AuditReveal, "the full numbers of a lead's SSN items were read"},
	{AuditLinkOpen, "an operator took the address of a lead's own page"},
	{AuditLinkRotate, "the address of a lead's own page was replaced"},
	{AuditLinkRevoke, "the address of a lead's own page was ended"},
	{AuditWebhookCreate, "an endpoint was registered"},
	{AuditWebhookUpdate, "an endpoint was changed, enabled or disabled"},
	{AuditWebhookDelete, "an endpoint was deleted"},
	{AuditWebhookRotate, "an endpoint got a new signing secret"},
	{AuditWebhookReplay, "past events were sent to an endpoint again"},
	{AuditWebhookDisabled, "the service disabled an endpoint, for the reason given"},
	{AuditRedeliver, "a delivery was made due again"},
	{AuditJobRetry, "jobs that had ended were started anew"},
	{AuditJobCancel, "a job was cancelled"},
	{AuditReprocess, "documents were staged to be read again"},
	{AuditDocumentCorrect, "a person's corrections of a document's facts were changed"},
	{AuditDocumentAttach, "a person put a document on an item"},
	{AuditDocumentDetach, "a person took a document from an item"},
	{AuditDocumentParts, "a person said which documents a file has"},
	{AuditDocumentOverride, "a person said whether a document is good for an item"},
	{AuditPageRead, "the picture of a page was given out that shows an identity document or a number that facts mask"},
	{AuditHashMismatch, "a document's stored bytes were found to be others than those that were sent"},
	{AuditReportsRepair, "the counts behind analytics were thrown away and made again"},
	{AuditWorkspaceCreate, "the workspace was made"},
	{AuditWorkspaceChange, "a file was applied that changed the workspace"},
	{AuditWorkspaceDelete, "the workspace was deleted"},
	{AuditWorkspaceErase, "everything of the deleted workspace was ordered to go for good"},
	{AuditWorkspaceRotate, "a channel got a new address for inbound messages"},
	{AuditLeadDelete, "a lead was deleted"},
	{AuditLeadErase, "everything about a lead was ordered to go for good"},
	{AuditErasureCancel, "an erasure was called off before it ran"},
	{AuditHoldCreate, "a lead was put on hold: nothing of it is erased"},
	{AuditHoldRelease, "a hold on a lead was released"},
	{AuditDocumentDelete, "a document was deleted"},
	{AuditDocumentErase, "everything about a document was ordered to go for good"},
	{AuditDocumentRead, "a whole file was read through the API"},
	{AuditDocumentParty, "a person said whose a part of a document is"},
	{AuditPartyCreate, "a party of a lead was made"},
	{AuditPartyUpdate, "a party of a lead was changed"},
	{AuditPartyDelete, "a party of a lead was deleted"},
	{AuditOwnership, "who owns whom among the parties of a lead was said anew"},
	{AuditDebts, "what the parties of a lead owe was said anew"},
	{AuditConsoleOpen, "an operator made a link that signs a person in once"},
	{AuditSessionCreate, "a person signed in"},
	{AuditSessionRevoke, "a session was ended"},
	{AuditPersonAdd, "an operator gave a person a role"},
	{AuditPersonDisable, "a person was shut out"},
	{AuditSpreadSubmit, "the figures of a spread were submitted for approval"},
	{AuditSpreadReturn, "submitted figures were sent back"},
	{AuditSpreadApprove, "a spread's figures were approved"},
	{AuditReviewTakeOver, "a review was taken from who had claimed it"},
	{AuditReviewAssign, "a review was assigned, or nobody's any more"},
	{AuditReviewDecide, "a review was decided"},
}
