// Code generated from the OpenAPI document by make clients. DO NOT EDIT.

package dossier

import (
	"encoding/json"
	"time"
)

// APIVersion is the version of the document this client was made from.
const APIVersion = "1.0.0"

// ActionDocument is an object of the API.
type ActionDocument struct {
	Filename  string `json:"filename"`
	ID        string `json:"id"`
	MimeType  string `json:"mimeType"`
	SignedURL string `json:"signedUrl"`
	Size      int    `json:"size"`
}

// ActionLog is an object of the API.
type ActionLog struct {
	// The person behind the call (x-actor), or null.
	Actor       *string          `json:"actor"`
	AgentID     *string          `json:"agentId"`
	CompletedAt *time.Time       `json:"completedAt"`
	CreatedAt   time.Time        `json:"createdAt"`
	Documents   []ActionDocument `json:"documents"`
	ID          string           `json:"id"`
	// What was done. Of a lead update: eventType, source, leadUpdates, checklistUpdates.
	Input       any             `json:"input"`
	LeadID      string          `json:"leadId"`
	Message     *Message        `json:"message"`
	ScheduledAt *time.Time      `json:"scheduledAt"`
	Status      ActionLogStatus `json:"status"`
	Summary     string          `json:"summary"`
	// What an agent called: name, input and output of each.
	ToolCalls     any           `json:"toolCalls"`
	Type          ActionLogType `json:"type"`
	WorkflowRunID *string       `json:"workflowRunId"`
}

// ActionLogAnswer is an object of the API.
type ActionLogAnswer struct {
	ActionLog ActionLog `json:"actionLog"`
	Success   bool      `json:"success"`
}

// ActionLogStatus is one of a closed set of words. More may be added.
type ActionLogStatus string

// Values of ActionLogStatus.
const (
	ActionLogStatusPending   ActionLogStatus = "PENDING"
	ActionLogStatusCompleted ActionLogStatus = "COMPLETED"
	ActionLogStatusFailed    ActionLogStatus = "FAILED"
	ActionLogStatusCancelled ActionLogStatus = "CANCELLED"
)

// ActionLogType is one of a closed set of words. More may be added.
type ActionLogType string

// Values of ActionLogType.
const (
	ActionLogTypeApiActivity         ActionLogType = "API_ACTIVITY"
	ActionLogTypeDocumentUpload      ActionLogType = "DOCUMENT_UPLOAD"
	ActionLogTypeDocumentExtraction  ActionLogType = "DOCUMENT_EXTRACTION"
	ActionLogTypeDocumentDeleted     ActionLogType = "DOCUMENT_DELETED"
	ActionLogTypeDocumentOverride    ActionLogType = "DOCUMENT_OVERRIDE"
	ActionLogTypeChecklistItemJudged ActionLogType = "CHECKLIST_ITEM_JUDGED"
	ActionLogTypeOutboundMessage     ActionLogType = "OUTBOUND_MESSAGE"
	ActionLogTypeFollowUpMessage     ActionLogType = "FOLLOW_UP_MESSAGE"
	ActionLogTypeInboundMessage      ActionLogType = "INBOUND_MESSAGE"
	ActionLogTypePortalActivity      ActionLogType = "PORTAL_ACTIVITY"
	ActionLogTypeAgentActivity       ActionLogType = "AGENT_ACTIVITY"
	ActionLogTypeSystem              ActionLogType = "SYSTEM"
)

// ActivityAnswer is an object of the API.
type ActivityAnswer struct {
	ActionLogID string `json:"actionLogId"`
	Success     bool   `json:"success"`
}

// ActivityBody is an object of the API.
type ActivityBody struct {
	// Body text.
	Description Field[string] `json:"description,omitzero"`
	// A label shown as a badge, for example sales_call.
	EventType string `json:"eventType"`
	LeadID    string `json:"leadId"`
	// Free-form object of up to 32 kB.
	Metadata Field[any] `json:"metadata,omitzero"`
	// Main title of the card.
	Title string `json:"title"`
}

// ActorType is one of a closed set of words. More may be added.
type ActorType string

// Values of ActorType.
const (
	ActorTypeKey    ActorType = "key"
	ActorTypePerson ActorType = "person"
	ActorTypePortal ActorType = "portal"
	ActorTypeSystem ActorType = "system"
)

// AdjustedAnswer is an object of the API.
type AdjustedAnswer struct {
	Adjustments []SpreadAdjustment `json:"adjustments"`
	Spread      Spread             `json:"spread"`
	Success     bool               `json:"success"`
}

// AdjustmentBody is an object of the API.
type AdjustmentBody struct {
	Actor     Field[string]      `json:"actor,omitzero"`
	MoveTo    Field[string]      `json:"moveTo,omitzero"`
	PeriodID  string             `json:"periodId"`
	Reason    string             `json:"reason"`
	Row       string             `json:"row"`
	Statement Field[string]      `json:"statement,omitzero"`
	Value     Field[json.Number] `json:"value,omitzero"`
}

// AdjustmentsAnswer is an object of the API.
type AdjustmentsAnswer struct {
	Adjustments []SpreadAdjustment `json:"adjustments"`
	Success     bool               `json:"success"`
}

// AdjustmentsBody is an object of the API.
type AdjustmentsBody struct {
	Adjustments []AdjustmentBody `json:"adjustments"`
}

// Agent is an object of the API.
type Agent struct {
	// Tried in this order.
	Channels  []Channel `json:"channels"`
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	// False for an agent taken out of the configuration; new runs cannot use it.
	IsActive bool `json:"isActive"`
	// AUTOPILOT sends by itself, LISTEN drafts for a person to approve.
	Mode      AgentMode `json:"mode"`
	Name      string    `json:"name"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// AgentMode is one of a closed set of words. More may be added.
type AgentMode string

// Values of AgentMode.
const (
	AgentModeAutopilot AgentMode = "AUTOPILOT"
	AgentModeListen    AgentMode = "LISTEN"
)

// AgentsAnswer is an object of the API.
type AgentsAnswer struct {
	Agents  []Agent `json:"agents"`
	Success bool    `json:"success"`
}

// AlternateValue is an object of the API.
type AlternateValue struct {
	CreatedAt  time.Time    `json:"createdAt"`
	DocumentID *string      `json:"documentId"`
	Source     *ValueSource `json:"source"`
	Value      any          `json:"value"`
}

// AnalyticsResult is an object of the API.
type AnalyticsResult struct {
	Breakdown []ReportLead `json:"breakdown,omitempty"`
	// Signed; anyone who has it can read the file.
	DownloadURL *string `json:"downloadUrl,omitempty"`
	// As it was sent.
	End       *string    `json:"end,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	JobID     *string    `json:"jobId,omitempty"`
	// null when no more leads follow.
	NextToken *string `json:"nextToken,omitempty"`
	// Where to poll: the run's result is then the same object.
	Result *string `json:"result,omitempty"`
	// As it was sent.
	Start  *string       `json:"start,omitempty"`
	Totals *ReportTotals `json:"totals,omitempty"`
}

// ApiKey is an object of the API.
type ApiKey struct {
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt"`
	ID        string     `json:"id"`
	IsTest    bool       `json:"isTest"`
	// At most a minute behind.
	LastUsedAt *time.Time `json:"lastUsedAt"`
	Name       string     `json:"name"`
	// Start of the key; safe to show.
	Prefix    string     `json:"prefix"`
	RevokedAt *time.Time `json:"revokedAt"`
	Scopes    []Scope    `json:"scopes"`
}

// ApiWebhookHeader is an object of the API.
type ApiWebhookHeader struct {
	Key   Field[string] `json:"key,omitzero"`
	Value Field[string] `json:"value,omitzero"`
}

// ApprovalState is one of a closed set of words. More may be added.
type ApprovalState string

// Values of ApprovalState.
const (
	ApprovalStateDraft     ApprovalState = "DRAFT"
	ApprovalStateSubmitted ApprovalState = "SUBMITTED"
	ApprovalStateApproved  ApprovalState = "APPROVED"
	ApprovalStateReturned  ApprovalState = "RETURNED"
)

// Artifact is an object of the API.
type Artifact struct {
	ID    string       `json:"id"`
	Title string       `json:"title"`
	Type  ArtifactType `json:"type"`
}

// ArtifactType is one of a closed set of words. More may be added.
type ArtifactType string

// Values of ArtifactType.
const (
	ArtifactTypeReport      ArtifactType = "REPORT"
	ArtifactTypeSpreadsheet ArtifactType = "SPREADSHEET"
)

// AssignBody is an object of the API.
type AssignBody struct {
	Assignee Field[string] `json:"assignee,omitzero"`
}

// AssigneeType is one of a closed set of words. More may be added.
type AssigneeType string

// Values of AssigneeType.
const (
	AssigneeTypeAiAgent    AssigneeType = "AI_AGENT"
	AssigneeTypeHumanAgent AssigneeType = "HUMAN_AGENT"
)

// Association is an object of the API.
type Association struct {
	DocumentID          string            `json:"documentId"`
	ID                  string            `json:"id"`
	LeadChecklistItemID string            `json:"leadChecklistItemId"`
	OverallValid        bool              `json:"overallValid"`
	ValidationResult    *ValidationResult `json:"validationResult"`
}

// AssociationBody is an object of the API.
type AssociationBody struct {
	LeadChecklistItemID string `json:"leadChecklistItemId"`
}

// Attempt is an object of the API.
type Attempt struct {
	DurationMs int         `json:"durationMs"`
	Error      *ErrorClass `json:"error"`
	Number     int         `json:"number"`
	Response   *string     `json:"response"`
	StartedAt  time.Time   `json:"startedAt"`
	Status     *int        `json:"status"`
}

// AuditAction is one of a closed set of words. More may be added.
type AuditAction string

// Values of AuditAction.
const (
	AuditActionApiKeyCreate           AuditAction = "api_key.create"
	AuditActionApiKeyRevoke           AuditAction = "api_key.revoke"
	AuditActionChecklistReveal        AuditAction = "checklist.reveal"
	AuditActionPortalLinkOpen         AuditAction = "portal_link.open"
	AuditActionPortalLinkRotate       AuditAction = "portal_link.rotate"
	AuditActionPortalLinkRevoke       AuditAction = "portal_link.revoke"
	AuditActionWebhookCreate          AuditAction = "webhook.create"
	AuditActionWebhookUpdate          AuditAction = "webhook.update"
	AuditActionWebhookDelete          AuditAction = "webhook.delete"
	AuditActionWebhookRotateSecret    AuditAction = "webhook.rotate_secret"
	AuditActionWebhookReplay          AuditAction = "webhook.replay"
	AuditActionWebhookDisabled        AuditAction = "webhook.disabled"
	AuditActionDeliveryRedeliver      AuditAction = "delivery.redeliver"
	AuditActionJobRetry               AuditAction = "job.retry"
	AuditActionJobCancel              AuditAction = "job.cancel"
	AuditActionDocumentReprocess      AuditAction = "document.reprocess"
	AuditActionDocumentHashMismatch   AuditAction = "document.hash_mismatch"
	AuditActionDocumentPageRead       AuditAction = "document.page_read"
	AuditActionDocumentCorrect        AuditAction = "document.correct"
	AuditActionDocumentAttach         AuditAction = "document.attach"
	AuditActionDocumentDetach         AuditAction = "document.detach"
	AuditActionDocumentParts          AuditAction = "document.parts"
	AuditActionDocumentOverride       AuditAction = "document.override"
	AuditActionAnalyticsRepair        AuditAction = "analytics.repair"
	AuditActionWorkspaceCreate        AuditAction = "workspace.create"
	AuditActionWorkspaceChange        AuditAction = "workspace.change"
	AuditActionWorkspaceDelete        AuditAction = "workspace.delete"
	AuditActionWorkspaceErase         AuditAction = "workspace.erase"
	AuditActionWorkspaceRotateInbound AuditAction = "workspace.rotate_inbound"
	AuditActionLeadDelete             AuditAction = "lead.delete"
	AuditActionLeadErase              AuditAction = "lead.erase"
	AuditActionErasureCancel          AuditAction = "erasure.cancel"
	AuditActionHoldCreate             AuditAction = "hold.create"
	AuditActionHoldRelease            AuditAction = "hold.release"
	AuditActionDocumentDelete         AuditAction = "document.delete"
	AuditActionDocumentErase          AuditAction = "document.erase"
	AuditActionDocumentRead           AuditAction = "document.read"
	AuditActionDocumentSetParty       AuditAction = "document.set_party"
	AuditActionPartyCreate            AuditAction = "party.create"
	AuditActionPartyUpdate            AuditAction = "party.update"
	AuditActionPartyDelete            AuditAction = "party.delete"
	AuditActionOwnershipUpdate        AuditAction = "ownership.update"
	AuditActionDebtsUpdate            AuditAction = "debts.update"
	AuditActionConsoleOpen            AuditAction = "console.open"
	AuditActionSessionCreate          AuditAction = "session.create"
	AuditActionSessionRevoke          AuditAction = "session.revoke"
	AuditActionPersonAdd              AuditAction = "person.add"
	AuditActionPersonDisable          AuditAction = "person.disable"
	AuditActionSpreadSubmit           AuditAction = "spread.submit"
	AuditActionSpreadReturn           AuditAction = "spread.return"
	AuditActionSpreadApprove          AuditAction = "spread.approve"
	AuditActionReviewTakeOver         AuditAction = "review.take_over"
	AuditActionReviewAssign           AuditAction = "review.assign"
	AuditActionReviewDecide           AuditAction = "review.decide"
)

// AuditActor is an object of the API.
type AuditActor struct {
	// Of the key, the person or, on its own page, the lead; null for the system.
	ID *string `json:"id"`
	// Of the key, a person's email, `operator` for the command line, `dossier` for the service; null for a lead.
	Name *string   `json:"name"`
	Type ActorType `json:"type"`
}

// AuditAnswer is an object of the API.
type AuditAnswer struct {
	Entries   []AuditEntry `json:"entries"`
	NextToken *string      `json:"nextToken"`
	Success   bool         `json:"success"`
}

// AuditEntry is an object of the API.
type AuditEntry struct {
	Action AuditAction `json:"action"`
	Actor  AuditActor  `json:"actor"`
	// Where the call came from; of IPv6 the network of 64 bits.
	Address *string   `json:"address"`
	At      time.Time `json:"at"`
	// `X-Request-Id` as the caller wrote it.
	CallerRequestID *string `json:"callerRequestId"`
	// Ids, codes, names of fields and counts.
	Details map[string]any `json:"details"`
	// Hex SHA-256 of the hash before it, 64 zeros for the first, followed by this entry without `hash` as JSON by RFC
	// 8785.
	Hash *string `json:"hash,omitempty"`
	ID   string  `json:"id"`
	// API key of the call.
	KeyID *string `json:"keyId"`
	// `x-actor` of the call: whom the caller named, never who it was.
	OnBehalfOf *string `json:"onBehalfOf"`
	// Id that the server gave the request.
	RequestID *string      `json:"requestId"`
	Subject   AuditSubject `json:"subject"`
}

// AuditSubject is an object of the API.
type AuditSubject struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// Breaker is an object of the API.
type Breaker struct {
	OpenUntil *time.Time   `json:"openUntil"`
	State     BreakerState `json:"state"`
}

// BreakerState is one of a closed set of words. More may be added.
type BreakerState string

// Values of BreakerState.
const (
	BreakerStateClosed   BreakerState = "CLOSED"
	BreakerStateOpen     BreakerState = "OPEN"
	BreakerStateHalfOpen BreakerState = "HALF_OPEN"
)

