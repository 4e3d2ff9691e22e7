// Code generated from the OpenAPI document by make clients. DO NOT EDIT.

package dossier

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// AnalyticsParams are the parameters of Analytics. A zero value is not sent.
type AnalyticsParams struct {
	// Leads created at or after this moment.
	Start time.Time
	// Leads created at or before this moment; not before `start`.
	End time.Time
	// json (default) or csv.
	Format ReportFormat
	// `nextToken` of the answer before, with the same `start` and `end`; only with format=json.
	Token string
}

func (p AnalyticsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "start", p.Start)
	addQuery(values, "end", p.End)
	addQuery(values, "format", p.Format)
	addQuery(values, "token", p.Token)
	return values
}

// Analytics: Aggregate and per-lead analytics. `totals` cover every lead that was created from `start` to `end`,
// both included, and are on each page; `breakdown` has up to 500 leads a page, oldest first. Of messages those
// count that were received, or sent or delivered. Of checklist items those that are required and visible to the
// lead; `bySource` says who gave the completed ones. Counts are exact at every moment. After a change that touches
// more than 20,000 leads at once, such as one of everybody's checklist, the answer is 503 with `Retry-After` until
// they have been counted. With `format=csv` the same breakdown of all leads is written to a file, one row per lead.
// The answer comes when the file is whole; after 25 seconds it is 202 with the address to poll.
func (c *Client) Analytics(ctx context.Context, params AnalyticsParams, options ...CallOption) (AnalyticsResult, error) {
	return answer[AnalyticsResult](ctx, c, request{method: "GET", path: "/api/v0/analytics", query: params.values()}, options)
}

// AnalyticsAll is every entry of Analytics, page by page. It ends with the first error.
func (c *Client) AnalyticsAll(ctx context.Context, params AnalyticsParams, options ...CallOption) iter.Seq2[ReportLead, error] {
	return each(func(token string) ([]ReportLead, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.Analytics(ctx, params, options...)
		return found.Breakdown, textOf(found.NextToken), err
	})
}

// ReadActionLog: Get an action log.
func (c *Client) ReadActionLog(ctx context.Context, actionLogID string, options ...CallOption) (ActionLogAnswer, error) {
	return answer[ActionLogAnswer](ctx, c, request{method: "GET", path: "/api/v1/action-logs/" + url.PathEscape(actionLogID)}, options)
}

// CreateActivity: Create an activity entry. The entry is shown on the timeline and read by agents. A repeat without
// Idempotency-Key writes another.
func (c *Client) CreateActivity(ctx context.Context, body ActivityBody, options ...CallOption) (ActivityAnswer, error) {
	return answer[ActivityAnswer](ctx, c, request{method: "POST", path: "/api/v1/activity", body: body}, options)
}

// ListAgents: List agents. Oldest first.
func (c *Client) ListAgents(ctx context.Context, options ...CallOption) (AgentsAnswer, error) {
	return answer[AgentsAnswer](ctx, c, request{method: "GET", path: "/api/v1/agents"}, options)
}

// ListKeysParams are the parameters of ListKeys. A zero value is not sent.
type ListKeysParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListKeysParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListKeys: List API keys. Newest first, revoked ones too.
func (c *Client) ListKeys(ctx context.Context, params ListKeysParams, options ...CallOption) (KeysAnswer, error) {
	return answer[KeysAnswer](ctx, c, request{method: "GET", path: "/api/v1/api-keys", query: params.values()}, options)
}

// ListKeysAll is every entry of ListKeys, page by page. It ends with the first error.
func (c *Client) ListKeysAll(ctx context.Context, params ListKeysParams, options ...CallOption) iter.Seq2[ApiKey, error] {
	return each(func(token string) ([]ApiKey, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListKeys(ctx, params, options...)
		return found.APIKeys, textOf(found.NextToken), err
	})
}

// CreateKey: Create an API key. Writes an audit entry. Scopes default to read and write; write includes read, admin
// includes both.
func (c *Client) CreateKey(ctx context.Context, body KeyBody, options ...CallOption) (CreateKeyAnswer, error) {
	return answer[CreateKeyAnswer](ctx, c, request{method: "POST", path: "/api/v1/api-keys", body: body}, options)
}

// RevokeKey: Revoke an API key. The key stops working within seconds. A repeat changes nothing. Writes an audit
// entry.
func (c *Client) RevokeKey(ctx context.Context, apiKeyID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/api-keys/" + url.PathEscape(apiKeyID)}, options)
}

// ArtifactContent: Download an artifact. The raw file. The ETag is the SHA-256 of its bytes. An artifact that a
// regeneration replaced is gone.
func (c *Client) ArtifactContent(ctx context.Context, artifactID string, options ...CallOption) (*Content, error) {
	return download(ctx, c, request{method: "GET", path: "/api/v1/artifacts/" + url.PathEscape(artifactID) + "/content"}, options)
}

// ListAuditParams are the parameters of ListAudit. A zero value is not sent.
type ListAuditParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
	// Keep these acts.
	Action AuditAction
	// Keep acts of this key, person or lead: an id or a name, exactly.
	Actor string
	// Keep acts of this API key.
	KeyID string
	// Keep what was done to this lead, document, key, endpoint or other thing.
	SubjectID string
	// From this moment on.
	Since time.Time
	// Before this moment.
	Until time.Time
}

func (p ListAuditParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	addQuery(values, "action", p.Action)
	addQuery(values, "actor", p.Actor)
	addQuery(values, "keyId", p.KeyID)
	addQuery(values, "subjectId", p.SubjectID)
	addQuery(values, "since", p.Since)
	addQuery(values, "until", p.Until)
	return values
}

// ListAudit: List administrative acts. Newest first. With a test key, those of test leads and of test keys.
func (c *Client) ListAudit(ctx context.Context, params ListAuditParams, options ...CallOption) (AuditAnswer, error) {
	return answer[AuditAnswer](ctx, c, request{method: "GET", path: "/api/v1/audit", query: params.values()}, options)
}

// ListAuditAll is every entry of ListAudit, page by page. It ends with the first error.
func (c *Client) ListAuditAll(ctx context.Context, params ListAuditParams, options ...CallOption) iter.Seq2[AuditEntry, error] {
	return each(func(token string) ([]AuditEntry, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListAudit(ctx, params, options...)
		return found.Entries, textOf(found.NextToken), err
	})
}

// CreateDocumentsForm is the form of CreateDocuments. A zero value is not sent.
type CreateDocumentsForm struct {
	Files               []File
	LeadChecklistItemID string
	LeadID              string
	// JSON array in the order of files: [{externalId?, name?}].
	Metadata string
}

func (f CreateDocumentsForm) parts() []part {
	var parts []part
	parts = addPart(parts, "leadChecklistItemId", f.LeadChecklistItemID)
	parts = addPart(parts, "leadId", f.LeadID)
	parts = addPart(parts, "metadata", f.Metadata)
	parts = addPart(parts, "files", f.Files)
	return parts
}

// CreateDocuments: Upload documents. One to ten files of up to 100 MB each. A file with the same bytes on the same
// lead is stored once and answered with the first document and `duplicateOf`. A file nobody can read is accepted
// and then fails with a reason.
func (c *Client) CreateDocuments(ctx context.Context, form CreateDocumentsForm, options ...CallOption) (CreateDocumentsAnswer, error) {
	return answer[CreateDocumentsAnswer](ctx, c, request{method: "POST", path: "/api/v1/documents", parts: form.parts()}, options)
}

// PresignDocument: Announce a direct upload. Answers where to PUT the bytes. The document is in no list until it is
// completed.
func (c *Client) PresignDocument(ctx context.Context, body PresignBody, options ...CallOption) (PresignAnswer, error) {
	return answer[PresignAnswer](ctx, c, request{method: "POST", path: "/api/v1/documents/presign", body: body}, options)
}

// DeleteDocumentParams are the parameters of DeleteDocument. A zero value is not sent.
type DeleteDocumentParams struct {
	// Erase it at once; needs the scope admin.
	Erase bool
}

func (p DeleteDocumentParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "erase", p.Erase)
	return values
}

// DeleteDocument: Delete a document. The items it served are judged again. Its file and facts are erased after a
// time of grace, as a deleted lead is.
func (c *Client) DeleteDocument(ctx context.Context, documentID string, params DeleteDocumentParams, options ...CallOption) (DeleteDocumentResult, error) {
	return answer[DeleteDocumentResult](ctx, c, request{method: "DELETE", path: "/api/v1/documents/" + url.PathEscape(documentID), query: params.values()}, options)
}

