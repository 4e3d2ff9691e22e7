# Code generated from the OpenAPI document by make clients. DO NOT EDIT.
"""Objects of the API, as dictionaries with the names of the wire."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from typing import NotRequired

API_VERSION = "1.0.0"


class ActionDocument(TypedDict):
    filename: str
    id: str
    mimeType: str
    signedUrl: str
    size: int


class ActionLog(TypedDict):
    actor: Optional[str]
    """The person behind the call (x-actor), or null."""
    agentId: Optional[str]
    completedAt: Optional[str]
    createdAt: str
    documents: List[ActionDocument]
    id: str
    input: Any
    """What was done. Of a lead update: eventType, source, leadUpdates, checklistUpdates."""
    leadId: str
    message: Optional[Message]
    scheduledAt: Optional[str]
    status: ActionLogStatus
    summary: str
    toolCalls: Any
    """What an agent called: name, input and output of each."""
    type: ActionLogType
    workflowRunId: Optional[str]


class ActionLogAnswer(TypedDict):
    actionLog: ActionLog
    success: bool

ActionLogStatus = Literal[
    "PENDING",
    "COMPLETED",
    "FAILED",
    "CANCELLED",
]

ActionLogType = Literal[
    "API_ACTIVITY",
    "DOCUMENT_UPLOAD",
    "DOCUMENT_EXTRACTION",
    "DOCUMENT_DELETED",
    "DOCUMENT_OVERRIDE",
    "CHECKLIST_ITEM_JUDGED",
    "OUTBOUND_MESSAGE",
    "FOLLOW_UP_MESSAGE",
    "INBOUND_MESSAGE",
    "PORTAL_ACTIVITY",
    "AGENT_ACTIVITY",
    "SYSTEM",
]


class ActivityAnswer(TypedDict):
    actionLogId: str
    success: bool


class ActivityBody(TypedDict):
    description: NotRequired[Optional[str]]
    """Body text."""
    eventType: str
    """A label shown as a badge, for example sales_call."""
    leadId: str
    metadata: NotRequired[Any]
    """Free-form object of up to 32 kB."""
    title: str
    """Main title of the card."""

ActorType = Literal[
    "key",
    "person",
    "portal",
    "system",
]


class AdjustedAnswer(TypedDict):
    adjustments: List[SpreadAdjustment]
    spread: Spread
    success: bool


class AdjustmentBody(TypedDict):
    actor: NotRequired[Optional[str]]
    moveTo: NotRequired[Optional[str]]
    periodId: str
    reason: str
    row: str
    statement: NotRequired[str]
    value: NotRequired[Optional[Union[int, Decimal]]]


class AdjustmentsAnswer(TypedDict):
    adjustments: List[SpreadAdjustment]
    success: bool


class AdjustmentsBody(TypedDict):
    adjustments: List[AdjustmentBody]


class Agent(TypedDict):
    channels: List[Channel]
    """Tried in this order."""
    createdAt: str
    id: str
    isActive: bool
    """False for an agent taken out of the configuration; new runs cannot use it."""
    mode: AgentMode
    """AUTOPILOT sends by itself, LISTEN drafts for a person to approve."""
    name: str
    updatedAt: str

AgentMode = Literal[
    "AUTOPILOT",
    "LISTEN",
]


class AgentsAnswer(TypedDict):
    agents: List[Agent]
    success: bool


class AlternateValue(TypedDict):
    createdAt: str
    documentId: Optional[str]
    source: Optional[ValueSource]
    value: Any


class AnalyticsResult(TypedDict):
    breakdown: NotRequired[List[ReportLead]]
    downloadUrl: NotRequired[str]
    """Signed; anyone who has it can read the file."""
    end: NotRequired[Optional[str]]
    """As it was sent."""
    expiresAt: NotRequired[str]
    jobId: NotRequired[str]
    nextToken: NotRequired[Optional[str]]
    """null when no more leads follow."""
    result: NotRequired[str]
    """Where to poll: the run's result is then the same object."""
    start: NotRequired[Optional[str]]
    """As it was sent."""
    totals: NotRequired[ReportTotals]


class ApiKey(TypedDict):
    createdAt: str
    expiresAt: Optional[str]
    id: str
    isTest: bool
    lastUsedAt: Optional[str]
    """At most a minute behind."""
    name: str
    prefix: str
    """Start of the key; safe to show."""
    revokedAt: Optional[str]
    scopes: List[Scope]


class ApiWebhookHeader(TypedDict):
    key: NotRequired[str]
    value: NotRequired[str]

ApprovalState = Literal[
    "DRAFT",
    "SUBMITTED",
    "APPROVED",
    "RETURNED",
]


class Artifact(TypedDict):
    id: str
    title: str
    type: ArtifactType

ArtifactType = Literal[
    "REPORT",
    "SPREADSHEET",
]


class AssignBody(TypedDict):
    assignee: NotRequired[Optional[str]]

AssigneeType = Literal[
    "AI_AGENT",
    "HUMAN_AGENT",
]


class Association(TypedDict):
    documentId: str
    id: str
    leadChecklistItemId: str
    overallValid: bool
    validationResult: Optional[ValidationResult]


class AssociationBody(TypedDict):
    leadChecklistItemId: str


class Attempt(TypedDict):
    durationMs: int
    error: Optional[ErrorClass]
    number: int
    response: Optional[str]
    startedAt: str
    status: Optional[int]

AuditAction = Literal[
    "api_key.create",
    "api_key.revoke",
    "checklist.reveal",
    "portal_link.open",
    "portal_link.rotate",
    "portal_link.revoke",
    "webhook.create",
    "webhook.update",
    "webhook.delete",
    "webhook.rotate_secret",
    "webhook.replay",
    "webhook.disabled",
    "delivery.redeliver",
    "job.retry",
    "job.cancel",
    "document.reprocess",
    "document.hash_mismatch",
    "document.page_read",
    "document.correct",
    "document.attach",
    "document.detach",
    "document.parts",
    "document.override",
    "analytics.repair",
    "workspace.create",
    "workspace.change",
    "workspace.delete",
    "workspace.erase",
    "workspace.rotate_inbound",
    "lead.delete",
    "lead.erase",
    "erasure.cancel",
    "hold.create",
    "hold.release",
    "document.delete",
    "document.erase",
    "document.read",
    "document.set_party",
    "party.create",
    "party.update",
    "party.delete",
    "ownership.update",
    "debts.update",
    "console.open",
    "session.create",
    "session.revoke",
    "person.add",
    "person.disable",
    "spread.submit",
    "spread.return",
    "spread.approve",
    "review.take_over",
    "review.assign",
    "review.decide",
]


class AuditActor(TypedDict):
    id: Optional[str]
    """Of the key, the person or, on its own page, the lead; null for the system."""
    name: Optional[str]
    """Of the key, a person's email, `operator` for the command line, `dossier` for the service; null for a lead."""
    type: ActorType


class AuditAnswer(TypedDict):
    entries: List[AuditEntry]
    nextToken: Optional[str]
    success: bool


class AuditEntry(TypedDict):
    action: AuditAction
    actor: AuditActor
    address: Optional[str]
    """Where the call came from; of IPv6 the network of 64 bits."""
    at: str
    callerRequestId: Optional[str]
    """`X-Request-Id` as the caller wrote it."""
    details: Dict[str, Any]
    """Ids, codes, names of fields and counts."""
    hash: NotRequired[str]
    """Hex SHA-256 of the hash before it, 64 zeros for the first, followed by this entry without `hash` as JSON by RFC 8785."""
    id: str
    keyId: Optional[str]
    """API key of the call."""
    onBehalfOf: Optional[str]
    """`x-actor` of the call: whom the caller named, never who it was."""
    requestId: Optional[str]
    """Id that the server gave the request."""
    subject: AuditSubject


class AuditSubject(TypedDict):
    id: str
    type: str


class Breaker(TypedDict):
    openUntil: Optional[str]
    state: BreakerState

BreakerState = Literal[
    "CLOSED",
    "OPEN",
    "HALF_OPEN",
]


class CaptionBody(TypedDict):
    actor: NotRequired[Optional[str]]
    caption: str
    row: str
    statement: NotRequired[str]


class CaptionMapping(TypedDict):
    actor: Optional[str]
    caption: str
    row: str
    statement: str


class CaptionsAnswer(TypedDict):
    captionMappings: List[CaptionMapping]
    success: bool


class CaptionsBody(TypedDict):
    captionMappings: List[CaptionBody]


class Certificate(TypedDict):
    completedAt: str
    counts: ErasureCounts
    erasureId: str
    keyId: str
    """Of the workspace's Ed25519 key: hex, the first 8 bytes of its SHA-256."""
    sha256: str
    """Hex, over the sorted ids of what went, a line each."""
    signature: NotRequired[str]
    """Base64, over the certificate without it as JSON by RFC 8785."""
    startedAt: str
    subject: ErasureSubject

Channel = Literal[
    "email",
    "sms",
    "whatsapp",
]


