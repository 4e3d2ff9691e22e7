package dossier

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Kind says what went wrong in terms every room understands. The API maps it to a status
// (api/errors.go), the worker to retry or not (jobs/worker/errors.go).
type Kind int

// Kinds of errors. Anything that is not an *Error is Internal.
const (
	Internal      Kind = iota
	Invalid            // the input is wrong and will stay wrong: 400
	Unauthorized       // no or no valid key: 401
	Forbidden          // a key without the scope: 403
	NotFound           // unknown, deleted, or another workspace's: 404
	Conflict           // the state refuses it: 409
	Precondition       // If-Match does not hold: 412
	TooLarge           // body or file over its limit: 413
	Unsupported        // media type nobody reads here: 415
	Unprocessable      // idempotency key used with another body: 422
	Limited            // rate limit: 429
	Unavailable        // a dependency is away, try again: 503

	MethodNotAllowed // the address exists, not with this method: 405
)

// Fault is one thing wrong with an input. Exactly one of Pointer (RFC 6901, into the body)
// and Parameter (of the query) is set.
type Fault struct {
	Pointer   string
	Parameter string
	Code      string
	Detail    string
}

// Error is an error whose Message may be shown to a caller. Code is a name of the table in codes.go.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Faults  []Fault
	Until   *time.Time   // before which it will not do, where the time alone refuses
	Claim   *ReviewClaim // of somebody else, that refuses a review
	Cause   error        // for the log; never shown
}

// Error is what a caller may read; the cause is not in it.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an Error of a kind with the code most used for that kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: defaultCode[kind], Message: fmt.Sprintf(format, args...)}
}