// CaptionBody is an object of the API.
type CaptionBody struct {
	Actor     Field[string] `json:"actor,omitzero"`
	Caption   string        `json:"caption"`
	Row       string        `json:"row"`
	Statement Field[string] `json:"statement,omitzero"`
}

// CaptionMapping is an object of the API.
type CaptionMapping struct {
	Actor     *string `json:"actor"`
	Caption   string  `json:"caption"`
	Row       string  `json:"row"`
	Statement string  `json:"statement"`
}

// CaptionsAnswer is an object of the API.
type CaptionsAnswer struct {
	CaptionMappings []CaptionMapping `json:"captionMappings"`
	Success         bool             `json:"success"`
}

// CaptionsBody is an object of the API.
type CaptionsBody struct {
	CaptionMappings []CaptionBody `json:"captionMappings"`
}

// Certificate is an object of the API.
type Certificate struct {
	CompletedAt time.Time     `json:"completedAt"`
	Counts      ErasureCounts `json:"counts"`
	ErasureID   string        `json:"erasureId"`
	// Of the workspace's Ed25519 key: hex, the first 8 bytes of its SHA-256.
	KeyID string `json:"keyId"`
	// Hex, over the sorted ids of what went, a line each.
	SHA256 string `json:"sha256"`
	// Base64, over the certificate without it as JSON by RFC 8785.
	Signature *string        `json:"signature,omitempty"`
	StartedAt time.Time      `json:"startedAt"`
	Subject   ErasureSubject `json:"subject"`
}

// Channel is one of a closed set of words. More may be added.
type Channel string

// Values of Channel.
const (
	ChannelEmail    Channel = "email"
	ChannelSms      Channel = "sms"
	ChannelWhatsapp Channel = "whatsapp"
)

// ChannelTotals is an object of the API.
type ChannelTotals struct {
	Inbound  int `json:"inbound"`
	Outbound int `json:"outbound"`
}

// CheckEffect is an object of the API.
type CheckEffect struct {
	After  *bool  `json:"after"`
	Before *bool  `json:"before"`
	Name   string `json:"name"`
	Part   int    `json:"part"`
}

// ChecklistEntry is an object of the API.
type ChecklistEntry struct {
	// Values that were displaced or outranked, newest first.
	AlternateValues []AlternateValue `json:"alternateValues"`
	ChecklistItem   ChecklistItem    `json:"checklistItem"`
	ChecklistItemID string           `json:"checklistItemId"`
	// Of file items only.
	Documents    []ItemDocument `json:"documents,omitempty"`
	ID           string         `json:"id"`
	ItemOverride any            `json:"itemOverride"`
	// Whose the item is, among the parties of the lead; null: nobody's in particular. It stands on that party's page,
	// and its documents are compared with that party.
	PartyID *string `json:"partyId"`
	// What validationError says, as codes with their values and where the facts are printed; none when it is null.
	Reasons []Reason `json:"reasons"`
	// Who gave the value; null when nobody touched the item.
	Source    *ValueSource `json:"source"`
	Status    ItemStatus   `json:"status"`
	UpdatedAt time.Time    `json:"updatedAt"`
	// Why the item is INVALID, or what is still missing, in the language that Accept-Language asks for, else in
	// English.
	ValidationError *string `json:"validationError"`
	// By type: ADDRESS an object, MULTI_SELECT an array, NUMBER a number, else a string; null when there is none.
	Value   any  `json:"value"`
	Visible bool `json:"visible"`
}

// ChecklistGroup is an object of the API.
type ChecklistGroup struct {
	Code string `json:"code"`
	// When the items are visible: {all: [...]}, {any: [...]}, {not: ...} or {code, op, value} with op eq, neq, in, gt,
	// gte, lt, lte, exists; null means always.
	Conditions map[string]any   `json:"conditions"`
	ID         string           `json:"id"`
	Items      []ChecklistEntry `json:"items"`
	Name       string           `json:"name"`
}

// ChecklistItem is an object of the API.
type ChecklistItem struct {
	ClientInstructions *string        `json:"clientInstructions"`
	Code               string         `json:"code"`
	Conditions         map[string]any `json:"conditions"`
	Config             map[string]any `json:"config"`
	FieldType          FieldType      `json:"fieldType"`
	HelpText           *string        `json:"helpText"`
	ID                 string         `json:"id"`
	IsRequired         bool           `json:"isRequired"`
	Label              string         `json:"label"`
	ValidationRules    []string       `json:"validationRules"`
}

// Citation is an object of the API.
type Citation struct {
	Box        any     `json:"box"`
	DocumentID *string `json:"documentId"`
	Page       *int    `json:"page"`
	Part       int     `json:"part"`
	Pointer    string  `json:"pointer"`
	Text       string  `json:"text"`
}

// ClaimBody is an object of the API.
type ClaimBody struct {
	Note     Field[string] `json:"note,omitzero"`
	TakeOver Field[bool]   `json:"takeOver,omitzero"`
}

// ClockAnswer is an object of the API.
type ClockAnswer struct {
	// Ids of events, as `GET /api/v1/events` has them.
	Happened []string `json:"happened"`
	// The lead's time.
	Now     time.Time `json:"now"`
	Success bool      `json:"success"`
}

// ClockBody is an object of the API.
type ClockBody struct {
	// By how much, in hours and minutes, such as `72h` or `1h30m`: more than 0, at most 8784h.
	Advance string `json:"advance"`
	// A test lead; also one that is deleted and not erased yet.
	LeadID string `json:"leadId"`
}

// CompleteBody is an object of the API.
type CompleteBody struct {
	SHA256 Field[string] `json:"sha256,omitzero"`
}

// Correction is an object of the API.
type Correction struct {
	Actor        string          `json:"actor"`
	At           time.Time       `json:"at"`
	MachineValue any             `json:"machineValue"`
	Part         int             `json:"part"`
	Pointer      string          `json:"pointer"`
	Reason       *string         `json:"reason"`
	State        CorrectionState `json:"state"`
	Value        any             `json:"value"`
}

// CorrectionBody is an object of the API.
type CorrectionBody struct {
	Box     Field[any]    `json:"box,omitzero"`
	Page    Field[int]    `json:"page,omitzero"`
	Part    int           `json:"part"`
	Pointer string        `json:"pointer"`
	Reason  Field[string] `json:"reason,omitzero"`
	Value   Field[any]    `json:"value,omitzero"`
}

// CorrectionEffects is an object of the API.
type CorrectionEffects struct {
	Checks  []CheckEffect  `json:"checks"`
	Items   []ItemEffect   `json:"items"`
	Spreads []SpreadEffect `json:"spreads"`
}

// CorrectionState is one of a closed set of words. More may be added.
type CorrectionState string

// Values of CorrectionState.
const (
	CorrectionStateApplied   CorrectionState = "applied"
	CorrectionStateConfirmed CorrectionState = "confirmed"
	CorrectionStateConflict  CorrectionState = "conflict"
)

// CorrectionsAnswer is an object of the API.
type CorrectionsAnswer struct {
	Document Document          `json:"document"`
	Effects  CorrectionEffects `json:"effects"`
	Success  bool              `json:"success"`
}

// CorrectionsBody is an object of the API.
type CorrectionsBody struct {
	Corrections []CorrectionBody `json:"corrections"`
	DryRun      Field[bool]      `json:"dryRun,omitzero"`
}

// CreateDocumentsAnswer is an object of the API.
type CreateDocumentsAnswer struct {
	ActionLogID string             `json:"actionLogId"`
	Documents   []UploadedDocument `json:"documents"`
	Success     bool               `json:"success"`
}

// CreateKeyAnswer is an object of the API.
type CreateKeyAnswer struct {
	APIKey  ApiKey `json:"apiKey"`
	Key     string `json:"key"`
	Success bool   `json:"success"`
}

// CreateLeadBody is an object of the API.
type CreateLeadBody struct {
	AssigneeType       Field[string]       `json:"assigneeType,omitzero"`
	BusinessName       Field[string]       `json:"businessName,omitzero"`
	ChecklistItems     Field[[]ItemUpdate] `json:"checklistItems,omitzero"`
	DecisionAt         Field[time.Time]    `json:"decisionAt,omitzero"`
	DidOptOut          Field[bool]         `json:"didOptOut,omitzero"`
	Email              Field[string]       `json:"email,omitzero"`
	EmailVerified      Field[bool]         `json:"emailVerified,omitzero"`
	ExternalLeadID     Field[string]       `json:"externalLeadId,omitzero"`
	ExternalPortalLink Field[string]       `json:"externalPortalLink,omitzero"`
	FirstName          Field[string]       `json:"firstName,omitzero"`
	IsTest             Field[bool]         `json:"isTest,omitzero"`
	LastName           Field[string]       `json:"lastName,omitzero"`
	MiddleName         Field[string]       `json:"middleName,omitzero"`
	PhoneNumber        Field[string]       `json:"phoneNumber,omitzero"`
	Tags               Field[[]string]     `json:"tags,omitzero"`
	Timezone           Field[string]       `json:"timezone,omitzero"`
	Website            Field[string]       `json:"website,omitzero"`
}

// CreateSpreadBody is an object of the API.
type CreateSpreadBody struct {
	Currency           Field[string]              `json:"currency,omitzero"`
	Distributions      Field[SpreadDistributions] `json:"distributions,omitzero"`
	DocumentIDs        Field[[]string]            `json:"documentIds,omitzero"`
	EntityName         Field[string]              `json:"entityName,omitzero"`
	ExternalID         Field[string]              `json:"externalId,omitzero"`
	FiscalYearEndMonth Field[int]                 `json:"fiscalYearEndMonth,omitzero"`
	LeadID             string                     `json:"leadId"`
	PartyID            Field[string]              `json:"partyId,omitzero"`
	Scope              Field[string]              `json:"scope,omitzero"`
}

// Debt is an object of the API.
type Debt struct {
	Balance    json.Number   `json:"balance"`
	DocumentID *string       `json:"documentId,omitempty"`
	Frequency  DebtFrequency `json:"frequency"`
	ID         string        `json:"id"`
	Kind       DebtKind      `json:"kind"`
	Lender     string        `json:"lender"`
	Maturity   *string       `json:"maturity"`
	PartyID    string        `json:"partyId"`
	Payment    json.Number   `json:"payment"`
	Rate       *json.Number  `json:"rate"`
	Secured    bool          `json:"secured"`
	Source     DebtSource    `json:"source"`
}

// DebtBody is an object of the API.
type DebtBody struct {
	Balance    json.Number        `json:"balance"`
	DocumentID Field[string]      `json:"documentId,omitzero"`
	Frequency  DebtFrequency      `json:"frequency"`
	ID         Field[string]      `json:"id,omitzero"`
	Kind       DebtKind           `json:"kind"`
	Lender     string             `json:"lender"`
	Maturity   Field[string]      `json:"maturity,omitzero"`
	PartyID    string             `json:"partyId"`
	Payment    json.Number        `json:"payment"`
	Rate       Field[json.Number] `json:"rate,omitzero"`
	Secured    Field[bool]        `json:"secured,omitzero"`
	Source     Field[DebtSource]  `json:"source,omitzero"`
}

// DebtFrequency is one of a closed set of words. More may be added.
type DebtFrequency string

// Values of DebtFrequency.
const (
	DebtFrequencyWeekly    DebtFrequency = "weekly"
	DebtFrequencyMonthly   DebtFrequency = "monthly"
	DebtFrequencyQuarterly DebtFrequency = "quarterly"
	DebtFrequencyAnnually  DebtFrequency = "annually"
)

// DebtKind is one of a closed set of words. More may be added.
type DebtKind string

// Values of DebtKind.
const (
	DebtKindTermLoan     DebtKind = "term_loan"
	DebtKindLineOfCredit DebtKind = "line_of_credit"
	DebtKindMortgage     DebtKind = "mortgage"
	DebtKindLease        DebtKind = "lease"
	DebtKindCreditCard   DebtKind = "credit_card"
	DebtKindAuto         DebtKind = "auto"
	DebtKindStudent      DebtKind = "student"
	DebtKindOther        DebtKind = "other"
)

// DebtSource is one of a closed set of words. More may be added.
type DebtSource string

// Values of DebtSource.
const (
	DebtSourceStatement DebtSource = "statement"
	DebtSourceManual    DebtSource = "manual"
)

// DebtsAnswer is an object of the API.
type DebtsAnswer struct {
	Debts   []Debt `json:"debts"`
	Success bool   `json:"success"`
}

// DebtsBody is an object of the API.
type DebtsBody struct {
	Debts []DebtBody `json:"debts"`
}

// DecideBody is an object of the API.
type DecideBody struct {
	Decision   ReviewDecided `json:"decision"`
	Note       Field[string] `json:"note,omitzero"`
	ReasonCode Field[string] `json:"reasonCode,omitzero"`
	Version    int           `json:"version"`
}

// DeleteDocumentResult is an object of the API.
type DeleteDocumentResult struct {
	Review  Review `json:"review"`
	Success any    `json:"success"`
}

// DeleteLeadResult is an object of the API.
type DeleteLeadResult struct {
	Review  Review `json:"review"`
	Success any    `json:"success"`
}

// DeliveriesAnswer is an object of the API.
type DeliveriesAnswer struct {
	Deliveries []Delivery `json:"deliveries"`
	NextToken  *string    `json:"nextToken"`
	Success    bool       `json:"success"`
}

// Delivery is an object of the API.
type Delivery struct {
	Attempts      int            `json:"attempts"`
	CompletedAt   *time.Time     `json:"completedAt"`
	CreatedAt     time.Time      `json:"createdAt"`
	EventID       string         `json:"eventId"`
	EventType     EventType      `json:"eventType"`
	ID            string         `json:"id"`
	LastError     *ErrorClass    `json:"lastError"`
	LastStatus    *int           `json:"lastStatus"`
	LeadID        *string        `json:"leadId"`
	NextAttemptAt *time.Time     `json:"nextAttemptAt"`
	Status        DeliveryStatus `json:"status"`
	WebhookID     string         `json:"webhookId"`
}

// DeliveryAnswer is an object of the API.
type DeliveryAnswer struct {
	Delivery Delivery `json:"delivery"`
	Success  bool     `json:"success"`
}

// DeliveryDetail is an object of the API.
type DeliveryDetail struct {
	AttemptLog    []Attempt      `json:"attemptLog"`
	Attempts      int            `json:"attempts"`
	CompletedAt   *time.Time     `json:"completedAt"`
	CreatedAt     time.Time      `json:"createdAt"`
	EventID       string         `json:"eventId"`
	EventType     EventType      `json:"eventType"`
	ID            string         `json:"id"`
	LastError     *ErrorClass    `json:"lastError"`
	LastStatus    *int           `json:"lastStatus"`
	LeadID        *string        `json:"leadId"`
	NextAttemptAt *time.Time     `json:"nextAttemptAt"`
	Status        DeliveryStatus `json:"status"`
	WebhookID     string         `json:"webhookId"`
}

// DeliveryDetailAnswer is an object of the API.
type DeliveryDetailAnswer struct {
	Delivery DeliveryDetail `json:"delivery"`
	Success  bool           `json:"success"`
}

// DeliveryStatus is one of a closed set of words. More may be added.
type DeliveryStatus string

// Values of DeliveryStatus.
const (
	DeliveryStatusPending   DeliveryStatus = "PENDING"
	DeliveryStatusSucceeded DeliveryStatus = "SUCCEEDED"
	DeliveryStatusFailed    DeliveryStatus = "FAILED"
	DeliveryStatusSkipped   DeliveryStatus = "SKIPPED"
	DeliveryStatusCancelled DeliveryStatus = "CANCELLED"
)

// DocType is one of a closed set of words. More may be added.
type DocType string