class ChannelTotals(TypedDict):
    inbound: int
    outbound: int


class CheckEffect(TypedDict):
    after: Optional[bool]
    before: Optional[bool]
    name: str
    part: int


class ChecklistEntry(TypedDict):
    alternateValues: Optional[List[AlternateValue]]
    """Values that were displaced or outranked, newest first."""
    checklistItem: ChecklistItem
    checklistItemId: str
    documents: NotRequired[Optional[List[ItemDocument]]]
    """Of file items only."""
    id: str
    itemOverride: Any
    partyId: Optional[str]
    """Whose the item is, among the parties of the lead; null: nobody's in particular. It stands on that party's page, and its documents are compared with that party."""
    reasons: List[Reason]
    """What validationError says, as codes with their values and where the facts are printed; none when it is null."""
    source: Optional[ValueSource]
    """Who gave the value; null when nobody touched the item."""
    status: ItemStatus
    updatedAt: str
    validationError: Optional[str]
    """Why the item is INVALID, or what is still missing, in the language that Accept-Language asks for, else in English."""
    value: Any
    """By type: ADDRESS an object, MULTI_SELECT an array, NUMBER a number, else a string; null when there is none."""
    visible: bool


class ChecklistGroup(TypedDict):
    code: str
    conditions: Optional[Dict[str, Any]]
    """When the items are visible: {all: [...]}, {any: [...]}, {not: ...} or {code, op, value} with op eq, neq, in, gt, gte, lt, lte, exists; null means always."""
    id: str
    items: List[ChecklistEntry]
    name: str


class ChecklistItem(TypedDict):
    clientInstructions: Optional[str]
    code: str
    conditions: Optional[Dict[str, Any]]
    config: Optional[Dict[str, Any]]
    fieldType: FieldType
    helpText: Optional[str]
    id: str
    isRequired: bool
    label: str
    validationRules: List[str]


class Citation(TypedDict):
    box: Any
    documentId: Optional[str]
    page: Optional[int]
    part: int
    pointer: str
    text: str


class ClaimBody(TypedDict):
    note: NotRequired[Optional[str]]
    takeOver: NotRequired[bool]


class ClockAnswer(TypedDict):
    happened: List[str]
    """Ids of events, as `GET /api/v1/events` has them."""
    now: str
    """The lead's time."""
    success: bool


class ClockBody(TypedDict):
    advance: str
    """By how much, in hours and minutes, such as `72h` or `1h30m`: more than 0, at most 8784h."""
    leadId: str
    """A test lead; also one that is deleted and not erased yet."""


class CompleteBody(TypedDict):
    sha256: NotRequired[Optional[str]]


class Correction(TypedDict):
    actor: str
    at: str
    machineValue: Any
    part: int
    pointer: str
    reason: Optional[str]
    state: CorrectionState
    value: Any


class CorrectionBody(TypedDict):
    box: NotRequired[Any]
    page: NotRequired[Optional[int]]
    part: int
    pointer: str
    reason: NotRequired[Optional[str]]
    value: NotRequired[Any]


class CorrectionEffects(TypedDict):
    checks: List[CheckEffect]
    items: List[ItemEffect]
    spreads: List[SpreadEffect]

CorrectionState = Literal[
    "applied",
    "confirmed",
    "conflict",
]


class CorrectionsAnswer(TypedDict):
    document: Document
    effects: CorrectionEffects
    success: bool


class CorrectionsBody(TypedDict):
    corrections: List[CorrectionBody]
    dryRun: NotRequired[bool]


class CreateDocumentsAnswer(TypedDict):
    actionLogId: str
    documents: List[UploadedDocument]
    success: bool


class CreateKeyAnswer(TypedDict):
    apiKey: ApiKey
    key: str
    success: bool


class CreateLeadBody(TypedDict):
    assigneeType: NotRequired[str]
    businessName: NotRequired[Optional[str]]
    checklistItems: NotRequired[List[ItemUpdate]]
    decisionAt: NotRequired[Optional[str]]
    didOptOut: NotRequired[bool]
    email: NotRequired[Optional[str]]
    emailVerified: NotRequired[bool]
    externalLeadId: NotRequired[Optional[str]]
    externalPortalLink: NotRequired[Optional[str]]
    firstName: NotRequired[Optional[str]]
    isTest: NotRequired[bool]
    lastName: NotRequired[Optional[str]]
    middleName: NotRequired[Optional[str]]
    phoneNumber: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]
    timezone: NotRequired[Optional[str]]
    website: NotRequired[Optional[str]]


class CreateSpreadBody(TypedDict):
    currency: NotRequired[Optional[str]]
    distributions: NotRequired[Optional[SpreadDistributions]]
    documentIds: NotRequired[List[str]]
    entityName: NotRequired[Optional[str]]
    externalId: NotRequired[Optional[str]]
    fiscalYearEndMonth: NotRequired[Optional[int]]
    leadId: str
    partyId: NotRequired[Optional[str]]
    scope: NotRequired[Optional[str]]


class Debt(TypedDict):
    balance: Union[int, Decimal]
    documentId: NotRequired[Optional[str]]
    frequency: DebtFrequency
    id: str
    kind: DebtKind
    lender: str
    maturity: Optional[str]
    partyId: str
    payment: Union[int, Decimal]
    rate: Optional[Union[int, Decimal]]
    secured: bool
    source: DebtSource


class DebtBody(TypedDict):
    balance: Union[int, Decimal]
    documentId: NotRequired[Optional[str]]
    frequency: DebtFrequency
    id: NotRequired[Optional[str]]
    kind: DebtKind
    lender: str
    maturity: NotRequired[Optional[str]]
    partyId: str
    payment: Union[int, Decimal]
    rate: NotRequired[Optional[Union[int, Decimal]]]
    secured: NotRequired[bool]
    source: NotRequired[Optional[DebtSource]]

DebtFrequency = Literal[
    "weekly",
    "monthly",
    "quarterly",
    "annually",
]

DebtKind = Literal[
    "term_loan",
    "line_of_credit",
    "mortgage",
    "lease",
    "credit_card",
    "auto",
    "student",
    "other",
]

DebtSource = Literal[
    "statement",
    "manual",
]


class DebtsAnswer(TypedDict):
    debts: List[Debt]
    success: bool


class DebtsBody(TypedDict):
    debts: List[DebtBody]


class DecideBody(TypedDict):
    decision: ReviewDecided
    note: NotRequired[Optional[str]]
    reasonCode: NotRequired[Optional[str]]
    version: int


class DeleteDocumentResult(TypedDict):
    review: Review
    success: Any


class DeleteLeadResult(TypedDict):
    review: Review
    success: Any


class DeliveriesAnswer(TypedDict):
    deliveries: List[Delivery]
    nextToken: Optional[str]
    success: bool


class Delivery(TypedDict):
    attempts: int
    completedAt: Optional[str]
    createdAt: str
    eventId: str
    eventType: EventType
    id: str
    lastError: Optional[ErrorClass]
    lastStatus: Optional[int]
    leadId: Optional[str]
    nextAttemptAt: Optional[str]
    status: DeliveryStatus
    webhookId: str


class DeliveryAnswer(TypedDict):
    delivery: Delivery
    success: bool


class DeliveryDetail(TypedDict):
    attemptLog: List[Attempt]
    attempts: int
    completedAt: Optional[str]
    createdAt: str
    eventId: str
    eventType: EventType
    id: str
    lastError: Optional[ErrorClass]
    lastStatus: Optional[int]
    leadId: Optional[str]
    nextAttemptAt: Optional[str]
    status: DeliveryStatus
    webhookId: str


class DeliveryDetailAnswer(TypedDict):
    delivery: DeliveryDetail
    success: bool

DeliveryStatus = Literal[
    "PENDING",
    "SUCCEEDED",
    "FAILED",
    "SKIPPED",
    "CANCELLED",
]

DocType = Literal[
    "bank_statement",
    "tax_return",
    "drivers_license",
    "passport",
    "national_id",
    "residence_permit",
    "financial_statement",
    "tax_form_other",
    "pay_stub",
    "invoice",
    "receipt",
    "utility_bill",
    "credit_card_statement",
    "brokerage_statement",
    "investment_statement",
    "asset_verification",
    "lease",
    "insurance",
    "check",
    "benefit_plan_report",
    "rent_roll",
    "rate_confirmation",
    "social_security_card",
    "other",
]


class Document(TypedDict):
    content: NotRequired[str]
    """The bytes in base64; only with includeContent."""
    corrections: List[Correction]
    createdAt: str
    duplicateOf: Optional[str]
    externalId: Optional[str]
    extraction: Optional[DocumentExtraction]
    extractionError: Optional[ExtractionError]
    filename: str
    id: str
    leadChecklistItemDocument: List[Association]
    leadId: str
    metadata: DocumentMetadata
    mimeType: str
    sha256: Optional[str]
    signedUrl: str
    size: int
    thumbnailUrl: Optional[str]
    updatedAt: str


class DocumentAnswer(TypedDict):
    document: Document
    success: bool


