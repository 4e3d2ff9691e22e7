// Code generated from the OpenAPI document by make clients. DO NOT EDIT.

import type { DossierEvent } from "./webhooks.js";

export type { DossierEvent };

/** The version of the document this client was made from. */
export const apiVersion = "1.0.0";

export interface ActionDocument {
  filename: string;
  id: string;
  mimeType: string;
  signedUrl: string;
  size: number;
}

export interface ActionLog {
  /** The person behind the call (x-actor), or null. */
  actor: string | null;
  agentId: string | null;
  completedAt: string | null;
  createdAt: string;
  documents: Array<ActionDocument>;
  id: string;
  /** What was done. Of a lead update: eventType, source, leadUpdates, checklistUpdates. */
  input: unknown | null;
  leadId: string;
  message: Message | null;
  scheduledAt: string | null;
  status: ActionLogStatus;
  summary: string;
  /** What an agent called: name, input and output of each. */
  toolCalls: unknown | null;
  type: ActionLogType;
  workflowRunId: string | null;
}

export interface ActionLogAnswer {
  actionLog: ActionLog;
  success: boolean;
}

export type ActionLogStatus =
  | "PENDING"
  | "COMPLETED"
  | "FAILED"
  | "CANCELLED";

export type ActionLogType =
  | "API_ACTIVITY"
  | "DOCUMENT_UPLOAD"
  | "DOCUMENT_EXTRACTION"
  | "DOCUMENT_DELETED"
  | "DOCUMENT_OVERRIDE"
  | "CHECKLIST_ITEM_JUDGED"
  | "OUTBOUND_MESSAGE"
  | "FOLLOW_UP_MESSAGE"
  | "INBOUND_MESSAGE"
  | "PORTAL_ACTIVITY"
  | "AGENT_ACTIVITY"
  | "SYSTEM";

export interface ActivityAnswer {
  actionLogId: string;
  success: boolean;
}

export interface ActivityBody {
  /** Body text. */
  description?: string | null;
  /** A label shown as a badge, for example sales_call. */
  eventType: string;
  leadId: string;
  /** Free-form object of up to 32 kB. */
  metadata?: unknown | null;
  /** Main title of the card. */
  title: string;
}

export type ActorType =
  | "key"
  | "person"
  | "portal"
  | "system";

export interface AdjustedAnswer {
  adjustments: Array<SpreadAdjustment>;
  spread: Spread;
  success: boolean;
}

export interface AdjustmentBody {
  actor?: string | null;
  moveTo?: string | null;
  periodId: string;
  reason: string;
  row: string;
  statement?: string;
  value?: number | null;
}

export interface AdjustmentsAnswer {
  adjustments: Array<SpreadAdjustment>;
  success: boolean;
}

export interface AdjustmentsBody {
  adjustments: Array<AdjustmentBody>;
}

export interface Agent {
  /** Tried in this order. */
  channels: Array<Channel>;
  createdAt: string;
  id: string;
  /** False for an agent taken out of the configuration; new runs cannot use it. */
  isActive: boolean;
  /** AUTOPILOT sends by itself, LISTEN drafts for a person to approve. */
  mode: AgentMode;
  name: string;
  updatedAt: string;
}

export type AgentMode =
  | "AUTOPILOT"
  | "LISTEN";

export interface AgentsAnswer {
  agents: Array<Agent>;
  success: boolean;
}

export interface AlternateValue {
  createdAt: string;
  documentId: string | null;
  source: ValueSource | null;
  value: unknown | null;
}

export interface AnalyticsResult {
  breakdown?: Array<ReportLead>;
  /** Signed; anyone who has it can read the file. */
  downloadUrl?: string;
  /** As it was sent. */
  end?: string | null;
  expiresAt?: string;
  jobId?: string;
  /** null when no more leads follow. */
  nextToken?: string | null;
  /** Where to poll: the run's result is then the same object. */
  result?: string;
  /** As it was sent. */
  start?: string | null;
  totals?: ReportTotals;
}

export interface ApiKey {
  createdAt: string;
  expiresAt: string | null;
  id: string;
  isTest: boolean;
  /** At most a minute behind. */
  lastUsedAt: string | null;
  name: string;
  /** Start of the key; safe to show. */
  prefix: string;
  revokedAt: string | null;
  scopes: Array<Scope>;
}

export interface ApiWebhookHeader {
  key?: string;
  value?: string;
}

export type ApprovalState =
  | "DRAFT"
  | "SUBMITTED"
  | "APPROVED"
  | "RETURNED";

export interface Artifact {
  id: string;
  title: string;
  type: ArtifactType;
}

export type ArtifactType =
  | "REPORT"
  | "SPREADSHEET";

export interface AssignBody {
  assignee?: string | null;
}

export type AssigneeType =
  | "AI_AGENT"
  | "HUMAN_AGENT";

export interface Association {
  documentId: string;
  id: string;
  leadChecklistItemId: string;
  overallValid: boolean;
  validationResult: ValidationResult | null;
}

export interface AssociationBody {
  leadChecklistItemId: string;
}

export interface Attempt {
  durationMs: number;
  error: ErrorClass | null;
  number: number;
  response: string | null;
  startedAt: string;
  status: number | null;
}

export type AuditAction =
  | "api_key.create"
  | "api_key.revoke"
  | "checklist.reveal"
  | "portal_link.open"
  | "portal_link.rotate"
  | "portal_link.revoke"
  | "webhook.create"
  | "webhook.update"
  | "webhook.delete"
  | "webhook.rotate_secret"
  | "webhook.replay"
  | "webhook.disabled"
  | "delivery.redeliver"
  | "job.retry"
  | "job.cancel"
  | "document.reprocess"
  | "document.hash_mismatch"
  | "document.page_read"
  | "document.correct"
  | "document.attach"
  | "document.detach"
  | "document.parts"
  | "document.override"
  | "analytics.repair"
  | "workspace.create"
  | "workspace.change"
  | "workspace.delete"
  | "workspace.erase"
  | "workspace.rotate_inbound"
  | "lead.delete"
  | "lead.erase"
  | "erasure.cancel"
  | "hold.create"
  | "hold.release"
  | "document.delete"
  | "document.erase"
  | "document.read"
  | "document.set_party"
  | "party.create"
  | "party.update"
  | "party.delete"
  | "ownership.update"
  | "debts.update"
  | "console.open"
  | "session.create"
  | "session.revoke"
  | "person.add"
  | "person.disable"
  | "spread.submit"
  | "spread.return"
  | "spread.approve"
  | "review.take_over"
  | "review.assign"
  | "review.decide";

export interface AuditActor {
  /** Of the key, the person or, on its own page, the lead; null for the system. */
  id: string | null;
  /** Of the key, a person's email, `operator` for the command line, `dossier` for the service; null for a lead. */
  name: string | null;
  type: ActorType;
}

export interface AuditAnswer {
  entries: Array<AuditEntry>;
  nextToken: string | null;
  success: boolean;
}

export interface AuditEntry {
  action: AuditAction;
  actor: AuditActor;
  /** Where the call came from; of IPv6 the network of 64 bits. */
  address: string | null;
  at: string;
  /** `X-Request-Id` as the caller wrote it. */
  callerRequestId: string | null;
  /** Ids, codes, names of fields and counts. */
  details: Record<string, unknown | null>;
  /** Hex SHA-256 of the hash before it, 64 zeros for the first, followed by this entry without `hash` as JSON by RFC 8785. */
  hash?: string;
  id: string;
  /** API key of the call. */
  keyId: string | null;
  /** `x-actor` of the call: whom the caller named, never who it was. */
  onBehalfOf: string | null;
  /** Id that the server gave the request. */
  requestId: string | null;
  subject: AuditSubject;
}

export interface AuditSubject {
  id: string;
  type: string;
}

export interface Breaker {
  openUntil: string | null;
  state: BreakerState;
}

export type BreakerState =
  | "CLOSED"
  | "OPEN"
  | "HALF_OPEN";

export interface CaptionBody {
  actor?: string | null;
  caption: string;
  row: string;
  statement?: string;
}

export interface CaptionMapping {
  actor: string | null;
  caption: string;
  row: string;
  statement: string;
}

export interface CaptionsAnswer {
  captionMappings: Array<CaptionMapping>;
  success: boolean;
}

export interface CaptionsBody {
  captionMappings: Array<CaptionBody>;
}

export interface Certificate {
  completedAt: string;
  counts: ErasureCounts;
  erasureId: string;
  /** Of the workspace's Ed25519 key: hex, the first 8 bytes of its SHA-256. */
  keyId: string;
  /** Hex, over the sorted ids of what went, a line each. */
  sha256: string;
  /** Base64, over the certificate without it as JSON by RFC 8785. */
  signature?: string;
  startedAt: string;
  subject: ErasureSubject;
}