// Values of DocType.
const (
	DocTypeBankStatement       DocType = "bank_statement"
	DocTypeTaxReturn           DocType = "tax_return"
	DocTypeDriversLicense      DocType = "drivers_license"
	DocTypePassport            DocType = "passport"
	DocTypeNationalId          DocType = "national_id"
	DocTypeResidencePermit     DocType = "residence_permit"
	DocTypeFinancialStatement  DocType = "financial_statement"
	DocTypeTaxFormOther        DocType = "tax_form_other"
	DocTypePayStub             DocType = "pay_stub"
	DocTypeInvoice             DocType = "invoice"
	DocTypeReceipt             DocType = "receipt"
	DocTypeUtilityBill         DocType = "utility_bill"
	DocTypeCreditCardStatement DocType = "credit_card_statement"
	DocTypeBrokerageStatement  DocType = "brokerage_statement"
	DocTypeInvestmentStatement DocType = "investment_statement"
	DocTypeAssetVerification   DocType = "asset_verification"
	DocTypeLease               DocType = "lease"
	DocTypeInsurance           DocType = "insurance"
	DocTypeCheck               DocType = "check"
	DocTypeBenefitPlanReport   DocType = "benefit_plan_report"
	DocTypeRentRoll            DocType = "rent_roll"
	DocTypeRateConfirmation    DocType = "rate_confirmation"
	DocTypeSocialSecurityCard  DocType = "social_security_card"
	DocTypeOther               DocType = "other"
)

// Document is an object of the API.
type Document struct {
	// The bytes in base64; only with includeContent.
	Content                   *string             `json:"content,omitempty"`
	Corrections               []Correction        `json:"corrections"`
	CreatedAt                 time.Time           `json:"createdAt"`
	DuplicateOf               *string             `json:"duplicateOf"`
	ExternalID                *string             `json:"externalId"`
	Extraction                *DocumentExtraction `json:"extraction"`
	ExtractionError           *ExtractionError    `json:"extractionError"`
	Filename                  string              `json:"filename"`
	ID                        string              `json:"id"`
	LeadChecklistItemDocument []Association       `json:"leadChecklistItemDocument"`
	LeadID                    string              `json:"leadId"`
	Metadata                  DocumentMetadata    `json:"metadata"`
	MimeType                  string              `json:"mimeType"`
	SHA256                    *string             `json:"sha256"`
	SignedURL                 string              `json:"signedUrl"`
	Size                      int                 `json:"size"`
	ThumbnailURL              *string             `json:"thumbnailUrl"`
	UpdatedAt                 time.Time           `json:"updatedAt"`
}

// DocumentAnswer is an object of the API.
type DocumentAnswer struct {
	Document Document `json:"document"`
	Success  bool     `json:"success"`
}

// DocumentClass is an object of the API.
type DocumentClass struct {
	Confidence json.Number `json:"confidence"`
	DocType    DocType     `json:"docType"`
	FieldType  FieldType   `json:"fieldType"`
	Pages      []int       `json:"pages"`
}

// DocumentCorrectedEvent is an object of the API.
type DocumentCorrectedEvent struct {
	Corrections    []string       `json:"corrections"`
	Document       RecordDocument `json:"document"`
	ExternalLeadID *string        `json:"externalLeadId"`
	LeadID         string         `json:"leadId"`
}

// DocumentErasedEvent is an object of the API.
type DocumentErasedEvent struct {
	DocumentID string `json:"documentId"`
	ErasureID  string `json:"erasureId"`
	LeadID     string `json:"leadId"`
}

// DocumentEvent is an object of the API.
type DocumentEvent struct {
	Document       RecordDocument `json:"document"`
	ExternalLeadID *string        `json:"externalLeadId"`
	LeadID         string         `json:"leadId"`
}

// DocumentExtractedEvent is an object of the API.
type DocumentExtractedEvent struct {
	Classification []DocumentClass `json:"classification,omitempty"`
	Document       RecordDocument  `json:"document"`
	ExternalLeadID *string         `json:"externalLeadId"`
	LeadID         string          `json:"leadId"`
}

// DocumentExtraction is an object of the API.
type DocumentExtraction struct {
	Documents     []DocumentPart `json:"documents"`
	EngineVersion string         `json:"engineVersion"`
	Layer         string         `json:"layer"`
	MimeType      string         `json:"mimeType"`
	Model         *ModelUse      `json:"model"`
	PageCount     int            `json:"pageCount"`
	Pages         []PageSize     `json:"pages"`
	Warnings      []FactWarning  `json:"warnings"`
}

// DocumentMetadata is an object of the API.
type DocumentMetadata struct {
	MatchedChecklistItems []MatchedItem    `json:"Matched checklist items"`
	ExtractionStatus      ExtractionStatus `json:"extractionStatus"`
}

// DocumentPart is an object of the API.
type DocumentPart struct {
	Checks     []FactCheck       `json:"checks"`
	Confidence json.Number       `json:"confidence"`
	Derived    map[string]string `json:"derived"`
	DocType    DocType           `json:"docType"`
	Evidence   []string          `json:"evidence"`
	Facts      map[string]any    `json:"facts"`
	FieldType  FieldType         `json:"fieldType"`
	Pages      []int             `json:"pages"`
	PartyID    *string           `json:"partyId"`
	Sources    map[string]Source `json:"sources"`
	Sums       []PrintedSum      `json:"sums,omitempty"`
	Warnings   []FactWarning     `json:"warnings"`
}

// DocumentPartBody is an object of the API.
type DocumentPartBody struct {
	PartyID Field[string] `json:"partyId,omitzero"`
}

// DossierSpreadAdjustment is an object of the API.
type DossierSpreadAdjustment struct {
	Actor     *string      `json:"actor"`
	MoveTo    *string      `json:"moveTo"`
	PeriodID  string       `json:"periodId"`
	Reason    string       `json:"reason"`
	Row       string       `json:"row"`
	Statement string       `json:"statement"`
	Value     *json.Number `json:"value"`
}

// DraftBody is an object of the API.
type DraftBody struct {
	Body    string        `json:"body"`
	Channel Channel       `json:"channel"`
	Subject Field[string] `json:"subject,omitzero"`
}

// EdgeBody is an object of the API.
type EdgeBody struct {
	DocumentID Field[string]     `json:"documentId,omitzero"`
	OwnedID    string            `json:"ownedId"`
	OwnerID    string            `json:"ownerId"`
	Percent    json.Number       `json:"percent"`
	Source     Field[EdgeSource] `json:"source,omitzero"`
}

// EdgeSource is one of a closed set of words. More may be added.
type EdgeSource string

// Values of EdgeSource.
const (
	EdgeSourceK1     EdgeSource = "k1"
	EdgeSourceManual EdgeSource = "manual"
)

// EditBody is an object of the API.
type EditBody struct {
	Body string `json:"body"`
	// Of an email; absent leaves it as it is.
	Subject Field[string] `json:"subject,omitzero"`
}

// EraseBody is an object of the API.
type EraseBody struct {
	// Count what would go and change nothing.
	DryRun Field[bool] `json:"dryRun,omitzero"`
	// Stays when everything else is gone. It must name nobody.
	Reason string `json:"reason"`
}

// EraseDocumentResult is an object of the API.
type EraseDocumentResult struct {
	Counts  *EraseDocumentResultCounts `json:"counts,omitempty"`
	Erasure *Erasure                   `json:"erasure,omitempty"`
	Review  *Review                    `json:"review,omitempty"`
	Success any                        `json:"success"`
}

// EraseDocumentResultCounts is an object of the API.
type EraseDocumentResultCounts struct {
	Objects int `json:"objects"`
	Rows    int `json:"rows"`
}

// EraseLeadResult is an object of the API.
type EraseLeadResult struct {
	Counts  *EraseLeadResultCounts `json:"counts,omitempty"`
	Erasure *Erasure               `json:"erasure,omitempty"`
	Review  *Review                `json:"review,omitempty"`
	Success any                    `json:"success"`
}

// EraseLeadResultCounts is an object of the API.
type EraseLeadResultCounts struct {
	Objects int `json:"objects"`
	Rows    int `json:"rows"`
}

// Erasure is an object of the API.
type Erasure struct {
	Certificate *Certificate `json:"certificate"`
	CompletedAt *time.Time   `json:"completedAt"`
	// Zero until it is COMPLETE.
	Counts      ErasureCounts `json:"counts"`
	DueAt       time.Time     `json:"dueAt"`
	ID          string        `json:"id"`
	Reason      string        `json:"reason"`
	RequestedAt time.Time     `json:"requestedAt"`
	// A person's email, `key:<name>`, or `system`.
	RequestedBy string         `json:"requestedBy"`
	Status      ErasureStatus  `json:"status"`
	Subject     ErasureSubject `json:"subject"`
	SubjectID   string         `json:"subjectId"`
}

// ErasureAnswer is an object of the API.
type ErasureAnswer struct {
	Erasure Erasure `json:"erasure"`
	Success bool    `json:"success"`
}

// ErasureCounts is an object of the API.
type ErasureCounts struct {
	Objects int `json:"objects"`
	Rows    int `json:"rows"`
}

// ErasureStatus is one of a closed set of words. More may be added.
type ErasureStatus string

// Values of ErasureStatus.
const (
	ErasureStatusScheduled ErasureStatus = "SCHEDULED"
	ErasureStatusRunning   ErasureStatus = "RUNNING"
	ErasureStatusHeld      ErasureStatus = "HELD"
	ErasureStatusComplete  ErasureStatus = "COMPLETE"
	ErasureStatusCancelled ErasureStatus = "CANCELLED"
)

// ErasureSubject is one of a closed set of words. More may be added.
type ErasureSubject string

// Values of ErasureSubject.
const (
	ErasureSubjectLead      ErasureSubject = "lead"
	ErasureSubjectDocument  ErasureSubject = "document"
	ErasureSubjectWorkspace ErasureSubject = "workspace"
)

// ErasuresAnswer is an object of the API.
type ErasuresAnswer struct {
	Erasures  []Erasure `json:"erasures"`
	NextToken *string   `json:"nextToken"`
	Success   bool      `json:"success"`
}

// ErrorClass is one of a closed set of words. More may be added.
type ErrorClass string

// Values of ErrorClass.
const (
	ErrorClassDns            ErrorClass = "dns"
	ErrorClassConnect        ErrorClass = "connect"
	ErrorClassTls            ErrorClass = "tls"
	ErrorClassTimeoutHead    ErrorClass = "timeout_head"
	ErrorClassReset          ErrorClass = "reset"
	ErrorClassBlockedAddress ErrorClass = "blocked_address"
	ErrorClassHttp4xx        ErrorClass = "http_4xx"
	ErrorClassHttp5xx        ErrorClass = "http_5xx"
	ErrorClassRedirect       ErrorClass = "redirect"
	ErrorClassTooLarge       ErrorClass = "too_large"
)

// Escalation is an object of the API.
type Escalation struct {
	CreatedAt     time.Time        `json:"createdAt"`
	Detail        *string          `json:"detail"`
	ID            string           `json:"id"`
	LeadID        string           `json:"leadId"`
	Note          *string          `json:"note"`
	Reason        string           `json:"reason"`
	ResolvedAt    *time.Time       `json:"resolvedAt"`
	ResolvedBy    *string          `json:"resolvedBy"`
	Status        EscalationStatus `json:"status"`
	WorkflowRunID *string          `json:"workflowRunId"`
}

// EscalationAnswer is an object of the API.
type EscalationAnswer struct {
	Escalation Escalation `json:"escalation"`
	Success    bool       `json:"success"`
}

// EscalationBody is an object of the API.
type EscalationBody struct {
	Detail Field[string] `json:"detail,omitzero"`
	Reason string        `json:"reason"`
}

// EscalationEvent is an object of the API.
type EscalationEvent struct {
	Escalation     Escalation `json:"escalation"`
	ExternalLeadID *string    `json:"externalLeadId"`
	LeadID         string     `json:"leadId"`
}

// EscalationStatus is one of a closed set of words. More may be added.
type EscalationStatus string

// Values of EscalationStatus.
const (
	EscalationStatusOpen     EscalationStatus = "OPEN"
	EscalationStatusResolved EscalationStatus = "RESOLVED"
)

// EscalationsAnswer is an object of the API.
type EscalationsAnswer struct {
	Escalations []Escalation `json:"escalations"`
	NextToken   *string      `json:"nextToken"`
	Success     bool         `json:"success"`
}

// EventType is one of a closed set of words. More may be added.
type EventType string

// Values of EventType.
const (
	EventTypeWorkflowRunCreated     EventType = "workflow_run.created"
	EventTypeWorkflowRunPaused      EventType = "workflow_run.paused"
	EventTypeWorkflowRunResumed     EventType = "workflow_run.resumed"
	EventTypeWorkflowRunCompleted   EventType = "workflow_run.completed"
	EventTypeWorkflowRunCancelled   EventType = "workflow_run.cancelled"
	EventTypeLeadCreated            EventType = "lead.created"
	EventTypeLeadUpdated            EventType = "lead.updated"
	EventTypeLeadCompleted          EventType = "lead.completed"
	EventTypeLeadOptedOut           EventType = "lead.opted_out"
	EventTypeLeadNotInterested      EventType = "lead.not_interested"
	EventTypeLeadReopened           EventType = "lead.reopened"
	EventTypeLeadEscalated          EventType = "lead.escalated"
	EventTypeLeadEscalationResolved EventType = "lead.escalation_resolved"
	EventTypeLeadErased             EventType = "lead.erased"
	EventTypeDocumentReceived       EventType = "document.received"
	EventTypeDocumentExtracted      EventType = "document.extracted"
	EventTypeDocumentValidated      EventType = "document.validated"
	EventTypeDocumentCorrected      EventType = "document.corrected"
	EventTypeDocumentErased         EventType = "document.erased"
	EventTypeChecklistItemCompleted EventType = "checklist_item.completed"
	EventTypeChecklistItemInvalid   EventType = "checklist_item.invalid"
	EventTypeMessageSent            EventType = "message.sent"
	EventTypeMessageDelivered       EventType = "message.delivered"
	EventTypeMessageFailed          EventType = "message.failed"
	EventTypeMessageReceived        EventType = "message.received"
	EventTypeSpreadStarted          EventType = "spread.started"
	EventTypeSpreadCompleted        EventType = "spread.completed"
	EventTypeSpreadFailed           EventType = "spread.failed"
	EventTypeSpreadApproved         EventType = "spread.approved"
	EventTypeReviewOpened           EventType = "review.opened"
	EventTypeReviewDecided          EventType = "review.decided"
	EventTypePipelineRunCompleted   EventType = "pipeline_run.completed"
	EventTypePipelineRunFailed      EventType = "pipeline_run.failed"
	EventTypeExportCompleted        EventType = "export.completed"
	EventTypeWebhookTest            EventType = "webhook.test"
	EventTypeWebhookDisabled        EventType = "webhook.disabled"
)

// EventsAnswer is an object of the API.
type EventsAnswer struct {
	Epoch     int     `json:"epoch"`
	Events    []Event `json:"events"`
	NextToken *string `json:"nextToken"`
	Success   bool    `json:"success"`
}

// Export is an object of the API.
type Export struct {
	CompletedAt *time.Time `json:"completedAt"`
	CreatedAt   time.Time  `json:"createdAt"`
	End         *time.Time `json:"end"`
	JobID       string     `json:"jobId"`
	Rows        int        `json:"rows"`
	Start       *time.Time `json:"start"`
}

// ExportEvent is an object of the API.
type ExportEvent struct {
	Export         Export  `json:"export"`
	ExternalLeadID *string `json:"externalLeadId"`
	LeadID         *string `json:"leadId"`
}