class DocumentClass(TypedDict):
    confidence: Union[int, Decimal]
    docType: DocType
    fieldType: FieldType
    pages: List[int]


class DocumentCorrectedEvent(TypedDict):
    corrections: List[str]
    document: RecordDocument
    externalLeadId: Optional[str]
    leadId: str


class DocumentErasedEvent(TypedDict):
    documentId: str
    erasureId: str
    leadId: str


class DocumentEvent(TypedDict):
    document: RecordDocument
    externalLeadId: Optional[str]
    leadId: str


class DocumentExtractedEvent(TypedDict):
    classification: NotRequired[List[DocumentClass]]
    document: RecordDocument
    externalLeadId: Optional[str]
    leadId: str


class DocumentExtraction(TypedDict):
    documents: List[DocumentPart]
    engineVersion: str
    layer: str
    mimeType: str
    model: Optional[ModelUse]
    pageCount: int
    pages: List[PageSize]
    warnings: List[FactWarning]


DocumentMetadata = TypedDict(
    "DocumentMetadata",
    {
        "Matched checklist items": "List[MatchedItem]",
        "extractionStatus": "ExtractionStatus",
    },
)


class DocumentPart(TypedDict):
    checks: List[FactCheck]
    confidence: Union[int, Decimal]
    derived: Dict[str, str]
    docType: DocType
    evidence: List[str]
    facts: Dict[str, Any]
    fieldType: FieldType
    pages: List[int]
    partyId: Optional[str]
    sources: Dict[str, Source]
    sums: NotRequired[List[PrintedSum]]
    warnings: List[FactWarning]


class DocumentPartBody(TypedDict):
    partyId: NotRequired[Optional[str]]


class DossierSpreadAdjustment(TypedDict):
    actor: Optional[str]
    moveTo: Optional[str]
    periodId: str
    reason: str
    row: str
    statement: str
    value: Optional[Union[int, Decimal]]


class DraftBody(TypedDict):
    body: str
    channel: Channel
    subject: NotRequired[Optional[str]]


class EdgeBody(TypedDict):
    documentId: NotRequired[Optional[str]]
    ownedId: str
    ownerId: str
    percent: Union[int, Decimal]
    source: NotRequired[Optional[EdgeSource]]

EdgeSource = Literal[
    "k1",
    "manual",
]


class EditBody(TypedDict):
    body: str
    subject: NotRequired[Optional[str]]
    """Of an email; absent leaves it as it is."""


class EraseBody(TypedDict):
    dryRun: NotRequired[bool]
    """Count what would go and change nothing."""
    reason: str
    """Stays when everything else is gone. It must name nobody."""


class EraseDocumentResult(TypedDict):
    counts: NotRequired[EraseDocumentResultCounts]
    erasure: NotRequired[Erasure]
    review: NotRequired[Optional[Review]]
    success: Any


class EraseDocumentResultCounts(TypedDict):
    objects: int
    rows: int


class EraseLeadResult(TypedDict):
    counts: NotRequired[EraseLeadResultCounts]
    erasure: NotRequired[Erasure]
    review: NotRequired[Optional[Review]]
    success: Any


class EraseLeadResultCounts(TypedDict):
    objects: int
    rows: int


class Erasure(TypedDict):
    certificate: Optional[Certificate]
    completedAt: Optional[str]
    counts: ErasureCounts
    """Zero until it is COMPLETE."""
    dueAt: str
    id: str
    reason: str
    requestedAt: str
    requestedBy: str
    """A person's email, `key:<name>`, or `system`."""
    status: ErasureStatus
    subject: ErasureSubject
    subjectId: str


class ErasureAnswer(TypedDict):
    erasure: Erasure
    success: bool


class ErasureCounts(TypedDict):
    objects: int
    rows: int

ErasureStatus = Literal[
    "SCHEDULED",
    "RUNNING",
    "HELD",
    "COMPLETE",
    "CANCELLED",
]

ErasureSubject = Literal[
    "lead",
    "document",
    "workspace",
]


class ErasuresAnswer(TypedDict):
    erasures: List[Erasure]
    nextToken: Optional[str]
    success: bool

ErrorClass = Literal[
    "dns",
    "connect",
    "tls",
    "timeout_head",
    "reset",
    "blocked_address",
    "http_4xx",
    "http_5xx",
    "redirect",
    "too_large",
]


class Escalation(TypedDict):
    createdAt: str
    detail: Optional[str]
    id: str
    leadId: str
    note: Optional[str]
    reason: str
    resolvedAt: Optional[str]
    resolvedBy: Optional[str]
    status: EscalationStatus
    workflowRunId: Optional[str]


class EscalationAnswer(TypedDict):
    escalation: Escalation
    success: bool


class EscalationBody(TypedDict):
    detail: NotRequired[Optional[str]]
    reason: str


class EscalationEvent(TypedDict):
    escalation: Escalation
    externalLeadId: Optional[str]
    leadId: str

EscalationStatus = Literal[
    "OPEN",
    "RESOLVED",
]


class EscalationsAnswer(TypedDict):
    escalations: List[Escalation]
    nextToken: Optional[str]
    success: bool

EventType = Literal[
    "workflow_run.created",
    "workflow_run.paused",
    "workflow_run.resumed",
    "workflow_run.completed",
    "workflow_run.cancelled",
    "lead.created",
    "lead.updated",
    "lead.completed",
    "lead.opted_out",
    "lead.not_interested",
    "lead.reopened",
    "lead.escalated",
    "lead.escalation_resolved",
    "lead.erased",
    "document.received",
    "document.extracted",
    "document.validated",
    "document.corrected",
    "document.erased",
    "checklist_item.completed",
    "checklist_item.invalid",
    "message.sent",
    "message.delivered",
    "message.failed",
    "message.received",
    "spread.started",
    "spread.completed",
    "spread.failed",
    "spread.approved",
    "review.opened",
    "review.decided",
    "pipeline_run.completed",
    "pipeline_run.failed",
    "export.completed",
    "webhook.test",
    "webhook.disabled",
]


class EventsAnswer(TypedDict):
    epoch: int
    events: List[Event]
    nextToken: Optional[str]
    success: bool


class Export(TypedDict):
    completedAt: Optional[str]
    createdAt: str
    end: Optional[str]
    jobId: str
    rows: int
    start: Optional[str]


class ExportEvent(TypedDict):
    export: Export
    externalLeadId: Optional[str]
    leadId: Optional[str]


class ExtractionError(TypedDict):
    code: str
    detail: str

ExtractionStatus = Literal[
    "pending",
    "processing",
    "completed",
    "failed",
]


class FactCheck(TypedDict):
    detail: str
    name: str
    passed: bool


class FactWarning(TypedDict):
    code: str
    detail: str
    pointer: NotRequired[str]


class FieldQuality(TypedDict):
    docType: DocType
    field: str
    interval: List[Union[int, Decimal]]
    lookedAt: int
    right: int
    share: Union[int, Decimal]

FieldType = Literal[
    "BANK_STATEMENT",
    "FILE",
    "ID",
    "TAX_RETURN",
    "ADDRESS",
    "DATE",
    "EIN",
    "EMAIL",
    "MULTI_SELECT",
    "NUMBER",
    "PHONE",
    "SELECT",
    "SSN",
    "TEXT",
]


class FilePartBody(TypedDict):
    docType: NotRequired[Optional[DocType]]
    pages: List[int]


class FollowUp(TypedDict):
    id: str
    scheduledAt: Optional[str]
    status: ActionLogStatus
    summary: str
    type: ActionLogType


class GlobalParty(TypedDict):
    name: str
    partyId: str
    spreadId: Optional[str]


class GlobalPeriod(TypedDict):
    end: str
    id: str
    label: str
    rows: List[GlobalRow]
    start: str


class GlobalRow(TypedDict):
    computed: bool
    counterpartyId: NotRequired[Optional[str]]
    key: str
    kind: str
    label: str
    partyId: Optional[str]
    reliable: NotRequired[Optional[bool]]
    sources: List[GlobalSource]
    value: Optional[Union[int, Decimal]]


class GlobalSource(TypedDict):
    caption: str
    debtId: NotRequired[Optional[str]]
    documentId: NotRequired[Optional[str]]
    page: NotRequired[int]
    spreadId: NotRequired[Optional[str]]
    text: str


class Hold(TypedDict):
    createdAt: str
    createdBy: str
    id: str
    leadId: str
    reason: str
    releasedAt: Optional[str]
    releasedBy: Optional[str]


class HoldAnswer(TypedDict):
    hold: Hold
    success: bool


class HoldBody(TypedDict):
    reason: str


class HoldsAnswer(TypedDict):
    holds: List[Hold]
    nextToken: Optional[str]
    success: bool


ImportAnswer = TypedDict(
    "ImportAnswer",
    {
        "import": "ImportView",
        "success": "bool",
    },
)


class ImportFailure(TypedDict):
    code: str
    detail: str