export type Channel =
  | "email"
  | "sms"
  | "whatsapp";

export interface ChannelTotals {
  inbound: number;
  outbound: number;
}

export interface CheckEffect {
  after: boolean | null;
  before: boolean | null;
  name: string;
  part: number;
}

export interface ChecklistEntry {
  /** Values that were displaced or outranked, newest first. */
  alternateValues: Array<AlternateValue> | null;
  checklistItem: ChecklistItem;
  checklistItemId: string;
  /** Of file items only. */
  documents?: Array<ItemDocument> | null;
  id: string;
  itemOverride: unknown | null;
  /** Whose the item is, among the parties of the lead; null: nobody's in particular. It stands on that party's page, and its documents are compared with that party. */
  partyId: string | null;
  /** What validationError says, as codes with their values and where the facts are printed; none when it is null. */
  reasons: Array<Reason>;
  /** Who gave the value; null when nobody touched the item. */
  source: ValueSource | null;
  status: ItemStatus;
  updatedAt: string;
  /** Why the item is INVALID, or what is still missing, in the language that Accept-Language asks for, else in English. */
  validationError: string | null;
  /** By type: ADDRESS an object, MULTI_SELECT an array, NUMBER a number, else a string; null when there is none. */
  value: unknown | null;
  visible: boolean;
}

export interface ChecklistGroup {
  code: string;
  /** When the items are visible: {all: [...]}, {any: [...]}, {not: ...} or {code, op, value} with op eq, neq, in, gt, gte, lt, lte, exists; null means always. */
  conditions: Record<string, unknown> | null;
  id: string;
  items: Array<ChecklistEntry>;
  name: string;
}

export interface ChecklistItem {
  clientInstructions: string | null;
  code: string;
  conditions: Record<string, unknown> | null;
  config: Record<string, unknown> | null;
  fieldType: FieldType;
  helpText: string | null;
  id: string;
  isRequired: boolean;
  label: string;
  validationRules: Array<string>;
}

export interface Citation {
  box: unknown | null;
  documentId: string | null;
  page: number | null;
  part: number;
  pointer: string;
  text: string;
}

export interface ClaimBody {
  note?: string | null;
  takeOver?: boolean;
}

export interface ClockAnswer {
  /** Ids of events, as `GET /api/v1/events` has them. */
  happened: Array<string>;
  /** The lead's time. */
  now: string;
  success: boolean;
}

export interface ClockBody {
  /** By how much, in hours and minutes, such as `72h` or `1h30m`: more than 0, at most 8784h. */
  advance: string;
  /** A test lead; also one that is deleted and not erased yet. */
  leadId: string;
}

export interface CompleteBody {
  sha256?: string | null;
}

export interface Correction {
  actor: string;
  at: string;
  machineValue: unknown | null;
  part: number;
  pointer: string;
  reason: string | null;
  state: CorrectionState;
  value: unknown | null;
}

export interface CorrectionBody {
  box?: unknown | null;
  page?: number | null;
  part: number;
  pointer: string;
  reason?: string | null;
  value?: unknown | null;
}

export interface CorrectionEffects {
  checks: Array<CheckEffect>;
  items: Array<ItemEffect>;
  spreads: Array<SpreadEffect>;
}

export type CorrectionState =
  | "applied"
  | "confirmed"
  | "conflict";

export interface CorrectionsAnswer {
  document: Document;
  effects: CorrectionEffects;
  success: boolean;
}

export interface CorrectionsBody {
  corrections: Array<CorrectionBody>;
  dryRun?: boolean;
}

export interface CreateDocumentsAnswer {
  actionLogId: string;
  documents: Array<UploadedDocument>;
  success: boolean;
}

export interface CreateKeyAnswer {
  apiKey: ApiKey;
  key: string;
  success: boolean;
}

export interface CreateLeadBody {
  assigneeType?: string;
  businessName?: string | null;
  checklistItems?: Array<ItemUpdate>;
  decisionAt?: string | null;
  didOptOut?: boolean;
  email?: string | null;
  emailVerified?: boolean;
  externalLeadId?: string | null;
  externalPortalLink?: string | null;
  firstName?: string | null;
  isTest?: boolean;
  lastName?: string | null;
  middleName?: string | null;
  phoneNumber?: string | null;
  tags?: Array<string>;
  timezone?: string | null;
  website?: string | null;
}

export interface CreateSpreadBody {
  currency?: string | null;
  distributions?: SpreadDistributions | null;
  documentIds?: Array<string>;
  entityName?: string | null;
  externalId?: string | null;
  fiscalYearEndMonth?: number | null;
  leadId: string;
  partyId?: string | null;
  scope?: string | null;
}

export interface Debt {
  balance: number;
  documentId?: string | null;
  frequency: DebtFrequency;
  id: string;
  kind: DebtKind;
  lender: string;
  maturity: string | null;
  partyId: string;
  payment: number;
  rate: number | null;
  secured: boolean;
  source: DebtSource;
}

export interface DebtBody {
  balance: number;
  documentId?: string | null;
  frequency: DebtFrequency;
  id?: string | null;
  kind: DebtKind;
  lender: string;
  maturity?: string | null;
  partyId: string;
  payment: number;
  rate?: number | null;
  secured?: boolean;
  source?: DebtSource | null;
}

export type DebtFrequency =
  | "weekly"
  | "monthly"
  | "quarterly"
  | "annually";

export type DebtKind =
  | "term_loan"
  | "line_of_credit"
  | "mortgage"
  | "lease"
  | "credit_card"
  | "auto"
  | "student"
  | "other";

export type DebtSource =
  | "statement"
  | "manual";

export interface DebtsAnswer {
  debts: Array<Debt>;
  success: boolean;
}

export interface DebtsBody {
  debts: Array<DebtBody>;
}

export interface DecideBody {
  decision: ReviewDecided;
  note?: string | null;
  reasonCode?: string | null;
  version: number;
}

export interface DeleteDocumentResult {
  review: Review;
  success: unknown;
}

export interface DeleteLeadResult {
  review: Review;
  success: unknown;
}

export interface DeliveriesAnswer {
  deliveries: Array<Delivery>;
  nextToken: string | null;
  success: boolean;
}

export interface Delivery {
  attempts: number;
  completedAt: string | null;
  createdAt: string;
  eventId: string;
  eventType: EventType;
  id: string;
  lastError: ErrorClass | null;
  lastStatus: number | null;
  leadId: string | null;
  nextAttemptAt: string | null;
  status: DeliveryStatus;
  webhookId: string;
}

export interface DeliveryAnswer {
  delivery: Delivery;
  success: boolean;
}

export interface DeliveryDetail {
  attemptLog: Array<Attempt>;
  attempts: number;
  completedAt: string | null;
  createdAt: string;
  eventId: string;
  eventType: EventType;
  id: string;
  lastError: ErrorClass | null;
  lastStatus: number | null;
  leadId: string | null;
  nextAttemptAt: string | null;
  status: DeliveryStatus;
  webhookId: string;
}

export interface DeliveryDetailAnswer {
  delivery: DeliveryDetail;
  success: boolean;
}

export type DeliveryStatus =
  | "PENDING"
  | "SUCCEEDED"
  | "FAILED"
  | "SKIPPED"
  | "CANCELLED";

export type DocType =
  | "bank_statement"
  | "tax_return"
  | "drivers_license"
  | "passport"
  | "national_id"
  | "residence_permit"
  | "financial_statement"
  | "tax_form_other"
  | "pay_stub"
  | "invoice"
  | "receipt"
  | "utility_bill"
  | "credit_card_statement"
  | "brokerage_statement"
  | "investment_statement"
  | "asset_verification"
  | "lease"
  | "insurance"
  | "check"
  | "benefit_plan_report"
  | "rent_roll"
  | "rate_confirmation"
  | "social_security_card"
  | "other";

export interface Document {
  /** The bytes in base64; only with includeContent. */
  content?: string;
  corrections: Array<Correction>;
  createdAt: string;
  duplicateOf: string | null;
  externalId: string | null;
  extraction: DocumentExtraction | null;
  extractionError: ExtractionError | null;
  filename: string;
  id: string;
  leadChecklistItemDocument: Array<Association>;
  leadId: string;
  metadata: DocumentMetadata;
  mimeType: string;
  sha256: string | null;
  signedUrl: string;
  size: number;
  thumbnailUrl: string | null;
  updatedAt: string;
}

export interface DocumentAnswer {
  document: Document;
  success: boolean;
}

export interface DocumentClass {
  confidence: number;
  docType: DocType;
  fieldType: FieldType;
  pages: Array<number>;
}