// ExtractionError is an object of the API.
type ExtractionError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ExtractionStatus is one of a closed set of words. More may be added.
type ExtractionStatus string

// Values of ExtractionStatus.
const (
	ExtractionStatusPending    ExtractionStatus = "pending"
	ExtractionStatusProcessing ExtractionStatus = "processing"
	ExtractionStatusCompleted  ExtractionStatus = "completed"
	ExtractionStatusFailed     ExtractionStatus = "failed"
)

// FactCheck is an object of the API.
type FactCheck struct {
	Detail string `json:"detail"`
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
}

// FactWarning is an object of the API.
type FactWarning struct {
	Code    string  `json:"code"`
	Detail  string  `json:"detail"`
	Pointer *string `json:"pointer,omitempty"`
}

// FieldQuality is an object of the API.
type FieldQuality struct {
	DocType  DocType       `json:"docType"`
	Field    string        `json:"field"`
	Interval []json.Number `json:"interval"`
	LookedAt int           `json:"lookedAt"`
	Right    int           `json:"right"`
	Share    json.Number   `json:"share"`
}

// FieldType is one of a closed set of words. More may be added.
type FieldType string

// Values of FieldType.
const (
	FieldTypeBankStatement FieldType = "BANK_STATEMENT"
	FieldTypeFile          FieldType = "FILE"
	FieldTypeId            FieldType = "ID"
	FieldTypeTaxReturn     FieldType = "TAX_RETURN"
	FieldTypeAddress       FieldType = "ADDRESS"
	FieldTypeDate          FieldType = "DATE"
	FieldTypeEin           FieldType = "EIN"
	FieldTypeEmail         FieldType = "EMAIL"
	FieldTypeMultiSelect   FieldType = "MULTI_SELECT"
	FieldTypeNumber        FieldType = "NUMBER"
	FieldTypePhone         FieldType = "PHONE"
	FieldTypeSelect        FieldType = "SELECT"
	FieldTypeSsn           FieldType = "SSN"
	FieldTypeText          FieldType = "TEXT"
)

// FilePartBody is an object of the API.
type FilePartBody struct {
	DocType Field[DocType] `json:"docType,omitzero"`
	Pages   []int          `json:"pages"`
}

// FollowUp is an object of the API.
type FollowUp struct {
	ID          string          `json:"id"`
	ScheduledAt *time.Time      `json:"scheduledAt"`
	Status      ActionLogStatus `json:"status"`
	Summary     string          `json:"summary"`
	Type        ActionLogType   `json:"type"`
}

// GlobalParty is an object of the API.
type GlobalParty struct {
	Name     string  `json:"name"`
	PartyID  string  `json:"partyId"`
	SpreadID *string `json:"spreadId"`
}

// GlobalPeriod is an object of the API.
type GlobalPeriod struct {
	End   string      `json:"end"`
	ID    string      `json:"id"`
	Label string      `json:"label"`
	Rows  []GlobalRow `json:"rows"`
	Start string      `json:"start"`
}

// GlobalRow is an object of the API.
type GlobalRow struct {
	Computed       bool           `json:"computed"`
	CounterpartyID *string        `json:"counterpartyId,omitempty"`
	Key            string         `json:"key"`
	Kind           string         `json:"kind"`
	Label          string         `json:"label"`
	PartyID        *string        `json:"partyId"`
	Reliable       *bool          `json:"reliable,omitempty"`
	Sources        []GlobalSource `json:"sources"`
	Value          *json.Number   `json:"value"`
}

// GlobalSource is an object of the API.
type GlobalSource struct {
	Caption    string  `json:"caption"`
	DebtID     *string `json:"debtId,omitempty"`
	DocumentID *string `json:"documentId,omitempty"`
	Page       *int    `json:"page,omitempty"`
	SpreadID   *string `json:"spreadId,omitempty"`
	Text       string  `json:"text"`
}

// Hold is an object of the API.
type Hold struct {
	CreatedAt  time.Time  `json:"createdAt"`
	CreatedBy  string     `json:"createdBy"`
	ID         string     `json:"id"`
	LeadID     string     `json:"leadId"`
	Reason     string     `json:"reason"`
	ReleasedAt *time.Time `json:"releasedAt"`
	ReleasedBy *string    `json:"releasedBy"`
}

// HoldAnswer is an object of the API.
type HoldAnswer struct {
	Hold    Hold `json:"hold"`
	Success bool `json:"success"`
}

// HoldBody is an object of the API.
type HoldBody struct {
	Reason string `json:"reason"`
}

// HoldsAnswer is an object of the API.
type HoldsAnswer struct {
	Holds     []Hold  `json:"holds"`
	NextToken *string `json:"nextToken"`
	Success   bool    `json:"success"`
}

// ImportAnswer is an object of the API.
type ImportAnswer struct {
	Import  ImportView `json:"import"`
	Success bool       `json:"success"`
}

// ImportFailure is an object of the API.
type ImportFailure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ImportFault is an object of the API.
type ImportFault struct {
	Code string `json:"code"`
	// Empty when the row as a whole is meant.
	Column string `json:"column"`
	Detail string `json:"detail"`
	// As a spreadsheet shows it: the first row of data is 2.
	Row int `json:"row"`
}

// ImportStatus is one of a closed set of words. More may be added.
type ImportStatus string

// Values of ImportStatus.
const (
	ImportStatusPending  ImportStatus = "PENDING"
	ImportStatusRunning  ImportStatus = "RUNNING"
	ImportStatusComplete ImportStatus = "COMPLETE"
	ImportStatusFailed   ImportStatus = "FAILED"
)

// ImportView is an object of the API.
type ImportView struct {
	// Leads made; of a dry run, that would be.
	Created   int       `json:"created"`
	CreatedAt time.Time `json:"createdAt"`
	// Nothing is made.
	DryRun bool          `json:"dryRun"`
	Errors []ImportFault `json:"errors"`
	// Why a FAILED import could not go on. What was made by then stays.
	Failure    *ImportFailure `json:"failure"`
	FinishedAt *time.Time     `json:"finishedAt"`
	ID         string         `json:"id"`
	// Rows that changed nothing.
	Refused int `json:"refused"`
	// Signed URL, for an hour, of a CSV with what became of each row: `row,outcome,leadId,column,code,detail`. Null
	// until COMPLETE.
	Report *string `json:"report"`
	// Rows of data read so far.
	Rows   int          `json:"rows"`
	Status ImportStatus `json:"status"`
	// Rows that found their lead by its `externalLeadId`.
	Updated int `json:"updated"`
}

// ImportsAnswer is an object of the API.
type ImportsAnswer struct {
	Imports   []ImportView `json:"imports"`
	NextToken *string      `json:"nextToken"`
	Success   bool         `json:"success"`
}

// Integrity is one of a closed set of words. More may be added.
type Integrity string

// Values of Integrity.
const (
	IntegrityReconciled Integrity = "reconciled"
	IntegrityVariance   Integrity = "variance"
	IntegrityIncomplete Integrity = "incomplete"
)

// ItemChangeBody is an object of the API.
type ItemChangeBody struct {
	AgentInstructions  Field[string]   `json:"agentInstructions,omitzero"`
	ClientInstructions Field[string]   `json:"clientInstructions,omitzero"`
	Config             Field[any]      `json:"config,omitzero"`
	IsRequired         Field[bool]     `json:"isRequired,omitzero"`
	Label              Field[string]   `json:"label,omitzero"`
	PartyID            Field[string]   `json:"partyId,omitzero"`
	ValidationRules    Field[[]string] `json:"validationRules,omitzero"`
}

// ItemDocument is an object of the API.
type ItemDocument struct {
	Filename         string               `json:"filename"`
	ID               string               `json:"id"`
	Metadata         ItemDocumentMetadata `json:"metadata"`
	MimeType         string               `json:"mimeType"`
	SignedURL        string               `json:"signedUrl"`
	Size             int                  `json:"size"`
	ValidationResult *ValidationResult    `json:"validationResult"`
}

// ItemDocumentMetadata is an object of the API.
type ItemDocumentMetadata struct {
	ExtractionStatus ExtractionStatus `json:"extractionStatus"`
	OverallValid     bool             `json:"overallValid"`
}

// ItemEffect is an object of the API.
type ItemEffect struct {
	After               ItemState `json:"after"`
	Before              ItemState `json:"before"`
	Code                string    `json:"code"`
	LeadChecklistItemID string    `json:"leadChecklistItemId"`
}

// ItemEvent is an object of the API.
type ItemEvent struct {
	ChecklistItem  RecordChecklistItem `json:"checklistItem"`
	ExternalLeadID *string             `json:"externalLeadId"`
	LeadID         string              `json:"leadId"`
}

// ItemState is an object of the API.
type ItemState struct {
	Status          ItemStatus `json:"status"`
	ValidationError *string    `json:"validationError"`
}

// ItemStatus is one of a closed set of words. More may be added.
type ItemStatus string

// Values of ItemStatus.
const (
	ItemStatusTodo        ItemStatus = "TODO"
	ItemStatusCompleted   ItemStatus = "COMPLETED"
	ItemStatusInvalid     ItemStatus = "INVALID"
	ItemStatusSkipped     ItemStatus = "SKIPPED"
	ItemStatusNeedsReview ItemStatus = "NEEDS_REVIEW"
)

// ItemUpdate is an object of the API.
type ItemUpdate struct {
	// Code of the item on the lead's checklist.
	Code string `json:"code"`
	// Taken as given.
	Status Field[ItemStatus] `json:"status,omitzero"`
	// By the item's type; without status it is validated, giving COMPLETED or INVALID. null clears value and status.
	Value Field[any] `json:"value,omitzero"`
}

// KeyBody is an object of the API.
type KeyBody struct {
	// From then on the key is refused.
	ExpiresAt Field[time.Time] `json:"expiresAt,omitzero"`
	// A test key sees and changes test leads only, and what it makes is a test; nothing it starts reaches a person. A
	// test key makes test keys only.
	IsTest Field[bool] `json:"isTest,omitzero"`
	// What the key is for; shown in the list.
	Name   string         `json:"name"`
	Scopes Field[[]Scope] `json:"scopes,omitzero"`
}

// KeysAnswer is an object of the API.
type KeysAnswer struct {
	APIKeys   []ApiKey `json:"apiKeys"`
	NextToken *string  `json:"nextToken"`
	Success   bool     `json:"success"`
}

// Lead is an object of the API.
type Lead struct {
	// What was last done for the lead.
	ActivitySummary *string      `json:"activitySummary"`
	AssigneeType    AssigneeType `json:"assigneeType"`
	BusinessName    *string      `json:"businessName"`
	CreatedAt       time.Time    `json:"createdAt"`
	// When the lender decided: retention may count from it.
	DecisionAt         *time.Time `json:"decisionAt"`
	DeletedAt          *time.Time `json:"deletedAt"`
	DidOptOut          bool       `json:"didOptOut"`
	Email              *string    `json:"email"`
	EmailVerifiedAt    *time.Time `json:"emailVerifiedAt"`
	ExternalLeadID     *string    `json:"externalLeadId"`
	ExternalPortalLink *string    `json:"externalPortalLink"`
	FirstName          *string    `json:"firstName"`
	ID                 string     `json:"id"`
	IsTest             bool       `json:"isTest"`
	LastName           *string    `json:"lastName"`
	MiddleName         *string    `json:"middleName"`
	NotInterestedAt    *time.Time `json:"notInterestedAt"`
	OptOutAt           *time.Time `json:"optOutAt"`
	// E.164 when it could be read, else as given.
	PhoneNumber     *string    `json:"phoneNumber"`
	PhoneVerifiedAt *time.Time `json:"phoneVerifiedAt"`
	// The lead's own page; externalPortalLink when that is set. null for keys without the scope write, in events and
	// when the link has expired.
	PortalURL *string    `json:"portalUrl"`
	Source    string     `json:"source"`
	Status    LeadStatus `json:"status"`
	// Unique without case, sorted.
	Tags []string `json:"tags"`
	// IANA name: as given, else of the phone number's area when there is exactly one.
	Timezone  *string   `json:"timezone"`
	UpdatedAt time.Time `json:"updatedAt"`
	Website   *string   `json:"website"`
}

// LeadAnswer is an object of the API.
type LeadAnswer struct {
	ActionLogs     []ActionLog      `json:"actionLogs"`
	ChecklistItems []ChecklistGroup `json:"checklistItems"`
	LastAction     *ActionLog       `json:"lastAction"`
	Lead           Lead             `json:"lead"`
	MatchingLeads  []MatchingLead   `json:"matchingLeads"`
	NextDraft      *ActionLog       `json:"nextDraft"`
	NextFollowUp   *ActionLog       `json:"nextFollowUp"`
	Status         LeadStatus       `json:"status"`
	Success        bool             `json:"success"`
}

// LeadErasedEvent is an object of the API.
type LeadErasedEvent struct {
	ErasureID string `json:"erasureId"`
	LeadID    string `json:"leadId"`
}

// LeadEvent is an object of the API.
type LeadEvent struct {
	ExternalLeadID *string `json:"externalLeadId"`
	Lead           Lead    `json:"lead"`
	LeadID         string  `json:"leadId"`
}

// LeadItem is an object of the API.
type LeadItem struct {
	AgentInstructions  *string        `json:"agentInstructions"`
	ClientInstructions *string        `json:"clientInstructions"`
	Code               string         `json:"code"`
	Config             map[string]any `json:"config"`
	CreatedAt          time.Time      `json:"createdAt"`
	FieldType          FieldType      `json:"fieldType"`
	ID                 string         `json:"id"`
	IsRequired         bool           `json:"isRequired"`
	Label              string         `json:"label"`
	LeadID             string         `json:"leadId"`
	PartyID            *string        `json:"partyId"`
	Status             ItemStatus     `json:"status"`
	ValidationRules    []string       `json:"validationRules"`
}

// LeadItemAnswer is an object of the API.
type LeadItemAnswer struct {
	ChecklistItem LeadItem `json:"checklistItem"`
	Success       bool     `json:"success"`
}

// LeadStatus is one of a closed set of words. More may be added.
type LeadStatus string

// Values of LeadStatus.
const (
	LeadStatusCompleted     LeadStatus = "COMPLETED"
	LeadStatusNotInterested LeadStatus = "NOT_INTERESTED"
	LeadStatusOptedOut      LeadStatus = "OPTED_OUT"
	LeadStatusInProgress    LeadStatus = "IN_PROGRESS"
	LeadStatusReview        LeadStatus = "REVIEW"
)

// LeadUpdatedEvent is an object of the API.
type LeadUpdatedEvent struct {
	Changes        []string `json:"changes,omitempty"`
	ExternalLeadID *string  `json:"externalLeadId"`
	Lead           Lead     `json:"lead"`
	LeadID         string   `json:"leadId"`
}

// ListedDocument is an object of the API.
type ListedDocument struct {
	CreatedAt                 time.Time        `json:"createdAt"`
	ExternalID                *string          `json:"externalId"`
	ExtractionError           *ExtractionError `json:"extractionError"`
	Filename                  string           `json:"filename"`
	ID                        string           `json:"id"`
	LeadChecklistItemDocument []Association    `json:"leadChecklistItemDocument"`
	LeadID                    string           `json:"leadId"`
	Metadata                  DocumentMetadata `json:"metadata"`
	MimeType                  string           `json:"mimeType"`
	SignedURL                 string           `json:"signedUrl"`
	Size                      int              `json:"size"`
	UpdatedAt                 time.Time        `json:"updatedAt"`
}