class ImportFault(TypedDict):
    code: str
    column: str
    """Empty when the row as a whole is meant."""
    detail: str
    row: int
    """As a spreadsheet shows it: the first row of data is 2."""

ImportStatus = Literal[
    "PENDING",
    "RUNNING",
    "COMPLETE",
    "FAILED",
]


class ImportView(TypedDict):
    created: int
    """Leads made; of a dry run, that would be."""
    createdAt: str
    dryRun: bool
    """Nothing is made."""
    errors: List[ImportFault]
    failure: Optional[ImportFailure]
    """Why a FAILED import could not go on. What was made by then stays."""
    finishedAt: Optional[str]
    id: str
    refused: int
    """Rows that changed nothing."""
    report: Optional[str]
    """Signed URL, for an hour, of a CSV with what became of each row: `row,outcome,leadId,column,code,detail`. Null until COMPLETE."""
    rows: int
    """Rows of data read so far."""
    status: ImportStatus
    updated: int
    """Rows that found their lead by its `externalLeadId`."""


class ImportsAnswer(TypedDict):
    imports: List[ImportView]
    nextToken: Optional[str]
    success: bool

Integrity = Literal[
    "reconciled",
    "variance",
    "incomplete",
]


class ItemChangeBody(TypedDict):
    agentInstructions: NotRequired[Optional[str]]
    clientInstructions: NotRequired[Optional[str]]
    config: NotRequired[Any]
    isRequired: NotRequired[bool]
    label: NotRequired[str]
    partyId: NotRequired[Optional[str]]
    validationRules: NotRequired[List[str]]


class ItemDocument(TypedDict):
    filename: str
    id: str
    metadata: ItemDocumentMetadata
    mimeType: str
    signedUrl: str
    size: int
    validationResult: Optional[ValidationResult]


class ItemDocumentMetadata(TypedDict):
    extractionStatus: ExtractionStatus
    overallValid: bool


class ItemEffect(TypedDict):
    after: ItemState
    before: ItemState
    code: str
    leadChecklistItemId: str


class ItemEvent(TypedDict):
    checklistItem: RecordChecklistItem
    externalLeadId: Optional[str]
    leadId: str


class ItemState(TypedDict):
    status: ItemStatus
    validationError: Optional[str]

ItemStatus = Literal[
    "TODO",
    "COMPLETED",
    "INVALID",
    "SKIPPED",
    "NEEDS_REVIEW",
]


class ItemUpdate(TypedDict):
    code: str
    """Code of the item on the lead's checklist."""
    status: NotRequired[ItemStatus]
    """Taken as given."""
    value: NotRequired[Any]
    """By the item's type; without status it is validated, giving COMPLETED or INVALID. null clears value and status."""


class KeyBody(TypedDict):
    expiresAt: NotRequired[Optional[str]]
    """From then on the key is refused."""
    isTest: NotRequired[bool]
    """A test key sees and changes test leads only, and what it makes is a test; nothing it starts reaches a person. A test key makes test keys only."""
    name: str
    """What the key is for; shown in the list."""
    scopes: NotRequired[List[Scope]]


class KeysAnswer(TypedDict):
    apiKeys: List[ApiKey]
    nextToken: Optional[str]
    success: bool


class Lead(TypedDict):
    activitySummary: Optional[str]
    """What was last done for the lead."""
    assigneeType: AssigneeType
    businessName: Optional[str]
    createdAt: str
    decisionAt: Optional[str]
    """When the lender decided: retention may count from it."""
    deletedAt: Optional[str]
    didOptOut: bool
    email: Optional[str]
    emailVerifiedAt: Optional[str]
    externalLeadId: Optional[str]
    externalPortalLink: Optional[str]
    firstName: Optional[str]
    id: str
    isTest: bool
    lastName: Optional[str]
    middleName: Optional[str]
    notInterestedAt: Optional[str]
    optOutAt: Optional[str]
    phoneNumber: Optional[str]
    """E.164 when it could be read, else as given."""
    phoneVerifiedAt: Optional[str]
    portalUrl: Optional[str]
    """The lead's own page; externalPortalLink when that is set. null for keys without the scope write, in events and when the link has expired."""
    source: str
    status: LeadStatus
    tags: List[str]
    """Unique without case, sorted."""
    timezone: Optional[str]
    """IANA name: as given, else of the phone number's area when there is exactly one."""
    updatedAt: str
    website: Optional[str]


class LeadAnswer(TypedDict):
    actionLogs: List[ActionLog]
    checklistItems: List[ChecklistGroup]
    lastAction: Optional[ActionLog]
    lead: Lead
    matchingLeads: List[MatchingLead]
    nextDraft: Optional[ActionLog]
    nextFollowUp: Optional[ActionLog]
    status: LeadStatus
    success: bool


class LeadErasedEvent(TypedDict):
    erasureId: str
    leadId: str


class LeadEvent(TypedDict):
    externalLeadId: Optional[str]
    lead: Lead
    leadId: str


class LeadItem(TypedDict):
    agentInstructions: Optional[str]
    clientInstructions: Optional[str]
    code: str
    config: Optional[Dict[str, Any]]
    createdAt: str
    fieldType: FieldType
    id: str
    isRequired: bool
    label: str
    leadId: str
    partyId: Optional[str]
    status: ItemStatus
    validationRules: List[str]


class LeadItemAnswer(TypedDict):
    checklistItem: LeadItem
    success: bool

LeadStatus = Literal[
    "COMPLETED",
    "NOT_INTERESTED",
    "OPTED_OUT",
    "IN_PROGRESS",
    "REVIEW",
]


class LeadUpdatedEvent(TypedDict):
    changes: NotRequired[List[str]]
    externalLeadId: Optional[str]
    lead: Lead
    leadId: str


class ListedDocument(TypedDict):
    createdAt: str
    externalId: Optional[str]
    extractionError: Optional[ExtractionError]
    filename: str
    id: str
    leadChecklistItemDocument: List[Association]
    leadId: str
    metadata: DocumentMetadata
    mimeType: str
    signedUrl: str
    size: int
    updatedAt: str


class ListedLead(TypedDict):
    activitySummary: str
    businessName: str
    completedChecklistItems: int
    email: Optional[str]
    id: str
    name: str
    nextFollowUp: Optional[FollowUp]
    phoneNumber: str
    status: LeadStatus
    tags: List[str]
    totalChecklistItems: int


class ListedPerson(TypedDict):
    disabled: bool
    email: str
    name: str
    role: Role
    signedInAt: Optional[str]


class ListedSession(TypedDict):
    createdAt: str
    expiresAt: str
    id: str
    lastSeenAt: str
    """At most a minute behind."""
    person: MePerson


class LoggedProblem(TypedDict):
    code: str
    detail: str


class LoggedRequest(TypedDict):
    address: str
    """Where the call came from; of IPv6 the network of 64 bits."""
    at: str
    durationMs: int
    id: str
    """`X-Request-Id` of the answer and `requestId` of its problem. A caller that sends its own may send it twice."""
    idempotencyKey: Optional[str]
    keyId: str
    method: str
    path: str
    """Without the query; tokens are `***`."""
    problem: Optional[LoggedProblem]
    """Of an answer that is an error."""
    route: str
    """The path as this document has it."""
    status: int


class MappedAnswer(TypedDict):
    captionMappings: List[CaptionMapping]
    spread: Spread
    success: bool


class MatchedItem(TypedDict):
    label: str
    leadChecklistItemId: str


class MatchingLead(TypedDict):
    businessName: Optional[str]
    email: Optional[str]
    id: str
    matchedOn: List[str]
    name: str
    phoneNumber: Optional[str]
    status: LeadStatus


class MeAnswer(TypedDict):
    apiKey: Optional[ApiKey]
    person: Optional[MePerson]
    role: Optional[Role]
    """The person's role in the workspace that answers; null for a key."""
    session: Optional[MeSession]
    success: bool
    workspace: MeWorkspace
    workspaces: List[MeRole]
    """All workspaces in which the person has a role."""


class MePerson(TypedDict):
    email: str
    id: str
    name: str


class MeRole(TypedDict):
    id: str
    key: str
    name: str
    role: Role


class MeSession(TypedDict):
    createdAt: str
    expiresAt: str
    """When the session is over if nothing more comes of it: 30 minutes after its last use, 12 hours after the sign-in at the latest."""
    id: str


class MeWorkspace(TypedDict):
    id: str
    key: str
    name: str


Message = TypedDict(
    "Message",
    {
        "agentId": "Optional[str]",
        "authenticated": "Optional[bool]",
        "body": "str",
        "channel": "str",
        "createdAt": "str",
        "deliveredAt": "Optional[str]",
        "direction": "MessageDirection",
        "documentIds": "List[str]",
        "error": "Optional[MessageError]",
        "from": "Optional[str]",
        "id": "str",
        "leadId": "Optional[str]",
        "scheduledAt": "Optional[str]",
        "sentAt": "Optional[str]",
        "status": "MessageStatus",
        "subject": "Optional[str]",
        "to": "Optional[str]",
        "updatedAt": "str",
        "workflowRunId": "Optional[str]",
    },
)