export interface DocumentCorrectedEvent {
  corrections: Array<string>;
  document: RecordDocument;
  externalLeadId: string | null;
  leadId: string;
}

export interface DocumentErasedEvent {
  documentId: string;
  erasureId: string;
  leadId: string;
}

export interface DocumentEvent {
  document: RecordDocument;
  externalLeadId: string | null;
  leadId: string;
}

export interface DocumentExtractedEvent {
  classification?: Array<DocumentClass>;
  document: RecordDocument;
  externalLeadId: string | null;
  leadId: string;
}

export interface DocumentExtraction {
  documents: Array<DocumentPart>;
  engineVersion: string;
  layer: string;
  mimeType: string;
  model: ModelUse | null;
  pageCount: number;
  pages: Array<PageSize>;
  warnings: Array<FactWarning>;
}

export interface DocumentMetadata {
  "Matched checklist items": Array<MatchedItem>;
  extractionStatus: ExtractionStatus;
}

export interface DocumentPart {
  checks: Array<FactCheck>;
  confidence: number;
  derived: Record<string, string>;
  docType: DocType;
  evidence: Array<string>;
  facts: Record<string, unknown>;
  fieldType: FieldType;
  pages: Array<number>;
  partyId: string | null;
  sources: Record<string, Source>;
  sums?: Array<PrintedSum>;
  warnings: Array<FactWarning>;
}

export interface DocumentPartBody {
  partyId?: string | null;
}

export interface DossierSpreadAdjustment {
  actor: string | null;
  moveTo: string | null;
  periodId: string;
  reason: string;
  row: string;
  statement: string;
  value: number | null;
}

export interface DraftBody {
  body: string;
  channel: Channel;
  subject?: string | null;
}

export interface EdgeBody {
  documentId?: string | null;
  ownedId: string;
  ownerId: string;
  percent: number;
  source?: EdgeSource | null;
}

export type EdgeSource =
  | "k1"
  | "manual";

export interface EditBody {
  body: string;
  /** Of an email; absent leaves it as it is. */
  subject?: string | null;
}

export interface EraseBody {
  /** Count what would go and change nothing. */
  dryRun?: boolean;
  /** Stays when everything else is gone. It must name nobody. */
  reason: string;
}

export interface EraseDocumentResult {
  counts?: EraseDocumentResultCounts;
  erasure?: Erasure;
  review?: Review | null;
  success: unknown;
}

export interface EraseDocumentResultCounts {
  objects: number;
  rows: number;
}

export interface EraseLeadResult {
  counts?: EraseLeadResultCounts;
  erasure?: Erasure;
  review?: Review | null;
  success: unknown;
}

export interface EraseLeadResultCounts {
  objects: number;
  rows: number;
}

export interface Erasure {
  certificate: Certificate | null;
  completedAt: string | null;
  /** Zero until it is COMPLETE. */
  counts: ErasureCounts;
  dueAt: string;
  id: string;
  reason: string;
  requestedAt: string;
  /** A person's email, `key:<name>`, or `system`. */
  requestedBy: string;
  status: ErasureStatus;
  subject: ErasureSubject;
  subjectId: string;
}

export interface ErasureAnswer {
  erasure: Erasure;
  success: boolean;
}

export interface ErasureCounts {
  objects: number;
  rows: number;
}

export type ErasureStatus =
  | "SCHEDULED"
  | "RUNNING"
  | "HELD"
  | "COMPLETE"
  | "CANCELLED";

export type ErasureSubject =
  | "lead"
  | "document"
  | "workspace";

export interface ErasuresAnswer {
  erasures: Array<Erasure>;
  nextToken: string | null;
  success: boolean;
}

export type ErrorClass =
  | "dns"
  | "connect"
  | "tls"
  | "timeout_head"
  | "reset"
  | "blocked_address"
  | "http_4xx"
  | "http_5xx"
  | "redirect"
  | "too_large";

export interface Escalation {
  createdAt: string;
  detail: string | null;
  id: string;
  leadId: string;
  note: string | null;
  reason: string;
  resolvedAt: string | null;
  resolvedBy: string | null;
  status: EscalationStatus;
  workflowRunId: string | null;
}

export interface EscalationAnswer {
  escalation: Escalation;
  success: boolean;
}

export interface EscalationBody {
  detail?: string | null;
  reason: string;
}

export interface EscalationEvent {
  escalation: Escalation;
  externalLeadId: string | null;
  leadId: string;
}

export type EscalationStatus =
  | "OPEN"
  | "RESOLVED";

export interface EscalationsAnswer {
  escalations: Array<Escalation>;
  nextToken: string | null;
  success: boolean;
}

export type EventType =
  | "workflow_run.created"
  | "workflow_run.paused"
  | "workflow_run.resumed"
  | "workflow_run.completed"
  | "workflow_run.cancelled"
  | "lead.created"
  | "lead.updated"
  | "lead.completed"
  | "lead.opted_out"
  | "lead.not_interested"
  | "lead.reopened"
  | "lead.escalated"
  | "lead.escalation_resolved"
  | "lead.erased"
  | "document.received"
  | "document.extracted"
  | "document.validated"
  | "document.corrected"
  | "document.erased"
  | "checklist_item.completed"
  | "checklist_item.invalid"
  | "message.sent"
  | "message.delivered"
  | "message.failed"
  | "message.received"
  | "spread.started"
  | "spread.completed"
  | "spread.failed"
  | "spread.approved"
  | "review.opened"
  | "review.decided"
  | "pipeline_run.completed"
  | "pipeline_run.failed"
  | "export.completed"
  | "webhook.test"
  | "webhook.disabled";

export interface EventsAnswer {
  epoch: number;
  events: Array<DossierEvent>;
  nextToken: string | null;
  success: boolean;
}

export interface Export {
  completedAt: string | null;
  createdAt: string;
  end: string | null;
  jobId: string;
  rows: number;
  start: string | null;
}

export interface ExportEvent {
  export: Export;
  externalLeadId: string | null;
  leadId: string | null;
}

export interface ExtractionError {
  code: string;
  detail: string;
}

export type ExtractionStatus =
  | "pending"
  | "processing"
  | "completed"
  | "failed";

export interface FactCheck {
  detail: string;
  name: string;
  passed: boolean;
}

export interface FactWarning {
  code: string;
  detail: string;
  pointer?: string;
}

export interface FieldQuality {
  docType: DocType;
  field: string;
  interval: Array<number>;
  lookedAt: number;
  right: number;
  share: number;
}

export type FieldType =
  | "BANK_STATEMENT"
  | "FILE"
  | "ID"
  | "TAX_RETURN"
  | "ADDRESS"
  | "DATE"
  | "EIN"
  | "EMAIL"
  | "MULTI_SELECT"
  | "NUMBER"
  | "PHONE"
  | "SELECT"
  | "SSN"
  | "TEXT";

export interface FilePartBody {
  docType?: DocType | null;
  pages: Array<number>;
}

export interface FollowUp {
  id: string;
  scheduledAt: string | null;
  status: ActionLogStatus;
  summary: string;
  type: ActionLogType;
}

export interface GlobalParty {
  name: string;
  partyId: string;
  spreadId: string | null;
}

export interface GlobalPeriod {
  end: string;
  id: string;
  label: string;
  rows: Array<GlobalRow>;
  start: string;
}

export interface GlobalRow {
  computed: boolean;
  counterpartyId?: string | null;
  key: string;
  kind: string;
  label: string;
  partyId: string | null;
  reliable?: boolean | null;
  sources: Array<GlobalSource>;
  value: number | null;
}

export interface GlobalSource {
  caption: string;
  debtId?: string | null;
  documentId?: string | null;
  page?: number;
  spreadId?: string | null;
  text: string;
}

export interface Hold {
  createdAt: string;
  createdBy: string;
  id: string;
  leadId: string;
  reason: string;
  releasedAt: string | null;
  releasedBy: string | null;
}

export interface HoldAnswer {
  hold: Hold;
  success: boolean;
}

export interface HoldBody {
  reason: string;
}

export interface HoldsAnswer {
  holds: Array<Hold>;
  nextToken: string | null;
  success: boolean;
}

export interface ImportAnswer {
  import: ImportView;
  success: boolean;
}

export interface ImportFailure {
  code: string;
  detail: string;
}

export interface ImportFault {
  code: string;
  /** Empty when the row as a whole is meant. */
  column: string;
  detail: string;
  /** As a spreadsheet shows it: the first row of data is 2. */
  row: number;
}

export type ImportStatus =
  | "PENDING"
  | "RUNNING"
  | "COMPLETE"
  | "FAILED";