// ListedLead is an object of the API.
type ListedLead struct {
	ActivitySummary         string     `json:"activitySummary"`
	BusinessName            string     `json:"businessName"`
	CompletedChecklistItems int        `json:"completedChecklistItems"`
	Email                   *string    `json:"email"`
	ID                      string     `json:"id"`
	Name                    string     `json:"name"`
	NextFollowUp            *FollowUp  `json:"nextFollowUp"`
	PhoneNumber             string     `json:"phoneNumber"`
	Status                  LeadStatus `json:"status"`
	Tags                    []string   `json:"tags"`
	TotalChecklistItems     int        `json:"totalChecklistItems"`
}

// ListedPerson is an object of the API.
type ListedPerson struct {
	Disabled   bool       `json:"disabled"`
	Email      string     `json:"email"`
	Name       string     `json:"name"`
	Role       Role       `json:"role"`
	SignedInAt *time.Time `json:"signedInAt"`
}

// ListedSession is an object of the API.
type ListedSession struct {
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
	ID        string    `json:"id"`
	// At most a minute behind.
	LastSeenAt time.Time `json:"lastSeenAt"`
	Person     MePerson  `json:"person"`
}

// LoggedProblem is an object of the API.
type LoggedProblem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// LoggedRequest is an object of the API.
type LoggedRequest struct {
	// Where the call came from; of IPv6 the network of 64 bits.
	Address    string    `json:"address"`
	At         time.Time `json:"at"`
	DurationMs int       `json:"durationMs"`
	// `X-Request-Id` of the answer and `requestId` of its problem. A caller that sends its own may send it twice.
	ID             string  `json:"id"`
	IdempotencyKey *string `json:"idempotencyKey"`
	KeyID          string  `json:"keyId"`
	Method         string  `json:"method"`
	// Without the query; tokens are `***`.
	Path string `json:"path"`
	// Of an answer that is an error.
	Problem *LoggedProblem `json:"problem"`
	// The path as this document has it.
	Route  string `json:"route"`
	Status int    `json:"status"`
}

// MappedAnswer is an object of the API.
type MappedAnswer struct {
	CaptionMappings []CaptionMapping `json:"captionMappings"`
	Spread          Spread           `json:"spread"`
	Success         bool             `json:"success"`
}

// MatchedItem is an object of the API.
type MatchedItem struct {
	Label               string `json:"label"`
	LeadChecklistItemID string `json:"leadChecklistItemId"`
}

// MatchingLead is an object of the API.
type MatchingLead struct {
	BusinessName *string    `json:"businessName"`
	Email        *string    `json:"email"`
	ID           string     `json:"id"`
	MatchedOn    []string   `json:"matchedOn"`
	Name         string     `json:"name"`
	PhoneNumber  *string    `json:"phoneNumber"`
	Status       LeadStatus `json:"status"`
}

// MeAnswer is an object of the API.
type MeAnswer struct {
	APIKey *ApiKey   `json:"apiKey"`
	Person *MePerson `json:"person"`
	// The person's role in the workspace that answers; null for a key.
	Role      *Role       `json:"role"`
	Session   *MeSession  `json:"session"`
	Success   bool        `json:"success"`
	Workspace MeWorkspace `json:"workspace"`
	// All workspaces in which the person has a role.
	Workspaces []MeRole `json:"workspaces"`
}

// MePerson is an object of the API.
type MePerson struct {
	Email string `json:"email"`
	ID    string `json:"id"`
	Name  string `json:"name"`
}

// MeRole is an object of the API.
type MeRole struct {
	ID   string `json:"id"`
	Key  string `json:"key"`
	Name string `json:"name"`
	Role Role   `json:"role"`
}

// MeSession is an object of the API.
type MeSession struct {
	CreatedAt time.Time `json:"createdAt"`
	// When the session is over if nothing more comes of it: 30 minutes after its last use, 12 hours after the sign-in
	// at the latest.
	ExpiresAt time.Time `json:"expiresAt"`
	ID        string    `json:"id"`
}

// MeWorkspace is an object of the API.
type MeWorkspace struct {
	ID   string `json:"id"`
	Key  string `json:"key"`
	Name string `json:"name"`
}

// Message is an object of the API.
type Message struct {
	AgentID *string `json:"agentId"`
	// Whether the gateway vouches for the sender; null for outbound.
	Authenticated *bool            `json:"authenticated"`
	Body          string           `json:"body"`
	Channel       string           `json:"channel"`
	CreatedAt     time.Time        `json:"createdAt"`
	DeliveredAt   *time.Time       `json:"deliveredAt"`
	Direction     MessageDirection `json:"direction"`
	DocumentIDs   []string         `json:"documentIds"`
	Error         *MessageError    `json:"error"`
	From          *string          `json:"from"`
	ID            string           `json:"id"`
	// Null for a sender nobody knows.
	LeadID *string `json:"leadId"`
	// When a queued message is sent at the earliest.
	ScheduledAt   *time.Time    `json:"scheduledAt"`
	SentAt        *time.Time    `json:"sentAt"`
	Status        MessageStatus `json:"status"`
	Subject       *string       `json:"subject"`
	To            *string       `json:"to"`
	UpdatedAt     time.Time     `json:"updatedAt"`
	WorkflowRunID *string       `json:"workflowRunId"`
}

// MessageAnswer is an object of the API.
type MessageAnswer struct {
	Message Message `json:"message"`
	Success bool    `json:"success"`
}

// MessageDirection is one of a closed set of words. More may be added.
type MessageDirection string

// Values of MessageDirection.
const (
	MessageDirectionInbound  MessageDirection = "INBOUND"
	MessageDirectionOutbound MessageDirection = "OUTBOUND"
)

// MessageError is an object of the API.
type MessageError struct {
	Code   string  `json:"code"`
	Detail *string `json:"detail"`
}

// MessageEvent is an object of the API.
type MessageEvent struct {
	ExternalLeadID *string `json:"externalLeadId"`
	LeadID         *string `json:"leadId"`
	Message        Message `json:"message"`
}

// MessageStatus is one of a closed set of words. More may be added.
type MessageStatus string

// Values of MessageStatus.
const (
	MessageStatusDraft     MessageStatus = "DRAFT"
	MessageStatusQueued    MessageStatus = "QUEUED"
	MessageStatusSent      MessageStatus = "SENT"
	MessageStatusDelivered MessageStatus = "DELIVERED"
	MessageStatusFailed    MessageStatus = "FAILED"
	MessageStatusCancelled MessageStatus = "CANCELLED"
	MessageStatusRejected  MessageStatus = "REJECTED"
	MessageStatusReceived  MessageStatus = "RECEIVED"
)

// MessagesAnswer is an object of the API.
type MessagesAnswer struct {
	Messages  []Message `json:"messages"`
	NextToken *string   `json:"nextToken"`
	Success   bool      `json:"success"`
}

// Mode is one of a closed set of words. More may be added.
type Mode string

// Values of Mode.
const (
	ModeLive Mode = "live"
	ModeTest Mode = "test"
	ModeAll  Mode = "all"
)

// ModelUse is an object of the API.
type ModelUse struct {
	Asked   int    `json:"asked"`
	Dropped int    `json:"dropped"`
	Name    string `json:"name"`
	Taken   int    `json:"taken"`
	Tokens  int    `json:"tokens"`
}

// NewItemBody is an object of the API.
type NewItemBody struct {
	// Guidance for the agent.
	AgentInstructions Field[string] `json:"agentInstructions,omitzero"`
	// Shown to the lead in the portal.
	ClientInstructions Field[string] `json:"clientInstructions,omitzero"`
	// Stable identifier; unique on the lead's checklist.
	Code Field[string] `json:"code,omitzero"`
	// By fieldType: BANK_STATEMENT {months, gracePeriodDays, isPersonal}, ID {type}, MULTI_SELECT and SELECT
	// {options}, NUMBER {min, max}, TAX_RETURN {years, isPersonal}, TEXT {pattern}.
	Config    Field[any] `json:"config,omitzero"`
	FieldType FieldType  `json:"fieldType"`
	// Default true.
	IsRequired Field[bool] `json:"isRequired,omitzero"`
	Label      string      `json:"label"`
	// A party of the lead, on whose page the item stands.
	PartyID Field[string] `json:"partyId,omitzero"`
	// Rules in plain words for uploaded documents; only for file items.
	ValidationRules Field[[]string] `json:"validationRules,omitzero"`
}

// NextReviewBody is an object of the API.
type NextReviewBody struct {
	Codes Field[[]ReviewCode] `json:"codes,omitzero"`
	Mode  Field[Mode]         `json:"mode,omitzero"`
}

// OverrideAssociationResult is an object of the API.
type OverrideAssociationResult struct {
	Document *Document `json:"document,omitempty"`
	Review   *Review   `json:"review,omitempty"`
	Success  bool      `json:"success"`
}

// OverrideBody is an object of the API.
type OverrideBody struct {
	Note         Field[string] `json:"note,omitzero"`
	OverallValid bool          `json:"overallValid"`
}

// OwnershipAnswer is an object of the API.
type OwnershipAnswer struct {
	Edges   []OwnershipEdge `json:"edges"`
	Success bool            `json:"success"`
}

// OwnershipBody is an object of the API.
type OwnershipBody struct {
	Edges []EdgeBody `json:"edges"`
}

// OwnershipEdge is an object of the API.
type OwnershipEdge struct {
	DocumentID *string     `json:"documentId,omitempty"`
	OwnedID    string      `json:"ownedId"`
	OwnerID    string      `json:"ownerId"`
	Percent    json.Number `json:"percent"`
	Source     EdgeSource  `json:"source"`
}

// PageSize is an object of the API.
type PageSize struct {
	Height   json.Number `json:"height"`
	Page     int         `json:"page"`
	Rotation int         `json:"rotation"`
	Unit     PageUnit    `json:"unit"`
	Width    json.Number `json:"width"`
}

// PageUnit is one of a closed set of words. More may be added.
type PageUnit string

// Values of PageUnit.
const (
	PageUnitPt   PageUnit = "pt"
	PageUnitPx   PageUnit = "px"
	PageUnitCell PageUnit = "cell"
)

// PageWord is an object of the API.
type PageWord struct {
	Box        any           `json:"box"`
	Confidence json.Number   `json:"confidence"`
	Rect       []json.Number `json:"rect,omitempty"`
	Text       string        `json:"text"`
}

// PageWordsAnswer is an object of the API.
type PageWordsAnswer struct {
	Success bool       `json:"success"`
	Words   []PageWord `json:"words"`
}

// PartiesAnswer is an object of the API.
type PartiesAnswer struct {
	Parties []Party `json:"parties"`
	Success bool    `json:"success"`
}

// PartsBody is an object of the API.
type PartsBody struct {
	Parts []FilePartBody `json:"parts"`
}