class MessageAnswer(TypedDict):
    message: Message
    success: bool

MessageDirection = Literal[
    "INBOUND",
    "OUTBOUND",
]


class MessageError(TypedDict):
    code: str
    detail: Optional[str]


class MessageEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: Optional[str]
    message: Message

MessageStatus = Literal[
    "DRAFT",
    "QUEUED",
    "SENT",
    "DELIVERED",
    "FAILED",
    "CANCELLED",
    "REJECTED",
    "RECEIVED",
]


class MessagesAnswer(TypedDict):
    messages: List[Message]
    nextToken: Optional[str]
    success: bool

Mode = Literal[
    "live",
    "test",
    "all",
]


class ModelUse(TypedDict):
    asked: int
    dropped: int
    name: str
    taken: int
    tokens: int


class NewItemBody(TypedDict):
    agentInstructions: NotRequired[Optional[str]]
    """Guidance for the agent."""
    clientInstructions: NotRequired[Optional[str]]
    """Shown to the lead in the portal."""
    code: NotRequired[Optional[str]]
    """Stable identifier; unique on the lead's checklist."""
    config: NotRequired[Any]
    """By fieldType: BANK_STATEMENT {months, gracePeriodDays, isPersonal}, ID {type}, MULTI_SELECT and SELECT {options}, NUMBER {min, max}, TAX_RETURN {years, isPersonal}, TEXT {pattern}."""
    fieldType: FieldType
    isRequired: NotRequired[Optional[bool]]
    """Default true."""
    label: str
    partyId: NotRequired[Optional[str]]
    """A party of the lead, on whose page the item stands."""
    validationRules: NotRequired[List[str]]
    """Rules in plain words for uploaded documents; only for file items."""


class NextReviewBody(TypedDict):
    codes: NotRequired[List[ReviewCode]]
    mode: NotRequired[Optional[Mode]]


class OverrideAssociationResult(TypedDict):
    document: NotRequired[Document]
    review: NotRequired[Review]
    success: bool


class OverrideBody(TypedDict):
    note: NotRequired[str]
    overallValid: bool


class OwnershipAnswer(TypedDict):
    edges: List[OwnershipEdge]
    success: bool


class OwnershipBody(TypedDict):
    edges: List[EdgeBody]


class OwnershipEdge(TypedDict):
    documentId: NotRequired[Optional[str]]
    ownedId: str
    ownerId: str
    percent: Union[int, Decimal]
    source: EdgeSource


class PageSize(TypedDict):
    height: Union[int, Decimal]
    page: int
    rotation: int
    unit: PageUnit
    width: Union[int, Decimal]

PageUnit = Literal[
    "pt",
    "px",
    "cell",
]


class PageWord(TypedDict):
    box: Any
    confidence: Union[int, Decimal]
    rect: NotRequired[Optional[List[Union[int, Decimal]]]]
    text: str


class PageWordsAnswer(TypedDict):
    success: bool
    words: List[PageWord]


class PartiesAnswer(TypedDict):
    parties: List[Party]
    success: bool


class PartsBody(TypedDict):
    parts: List[FilePartBody]


class Party(TypedDict):
    createdAt: str
    id: str
    isPrimary: bool
    kind: PartyKind
    leadId: str
    name: str
    role: PartyRole
    taxIdLast4: Optional[str]
    updatedAt: str


class PartyAnswer(TypedDict):
    party: Party
    success: bool


class PartyBody(TypedDict):
    kind: PartyKind
    name: str
    role: PartyRole
    taxIdLast4: NotRequired[Optional[str]]


class PartyChangeBody(TypedDict):
    kind: NotRequired[PartyKind]
    name: NotRequired[str]
    role: NotRequired[PartyRole]
    taxIdLast4: NotRequired[Optional[str]]

PartyKind = Literal[
    "business",
    "person",
]

PartyRole = Literal[
    "borrower",
    "guarantor",
    "affiliate",
    "owner",
]


class PeopleAnswer(TypedDict):
    people: List[ListedPerson]
    success: bool


class PipelineBody(TypedDict):
    currency: NotRequired[str]
    documentId: NotRequired[str]
    documentIds: NotRequired[List[str]]
    end: NotRequired[Optional[str]]
    entityName: NotRequired[str]
    externalId: NotRequired[str]
    fiscalYearEndMonth: NotRequired[int]
    leadChecklistItemId: NotRequired[str]
    leadId: NotRequired[str]
    rules: NotRequired[List[str]]
    start: NotRequired[Optional[str]]
    webhookId: NotRequired[str]


class PipelineEntry(TypedDict):
    description: str
    id: str
    parametersSchema: Any
    resultSchema: Any
    steps: List[str]


class PipelineFailure(TypedDict):
    code: str
    message: str


class PipelineRun(TypedDict):
    attempts: int
    error: Optional[PipelineFailure]
    jobId: str
    metadata: Any
    """The parameters of the run."""
    pipelineId: str
    progress: int
    """0 to 100."""
    result: Any
    """Its shape depends on the pipeline."""
    status: PipelineStatus
    timeElapsed: int
    """Milliseconds from the start; still running while the run is."""


class PipelineRunEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: Optional[str]
    pipelineRun: PipelineRun

PipelineStatus = Literal[
    "PENDING",
    "IN_PROGRESS",
    "COMPLETE",
    "ERROR",
    "CANCELLED",
]


class PipelinesAnswer(TypedDict):
    pipelines: List[PipelineEntry]
    success: bool


class PortalLinkAnswer(TypedDict):
    expiresAt: str
    partyId: Optional[str]
    success: bool
    url: str


class PortalLinkBody(TypedDict):
    partyId: NotRequired[Optional[str]]
    rotate: NotRequired[bool]


class PresignAnswer(TypedDict):
    document: Document
    success: bool
    upload: PresignedUpload


class PresignBody(TypedDict):
    externalId: NotRequired[Optional[str]]
    filename: str
    leadChecklistItemId: NotRequired[str]
    leadId: str
    mimeType: str
    size: int


class PresignedUpload(TypedDict):
    expiresAt: str
    headers: Dict[str, str]
    method: str
    url: str


class PrintedSum(TypedDict):
    caption: str
    column: str
    lines: List[SumTerm]
    slack: str
    total: SumTerm


class QualityAnswer(TypedDict):
    quality: List[FieldQuality]
    success: bool


class ReadLeadAnswer(TypedDict):
    actionLogs: List[ActionLog]
    checklistItems: List[ChecklistGroup]
    documents: List[ListedDocument]
    lastAction: Optional[ActionLog]
    lead: Lead
    matchingLeads: List[MatchingLead]
    nextDraft: Optional[ActionLog]
    nextFollowUp: Optional[ActionLog]
    status: LeadStatus
    success: bool


class Reason(TypedDict):
    args: Dict[str, Any]
    citations: List[Citation]
    code: ReasonCode

ReasonCode = Literal[
    "",
    "account_differs",
    "account_figures",
    "account_reconciles",
    "account_type",
    "address_in_text",
    "address_near",
    "address_other",
    "address_same",
    "address_unknown",
    "audit_unread",
    "audited",
    "balances_differ",
    "balances_reconcile",
    "basis_is",
    "birth_date",
    "check_fails",
    "check_holds",
    "check_missing",
    "country_is",
    "currency_is",
    "document_date",
    "earlier",
    "earlier_doubt",
    "edited",
    "editing_unseen",
    "ein_is",
    "ein_unknown",
    "expiry_date",
    "fact_missing",
    "fact_shown",
    "figure_is",
    "file_made",
    "file_no_screen",
    "file_rows",
    "file_type",
    "file_undecided",
    "form_is",
    "institution_is",
    "kind_doubted",
    "kind_is",
    "kind_other",
    "kind_owner",
    "kind_unknown",
    "list_only",
    "list_undecided",
    "model_judged",
    "months_covered",
    "months_future",
    "months_old",
    "name_is",
    "name_missing",
    "name_near",
    "name_other",
    "name_same",
    "name_unknown",
    "no_period",
    "no_tax_year",
    "not_audited",
    "not_edited",
    "not_signed",
    "nothing_recognised",
    "nothing_to_judge_by",
    "owner_is",
    "owner_unread",
    "page_missing",
    "pages_complete",
    "pages_incomplete",
    "pages_uncounted",
    "parts_included",
    "parts_missing",
    "period",
    "read_badly",
    "read_clearly",
    "read_doubtfully",
    "refused_by_person",
    "return_blank",
    "rule_not_understood",
    "signature_unread",
    "signed",
    "statement_printed",
    "text_missing",
    "text_not_at_hand",
    "text_printed",
    "unreadable",
    "unreadable_here",
    "value_address",
    "value_address_gap",
    "value_address_key",
    "value_address_part",
    "value_choices",
    "value_date",
    "value_ein",
    "value_email",
    "value_empty",
    "value_form",
    "value_long",
    "value_max",
    "value_min",
    "value_no_choice",
    "value_number",
    "value_option",
    "value_options",
    "value_phone",
    "value_ssn",
    "value_text",
    "year_is",
    "years_apart",
    "years_old",
]