export interface ImportView {
  /** Leads made; of a dry run, that would be. */
  created: number;
  createdAt: string;
  /** Nothing is made. */
  dryRun: boolean;
  errors: Array<ImportFault>;
  /** Why a FAILED import could not go on. What was made by then stays. */
  failure: ImportFailure | null;
  finishedAt: string | null;
  id: string;
  /** Rows that changed nothing. */
  refused: number;
  /** Signed URL, for an hour, of a CSV with what became of each row: `row,outcome,leadId,column,code,detail`. Null until COMPLETE. */
  report: string | null;
  /** Rows of data read so far. */
  rows: number;
  status: ImportStatus;
  /** Rows that found their lead by its `externalLeadId`. */
  updated: number;
}

export interface ImportsAnswer {
  imports: Array<ImportView>;
  nextToken: string | null;
  success: boolean;
}

export type Integrity =
  | "reconciled"
  | "variance"
  | "incomplete";

export interface ItemChangeBody {
  agentInstructions?: string | null;
  clientInstructions?: string | null;
  config?: unknown | null;
  isRequired?: boolean;
  label?: string;
  partyId?: string | null;
  validationRules?: Array<string>;
}

export interface ItemDocument {
  filename: string;
  id: string;
  metadata: ItemDocumentMetadata;
  mimeType: string;
  signedUrl: string;
  size: number;
  validationResult: ValidationResult | null;
}

export interface ItemDocumentMetadata {
  extractionStatus: ExtractionStatus;
  overallValid: boolean;
}

export interface ItemEffect {
  after: ItemState;
  before: ItemState;
  code: string;
  leadChecklistItemId: string;
}

export interface ItemEvent {
  checklistItem: RecordChecklistItem;
  externalLeadId: string | null;
  leadId: string;
}

export interface ItemState {
  status: ItemStatus;
  validationError: string | null;
}

export type ItemStatus =
  | "TODO"
  | "COMPLETED"
  | "INVALID"
  | "SKIPPED"
  | "NEEDS_REVIEW";

export interface ItemUpdate {
  /** Code of the item on the lead's checklist. */
  code: string;
  /** Taken as given. */
  status?: ItemStatus;
  /** By the item's type; without status it is validated, giving COMPLETED or INVALID. null clears value and status. */
  value?: unknown | null;
}

export interface KeyBody {
  /** From then on the key is refused. */
  expiresAt?: string | null;
  /** A test key sees and changes test leads only, and what it makes is a test; nothing it starts reaches a person. A test key makes test keys only. */
  isTest?: boolean;
  /** What the key is for; shown in the list. */
  name: string;
  scopes?: Array<Scope>;
}

export interface KeysAnswer {
  apiKeys: Array<ApiKey>;
  nextToken: string | null;
  success: boolean;
}

export interface Lead {
  /** What was last done for the lead. */
  activitySummary: string | null;
  assigneeType: AssigneeType;
  businessName: string | null;
  createdAt: string;
  /** When the lender decided: retention may count from it. */
  decisionAt: string | null;
  deletedAt: string | null;
  didOptOut: boolean;
  email: string | null;
  emailVerifiedAt: string | null;
  externalLeadId: string | null;
  externalPortalLink: string | null;
  firstName: string | null;
  id: string;
  isTest: boolean;
  lastName: string | null;
  middleName: string | null;
  notInterestedAt: string | null;
  optOutAt: string | null;
  /** E.164 when it could be read, else as given. */
  phoneNumber: string | null;
  phoneVerifiedAt: string | null;
  /** The lead's own page; externalPortalLink when that is set. null for keys without the scope write, in events and when the link has expired. */
  portalUrl: string | null;
  source: string;
  status: LeadStatus;
  /** Unique without case, sorted. */
  tags: Array<string>;
  /** IANA name: as given, else of the phone number's area when there is exactly one. */
  timezone: string | null;
  updatedAt: string;
  website: string | null;
}

export interface LeadAnswer {
  actionLogs: Array<ActionLog>;
  checklistItems: Array<ChecklistGroup>;
  lastAction: ActionLog | null;
  lead: Lead;
  matchingLeads: Array<MatchingLead>;
  nextDraft: ActionLog | null;
  nextFollowUp: ActionLog | null;
  status: LeadStatus;
  success: boolean;
}

export interface LeadErasedEvent {
  erasureId: string;
  leadId: string;
}

export interface LeadEvent {
  externalLeadId: string | null;
  lead: Lead;
  leadId: string;
}

export interface LeadItem {
  agentInstructions: string | null;
  clientInstructions: string | null;
  code: string;
  config: Record<string, unknown> | null;
  createdAt: string;
  fieldType: FieldType;
  id: string;
  isRequired: boolean;
  label: string;
  leadId: string;
  partyId: string | null;
  status: ItemStatus;
  validationRules: Array<string>;
}

export interface LeadItemAnswer {
  checklistItem: LeadItem;
  success: boolean;
}

export type LeadStatus =
  | "COMPLETED"
  | "NOT_INTERESTED"
  | "OPTED_OUT"
  | "IN_PROGRESS"
  | "REVIEW";

export interface LeadUpdatedEvent {
  changes?: Array<string>;
  externalLeadId: string | null;
  lead: Lead;
  leadId: string;
}

export interface ListedDocument {
  createdAt: string;
  externalId: string | null;
  extractionError: ExtractionError | null;
  filename: string;
  id: string;
  leadChecklistItemDocument: Array<Association>;
  leadId: string;
  metadata: DocumentMetadata;
  mimeType: string;
  signedUrl: string;
  size: number;
  updatedAt: string;
}

export interface ListedLead {
  activitySummary: string;
  businessName: string;
  completedChecklistItems: number;
  email: string | null;
  id: string;
  name: string;
  nextFollowUp: FollowUp | null;
  phoneNumber: string;
  status: LeadStatus;
  tags: Array<string>;
  totalChecklistItems: number;
}

export interface ListedPerson {
  disabled: boolean;
  email: string;
  name: string;
  role: Role;
  signedInAt: string | null;
}

export interface ListedSession {
  createdAt: string;
  expiresAt: string;
  id: string;
  /** At most a minute behind. */
  lastSeenAt: string;
  person: MePerson;
}

export interface LoggedProblem {
  code: string;
  detail: string;
}

export interface LoggedRequest {
  /** Where the call came from; of IPv6 the network of 64 bits. */
  address: string;
  at: string;
  durationMs: number;
  /** `X-Request-Id` of the answer and `requestId` of its problem. A caller that sends its own may send it twice. */
  id: string;
  idempotencyKey: string | null;
  keyId: string;
  method: string;
  /** Without the query; tokens are `***`. */
  path: string;
  /** Of an answer that is an error. */
  problem: LoggedProblem | null;
  /** The path as this document has it. */
  route: string;
  status: number;
}

export interface MappedAnswer {
  captionMappings: Array<CaptionMapping>;
  spread: Spread;
  success: boolean;
}

export interface MatchedItem {
  label: string;
  leadChecklistItemId: string;
}

export interface MatchingLead {
  businessName: string | null;
  email: string | null;
  id: string;
  matchedOn: Array<string>;
  name: string;
  phoneNumber: string | null;
  status: LeadStatus;
}

export interface MeAnswer {
  apiKey: ApiKey | null;
  person: MePerson | null;
  /** The person's role in the workspace that answers; null for a key. */
  role: Role | null;
  session: MeSession | null;
  success: boolean;
  workspace: MeWorkspace;
  /** All workspaces in which the person has a role. */
  workspaces: Array<MeRole>;
}

export interface MePerson {
  email: string;
  id: string;
  name: string;
}

export interface MeRole {
  id: string;
  key: string;
  name: string;
  role: Role;
}

export interface MeSession {
  createdAt: string;
  /** When the session is over if nothing more comes of it: 30 minutes after its last use, 12 hours after the sign-in at the latest. */
  expiresAt: string;
  id: string;
}

export interface MeWorkspace {
  id: string;
  key: string;
  name: string;
}

export interface Message {
  agentId: string | null;
  /** Whether the gateway vouches for the sender; null for outbound. */
  authenticated: boolean | null;
  body: string;
  channel: string;
  createdAt: string;
  deliveredAt: string | null;
  direction: MessageDirection;
  documentIds: Array<string>;
  error: MessageError | null;
  from: string | null;
  id: string;
  /** Null for a sender nobody knows. */
  leadId: string | null;
  /** When a queued message is sent at the earliest. */
  scheduledAt: string | null;
  sentAt: string | null;
  status: MessageStatus;
  subject: string | null;
  to: string | null;
  updatedAt: string;
  workflowRunId: string | null;
}

export interface MessageAnswer {
  message: Message;
  success: boolean;
}

export type MessageDirection =
  | "INBOUND"
  | "OUTBOUND";

export interface MessageError {
  code: string;
  detail: string | null;
}

