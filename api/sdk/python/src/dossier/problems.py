# Code generated from the OpenAPI document by make clients. DO NOT EDIT.
"""An exception for each code of a problem."""

from __future__ import annotations

from typing import Dict, Type

from ._problem import Problem


class ActionLogNotFound(Problem):
    """No such action log."""


class AgentAlreadyLinked(Problem):
    """Agent is already linked to this lead."""


class AgentNotFound(Problem):
    """No such agent."""


class ApiKeyNotFound(Problem):
    """No such API key."""


class ArtifactNotFound(Problem):
    """No such artifact."""


class AssociationNotFound(Problem):
    """No such association."""


class BlockedAddress(Problem):
    """The url points to an address that is not public."""


class ChecklistAlreadyCollected(Problem):
    """The checklist is already being collected."""


class ChecklistItemNotFound(Problem):
    """No such checklist item."""


class ChecksumMismatch(Problem):
    """The bytes are not those announced."""


class CrossSiteRequest(Problem):
    """Sent from another site."""


class DebtNotFound(Problem):
    """No such debt."""


class DecisionNotPossible(Problem):
    """This cannot be decided so."""


class DeliveryNotFound(Problem):
    """No such delivery."""


class DocumentNotFound(Problem):
    """No such document."""


class DocumentNotReady(Problem):
    """The document is not read yet."""


class DuplicateCode(Problem):
    """Duplicate code."""


class DuplicateExternalId(Problem):
    """Duplicate externalLeadId."""


class ErasureNotFound(Problem):
    """No such erasure."""


class ErasureNotOpen(Problem):
    """The erasure is not open."""


class EscalationNotFound(Problem):
    """No such escalation."""


class HoldNotFound(Problem):
    """No such hold."""


class IdempotencyInProgress(Problem):
    """The first request is still running."""


class IdempotencyKeyReused(Problem):
    """Idempotency-Key used with another body."""


class ImportNotFound(Problem):
    """No such import."""


class InsufficientScope(Problem):
    """The key or person lacks a right."""


class Internal(Problem):
    """Internal error."""


class InvalidHeader(Problem):
    """The header cannot be sent."""


class InvalidIdempotencyKey(Problem):
    """Invalid Idempotency-Key."""


class InvalidJson(Problem):
    """The body is not JSON."""


class InvalidToken(Problem):
    """Invalid page token."""


class InvalidUrl(Problem):
    """The url cannot be used."""


class LeadNotFound(Problem):
    """No such lead."""


class LimitReached(Problem):
    """A limit of the workspace."""


class MessageNotDraft(Problem):
    """The message is not a draft."""


class MessageNotFound(Problem):
    """No such message."""


class NoFinancialDocuments(Problem):
    """Nothing to spread."""


class NotReachable(Problem):
    """The lead cannot be written to."""


class OptOutActive(Problem):
    """The lead has opted out."""


class OptOutStatusConflict(Problem):
    """didOptOut and status disagree."""


class PageNotFound(Problem):
    """No such page."""


class PartNotFound(Problem):
    """No such part."""


class PartyInUse(Problem):
    """The party is named elsewhere."""


class PartyNotFound(Problem):
    """No such party."""


class PayloadTooLarge(Problem):
    """Body too large."""


class PipelineNotFound(Problem):
    """No such pipeline."""


class PipelineRunFinished(Problem):
    """The pipeline run has ended."""


class PipelineRunNotFound(Problem):
    """No such pipeline run."""


class PreconditionFailed(Problem):
    """Changed in the meantime."""


class PrimaryParty(Problem):
    """The primary party stays."""


class RateLimited(Problem):
    """Too many requests."""


class ReminderUnscheduled(Problem):
    """The reminder has no schedule."""


class ReplayNotFound(Problem):
    """No such replay."""


class ReservedHeader(Problem):
    """The header is set by the service."""


class RetentionFloor(Problem):
    """Too early to erase."""


class ReviewClaimed(Problem):
    """Somebody else has claimed the review."""


class ReviewMoved(Problem):
    """The review is another than you saw."""


class ReviewNotClaimed(Problem):
    """The review is not claimed."""


class ReviewNotFound(Problem):
    """No such review."""


class RunNotFound(Problem):
    """No such workflow run."""


class RunNotManuallyCompletable(Problem):
    """The run completes by itself."""


class RunTerminal(Problem):
    """The run has ended."""


class SecondPersonNeeded(Problem):
    """A second person is needed."""


class SessionNotFound(Problem):
    """No such session."""


class SpecimenNotFound(Problem):
    """No such specimen."""


class SpreadInProgress(Problem):
    """The spread is in progress."""


class SpreadNotFound(Problem):
    """No such spread."""


class SpreadNotReady(Problem):
    """The spread has no results yet."""


class SpreadNotSubmitted(Problem):
    """The spread is not submitted."""


class StatusNotSettable(Problem):
    """Status cannot be set."""


class TemplateItem(Problem):
    """An item of the template."""


class TestKeyRequired(Problem):
    """A test key is required."""


class Unauthorized(Problem):
    """No valid API key."""


