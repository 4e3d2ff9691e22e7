// Code generated from the OpenAPI document by make clients. DO NOT EDIT.

import { Transport, type CallOptions, type Download, type Page, type Upload } from "./client.js";
import type * as t from "./types.js";

/** The parameters of `analytics`. */
export interface AnalyticsParams {
  /** Leads created at or after this moment. */
  start?: string;
  /** Leads created at or before this moment; not before `start`. */
  end?: string;
  /** json (default) or csv. */
  format?: t.ReportFormat;
  /** `nextToken` of the answer before, with the same `start` and `end`; only with format=json. */
  token?: string;
}

/** The parameters of `listKeys`. */
export interface ListKeysParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listAudit`. */
export interface ListAuditParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
  /** Keep these acts. */
  action?: t.AuditAction;
  /** Keep acts of this key, person or lead: an id or a name, exactly. */
  actor?: string;
  /** Keep acts of this API key. */
  keyId?: string;
  /** Keep what was done to this lead, document, key, endpoint or other thing. */
  subjectId?: string;
  /** From this moment on. */
  since?: string;
  /** Before this moment. */
  until?: string;
}

/** The form of `createDocuments`. */
export interface CreateDocumentsForm {
  files: Array<Upload>;
  leadChecklistItemId?: string;
  leadId: string;
  /** JSON array in the order of files: [{externalId?, name?}]. */
  metadata?: string;
}

/** The parameters of `deleteDocument`. */
export interface DeleteDocumentParams {
  /** Erase it at once; needs the scope admin. */
  erase?: boolean;
}

/** The parameters of `readDocument`. */
export interface ReadDocumentParams {
  /** true adds the file's bytes in base64. */
  includeContent?: boolean;
}

/** The parameters of `readPagePicture`. */
export interface ReadPagePictureParams {
  /** How wide the picture is in pixels, 100 to 2400; 1200 unless told. */
  width?: number;
}

/** The parameters of `listErasures`. */
export interface ListErasuresParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
  /** Keep those in this state. */
  status?: t.ErasureStatus;
  /** Keep those of this lead and of its documents, which may be gone. */
  leadId?: string;
}

/** The parameters of `listEscalations`. */
export interface ListEscalationsParams {
  /** Keep those of this lead. */
  leadId?: string;
  /** OPEN or RESOLVED. */
  status?: t.EscalationStatus;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listEvents`. */
export interface ListEventsParams {
  /** Id of the last event you have. */
  after?: string;
  /** From this moment on. */
  since?: string;
  /** Only events of this type. */
  type?: t.EventType;
  /** 1 to 200, default 50. */
  limit?: number;
  /** With `true` the last `limit` events instead of the first; they are oldest first, too. */
  tail?: boolean;
}

/** The parameters of `listImports`. */
export interface ListImportsParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The form of `createImport`. */
export interface CreateImportForm {
  /** A ZIP of the documents that the table names, up to 1 GiB. */
  archive?: Upload;
  /** true: nothing is made; the counts and the report say what would be. */
  dryRun?: boolean;
  /** The table, up to 200 MiB. */
  file: Upload;
}