export interface MessageEvent {
  externalLeadId: string | null;
  leadId: string | null;
  message: Message;
}

export type MessageStatus =
  | "DRAFT"
  | "QUEUED"
  | "SENT"
  | "DELIVERED"
  | "FAILED"
  | "CANCELLED"
  | "REJECTED"
  | "RECEIVED";

export interface MessagesAnswer {
  messages: Array<Message>;
  nextToken: string | null;
  success: boolean;
}

export type Mode =
  | "live"
  | "test"
  | "all";

export interface ModelUse {
  asked: number;
  dropped: number;
  name: string;
  taken: number;
  tokens: number;
}

export interface NewItemBody {
  /** Guidance for the agent. */
  agentInstructions?: string | null;
  /** Shown to the lead in the portal. */
  clientInstructions?: string | null;
  /** Stable identifier; unique on the lead's checklist. */
  code?: string | null;
  /** By fieldType: BANK_STATEMENT {months, gracePeriodDays, isPersonal}, ID {type}, MULTI_SELECT and SELECT {options}, NUMBER {min, max}, TAX_RETURN {years, isPersonal}, TEXT {pattern}. */
  config?: unknown | null;
  fieldType: FieldType;
  /** Default true. */
  isRequired?: boolean | null;
  label: string;
  /** A party of the lead, on whose page the item stands. */
  partyId?: string | null;
  /** Rules in plain words for uploaded documents; only for file items. */
  validationRules?: Array<string>;
}

export interface NextReviewBody {
  codes?: Array<ReviewCode>;
  mode?: Mode | null;
}

export interface OverrideAssociationResult {
  document?: Document;
  review?: Review;
  success: boolean;
}

export interface OverrideBody {
  note?: string;
  overallValid: boolean;
}

export interface OwnershipAnswer {
  edges: Array<OwnershipEdge>;
  success: boolean;
}

export interface OwnershipBody {
  edges: Array<EdgeBody>;
}

export interface OwnershipEdge {
  documentId?: string | null;
  ownedId: string;
  ownerId: string;
  percent: number;
  source: EdgeSource;
}

export interface PageSize {
  height: number;
  page: number;
  rotation: number;
  unit: PageUnit;
  width: number;
}

export type PageUnit =
  | "pt"
  | "px"
  | "cell";

export interface PageWord {
  box: unknown | null;
  confidence: number;
  rect?: Array<number> | null;
  text: string;
}

export interface PageWordsAnswer {
  success: boolean;
  words: Array<PageWord>;
}

export interface PartiesAnswer {
  parties: Array<Party>;
  success: boolean;
}

export interface PartsBody {
  parts: Array<FilePartBody>;
}

export interface Party {
  createdAt: string;
  id: string;
  isPrimary: boolean;
  kind: PartyKind;
  leadId: string;
  name: string;
  role: PartyRole;
  taxIdLast4: string | null;
  updatedAt: string;
}

export interface PartyAnswer {
  party: Party;
  success: boolean;
}

export interface PartyBody {
  kind: PartyKind;
  name: string;
  role: PartyRole;
  taxIdLast4?: string | null;
}

export interface PartyChangeBody {
  kind?: PartyKind;
  name?: string;
  role?: PartyRole;
  taxIdLast4?: string | null;
}

export type PartyKind =
  | "business"
  | "person";

export type PartyRole =
  | "borrower"
  | "guarantor"
  | "affiliate"
  | "owner";

export interface PeopleAnswer {
  people: Array<ListedPerson>;
  success: boolean;
}

export interface PipelineBody {
  currency?: string;
  documentId?: string;
  documentIds?: Array<string>;
  end?: string | null;
  entityName?: string;
  externalId?: string;
  fiscalYearEndMonth?: number;
  leadChecklistItemId?: string;
  leadId?: string;
  rules?: Array<string>;
  start?: string | null;
  webhookId?: string;
}

export interface PipelineEntry {
  description: string;
  id: string;
  parametersSchema: unknown | null;
  resultSchema: unknown | null;
  steps: Array<string>;
}

export interface PipelineFailure {
  code: string;
  message: string;
}

export interface PipelineRun {
  attempts: number;
  error: PipelineFailure | null;
  jobId: string;
  /** The parameters of the run. */
  metadata: unknown | null;
  pipelineId: string;
  /** 0 to 100. */
  progress: number;
  /** Its shape depends on the pipeline. */
  result: unknown | null;
  status: PipelineStatus;
  /** Milliseconds from the start; still running while the run is. */
  timeElapsed: number;
}

export interface PipelineRunEvent {
  externalLeadId: string | null;
  leadId: string | null;
  pipelineRun: PipelineRun;
}

export type PipelineStatus =
  | "PENDING"
  | "IN_PROGRESS"
  | "COMPLETE"
  | "ERROR"
  | "CANCELLED";

export interface PipelinesAnswer {
  pipelines: Array<PipelineEntry>;
  success: boolean;
}

export interface PortalLinkAnswer {
  expiresAt: string;
  partyId: string | null;
  success: boolean;
  url: string;
}

export interface PortalLinkBody {
  partyId?: string | null;
  rotate?: boolean;
}

export interface PresignAnswer {
  document: Document;
  success: boolean;
  upload: PresignedUpload;
}

export interface PresignBody {
  externalId?: string | null;
  filename: string;
  leadChecklistItemId?: string;
  leadId: string;
  mimeType: string;
  size: number;
}

export interface PresignedUpload {
  expiresAt: string;
  headers: Record<string, string>;
  method: string;
  url: string;
}

export interface PrintedSum {
  caption: string;
  column: string;
  lines: Array<SumTerm>;
  slack: string;
  total: SumTerm;
}

export interface QualityAnswer {
  quality: Array<FieldQuality>;
  success: boolean;
}

export interface ReadLeadAnswer {
  actionLogs: Array<ActionLog>;
  checklistItems: Array<ChecklistGroup>;
  documents: Array<ListedDocument>;
  lastAction: ActionLog | null;
  lead: Lead;
  matchingLeads: Array<MatchingLead>;
  nextDraft: ActionLog | null;
  nextFollowUp: ActionLog | null;
  status: LeadStatus;
  success: boolean;
}

export interface Reason {
  args: Record<string, unknown | null>;
  citations: Array<Citation>;
  code: ReasonCode;
}

/** Why a rule is met or not, or an item is not right. `isValidReason` and `validationError` say code and `args` in a sentence; names in code style below are members of `args`. Codes that ask for a person leave the item to a review. */
export type ReasonCode =
  | ""
  | "account_differs"
  | "account_figures"
  | "account_reconciles"
  | "account_type"
  | "address_in_text"
  | "address_near"
  | "address_other"
  | "address_same"
  | "address_unknown"
  | "audit_unread"
  | "audited"
  | "balances_differ"
  | "balances_reconcile"
  | "basis_is"
  | "birth_date"
  | "check_fails"
  | "check_holds"
  | "check_missing"
  | "country_is"
  | "currency_is"
  | "document_date"
  | "earlier"
  | "earlier_doubt"
  | "edited"
  | "editing_unseen"
  | "ein_is"
  | "ein_unknown"
  | "expiry_date"
  | "fact_missing"
  | "fact_shown"
  | "figure_is"
  | "file_made"
  | "file_no_screen"
  | "file_rows"
  | "file_type"
  | "file_undecided"
  | "form_is"
  | "institution_is"
  | "kind_doubted"
  | "kind_is"
  | "kind_other"
  | "kind_owner"
  | "kind_unknown"
  | "list_only"
  | "list_undecided"
  | "model_judged"
  | "months_covered"
  | "months_future"
  | "months_old"
  | "name_is"
  | "name_missing"
  | "name_near"
  | "name_other"
  | "name_same"
  | "name_unknown"
  | "no_period"
  | "no_tax_year"
  | "not_audited"
  | "not_edited"
  | "not_signed"
  | "nothing_recognised"
  | "nothing_to_judge_by"
  | "owner_is"
  | "owner_unread"
  | "page_missing"
  | "pages_complete"
  | "pages_incomplete"
  | "pages_uncounted"
  | "parts_included"
  | "parts_missing"
  | "period"
  | "read_badly"
  | "read_clearly"
  | "read_doubtfully"
  | "refused_by_person"
  | "return_blank"
  | "rule_not_understood"
  | "signature_unread"
  | "signed"
  | "statement_printed"
  | "text_missing"
  | "text_not_at_hand"
  | "text_printed"
  | "unreadable"
  | "unreadable_here"
  | "value_address"
  | "value_address_gap"
  | "value_address_key"
  | "value_address_part"
  | "value_choices"
  | "value_date"
  | "value_ein"
  | "value_email"
  | "value_empty"
  | "value_form"
  | "value_long"
  | "value_max"
  | "value_min"
  | "value_no_choice"
  | "value_number"
  | "value_option"
  | "value_options"
  | "value_phone"
  | "value_ssn"
  | "value_text"
  | "year_is"
  | "years_apart"
  | "years_old";