class Unavailable(Problem):
    """Temporarily unavailable."""


class UnknownEvent(Problem):
    """No such event type."""


class UnknownEventId(Problem):
    """No such event."""


class UnknownField(Problem):
    """Unknown field."""


class UnknownParameter(Problem):
    """Unknown query parameter."""


class UnsupportedMediaType(Problem):
    """Media type not supported."""


class UploadMissing(Problem):
    """Nothing was uploaded."""


class ValidationFailed(Problem):
    """The request is not valid."""


class WebhookDeleted(Problem):
    """The webhook was deleted."""


class WebhookDisabled(Problem):
    """The webhook is disabled."""


class WebhookNotFound(Problem):
    """No such webhook."""


class WorkflowNotFound(Problem):
    """No such workflow."""


class WorkspaceNotFound(Problem):
    """No such workspace."""


BY_CODE: Dict[str, Type[Problem]] = {
    "action_log_not_found": ActionLogNotFound,
    "agent_already_linked": AgentAlreadyLinked,
    "agent_not_found": AgentNotFound,
    "api_key_not_found": ApiKeyNotFound,
    "artifact_not_found": ArtifactNotFound,
    "association_not_found": AssociationNotFound,
    "blocked_address": BlockedAddress,
    "checklist_already_collected": ChecklistAlreadyCollected,
    "checklist_item_not_found": ChecklistItemNotFound,
    "checksum_mismatch": ChecksumMismatch,
    "cross_site_request": CrossSiteRequest,
    "debt_not_found": DebtNotFound,
    "decision_not_possible": DecisionNotPossible,
    "delivery_not_found": DeliveryNotFound,
    "document_not_found": DocumentNotFound,
    "document_not_ready": DocumentNotReady,
    "duplicate_code": DuplicateCode,
    "duplicate_external_id": DuplicateExternalId,
    "erasure_not_found": ErasureNotFound,
    "erasure_not_open": ErasureNotOpen,
    "escalation_not_found": EscalationNotFound,
    "hold_not_found": HoldNotFound,
    "idempotency_in_progress": IdempotencyInProgress,
    "idempotency_key_reused": IdempotencyKeyReused,
    "import_not_found": ImportNotFound,
    "insufficient_scope": InsufficientScope,
    "internal": Internal,
    "invalid_header": InvalidHeader,
    "invalid_idempotency_key": InvalidIdempotencyKey,
    "invalid_json": InvalidJson,
    "invalid_token": InvalidToken,
    "invalid_url": InvalidUrl,
    "lead_not_found": LeadNotFound,
    "limit_reached": LimitReached,
    "message_not_draft": MessageNotDraft,
    "message_not_found": MessageNotFound,
    "no_financial_documents": NoFinancialDocuments,
    "not_reachable": NotReachable,
    "opt_out_active": OptOutActive,
    "opt_out_status_conflict": OptOutStatusConflict,
    "page_not_found": PageNotFound,
    "part_not_found": PartNotFound,
    "party_in_use": PartyInUse,
    "party_not_found": PartyNotFound,
    "payload_too_large": PayloadTooLarge,
    "pipeline_not_found": PipelineNotFound,
    "pipeline_run_finished": PipelineRunFinished,
    "pipeline_run_not_found": PipelineRunNotFound,
    "precondition_failed": PreconditionFailed,
    "primary_party": PrimaryParty,
    "rate_limited": RateLimited,
    "reminder_unscheduled": ReminderUnscheduled,
    "replay_not_found": ReplayNotFound,
    "reserved_header": ReservedHeader,
    "retention_floor": RetentionFloor,
    "review_claimed": ReviewClaimed,
    "review_moved": ReviewMoved,
    "review_not_claimed": ReviewNotClaimed,
    "review_not_found": ReviewNotFound,
    "run_not_found": RunNotFound,
    "run_not_manually_completable": RunNotManuallyCompletable,
    "run_terminal": RunTerminal,
    "second_person_needed": SecondPersonNeeded,
    "session_not_found": SessionNotFound,
    "specimen_not_found": SpecimenNotFound,
    "spread_in_progress": SpreadInProgress,
    "spread_not_found": SpreadNotFound,
    "spread_not_ready": SpreadNotReady,
    "spread_not_submitted": SpreadNotSubmitted,
    "status_not_settable": StatusNotSettable,
    "template_item": TemplateItem,
    "test_key_required": TestKeyRequired,
    "unauthorized": Unauthorized,
    "unavailable": Unavailable,
    "unknown_event": UnknownEvent,
    "unknown_event_id": UnknownEventId,
    "unknown_field": UnknownField,
    "unknown_parameter": UnknownParameter,
    "unsupported_media_type": UnsupportedMediaType,
    "upload_missing": UploadMissing,
    "validation_failed": ValidationFailed,
    "webhook_deleted": WebhookDeleted,
    "webhook_disabled": WebhookDisabled,
    "webhook_not_found": WebhookNotFound,
    "workflow_not_found": WorkflowNotFound,
    "workspace_not_found": WorkspaceNotFound,
}