// Party is an object of the API.
type Party struct {
	CreatedAt  time.Time `json:"createdAt"`
	ID         string    `json:"id"`
	IsPrimary  bool      `json:"isPrimary"`
	Kind       PartyKind `json:"kind"`
	LeadID     string    `json:"leadId"`
	Name       string    `json:"name"`
	Role       PartyRole `json:"role"`
	TaxIDLast4 *string   `json:"taxIdLast4"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// PartyAnswer is an object of the API.
type PartyAnswer struct {
	Party   Party `json:"party"`
	Success bool  `json:"success"`
}

// PartyBody is an object of the API.
type PartyBody struct {
	Kind       PartyKind     `json:"kind"`
	Name       string        `json:"name"`
	Role       PartyRole     `json:"role"`
	TaxIDLast4 Field[string] `json:"taxIdLast4,omitzero"`
}

// PartyChangeBody is an object of the API.
type PartyChangeBody struct {
	Kind       Field[PartyKind] `json:"kind,omitzero"`
	Name       Field[string]    `json:"name,omitzero"`
	Role       Field[PartyRole] `json:"role,omitzero"`
	TaxIDLast4 Field[string]    `json:"taxIdLast4,omitzero"`
}

// PartyKind is one of a closed set of words. More may be added.
type PartyKind string

// Values of PartyKind.
const (
	PartyKindBusiness PartyKind = "business"
	PartyKindPerson   PartyKind = "person"
)

// PartyRole is one of a closed set of words. More may be added.
type PartyRole string

// Values of PartyRole.
const (
	PartyRoleBorrower  PartyRole = "borrower"
	PartyRoleGuarantor PartyRole = "guarantor"
	PartyRoleAffiliate PartyRole = "affiliate"
	PartyRoleOwner     PartyRole = "owner"
)

// PeopleAnswer is an object of the API.
type PeopleAnswer struct {
	People  []ListedPerson `json:"people"`
	Success bool           `json:"success"`
}

// PipelineBody is an object of the API.
type PipelineBody struct {
	Currency            Field[string]    `json:"currency,omitzero"`
	DocumentID          Field[string]    `json:"documentId,omitzero"`
	DocumentIDs         Field[[]string]  `json:"documentIds,omitzero"`
	End                 Field[time.Time] `json:"end,omitzero"`
	EntityName          Field[string]    `json:"entityName,omitzero"`
	ExternalID          Field[string]    `json:"externalId,omitzero"`
	FiscalYearEndMonth  Field[int]       `json:"fiscalYearEndMonth,omitzero"`
	LeadChecklistItemID Field[string]    `json:"leadChecklistItemId,omitzero"`
	LeadID              Field[string]    `json:"leadId,omitzero"`
	Rules               Field[[]string]  `json:"rules,omitzero"`
	Start               Field[time.Time] `json:"start,omitzero"`
	WebhookID           Field[string]    `json:"webhookId,omitzero"`
}

// PipelineEntry is an object of the API.
type PipelineEntry struct {
	Description      string   `json:"description"`
	ID               string   `json:"id"`
	ParametersSchema any      `json:"parametersSchema"`
	ResultSchema     any      `json:"resultSchema"`
	Steps            []string `json:"steps"`
}

// PipelineFailure is an object of the API.
type PipelineFailure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// PipelineRun is an object of the API.
type PipelineRun struct {
	Attempts int              `json:"attempts"`
	Error    *PipelineFailure `json:"error"`
	JobID    string           `json:"jobId"`
	// The parameters of the run.
	Metadata   any    `json:"metadata"`
	PipelineID string `json:"pipelineId"`
	// 0 to 100.
	Progress int `json:"progress"`
	// Its shape depends on the pipeline.
	Result any            `json:"result"`
	Status PipelineStatus `json:"status"`
	// Milliseconds from the start; still running while the run is.
	TimeElapsed int `json:"timeElapsed"`
}

// PipelineRunEvent is an object of the API.
type PipelineRunEvent struct {
	ExternalLeadID *string     `json:"externalLeadId"`
	LeadID         *string     `json:"leadId"`
	PipelineRun    PipelineRun `json:"pipelineRun"`
}

// PipelineStatus is one of a closed set of words. More may be added.
type PipelineStatus string

// Values of PipelineStatus.
const (
	PipelineStatusPending    PipelineStatus = "PENDING"
	PipelineStatusInProgress PipelineStatus = "IN_PROGRESS"
	PipelineStatusComplete   PipelineStatus = "COMPLETE"
	PipelineStatusError      PipelineStatus = "ERROR"
	PipelineStatusCancelled  PipelineStatus = "CANCELLED"
)

// PipelinesAnswer is an object of the API.
type PipelinesAnswer struct {
	Pipelines []PipelineEntry `json:"pipelines"`
	Success   bool            `json:"success"`
}

// PortalLinkAnswer is an object of the API.
type PortalLinkAnswer struct {
	ExpiresAt time.Time `json:"expiresAt"`
	PartyID   *string   `json:"partyId"`
	Success   bool      `json:"success"`
	URL       string    `json:"url"`
}

// PortalLinkBody is an object of the API.
type PortalLinkBody struct {
	PartyID Field[string] `json:"partyId,omitzero"`
	Rotate  Field[bool]   `json:"rotate,omitzero"`
}

// PresignAnswer is an object of the API.
type PresignAnswer struct {
	Document Document        `json:"document"`
	Success  bool            `json:"success"`
	Upload   PresignedUpload `json:"upload"`
}

// PresignBody is an object of the API.
type PresignBody struct {
	ExternalID          Field[string] `json:"externalId,omitzero"`
	Filename            string        `json:"filename"`
	LeadChecklistItemID Field[string] `json:"leadChecklistItemId,omitzero"`
	LeadID              string        `json:"leadId"`
	MimeType            string        `json:"mimeType"`
	Size                int           `json:"size"`
}

// PresignedUpload is an object of the API.
type PresignedUpload struct {
	ExpiresAt time.Time         `json:"expiresAt"`
	Headers   map[string]string `json:"headers"`
	Method    string            `json:"method"`
	URL       string            `json:"url"`
}

// PrintedSum is an object of the API.
type PrintedSum struct {
	Caption string    `json:"caption"`
	Column  string    `json:"column"`
	Lines   []SumTerm `json:"lines"`
	Slack   string    `json:"slack"`
	Total   SumTerm   `json:"total"`
}

// QualityAnswer is an object of the API.
type QualityAnswer struct {
	Quality []FieldQuality `json:"quality"`
	Success bool           `json:"success"`
}

// ReadLeadAnswer is an object of the API.
type ReadLeadAnswer struct {
	ActionLogs     []ActionLog      `json:"actionLogs"`
	ChecklistItems []ChecklistGroup `json:"checklistItems"`
	Documents      []ListedDocument `json:"documents"`
	LastAction     *ActionLog       `json:"lastAction"`
	Lead           Lead             `json:"lead"`
	MatchingLeads  []MatchingLead   `json:"matchingLeads"`
	NextDraft      *ActionLog       `json:"nextDraft"`
	NextFollowUp   *ActionLog       `json:"nextFollowUp"`
	Status         LeadStatus       `json:"status"`
	Success        bool             `json:"success"`
}

// Reason is an object of the API.
type Reason struct {
	Args      map[string]any `json:"args"`
	Citations []Citation     `json:"citations"`
	Code      ReasonCode     `json:"code"`
}

// ReasonCode is this: Why a rule is met or not, or an item is not right. `isValidReason` and `validationError` say
// code and `args` in a sentence; names in code style below are members of `args`. Codes that ask for a person leave
// the item to a review.
type ReasonCode string

// Values of ReasonCode.
const (
	ReasonCodeNone              ReasonCode = ""
	ReasonCodeAccountDiffers    ReasonCode = "account_differs"
	ReasonCodeAccountFigures    ReasonCode = "account_figures"
	ReasonCodeAccountReconciles ReasonCode = "account_reconciles"
	ReasonCodeAccountType       ReasonCode = "account_type"
	ReasonCodeAddressInText     ReasonCode = "address_in_text"
	ReasonCodeAddressNear       ReasonCode = "address_near"
	ReasonCodeAddressOther      ReasonCode = "address_other"
	ReasonCodeAddressSame       ReasonCode = "address_same"
	ReasonCodeAddressUnknown    ReasonCode = "address_unknown"
	ReasonCodeAuditUnread       ReasonCode = "audit_unread"
	ReasonCodeAudited           ReasonCode = "audited"
	ReasonCodeBalancesDiffer    ReasonCode = "balances_differ"
	ReasonCodeBalancesReconcile ReasonCode = "balances_reconcile"
	ReasonCodeBasisIs           ReasonCode = "basis_is"
	ReasonCodeBirthDate         ReasonCode = "birth_date"
	ReasonCodeCheckFails        ReasonCode = "check_fails"
	ReasonCodeCheckHolds        ReasonCode = "check_holds"
	ReasonCodeCheckMissing      ReasonCode = "check_missing"
	ReasonCodeCountryIs         ReasonCode = "country_is"
	ReasonCodeCurrencyIs        ReasonCode = "currency_is"
	ReasonCodeDocumentDate      ReasonCode = "document_date"
	ReasonCodeEarlier           ReasonCode = "earlier"
	ReasonCodeEarlierDoubt      ReasonCode = "earlier_doubt"
	ReasonCodeEdited            ReasonCode = "edited"
	ReasonCodeEditingUnseen     ReasonCode = "editing_unseen"
	ReasonCodeEinIs             ReasonCode = "ein_is"
	ReasonCodeEinUnknown        ReasonCode = "ein_unknown"
	ReasonCodeExpiryDate        ReasonCode = "expiry_date"
	ReasonCodeFactMissing       ReasonCode = "fact_missing"
	ReasonCodeFactShown         ReasonCode = "fact_shown"
	ReasonCodeFigureIs          ReasonCode = "figure_is"
	ReasonCodeFileMade          ReasonCode = "file_made"
	ReasonCodeFileNoScreen      ReasonCode = "file_no_screen"
	ReasonCodeFileRows          ReasonCode = "file_rows"
	ReasonCodeFileType          ReasonCode = "file_type"
	ReasonCodeFileUndecided     ReasonCode = "file_undecided"
	ReasonCodeFormIs            ReasonCode = "form_is"
	ReasonCodeInstitutionIs     ReasonCode = "institution_is"
	ReasonCodeKindDoubted       ReasonCode = "kind_doubted"
	ReasonCodeKindIs            ReasonCode = "kind_is"
	ReasonCodeKindOther         ReasonCode = "kind_other"
	ReasonCodeKindOwner         ReasonCode = "kind_owner"
	ReasonCodeKindUnknown       ReasonCode = "kind_unknown"
	ReasonCodeListOnly          ReasonCode = "list_only"
	ReasonCodeListUndecided     ReasonCode = "list_undecided"
	ReasonCodeModelJudged       ReasonCode = "model_judged"
	ReasonCodeMonthsCovered     ReasonCode = "months_covered"
	ReasonCodeMonthsFuture      ReasonCode = "months_future"
	ReasonCodeMonthsOld         ReasonCode = "months_old"
	ReasonCodeNameIs            ReasonCode = "name_is"
	ReasonCodeNameMissing       ReasonCode = "name_missing"
	ReasonCodeNameNear          ReasonCode = "name_near"
	ReasonCodeNameOther         ReasonCode = "name_other"
	ReasonCodeNameSame          ReasonCode = "name_same"
	ReasonCodeNameUnknown       ReasonCode = "name_unknown"
	ReasonCodeNoPeriod          ReasonCode = "no_period"
	ReasonCodeNoTaxYear         ReasonCode = "no_tax_year"
	ReasonCodeNotAudited        ReasonCode = "not_audited"
	ReasonCodeNotEdited         ReasonCode = "not_edited"
	ReasonCodeNotSigned         ReasonCode = "not_signed"
	ReasonCodeNothingRecognised ReasonCode = "nothing_recognised"
	ReasonCodeNothingToJudgeBy  ReasonCode = "nothing_to_judge_by"
	ReasonCodeOwnerIs           ReasonCode = "owner_is"
	ReasonCodeOwnerUnread       ReasonCode = "owner_unread"
	ReasonCodePageMissing       ReasonCode = "page_missing"
	ReasonCodePagesComplete     ReasonCode = "pages_complete"
	ReasonCodePagesIncomplete   ReasonCode = "pages_incomplete"
	ReasonCodePagesUncounted    ReasonCode = "pages_uncounted"
	ReasonCodePartsIncluded     ReasonCode = "parts_included"
	ReasonCodePartsMissing      ReasonCode = "parts_missing"
	ReasonCodePeriod            ReasonCode = "period"
	ReasonCodeReadBadly         ReasonCode = "read_badly"
	ReasonCodeReadClearly       ReasonCode = "read_clearly"
	ReasonCodeReadDoubtfully    ReasonCode = "read_doubtfully"
	ReasonCodeRefusedByPerson   ReasonCode = "refused_by_person"
	ReasonCodeReturnBlank       ReasonCode = "return_blank"
	ReasonCodeRuleNotUnderstood ReasonCode = "rule_not_understood"
	ReasonCodeSignatureUnread   ReasonCode = "signature_unread"
	ReasonCodeSigned            ReasonCode = "signed"
	ReasonCodeStatementPrinted  ReasonCode = "statement_printed"
	ReasonCodeTextMissing       ReasonCode = "text_missing"
	ReasonCodeTextNotAtHand     ReasonCode = "text_not_at_hand"
	ReasonCodeTextPrinted       ReasonCode = "text_printed"
	ReasonCodeUnreadable        ReasonCode = "unreadable"
	ReasonCodeUnreadableHere    ReasonCode = "unreadable_here"
	ReasonCodeValueAddress      ReasonCode = "value_address"
	ReasonCodeValueAddressGap   ReasonCode = "value_address_gap"
	ReasonCodeValueAddressKey   ReasonCode = "value_address_key"
	ReasonCodeValueAddressPart  ReasonCode = "value_address_part"
	ReasonCodeValueChoices      ReasonCode = "value_choices"
	ReasonCodeValueDate         ReasonCode = "value_date"
	ReasonCodeValueEin          ReasonCode = "value_ein"
	ReasonCodeValueEmail        ReasonCode = "value_email"
	ReasonCodeValueEmpty        ReasonCode = "value_empty"
	ReasonCodeValueForm         ReasonCode = "value_form"
	ReasonCodeValueLong         ReasonCode = "value_long"
	ReasonCodeValueMax          ReasonCode = "value_max"
	ReasonCodeValueMin          ReasonCode = "value_min"
	ReasonCodeValueNoChoice     ReasonCode = "value_no_choice"
	ReasonCodeValueNumber       ReasonCode = "value_number"
	ReasonCodeValueOption       ReasonCode = "value_option"
	ReasonCodeValueOptions      ReasonCode = "value_options"
	ReasonCodeValuePhone        ReasonCode = "value_phone"
	ReasonCodeValueSsn          ReasonCode = "value_ssn"
	ReasonCodeValueText         ReasonCode = "value_text"
	ReasonCodeYearIs            ReasonCode = "year_is"
	ReasonCodeYearsApart        ReasonCode = "years_apart"
	ReasonCodeYearsOld          ReasonCode = "years_old"
)

// RecordChecklistItem is an object of the API.
type RecordChecklistItem struct {
	Code            string       `json:"code"`
	FieldType       FieldType    `json:"fieldType"`
	ID              string       `json:"id"`
	IsRequired      bool         `json:"isRequired"`
	Label           string       `json:"label"`
	Reasons         []Reason     `json:"reasons"`
	Source          *ValueSource `json:"source"`
	Status          ItemStatus   `json:"status"`
	ValidationError *string      `json:"validationError"`
}

// RecordDocument is an object of the API.
type RecordDocument struct {
	CreatedAt                 time.Time        `json:"createdAt"`
	ExternalID                *string          `json:"externalId"`
	ExtractionError           *ExtractionError `json:"extractionError"`
	Filename                  string           `json:"filename"`
	ID                        string           `json:"id"`
	LeadChecklistItemDocument []Association    `json:"leadChecklistItemDocument"`
	LeadID                    string           `json:"leadId"`
	Metadata                  DocumentMetadata `json:"metadata"`
	MimeType                  string           `json:"mimeType"`
	Size                      int              `json:"size"`
	UpdatedAt                 time.Time        `json:"updatedAt"`
}

// RejectBody is an object of the API.
type RejectBody struct {
	Reason Field[string] `json:"reason,omitzero"`
}

// ReplayAnswer is an object of the API.
type ReplayAnswer struct {
	JobID   string `json:"jobId"`
	Result  string `json:"result"`
	Success bool   `json:"success"`
}

// ReplayBody is an object of the API.
type ReplayBody struct {
	// Left out: the oldest that is kept (30 days).
	Since Field[time.Time] `json:"since,omitzero"`
	// Left out: FAILED and SKIPPED.
	Status Field[string] `json:"status,omitzero"`
	// Left out: now.
	Until Field[time.Time] `json:"until,omitzero"`
}

// ReplayPoll is an object of the API.
type ReplayPoll struct {
	JobID       string        `json:"jobId"`
	Progress    int           `json:"progress"`
	Result      *ReplayResult `json:"result"`
	Status      ReplayStatus  `json:"status"`
	TimeElapsed int           `json:"timeElapsed"`
}

// ReplayResult is an object of the API.
type ReplayResult struct {
	// More matched than one replay may hold; replay the rest with a later since.
	Capped   bool `json:"capped"`
	Matched  int  `json:"matched"`
	Replayed int  `json:"replayed"`
}

// ReplayStatus is one of a closed set of words. More may be added.
type ReplayStatus string

// Values of ReplayStatus.
const (
	ReplayStatusPending    ReplayStatus = "PENDING"
	ReplayStatusInProgress ReplayStatus = "IN_PROGRESS"
	ReplayStatusComplete   ReplayStatus = "COMPLETE"
	ReplayStatusCancelled  ReplayStatus = "CANCELLED"
)

// ReportByChannel is an object of the API.
type ReportByChannel struct {
	Email    ReportChannel `json:"email"`
	Sms      ReportChannel `json:"sms"`
	Whatsapp ReportChannel `json:"whatsapp"`
}

// ReportBySource is this: Completed items by who gave the value.
type ReportBySource struct {
	// The AI agent.
	Agent int `json:"agent"`
	// Calls of this API.
	Imported int `json:"imported"`
	// A person of the team.
	Manual int `json:"manual"`
	// The lead itself.
	Portal int `json:"portal"`
}

// ReportChannel is an object of the API.
type ReportChannel struct {
	FirstInboundAt  *time.Time `json:"firstInboundAt"`
	FirstOutboundAt *time.Time `json:"firstOutboundAt"`
	Inbound         int        `json:"inbound"`
	LastInboundAt   *time.Time `json:"lastInboundAt"`
	LastOutboundAt  *time.Time `json:"lastOutboundAt"`
	Outbound        int        `json:"outbound"`
}

// ReportCompletion is an object of the API.
type ReportCompletion struct {
	BySource ReportBySource `json:"bySource"`
	// Those of them that are COMPLETED.
	TotalCompleted int `json:"totalCompleted"`
	// Items that are required and visible.
	TotalRequired int `json:"totalRequired"`
}

// ReportFormat is one of a closed set of words. More may be added.
type ReportFormat string

// Values of ReportFormat.
const (
	ReportFormatJson ReportFormat = "json"
	ReportFormatCsv  ReportFormat = "csv"
)

// ReportInterventions is an object of the API.
type ReportInterventions struct {
	DocumentOverrides int `json:"documentOverrides"`
	Escalations       int `json:"escalations"`
	ManualUpdates     int `json:"manualUpdates"`
	MessageEdits      int `json:"messageEdits"`
	MessageRejects    int `json:"messageRejects"`
}

// ReportItem is an object of the API.
type ReportItem struct {
	// GROUP_KEY.ITEM_CODE in upper case; only ITEM_CODE outside groups.
	Code string `json:"code"`
	// The item is required and visible to this lead.
	Required bool `json:"required"`
	// null when untouched.
	Source    *ValueSource `json:"source"`
	Status    ItemStatus   `json:"status"`
	UpdatedAt time.Time    `json:"updatedAt"`
	Value     any          `json:"value"`
}

// ReportLead is an object of the API.
type ReportLead struct {
	Channels         ReportByChannel     `json:"channels"`
	ChecklistItems   []ReportItem        `json:"checklistItems"`
	CompletedAt      *time.Time          `json:"completedAt"`
	Completion       ReportCompletion    `json:"completion"`
	CreatedAt        time.Time           `json:"createdAt"`
	Email            *string             `json:"email"`
	FirstInboundAt   *time.Time          `json:"firstInboundAt"`
	FirstName        *string             `json:"firstName"`
	FirstOutboundAt  *time.Time          `json:"firstOutboundAt"`
	InboundMessages  int                 `json:"inboundMessages"`
	Interventions    ReportInterventions `json:"interventions"`
	LastInboundAt    *time.Time          `json:"lastInboundAt"`
	LastName         *string             `json:"lastName"`
	LastOutboundAt   *time.Time          `json:"lastOutboundAt"`
	LeadID           string              `json:"leadId"`
	NotInterestedAt  *time.Time          `json:"notInterestedAt"`
	OptedOutAt       *time.Time          `json:"optedOutAt"`
	OutboundMessages int                 `json:"outboundMessages"`
	PhoneNumber      *string             `json:"phoneNumber"`
	TotalMessages    int                 `json:"totalMessages"`
}

// ReportTotals is this: Sums over all leads of the result set, the same on each page.
type ReportTotals struct {
	Channels           TotalsByChannel     `json:"channels"`
	Completion         ReportCompletion    `json:"completion"`
	Count              int                 `json:"count"`
	InboundMessages    int                 `json:"inboundMessages"`
	Interventions      ReportInterventions `json:"interventions"`
	LeadsCompleted     int                 `json:"leadsCompleted"`
	LeadsNotInterested int                 `json:"leadsNotInterested"`
	LeadsOptedOut      int                 `json:"leadsOptedOut"`
	OutboundMessages   int                 `json:"outboundMessages"`
	TotalMessages      int                 `json:"totalMessages"`
}

// RequestsAnswer is an object of the API.
type RequestsAnswer struct {
	NextToken *string         `json:"nextToken"`
	Requests  []LoggedRequest `json:"requests"`
	Success   bool            `json:"success"`
}

// ResolveBody is an object of the API.
type ResolveBody struct {
	Note Field[string] `json:"note,omitzero"`
}

// ResultsAnswer is an object of the API.
type ResultsAnswer struct {
	Results ResultsAnswerResults `json:"results"`
	Success bool                 `json:"success"`
}

// ResultsAnswerResults is an object of the API.
type ResultsAnswerResults struct {
	Adjustments   []DossierSpreadAdjustment `json:"adjustments,omitempty"`
	Checks        []SpreadCheck             `json:"checks,omitempty"`
	Comparisons   []SpreadComparison        `json:"comparisons,omitempty"`
	Currency      string                    `json:"currency"`
	Documents     []SpreadUsedDocument      `json:"documents,omitempty"`
	EntityName    *string                   `json:"entityName,omitempty"`
	GeneratedAt   string                    `json:"generatedAt"`
	LeadID        string                    `json:"leadId"`
	Parties       []GlobalParty             `json:"parties,omitempty"`
	Periods       []GlobalPeriod            `json:"periods,omitempty"`
	Ratios        []SpreadRatios            `json:"ratios,omitempty"`
	SchemaVersion int                       `json:"schemaVersion"`
	Scope         *SpreadScope              `json:"scope,omitempty"`
	SpreadID      string                    `json:"spreadId"`
	Statements    *SpreadStatements         `json:"statements,omitempty"`
	Uca           []SpreadUCA               `json:"uca,omitempty"`
	Unmapped      []SpreadUnmapped          `json:"unmapped,omitempty"`
	Warnings      []SpreadWarning           `json:"warnings,omitempty"`
}

// ReturnBody is an object of the API.
type ReturnBody struct {
	Note string `json:"note"`
}

// Review is an object of the API.
type Review struct {
	// The lead's value of the item that `review.amountItem` names (REQUESTED_AMOUNT).
	Amount   *json.Number `json:"amount"`
	Assignee *string      `json:"assignee"`
	// Null once it has ended.
	Claim     *ReviewClaim    `json:"claim"`
	Code      ReviewCode      `json:"code"`
	CreatedAt time.Time       `json:"createdAt"`
	Decision  *ReviewDecision `json:"decision"`
	Detail    string          `json:"detail"`
	// `review.dueIn` of business time after it opened.
	DueAt     time.Time `json:"dueAt"`
	ID        string    `json:"id"`
	ItemLabel *string   `json:"itemLabel"`
	LeadID    string    `json:"leadId"`
	LeadName  string    `json:"leadName"`
	// 1 is the most urgent.
	Priority int           `json:"priority"`
	State    ReviewState   `json:"state"`
	Subject  ReviewSubject `json:"subject"`
	// Moves with state and cause; send it to decide.
	Version int `json:"version"`
}

// ReviewAnswer is an object of the API.
type ReviewAnswer struct {
	ReasonCodes []string `json:"reasonCodes,omitempty"`
	Review      Review   `json:"review"`
	Success     bool     `json:"success"`
}

// ReviewClaim is an object of the API.
type ReviewClaim struct {
	By    string    `json:"by"`
	Until time.Time `json:"until"`
}

// ReviewCode is one of a closed set of words. More may be added.
type ReviewCode string

// Values of ReviewCode.
const (
	ReviewCodeItemNeedsReview    ReviewCode = "item_needs_review"
	ReviewCodeRuleNotUnderstood  ReviewCode = "rule_not_understood"
	ReviewCodeFactDoubted        ReviewCode = "fact_doubted"
	ReviewCodeTampering          ReviewCode = "tampering"
	ReviewCodeDocumentUnread     ReviewCode = "document_unread"
	ReviewCodeCorrectionConflict ReviewCode = "correction_conflict"
	ReviewCodeSpreadVariance     ReviewCode = "spread_variance"
	ReviewCodeSpreadApproval     ReviewCode = "spread_approval"
	ReviewCodeDraftMessage       ReviewCode = "draft_message"
	ReviewCodeEscalation         ReviewCode = "escalation"
	ReviewCodeQaSample           ReviewCode = "qa_sample"
	ReviewCodeSecondOpinion      ReviewCode = "second_opinion"
)

// ReviewCounts is an object of the API.
type ReviewCounts struct {
	ByCode  map[string]int `json:"byCode"`
	Mine    int            `json:"mine"`
	Open    int            `json:"open"`
	Overdue int            `json:"overdue"`
}

// ReviewDecided is one of a closed set of words. More may be added.
type ReviewDecided string

// Values of ReviewDecided.
const (
	ReviewDecidedAccept  ReviewDecided = "accept"
	ReviewDecidedReject  ReviewDecided = "reject"
	ReviewDecidedCorrect ReviewDecided = "correct"
	ReviewDecidedDismiss ReviewDecided = "dismiss"
)

// ReviewDecision is an object of the API.
type ReviewDecision struct {
	At         time.Time     `json:"at"`
	By         string        `json:"by"`
	Decision   ReviewDecided `json:"decision"`
	Note       *string       `json:"note"`
	ReasonCode *string       `json:"reasonCode"`
}

// ReviewEvent is an object of the API.
type ReviewEvent struct {
	ExternalLeadID *string `json:"externalLeadId"`
	LeadID         string  `json:"leadId"`
	Review         Review  `json:"review"`
}

// ReviewSort is one of a closed set of words. More may be added.
type ReviewSort string

// Values of ReviewSort.
const (
	ReviewSortDue    ReviewSort = "due"
	ReviewSortAge    ReviewSort = "age"
	ReviewSortAmount ReviewSort = "amount"
)

// ReviewState is one of a closed set of words. More may be added.
type ReviewState string

// Values of ReviewState.
const (
	ReviewStateOpen     ReviewState = "OPEN"
	ReviewStateDecided  ReviewState = "DECIDED"
	ReviewStateObsolete ReviewState = "OBSOLETE"
)

// ReviewSubject is an object of the API.
type ReviewSubject struct {
	ID      string            `json:"id"`
	Part    *int              `json:"part,omitempty"`
	Pointer *string           `json:"pointer,omitempty"`
	Type    ReviewSubjectType `json:"type"`
}

// ReviewSubjectType is one of a closed set of words. More may be added.
type ReviewSubjectType string

// Values of ReviewSubjectType.
const (
	ReviewSubjectTypeItem       ReviewSubjectType = "item"
	ReviewSubjectTypeDocument   ReviewSubjectType = "document"
	ReviewSubjectTypeFact       ReviewSubjectType = "fact"
	ReviewSubjectTypeSpread     ReviewSubjectType = "spread"
	ReviewSubjectTypeMessage    ReviewSubjectType = "message"
	ReviewSubjectTypeEscalation ReviewSubjectType = "escalation"
	ReviewSubjectTypeLead       ReviewSubjectType = "lead"
)

// ReviewsAnswer is an object of the API.
type ReviewsAnswer struct {
	Counts    ReviewCounts `json:"counts"`
	NextToken *string      `json:"nextToken"`
	Reviews   []Review     `json:"reviews"`
	Success   bool         `json:"success"`
}

// Role is one of a closed set of words. More may be added.
type Role string

// Values of Role.
const (
	RoleViewer   Role = "viewer"
	RoleReviewer Role = "reviewer"
	RoleApprover Role = "approver"
	RoleAdmin    Role = "admin"
)

// RotateSecretAnswer is an object of the API.
type RotateSecretAnswer struct {
	Secret  string  `json:"secret"`
	Success bool    `json:"success"`
	Webhook Webhook `json:"webhook"`
}

// RuleResult is an object of the API.
type RuleResult struct {
	Args          map[string]any `json:"args"`
	Citations     []Citation     `json:"citations"`
	Code          ReasonCode     `json:"code"`
	IsValid       bool           `json:"isValid"`
	IsValidReason string         `json:"isValidReason"`
	RuleName      string         `json:"ruleName"`
	WouldPassIf   *string        `json:"wouldPassIf"`
}

// RunAnswer is an object of the API.
type RunAnswer struct {
	Success     bool        `json:"success"`
	WorkflowRun WorkflowRun `json:"workflowRun"`
}

// RunBody is an object of the API.
type RunBody struct {
	AgentID    string `json:"agentId"`
	LeadID     string `json:"leadId"`
	WorkflowID string `json:"workflowId"`
}

// RunEvent is an object of the API.
type RunEvent struct {
	ExternalLeadID *string     `json:"externalLeadId"`
	LeadID         string      `json:"leadId"`
	WorkflowRun    WorkflowRun `json:"workflowRun"`
}

// RunStatus is one of a closed set of words. More may be added.
type RunStatus string

// Values of RunStatus.
const (
	RunStatusActive    RunStatus = "ACTIVE"
	RunStatusPaused    RunStatus = "PAUSED"
	RunStatusCompleted RunStatus = "COMPLETED"
	RunStatusCancelled RunStatus = "CANCELLED"
)

// RunsAnswer is an object of the API.
type RunsAnswer struct {
	Success      bool          `json:"success"`
	WorkflowRuns []WorkflowRun `json:"workflowRuns"`
}

// SaveWebhookAnswer is an object of the API.
type SaveWebhookAnswer struct {
	Secret    *string          `json:"secret,omitempty"`
	Success   bool             `json:"success"`
	Warnings  []WebhookWarning `json:"warnings,omitempty"`
	WebhookID string           `json:"webhookId"`
}

// Scope is one of a closed set of words. More may be added.
type Scope string

// Values of Scope.
const (
	ScopeRead  Scope = "read"
	ScopeWrite Scope = "write"
	ScopeAdmin Scope = "admin"
)

// SessionsAnswer is an object of the API.
type SessionsAnswer struct {
	NextToken *string         `json:"nextToken"`
	Sessions  []ListedSession `json:"sessions"`
	Success   bool            `json:"success"`
}

// Source is an object of the API.
type Source struct {
	Box        any         `json:"box"`
	Caption    *string     `json:"caption,omitempty"`
	Confidence json.Number `json:"confidence"`
	Method     string      `json:"method"`
	Page       *int        `json:"page"`
	Prompt     *string     `json:"prompt,omitempty"`
	Text       string      `json:"text"`
}

// SpecimenView is an object of the API.
type SpecimenView struct {
	Filename string `json:"filename"`
	Kind     string `json:"kind"`
	MimeType string `json:"mimeType"`
	// What becomes of it, in words.
	Verdict string `json:"verdict"`
}

// SpecimensAnswer is an object of the API.
type SpecimensAnswer struct {
	Specimens []SpecimenView `json:"specimens"`
	Success   bool           `json:"success"`
}

// Spread is an object of the API.
type Spread struct {
	Approval           SpreadApproval       `json:"approval"`
	Artifacts          []Artifact           `json:"artifacts"`
	CreatedAt          time.Time            `json:"createdAt"`
	Currency           string               `json:"currency"`
	Distributions      *SpreadDistributions `json:"distributions"`
	Documents          []SpreadDocument     `json:"documents"`
	EntityName         *string              `json:"entityName"`
	Error              *string              `json:"error"`
	ExternalID         *string              `json:"externalId"`
	FiscalYearEndMonth int                  `json:"fiscalYearEndMonth"`
	ID                 string               `json:"id"`
	LeadID             string               `json:"leadId"`
	PartyID            *string              `json:"partyId"`
	Scope              SpreadScope          `json:"scope"`
	Source             string               `json:"source"`
	Status             SpreadStatus         `json:"status"`
	UpdatedAt          time.Time            `json:"updatedAt"`
	User               *SpreadUser          `json:"user"`
}

// SpreadAdjusted is an object of the API.
type SpreadAdjusted struct {
	Actor        *string      `json:"actor"`
	MachineValue *json.Number `json:"machineValue"`
	Reason       string       `json:"reason"`
}

// SpreadAdjustment is an object of the API.
type SpreadAdjustment struct {
	Actor     *string      `json:"actor"`
	CreatedAt time.Time    `json:"createdAt"`
	MoveTo    *string      `json:"moveTo"`
	PeriodID  string       `json:"periodId"`
	Reason    string       `json:"reason"`
	Row       string       `json:"row"`
	Statement string       `json:"statement"`
	Value     *json.Number `json:"value"`
}

// SpreadAnswer is an object of the API.
type SpreadAnswer struct {
	Spread  Spread `json:"spread"`
	Success bool   `json:"success"`
}

// SpreadApproval is an object of the API.
type SpreadApproval struct {
	At    *time.Time    `json:"at"`
	By    *string       `json:"by"`
	Note  *string       `json:"note"`
	State ApprovalState `json:"state"`
}

// SpreadChange is an object of the API.
type SpreadChange struct {
	After          *json.Number `json:"after"`
	Before         *json.Number `json:"before"`
	CounterpartyID *string      `json:"counterpartyId,omitempty"`
	PartyID        *string      `json:"partyId,omitempty"`
	PeriodID       string       `json:"periodId"`
	Row            string       `json:"row"`
	Statement      string       `json:"statement"`
}

// SpreadCheck is an object of the API.
type SpreadCheck struct {
	Detail    string      `json:"detail"`
	Name      string      `json:"name"`
	Passed    bool        `json:"passed"`
	PeriodID  string      `json:"periodId"`
	Statement string      `json:"statement"`
	Tolerance json.Number `json:"tolerance"`
	Value     json.Number `json:"value"`
}

// SpreadColumns is an object of the API.
type SpreadColumns struct {
	Bs     string `json:"bs"`
	BsPrev string `json:"bs.prev"`
	Cf     string `json:"cf"`
	Is     string `json:"is"`
	IsPrev string `json:"is.prev"`
}

// SpreadComparison is an object of the API.
type SpreadComparison struct {
	ChosenClass      string             `json:"chosenClass"`
	ChosenDocumentID string             `json:"chosenDocumentId"`
	Class            string             `json:"class"`
	Differences      []SpreadDifference `json:"differences"`
	DocumentID       string             `json:"documentId"`
	PeriodID         string             `json:"periodId"`
	Statement        string             `json:"statement"`
}

// SpreadCompletedEvent is an object of the API.
type SpreadCompletedEvent struct {
	Artifacts      []Artifact `json:"artifacts"`
	ExternalLeadID *string    `json:"externalLeadId"`
	LeadID         string     `json:"leadId"`
	Spread         Spread     `json:"spread"`
}

// SpreadDifference is an object of the API.
type SpreadDifference struct {
	Chosen     json.Number `json:"chosen"`
	Difference json.Number `json:"difference"`
	Key        string      `json:"key"`
	Label      string      `json:"label"`
	Other      json.Number `json:"other"`
}

// SpreadDistributions is one of a closed set of words. More may be added.
type SpreadDistributions string

// Values of SpreadDistributions.
const (
	SpreadDistributionsK1     SpreadDistributions = "k1"
	SpreadDistributionsEntity SpreadDistributions = "entity"
)

// SpreadDocument is an object of the API.
type SpreadDocument struct {
	Error    *string              `json:"error"`
	Filename string               `json:"filename"`
	ID       string               `json:"id"`
	Status   SpreadDocumentStatus `json:"status"`
}

// SpreadDocumentStatus is one of a closed set of words. More may be added.
type SpreadDocumentStatus string

// Values of SpreadDocumentStatus.
const (
	SpreadDocumentStatusPending    SpreadDocumentStatus = "PENDING"
	SpreadDocumentStatusProcessing SpreadDocumentStatus = "PROCESSING"
	SpreadDocumentStatusExtracted  SpreadDocumentStatus = "EXTRACTED"
	SpreadDocumentStatusFailed     SpreadDocumentStatus = "FAILED"
	SpreadDocumentStatusSkipped    SpreadDocumentStatus = "SKIPPED"
)

// SpreadEffect is an object of the API.
type SpreadEffect struct {
	Changes  []SpreadChange `json:"changes"`
	SpreadID string         `json:"spreadId"`
}

// SpreadEvent is an object of the API.
type SpreadEvent struct {
	ExternalLeadID *string `json:"externalLeadId"`
	LeadID         string  `json:"leadId"`
	Spread         Spread  `json:"spread"`
}

// SpreadOperand is an object of the API.
type SpreadOperand struct {
	PeriodID  string `json:"periodId"`
	Row       string `json:"row"`
	Statement string `json:"statement"`
}

// SpreadPeriod is an object of the API.
type SpreadPeriod struct {
	Annualized  bool                   `json:"annualized"`
	Basis       *string                `json:"basis"`
	DerivedFrom *string                `json:"derivedFrom"`
	End         string                 `json:"end"`
	ID          string                 `json:"id"`
	Integrity   *Integrity             `json:"integrity,omitempty"`
	Label       string                 `json:"label"`
	Start       string                 `json:"start"`
	Values      map[string]SpreadValue `json:"values"`
}

// SpreadRatio is an object of the API.
type SpreadRatio struct {
	Format   string          `json:"format"`
	Formula  string          `json:"formula"`
	Group    string          `json:"group"`
	Key      string          `json:"key"`
	Label    string          `json:"label"`
	Operands []SpreadOperand `json:"operands,omitempty"`
	Reason   *string         `json:"reason"`
	Value    *json.Number    `json:"value"`
}

// SpreadRatios is an object of the API.
type SpreadRatios struct {
	Columns  SpreadColumns `json:"columns"`
	PeriodID string        `json:"periodId"`
	Values   []SpreadRatio `json:"values"`
}

// SpreadScope is one of a closed set of words. More may be added.
type SpreadScope string

// Values of SpreadScope.
const (
	SpreadScopeParty  SpreadScope = "party"
	SpreadScopeGlobal SpreadScope = "global"
)

// SpreadSource is an object of the API.
type SpreadSource struct {
	Box        any         `json:"box,omitempty"`
	Caption    string      `json:"caption"`
	Confidence json.Number `json:"confidence"`
	DocumentID string      `json:"documentId"`
	Method     *string     `json:"method,omitempty"`
	Page       int         `json:"page"`
	Text       string      `json:"text"`
}

// SpreadStatement is an object of the API.
type SpreadStatement struct {
	Periods []SpreadPeriod `json:"periods"`
}

// SpreadStatements is an object of the API.
type SpreadStatements struct {
	BalanceSheet    SpreadStatement `json:"balanceSheet"`
	CashFlow        SpreadStatement `json:"cashFlow"`
	IncomeStatement SpreadStatement `json:"incomeStatement"`
}

// SpreadStatus is one of a closed set of words. More may be added.
type SpreadStatus string

// Values of SpreadStatus.
const (
	SpreadStatusInProgress SpreadStatus = "IN_PROGRESS"
	SpreadStatusComplete   SpreadStatus = "COMPLETE"
	SpreadStatusFailed     SpreadStatus = "FAILED"
)

// SpreadUCA is an object of the API.
type SpreadUCA struct {
	Columns  SpreadColumns   `json:"columns"`
	PeriodID string          `json:"periodId"`
	Values   []SpreadUCALine `json:"values"`
}

// SpreadUCALine is an object of the API.
type SpreadUCALine struct {
	Key      string      `json:"key"`
	Label    string      `json:"label"`
	Reliable *bool       `json:"reliable,omitempty"`
	Subtotal bool        `json:"subtotal"`
	Value    json.Number `json:"value"`
}

// SpreadUnmapped is an object of the API.
type SpreadUnmapped struct {
	Amount     json.Number `json:"amount"`
	Caption    string      `json:"caption"`
	DocumentID string      `json:"documentId"`
	PeriodID   string      `json:"periodId"`
	Row        string      `json:"row"`
	Statement  string      `json:"statement"`
}

// SpreadUsedDocument is an object of the API.
type SpreadUsedDocument struct {
	Class      string   `json:"class"`
	DocumentID string   `json:"documentId"`
	Filename   string   `json:"filename"`
	Periods    []string `json:"periods"`
}

// SpreadUser is an object of the API.
type SpreadUser struct {
	Email string `json:"email"`
	ID    string `json:"id"`
	Name  string `json:"name"`
}

// SpreadValue is an object of the API.
type SpreadValue struct {
	Adjusted *SpreadAdjusted `json:"adjusted,omitempty"`
	Computed bool            `json:"computed"`
	Formula  *string         `json:"formula,omitempty"`
	Kind     string          `json:"kind"`
	Label    string          `json:"label"`
	Memo     bool            `json:"memo"`
	Operands []SpreadOperand `json:"operands,omitempty"`
	Reliable *bool           `json:"reliable,omitempty"`
	Reported *json.Number    `json:"reported,omitempty"`
	Sources  []SpreadSource  `json:"sources,omitempty"`
	Value    json.Number     `json:"value"`
}

// SpreadWarning is an object of the API.
type SpreadWarning struct {
	Code       string  `json:"code"`
	Detail     string  `json:"detail"`
	DocumentID *string `json:"documentId"`
	PeriodID   *string `json:"periodId"`
	Statement  *string `json:"statement"`
}

// SpreadsAnswer is an object of the API.
type SpreadsAnswer struct {
	NextToken *string  `json:"nextToken"`
	Spreads   []Spread `json:"spreads"`
	Success   bool     `json:"success"`
}

// StartPipelineAnswer is an object of the API.
type StartPipelineAnswer struct {
	JobID   string         `json:"jobId"`
	Result  string         `json:"result"`
	Status  PipelineStatus `json:"status"`
	Success bool           `json:"success"`
}

// Success is an object of the API.
type Success struct {
	Success bool `json:"success"`
}

// SumTerm is an object of the API.
type SumTerm struct {
	Amount  *string `json:"amount,omitempty"`
	Minus   *bool   `json:"minus,omitempty"`
	Pointer *string `json:"pointer,omitempty"`
}

// TestWebhookAnswer is an object of the API.
type TestWebhookAnswer struct {
	EventID string `json:"eventId"`
	Success bool   `json:"success"`
}

// TimelineAnswer is an object of the API.
type TimelineAnswer struct {
	Activity  []ActionLog `json:"activity"`
	NextToken *string     `json:"nextToken"`
	Success   bool        `json:"success"`
}

// TotalsByChannel is an object of the API.
type TotalsByChannel struct {
	Email    ChannelTotals `json:"email"`
	Sms      ChannelTotals `json:"sms"`
	Whatsapp ChannelTotals `json:"whatsapp"`
}

// UpdateLeadBody is an object of the API.
type UpdateLeadBody struct {
	// Who handles the lead: agent or manual; read back as AI_AGENT or HUMAN_AGENT.
	AssigneeType   Field[string]       `json:"assigneeType,omitzero"`
	BusinessName   Field[string]       `json:"businessName,omitzero"`
	ChecklistItems Field[[]ItemUpdate] `json:"checklistItems,omitzero"`
	// When the lender decided; null clears it.
	DecisionAt Field[time.Time] `json:"decisionAt,omitzero"`
	// true opts out; only false clears an opt-out. Must agree with status.
	DidOptOut Field[bool]   `json:"didOptOut,omitzero"`
	Email     Field[string] `json:"email,omitzero"`
	// true sets emailVerifiedAt to now; false clears it.
	EmailVerified  Field[bool]   `json:"emailVerified,omitzero"`
	ExternalLeadID Field[string] `json:"externalLeadId,omitzero"`
	// Used instead of the default portal URL.
	ExternalPortalLink Field[string] `json:"externalPortalLink,omitzero"`
	FirstName          Field[string] `json:"firstName,omitzero"`
	LastName           Field[string] `json:"lastName,omitzero"`
	LeadID             string        `json:"leadId"`
	MiddleName         Field[string] `json:"middleName,omitzero"`
	PhoneNumber        Field[string] `json:"phoneNumber,omitzero"`
	// COMPLETED, IN_PROGRESS, NOT_INTERESTED or OPTED_OUT; REVIEW cannot be set.
	Status Field[LeadStatus] `json:"status,omitzero"`
	// Replaces all tags; [] removes them.
	Tags Field[[]string] `json:"tags,omitzero"`
	// IANA name.
	Timezone Field[string] `json:"timezone,omitzero"`
	Website  Field[string] `json:"website,omitzero"`
}

// UploadedDocument is an object of the API.
type UploadedDocument struct {
	AssociatedChecklistItemID *string   `json:"associatedChecklistItemId"`
	DuplicateOf               *string   `json:"duplicateOf,omitempty"`
	Filename                  string    `json:"filename"`
	ID                        string    `json:"id"`
	MimeType                  string    `json:"mimeType"`
	SHA256                    string    `json:"sha256"`
	SignedURL                 string    `json:"signedUrl"`
	Size                      int       `json:"size"`
	UploadedAt                time.Time `json:"uploadedAt"`
}

// ValidationResult is an object of the API.
type ValidationResult struct {
	OtherNotes        string       `json:"otherNotes"`
	OverallValid      bool         `json:"overallValid"`
	ValidationResults []RuleResult `json:"validationResults"`
}

// ValueSource is one of a closed set of words. More may be added.
type ValueSource string

// Values of ValueSource.
const (
	ValueSourceAgent    ValueSource = "agent"
	ValueSourceImported ValueSource = "imported"
	ValueSourceManual   ValueSource = "manual"
	ValueSourcePortal   ValueSource = "portal"
)

// Webhook is an object of the API.
type Webhook struct {
	Breaker        Breaker         `json:"breaker"`
	CreatedAt      time.Time       `json:"createdAt"`
	Description    *string         `json:"description"`
	DisabledReason *string         `json:"disabledReason"`
	Events         []EventType     `json:"events"`
	Headers        []WebhookHeader `json:"headers"`
	ID             string          `json:"id"`
	IsEnabled      bool            `json:"isEnabled"`
	Mode           Mode            `json:"mode"`
	RateLimit      *int            `json:"rateLimit"`
	UpdatedAt      time.Time       `json:"updatedAt"`
	URL            string          `json:"url"`
}

// WebhookAnswer is an object of the API.
type WebhookAnswer struct {
	Success bool    `json:"success"`
	Webhook Webhook `json:"webhook"`
}

// WebhookBody is an object of the API.
type WebhookBody struct {
	Description Field[string] `json:"description,omitzero"`
	// Names of event types; null: all.
	Events Field[[]EventType] `json:"events,omitzero"`
	// Sent with every delivery. Names that frame or sign the request are refused.
	Headers Field[[]ApiWebhookHeader] `json:"headers,omitzero"`
	// Of the webhook to change; left out, one is made.
	ID Field[string] `json:"id,omitzero"`
	// true when left out at creation. Nothing is sent while false; it is skipped and can be replayed.
	IsEnabled Field[bool] `json:"isEnabled,omitzero"`
	// Of which leads it hears: `live`, `test` or `all` (when left out). That of a test key is always `test`.
	Mode Field[Mode] `json:"mode,omitzero"`
	// Deliveries a second, 1 to 10,000; null: no limit.
	RateLimit Field[int] `json:"rateLimit,omitzero"`
	// An absolute http or https address. Literal private addresses are refused.
	URL Field[string] `json:"url,omitzero"`
}

// WebhookEvent is an object of the API.
type WebhookEvent struct {
	ExternalLeadID *string `json:"externalLeadId"`
	LeadID         *string `json:"leadId"`
	Webhook        Webhook `json:"webhook"`
}

// WebhookHeader is an object of the API.
type WebhookHeader struct {
	Key   string  `json:"key"`
	Value *string `json:"value"`
}

// WebhookWarning is an object of the API.
type WebhookWarning struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// WebhooksAnswer is an object of the API.
type WebhooksAnswer struct {
	NextToken *string   `json:"nextToken"`
	Success   bool      `json:"success"`
	Webhooks  []Webhook `json:"webhooks"`
}

// Workflow is an object of the API.
type Workflow struct {
	CreatedAt time.Time `json:"createdAt"`
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	// CHECKLIST collects the lead's checklist, REMINDER reminds by a schedule, SUPPORT answers questions.
	Type      WorkflowType `json:"type"`
	UpdatedAt time.Time    `json:"updatedAt"`
}

// WorkflowRun is an object of the API.
type WorkflowRun struct {
	AgentID     string     `json:"agentId"`
	CancelledAt *time.Time `json:"cancelledAt"`
	CompletedAt *time.Time `json:"completedAt"`
	// MANUAL (through the API) or AUTOMATIC (nothing left to do); null until COMPLETED.
	CompletedReason *string   `json:"completedReason"`
	CreatedAt       time.Time `json:"createdAt"`
	// Always null; kept for clients that expect the field.
	ExternalID *string    `json:"externalId"`
	ID         string     `json:"id"`
	LeadID     string     `json:"leadId"`
	PausedAt   *time.Time `json:"pausedAt"`
	Status     RunStatus  `json:"status"`
	UpdatedAt  time.Time  `json:"updatedAt"`
	WorkflowID string     `json:"workflowId"`
}

// WorkflowType is one of a closed set of words. More may be added.
type WorkflowType string

// Values of WorkflowType.
const (
	WorkflowTypeChecklist WorkflowType = "CHECKLIST"
	WorkflowTypeReminder  WorkflowType = "REMINDER"
	WorkflowTypeSupport   WorkflowType = "SUPPORT"
)

// WorkflowsAnswer is an object of the API.
type WorkflowsAnswer struct {
	Success   bool       `json:"success"`
	Workflows []Workflow `json:"workflows"`
}

// WorkspaceAnswer is an object of the API.
type WorkspaceAnswer struct {
	File      string      `json:"file"`
	Success   bool        `json:"success"`
	Workspace MeWorkspace `json:"workspace"`
}