export interface RecordChecklistItem {
  code: string;
  fieldType: FieldType;
  id: string;
  isRequired: boolean;
  label: string;
  reasons: Array<Reason>;
  source: ValueSource | null;
  status: ItemStatus;
  validationError: string | null;
}

export interface RecordDocument {
  createdAt: string;
  externalId: string | null;
  extractionError: ExtractionError | null;
  filename: string;
  id: string;
  leadChecklistItemDocument: Array<Association>;
  leadId: string;
  metadata: DocumentMetadata;
  mimeType: string;
  size: number;
  updatedAt: string;
}

export interface RejectBody {
  reason?: string | null;
}

export interface ReplayAnswer {
  jobId: string;
  result: string;
  success: boolean;
}

export interface ReplayBody {
  /** Left out: the oldest that is kept (30 days). */
  since?: string | null;
  /** Left out: FAILED and SKIPPED. */
  status?: string | null;
  /** Left out: now. */
  until?: string | null;
}

export interface ReplayPoll {
  jobId: string;
  progress: number;
  result: ReplayResult | null;
  status: ReplayStatus;
  timeElapsed: number;
}

export interface ReplayResult {
  /** More matched than one replay may hold; replay the rest with a later since. */
  capped: boolean;
  matched: number;
  replayed: number;
}

export type ReplayStatus =
  | "PENDING"
  | "IN_PROGRESS"
  | "COMPLETE"
  | "CANCELLED";

export interface ReportByChannel {
  email: ReportChannel;
  sms: ReportChannel;
  whatsapp: ReportChannel;
}

/** Completed items by who gave the value. */
export interface ReportBySource {
  /** The AI agent. */
  agent: number;
  /** Calls of this API. */
  imported: number;
  /** A person of the team. */
  manual: number;
  /** The lead itself. */
  portal: number;
}

export interface ReportChannel {
  firstInboundAt: string | null;
  firstOutboundAt: string | null;
  inbound: number;
  lastInboundAt: string | null;
  lastOutboundAt: string | null;
  outbound: number;
}

export interface ReportCompletion {
  bySource: ReportBySource;
  /** Those of them that are COMPLETED. */
  totalCompleted: number;
  /** Items that are required and visible. */
  totalRequired: number;
}

export type ReportFormat =
  | "json"
  | "csv";

export interface ReportInterventions {
  documentOverrides: number;
  escalations: number;
  manualUpdates: number;
  messageEdits: number;
  messageRejects: number;
}

export interface ReportItem {
  /** GROUP_KEY.ITEM_CODE in upper case; only ITEM_CODE outside groups. */
  code: string;
  /** The item is required and visible to this lead. */
  required: boolean;
  /** null when untouched. */
  source: ValueSource | null;
  status: ItemStatus;
  updatedAt: string;
  value: unknown | null;
}

export interface ReportLead {
  channels: ReportByChannel;
  checklistItems: Array<ReportItem>;
  completedAt: string | null;
  completion: ReportCompletion;
  createdAt: string;
  email: string | null;
  firstInboundAt: string | null;
  firstName: string | null;
  firstOutboundAt: string | null;
  inboundMessages: number;
  interventions: ReportInterventions;
  lastInboundAt: string | null;
  lastName: string | null;
  lastOutboundAt: string | null;
  leadId: string;
  notInterestedAt: string | null;
  optedOutAt: string | null;
  outboundMessages: number;
  phoneNumber: string | null;
  totalMessages: number;
}

/** Sums over all leads of the result set, the same on each page. */
export interface ReportTotals {
  channels: TotalsByChannel;
  completion: ReportCompletion;
  count: number;
  inboundMessages: number;
  interventions: ReportInterventions;
  leadsCompleted: number;
  leadsNotInterested: number;
  leadsOptedOut: number;
  outboundMessages: number;
  totalMessages: number;
}

export interface RequestsAnswer {
  nextToken: string | null;
  requests: Array<LoggedRequest>;
  success: boolean;
}

export interface ResolveBody {
  note?: string | null;
}

export interface ResultsAnswer {
  results: ResultsAnswerResults;
  success: boolean;
}

export interface ResultsAnswerResults {
  adjustments?: Array<DossierSpreadAdjustment>;
  checks?: Array<SpreadCheck>;
  comparisons?: Array<SpreadComparison>;
  currency: string;
  documents?: Array<SpreadUsedDocument>;
  entityName?: string;
  generatedAt: string;
  leadId: string;
  parties?: Array<GlobalParty>;
  periods?: Array<GlobalPeriod>;
  ratios?: Array<SpreadRatios>;
  schemaVersion: number;
  scope?: SpreadScope;
  spreadId: string;
  statements?: SpreadStatements;
  uca?: Array<SpreadUCA>;
  unmapped?: Array<SpreadUnmapped>;
  warnings?: Array<SpreadWarning>;
}

export interface ReturnBody {
  note: string;
}

export interface Review {
  /** The lead's value of the item that `review.amountItem` names (REQUESTED_AMOUNT). */
  amount: number | null;
  assignee: string | null;
  /** Null once it has ended. */
  claim: ReviewClaim | null;
  code: ReviewCode;
  createdAt: string;
  decision: ReviewDecision | null;
  detail: string;
  /** `review.dueIn` of business time after it opened. */
  dueAt: string;
  id: string;
  itemLabel: string | null;
  leadId: string;
  leadName: string;
  /** 1 is the most urgent. */
  priority: number;
  state: ReviewState;
  subject: ReviewSubject;
  /** Moves with state and cause; send it to decide. */
  version: number;
}

export interface ReviewAnswer {
  reasonCodes?: Array<string>;
  review: Review;
  success: boolean;
}

export interface ReviewClaim {
  by: string;
  until: string;
}

export type ReviewCode =
  | "item_needs_review"
  | "rule_not_understood"
  | "fact_doubted"
  | "tampering"
  | "document_unread"
  | "correction_conflict"
  | "spread_variance"
  | "spread_approval"
  | "draft_message"
  | "escalation"
  | "qa_sample"
  | "second_opinion";

export interface ReviewCounts {
  byCode: Record<string, number>;
  mine: number;
  open: number;
  overdue: number;
}

export type ReviewDecided =
  | "accept"
  | "reject"
  | "correct"
  | "dismiss";

export interface ReviewDecision {
  at: string;
  by: string;
  decision: ReviewDecided;
  note: string | null;
  reasonCode: string | null;
}

export interface ReviewEvent {
  externalLeadId: string | null;
  leadId: string;
  review: Review;
}

export type ReviewSort =
  | "due"
  | "age"
  | "amount";

export type ReviewState =
  | "OPEN"
  | "DECIDED"
  | "OBSOLETE";

export interface ReviewSubject {
  id: string;
  part?: number | null;
  pointer?: string | null;
  type: ReviewSubjectType;
}

export type ReviewSubjectType =
  | "item"
  | "document"
  | "fact"
  | "spread"
  | "message"
  | "escalation"
  | "lead";

export interface ReviewsAnswer {
  counts: ReviewCounts;
  nextToken: string | null;
  reviews: Array<Review>;
  success: boolean;
}

export type Role =
  | "viewer"
  | "reviewer"
  | "approver"
  | "admin";

export interface RotateSecretAnswer {
  secret: string;
  success: boolean;
  webhook: Webhook;
}

export interface RuleResult {
  args: Record<string, unknown | null>;
  citations: Array<Citation>;
  code: ReasonCode;
  isValid: boolean;
  isValidReason: string;
  ruleName: string;
  wouldPassIf: string | null;
}

export interface RunAnswer {
  success: boolean;
  workflowRun: WorkflowRun;
}

export interface RunBody {
  agentId: string;
  leadId: string;
  workflowId: string;
}

export interface RunEvent {
  externalLeadId: string | null;
  leadId: string;
  workflowRun: WorkflowRun;
}

export type RunStatus =
  | "ACTIVE"
  | "PAUSED"
  | "COMPLETED"
  | "CANCELLED";

export interface RunsAnswer {
  success: boolean;
  workflowRuns: Array<WorkflowRun>;
}

export interface SaveWebhookAnswer {
  secret?: string;
  success: boolean;
  warnings?: Array<WebhookWarning>;
  webhookId: string;
}

export type Scope =
  | "read"
  | "write"
  | "admin";

export interface SessionsAnswer {
  nextToken: string | null;
  sessions: Array<ListedSession>;
  success: boolean;
}