// Coded makes an Error with a code of its own, for example duplicate_code.
func Coded(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidFaults makes one Invalid error of all faults found. Its code is theirs where they agree on one that a whole
// request can have (unknown_field), else validation_failed.
func InvalidFaults(faults []Fault) *Error {
	code, message := codeOfFaults(faults), "The request is not valid"
	if len(faults) > 0 {
		// The message is about what the code names.
		message = faults[max(0, slices.IndexFunc(faults, func(f Fault) bool { return f.Code == code }))].Detail
	}
	if len(faults) > 1 {
		message = fmt.Sprintf("%s (and %d more)", message, len(faults)-1)
	}
	return &Error{Kind: Invalid, Code: code, Message: message, Faults: faults}
}

// KindOf returns the kind of the first *Error in err's chain, else Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

var defaultCode = map[Kind]string{
	Internal: "internal", Invalid: "validation_failed", Unauthorized: "unauthorized", Forbidden: "insufficient_scope",
	NotFound: "not_found", Conflict: "conflict", Precondition: "precondition_failed", TooLarge: "payload_too_large",
	Unsupported: "unsupported_media_type", Unprocessable: "idempotency_key_reused", Limited: "rate_limited",
	Unavailable:      "unavailable",
	MethodNotAllowed: "method_not_allowed",
}

// Code is one entry of the table of problem codes, shared by the API (status), its pages at /problems/<code>, the
// OpenAPI document and the tests.
type Code struct {
	Name        string
	Kind        Kind
	Title       string
	Explanation string // what happened and what a client can do, in whole sentences
}

// Codes lists every code a caller can meet, by status. An error with a code that is missing here fails a test.
var Codes = []Code{
	{"invalid_json", Invalid, "The body is not JSON",
		"The body could not be read as one JSON value in UTF-8. The detail says where reading stopped. Nesting " +
			"deeper than 32 levels and repeated names in one object are refused too."},
	{"validation_failed", Invalid, "The request is not valid",
		"One or more values of the body or the query do not fit. Every fault found is listed in `errors`, with a " +
			"JSON pointer into the body or the name of the parameter."},
	{"unknown_field", Invalid, "Unknown field",
		"The body has a field this operation does not know. Nothing was done, so that a misspelt name is never " +
			"dropped in silence. The pointer names the field; names are case-sensitive."},
	{"unknown_parameter", Invalid, "Unknown query parameter",
		"The query has a parameter this operation does not know. Names are case-sensitive."},
	{"invalid_token", Invalid, "Invalid page token",
		"The `token` was damaged, or belongs to another workspace, another list or other filters. Start again " +
			"without it."},
	{"invalid_idempotency_key", Invalid, "Invalid Idempotency-Key",
		"An Idempotency-Key has 1 to 255 printable ASCII characters."},
	{"checksum_mismatch", Invalid, "The bytes are not those announced",
		"What arrived in object storage has another size or SHA-256 than was given. Upload the file again."},
	{"no_financial_documents", Invalid, "Nothing to spread",
		"None of the documents is a financial document that could be read."},
	{"status_not_settable", Invalid, "Status cannot be set",
		"REVIEW is computed: a lead shows it while an escalation is unresolved. Resolve the escalation instead."},
	{"opt_out_status_conflict", Invalid, "didOptOut and status disagree",
		"didOptOut true goes with status OPTED_OUT or none, didOptOut false with another status or none."},
	{"invalid_url", Invalid, "The url cannot be used",
		"A webhook's url is an absolute http or https address with a host name, without user name or password. The " +
			"detail says what is wrong."},
	{"blocked_address", Invalid, "The url points to an address that is not public",
		"Webhooks reach public addresses only. A literal private, loopback, link-local or otherwise reserved " +
			"address is refused at once; a name that resolves to one fails when it is delivered to. Operators can " +
			"allow networks (DOSSIER_WEBHOOK_ALLOW)."},
	{"reserved_header", Invalid, "The header is set by the service",
		"Headers that frame or sign the request cannot be chosen: Host, Content-*, Connection, Transfer-Encoding, " +
			"TE, Upgrade, Trailer, Expect, Proxy-*, Keep-Alive and webhook-*."},
	{"invalid_header", Invalid, "The header cannot be sent",
		"A header's key is a token (RFC 9110) and its value has no line breaks or other control characters."},
	{"unknown_event", Invalid, "No such event type",
		"The name is not one of the event types. They are listed in the reference at /docs."},
	{"unknown_event_id", Invalid, "No such event",
		"`after` is the id of an event of the last 30 days. Leave it out to begin with the oldest that is kept."},
	{"unauthorized", Unauthorized, "No valid API key",
		"The request has no API key, or one that is unknown, revoked or expired. Send it as `x-api-key` or as " +
			"`Authorization: Bearer`."},
	{"cross_site_request", Forbidden, "Sent from another site",
		"A session's cookie opens changes only for pages of this service. The request said in `Origin` or " +
			"`Sec-Fetch-Site` that another site sent it, or said neither. Calls with an API key are not concerned."},
	{"insufficient_scope", Forbidden, "The key or person lacks a right",
		"The key or session is valid, but this operation needs a scope that the key, or a role that the person, was " +
			"not given."},
	{"test_key_required", Forbidden, "A test key is required",
		"What is under /api/v1/test is there for trying out, with a test key: one that begins with dsr_test_. A " +
			"test key is made like any other, with `isTest: true`."},
	{"invalid_signature", Forbidden, "No valid signature",
		"A message was handed over without a valid signature of its channel's provider."},
	{"not_found", NotFound, "Not found", "There is nothing at this address, or nothing that this workspace can see."},
	{"person_not_found", NotFound, "No such person",
		"Nobody with this address is known, or has a role, in the workspace."},
	{"workspace_not_found", NotFound, "No such workspace",
		"The address names no workspace, or `X-Dossier-Workspace` none in which this person has a role."},
	{"lead_not_found", NotFound, "No such lead",
		"No lead with this id in the workspace. One that was deleted, and one of another workspace, look the same."},
	{"checklist_item_not_found", NotFound, "No such checklist item",
		"No checklist item with this id in the workspace. One that was deleted, and one of another workspace, look " +
			"the same."},
	{"document_not_found", NotFound, "No such document",
		"No document with this id in the workspace. One that was deleted, and one of another workspace, " +
			"look the same."},
	{"page_not_found", NotFound, "No such page",
		"The document has fewer pages, or could not be read. `extraction.pages` of the document lists those it has, " +
			"from 1."},
	{"part_not_found", NotFound, "No such part",
		"The file holds fewer documents, or was not read. `extraction.documents` lists those it has; a part is a " +
			"place in it, from 0."},
	{"party_not_found", NotFound, "No such party", "No party of this lead with this id."},
	{"debt_not_found", NotFound, "No such debt", "No debt of this lead with this id that was given by hand."},
	{"party_in_use", Conflict, "The party is named elsewhere",
		"Something of the lead names this party. The detail says what; take it away first."},
	{"primary_party", Conflict, "The primary party stays",
		"Every lead has one primary party. It can be changed, not deleted."},
	{"association_not_found", NotFound, "No such association",
		"No association with this id in the workspace. One that was deleted, and one of another workspace, look the " +
			"same."},
	{"action_log_not_found", NotFound, "No such action log",
		"No action log with this id in the workspace. One that was deleted, and one of another workspace, look the " +
			"same."},
	{"agent_not_found", NotFound, "No such agent",
		"No agent with this id in the workspace. One that was deleted, and one of another workspace, look the same."},
	{"workflow_not_found", NotFound, "No such workflow",
		"No workflow with this id in the workspace. One that was deleted, and one of another workspace, " +
			"look the same."},
	{"run_not_found", NotFound, "No such workflow run",
		"No workflow run with this id in the workspace. One that was deleted, and one of another workspace, look " +
			"the same."},
	{"message_not_found", NotFound, "No such message",
		"No message with this id in the workspace. One that was deleted, and one of another workspace, look the same."},
	{"escalation_not_found", NotFound, "No such escalation",
		"No escalation with this id in the workspace. One that was deleted, and one of another workspace, look the " +
			"same."},
	{"review_not_found", NotFound, "No such review",
		"No review with this id in the workspace. One of a lead that was deleted, and one of another workspace, look " +
			"the same."},
	{"review_claimed", Conflict, "Somebody else has claimed the review",
		"Who has it and until when stands in the detail and in `claim` of the problem. Wait, or take it over: claim " +
			"with `takeOver` and a note."},
	{"review_not_claimed", Conflict, "The review is not claimed",
		"To renew a claim or to decide, claim the review first. A claim lasts two minutes and may have ended."},
	{"review_moved", Conflict, "The review is another than you saw",
		"It was decided, its cause has ended, or it has another cause than the `version` sent. Read it again."},
	{"decision_not_possible", Invalid, "This cannot be decided so",
		"The decision does not suit the code of the review. Which do stands with the operation in the reference."},
	{"spread_not_found", NotFound, "No such spread",
		"No spread with this id in the workspace. One that was deleted, and one of another workspace, look the same."},
	{"artifact_not_found", NotFound, "No such artifact",
		"No artifact with this id in the workspace. One that was deleted, and one of another workspace, " +
			"look the same."},
	{"pipeline_not_found", NotFound, "No such pipeline",
		"No pipeline with this id in the workspace. One that was deleted, and one of another workspace, " +
			"look the same."},
	{"pipeline_run_not_found", NotFound, "No such pipeline run",
		"No pipeline run with this id in the workspace. One that was deleted, and one of another workspace, look " +
			"the same."},
	{"webhook_not_found", NotFound, "No such webhook",
		"No webhook with this id in the workspace. One that was deleted, and one of another workspace, look the same."},
	{"delivery_not_found", NotFound, "No such delivery",
		"No delivery with this id in the workspace. One that was deleted, and one of another workspace, " +
			"look the same."},
	{"erasure_not_found", NotFound, "No such erasure", "No erasure with this id in the workspace."},
	{"erasure_not_open", Conflict, "The erasure is not open",
		"Only an erasure that is SCHEDULED or HELD can be called off."},
	{"retention_floor", Conflict, "Too early to erase",
		"The workspace keeps this for a time counted from a day of its lead, and the time is not over. The detail " +
			"and `until` say when it is."},
	{"hold_not_found", NotFound, "No such hold", "No hold of this lead with this id."},
	{"replay_not_found", NotFound, "No such replay", "No replay of this webhook with this id in the workspace."},
	{"api_key_not_found", NotFound, "No such API key", "No API key with this id in the workspace."},
	{"session_not_found", NotFound, "No such session",
		"No session with this id is your own; admins find those of all people of the workspace."},
	{"job_not_found", NotFound, "No such job", "No job with this id."},
	{"import_not_found", NotFound, "No such import", "No import with this id in the workspace."},
	{"specimen_not_found", NotFound, "No such specimen",
		"There is no specimen of this kind. The list at /api/v1/test/specimens names them."},
	{"method_not_allowed", MethodNotAllowed, "Method not allowed",
		"This address exists, but not with this method. `Allow` lists the ones it has."},
	{"conflict", Conflict, "Conflict", "The current state does not permit this. The detail says why."},
	{"idempotency_in_progress", Conflict, "The first request is still running",
		"A request with the same Idempotency-Key has not been answered yet. Try again shortly."},
	{"agent_already_linked", Conflict, "Agent is already linked to this lead",
		"This agent has an open run (ACTIVE or PAUSED) on the lead. Complete or cancel it first."},
	{"checklist_already_collected", Conflict, "The checklist is already being collected",
		"A lead has at most one open run of a CHECKLIST workflow."},
	{"reminder_unscheduled", Conflict, "The reminder has no schedule",
		"A REMINDER workflow needs a schedule in the workspace's configuration before it can run."},
	{"run_terminal", Conflict, "The run has ended", "A run that is COMPLETED or CANCELLED stays so. Start a new one."},
	{"run_not_manually_completable", Conflict, "The run completes by itself",
		"The workspace's configuration does not let runs of this workflow be completed by hand."},
	{"message_not_draft", Conflict, "The message is not a draft", "Only drafts can be approved, edited or rejected."},
	{"document_not_ready", Conflict, "The document is not read yet",
		"Its extractionStatus is pending or processing. The event `document.extracted` says when it was read."},
	{"spread_in_progress", Conflict, "The spread is in progress", "Wait until its status is COMPLETE or FAILED."},
	{"second_person_needed", Conflict, "A second person is needed",
		"Under four eyes another person than who asked for it must agree, by a session of its own. API keys cannot."},
	{"spread_not_submitted", Conflict, "The spread is not submitted",
		"Only a spread that is SUBMITTED can be approved or returned."},
	{"spread_not_ready", Conflict, "The spread has no results yet",
		"There are results once the spread was COMPLETE for the first time."},
	{"channel_not_configured", Conflict, "The channel has no provider",
		"The error of a FAILED message: the workspace's configuration names no provider for its channel."},
	{"not_reachable", Conflict, "The lead cannot be written to",
		"The lead has no address on this channel, has opted out or is closed. `status` and `didOptOut` say which."},
	{"provider_unreachable", Conflict, "The provider could not be reached",
		"The error of a FAILED message: its provider was away, or refused the channel's credentials, in all tries. " +
			"It did not take the message."},
	{"provider_refused", Conflict, "The provider refused the message",
		"The error of a FAILED message: its provider did not take it, and would not take it again. The detail has " +
			"the provider's words."},
	{"invalid_recipient", Conflict, "The address does not exist",
		"The error of a FAILED message: the provider says that the lead cannot be reached at this address. The " +
			"agent tries the lead's other channels."},
	{"recipient_opted_out", Conflict, "The lead opted out with the provider",
		"The error of a FAILED message: the lead told the provider to block it. The lead is opted out here too."},
	{"bounced", Conflict, "The email came back",
		"The error of a FAILED message: a mail server on the way returned it. The detail has its words."},
	{"undelivered", Conflict, "The message did not arrive",
		"The error of a FAILED message: the provider took it and could not deliver it."},
	{"window_closed", Conflict, "Outside the 24-hour window",
		"The error of a FAILED message: WhatsApp takes free words within 24 hours of the lead's last message, later " +
			"only approved templates."},
	{"provider_unavailable", Conflict, "The provider cannot be used",
		"The error of a FAILED message: this release cannot send by the provider that the workspace's configuration " +
			"names."},
	{"duplicate_external_id", Conflict, "Duplicate externalLeadId",
		"Another lead of the workspace has this externalLeadId."},
	{"opt_out_active", Conflict, "The lead has opted out",
		"A lead that opted out is reopened only together with didOptOut false: consent is given by the lead, not by " +
			"a status."},
	{"limit_reached", Conflict, "A limit of the workspace",
		"The workspace, or the lead, has as many of these as its limit allows. The detail names the limit, which " +
			"the operator sets in the workspace file under `limits`, and its number."},
	{"template_item", Conflict, "An item of the template",
		"Only items made for one lead can be changed or deleted through the API; the template is the workspace's " +
			"configuration."},
	{"pipeline_run_finished", Conflict, "The pipeline run has ended",
		"A run that is complete, failed or cancelled cannot be cancelled."},
	{"job_already_queued", Conflict, "The same work is already queued",
		"An unfinished job does the same work; wait for it."},
	{"job_not_retryable", Conflict, "The job cannot be retried",
		"Only jobs that failed or were cancelled can be retried."},
	{"job_finished", Conflict, "The job has ended", "A job that is done, failed or cancelled cannot be cancelled."},
	{"upload_missing", Conflict, "Nothing was uploaded",
		"The presigned upload has not received the file yet. Send it to the upload URL, then complete the document."},
	{"duplicate_code", Conflict, "Duplicate code", "The lead's checklist already has an item with this code."},
	{"webhook_disabled", Conflict, "The webhook is disabled",
		"Nothing is sent to a disabled webhook. Enable it first with POST /save-webhook; what was skipped meanwhile " +
			"can then be replayed."},
	{"webhook_deleted", Conflict, "The webhook was deleted",
		"The delivery's webhook exists no more, so it cannot be sent again."},
	{"precondition_failed", Precondition, "Changed in the meantime",
		"The resource no longer has the version named by If-Match. Read it again and decide anew."},
	{"payload_too_large", TooLarge, "Body too large",
		"A JSON body may have 1 MiB, an uploaded file 100 MB (104,857,600 bytes) and an upload ten files."},
	{"unsupported_media_type", Unsupported, "Media type not supported",
		"The operation does not read bodies of this Content-Type."},
	{"idempotency_key_reused", Unprocessable, "Idempotency-Key used with another body",
		"This key was first sent with a different body. Use a new key for a new request."},
	{"rate_limited", Limited, "Too many requests",
		"The key's allowance is used up. `Retry-After` says in how many seconds the next request will pass; the " +
			"RateLimit headers on every answer say what is left."},
	{"outcome_unknown", Internal, "The message may have been sent",
		"The error of a FAILED message: the sender stopped while the provider was being called. The message is not " +
			"repeated, since it may have arrived."},
	{"internal", Internal, "Internal error",
		"Something went wrong on our side. It was logged under the `requestId` of the answer. It is safe to repeat " +
			"the request with the same Idempotency-Key."},
	{"unavailable", Unavailable, "Temporarily unavailable",
		"A service this operation needs is away. `Retry-After` says when to try again."},
}

// FaultCodes explains the codes of the single entries of `errors`, beside those of Codes.
var FaultCodes = []Code{
	{"required", Invalid, "Missing", "The value is required."},
	{"invalid_type", Invalid, "Wrong type",
		"The value has another JSON type than the field, for example a string where a number is wanted; or it is " +
			"null where null is not allowed."},
	{"invalid_value", Invalid, "Not an allowed value", "The value has the right type but is not one of those allowed."},
	{"invalid_id", Invalid, "Not an id", "Ids are UUIDs in lower case."},
	{"invalid_characters", Invalid, "Characters that cannot be stored", "The text contains the NUL character."},
	{"too_long", Invalid, "Too long", "The text, list or object is larger than the field allows."},
	{"too_short", Invalid, "Too short", "The text or list is shorter than the field allows."},
	{"out_of_range", Invalid, "Out of range", "The number is outside the allowed range."},
	{"duplicate_field", Invalid, "Named twice", "One object names the same field twice."},
	{"unknown_column", Invalid, "Unknown column",
		"The first row of a table to import names a column that no lead has, or none. Nothing was imported. Names " +
			"are case-sensitive."},
	{"duplicate_column", Invalid, "Column named twice", "The first row of a table to import names one column twice."},
	{"invalid_csv", Invalid, "Not a CSV file",
		"The file is not comma-separated text in UTF-8 whose first row names the columns. In `errors` of an import: " +
			"the row could not be taken apart, for example since a quote is not closed."},
	{"formula_cell", Invalid, "A cell looks like a formula",
		"A cell begins as formulas of spreadsheets do, with one of = + - @, and is neither a number nor a phone " +
			"number. The row is not imported."},
	{"unknown_code", Invalid, "No item with this code",
		"The lead's checklist has no item with the code of the column. The row is not imported."},
	{"file_missing", Invalid, "A named file is not there",
		"A row names a document that is not in the archive, or there is no archive. The row is not imported."},
}

// CodeByName finds a code in Codes or FaultCodes.
func CodeByName(name string) (Code, bool) {
	for _, table := range [][]Code{Codes, FaultCodes} {
		for _, code := range table {
			if code.Name == name {
				return code, true
			}
		}
	}
	return Code{}, false
}

// codeOfFaults is the code of an error that consists of faults: theirs when they agree and it is one a whole
// request can have; unknown names win, since a client that misspells must be told first; else validation_failed.
func codeOfFaults(faults []Fault) string {
	code := ""
	for i, f := range faults {
		if f.Code == "unknown_field" || f.Code == "unknown_parameter" {
			return f.Code
		}
		if i == 0 {
			code = f.Code
		}
		if f.Code != code {
			code = ""
		}
	}
	for _, known := range Codes {
		if known.Name == code && known.Kind == Invalid {
			return code
		}
	}
	return "validation_failed"
}