class RecordChecklistItem(TypedDict):
    code: str
    fieldType: FieldType
    id: str
    isRequired: bool
    label: str
    reasons: List[Reason]
    source: Optional[ValueSource]
    status: ItemStatus
    validationError: Optional[str]


class RecordDocument(TypedDict):
    createdAt: str
    externalId: Optional[str]
    extractionError: Optional[ExtractionError]
    filename: str
    id: str
    leadChecklistItemDocument: List[Association]
    leadId: str
    metadata: DocumentMetadata
    mimeType: str
    size: int
    updatedAt: str


class RejectBody(TypedDict):
    reason: NotRequired[Optional[str]]


class ReplayAnswer(TypedDict):
    jobId: str
    result: str
    success: bool


class ReplayBody(TypedDict):
    since: NotRequired[Optional[str]]
    """Left out: the oldest that is kept (30 days)."""
    status: NotRequired[Optional[str]]
    """Left out: FAILED and SKIPPED."""
    until: NotRequired[Optional[str]]
    """Left out: now."""


class ReplayPoll(TypedDict):
    jobId: str
    progress: int
    result: Optional[ReplayResult]
    status: ReplayStatus
    timeElapsed: int


class ReplayResult(TypedDict):
    capped: bool
    """More matched than one replay may hold; replay the rest with a later since."""
    matched: int
    replayed: int

ReplayStatus = Literal[
    "PENDING",
    "IN_PROGRESS",
    "COMPLETE",
    "CANCELLED",
]


class ReportByChannel(TypedDict):
    email: ReportChannel
    sms: ReportChannel
    whatsapp: ReportChannel


class ReportBySource(TypedDict):
    """Completed items by who gave the value."""
    agent: int
    """The AI agent."""
    imported: int
    """Calls of this API."""
    manual: int
    """A person of the team."""
    portal: int
    """The lead itself."""


class ReportChannel(TypedDict):
    firstInboundAt: Optional[str]
    firstOutboundAt: Optional[str]
    inbound: int
    lastInboundAt: Optional[str]
    lastOutboundAt: Optional[str]
    outbound: int


class ReportCompletion(TypedDict):
    bySource: ReportBySource
    totalCompleted: int
    """Those of them that are COMPLETED."""
    totalRequired: int
    """Items that are required and visible."""

ReportFormat = Literal[
    "json",
    "csv",
]


class ReportInterventions(TypedDict):
    documentOverrides: int
    escalations: int
    manualUpdates: int
    messageEdits: int
    messageRejects: int


class ReportItem(TypedDict):
    code: str
    """GROUP_KEY.ITEM_CODE in upper case; only ITEM_CODE outside groups."""
    required: bool
    """The item is required and visible to this lead."""
    source: Optional[ValueSource]
    """null when untouched."""
    status: ItemStatus
    updatedAt: str
    value: Any


class ReportLead(TypedDict):
    channels: ReportByChannel
    checklistItems: List[ReportItem]
    completedAt: Optional[str]
    completion: ReportCompletion
    createdAt: str
    email: Optional[str]
    firstInboundAt: Optional[str]
    firstName: Optional[str]
    firstOutboundAt: Optional[str]
    inboundMessages: int
    interventions: ReportInterventions
    lastInboundAt: Optional[str]
    lastName: Optional[str]
    lastOutboundAt: Optional[str]
    leadId: str
    notInterestedAt: Optional[str]
    optedOutAt: Optional[str]
    outboundMessages: int
    phoneNumber: Optional[str]
    totalMessages: int


class ReportTotals(TypedDict):
    """Sums over all leads of the result set, the same on each page."""
    channels: TotalsByChannel
    completion: ReportCompletion
    count: int
    inboundMessages: int
    interventions: ReportInterventions
    leadsCompleted: int
    leadsNotInterested: int
    leadsOptedOut: int
    outboundMessages: int
    totalMessages: int


class RequestsAnswer(TypedDict):
    nextToken: Optional[str]
    requests: List[LoggedRequest]
    success: bool


class ResolveBody(TypedDict):
    note: NotRequired[Optional[str]]


class ResultsAnswer(TypedDict):
    results: ResultsAnswerResults
    success: bool


class ResultsAnswerResults(TypedDict):
    adjustments: NotRequired[List[DossierSpreadAdjustment]]
    checks: NotRequired[List[SpreadCheck]]
    comparisons: NotRequired[List[SpreadComparison]]
    currency: str
    documents: NotRequired[List[SpreadUsedDocument]]
    entityName: NotRequired[str]
    generatedAt: str
    leadId: str
    parties: NotRequired[List[GlobalParty]]
    periods: NotRequired[List[GlobalPeriod]]
    ratios: NotRequired[List[SpreadRatios]]
    schemaVersion: int
    scope: NotRequired[SpreadScope]
    spreadId: str
    statements: NotRequired[SpreadStatements]
    uca: NotRequired[List[SpreadUCA]]
    unmapped: NotRequired[List[SpreadUnmapped]]
    warnings: NotRequired[List[SpreadWarning]]


class ReturnBody(TypedDict):
    note: str


class Review(TypedDict):
    amount: Optional[Union[int, Decimal]]
    """The lead's value of the item that `review.amountItem` names (REQUESTED_AMOUNT)."""
    assignee: Optional[str]
    claim: Optional[ReviewClaim]
    """Null once it has ended."""
    code: ReviewCode
    createdAt: str
    decision: Optional[ReviewDecision]
    detail: str
    dueAt: str
    """`review.dueIn` of business time after it opened."""
    id: str
    itemLabel: Optional[str]
    leadId: str
    leadName: str
    priority: int
    """1 is the most urgent."""
    state: ReviewState
    subject: ReviewSubject
    version: int
    """Moves with state and cause; send it to decide."""


class ReviewAnswer(TypedDict):
    reasonCodes: NotRequired[List[str]]
    review: Review
    success: bool


class ReviewClaim(TypedDict):
    by: str
    until: str

ReviewCode = Literal[
    "item_needs_review",
    "rule_not_understood",
    "fact_doubted",
    "tampering",
    "document_unread",
    "correction_conflict",
    "spread_variance",
    "spread_approval",
    "draft_message",
    "escalation",
    "qa_sample",
    "second_opinion",
]


class ReviewCounts(TypedDict):
    byCode: Dict[str, int]
    mine: int
    open: int
    overdue: int

ReviewDecided = Literal[
    "accept",
    "reject",
    "correct",
    "dismiss",
]


class ReviewDecision(TypedDict):
    at: str
    by: str
    decision: ReviewDecided
    note: Optional[str]
    reasonCode: Optional[str]


class ReviewEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: str
    review: Review

ReviewSort = Literal[
    "due",
    "age",
    "amount",
]

ReviewState = Literal[
    "OPEN",
    "DECIDED",
    "OBSOLETE",
]


class ReviewSubject(TypedDict):
    id: str
    part: NotRequired[Optional[int]]
    pointer: NotRequired[Optional[str]]
    type: ReviewSubjectType

ReviewSubjectType = Literal[
    "item",
    "document",
    "fact",
    "spread",
    "message",
    "escalation",
    "lead",
]


class ReviewsAnswer(TypedDict):
    counts: ReviewCounts
    nextToken: Optional[str]
    reviews: List[Review]
    success: bool

Role = Literal[
    "viewer",
    "reviewer",
    "approver",
    "admin",
]


class RotateSecretAnswer(TypedDict):
    secret: str
    success: bool
    webhook: Webhook


class RuleResult(TypedDict):
    args: Dict[str, Any]
    citations: List[Citation]
    code: ReasonCode
    isValid: bool
    isValidReason: str
    ruleName: str
    wouldPassIf: Optional[str]


class RunAnswer(TypedDict):
    success: bool
    workflowRun: WorkflowRun


class RunBody(TypedDict):
    agentId: str
    leadId: str
    workflowId: str


class RunEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: str
    workflowRun: WorkflowRun

RunStatus = Literal[
    "ACTIVE",
    "PAUSED",
    "COMPLETED",
    "CANCELLED",
]


class RunsAnswer(TypedDict):
    success: bool
    workflowRuns: List[WorkflowRun]


class SaveWebhookAnswer(TypedDict):
    secret: NotRequired[str]
    success: bool
    warnings: NotRequired[List[WebhookWarning]]
    webhookId: str

Scope = Literal[
    "read",
    "write",
    "admin",
]


class SessionsAnswer(TypedDict):
    nextToken: Optional[str]
    sessions: List[ListedSession]
    success: bool


class Source(TypedDict):
    box: Any
    caption: NotRequired[str]
    confidence: Union[int, Decimal]
    method: str
    page: Optional[int]
    prompt: NotRequired[str]
    text: str


class SpecimenView(TypedDict):
    filename: str
    kind: str
    mimeType: str
    verdict: str
    """What becomes of it, in words."""