// ReadDocumentParams are the parameters of ReadDocument. A zero value is not sent.
type ReadDocumentParams struct {
	// true adds the file's bytes in base64.
	IncludeContent bool
}

func (p ReadDocumentParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "includeContent", p.IncludeContent)
	return values
}

// ReadDocument: Get a document. With a fresh signed URL and, once read, its classification and facts.
func (c *Client) ReadDocument(ctx context.Context, documentID string, params ReadDocumentParams, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "GET", path: "/api/v1/documents/" + url.PathEscape(documentID), query: params.values()}, options)
}

// AddAssociation: Put a document on an item. A person's word; the machine does not take the document away again. It
// is matched and judged in the background. 200 when it was there already.
func (c *Client) AddAssociation(ctx context.Context, documentID string, body AssociationBody, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "POST", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/associations", body: body}, options)
}

// RemoveAssociation: Take a document from an item. A person's word; the machine does not put it there again. The
// item is judged without it. Together with putting it on another item, this moves a document.
func (c *Client) RemoveAssociation(ctx context.Context, documentID string, associationID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/associations/" + url.PathEscape(associationID)}, options)
}

// OverrideAssociation: Override the verdict on a document. A person's word about one document and one item. It
// stands until the document changes.
func (c *Client) OverrideAssociation(ctx context.Context, documentID string, associationID string, body OverrideBody, options ...CallOption) (OverrideAssociationResult, error) {
	return answer[OverrideAssociationResult](ctx, c, request{method: "PATCH", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/associations/" + url.PathEscape(associationID), body: body}, options)
}

// CompleteDocument: Complete a direct upload. Size and hash of what arrived are checked. A repeat changes nothing.
func (c *Client) CompleteDocument(ctx context.Context, documentID string, body CompleteBody, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "POST", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/complete", body: body}, options)
}

// CorrectDocument: Correct the facts of a document. The whole set of corrections, which takes the place of the one
// before; an empty list takes all away. `facts` then show the corrected values, with `sources[pointer].method`
// `person`, and what the machine read stays in `corrections`. A value that is the machine's own is kept as
// `confirmed` and changes nothing. Checks, verdicts and items follow in the same commit, and spreads that use the
// document are regenerated. Corrections are kept when the document is read again; where a third value is read, the
// state is `conflict`. With `If-Match` (the ETag of the document) nothing changes unless it still holds. `effects`
// lists only what changes; of a spread the cells that its next round will show, with null where there is no figure.
func (c *Client) CorrectDocument(ctx context.Context, documentID string, body CorrectionsBody, options ...CallOption) (CorrectionsAnswer, error) {
	return answer[CorrectionsAnswer](ctx, c, request{method: "PUT", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/corrections", body: body}, options)
}

// EraseDocument: Erase a document. As a lead is erased: the document is gone with the answer, its file and facts
// when the erasure is COMPLETE. Its items are judged again, and spreads that used it are made anew without it,
// FAILED when none is left.
func (c *Client) EraseDocument(ctx context.Context, documentID string, body EraseBody, options ...CallOption) (EraseDocumentResult, error) {
	return answer[EraseDocumentResult](ctx, c, request{method: "POST", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/erase", body: body}, options)
}

// ReadPagePictureParams are the parameters of ReadPagePicture. A zero value is not sent.
type ReadPagePictureParams struct {
	// How wide the picture is in pixels, 100 to 2400; 1200 unless told.
	Width int
}

func (p ReadPagePictureParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "width", p.Width)
	return values
}

// ReadPagePicture: Get the picture of a page. A PNG of the page as people see it, drawn in the parser's sandbox and
// kept; tables, texts and mails are drawn too. What stands on the page at a share of its width and height
// (`extraction.pages`) stands there in the picture. The first call for a page waits for its drawing. Send the ETag
// as `If-None-Match` to fetch it only once. Pictures of identity documents and of pages with numbers that facts
// mask are noted in the audit (`document.page_read`).
func (c *Client) ReadPagePicture(ctx context.Context, documentID string, page string, params ReadPagePictureParams, options ...CallOption) (*Content, error) {
	return download(ctx, c, request{method: "GET", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/pages/" + url.PathEscape(page), query: params.values()}, options)
}

// ReadPageWords: Get the words of a page. The words or cells that were read on a page, in reading order, with the
// box of each in the unit of `extraction.pages`. A cell's box is its name, and `rect` is where it stands, as
// fractions of the page. Social security numbers are masked.
func (c *Client) ReadPageWords(ctx context.Context, documentID string, page string, options ...CallOption) (PageWordsAnswer, error) {
	return answer[PageWordsAnswer](ctx, c, request{method: "GET", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/pages/" + url.PathEscape(page) + "/words"}, options)
}

// SetDocumentParts: Say which documents a file has. Joins, splits and retypes the documents of a file. Each part is
// a range of pages, first and last; pages in no part stay out. The parts are read again as what they are said to
// be, and stay so when the document is reprocessed. Corrections of parts whose pages did not change are kept,
// others go.
func (c *Client) SetDocumentParts(ctx context.Context, documentID string, body PartsBody, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "PUT", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/parts", body: body}, options)
}

// SetDocumentParty: Say whose a document of a file is. Reading finds it by name and number. What is said here
// stays, also when the file is read again; null says that it is nobody's.
func (c *Client) SetDocumentParty(ctx context.Context, documentID string, part string, body DocumentPartBody, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "PATCH", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/parts/" + url.PathEscape(part), body: body}, options)
}

// ReprocessDocument: Read a document again.
func (c *Client) ReprocessDocument(ctx context.Context, documentID string, options ...CallOption) (DocumentAnswer, error) {
	return answer[DocumentAnswer](ctx, c, request{method: "POST", path: "/api/v1/documents/" + url.PathEscape(documentID) + "/reprocess"}, options)
}

// ListErasuresParams are the parameters of ListErasures. A zero value is not sent.
type ListErasuresParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
	// Keep those in this state.
	Status ErasureStatus
	// Keep those of this lead and of its documents, which may be gone.
	LeadID string
}

func (p ListErasuresParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	addQuery(values, "status", p.Status)
	addQuery(values, "leadId", p.LeadID)
	return values
}

// ListErasures: List erasures. Newest first. Deleting a lead or a document makes one, due after its grace.
func (c *Client) ListErasures(ctx context.Context, params ListErasuresParams, options ...CallOption) (ErasuresAnswer, error) {
	return answer[ErasuresAnswer](ctx, c, request{method: "GET", path: "/api/v1/erasures", query: params.values()}, options)
}

// ListErasuresAll is every entry of ListErasures, page by page. It ends with the first error.
func (c *Client) ListErasuresAll(ctx context.Context, params ListErasuresParams, options ...CallOption) iter.Seq2[Erasure, error] {
	return each(func(token string) ([]Erasure, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListErasures(ctx, params, options...)
		return found.Erasures, textOf(found.NextToken), err
	})
}

// ReadErasure: Read an erasure.
func (c *Client) ReadErasure(ctx context.Context, erasureID string, options ...CallOption) (ErasureAnswer, error) {
	return answer[ErasureAnswer](ctx, c, request{method: "GET", path: "/api/v1/erasures/" + url.PathEscape(erasureID)}, options)
}

// CancelErasure: Call an erasure off. One that is SCHEDULED or HELD. A lead that is deleted stays deleted, and its
// data is kept.
func (c *Client) CancelErasure(ctx context.Context, erasureID string, options ...CallOption) (ErasureAnswer, error) {
	return answer[ErasureAnswer](ctx, c, request{method: "POST", path: "/api/v1/erasures/" + url.PathEscape(erasureID) + "/cancel"}, options)
}

// ListEscalationsParams are the parameters of ListEscalations. A zero value is not sent.
type ListEscalationsParams struct {
	// Keep those of this lead.
	LeadID string
	// OPEN or RESOLVED.
	Status EscalationStatus
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListEscalationsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "leadId", p.LeadID)
	addQuery(values, "status", p.Status)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListEscalations: List escalations. Newest first.
func (c *Client) ListEscalations(ctx context.Context, params ListEscalationsParams, options ...CallOption) (EscalationsAnswer, error) {
	return answer[EscalationsAnswer](ctx, c, request{method: "GET", path: "/api/v1/escalations", query: params.values()}, options)
}

// ListEscalationsAll is every entry of ListEscalations, page by page. It ends with the first error.
func (c *Client) ListEscalationsAll(ctx context.Context, params ListEscalationsParams, options ...CallOption) iter.Seq2[Escalation, error] {
	return each(func(token string) ([]Escalation, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListEscalations(ctx, params, options...)
		return found.Escalations, textOf(found.NextToken), err
	})
}

// ResolveEscalation: Resolve an escalation. In the name of `x-actor`. Repeated it changes nothing.
func (c *Client) ResolveEscalation(ctx context.Context, escalationID string, body ResolveBody, options ...CallOption) (EscalationAnswer, error) {
	return answer[EscalationAnswer](ctx, c, request{method: "POST", path: "/api/v1/escalations/" + url.PathEscape(escalationID) + "/resolve", body: body}, options)
}

// ListEventsParams are the parameters of ListEvents. A zero value is not sent.
type ListEventsParams struct {
	// Id of the last event you have.
	After string
	// From this moment on.
	Since time.Time
	// Only events of this type.
	Type EventType
	// 1 to 200, default 50.
	Limit int
	// With `true` the last `limit` events instead of the first; they are oldest first, too.
	Tail bool
}

func (p ListEventsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "after", p.After)
	addQuery(values, "since", p.Since)
	addQuery(values, "type", p.Type)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "tail", p.Tail)
	return values
}

// ListEvents: List events. Oldest first, in the order of their commits, of the last 30 days. Poll with the last
// `nextToken` as `after`: an event becomes readable only when no earlier one can still appear, so nothing is
// missed. On an empty page keep the token you have. To begin with what happens next, ask once for
// `tail=true&limit=1` and go on after that event.
func (c *Client) ListEvents(ctx context.Context, params ListEventsParams, options ...CallOption) (EventsAnswer, error) {
	return answer[EventsAnswer](ctx, c, request{method: "GET", path: "/api/v1/events", query: params.values()}, options)
}

// ListEventsAll is every entry of ListEvents, page by page. It ends with the first error.
func (c *Client) ListEventsAll(ctx context.Context, params ListEventsParams, options ...CallOption) iter.Seq2[Event, error] {
	return each(func(token string) ([]Event, string, error) {
		if token != "" {
			params.After = token
		}
		found, err := c.ListEvents(ctx, params, options...)
		return found.Events, textOf(found.NextToken), err
	})
}

// ListImportsParams are the parameters of ListImports. A zero value is not sent.
type ListImportsParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListImportsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListImports: List imports. Newest first, of the last 30 days. Errors of those that run are only in the single
// import.
func (c *Client) ListImports(ctx context.Context, params ListImportsParams, options ...CallOption) (ImportsAnswer, error) {
	return answer[ImportsAnswer](ctx, c, request{method: "GET", path: "/api/v1/imports", query: params.values()}, options)
}

// ListImportsAll is every entry of ListImports, page by page. It ends with the first error.
func (c *Client) ListImportsAll(ctx context.Context, params ListImportsParams, options ...CallOption) iter.Seq2[ImportView, error] {
	return each(func(token string) ([]ImportView, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListImports(ctx, params, options...)
		return found.Imports, textOf(found.NextToken), err
	})
}

// CreateImportForm is the form of CreateImport. A zero value is not sent.
type CreateImportForm struct {
	// A ZIP of the documents that the table names, up to 1 GiB.
	Archive File
	// true: nothing is made; the counts and the report say what would be.
	DryRun bool
	// The table, up to 200 MiB.
	File File
}

func (f CreateImportForm) parts() []part {
	var parts []part
	parts = addPart(parts, "dryRun", f.DryRun)
	parts = addPart(parts, "archive", f.Archive)
	parts = addPart(parts, "file", f.File)
	return parts
}

// CreateImport: Import leads. A CSV file in UTF-8 whose first row names the columns: the fields of a lead as they
// are created, `tags` and `documents` (several are separated by `;`), and `checklist.<CODE>` for values of the
// checklist. `documents` names files of `archive`, a ZIP. A row with the `externalLeadId` of a lead that is there
// changes that lead, and an empty cell leaves its field as it is; so the same file may be sent again. A row without
// it is always a new lead. What is wrong with the first row is answered here; a row that is wrong is refused alone:
// with a cell that looks like a formula (`formula_cell`) or is too long (`too_long`), a value that is not allowed
// (`invalid_value`), a code that is not there (`unknown_code`), a document that is not in the archive
// (`file_missing`). With a test key all leads are test leads.
func (c *Client) CreateImport(ctx context.Context, form CreateImportForm, options ...CallOption) (ImportAnswer, error) {
	return answer[ImportAnswer](ctx, c, request{method: "POST", path: "/api/v1/imports", parts: form.parts()}, options)
}

// ReadImport: Get an import. How far an import is. `errors` has the first 1,000; the report has all.
func (c *Client) ReadImport(ctx context.Context, importID string, options ...CallOption) (ImportAnswer, error) {
	return answer[ImportAnswer](ctx, c, request{method: "GET", path: "/api/v1/imports/" + url.PathEscape(importID)}, options)
}

// ListInboxParams are the parameters of ListInbox. A zero value is not sent.
type ListInboxParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListInboxParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListInbox: List messages from unknown senders. What arrived from addresses and numbers of no lead, newest first.
func (c *Client) ListInbox(ctx context.Context, params ListInboxParams, options ...CallOption) (MessagesAnswer, error) {
	return answer[MessagesAnswer](ctx, c, request{method: "GET", path: "/api/v1/inbox", query: params.values()}, options)
}

// ListInboxAll is every entry of ListInbox, page by page. It ends with the first error.
func (c *Client) ListInboxAll(ctx context.Context, params ListInboxParams, options ...CallOption) iter.Seq2[Message, error] {
	return each(func(token string) ([]Message, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListInbox(ctx, params, options...)
		return found.Messages, textOf(found.NextToken), err
	})
}

// ListLeadsParams are the parameters of ListLeads. A zero value is not sent.
type ListLeadsParams struct {
	// Keep the leads with these ids; comma-separated or repeated. Ids of no lead of the workspace are passed over.
	IDs []string
	// Keep leads with any of these tags, without case; comma-separated or repeated.
	Tags []string
	// Hide leads with any of these tags; wins over tags.
	ExcludeTags []string
	// Keep leads with one of these statuses.
	Status []LeadStatus
	// Keep the lead with this external id.
	ExternalLeadID string
	// Keep leads with this email address, without case.
	Email string
	// Keep leads with this phone number, however it is written.
	PhoneNumber string
	// Part of a name, business name, email, phone number or external id.
	Q string
	// Keep leads changed at or after this time.
	UpdatedSince time.Time
	// Live leads, test leads, or all; live ones when left out. A test key has test leads only: `all` means these, and
	// there are no live ones.
	Mode Mode
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListLeadsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "ids", p.IDs)
	addQuery(values, "tags", p.Tags)
	addQuery(values, "excludeTags", p.ExcludeTags)
	addQuery(values, "status", p.Status)
	addQuery(values, "externalLeadId", p.ExternalLeadID)
	addQuery(values, "email", p.Email)
	addQuery(values, "phoneNumber", p.PhoneNumber)
	addQuery(values, "q", p.Q)
	addQuery(values, "updatedSince", p.UpdatedSince)
	addQuery(values, "mode", p.Mode)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListLeads: List leads. A bare array, newest first. The next page is in the headers `Link` (rel="next") and
// `X-Next-Token`. Filters are combined; counts are of visible items.
func (c *Client) ListLeads(ctx context.Context, params ListLeadsParams, options ...CallOption) (Page[ListedLead], error) {
	return page[ListedLead](ctx, c, request{method: "GET", path: "/api/v1/leads", query: params.values()}, options)
}

// ListLeadsAll is every entry of ListLeads, page by page. It ends with the first error.
func (c *Client) ListLeadsAll(ctx context.Context, params ListLeadsParams, options ...CallOption) iter.Seq2[ListedLead, error] {
	return each(func(token string) ([]ListedLead, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListLeads(ctx, params, options...)
		return found.Items, found.NextToken, err
	})
}

// CreateLead: Create a lead. Needs at least one of firstName, lastName, businessName, email, phoneNumber. Puts the
// workspace's checklist template on the lead and makes its portal link. A test key makes test leads.
func (c *Client) CreateLead(ctx context.Context, body CreateLeadBody, options ...CallOption) (LeadAnswer, error) {
	return answer[LeadAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads", body: body}, options)
}

// UpdateLead: Update a lead. Changes only the fields that are present, and items of the checklist by code, in one
// call and one commit. `null` clears a field that may be empty. Writes one API_ACTIVITY action log with everything;
// an entry of `checklistItems` with an unknown code is in it with `success: false` and a `reason`, and the call
// succeeds. COMPLETED skips required items still open, IN_PROGRESS undoes exactly that. With `If-Match` nothing is
// changed unless the lead still has that `ETag`. With `x-actor` values count as given by a person.
func (c *Client) UpdateLead(ctx context.Context, body UpdateLeadBody, options ...CallOption) (LeadAnswer, error) {
	return answer[LeadAnswer](ctx, c, request{method: "PUT", path: "/api/v1/leads", body: body}, options)
}

// DeleteLeadParams are the parameters of DeleteLead. A zero value is not sent.
type DeleteLeadParams struct {
	// Erase its data at once; needs the scope admin.
	Erase bool
}

func (p DeleteLeadParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "erase", p.Erase)
	return values
}

// DeleteLead: Delete a lead. The lead is hidden everywhere; its open runs are cancelled, messages and jobs stopped,
// its portal link ends. Its data is erased after a time of grace, 30 days unless the workspace says otherwise, and
// not before the floor of its retention.
func (c *Client) DeleteLead(ctx context.Context, leadID string, params DeleteLeadParams, options ...CallOption) (DeleteLeadResult, error) {
	return answer[DeleteLeadResult](ctx, c, request{method: "DELETE", path: "/api/v1/leads/" + url.PathEscape(leadID), query: params.values()}, options)
}

// ReadLead: Get a lead. What update answers, and all documents of the lead with fresh signed URLs. The `ETag` is
// the lead's version, for `If-Match` of an update.
func (c *Client) ReadLead(ctx context.Context, leadID string, options ...CallOption) (ReadLeadAnswer, error) {
	return answer[ReadLeadAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID)}, options)
}

// TimelineParams are the parameters of Timeline. A zero value is not sent.
type TimelineParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p TimelineParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// Timeline: Read a lead's timeline. Newest first.
func (c *Client) Timeline(ctx context.Context, leadID string, params TimelineParams, options ...CallOption) (TimelineAnswer, error) {
	return answer[TimelineAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/activity", query: params.values()}, options)
}

// TimelineAll is every entry of Timeline, page by page. It ends with the first error.
func (c *Client) TimelineAll(ctx context.Context, leadID string, params TimelineParams, options ...CallOption) iter.Seq2[ActionLog, error] {
	return each(func(token string) ([]ActionLog, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.Timeline(ctx, leadID, params, options...)
		return found.Activity, textOf(found.NextToken), err
	})
}

// ReadChecklistParams are the parameters of ReadChecklist. A zero value is not sent.
type ReadChecklistParams struct {
	// Show social security numbers in full.
	Reveal bool
}

func (p ReadChecklistParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "reveal", p.Reveal)
	return values
}

// ReadChecklist: Get the lead's checklist. A bare array of groups in the template's order; items made for this lead
// are last, in the group ADDITIONAL_ITEMS. Hidden items are there with `visible` false. An SSN is masked;
// `reveal=true` shows it in full, needs the scope admin and writes an audit entry.
func (c *Client) ReadChecklist(ctx context.Context, leadID string, params ReadChecklistParams, options ...CallOption) ([]ChecklistGroup, error) {
	return answer[[]ChecklistGroup](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/checklist", query: params.values()}, options)
}

// CreateLeadItem: Create a checklist item for one lead. A one-off requirement; the template and other leads are not
// touched. Without a code one is made from the label.
func (c *Client) CreateLeadItem(ctx context.Context, leadID string, body NewItemBody, options ...CallOption) (LeadItemAnswer, error) {
	return answer[LeadItemAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/checklist-items", body: body}, options)
}

// DeleteLeadItem: Delete a checklist item of one lead. Documents that served it stay with the lead.
func (c *Client) DeleteLeadItem(ctx context.Context, leadID string, checklistItemID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/checklist-items/" + url.PathEscape(checklistItemID)}, options)
}

// ChangeLeadItem: Change a checklist item of one lead. Only what is present changes. With a new config, new rules
// or another party what the item holds is judged again.
func (c *Client) ChangeLeadItem(ctx context.Context, leadID string, checklistItemID string, body ItemChangeBody, options ...CallOption) (LeadItemAnswer, error) {
	return answer[LeadItemAnswer](ctx, c, request{method: "PATCH", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/checklist-items/" + url.PathEscape(checklistItemID), body: body}, options)
}

// ListDebts: List what the parties owe. Debts are those that were given by hand; nothing is made of what lenders'
// statements print. A business without any counts interest and current maturities of its statements in a global
// cash flow.
func (c *Client) ListDebts(ctx context.Context, leadID string, options ...CallOption) (DebtsAnswer, error) {
	return answer[DebtsAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/debts"}, options)
}

// PutDebts: Say what the parties owe. Replaces all debts that were given by hand. One with the id of such a debt is
// that debt, changed.
func (c *Client) PutDebts(ctx context.Context, leadID string, body DebtsBody, options ...CallOption) (DebtsAnswer, error) {
	return answer[DebtsAnswer](ctx, c, request{method: "PUT", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/debts", body: body}, options)
}

// ListDocumentsParams are the parameters of ListDocuments. A zero value is not sent.
type ListDocumentsParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListDocumentsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListDocuments: List a lead's documents. A bare array, newest first. Signed URLs expire after 1 hour. The next
// page is in `Link` and `X-Next-Token`.
func (c *Client) ListDocuments(ctx context.Context, leadID string, params ListDocumentsParams, options ...CallOption) (Page[ListedDocument], error) {
	return page[ListedDocument](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/documents", query: params.values()}, options)
}

// ListDocumentsAll is every entry of ListDocuments, page by page. It ends with the first error.
func (c *Client) ListDocumentsAll(ctx context.Context, leadID string, params ListDocumentsParams, options ...CallOption) iter.Seq2[ListedDocument, error] {
	return each(func(token string) ([]ListedDocument, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListDocuments(ctx, leadID, params, options...)
		return found.Items, found.NextToken, err
	})
}

// EraseLead: Erase a lead. The lead is gone with the answer; the rest when the erasure is COMPLETE. While a hold
// stands it is HELD, and the lead stays. A repeat while it is open answers the same erasure. Works for a deleted
// lead that is not erased yet, too. With `dryRun` nothing changes, and 200 answers `counts`: what would go.
func (c *Client) EraseLead(ctx context.Context, leadID string, body EraseBody, options ...CallOption) (EraseLeadResult, error) {
	return answer[EraseLeadResult](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/erase", body: body}, options)
}

// CreateEscalation: Escalate a lead.
func (c *Client) CreateEscalation(ctx context.Context, leadID string, body EscalationBody, options ...CallOption) (EscalationAnswer, error) {
	return answer[EscalationAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/escalations", body: body}, options)
}

// ListHoldsParams are the parameters of ListHolds. A zero value is not sent.
type ListHoldsParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListHoldsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListHolds: List the holds of a lead. Newest first, released ones too.
func (c *Client) ListHolds(ctx context.Context, leadID string, params ListHoldsParams, options ...CallOption) (HoldsAnswer, error) {
	return answer[HoldsAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/holds", query: params.values()}, options)
}

// ListHoldsAll is every entry of ListHolds, page by page. It ends with the first error.
func (c *Client) ListHoldsAll(ctx context.Context, leadID string, params ListHoldsParams, options ...CallOption) iter.Seq2[Hold, error] {
	return each(func(token string) ([]Hold, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListHolds(ctx, leadID, params, options...)
		return found.Holds, textOf(found.NextToken), err
	})
}

// CreateHold: Put a lead on hold. Erasures of the lead that have not begun are HELD. Works for a deleted lead that
// is not erased yet, too.
func (c *Client) CreateHold(ctx context.Context, leadID string, body HoldBody, options ...CallOption) (HoldAnswer, error) {
	return answer[HoldAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/holds", body: body}, options)
}

// ReleaseHold: Release a hold. It stays in the list. With the last one, erasures that waited go on. A repeat
// changes nothing.
func (c *Client) ReleaseHold(ctx context.Context, leadID string, holdID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/holds/" + url.PathEscape(holdID)}, options)
}

// ListMessagesParams are the parameters of ListMessages. A zero value is not sent.
type ListMessagesParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListMessagesParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListMessages: List a lead's messages. Newest first, both directions.
func (c *Client) ListMessages(ctx context.Context, leadID string, params ListMessagesParams, options ...CallOption) (MessagesAnswer, error) {
	return answer[MessagesAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/messages", query: params.values()}, options)
}

// ListMessagesAll is every entry of ListMessages, page by page. It ends with the first error.
func (c *Client) ListMessagesAll(ctx context.Context, leadID string, params ListMessagesParams, options ...CallOption) iter.Seq2[Message, error] {
	return each(func(token string) ([]Message, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListMessages(ctx, leadID, params, options...)
		return found.Messages, textOf(found.NextToken), err
	})
}

// CreateDraft: Draft a message. A message to a lead that is not sent. A person approves, edits or rejects it, as an
// agent's draft.
func (c *Client) CreateDraft(ctx context.Context, leadID string, body DraftBody, options ...CallOption) (MessageAnswer, error) {
	return answer[MessageAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/messages", body: body}, options)
}

// ReadOwnership: See who owns whom. What was given by hand, and of every other pair what its newest Schedule K-1
// says. A K-1 that would close a circle, or make the shares of a party more than the whole, is left out.
func (c *Client) ReadOwnership(ctx context.Context, leadID string, options ...CallOption) (OwnershipAnswer, error) {
	return answer[OwnershipAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/ownership"}, options)
}

// PutOwnership: Say who owns whom. Replaces all shares that were given by hand. Those of K-1s stay beside them; one
// for the same pair gives way. An entry with the source k1 must say what a K-1 says, and changes nothing.
func (c *Client) PutOwnership(ctx context.Context, leadID string, body OwnershipBody, options ...CallOption) (OwnershipAnswer, error) {
	return answer[OwnershipAnswer](ctx, c, request{method: "PUT", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/ownership", body: body}, options)
}

// ListParties: List the parties of a lead. The primary one first, then the oldest first. There are at most 100.
func (c *Client) ListParties(ctx context.Context, leadID string, options ...CallOption) (PartiesAnswer, error) {
	return answer[PartiesAnswer](ctx, c, request{method: "GET", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/parties"}, options)
}

// CreateParty: Add a party. Documents that were read before are looked through for those of the new party.
func (c *Client) CreateParty(ctx context.Context, leadID string, body PartyBody, options ...CallOption) (PartyAnswer, error) {
	return answer[PartyAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/parties", body: body}, options)
}

// DeleteParty: Delete a party. Its shares go with it, and documents of it are nobody's again.
func (c *Client) DeleteParty(ctx context.Context, leadID string, partyID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/parties/" + url.PathEscape(partyID)}, options)
}

// UpdateParty: Change a party. Only what is present changes. A name that was given to the primary party no longer
// follows the lead's.
func (c *Client) UpdateParty(ctx context.Context, leadID string, partyID string, body PartyChangeBody, options ...CallOption) (PartyAnswer, error) {
	return answer[PartyAnswer](ctx, c, request{method: "PATCH", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/parties/" + url.PathEscape(partyID), body: body}, options)
}

// RevokePortalLinkParams are the parameters of RevokePortalLink. A zero value is not sent.
type RevokePortalLinkParams struct {
	// Id of a party: its page, not the lead's own.
	PartyID string
}

func (p RevokePortalLinkParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "partyId", p.PartyID)
	return values
}

// RevokePortalLink: End the portal link. The page is closed at once. `POST` here makes another link, and so does
// the next message to the lead for its own page.
func (c *Client) RevokePortalLink(ctx context.Context, leadID string, params RevokePortalLinkParams, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/portal-link", query: params.values()}, options)
}

// RenewPortalLink: Get or renew the portal link. An unexpired link is answered again; `rotate` ends it and makes
// another. With `partyId` it is the page of that party, which has the party's own items only; the lead's own page
// has those that name nobody or the primary party. Links of the other pages stay as they are.
func (c *Client) RenewPortalLink(ctx context.Context, leadID string, body PortalLinkBody, options ...CallOption) (PortalLinkAnswer, error) {
	return answer[PortalLinkAnswer](ctx, c, request{method: "POST", path: "/api/v1/leads/" + url.PathEscape(leadID) + "/portal-link", body: body}, options)
}

// ReadMe: Who calls. A person with its session and roles, or an API key; the other is null.
func (c *Client) ReadMe(ctx context.Context, options ...CallOption) (MeAnswer, error) {
	return answer[MeAnswer](ctx, c, request{method: "GET", path: "/api/v1/me"}, options)
}

// ApproveMessage: Approve a draft. It is sent at once, or at the end of the lead's quiet hours. Approved with a
// test key it is cancelled when its time comes.
func (c *Client) ApproveMessage(ctx context.Context, messageID string, options ...CallOption) (MessageAnswer, error) {
	return answer[MessageAnswer](ctx, c, request{method: "POST", path: "/api/v1/messages/" + url.PathEscape(messageID) + "/approve"}, options)
}

// EditMessage: Edit a draft. It stays a draft. Counted as an intervention.
func (c *Client) EditMessage(ctx context.Context, messageID string, body EditBody, options ...CallOption) (MessageAnswer, error) {
	return answer[MessageAnswer](ctx, c, request{method: "POST", path: "/api/v1/messages/" + url.PathEscape(messageID) + "/edit", body: body}, options)
}

// RejectMessage: Reject a draft. It is not sent; the agent asks again at its next follow-up. Counted as an
// intervention.
func (c *Client) RejectMessage(ctx context.Context, messageID string, body RejectBody, options ...CallOption) (MessageAnswer, error) {
	return answer[MessageAnswer](ctx, c, request{method: "POST", path: "/api/v1/messages/" + url.PathEscape(messageID) + "/reject", body: body}, options)
}

// ListPeople: List people. Who has a role in the workspace, by address, the highest role of each: by the
// workspace's file, by `dossier people add`, or by a group at the last sign-in. For admins; not for test keys.
func (c *Client) ListPeople(ctx context.Context, options ...CallOption) (PeopleAnswer, error) {
	return answer[PeopleAnswer](ctx, c, request{method: "GET", path: "/api/v1/people"}, options)
}

// ListRequestsParams are the parameters of ListRequests. A zero value is not sent.
type ListRequestsParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
	// A status such as `404`, or a class of them such as `4xx`.
	Status string
	// Part of a route, such as `leads`.
	Route string
	// Calls with this API key.
	KeyID string
	// From this moment on.
	Since time.Time
}

func (p ListRequestsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	addQuery(values, "status", p.Status)
	addQuery(values, "route", p.Route)
	addQuery(values, "keyId", p.KeyID)
	addQuery(values, "since", p.Since)
	return values
}

// ListRequests: List requests. Newest first, of the last seven days, and without bodies. A call is here within five
// seconds. Calls without a valid key, and those of leads' pages and of providers of messages, are not. With a test
// key, the calls of test keys.
func (c *Client) ListRequests(ctx context.Context, params ListRequestsParams, options ...CallOption) (RequestsAnswer, error) {
	return answer[RequestsAnswer](ctx, c, request{method: "GET", path: "/api/v1/requests", query: params.values()}, options)
}

// ListRequestsAll is every entry of ListRequests, page by page. It ends with the first error.
func (c *Client) ListRequestsAll(ctx context.Context, params ListRequestsParams, options ...CallOption) iter.Seq2[LoggedRequest, error] {
	return each(func(token string) ([]LoggedRequest, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListRequests(ctx, params, options...)
		return found.Requests, textOf(found.NextToken), err
	})
}

// ListReviewsParams are the parameters of ListReviews. A zero value is not sent.
type ListReviewsParams struct {
	// OPEN (default), DECIDED or OBSOLETE.
	State ReviewState
	// Keep those of these codes: repeated, or a list with commas.
	Code []ReviewCode
	// Keep those of this address or group; `me` is the caller with its groups.
	Assignee string
	// Keep those of this lead.
	LeadID string
	// Keep those of leads with this in a name, email, phone number or externalLeadId.
	Q string
	// `due` (default), `age` (the oldest first) or `amount` (the largest first).
	Sort ReviewSort
	// Live leads' (default), test leads' or all. A test key has those of test leads.
	Mode Mode
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListReviewsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "state", p.State)
	addQuery(values, "code", p.Code)
	addQuery(values, "assignee", p.Assignee)
	addQuery(values, "leadId", p.LeadID)
	addQuery(values, "q", p.Q)
	addQuery(values, "sort", p.Sort)
	addQuery(values, "mode", p.Mode)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListReviews: List reviews. Open ones, what is due first, unless asked otherwise. `counts` are about all open
// reviews, whatever the list keeps; `mine` are those assigned to the caller or a group of its, or claimed by it.
func (c *Client) ListReviews(ctx context.Context, params ListReviewsParams, options ...CallOption) (ReviewsAnswer, error) {
	return answer[ReviewsAnswer](ctx, c, request{method: "GET", path: "/api/v1/reviews", query: params.values()}, options)
}

// ListReviewsAll is every entry of ListReviews, page by page. It ends with the first error.
func (c *Client) ListReviewsAll(ctx context.Context, params ListReviewsParams, options ...CallOption) iter.Seq2[Review, error] {
	return each(func(token string) ([]Review, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListReviews(ctx, params, options...)
		return found.Reviews, textOf(found.NextToken), err
	})
}

// NextReview: Claim the next review. The most urgent one by priority, dueAt and createdAt that nobody has claimed
// and that is not assigned to somebody else. Never the same to two callers. 204 when there is none.
func (c *Client) NextReview(ctx context.Context, body NextReviewBody, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/next", body: body}, options)
}

// ReviewQualityParams are the parameters of ReviewQuality. A zero value is not sent.
type ReviewQualityParams struct {
	// From this moment on.
	Since time.Time
	// Before this moment.
	Until time.Time
	// Live leads' (default), test leads' or all.
	Mode Mode
}

func (p ReviewQualityParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "since", p.Since)
	addQuery(values, "until", p.Until)
	addQuery(values, "mode", p.Mode)
	return values
}

// ReviewQuality: Read how often readings are right. By docType and field: of the facts that somebody looked at who
// decided a `qa_sample` with accept or correct, and of those corrected outside of samples. A fact that a person
// corrected to another value is wrong. `interval` is that of Wilson, in which `share` lies with 95 % of confidence.
func (c *Client) ReviewQuality(ctx context.Context, params ReviewQualityParams, options ...CallOption) (QualityAnswer, error) {
	return answer[QualityAnswer](ctx, c, request{method: "GET", path: "/api/v1/reviews/quality", query: params.values()}, options)
}

// ReadReview: Read a review.
func (c *Client) ReadReview(ctx context.Context, reviewID string, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "GET", path: "/api/v1/reviews/" + url.PathEscape(reviewID)}, options)
}

// AssignReview: Assign a review.
func (c *Client) AssignReview(ctx context.Context, reviewID string, body AssignBody, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/" + url.PathEscape(reviewID) + "/assign", body: body}, options)
}

// ClaimReview: Claim a review. For two minutes. One's own claim is extended. `takeOver` takes it from somebody
// else; the note goes to the lead's timeline.
func (c *Client) ClaimReview(ctx context.Context, reviewID string, body ClaimBody, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/" + url.PathEscape(reviewID) + "/claim", body: body}, options)
}

// DecideReview: Decide a review. Needs the claim, and the `version` that was read. `reject` needs a `reasonCode` of
// `review.reasonCodes`. In one commit it does what the subject's own operation does: | code | decisions | |---|---|
// | item_needs_review, rule_not_understood | accept: the documents that left it open are good, or the item is
// COMPLETED; reject: they are not, INVALID; correct, dismiss | | fact_doubted, correction_conflict | accept: the
// fact, or the person's correction, stands; correct, dismiss | | tampering | accept: it is genuine; reject: the
// document is good for no item; dismiss | | document_unread | reject: the document is good for no item; dismiss | |
// spread_approval, spread_variance | accept: approve the spread; reject: return it; dismiss. A variance of a spread
// that is not submitted is only closed. Of people it takes an approver | | draft_message | accept: approve; reject
// | | escalation | accept: resolve; dismiss | | qa_sample | accept, correct, dismiss | | second_opinion | accept,
// reject | `correct` carries no values: put the correction before, then decide. `dismiss` changes nothing else.
func (c *Client) DecideReview(ctx context.Context, reviewID string, body DecideBody, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/" + url.PathEscape(reviewID) + "/decide", body: body}, options)
}

// ReleaseReview: Give a claim back. Without a claim it changes nothing.
func (c *Client) ReleaseReview(ctx context.Context, reviewID string, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/" + url.PathEscape(reviewID) + "/release"}, options)
}

// RenewReview: Renew a claim.
func (c *Client) RenewReview(ctx context.Context, reviewID string, options ...CallOption) (ReviewAnswer, error) {
	return answer[ReviewAnswer](ctx, c, request{method: "POST", path: "/api/v1/reviews/" + url.PathEscape(reviewID) + "/renew"}, options)
}

// ListSessionsParams are the parameters of ListSessions. A zero value is not sent.
type ListSessionsParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListSessionsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListSessions: List sessions. Those of the workspace's people that have not ended, newest first.
func (c *Client) ListSessions(ctx context.Context, params ListSessionsParams, options ...CallOption) (SessionsAnswer, error) {
	return answer[SessionsAnswer](ctx, c, request{method: "GET", path: "/api/v1/sessions", query: params.values()}, options)
}

// ListSessionsAll is every entry of ListSessions, page by page. It ends with the first error.
func (c *Client) ListSessionsAll(ctx context.Context, params ListSessionsParams, options ...CallOption) iter.Seq2[ListedSession, error] {
	return each(func(token string) ([]ListedSession, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListSessions(ctx, params, options...)
		return found.Sessions, textOf(found.NextToken), err
	})
}

// RevokeSession: End a session. One's own, or as an admin any of the workspace's people. A repeat changes nothing.
// Writes an audit entry.
func (c *Client) RevokeSession(ctx context.Context, sessionID string, options ...CallOption) (Success, error) {
	return answer[Success](ctx, c, request{method: "POST", path: "/api/v1/sessions/" + url.PathEscape(sessionID) + "/revoke"}, options)
}

// ListSpreadsParams are the parameters of ListSpreads. A zero value is not sent.
type ListSpreadsParams struct {
	// Id of the lead.
	LeadID string
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListSpreadsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "leadId", p.LeadID)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListSpreads: List a lead's spreads. Newest first.
func (c *Client) ListSpreads(ctx context.Context, params ListSpreadsParams, options ...CallOption) (SpreadsAnswer, error) {
	return answer[SpreadsAnswer](ctx, c, request{method: "GET", path: "/api/v1/spreads", query: params.values()}, options)
}

// ListSpreadsAll is every entry of ListSpreads, page by page. It ends with the first error.
func (c *Client) ListSpreadsAll(ctx context.Context, params ListSpreadsParams, options ...CallOption) iter.Seq2[Spread, error] {
	return each(func(token string) ([]Spread, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListSpreads(ctx, params, options...)
		return found.Spreads, textOf(found.NextToken), err
	})
}

// CreateSpread: Start a spread. Takes the named documents, or all of the lead that hold a financial statement or a
// business tax return. Named documents that are still being read are awaited. The currency also decides on the
// paper of the report and the workbook, which is Letter for US and Canadian dollars and the money of other
// countries that use it, else A4. With partyId it is the spread of one party; without, on a lead of several
// parties, that of the primary one and of what is nobody's. With scope global it is the cash flow of all parties;
// it takes the newest finished spread of each business, starts those that are missing, and counts what owners get
// as K-1s say (distributions k1) or as their share of the cash available (entity). A repeat without Idempotency-Key
// starts another.
func (c *Client) CreateSpread(ctx context.Context, body CreateSpreadBody, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "POST", path: "/api/v1/spreads", body: body}, options)
}

// ReadSpread: Get a spread.
func (c *Client) ReadSpread(ctx context.Context, spreadID string, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "GET", path: "/api/v1/spreads/" + url.PathEscape(spreadID)}, options)
}

// ListAdjustments: List the adjustments of a spread.
func (c *Client) ListAdjustments(ctx context.Context, spreadID string, options ...CallOption) (AdjustmentsAnswer, error) {
	return answer[AdjustmentsAnswer](ctx, c, request{method: "GET", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/adjustments"}, options)
}

// PutAdjustments: Adjust figures of a spread. Puts this list in the place of the adjustments the spread has, and
// re-consolidates it; an empty list removes them all. An adjustment gives a line of one period another value, or
// with moveTo reclassifies value (all of it when value is null) to another line of the statement. Lines only:
// totals, annualized columns and ratios follow. In the results an adjusted figure carries `adjusted` with the
// machine's figure; every regeneration applies the adjustments again.
func (c *Client) PutAdjustments(ctx context.Context, spreadID string, body AdjustmentsBody, options ...CallOption) (AdjustedAnswer, error) {
	return answer[AdjustedAnswer](ctx, c, request{method: "PUT", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/adjustments", body: body}, options)
}

// ApproveSpread: Approve the figures of a spread. Under four eyes (`review.fourEyes` holds spread_approval) another
// person than who submitted it must, by a session: API keys cannot. Approved already it changes nothing.
func (c *Client) ApproveSpread(ctx context.Context, spreadID string, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "POST", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/approve"}, options)
}

// ListCaptions: List the caption mappings of a spread's lead.
func (c *Client) ListCaptions(ctx context.Context, spreadID string, options ...CallOption) (CaptionsAnswer, error) {
	return answer[CaptionsAnswer](ctx, c, request{method: "GET", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/caption-mappings"}, options)
}

// PutCaptions: Choose rows for captions. Puts this list in the place of the mappings the lead has and
// re-consolidates the spread. A caption that the template does not name, see `unmapped` in the results, goes to the
// row chosen here, in every later spread of the lead, too.
func (c *Client) PutCaptions(ctx context.Context, spreadID string, body CaptionsBody, options ...CallOption) (MappedAnswer, error) {
	return answer[MappedAnswer](ctx, c, request{method: "PUT", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/caption-mappings", body: body}, options)
}

// RegenerateSpread: Regenerate a spread. Re-consolidates a finished spread from already-extracted data. Results and
// artifacts stay until the new ones replace them, which happens at once.
func (c *Client) RegenerateSpread(ctx context.Context, spreadID string, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "POST", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/regenerate"}, options)
}

// SpreadResultsParams are the parameters of SpreadResults. A zero value is not sent.
type SpreadResultsParams struct {
	// Parts to add, separated by commas: sources, ratios, uca, checks, comparisons, formulas.
	Include []string
}

func (p SpreadResultsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "include", p.Include)
	return values
}

// SpreadResults: Get the results of a spread. Only rows that have figures appear. A period's `integrity` is
// `reconciled` when every printed total equals its calculation within rounding, `variance` when one does not,
// `incomplete` when printed lines are in no figure. A calculated row has `reliable` false when no printed total
// confirms what it rests on; `reported` is the printed total beside a `value` that is another, be it by rounding; a
// ratio on such figures has no value and a `reason`. While a spread is regenerated these are its previous results.
// A global spread has a row list for each year instead of statements.
func (c *Client) SpreadResults(ctx context.Context, spreadID string, params SpreadResultsParams, options ...CallOption) (ResultsAnswer, error) {
	return answer[ResultsAnswer](ctx, c, request{method: "GET", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/results", query: params.values()}, options)
}

// ReturnSpread: Return a spread.
func (c *Client) ReturnSpread(ctx context.Context, spreadID string, body ReturnBody, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "POST", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/return", body: body}, options)
}

// SubmitSpread: Submit a spread for approval. Submitted or approved already it changes nothing.
func (c *Client) SubmitSpread(ctx context.Context, spreadID string, options ...CallOption) (SpreadAnswer, error) {
	return answer[SpreadAnswer](ctx, c, request{method: "POST", path: "/api/v1/spreads/" + url.PathEscape(spreadID) + "/submit"}, options)
}

// AdvanceClock: Put a lead's clock forward. A test lead's own time moves on, and what is due by then happens in its
// order and at its times: reminders, follow-ups, the end of quiet hours, of a link to the lead's page, of the grace
// of a deletion. The answer comes when all is done, or after 25 seconds with what has happened so far; call again
// then. What the lead, or you about the lead, do afterwards happens at its time.
func (c *Client) AdvanceClock(ctx context.Context, body ClockBody, options ...CallOption) (ClockAnswer, error) {
	return answer[ClockAnswer](ctx, c, request{method: "POST", path: "/api/v1/test/clock", body: body}, options)
}

// ListSpecimens: List specimens. Files whose verdict is known before they are sent.
func (c *Client) ListSpecimens(ctx context.Context, options ...CallOption) (SpecimensAnswer, error) {
	return answer[SpecimensAnswer](ctx, c, request{method: "GET", path: "/api/v1/test/specimens"}, options)
}

// ReadSpecimen: Get a specimen. The file itself, with dates that fit today.
func (c *Client) ReadSpecimen(ctx context.Context, kind string, options ...CallOption) (*Content, error) {
	return download(ctx, c, request{method: "GET", path: "/api/v1/test/specimens/" + url.PathEscape(kind)}, options)
}

// ListWebhooksParams are the parameters of ListWebhooks. A zero value is not sent.
type ListWebhooksParams struct {
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListWebhooksParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListWebhooks: List endpoints. Newest first.
func (c *Client) ListWebhooks(ctx context.Context, params ListWebhooksParams, options ...CallOption) (WebhooksAnswer, error) {
	return answer[WebhooksAnswer](ctx, c, request{method: "GET", path: "/api/v1/webhooks", query: params.values()}, options)
}

// ListWebhooksAll is every entry of ListWebhooks, page by page. It ends with the first error.
func (c *Client) ListWebhooksAll(ctx context.Context, params ListWebhooksParams, options ...CallOption) iter.Seq2[Webhook, error] {
	return each(func(token string) ([]Webhook, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListWebhooks(ctx, params, options...)
		return found.Webhooks, textOf(found.NextToken), err
	})
}

// ListDeliveriesParams are the parameters of ListDeliveries. A zero value is not sent.
type ListDeliveriesParams struct {
	// Id of the webhook.
	WebhookID string
	// Only those of this event.
	EventID string
	// Only those with this status.
	Status DeliveryStatus
	// Only those of this event type.
	Type EventType
	// Only those created at or after this time.
	Since time.Time
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListDeliveriesParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "webhookId", p.WebhookID)
	addQuery(values, "eventId", p.EventID)
	addQuery(values, "status", p.Status)
	addQuery(values, "type", p.Type)
	addQuery(values, "since", p.Since)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListDeliveries: List deliveries of all endpoints. Newest first. With `eventId`, an event's way to every endpoint.
func (c *Client) ListDeliveries(ctx context.Context, params ListDeliveriesParams, options ...CallOption) (DeliveriesAnswer, error) {
	return answer[DeliveriesAnswer](ctx, c, request{method: "GET", path: "/api/v1/webhooks/deliveries", query: params.values()}, options)
}

// ListDeliveriesAll is every entry of ListDeliveries, page by page. It ends with the first error.
func (c *Client) ListDeliveriesAll(ctx context.Context, params ListDeliveriesParams, options ...CallOption) iter.Seq2[Delivery, error] {
	return each(func(token string) ([]Delivery, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListDeliveries(ctx, params, options...)
		return found.Deliveries, textOf(found.NextToken), err
	})
}

// ReadDelivery: Read a delivery with its attempts.
func (c *Client) ReadDelivery(ctx context.Context, deliveryID string, options ...CallOption) (DeliveryDetailAnswer, error) {
	return answer[DeliveryDetailAnswer](ctx, c, request{method: "GET", path: "/api/v1/webhooks/deliveries/" + url.PathEscape(deliveryID)}, options)
}

// Redeliver: Send a delivery again. Due at once, whatever became of it, with its whole schedule before it and the
// same `webhook-id`.
func (c *Client) Redeliver(ctx context.Context, deliveryID string, options ...CallOption) (DeliveryAnswer, error) {
	return answer[DeliveryAnswer](ctx, c, request{method: "POST", path: "/api/v1/webhooks/deliveries/" + url.PathEscape(deliveryID) + "/redeliver"}, options)
}

// DeleteWebhook: Delete an endpoint. Deliveries that wait for it end as CANCELLED.
func (c *Client) DeleteWebhook(ctx context.Context, webhookID string, options ...CallOption) error {
	return send(ctx, c, request{method: "DELETE", path: "/api/v1/webhooks/" + url.PathEscape(webhookID)}, options)
}

// ReadWebhook: Read an endpoint.
func (c *Client) ReadWebhook(ctx context.Context, webhookID string, options ...CallOption) (WebhookAnswer, error) {
	return answer[WebhookAnswer](ctx, c, request{method: "GET", path: "/api/v1/webhooks/" + url.PathEscape(webhookID)}, options)
}

// ListWebhookDeliveriesParams are the parameters of ListWebhookDeliveries. A zero value is not sent.
type ListWebhookDeliveriesParams struct {
	// Only those with this status.
	Status DeliveryStatus
	// Only those of this event type.
	Type EventType
	// Only those created at or after this time.
	Since time.Time
	// How many entries a page has at most.
	Limit int
	// The next page: `nextToken` or `X-Next-Token` of the answer before, with the same filters.
	Token string
}

func (p ListWebhookDeliveriesParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "status", p.Status)
	addQuery(values, "type", p.Type)
	addQuery(values, "since", p.Since)
	addQuery(values, "limit", p.Limit)
	addQuery(values, "token", p.Token)
	return values
}

// ListWebhookDeliveries: List an endpoint's deliveries. Newest first.
func (c *Client) ListWebhookDeliveries(ctx context.Context, webhookID string, params ListWebhookDeliveriesParams, options ...CallOption) (DeliveriesAnswer, error) {
	return answer[DeliveriesAnswer](ctx, c, request{method: "GET", path: "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/deliveries", query: params.values()}, options)
}

// ListWebhookDeliveriesAll is every entry of ListWebhookDeliveries, page by page. It ends with the first error.
func (c *Client) ListWebhookDeliveriesAll(ctx context.Context, webhookID string, params ListWebhookDeliveriesParams, options ...CallOption) iter.Seq2[Delivery, error] {
	return each(func(token string) ([]Delivery, string, error) {
		if token != "" {
			params.Token = token
		}
		found, err := c.ListWebhookDeliveries(ctx, webhookID, params, options...)
		return found.Deliveries, textOf(found.NextToken), err
	})
}

// ReplayWebhook: Send deliveries of a span again. Makes the deliveries that were created from `since` to `until`
// and ended as `status` due again, oldest first, with the same `webhook-id`. At most 100,000; the result says when
// more matched.
func (c *Client) ReplayWebhook(ctx context.Context, webhookID string, body ReplayBody, options ...CallOption) (ReplayAnswer, error) {
	return answer[ReplayAnswer](ctx, c, request{method: "POST", path: "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/replay", body: body}, options)
}

// PollReplay: How far a replay is.
func (c *Client) PollReplay(ctx context.Context, webhookID string, replayID string, options ...CallOption) (ReplayPoll, error) {
	return answer[ReplayPoll](ctx, c, request{method: "GET", path: "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/replays/" + url.PathEscape(replayID)}, options)
}

// RotateSecret: Exchange the signing secret. The old secret signs beside the new one for 24 hours, so a receiver
// can change over without a gap.
func (c *Client) RotateSecret(ctx context.Context, webhookID string, options ...CallOption) (RotateSecretAnswer, error) {
	return answer[RotateSecretAnswer](ctx, c, request{method: "POST", path: "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/rotate-secret"}, options)
}

// TestWebhook: Send a test event. A `webhook.test` event goes to this endpoint and to no other. Its delivery is
// found by `eventId` among the deliveries.
func (c *Client) TestWebhook(ctx context.Context, webhookID string, options ...CallOption) (TestWebhookAnswer, error) {
	return answer[TestWebhookAnswer](ctx, c, request{method: "POST", path: "/api/v1/webhooks/" + url.PathEscape(webhookID) + "/test"}, options)
}

// ListRunsParams are the parameters of ListRuns. A zero value is not sent.
type ListRunsParams struct {
	// Id of the lead.
	LeadID string
}

func (p ListRunsParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "leadId", p.LeadID)
	return values
}

// ListRuns: List the runs on a lead. The lead's full history, newest first, not paged.
func (c *Client) ListRuns(ctx context.Context, params ListRunsParams, options ...CallOption) (RunsAnswer, error) {
	return answer[RunsAnswer](ctx, c, request{method: "GET", path: "/api/v1/workflow-runs", query: params.values()}, options)
}

// CreateRun: Create a workflow run. The run is ACTIVE; depending on the type of its workflow the agent begins to
// write to the lead.
func (c *Client) CreateRun(ctx context.Context, body RunBody, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "POST", path: "/api/v1/workflow-runs", body: body}, options)
}

// ReadRun: Get a workflow run.
func (c *Client) ReadRun(ctx context.Context, workflowRunID string, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "GET", path: "/api/v1/workflow-runs/" + url.PathEscape(workflowRunID)}, options)
}

// CancelRun: Cancel a workflow run. The agent stops and queued messages are cancelled. A cancelled run stays as it
// is.
func (c *Client) CancelRun(ctx context.Context, workflowRunID string, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "POST", path: "/api/v1/workflow-runs/" + url.PathEscape(workflowRunID) + "/cancel"}, options)
}

// CompleteRun: Complete a workflow run. Where its workflow permits that by hand. Emits workflow_run.completed, then
// lead.completed when the workflow completes the lead. A completed run stays as it is.
func (c *Client) CompleteRun(ctx context.Context, workflowRunID string, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "POST", path: "/api/v1/workflow-runs/" + url.PathEscape(workflowRunID) + "/complete"}, options)
}

// PauseRun: Pause a workflow run. Outreach stops and queued messages are cancelled; replies of the lead are still
// answered. A paused run stays as it is.
func (c *Client) PauseRun(ctx context.Context, workflowRunID string, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "POST", path: "/api/v1/workflow-runs/" + url.PathEscape(workflowRunID) + "/pause"}, options)
}

// ResumeRun: Resume a workflow run. The agent looks at the lead anew; what was queued before the pause is not sent.
// An active run stays as it is.
func (c *Client) ResumeRun(ctx context.Context, workflowRunID string, options ...CallOption) (RunAnswer, error) {
	return answer[RunAnswer](ctx, c, request{method: "POST", path: "/api/v1/workflow-runs/" + url.PathEscape(workflowRunID) + "/resume"}, options)
}

// ListWorkflows: List workflows. Oldest first. Those taken out of the configuration are not listed; their open runs
// go on.
func (c *Client) ListWorkflows(ctx context.Context, options ...CallOption) (WorkflowsAnswer, error) {
	return answer[WorkflowsAnswer](ctx, c, request{method: "GET", path: "/api/v1/workflows"}, options)
}

// ReadWorkspace: Read the workspace. As applied, with its file, as `dossier export` prints it. Applying the file
// changes nothing. For admins; not for test keys.
func (c *Client) ReadWorkspace(ctx context.Context, options ...CallOption) (WorkspaceAnswer, error) {
	return answer[WorkspaceAnswer](ctx, c, request{method: "GET", path: "/api/v1/workspace"}, options)
}

// ListPipelines: List pipelines. Built-in ones and the workspace's chains, each with JSON Schemas of parameters and
// result.
func (c *Client) ListPipelines(ctx context.Context, options ...CallOption) (PipelinesAnswer, error) {
	return answer[PipelinesAnswer](ctx, c, request{method: "GET", path: "/pipelines"}, options)
}

// CancelPipelineParams are the parameters of CancelPipeline. A zero value is not sent.
type CancelPipelineParams struct {
	// Id of the run.
	JobID string
}

func (p CancelPipelineParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "jobId", p.JobID)
	return values
}

// CancelPipeline: Cancel a pipeline run.
func (c *Client) CancelPipeline(ctx context.Context, pipelineID string, params CancelPipelineParams, options ...CallOption) (PipelineRun, error) {
	return answer[PipelineRun](ctx, c, request{method: "DELETE", path: "/pipelines/run/" + url.PathEscape(pipelineID), query: params.values()}, options)
}

// PollPipelineParams are the parameters of PollPipeline. A zero value is not sent.
type PollPipelineParams struct {
	// Id of the run.
	JobID string
	// Seconds to wait for the end, up to 25.
	Wait int
}

func (p PollPipelineParams) values() url.Values {
	values := url.Values{}
	addQuery(values, "jobId", p.JobID)
	addQuery(values, "wait", p.Wait)
	return values
}

// PollPipeline: Poll a pipeline result.
func (c *Client) PollPipeline(ctx context.Context, pipelineID string, params PollPipelineParams, options ...CallOption) (PipelineRun, error) {
	return answer[PipelineRun](ctx, c, request{method: "GET", path: "/pipelines/run/" + url.PathEscape(pipelineID), query: params.values()}, options)
}

// StartPipeline: Start a pipeline run. Which parameters are wanted depends on the pipeline; `GET /pipelines` has
// their schemas. With `webhookId` the outcome is also sent to that registration.
func (c *Client) StartPipeline(ctx context.Context, pipelineID string, body PipelineBody, options ...CallOption) (StartPipelineAnswer, error) {
	return answer[StartPipelineAnswer](ctx, c, request{method: "POST", path: "/pipelines/run/" + url.PathEscape(pipelineID), body: body}, options)
}

// SaveWebhook: Register an endpoint, or change one. Without `id` a registration is made and `url` is required. With
// `id` only what is sent is changed: without `headers` they stay, `[]` clears them. Header values are never shown
// again.
func (c *Client) SaveWebhook(ctx context.Context, body WebhookBody, options ...CallOption) (SaveWebhookAnswer, error) {
	return answer[SaveWebhookAnswer](ctx, c, request{method: "POST", path: "/save-webhook", body: body}, options)
}