export interface Source {
  box: unknown | null;
  caption?: string;
  confidence: number;
  method: string;
  page: number | null;
  prompt?: string;
  text: string;
}

export interface SpecimenView {
  filename: string;
  kind: string;
  mimeType: string;
  /** What becomes of it, in words. */
  verdict: string;
}

export interface SpecimensAnswer {
  specimens: Array<SpecimenView>;
  success: boolean;
}

export interface Spread {
  approval: SpreadApproval;
  artifacts: Array<Artifact>;
  createdAt: string;
  currency: string;
  distributions: SpreadDistributions | null;
  documents: Array<SpreadDocument>;
  entityName: string | null;
  error: string | null;
  externalId: string | null;
  fiscalYearEndMonth: number;
  id: string;
  leadId: string;
  partyId: string | null;
  scope: SpreadScope;
  source: string;
  status: SpreadStatus;
  updatedAt: string;
  user: SpreadUser | null;
}

export interface SpreadAdjusted {
  actor: string | null;
  machineValue: number | null;
  reason: string;
}

export interface SpreadAdjustment {
  actor: string | null;
  createdAt: string;
  moveTo: string | null;
  periodId: string;
  reason: string;
  row: string;
  statement: string;
  value: number | null;
}

export interface SpreadAnswer {
  spread: Spread;
  success: boolean;
}

export interface SpreadApproval {
  at: string | null;
  by: string | null;
  note: string | null;
  state: ApprovalState;
}

export interface SpreadChange {
  after: number | null;
  before: number | null;
  counterpartyId?: string | null;
  partyId?: string | null;
  periodId: string;
  row: string;
  statement: string;
}

export interface SpreadCheck {
  detail: string;
  name: string;
  passed: boolean;
  periodId: string;
  statement: string;
  tolerance: number;
  value: number;
}

export interface SpreadColumns {
  bs: string;
  "bs.prev": string;
  cf: string;
  is: string;
  "is.prev": string;
}

export interface SpreadComparison {
  chosenClass: string;
  chosenDocumentId: string;
  class: string;
  differences: Array<SpreadDifference>;
  documentId: string;
  periodId: string;
  statement: string;
}

export interface SpreadCompletedEvent {
  artifacts: Array<Artifact>;
  externalLeadId: string | null;
  leadId: string;
  spread: Spread;
}

export interface SpreadDifference {
  chosen: number;
  difference: number;
  key: string;
  label: string;
  other: number;
}

export type SpreadDistributions =
  | "k1"
  | "entity";

export interface SpreadDocument {
  error: string | null;
  filename: string;
  id: string;
  status: SpreadDocumentStatus;
}

export type SpreadDocumentStatus =
  | "PENDING"
  | "PROCESSING"
  | "EXTRACTED"
  | "FAILED"
  | "SKIPPED";

export interface SpreadEffect {
  changes: Array<SpreadChange>;
  spreadId: string;
}

export interface SpreadEvent {
  externalLeadId: string | null;
  leadId: string;
  spread: Spread;
}

export interface SpreadOperand {
  periodId: string;
  row: string;
  statement: string;
}

export interface SpreadPeriod {
  annualized: boolean;
  basis: string | null;
  derivedFrom: string | null;
  end: string;
  id: string;
  integrity?: Integrity;
  label: string;
  start: string;
  values: Record<string, SpreadValue>;
}

export interface SpreadRatio {
  format: string;
  formula: string;
  group: string;
  key: string;
  label: string;
  operands?: Array<SpreadOperand>;
  reason: string | null;
  value: number | null;
}

export interface SpreadRatios {
  columns: SpreadColumns;
  periodId: string;
  values: Array<SpreadRatio>;
}

export type SpreadScope =
  | "party"
  | "global";

export interface SpreadSource {
  box?: unknown | null;
  caption: string;
  confidence: number;
  documentId: string;
  method?: string;
  page: number;
  text: string;
}

export interface SpreadStatement {
  periods: Array<SpreadPeriod>;
}

export interface SpreadStatements {
  balanceSheet: SpreadStatement;
  cashFlow: SpreadStatement;
  incomeStatement: SpreadStatement;
}

export type SpreadStatus =
  | "IN_PROGRESS"
  | "COMPLETE"
  | "FAILED";

export interface SpreadUCA {
  columns: SpreadColumns;
  periodId: string;
  values: Array<SpreadUCALine>;
}

export interface SpreadUCALine {
  key: string;
  label: string;
  reliable?: boolean | null;
  subtotal: boolean;
  value: number;
}

export interface SpreadUnmapped {
  amount: number;
  caption: string;
  documentId: string;
  periodId: string;
  row: string;
  statement: string;
}

export interface SpreadUsedDocument {
  class: string;
  documentId: string;
  filename: string;
  periods: Array<string>;
}

export interface SpreadUser {
  email: string;
  id: string;
  name: string;
}

export interface SpreadValue {
  adjusted?: SpreadAdjusted | null;
  computed: boolean;
  formula?: string;
  kind: string;
  label: string;
  memo: boolean;
  operands?: Array<SpreadOperand>;
  reliable?: boolean | null;
  reported?: number | null;
  sources?: Array<SpreadSource>;
  value: number;
}

export interface SpreadWarning {
  code: string;
  detail: string;
  documentId: string | null;
  periodId: string | null;
  statement: string | null;
}

export interface SpreadsAnswer {
  nextToken: string | null;
  spreads: Array<Spread>;
  success: boolean;
}

export interface StartPipelineAnswer {
  jobId: string;
  result: string;
  status: PipelineStatus;
  success: boolean;
}

export interface Success {
  success: boolean;
}

export interface SumTerm {
  amount?: string | null;
  minus?: boolean;
  pointer?: string;
}

export interface TestWebhookAnswer {
  eventId: string;
  success: boolean;
}

export interface TimelineAnswer {
  activity: Array<ActionLog>;
  nextToken: string | null;
  success: boolean;
}

export interface TotalsByChannel {
  email: ChannelTotals;
  sms: ChannelTotals;
  whatsapp: ChannelTotals;
}

export interface UpdateLeadBody {
  /** Who handles the lead: agent or manual; read back as AI_AGENT or HUMAN_AGENT. */
  assigneeType?: string;
  businessName?: string | null;
  checklistItems?: Array<ItemUpdate>;
  /** When the lender decided; null clears it. */
  decisionAt?: string | null;
  /** true opts out; only false clears an opt-out. Must agree with status. */
  didOptOut?: boolean;
  email?: string | null;
  /** true sets emailVerifiedAt to now; false clears it. */
  emailVerified?: boolean;
  externalLeadId?: string | null;
  /** Used instead of the default portal URL. */
  externalPortalLink?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  leadId: string;
  middleName?: string | null;
  phoneNumber?: string | null;
  /** COMPLETED, IN_PROGRESS, NOT_INTERESTED or OPTED_OUT; REVIEW cannot be set. */
  status?: LeadStatus;
  /** Replaces all tags; [] removes them. */
  tags?: Array<string>;
  /** IANA name. */
  timezone?: string | null;
  website?: string | null;
}

export interface UploadedDocument {
  associatedChecklistItemId: string | null;
  duplicateOf?: string | null;
  filename: string;
  id: string;
  mimeType: string;
  sha256: string;
  signedUrl: string;
  size: number;
  uploadedAt: string;
}

export interface ValidationResult {
  otherNotes: string;
  overallValid: boolean;
  validationResults: Array<RuleResult>;
}

export type ValueSource =
  | "agent"
  | "imported"
  | "manual"
  | "portal";

export interface Webhook {
  breaker: Breaker;
  createdAt: string;
  description: string | null;
  disabledReason: string | null;
  events: Array<EventType> | null;
  headers: Array<WebhookHeader>;
  id: string;
  isEnabled: boolean;
  mode: Mode;
  rateLimit: number | null;
  updatedAt: string;
  url: string;
}

export interface WebhookAnswer {
  success: boolean;
  webhook: Webhook;
}

export interface WebhookBody {
  description?: string | null;
  /** Names of event types; null: all. */
  events?: Array<EventType> | null;
  /** Sent with every delivery. Names that frame or sign the request are refused. */
  headers?: Array<ApiWebhookHeader>;
  /** Of the webhook to change; left out, one is made. */
  id?: string | null;
  /** true when left out at creation. Nothing is sent while false; it is skipped and can be replayed. */
  isEnabled?: boolean;
  /** Of which leads it hears: `live`, `test` or `all` (when left out). That of a test key is always `test`. */
  mode?: Mode;
  /** Deliveries a second, 1 to 10,000; null: no limit. */
  rateLimit?: number | null;
  /** An absolute http or https address. Literal private addresses are refused. */
  url?: string;
}