class SpecimensAnswer(TypedDict):
    specimens: List[SpecimenView]
    success: bool


class Spread(TypedDict):
    approval: SpreadApproval
    artifacts: List[Artifact]
    createdAt: str
    currency: str
    distributions: Optional[SpreadDistributions]
    documents: List[SpreadDocument]
    entityName: Optional[str]
    error: Optional[str]
    externalId: Optional[str]
    fiscalYearEndMonth: int
    id: str
    leadId: str
    partyId: Optional[str]
    scope: SpreadScope
    source: str
    status: SpreadStatus
    updatedAt: str
    user: Optional[SpreadUser]


class SpreadAdjusted(TypedDict):
    actor: Optional[str]
    machineValue: Optional[Union[int, Decimal]]
    reason: str


class SpreadAdjustment(TypedDict):
    actor: Optional[str]
    createdAt: str
    moveTo: Optional[str]
    periodId: str
    reason: str
    row: str
    statement: str
    value: Optional[Union[int, Decimal]]


class SpreadAnswer(TypedDict):
    spread: Spread
    success: bool


class SpreadApproval(TypedDict):
    at: Optional[str]
    by: Optional[str]
    note: Optional[str]
    state: ApprovalState


class SpreadChange(TypedDict):
    after: Optional[Union[int, Decimal]]
    before: Optional[Union[int, Decimal]]
    counterpartyId: NotRequired[Optional[str]]
    partyId: NotRequired[Optional[str]]
    periodId: str
    row: str
    statement: str


class SpreadCheck(TypedDict):
    detail: str
    name: str
    passed: bool
    periodId: str
    statement: str
    tolerance: Union[int, Decimal]
    value: Union[int, Decimal]


SpreadColumns = TypedDict(
    "SpreadColumns",
    {
        "bs": "str",
        "bs.prev": "str",
        "cf": "str",
        "is": "str",
        "is.prev": "str",
    },
)


SpreadComparison = TypedDict(
    "SpreadComparison",
    {
        "chosenClass": "str",
        "chosenDocumentId": "str",
        "class": "str",
        "differences": "List[SpreadDifference]",
        "documentId": "str",
        "periodId": "str",
        "statement": "str",
    },
)


class SpreadCompletedEvent(TypedDict):
    artifacts: List[Artifact]
    externalLeadId: Optional[str]
    leadId: str
    spread: Spread


class SpreadDifference(TypedDict):
    chosen: Union[int, Decimal]
    difference: Union[int, Decimal]
    key: str
    label: str
    other: Union[int, Decimal]

SpreadDistributions = Literal[
    "k1",
    "entity",
]


class SpreadDocument(TypedDict):
    error: Optional[str]
    filename: str
    id: str
    status: SpreadDocumentStatus

SpreadDocumentStatus = Literal[
    "PENDING",
    "PROCESSING",
    "EXTRACTED",
    "FAILED",
    "SKIPPED",
]


class SpreadEffect(TypedDict):
    changes: List[SpreadChange]
    spreadId: str


class SpreadEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: str
    spread: Spread


class SpreadOperand(TypedDict):
    periodId: str
    row: str
    statement: str


class SpreadPeriod(TypedDict):
    annualized: bool
    basis: Optional[str]
    derivedFrom: Optional[str]
    end: str
    id: str
    integrity: NotRequired[Integrity]
    label: str
    start: str
    values: Dict[str, SpreadValue]


class SpreadRatio(TypedDict):
    format: str
    formula: str
    group: str
    key: str
    label: str
    operands: NotRequired[List[SpreadOperand]]
    reason: Optional[str]
    value: Optional[Union[int, Decimal]]


class SpreadRatios(TypedDict):
    columns: SpreadColumns
    periodId: str
    values: List[SpreadRatio]

SpreadScope = Literal[
    "party",
    "global",
]


class SpreadSource(TypedDict):
    box: NotRequired[Any]
    caption: str
    confidence: Union[int, Decimal]
    documentId: str
    method: NotRequired[str]
    page: int
    text: str


class SpreadStatement(TypedDict):
    periods: List[SpreadPeriod]


class SpreadStatements(TypedDict):
    balanceSheet: SpreadStatement
    cashFlow: SpreadStatement
    incomeStatement: SpreadStatement

SpreadStatus = Literal[
    "IN_PROGRESS",
    "COMPLETE",
    "FAILED",
]


class SpreadUCA(TypedDict):
    columns: SpreadColumns
    periodId: str
    values: List[SpreadUCALine]


class SpreadUCALine(TypedDict):
    key: str
    label: str
    reliable: NotRequired[Optional[bool]]
    subtotal: bool
    value: Union[int, Decimal]


class SpreadUnmapped(TypedDict):
    amount: Union[int, Decimal]
    caption: str
    documentId: str
    periodId: str
    row: str
    statement: str


SpreadUsedDocument = TypedDict(
    "SpreadUsedDocument",
    {
        "class": "str",
        "documentId": "str",
        "filename": "str",
        "periods": "List[str]",
    },
)


class SpreadUser(TypedDict):
    email: str
    id: str
    name: str


class SpreadValue(TypedDict):
    adjusted: NotRequired[Optional[SpreadAdjusted]]
    computed: bool
    formula: NotRequired[str]
    kind: str
    label: str
    memo: bool
    operands: NotRequired[List[SpreadOperand]]
    reliable: NotRequired[Optional[bool]]
    reported: NotRequired[Optional[Union[int, Decimal]]]
    sources: NotRequired[List[SpreadSource]]
    value: Union[int, Decimal]


class SpreadWarning(TypedDict):
    code: str
    detail: str
    documentId: Optional[str]
    periodId: Optional[str]
    statement: Optional[str]


class SpreadsAnswer(TypedDict):
    nextToken: Optional[str]
    spreads: List[Spread]
    success: bool


class StartPipelineAnswer(TypedDict):
    jobId: str
    result: str
    status: PipelineStatus
    success: bool


class Success(TypedDict):
    success: bool


class SumTerm(TypedDict):
    amount: NotRequired[Optional[str]]
    minus: NotRequired[bool]
    pointer: NotRequired[str]


class TestWebhookAnswer(TypedDict):
    eventId: str
    success: bool


class TimelineAnswer(TypedDict):
    activity: List[ActionLog]
    nextToken: Optional[str]
    success: bool


class TotalsByChannel(TypedDict):
    email: ChannelTotals
    sms: ChannelTotals
    whatsapp: ChannelTotals


class UpdateLeadBody(TypedDict):
    assigneeType: NotRequired[str]
    """Who handles the lead: agent or manual; read back as AI_AGENT or HUMAN_AGENT."""
    businessName: NotRequired[Optional[str]]
    checklistItems: NotRequired[List[ItemUpdate]]
    decisionAt: NotRequired[Optional[str]]
    """When the lender decided; null clears it."""
    didOptOut: NotRequired[bool]
    """true opts out; only false clears an opt-out. Must agree with status."""
    email: NotRequired[Optional[str]]
    emailVerified: NotRequired[bool]
    """true sets emailVerifiedAt to now; false clears it."""
    externalLeadId: NotRequired[Optional[str]]
    externalPortalLink: NotRequired[Optional[str]]
    """Used instead of the default portal URL."""
    firstName: NotRequired[Optional[str]]
    lastName: NotRequired[Optional[str]]
    leadId: str
    middleName: NotRequired[Optional[str]]
    phoneNumber: NotRequired[Optional[str]]
    status: NotRequired[LeadStatus]
    """COMPLETED, IN_PROGRESS, NOT_INTERESTED or OPTED_OUT; REVIEW cannot be set."""
    tags: NotRequired[List[str]]
    """Replaces all tags; [] removes them."""
    timezone: NotRequired[Optional[str]]
    """IANA name."""
    website: NotRequired[Optional[str]]


class UploadedDocument(TypedDict):
    associatedChecklistItemId: Optional[str]
    duplicateOf: NotRequired[Optional[str]]
    filename: str
    id: str
    mimeType: str
    sha256: str
    signedUrl: str
    size: int
    uploadedAt: str


class ValidationResult(TypedDict):
    otherNotes: str
    overallValid: bool
    validationResults: List[RuleResult]

ValueSource = Literal[
    "agent",
    "imported",
    "manual",
    "portal",
]


class Webhook(TypedDict):
    breaker: Breaker
    createdAt: str
    description: Optional[str]
    disabledReason: Optional[str]
    events: Optional[List[EventType]]
    headers: List[WebhookHeader]
    id: str
    isEnabled: bool
    mode: Mode
    rateLimit: Optional[int]
    updatedAt: str
    url: str


class WebhookAnswer(TypedDict):
    success: bool
    webhook: Webhook