/** The parameters of `listInbox`. */
export interface ListInboxParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listLeads`. */
export interface ListLeadsParams {
  /** Keep the leads with these ids; comma-separated or repeated. Ids of no lead of the workspace are passed over. */
  ids?: Array<string>;
  /** Keep leads with any of these tags, without case; comma-separated or repeated. */
  tags?: Array<string>;
  /** Hide leads with any of these tags; wins over tags. */
  excludeTags?: Array<string>;
  /** Keep leads with one of these statuses. */
  status?: Array<t.LeadStatus>;
  /** Keep the lead with this external id. */
  externalLeadId?: string;
  /** Keep leads with this email address, without case. */
  email?: string;
  /** Keep leads with this phone number, however it is written. */
  phoneNumber?: string;
  /** Part of a name, business name, email, phone number or external id. */
  q?: string;
  /** Keep leads changed at or after this time. */
  updatedSince?: string;
  /** Live leads, test leads, or all; live ones when left out. A test key has test leads only: `all` means these, and there are no live ones. */
  mode?: t.Mode;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `deleteLead`. */
export interface DeleteLeadParams {
  /** Erase its data at once; needs the scope admin. */
  erase?: boolean;
}

/** The parameters of `timeline`. */
export interface TimelineParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `readChecklist`. */
export interface ReadChecklistParams {
  /** Show social security numbers in full. */
  reveal?: boolean;
}

/** The parameters of `listDocuments`. */
export interface ListDocumentsParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listHolds`. */
export interface ListHoldsParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listMessages`. */
export interface ListMessagesParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `revokePortalLink`. */
export interface RevokePortalLinkParams {
  /** Id of a party: its page, not the lead's own. */
  partyId?: string;
}

/** The parameters of `listRequests`. */
export interface ListRequestsParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
  /** A status such as `404`, or a class of them such as `4xx`. */
  status?: string;
  /** Part of a route, such as `leads`. */
  route?: string;
  /** Calls with this API key. */
  keyId?: string;
  /** From this moment on. */
  since?: string;
}

/** The parameters of `listReviews`. */
export interface ListReviewsParams {
  /** OPEN (default), DECIDED or OBSOLETE. */
  state?: t.ReviewState;
  /** Keep those of these codes: repeated, or a list with commas. */
  code?: Array<t.ReviewCode>;
  /** Keep those of this address or group; `me` is the caller with its groups. */
  assignee?: string;
  /** Keep those of this lead. */
  leadId?: string;
  /** Keep those of leads with this in a name, email, phone number or externalLeadId. */
  q?: string;
  /** `due` (default), `age` (the oldest first) or `amount` (the largest first). */
  sort?: t.ReviewSort;
  /** Live leads' (default), test leads' or all. A test key has those of test leads. */
  mode?: t.Mode;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `reviewQuality`. */
export interface ReviewQualityParams {
  /** From this moment on. */
  since?: string;
  /** Before this moment. */
  until?: string;
  /** Live leads' (default), test leads' or all. */
  mode?: t.Mode;
}

/** The parameters of `listSessions`. */
export interface ListSessionsParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listSpreads`. */
export interface ListSpreadsParams {
  /** Id of the lead. */
  leadId: string;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `spreadResults`. */
export interface SpreadResultsParams {
  /** Parts to add, separated by commas: sources, ratios, uca, checks, comparisons, formulas. */
  include?: Array<string>;
}

/** The parameters of `listWebhooks`. */
export interface ListWebhooksParams {
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listDeliveries`. */
export interface ListDeliveriesParams {
  /** Id of the webhook. */
  webhookId?: string;
  /** Only those of this event. */
  eventId?: string;
  /** Only those with this status. */
  status?: t.DeliveryStatus;
  /** Only those of this event type. */
  type?: t.EventType;
  /** Only those created at or after this time. */
  since?: string;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesParams {
  /** Only those with this status. */
  status?: t.DeliveryStatus;
  /** Only those of this event type. */
  type?: t.EventType;
  /** Only those created at or after this time. */
  since?: string;
  /** How many entries a page has at most. */
  limit?: number;
  /** The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters. */
  token?: string;
}

/** The parameters of `listRuns`. */
export interface ListRunsParams {
  /** Id of the lead. */
  leadId: string;
}

/** The parameters of `cancelPipeline`. */
export interface CancelPipelineParams {
  /** Id of the run. */
  jobId: string;
}

/** The parameters of `pollPipeline`. */
export interface PollPipelineParams {
  /** Id of the run. */
  jobId: string;
  /** Seconds to wait for the end, up to 25. */
  wait?: number;
}

/** A client of one workspace: see the README. */
export class Dossier extends Transport {
  /** Aggregate and per-lead analytics. `totals` cover every lead that was created from `start` to `end`, both included, and are on each page; `breakdown` has up to 500 leads a page, oldest first. Of messages those count that were received, or sent or delivered. Of checklist items those that are required and visible to the lead; `bySource` says who gave the completed ones. Counts are exact at every moment. After a change that touches more than 20,000 leads at once, such as one of everybody's checklist, the answer is 503 with `Retry-After` until they have been counted. With `format=csv` the same breakdown of all leads is written to a file, one row per lead. The answer comes when the file is whole; after 25 seconds it is 202 with the address to poll. */
  analytics(params: AnalyticsParams = {}, options: CallOptions = {}): Promise<t.AnalyticsResult> {
    return this.answer<t.AnalyticsResult>({ method: "GET", path: `/api/v0/analytics`, query: { ...params } }, options);
  }

  /** Every entry of `analytics`, page by page. */
  analyticsAll(params: AnalyticsParams = {}, options: CallOptions = {}): AsyncGenerator<t.ReportLead, void, undefined> {
    return this.each<t.ReportLead>(async (token) => {
      const found = await this.analytics(token ? { ...params, token: token } : params, options);
      return { items: found.breakdown ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Get an action log. */
  readActionLog(actionLogId: string, options: CallOptions = {}): Promise<t.ActionLogAnswer> {
    return this.answer<t.ActionLogAnswer>({ method: "GET", path: `/api/v1/action-logs/${encodeURIComponent(actionLogId)}` }, options);
  }

  /** Create an activity entry. The entry is shown on the timeline and read by agents. A repeat without Idempotency-Key writes another. */
  createActivity(body: t.ActivityBody, options: CallOptions = {}): Promise<t.ActivityAnswer> {
    return this.answer<t.ActivityAnswer>({ method: "POST", path: `/api/v1/activity`, body }, options);
  }

  /** List agents. Oldest first. */
  listAgents(options: CallOptions = {}): Promise<t.AgentsAnswer> {
    return this.answer<t.AgentsAnswer>({ method: "GET", path: `/api/v1/agents` }, options);
  }

  /** List API keys. Newest first, revoked ones too. */
  listKeys(params: ListKeysParams = {}, options: CallOptions = {}): Promise<t.KeysAnswer> {
    return this.answer<t.KeysAnswer>({ method: "GET", path: `/api/v1/api-keys`, query: { ...params } }, options);
  }

  /** Every entry of `listKeys`, page by page. */
  listKeysAll(params: ListKeysParams = {}, options: CallOptions = {}): AsyncGenerator<t.ApiKey, void, undefined> {
    return this.each<t.ApiKey>(async (token) => {
      const found = await this.listKeys(token ? { ...params, token: token } : params, options);
      return { items: found.apiKeys ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Create an API key. Writes an audit entry. Scopes default to read and write; write includes read, admin includes both. */
  createKey(body: t.KeyBody, options: CallOptions = {}): Promise<t.CreateKeyAnswer> {
    return this.answer<t.CreateKeyAnswer>({ method: "POST", path: `/api/v1/api-keys`, body }, options);
  }

  /** Revoke an API key. The key stops working within seconds. A repeat changes nothing. Writes an audit entry. */
  revokeKey(apiKeyId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/api-keys/${encodeURIComponent(apiKeyId)}` }, options);
  }

  /** Download an artifact. The raw file. The ETag is the SHA-256 of its bytes. An artifact that a regeneration replaced is gone. */
  artifactContent(artifactId: string, options: CallOptions = {}): Promise<Download> {
    return this.download({ method: "GET", path: `/api/v1/artifacts/${encodeURIComponent(artifactId)}/content` }, options);
  }

  /** List administrative acts. Newest first. With a test key, those of test leads and of test keys. */
  listAudit(params: ListAuditParams = {}, options: CallOptions = {}): Promise<t.AuditAnswer> {
    return this.answer<t.AuditAnswer>({ method: "GET", path: `/api/v1/audit`, query: { ...params } }, options);
  }

  /** Every entry of `listAudit`, page by page. */
  listAuditAll(params: ListAuditParams = {}, options: CallOptions = {}): AsyncGenerator<t.AuditEntry, void, undefined> {
    return this.each<t.AuditEntry>(async (token) => {
      const found = await this.listAudit(token ? { ...params, token: token } : params, options);
      return { items: found.entries ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Upload documents. One to ten files of up to 100 MB each. A file with the same bytes on the same lead is stored once and answered with the first document and `duplicateOf`. A file nobody can read is accepted and then fails with a reason. */
  createDocuments(form: CreateDocumentsForm, options: CallOptions = {}): Promise<t.CreateDocumentsAnswer> {
    return this.answer<t.CreateDocumentsAnswer>({ method: "POST", path: `/api/v1/documents`, form: { ...form } }, options);
  }

  /** Announce a direct upload. Answers where to PUT the bytes. The document is in no list until it is completed. */
  presignDocument(body: t.PresignBody, options: CallOptions = {}): Promise<t.PresignAnswer> {
    return this.answer<t.PresignAnswer>({ method: "POST", path: `/api/v1/documents/presign`, body }, options);
  }

  /** Delete a document. The items it served are judged again. Its file and facts are erased after a time of grace, as a deleted lead is. */
  deleteDocument(documentId: string, params: DeleteDocumentParams = {}, options: CallOptions = {}): Promise<t.DeleteDocumentResult> {
    return this.answer<t.DeleteDocumentResult>({ method: "DELETE", path: `/api/v1/documents/${encodeURIComponent(documentId)}`, query: { ...params } }, options);
  }

  /** Get a document. With a fresh signed URL and, once read, its classification and facts. */
  readDocument(documentId: string, params: ReadDocumentParams = {}, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "GET", path: `/api/v1/documents/${encodeURIComponent(documentId)}`, query: { ...params } }, options);
  }

  /** Put a document on an item. A person's word; the machine does not take the document away again. It is matched and judged in the background. 200 when it was there already. */
  addAssociation(documentId: string, body: t.AssociationBody, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "POST", path: `/api/v1/documents/${encodeURIComponent(documentId)}/associations`, body }, options);
  }

  /** Take a document from an item. A person's word; the machine does not put it there again. The item is judged without it. Together with putting it on another item, this moves a document. */
  removeAssociation(documentId: string, associationId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/documents/${encodeURIComponent(documentId)}/associations/${encodeURIComponent(associationId)}` }, options);
  }

  /** Override the verdict on a document. A person's word about one document and one item. It stands until the document changes. */
  overrideAssociation(documentId: string, associationId: string, body: t.OverrideBody, options: CallOptions = {}): Promise<t.OverrideAssociationResult> {
    return this.answer<t.OverrideAssociationResult>({ method: "PATCH", path: `/api/v1/documents/${encodeURIComponent(documentId)}/associations/${encodeURIComponent(associationId)}`, body }, options);
  }

  /** Complete a direct upload. Size and hash of what arrived are checked. A repeat changes nothing. */
  completeDocument(documentId: string, body: t.CompleteBody, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "POST", path: `/api/v1/documents/${encodeURIComponent(documentId)}/complete`, body }, options);
  }

  /** Correct the facts of a document. The whole set of corrections, which takes the place of the one before; an empty list takes all away. `facts` then show the corrected values, with `sources[pointer].method` `person`, and what the machine read stays in `corrections`. A value that is the machine's own is kept as `confirmed` and changes nothing. Checks, verdicts and items follow in the same commit, and spreads that use the document are regenerated. Corrections are kept when the document is read again; where a third value is read, the state is `conflict`. With `If-Match` (the ETag of the document) nothing changes unless it still holds. `effects` lists only what changes; of a spread the cells that its next round will show, with null where there is no figure. */
  correctDocument(documentId: string, body: t.CorrectionsBody, options: CallOptions = {}): Promise<t.CorrectionsAnswer> {
    return this.answer<t.CorrectionsAnswer>({ method: "PUT", path: `/api/v1/documents/${encodeURIComponent(documentId)}/corrections`, body }, options);
  }

  /** Erase a document. As a lead is erased: the document is gone with the answer, its file and facts when the erasure is COMPLETE. Its items are judged again, and spreads that used it are made anew without it, FAILED when none is left. */
  eraseDocument(documentId: string, body: t.EraseBody, options: CallOptions = {}): Promise<t.EraseDocumentResult> {
    return this.answer<t.EraseDocumentResult>({ method: "POST", path: `/api/v1/documents/${encodeURIComponent(documentId)}/erase`, body }, options);
  }

  /** Get the picture of a page. A PNG of the page as people see it, drawn in the parser's sandbox and kept; tables, texts and mails are drawn too. What stands on the page at a share of its width and height (`extraction.pages`) stands there in the picture. The first call for a page waits for its drawing. Send the ETag as `If-None-Match` to fetch it only once. Pictures of identity documents and of pages with numbers that facts mask are noted in the audit (`document.page_read`). */
  readPagePicture(documentId: string, page: string, params: ReadPagePictureParams = {}, options: CallOptions = {}): Promise<Download> {
    return this.download({ method: "GET", path: `/api/v1/documents/${encodeURIComponent(documentId)}/pages/${encodeURIComponent(page)}`, query: { ...params } }, options);
  }

  /** Get the words of a page. The words or cells that were read on a page, in reading order, with the box of each in the unit of `extraction.pages`. A cell's box is its name, and `rect` is where it stands, as fractions of the page. Social security numbers are masked. */
  readPageWords(documentId: string, page: string, options: CallOptions = {}): Promise<t.PageWordsAnswer> {
    return this.answer<t.PageWordsAnswer>({ method: "GET", path: `/api/v1/documents/${encodeURIComponent(documentId)}/pages/${encodeURIComponent(page)}/words` }, options);
  }

  /** Say which documents a file has. Joins, splits and retypes the documents of a file. Each part is a range of pages, first and last; pages in no part stay out. The parts are read again as what they are said to be, and stay so when the document is reprocessed. Corrections of parts whose pages did not change are kept, others go. */
  setDocumentParts(documentId: string, body: t.PartsBody, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "PUT", path: `/api/v1/documents/${encodeURIComponent(documentId)}/parts`, body }, options);
  }

  /** Say whose a document of a file is. Reading finds it by name and number. What is said here stays, also when the file is read again; null says that it is nobody's. */
  setDocumentParty(documentId: string, part: string, body: t.DocumentPartBody, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "PATCH", path: `/api/v1/documents/${encodeURIComponent(documentId)}/parts/${encodeURIComponent(part)}`, body }, options);
  }

  /** Read a document again. */
  reprocessDocument(documentId: string, options: CallOptions = {}): Promise<t.DocumentAnswer> {
    return this.answer<t.DocumentAnswer>({ method: "POST", path: `/api/v1/documents/${encodeURIComponent(documentId)}/reprocess` }, options);
  }

  /** List erasures. Newest first. Deleting a lead or a document makes one, due after its grace. */
  listErasures(params: ListErasuresParams = {}, options: CallOptions = {}): Promise<t.ErasuresAnswer> {
    return this.answer<t.ErasuresAnswer>({ method: "GET", path: `/api/v1/erasures`, query: { ...params } }, options);
  }

  /** Every entry of `listErasures`, page by page. */
  listErasuresAll(params: ListErasuresParams = {}, options: CallOptions = {}): AsyncGenerator<t.Erasure, void, undefined> {
    return this.each<t.Erasure>(async (token) => {
      const found = await this.listErasures(token ? { ...params, token: token } : params, options);
      return { items: found.erasures ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Read an erasure. */
  readErasure(erasureId: string, options: CallOptions = {}): Promise<t.ErasureAnswer> {
    return this.answer<t.ErasureAnswer>({ method: "GET", path: `/api/v1/erasures/${encodeURIComponent(erasureId)}` }, options);
  }

  /** Call an erasure off. One that is SCHEDULED or HELD. A lead that is deleted stays deleted, and its data is kept. */
  cancelErasure(erasureId: string, options: CallOptions = {}): Promise<t.ErasureAnswer> {
    return this.answer<t.ErasureAnswer>({ method: "POST", path: `/api/v1/erasures/${encodeURIComponent(erasureId)}/cancel` }, options);
  }

  /** List escalations. Newest first. */
  listEscalations(params: ListEscalationsParams = {}, options: CallOptions = {}): Promise<t.EscalationsAnswer> {
    return this.answer<t.EscalationsAnswer>({ method: "GET", path: `/api/v1/escalations`, query: { ...params } }, options);
  }

  /** Every entry of `listEscalations`, page by page. */
  listEscalationsAll(params: ListEscalationsParams = {}, options: CallOptions = {}): AsyncGenerator<t.Escalation, void, undefined> {
    return this.each<t.Escalation>(async (token) => {
      const found = await this.listEscalations(token ? { ...params, token: token } : params, options);
      return { items: found.escalations ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Resolve an escalation. In the name of `x-actor`. Repeated it changes nothing. */
  resolveEscalation(escalationId: string, body: t.ResolveBody, options: CallOptions = {}): Promise<t.EscalationAnswer> {
    return this.answer<t.EscalationAnswer>({ method: "POST", path: `/api/v1/escalations/${encodeURIComponent(escalationId)}/resolve`, body }, options);
  }

  /** List events. Oldest first, in the order of their commits, of the last 30 days. Poll with the last `nextToken` as `after`: an event becomes readable only when no earlier one can still appear, so nothing is missed. On an empty page keep the token you have. To begin with what happens next, ask once for `tail=true&limit=1` and go on after that event. */
  listEvents(params: ListEventsParams = {}, options: CallOptions = {}): Promise<t.EventsAnswer> {
    return this.answer<t.EventsAnswer>({ method: "GET", path: `/api/v1/events`, query: { ...params } }, options);
  }

  /** Every entry of `listEvents`, page by page. */
  listEventsAll(params: ListEventsParams = {}, options: CallOptions = {}): AsyncGenerator<t.DossierEvent, void, undefined> {
    return this.each<t.DossierEvent>(async (token) => {
      const found = await this.listEvents(token ? { ...params, after: token } : params, options);
      return { items: found.events ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** List imports. Newest first, of the last 30 days. Errors of those that run are only in the single import. */
  listImports(params: ListImportsParams = {}, options: CallOptions = {}): Promise<t.ImportsAnswer> {
    return this.answer<t.ImportsAnswer>({ method: "GET", path: `/api/v1/imports`, query: { ...params } }, options);
  }

  /** Every entry of `listImports`, page by page. */
  listImportsAll(params: ListImportsParams = {}, options: CallOptions = {}): AsyncGenerator<t.ImportView, void, undefined> {
    return this.each<t.ImportView>(async (token) => {
      const found = await this.listImports(token ? { ...params, token: token } : params, options);
      return { items: found.imports ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Import leads. A CSV file in UTF-8 whose first row names the columns: the fields of a lead as they are created, `tags` and `documents` (several are separated by `;`), and `checklist.<CODE>` for values of the checklist. `documents` names files of `archive`, a ZIP. A row with the `externalLeadId` of a lead that is there changes that lead, and an empty cell leaves its field as it is; so the same file may be sent again. A row without it is always a new lead. What is wrong with the first row is answered here; a row that is wrong is refused alone: with a cell that looks like a formula (`formula_cell`) or is too long (`too_long`), a value that is not allowed (`invalid_value`), a code that is not there (`unknown_code`), a document that is not in the archive (`file_missing`). With a test key all leads are test leads. */
  createImport(form: CreateImportForm, options: CallOptions = {}): Promise<t.ImportAnswer> {
    return this.answer<t.ImportAnswer>({ method: "POST", path: `/api/v1/imports`, form: { ...form } }, options);
  }

  /** Get an import. How far an import is. `errors` has the first 1,000; the report has all. */
  readImport(importId: string, options: CallOptions = {}): Promise<t.ImportAnswer> {
    return this.answer<t.ImportAnswer>({ method: "GET", path: `/api/v1/imports/${encodeURIComponent(importId)}` }, options);
  }

  /** List messages from unknown senders. What arrived from addresses and numbers of no lead, newest first. */
  listInbox(params: ListInboxParams = {}, options: CallOptions = {}): Promise<t.MessagesAnswer> {
    return this.answer<t.MessagesAnswer>({ method: "GET", path: `/api/v1/inbox`, query: { ...params } }, options);
  }

  /** Every entry of `listInbox`, page by page. */
  listInboxAll(params: ListInboxParams = {}, options: CallOptions = {}): AsyncGenerator<t.Message, void, undefined> {
    return this.each<t.Message>(async (token) => {
      const found = await this.listInbox(token ? { ...params, token: token } : params, options);
      return { items: found.messages ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** List leads. A bare array, newest first. The next page is in the headers `Link` (rel="next") and `X-Next-Token`. Filters are combined; counts are of visible items. */
  listLeads(params: ListLeadsParams = {}, options: CallOptions = {}): Promise<Page<t.ListedLead>> {
    return this.page<t.ListedLead>({ method: "GET", path: `/api/v1/leads`, query: { ...params } }, options);
  }

  /** Every entry of `listLeads`, page by page. */
  listLeadsAll(params: ListLeadsParams = {}, options: CallOptions = {}): AsyncGenerator<t.ListedLead, void, undefined> {
    return this.each<t.ListedLead>(async (token) => {
      const found = await this.listLeads(token ? { ...params, token: token } : params, options);
      return { items: found.items ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Create a lead. Needs at least one of firstName, lastName, businessName, email, phoneNumber. Puts the workspace's checklist template on the lead and makes its portal link. A test key makes test leads. */
  createLead(body: t.CreateLeadBody, options: CallOptions = {}): Promise<t.LeadAnswer> {
    return this.answer<t.LeadAnswer>({ method: "POST", path: `/api/v1/leads`, body }, options);
  }

  /** Update a lead. Changes only the fields that are present, and items of the checklist by code, in one call and one commit. `null` clears a field that may be empty. Writes one API_ACTIVITY action log with everything; an entry of `checklistItems` with an unknown code is in it with `success: false` and a `reason`, and the call succeeds. COMPLETED skips required items still open, IN_PROGRESS undoes exactly that. With `If-Match` nothing is changed unless the lead still has that `ETag`. With `x-actor` values count as given by a person. */
  updateLead(body: t.UpdateLeadBody, options: CallOptions = {}): Promise<t.LeadAnswer> {
    return this.answer<t.LeadAnswer>({ method: "PUT", path: `/api/v1/leads`, body }, options);
  }

  /** Delete a lead. The lead is hidden everywhere; its open runs are cancelled, messages and jobs stopped, its portal link ends. Its data is erased after a time of grace, 30 days unless the workspace says otherwise, and not before the floor of its retention. */
  deleteLead(leadId: string, params: DeleteLeadParams = {}, options: CallOptions = {}): Promise<t.DeleteLeadResult> {
    return this.answer<t.DeleteLeadResult>({ method: "DELETE", path: `/api/v1/leads/${encodeURIComponent(leadId)}`, query: { ...params } }, options);
  }

  /** Get a lead. What update answers, and all documents of the lead with fresh signed URLs. The `ETag` is the lead's version, for `If-Match` of an update. */
  readLead(leadId: string, options: CallOptions = {}): Promise<t.ReadLeadAnswer> {
    return this.answer<t.ReadLeadAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}` }, options);
  }

  /** Read a lead's timeline. Newest first. */
  timeline(leadId: string, params: TimelineParams = {}, options: CallOptions = {}): Promise<t.TimelineAnswer> {
    return this.answer<t.TimelineAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/activity`, query: { ...params } }, options);
  }

  /** Every entry of `timeline`, page by page. */
  timelineAll(leadId: string, params: TimelineParams = {}, options: CallOptions = {}): AsyncGenerator<t.ActionLog, void, undefined> {
    return this.each<t.ActionLog>(async (token) => {
      const found = await this.timeline(leadId, token ? { ...params, token: token } : params, options);
      return { items: found.activity ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Get the lead's checklist. A bare array of groups in the template's order; items made for this lead are last, in the group ADDITIONAL_ITEMS. Hidden items are there with `visible` false. An SSN is masked; `reveal=true` shows it in full, needs the scope admin and writes an audit entry. */
  readChecklist(leadId: string, params: ReadChecklistParams = {}, options: CallOptions = {}): Promise<Array<t.ChecklistGroup>> {
    return this.answer<Array<t.ChecklistGroup>>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/checklist`, query: { ...params } }, options);
  }

  /** Create a checklist item for one lead. A one-off requirement; the template and other leads are not touched. Without a code one is made from the label. */
  createLeadItem(leadId: string, body: t.NewItemBody, options: CallOptions = {}): Promise<t.LeadItemAnswer> {
    return this.answer<t.LeadItemAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/checklist-items`, body }, options);
  }

  /** Delete a checklist item of one lead. Documents that served it stay with the lead. */
  deleteLeadItem(leadId: string, checklistItemId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/leads/${encodeURIComponent(leadId)}/checklist-items/${encodeURIComponent(checklistItemId)}` }, options);
  }

  /** Change a checklist item of one lead. Only what is present changes. With a new config, new rules or another party what the item holds is judged again. */
  changeLeadItem(leadId: string, checklistItemId: string, body: t.ItemChangeBody, options: CallOptions = {}): Promise<t.LeadItemAnswer> {
    return this.answer<t.LeadItemAnswer>({ method: "PATCH", path: `/api/v1/leads/${encodeURIComponent(leadId)}/checklist-items/${encodeURIComponent(checklistItemId)}`, body }, options);
  }

  /** List what the parties owe. Debts are those that were given by hand; nothing is made of what lenders' statements print. A business without any counts interest and current maturities of its statements in a global cash flow. */
  listDebts(leadId: string, options: CallOptions = {}): Promise<t.DebtsAnswer> {
    return this.answer<t.DebtsAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/debts` }, options);
  }

  /** Say what the parties owe. Replaces all debts that were given by hand. One with the id of such a debt is that debt, changed. */
  putDebts(leadId: string, body: t.DebtsBody, options: CallOptions = {}): Promise<t.DebtsAnswer> {
    return this.answer<t.DebtsAnswer>({ method: "PUT", path: `/api/v1/leads/${encodeURIComponent(leadId)}/debts`, body }, options);
  }

  /** List a lead's documents. A bare array, newest first. Signed URLs expire after 1 hour. The next page is in `Link` and `X-Next-Token`. */
  listDocuments(leadId: string, params: ListDocumentsParams = {}, options: CallOptions = {}): Promise<Page<t.ListedDocument>> {
    return this.page<t.ListedDocument>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/documents`, query: { ...params } }, options);
  }

  /** Every entry of `listDocuments`, page by page. */
  listDocumentsAll(leadId: string, params: ListDocumentsParams = {}, options: CallOptions = {}): AsyncGenerator<t.ListedDocument, void, undefined> {
    return this.each<t.ListedDocument>(async (token) => {
      const found = await this.listDocuments(leadId, token ? { ...params, token: token } : params, options);
      return { items: found.items ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Erase a lead. The lead is gone with the answer; the rest when the erasure is COMPLETE. While a hold stands it is HELD, and the lead stays. A repeat while it is open answers the same erasure. Works for a deleted lead that is not erased yet, too. With `dryRun` nothing changes, and 200 answers `counts`: what would go. */
  eraseLead(leadId: string, body: t.EraseBody, options: CallOptions = {}): Promise<t.EraseLeadResult> {
    return this.answer<t.EraseLeadResult>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/erase`, body }, options);
  }

  /** Escalate a lead. */
  createEscalation(leadId: string, body: t.EscalationBody, options: CallOptions = {}): Promise<t.EscalationAnswer> {
    return this.answer<t.EscalationAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/escalations`, body }, options);
  }

  /** List the holds of a lead. Newest first, released ones too. */
  listHolds(leadId: string, params: ListHoldsParams = {}, options: CallOptions = {}): Promise<t.HoldsAnswer> {
    return this.answer<t.HoldsAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/holds`, query: { ...params } }, options);
  }

  /** Every entry of `listHolds`, page by page. */
  listHoldsAll(leadId: string, params: ListHoldsParams = {}, options: CallOptions = {}): AsyncGenerator<t.Hold, void, undefined> {
    return this.each<t.Hold>(async (token) => {
      const found = await this.listHolds(leadId, token ? { ...params, token: token } : params, options);
      return { items: found.holds ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Put a lead on hold. Erasures of the lead that have not begun are HELD. Works for a deleted lead that is not erased yet, too. */
  createHold(leadId: string, body: t.HoldBody, options: CallOptions = {}): Promise<t.HoldAnswer> {
    return this.answer<t.HoldAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/holds`, body }, options);
  }

  /** Release a hold. It stays in the list. With the last one, erasures that waited go on. A repeat changes nothing. */
  releaseHold(leadId: string, holdId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/leads/${encodeURIComponent(leadId)}/holds/${encodeURIComponent(holdId)}` }, options);
  }

  /** List a lead's messages. Newest first, both directions. */
  listMessages(leadId: string, params: ListMessagesParams = {}, options: CallOptions = {}): Promise<t.MessagesAnswer> {
    return this.answer<t.MessagesAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/messages`, query: { ...params } }, options);
  }

  /** Every entry of `listMessages`, page by page. */
  listMessagesAll(leadId: string, params: ListMessagesParams = {}, options: CallOptions = {}): AsyncGenerator<t.Message, void, undefined> {
    return this.each<t.Message>(async (token) => {
      const found = await this.listMessages(leadId, token ? { ...params, token: token } : params, options);
      return { items: found.messages ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Draft a message. A message to a lead that is not sent. A person approves, edits or rejects it, as an agent's draft. */
  createDraft(leadId: string, body: t.DraftBody, options: CallOptions = {}): Promise<t.MessageAnswer> {
    return this.answer<t.MessageAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/messages`, body }, options);
  }

  /** See who owns whom. What was given by hand, and of every other pair what its newest Schedule K-1 says. A K-1 that would close a circle, or make the shares of a party more than the whole, is left out. */
  readOwnership(leadId: string, options: CallOptions = {}): Promise<t.OwnershipAnswer> {
    return this.answer<t.OwnershipAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/ownership` }, options);
  }

  /** Say who owns whom. Replaces all shares that were given by hand. Those of K-1s stay beside them; one for the same pair gives way. An entry with the source k1 must say what a K-1 says, and changes nothing. */
  putOwnership(leadId: string, body: t.OwnershipBody, options: CallOptions = {}): Promise<t.OwnershipAnswer> {
    return this.answer<t.OwnershipAnswer>({ method: "PUT", path: `/api/v1/leads/${encodeURIComponent(leadId)}/ownership`, body }, options);
  }

  /** List the parties of a lead. The primary one first, then the oldest first. There are at most 100. */
  listParties(leadId: string, options: CallOptions = {}): Promise<t.PartiesAnswer> {
    return this.answer<t.PartiesAnswer>({ method: "GET", path: `/api/v1/leads/${encodeURIComponent(leadId)}/parties` }, options);
  }

  /** Add a party. Documents that were read before are looked through for those of the new party. */
  createParty(leadId: string, body: t.PartyBody, options: CallOptions = {}): Promise<t.PartyAnswer> {
    return this.answer<t.PartyAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/parties`, body }, options);
  }

  /** Delete a party. Its shares go with it, and documents of it are nobody's again. */
  deleteParty(leadId: string, partyId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/leads/${encodeURIComponent(leadId)}/parties/${encodeURIComponent(partyId)}` }, options);
  }

  /** Change a party. Only what is present changes. A name that was given to the primary party no longer follows the lead's. */
  updateParty(leadId: string, partyId: string, body: t.PartyChangeBody, options: CallOptions = {}): Promise<t.PartyAnswer> {
    return this.answer<t.PartyAnswer>({ method: "PATCH", path: `/api/v1/leads/${encodeURIComponent(leadId)}/parties/${encodeURIComponent(partyId)}`, body }, options);
  }

  /** End the portal link. The page is closed at once. `POST` here makes another link, and so does the next message to the lead for its own page. */
  revokePortalLink(leadId: string, params: RevokePortalLinkParams = {}, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/leads/${encodeURIComponent(leadId)}/portal-link`, query: { ...params } }, options);
  }

  /** Get or renew the portal link. An unexpired link is answered again; `rotate` ends it and makes another. With `partyId` it is the page of that party, which has the party's own items only; the lead's own page has those that name nobody or the primary party. Links of the other pages stay as they are. */
  renewPortalLink(leadId: string, body: t.PortalLinkBody, options: CallOptions = {}): Promise<t.PortalLinkAnswer> {
    return this.answer<t.PortalLinkAnswer>({ method: "POST", path: `/api/v1/leads/${encodeURIComponent(leadId)}/portal-link`, body }, options);
  }

  /** Who calls. A person with its session and roles, or an API key; the other is null. */
  readMe(options: CallOptions = {}): Promise<t.MeAnswer> {
    return this.answer<t.MeAnswer>({ method: "GET", path: `/api/v1/me` }, options);
  }

  /** Approve a draft. It is sent at once, or at the end of the lead's quiet hours. Approved with a test key it is cancelled when its time comes. */
  approveMessage(messageId: string, options: CallOptions = {}): Promise<t.MessageAnswer> {
    return this.answer<t.MessageAnswer>({ method: "POST", path: `/api/v1/messages/${encodeURIComponent(messageId)}/approve` }, options);
  }

  /** Edit a draft. It stays a draft. Counted as an intervention. */
  editMessage(messageId: string, body: t.EditBody, options: CallOptions = {}): Promise<t.MessageAnswer> {
    return this.answer<t.MessageAnswer>({ method: "POST", path: `/api/v1/messages/${encodeURIComponent(messageId)}/edit`, body }, options);
  }

  /** Reject a draft. It is not sent; the agent asks again at its next follow-up. Counted as an intervention. */
  rejectMessage(messageId: string, body: t.RejectBody, options: CallOptions = {}): Promise<t.MessageAnswer> {
    return this.answer<t.MessageAnswer>({ method: "POST", path: `/api/v1/messages/${encodeURIComponent(messageId)}/reject`, body }, options);
  }

  /** List people. Who has a role in the workspace, by address, the highest role of each: by the workspace's file, by `dossier people add`, or by a group at the last sign-in. For admins; not for test keys. */
  listPeople(options: CallOptions = {}): Promise<t.PeopleAnswer> {
    return this.answer<t.PeopleAnswer>({ method: "GET", path: `/api/v1/people` }, options);
  }

  /** List requests. Newest first, of the last seven days, and without bodies. A call is here within five seconds. Calls without a valid key, and those of leads' pages and of providers of messages, are not. With a test key, the calls of test keys. */
  listRequests(params: ListRequestsParams = {}, options: CallOptions = {}): Promise<t.RequestsAnswer> {
    return this.answer<t.RequestsAnswer>({ method: "GET", path: `/api/v1/requests`, query: { ...params } }, options);
  }

  /** Every entry of `listRequests`, page by page. */
  listRequestsAll(params: ListRequestsParams = {}, options: CallOptions = {}): AsyncGenerator<t.LoggedRequest, void, undefined> {
    return this.each<t.LoggedRequest>(async (token) => {
      const found = await this.listRequests(token ? { ...params, token: token } : params, options);
      return { items: found.requests ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** List reviews. Open ones, what is due first, unless asked otherwise. `counts` are about all open reviews, whatever the list keeps; `mine` are those assigned to the caller or a group of its, or claimed by it. */
  listReviews(params: ListReviewsParams = {}, options: CallOptions = {}): Promise<t.ReviewsAnswer> {
    return this.answer<t.ReviewsAnswer>({ method: "GET", path: `/api/v1/reviews`, query: { ...params } }, options);
  }

  /** Every entry of `listReviews`, page by page. */
  listReviewsAll(params: ListReviewsParams = {}, options: CallOptions = {}): AsyncGenerator<t.Review, void, undefined> {
    return this.each<t.Review>(async (token) => {
      const found = await this.listReviews(token ? { ...params, token: token } : params, options);
      return { items: found.reviews ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Claim the next review. The most urgent one by priority, dueAt and createdAt that nobody has claimed and that is not assigned to somebody else. Never the same to two callers. 204 when there is none. */
  nextReview(body: t.NextReviewBody, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/next`, body }, options);
  }

  /** Read how often readings are right. By docType and field: of the facts that somebody looked at who decided a `qa_sample` with accept or correct, and of those corrected outside of samples. A fact that a person corrected to another value is wrong. `interval` is that of Wilson, in which `share` lies with 95 % of confidence. */
  reviewQuality(params: ReviewQualityParams = {}, options: CallOptions = {}): Promise<t.QualityAnswer> {
    return this.answer<t.QualityAnswer>({ method: "GET", path: `/api/v1/reviews/quality`, query: { ...params } }, options);
  }

  /** Read a review. */
  readReview(reviewId: string, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "GET", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}` }, options);
  }

  /** Assign a review. */
  assignReview(reviewId: string, body: t.AssignBody, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}/assign`, body }, options);
  }

  /** Claim a review. For two minutes. One's own claim is extended. `takeOver` takes it from somebody else; the note goes to the lead's timeline. */
  claimReview(reviewId: string, body: t.ClaimBody, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}/claim`, body }, options);
  }

  /** Decide a review. Needs the claim, and the `version` that was read. `reject` needs a `reasonCode` of `review.reasonCodes`. In one commit it does what the subject's own operation does: | code | decisions | |---|---| | item_needs_review, rule_not_understood | accept: the documents that left it open are good, or the item is COMPLETED; reject: they are not, INVALID; correct, dismiss | | fact_doubted, correction_conflict | accept: the fact, or the person's correction, stands; correct, dismiss | | tampering | accept: it is genuine; reject: the document is good for no item; dismiss | | document_unread | reject: the document is good for no item; dismiss | | spread_approval, spread_variance | accept: approve the spread; reject: return it; dismiss. A variance of a spread that is not submitted is only closed. Of people it takes an approver | | draft_message | accept: approve; reject | | escalation | accept: resolve; dismiss | | qa_sample | accept, correct, dismiss | | second_opinion | accept, reject | `correct` carries no values: put the correction before, then decide. `dismiss` changes nothing else. */
  decideReview(reviewId: string, body: t.DecideBody, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}/decide`, body }, options);
  }

  /** Give a claim back. Without a claim it changes nothing. */
  releaseReview(reviewId: string, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}/release` }, options);
  }

  /** Renew a claim. */
  renewReview(reviewId: string, options: CallOptions = {}): Promise<t.ReviewAnswer> {
    return this.answer<t.ReviewAnswer>({ method: "POST", path: `/api/v1/reviews/${encodeURIComponent(reviewId)}/renew` }, options);
  }

  /** List sessions. Those of the workspace's people that have not ended, newest first. */
  listSessions(params: ListSessionsParams = {}, options: CallOptions = {}): Promise<t.SessionsAnswer> {
    return this.answer<t.SessionsAnswer>({ method: "GET", path: `/api/v1/sessions`, query: { ...params } }, options);
  }

  /** Every entry of `listSessions`, page by page. */
  listSessionsAll(params: ListSessionsParams = {}, options: CallOptions = {}): AsyncGenerator<t.ListedSession, void, undefined> {
    return this.each<t.ListedSession>(async (token) => {
      const found = await this.listSessions(token ? { ...params, token: token } : params, options);
      return { items: found.sessions ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** End a session. One's own, or as an admin any of the workspace's people. A repeat changes nothing. Writes an audit entry. */
  revokeSession(sessionId: string, options: CallOptions = {}): Promise<t.Success> {
    return this.answer<t.Success>({ method: "POST", path: `/api/v1/sessions/${encodeURIComponent(sessionId)}/revoke` }, options);
  }

  /** List a lead's spreads. Newest first. */
  listSpreads(params: ListSpreadsParams, options: CallOptions = {}): Promise<t.SpreadsAnswer> {
    return this.answer<t.SpreadsAnswer>({ method: "GET", path: `/api/v1/spreads`, query: { ...params } }, options);
  }

  /** Every entry of `listSpreads`, page by page. */
  listSpreadsAll(params: ListSpreadsParams, options: CallOptions = {}): AsyncGenerator<t.Spread, void, undefined> {
    return this.each<t.Spread>(async (token) => {
      const found = await this.listSpreads(token ? { ...params, token: token } : params, options);
      return { items: found.spreads ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Start a spread. Takes the named documents, or all of the lead that hold a financial statement or a business tax return. Named documents that are still being read are awaited. The currency also decides on the paper of the report and the workbook, which is Letter for US and Canadian dollars and the money of other countries that use it, else A4. With partyId it is the spread of one party; without, on a lead of several parties, that of the primary one and of what is nobody's. With scope global it is the cash flow of all parties; it takes the newest finished spread of each business, starts those that are missing, and counts what owners get as K-1s say (distributions k1) or as their share of the cash available (entity). A repeat without Idempotency-Key starts another. */
  createSpread(body: t.CreateSpreadBody, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "POST", path: `/api/v1/spreads`, body }, options);
  }

  /** Get a spread. */
  readSpread(spreadId: string, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "GET", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}` }, options);
  }

  /** List the adjustments of a spread. */
  listAdjustments(spreadId: string, options: CallOptions = {}): Promise<t.AdjustmentsAnswer> {
    return this.answer<t.AdjustmentsAnswer>({ method: "GET", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/adjustments` }, options);
  }

  /** Adjust figures of a spread. Puts this list in the place of the adjustments the spread has, and re-consolidates it; an empty list removes them all. An adjustment gives a line of one period another value, or with moveTo reclassifies value (all of it when value is null) to another line of the statement. Lines only: totals, annualized columns and ratios follow. In the results an adjusted figure carries `adjusted` with the machine's figure; every regeneration applies the adjustments again. */
  putAdjustments(spreadId: string, body: t.AdjustmentsBody, options: CallOptions = {}): Promise<t.AdjustedAnswer> {
    return this.answer<t.AdjustedAnswer>({ method: "PUT", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/adjustments`, body }, options);
  }

  /** Approve the figures of a spread. Under four eyes (`review.fourEyes` holds spread_approval) another person than who submitted it must, by a session: API keys cannot. Approved already it changes nothing. */
  approveSpread(spreadId: string, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "POST", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/approve` }, options);
  }

  /** List the caption mappings of a spread's lead. */
  listCaptions(spreadId: string, options: CallOptions = {}): Promise<t.CaptionsAnswer> {
    return this.answer<t.CaptionsAnswer>({ method: "GET", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/caption-mappings` }, options);
  }

  /** Choose rows for captions. Puts this list in the place of the mappings the lead has and re-consolidates the spread. A caption that the template does not name, see `unmapped` in the results, goes to the row chosen here, in every later spread of the lead, too. */
  putCaptions(spreadId: string, body: t.CaptionsBody, options: CallOptions = {}): Promise<t.MappedAnswer> {
    return this.answer<t.MappedAnswer>({ method: "PUT", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/caption-mappings`, body }, options);
  }

  /** Regenerate a spread. Re-consolidates a finished spread from already-extracted data. Results and artifacts stay until the new ones replace them, which happens at once. */
  regenerateSpread(spreadId: string, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "POST", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/regenerate` }, options);
  }

  /** Get the results of a spread. Only rows that have figures appear. A period's `integrity` is `reconciled` when every printed total equals its calculation within rounding, `variance` when one does not, `incomplete` when printed lines are in no figure. A calculated row has `reliable` false when no printed total confirms what it rests on; `reported` is the printed total beside a `value` that is another, be it by rounding; a ratio on such figures has no value and a `reason`. While a spread is regenerated these are its previous results. A global spread has a row list for each year instead of statements. */
  spreadResults(spreadId: string, params: SpreadResultsParams = {}, options: CallOptions = {}): Promise<t.ResultsAnswer> {
    return this.answer<t.ResultsAnswer>({ method: "GET", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/results`, query: { ...params } }, options);
  }

  /** Return a spread. */
  returnSpread(spreadId: string, body: t.ReturnBody, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "POST", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/return`, body }, options);
  }

  /** Submit a spread for approval. Submitted or approved already it changes nothing. */
  submitSpread(spreadId: string, options: CallOptions = {}): Promise<t.SpreadAnswer> {
    return this.answer<t.SpreadAnswer>({ method: "POST", path: `/api/v1/spreads/${encodeURIComponent(spreadId)}/submit` }, options);
  }

  /** Put a lead's clock forward. A test lead's own time moves on, and what is due by then happens in its order and at its times: reminders, follow-ups, the end of quiet hours, of a link to the lead's page, of the grace of a deletion. The answer comes when all is done, or after 25 seconds with what has happened so far; call again then. What the lead, or you about the lead, do afterwards happens at its time. */
  advanceClock(body: t.ClockBody, options: CallOptions = {}): Promise<t.ClockAnswer> {
    return this.answer<t.ClockAnswer>({ method: "POST", path: `/api/v1/test/clock`, body }, options);
  }

  /** List specimens. Files whose verdict is known before they are sent. */
  listSpecimens(options: CallOptions = {}): Promise<t.SpecimensAnswer> {
    return this.answer<t.SpecimensAnswer>({ method: "GET", path: `/api/v1/test/specimens` }, options);
  }

  /** Get a specimen. The file itself, with dates that fit today. */
  readSpecimen(kind: string, options: CallOptions = {}): Promise<Download> {
    return this.download({ method: "GET", path: `/api/v1/test/specimens/${encodeURIComponent(kind)}` }, options);
  }

  /** List endpoints. Newest first. */
  listWebhooks(params: ListWebhooksParams = {}, options: CallOptions = {}): Promise<t.WebhooksAnswer> {
    return this.answer<t.WebhooksAnswer>({ method: "GET", path: `/api/v1/webhooks`, query: { ...params } }, options);
  }

  /** Every entry of `listWebhooks`, page by page. */
  listWebhooksAll(params: ListWebhooksParams = {}, options: CallOptions = {}): AsyncGenerator<t.Webhook, void, undefined> {
    return this.each<t.Webhook>(async (token) => {
      const found = await this.listWebhooks(token ? { ...params, token: token } : params, options);
      return { items: found.webhooks ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** List deliveries of all endpoints. Newest first. With `eventId`, an event's way to every endpoint. */
  listDeliveries(params: ListDeliveriesParams = {}, options: CallOptions = {}): Promise<t.DeliveriesAnswer> {
    return this.answer<t.DeliveriesAnswer>({ method: "GET", path: `/api/v1/webhooks/deliveries`, query: { ...params } }, options);
  }

  /** Every entry of `listDeliveries`, page by page. */
  listDeliveriesAll(params: ListDeliveriesParams = {}, options: CallOptions = {}): AsyncGenerator<t.Delivery, void, undefined> {
    return this.each<t.Delivery>(async (token) => {
      const found = await this.listDeliveries(token ? { ...params, token: token } : params, options);
      return { items: found.deliveries ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Read a delivery with its attempts. */
  readDelivery(deliveryId: string, options: CallOptions = {}): Promise<t.DeliveryDetailAnswer> {
    return this.answer<t.DeliveryDetailAnswer>({ method: "GET", path: `/api/v1/webhooks/deliveries/${encodeURIComponent(deliveryId)}` }, options);
  }

  /** Send a delivery again. Due at once, whatever became of it, with its whole schedule before it and the same `webhook-id`. */
  redeliver(deliveryId: string, options: CallOptions = {}): Promise<t.DeliveryAnswer> {
    return this.answer<t.DeliveryAnswer>({ method: "POST", path: `/api/v1/webhooks/deliveries/${encodeURIComponent(deliveryId)}/redeliver` }, options);
  }

  /** Delete an endpoint. Deliveries that wait for it end as CANCELLED. */
  deleteWebhook(webhookId: string, options: CallOptions = {}): Promise<void> {
    return this.send({ method: "DELETE", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}` }, options);
  }

  /** Read an endpoint. */
  readWebhook(webhookId: string, options: CallOptions = {}): Promise<t.WebhookAnswer> {
    return this.answer<t.WebhookAnswer>({ method: "GET", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}` }, options);
  }

  /** List an endpoint's deliveries. Newest first. */
  listWebhookDeliveries(webhookId: string, params: ListWebhookDeliveriesParams = {}, options: CallOptions = {}): Promise<t.DeliveriesAnswer> {
    return this.answer<t.DeliveriesAnswer>({ method: "GET", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`, query: { ...params } }, options);
  }

  /** Every entry of `listWebhookDeliveries`, page by page. */
  listWebhookDeliveriesAll(webhookId: string, params: ListWebhookDeliveriesParams = {}, options: CallOptions = {}): AsyncGenerator<t.Delivery, void, undefined> {
    return this.each<t.Delivery>(async (token) => {
      const found = await this.listWebhookDeliveries(webhookId, token ? { ...params, token: token } : params, options);
      return { items: found.deliveries ?? [], nextToken: found.nextToken ?? null };
    });
  }

  /** Send deliveries of a span again. Makes the deliveries that were created from `since` to `until` and ended as `status` due again, oldest first, with the same `webhook-id`. At most 100,000; the result says when more matched. */
  replayWebhook(webhookId: string, body: t.ReplayBody, options: CallOptions = {}): Promise<t.ReplayAnswer> {
    return this.answer<t.ReplayAnswer>({ method: "POST", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}/replay`, body }, options);
  }

  /** How far a replay is. */
  pollReplay(webhookId: string, replayId: string, options: CallOptions = {}): Promise<t.ReplayPoll> {
    return this.answer<t.ReplayPoll>({ method: "GET", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}/replays/${encodeURIComponent(replayId)}` }, options);
  }

  /** Exchange the signing secret. The old secret signs beside the new one for 24 hours, so a receiver can change over without a gap. */
  rotateSecret(webhookId: string, options: CallOptions = {}): Promise<t.RotateSecretAnswer> {
    return this.answer<t.RotateSecretAnswer>({ method: "POST", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}/rotate-secret` }, options);
  }

  /** Send a test event. A `webhook.test` event goes to this endpoint and to no other. Its delivery is found by `eventId` among the deliveries. */
  testWebhook(webhookId: string, options: CallOptions = {}): Promise<t.TestWebhookAnswer> {
    return this.answer<t.TestWebhookAnswer>({ method: "POST", path: `/api/v1/webhooks/${encodeURIComponent(webhookId)}/test` }, options);
  }

  /** List the runs on a lead. The lead's full history, newest first, not paged. */
  listRuns(params: ListRunsParams, options: CallOptions = {}): Promise<t.RunsAnswer> {
    return this.answer<t.RunsAnswer>({ method: "GET", path: `/api/v1/workflow-runs`, query: { ...params } }, options);
  }

  /** Create a workflow run. The run is ACTIVE; depending on the type of its workflow the agent begins to write to the lead. */
  createRun(body: t.RunBody, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "POST", path: `/api/v1/workflow-runs`, body }, options);
  }

  /** Get a workflow run. */
  readRun(workflowRunId: string, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "GET", path: `/api/v1/workflow-runs/${encodeURIComponent(workflowRunId)}` }, options);
  }

  /** Cancel a workflow run. The agent stops and queued messages are cancelled. A cancelled run stays as it is. */
  cancelRun(workflowRunId: string, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "POST", path: `/api/v1/workflow-runs/${encodeURIComponent(workflowRunId)}/cancel` }, options);
  }

  /** Complete a workflow run. Where its workflow permits that by hand. Emits workflow_run.completed, then lead.completed when the workflow completes the lead. A completed run stays as it is. */
  completeRun(workflowRunId: string, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "POST", path: `/api/v1/workflow-runs/${encodeURIComponent(workflowRunId)}/complete` }, options);
  }

  /** Pause a workflow run. Outreach stops and queued messages are cancelled; replies of the lead are still answered. A paused run stays as it is. */
  pauseRun(workflowRunId: string, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "POST", path: `/api/v1/workflow-runs/${encodeURIComponent(workflowRunId)}/pause` }, options);
  }

  /** Resume a workflow run. The agent looks at the lead anew; what was queued before the pause is not sent. An active run stays as it is. */
  resumeRun(workflowRunId: string, options: CallOptions = {}): Promise<t.RunAnswer> {
    return this.answer<t.RunAnswer>({ method: "POST", path: `/api/v1/workflow-runs/${encodeURIComponent(workflowRunId)}/resume` }, options);
  }

  /** List workflows. Oldest first. Those taken out of the configuration are not listed; their open runs go on. */
  listWorkflows(options: CallOptions = {}): Promise<t.WorkflowsAnswer> {
    return this.answer<t.WorkflowsAnswer>({ method: "GET", path: `/api/v1/workflows` }, options);
  }

  /** Read the workspace. As applied, with its file, as `dossier export` prints it. Applying the file changes nothing. For admins; not for test keys. */
  readWorkspace(options: CallOptions = {}): Promise<t.WorkspaceAnswer> {
    return this.answer<t.WorkspaceAnswer>({ method: "GET", path: `/api/v1/workspace` }, options);
  }

  /** List pipelines. Built-in ones and the workspace's chains, each with JSON Schemas of parameters and result. */
  listPipelines(options: CallOptions = {}): Promise<t.PipelinesAnswer> {
    return this.answer<t.PipelinesAnswer>({ method: "GET", path: `/pipelines` }, options);
  }

  /** Cancel a pipeline run. */
  cancelPipeline(pipelineId: string, params: CancelPipelineParams, options: CallOptions = {}): Promise<t.PipelineRun> {
    return this.answer<t.PipelineRun>({ method: "DELETE", path: `/pipelines/run/${encodeURIComponent(pipelineId)}`, query: { ...params } }, options);
  }

  /** Poll a pipeline result. */
  pollPipeline(pipelineId: string, params: PollPipelineParams, options: CallOptions = {}): Promise<t.PipelineRun> {
    return this.answer<t.PipelineRun>({ method: "GET", path: `/pipelines/run/${encodeURIComponent(pipelineId)}`, query: { ...params } }, options);
  }

  /** Start a pipeline run. Which parameters are wanted depends on the pipeline; `GET /pipelines` has their schemas. With `webhookId` the outcome is also sent to that registration. */
  startPipeline(pipelineId: string, body: t.PipelineBody, options: CallOptions = {}): Promise<t.StartPipelineAnswer> {
    return this.answer<t.StartPipelineAnswer>({ method: "POST", path: `/pipelines/run/${encodeURIComponent(pipelineId)}`, body }, options);
  }

  /** Register an endpoint, or change one. Without `id` a registration is made and `url` is required. With `id` only what is sent is changed: without `headers` they stay, `[]` clears them. Header values are never shown again. */
  saveWebhook(body: t.WebhookBody, options: CallOptions = {}): Promise<t.SaveWebhookAnswer> {
    return this.answer<t.SaveWebhookAnswer>({ method: "POST", path: `/save-webhook`, body }, options);
  }
}