export interface WebhookEvent {
  externalLeadId: string | null;
  leadId: string | null;
  webhook: Webhook;
}

export interface WebhookHeader {
  key: string;
  value: string | null;
}

export interface WebhookWarning {
  code: string;
  detail: string;
}

export interface WebhooksAnswer {
  nextToken: string | null;
  success: boolean;
  webhooks: Array<Webhook>;
}

export interface Workflow {
  createdAt: string;
  id: string;
  name: string;
  /** CHECKLIST collects the lead's checklist, REMINDER reminds by a schedule, SUPPORT answers questions. */
  type: WorkflowType;
  updatedAt: string;
}

export interface WorkflowRun {
  agentId: string;
  cancelledAt: string | null;
  completedAt: string | null;
  /** MANUAL (through the API) or AUTOMATIC (nothing left to do); null until COMPLETED. */
  completedReason: string | null;
  createdAt: string;
  /** Always null; kept for clients that expect the field. */
  externalId: string | null;
  id: string;
  leadId: string;
  pausedAt: string | null;
  status: RunStatus;
  updatedAt: string;
  workflowId: string;
}

export type WorkflowType =
  | "CHECKLIST"
  | "REMINDER"
  | "SUPPORT";

export interface WorkflowsAnswer {
  success: boolean;
  workflows: Array<Workflow>;
}

export interface WorkspaceAnswer {
  file: string;
  success: boolean;
  workspace: MeWorkspace;
}

/** The data of each event, by its type. */
export interface EventData {
  /** An item of the checklist has what it asks for. */
  "checklist_item.completed": ItemEvent;
  /** What came for an item does not do; `checklistItem.validationError` says why. */
  "checklist_item.invalid": ItemEvent;
  /** A person's corrections of what was read changed; `corrections` points to the facts. */
  "document.corrected": DocumentCorrectedEvent;
  /** A file and all that was read of it are gone for good. */
  "document.erased": DocumentErasedEvent;
  /** A file was read, or could not be; `document.extractionError` says why. */
  "document.extracted": DocumentExtractedEvent;
  /** A file arrived. */
  "document.received": DocumentEvent;
  /** A file was judged against the lead's checklist. */
  "document.validated": DocumentEvent;
  /** A file of analytics is ready. */
  "export.completed": ExportEvent;
  /** A lead is done, because its run ended. It follows `workflow_run.completed`. */
  "lead.completed": LeadEvent;
  /** A lead was made. */
  "lead.created": LeadEvent;
  /** Everything about the lead is gone for good. It is the last event of a lead. */
  "lead.erased": LeadErasedEvent;
  /** A person has to look at the lead. */
  "lead.escalated": EscalationEvent;
  /** A person has looked. */
  "lead.escalation_resolved": EscalationEvent;
  /** The lead is not interested any more. */
  "lead.not_interested": LeadEvent;
  /** The lead wants no messages. */
  "lead.opted_out": LeadEvent;
  /** A lead that was closed is open again. */
  "lead.reopened": LeadEvent;
  /** Something of a lead changed; `changes` names the fields. */
  "lead.updated": LeadUpdatedEvent;
  /** A message arrived. */
  "message.delivered": MessageEvent;
  /** A message cannot be sent; `message.error` says why. */
  "message.failed": MessageEvent;
  /** A message came in. Its sender may be nobody we know; `leadId` is null then. */
  "message.received": MessageEvent;
  /** A message was handed to its channel. */
  "message.sent": MessageEvent;
  /** A run of a pipeline has its result. */
  "pipeline_run.completed": PipelineRunEvent;
  /** A run of a pipeline ended with an error. */
  "pipeline_run.failed": PipelineRunEvent;
  /** A review was decided. */
  "review.decided": ReviewEvent;
  /** Somebody should look at something. */
  "review.opened": ReviewEvent;
  /** A person approved the figures of a spread. */
  "spread.approved": SpreadCompletedEvent;
  /** A spread has its results and files. */
  "spread.completed": SpreadCompletedEvent;
  /** A spread could not be made. */
  "spread.failed": SpreadEvent;
  /** A spread is being made, or made anew. */
  "spread.started": SpreadEvent;
  /** A webhook was disabled after its failures. */
  "webhook.disabled": WebhookEvent;
  /** Somebody asked for a test of this webhook. No other one gets it. */
  "webhook.test": WebhookEvent;
  /** A run was cancelled. */
  "workflow_run.cancelled": RunEvent;
  /** A run ended because nothing is left to do, or somebody completed it. */
  "workflow_run.completed": RunEvent;
  /** A workflow began for a lead. */
  "workflow_run.created": RunEvent;
  /** A run was paused. */
  "workflow_run.paused": RunEvent;
  /** A paused run goes on. */
  "workflow_run.resumed": RunEvent;
}

/** The codes of problems. More may be added. */
export type ProblemCode =
  | "action_log_not_found" // No such action log
  | "agent_already_linked" // Agent is already linked to this lead
  | "agent_not_found" // No such agent
  | "api_key_not_found" // No such API key
  | "artifact_not_found" // No such artifact
  | "association_not_found" // No such association
  | "blocked_address" // The url points to an address that is not public
  | "checklist_already_collected" // The checklist is already being collected
  | "checklist_item_not_found" // No such checklist item
  | "checksum_mismatch" // The bytes are not those announced
  | "cross_site_request" // Sent from another site
  | "debt_not_found" // No such debt
  | "decision_not_possible" // This cannot be decided so
  | "delivery_not_found" // No such delivery
  | "document_not_found" // No such document
  | "document_not_ready" // The document is not read yet
  | "duplicate_code" // Duplicate code
  | "duplicate_external_id" // Duplicate externalLeadId
  | "erasure_not_found" // No such erasure
  | "erasure_not_open" // The erasure is not open
  | "escalation_not_found" // No such escalation
  | "hold_not_found" // No such hold
  | "idempotency_in_progress" // The first request is still running
  | "idempotency_key_reused" // Idempotency-Key used with another body
  | "import_not_found" // No such import
  | "insufficient_scope" // The key or person lacks a right
  | "internal" // Internal error
  | "invalid_header" // The header cannot be sent
  | "invalid_idempotency_key" // Invalid Idempotency-Key
  | "invalid_json" // The body is not JSON
  | "invalid_token" // Invalid page token
  | "invalid_url" // The url cannot be used
  | "lead_not_found" // No such lead
  | "limit_reached" // A limit of the workspace
  | "message_not_draft" // The message is not a draft
  | "message_not_found" // No such message
  | "no_financial_documents" // Nothing to spread
  | "not_reachable" // The lead cannot be written to
  | "opt_out_active" // The lead has opted out
  | "opt_out_status_conflict" // didOptOut and status disagree
  | "page_not_found" // No such page
  | "part_not_found" // No such part
  | "party_in_use" // The party is named elsewhere
  | "party_not_found" // No such party
  | "payload_too_large" // Body too large
  | "pipeline_not_found" // No such pipeline
  | "pipeline_run_finished" // The pipeline run has ended
  | "pipeline_run_not_found" // No such pipeline run
  | "precondition_failed" // Changed in the meantime
  | "primary_party" // The primary party stays
  | "rate_limited" // Too many requests
  | "reminder_unscheduled" // The reminder has no schedule
  | "replay_not_found" // No such replay
  | "reserved_header" // The header is set by the service
  | "retention_floor" // Too early to erase
  | "review_claimed" // Somebody else has claimed the review
  | "review_moved" // The review is another than you saw
  | "review_not_claimed" // The review is not claimed
  | "review_not_found" // No such review
  | "run_not_found" // No such workflow run
  | "run_not_manually_completable" // The run completes by itself
  | "run_terminal" // The run has ended
  | "second_person_needed" // A second person is needed
  | "session_not_found" // No such session
  | "specimen_not_found" // No such specimen
  | "spread_in_progress" // The spread is in progress
  | "spread_not_found" // No such spread
  | "spread_not_ready" // The spread has no results yet
  | "spread_not_submitted" // The spread is not submitted
  | "status_not_settable" // Status cannot be set
  | "template_item" // An item of the template
  | "test_key_required" // A test key is required
  | "unauthorized" // No valid API key
  | "unavailable" // Temporarily unavailable
  | "unknown_event" // No such event type
  | "unknown_event_id" // No such event
  | "unknown_field" // Unknown field
  | "unknown_parameter" // Unknown query parameter
  | "unsupported_media_type" // Media type not supported
  | "upload_missing" // Nothing was uploaded
  | "validation_failed" // The request is not valid
  | "webhook_deleted" // The webhook was deleted
  | "webhook_disabled" // The webhook is disabled
  | "webhook_not_found" // No such webhook
  | "workflow_not_found" // No such workflow
  | "workspace_not_found"; // No such workspace
