// Code generated from the OpenAPI document by make clients. DO NOT EDIT.

package dossier

// Codes of problems. errors.Is(err, CodeLeadNotFound) says whether err is one.
const (
	// No such action log.
	CodeActionLogNotFound Code = "action_log_not_found"
	// Agent is already linked to this lead.
	CodeAgentAlreadyLinked Code = "agent_already_linked"
	// No such agent.
	CodeAgentNotFound Code = "agent_not_found"
	// No such API key.
	CodeAPIKeyNotFound Code = "api_key_not_found"
	// No such artifact.
	CodeArtifactNotFound Code = "artifact_not_found"
	// No such association.
	CodeAssociationNotFound Code = "association_not_found"
	// The url points to an address that is not public.
	CodeBlockedAddress Code = "blocked_address"
	// The checklist is already being collected.
	CodeChecklistAlreadyCollected Code = "checklist_already_collected"
	// No such checklist item.
	CodeChecklistItemNotFound Code = "checklist_item_not_found"
	// The bytes are not those announced.
	CodeChecksumMismatch Code = "checksum_mismatch"
	// Sent from another site.
	CodeCrossSiteRequest Code = "cross_site_request"
	// No such debt.
	CodeDebtNotFound Code = "debt_not_found"
	// This cannot be decided so.
	CodeDecisionNotPossible Code = "decision_not_possible"
	// No such delivery.
	CodeDeliveryNotFound Code = "delivery_not_found"
	// No such document.
	CodeDocumentNotFound Code = "document_not_found"
	// The document is not read yet.
	CodeDocumentNotReady Code = "document_not_ready"
	// Duplicate code.
	CodeDuplicateCode Code = "duplicate_code"
	// Duplicate externalLeadId.
	CodeDuplicateExternalID Code = "duplicate_external_id"
	// No such erasure.
	CodeErasureNotFound Code = "erasure_not_found"
	// The erasure is not open.
	CodeErasureNotOpen Code = "erasure_not_open"
	// No such escalation.
	CodeEscalationNotFound Code = "escalation_not_found"
	// No such hold.
	CodeHoldNotFound Code = "hold_not_found"
	// The first request is still running.
	CodeIdempotencyInProgress Code = "idempotency_in_progress"
	// Idempotency-Key used with another body.
	CodeIdempotencyKeyReused Code = "idempotency_key_reused"
	// No such import.
	CodeImportNotFound Code = "import_not_found"
	// The key or person lacks a right.
	CodeInsufficientScope Code = "insufficient_scope"
	// Internal error.
	CodeInternal Code = "internal"
	// The header cannot be sent.
	CodeInvalidHeader Code = "invalid_header"
	// Invalid Idempotency-Key.
	CodeInvalidIdempotencyKey Code = "invalid_idempotency_key"
	// The body is not JSON.
	CodeInvalidJSON Code = "invalid_json"
	// Invalid page token.
	CodeInvalidToken Code = "invalid_token"
	// The url cannot be used.
	CodeInvalidURL Code = "invalid_url"
	// No such lead.
	CodeLeadNotFound Code = "lead_not_found"
	// A limit of the workspace.
	CodeLimitReached Code = "limit_reached"
	// The message is not a draft.
	CodeMessageNotDraft Code = "message_not_draft"
	// No such message.
	CodeMessageNotFound Code = "message_not_found"
	// Nothing to spread.
	CodeNoFinancialDocuments Code = "no_financial_documents"
	// The lead cannot be written to.
	CodeNotReachable Code = "not_reachable"
	// The lead has opted out.
	CodeOptOutActive Code = "opt_out_active"
	// didOptOut and status disagree.
	CodeOptOutStatusConflict Code = "opt_out_status_conflict"
	// No such page.
	CodePageNotFound Code = "page_not_found"
	// No such part.
	CodePartNotFound Code = "part_not_found"
	// The party is named elsewhere.
	CodePartyInUse Code = "party_in_use"
	// No such party.
	CodePartyNotFound Code = "party_not_found"
	// Body too large.
	CodePayloadTooLarge Code = "payload_too_large"
	// No such pipeline.
	CodePipelineNotFound Code = "pipeline_not_found"
	// The pipeline run has ended.
	CodePipelineRunFinished Code = "pipeline_run_finished"
	// No such pipeline run.
	CodePipelineRunNotFound Code = "pipeline_run_not_found"
	// Changed in the meantime.
	CodePreconditionFailed Code = "precondition_failed"
	// The primary party stays.
	CodePrimaryParty Code = "primary_party"
	// Too many requests.
	CodeRateLimited Code = "rate_limited"
	// The reminder has no schedule.
	CodeReminderUnscheduled Code = "reminder_unscheduled"
	// No such replay.
	CodeReplayNotFound Code = "replay_not_found"
	// The header is set by the service.
	CodeReservedHeader Code = "reserved_header"
	// Too early to erase.
	CodeRetentionFloor Code = "retention_floor"
	// Somebody else has claimed the review.
	CodeReviewClaimed Code = "review_claimed"
	// The review is another than you saw.
	CodeReviewMoved Code = "review_moved"
	// The review is not claimed.
	CodeReviewNotClaimed Code = "review_not_claimed"
	// No such review.
	CodeReviewNotFound Code = "review_not_found"
	// No such workflow run.
	CodeRunNotFound Code = "run_not_found"
	// The run completes by itself.
	CodeRunNotManuallyCompletable Code = "run_not_manually_completable"
	// The run has ended.
	CodeRunTerminal Code = "run_terminal"
	// A second person is needed.
	CodeSecondPersonNeeded Code = "second_person_needed"
	// No such session.
	CodeSessionNotFound Code = "session_not_found"
	// No such specimen.
	CodeSpecimenNotFound Code = "specimen_not_found"
	// The spread is in progress.
	CodeSpreadInProgress Code = "spread_in_progress"
	// No such spread.
	CodeSpreadNotFound Code = "spread_not_found"
	// The spread has no results yet.
	CodeSpreadNotReady Code = "spread_not_ready"
	// The spread is not submitted.
	CodeSpreadNotSubmitted Code = "spread_not_submitted"
	// Status cannot be set.
	CodeStatusNotSettable Code = "status_not_settable"
	// An item of the template.
	CodeTemplateItem Code = "template_item"
	// A test key is required.
	CodeTestKeyRequired Code = "test_key_required"
	// No valid API key.
	CodeUnauthorized Code = "unauthorized"
	// Temporarily unavailable.
	CodeUnavailable Code = "unavailable"
	// No such event type.
	CodeUnknownEvent Code = "unknown_event"
	// No such event.
	CodeUnknownEventID Code = "unknown_event_id"
	// Unknown field.
	CodeUnknownField Code = "unknown_field"
	// Unknown query parameter.
	CodeUnknownParameter Code = "unknown_parameter"
	// Media type not supported.
	CodeUnsupportedMediaType Code = "unsupported_media_type"
	// Nothing was uploaded.
	CodeUploadMissing Code = "upload_missing"
	// The request is not valid.
	CodeValidationFailed Code = "validation_failed"
	// The webhook was deleted.
	CodeWebhookDeleted Code = "webhook_deleted"
	// The webhook is disabled.
	CodeWebhookDisabled Code = "webhook_disabled"
	// No such webhook.
	CodeWebhookNotFound Code = "webhook_not_found"
	// No such workflow.
	CodeWorkflowNotFound Code = "workflow_not_found"
	// No such workspace.
	CodeWorkspaceNotFound Code = "workspace_not_found"
)