class WebhookBody(TypedDict):
    description: NotRequired[Optional[str]]
    events: NotRequired[Optional[List[EventType]]]
    """Names of event types; null: all."""
    headers: NotRequired[List[ApiWebhookHeader]]
    """Sent with every delivery. Names that frame or sign the request are refused."""
    id: NotRequired[Optional[str]]
    """Of the webhook to change; left out, one is made."""
    isEnabled: NotRequired[bool]
    """true when left out at creation. Nothing is sent while false; it is skipped and can be replayed."""
    mode: NotRequired[Mode]
    """Of which leads it hears: `live`, `test` or `all` (when left out). That of a test key is always `test`."""
    rateLimit: NotRequired[Optional[int]]
    """Deliveries a second, 1 to 10,000; null: no limit."""
    url: NotRequired[str]
    """An absolute http or https address. Literal private addresses are refused."""


class WebhookEvent(TypedDict):
    externalLeadId: Optional[str]
    leadId: Optional[str]
    webhook: Webhook


class WebhookHeader(TypedDict):
    key: str
    value: Optional[str]


class WebhookWarning(TypedDict):
    code: str
    detail: str


class WebhooksAnswer(TypedDict):
    nextToken: Optional[str]
    success: bool
    webhooks: List[Webhook]


class Workflow(TypedDict):
    createdAt: str
    id: str
    name: str
    type: WorkflowType
    """CHECKLIST collects the lead's checklist, REMINDER reminds by a schedule, SUPPORT answers questions."""
    updatedAt: str


class WorkflowRun(TypedDict):
    agentId: str
    cancelledAt: Optional[str]
    completedAt: Optional[str]
    completedReason: Optional[str]
    """MANUAL (through the API) or AUTOMATIC (nothing left to do); null until COMPLETED."""
    createdAt: str
    externalId: Optional[str]
    """Always null; kept for clients that expect the field."""
    id: str
    leadId: str
    pausedAt: Optional[str]
    status: RunStatus
    updatedAt: str
    workflowId: str

WorkflowType = Literal[
    "CHECKLIST",
    "REMINDER",
    "SUPPORT",
]


class WorkflowsAnswer(TypedDict):
    success: bool
    workflows: List[Workflow]


class WorkspaceAnswer(TypedDict):
    file: str
    success: bool
    workspace: MeWorkspace


class EventChecklistItemCompleted(TypedDict):
    """An item of the checklist has what it asks for."""
    id: str
    type: Literal["checklist_item.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: ItemEvent


class EventChecklistItemInvalid(TypedDict):
    """What came for an item does not do; `checklistItem.validationError` says why."""
    id: str
    type: Literal["checklist_item.invalid"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: ItemEvent


class EventDocumentCorrected(TypedDict):
    """A person's corrections of what was read changed; `corrections` points to the facts."""
    id: str
    type: Literal["document.corrected"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: DocumentCorrectedEvent


class EventDocumentErased(TypedDict):
    """A file and all that was read of it are gone for good."""
    id: str
    type: Literal["document.erased"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: DocumentErasedEvent


class EventDocumentExtracted(TypedDict):
    """A file was read, or could not be; `document.extractionError` says why."""
    id: str
    type: Literal["document.extracted"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: DocumentExtractedEvent


class EventDocumentReceived(TypedDict):
    """A file arrived."""
    id: str
    type: Literal["document.received"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: DocumentEvent


class EventDocumentValidated(TypedDict):
    """A file was judged against the lead's checklist."""
    id: str
    type: Literal["document.validated"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: DocumentEvent


class EventExportCompleted(TypedDict):
    """A file of analytics is ready."""
    id: str
    type: Literal["export.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: ExportEvent


class EventLeadCompleted(TypedDict):
    """A lead is done, because its run ended. It follows `workflow_run.completed`."""
    id: str
    type: Literal["lead.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadEvent


class EventLeadCreated(TypedDict):
    """A lead was made."""
    id: str
    type: Literal["lead.created"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadEvent


class EventLeadErased(TypedDict):
    """Everything about the lead is gone for good. It is the last event of a lead."""
    id: str
    type: Literal["lead.erased"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadErasedEvent


class EventLeadEscalated(TypedDict):
    """A person has to look at the lead."""
    id: str
    type: Literal["lead.escalated"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: EscalationEvent


class EventLeadEscalationResolved(TypedDict):
    """A person has looked."""
    id: str
    type: Literal["lead.escalation_resolved"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: EscalationEvent


class EventLeadNotInterested(TypedDict):
    """The lead is not interested any more."""
    id: str
    type: Literal["lead.not_interested"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadEvent


class EventLeadOptedOut(TypedDict):
    """The lead wants no messages."""
    id: str
    type: Literal["lead.opted_out"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadEvent


class EventLeadReopened(TypedDict):
    """A lead that was closed is open again."""
    id: str
    type: Literal["lead.reopened"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadEvent


class EventLeadUpdated(TypedDict):
    """Something of a lead changed; `changes` names the fields."""
    id: str
    type: Literal["lead.updated"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: LeadUpdatedEvent


class EventMessageDelivered(TypedDict):
    """A message arrived."""
    id: str
    type: Literal["message.delivered"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: MessageEvent


class EventMessageFailed(TypedDict):
    """A message cannot be sent; `message.error` says why."""
    id: str
    type: Literal["message.failed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: MessageEvent


class EventMessageReceived(TypedDict):
    """A message came in. Its sender may be nobody we know; `leadId` is null then."""
    id: str
    type: Literal["message.received"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: MessageEvent


class EventMessageSent(TypedDict):
    """A message was handed to its channel."""
    id: str
    type: Literal["message.sent"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: MessageEvent


class EventPipelineRunCompleted(TypedDict):
    """A run of a pipeline has its result."""
    id: str
    type: Literal["pipeline_run.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: PipelineRunEvent


class EventPipelineRunFailed(TypedDict):
    """A run of a pipeline ended with an error."""
    id: str
    type: Literal["pipeline_run.failed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: PipelineRunEvent


class EventReviewDecided(TypedDict):
    """A review was decided."""
    id: str
    type: Literal["review.decided"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: ReviewEvent


class EventReviewOpened(TypedDict):
    """Somebody should look at something."""
    id: str
    type: Literal["review.opened"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: ReviewEvent


class EventSpreadApproved(TypedDict):
    """A person approved the figures of a spread."""
    id: str
    type: Literal["spread.approved"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: SpreadCompletedEvent


class EventSpreadCompleted(TypedDict):
    """A spread has its results and files."""
    id: str
    type: Literal["spread.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: SpreadCompletedEvent


class EventSpreadFailed(TypedDict):
    """A spread could not be made."""
    id: str
    type: Literal["spread.failed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: SpreadEvent


class EventSpreadStarted(TypedDict):
    """A spread is being made, or made anew."""
    id: str
    type: Literal["spread.started"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: SpreadEvent


class EventWebhookDisabled(TypedDict):
    """A webhook was disabled after its failures."""
    id: str
    type: Literal["webhook.disabled"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: WebhookEvent


class EventWebhookTest(TypedDict):
    """Somebody asked for a test of this webhook. No other one gets it."""
    id: str
    type: Literal["webhook.test"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: WebhookEvent


class EventWorkflowRunCancelled(TypedDict):
    """A run was cancelled."""
    id: str
    type: Literal["workflow_run.cancelled"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: RunEvent


class EventWorkflowRunCompleted(TypedDict):
    """A run ended because nothing is left to do, or somebody completed it."""
    id: str
    type: Literal["workflow_run.completed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: RunEvent


class EventWorkflowRunCreated(TypedDict):
    """A workflow began for a lead."""
    id: str
    type: Literal["workflow_run.created"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: RunEvent


class EventWorkflowRunPaused(TypedDict):
    """A run was paused."""
    id: str
    type: Literal["workflow_run.paused"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: RunEvent


class EventWorkflowRunResumed(TypedDict):
    """A paused run goes on."""
    id: str
    type: Literal["workflow_run.resumed"]
    timestamp: str
    workspaceId: str
    livemode: NotRequired[bool]
    apiVersion: NotRequired[str]
    data: RunEvent

Event = Union[
    "EventChecklistItemCompleted",
    "EventChecklistItemInvalid",
    "EventDocumentCorrected",
    "EventDocumentErased",
    "EventDocumentExtracted",
    "EventDocumentReceived",
    "EventDocumentValidated",
    "EventExportCompleted",
    "EventLeadCompleted",
    "EventLeadCreated",
    "EventLeadErased",
    "EventLeadEscalated",
    "EventLeadEscalationResolved",
    "EventLeadNotInterested",
    "EventLeadOptedOut",
    "EventLeadReopened",
    "EventLeadUpdated",
    "EventMessageDelivered",
    "EventMessageFailed",
    "EventMessageReceived",
    "EventMessageSent",
    "EventPipelineRunCompleted",
    "EventPipelineRunFailed",
    "EventReviewDecided",
    "EventReviewOpened",
    "EventSpreadApproved",
    "EventSpreadCompleted",
    "EventSpreadFailed",
    "EventSpreadStarted",
    "EventWebhookDisabled",
    "EventWebhookTest",
    "EventWorkflowRunCancelled",
    "EventWorkflowRunCompleted",
    "EventWorkflowRunCreated",
    "EventWorkflowRunPaused",
    "EventWorkflowRunResumed",
]
