package api

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

const (
	scopeRead  = dossier.ScopeRead
	scopeWrite = dossier.ScopeWrite
	scopeAdmin = dossier.ScopeAdmin
)

// routes is every operation of the service: those below, in the order of api.md, each noun under its heading, then
// those of the leads' page.
func (s *Server) routes() []route {
	return append(s.ownRoutes(), s.portalRows()...)
}

func (s *Server) ownRoutes() []route {
	return []route{
		// Leads
		{method: "PUT", path: "/api/v1/leads", handler: s.updateLead, scope: scopeWrite, class: write,
			body: updateLeadBody{}, answer: leadAnswer{}},
		{method: "POST", path: "/api/v1/leads", handler: s.createLead, scope: scopeWrite, class: write, status: 201,
			body: createLeadBody{}, answer: leadAnswer{}},
		{method: "GET", path: "/api/v1/leads", handler: s.listLeads, scope: scopeRead, class: read, query: leadsQuery{},
			answer: []listedLead{}},
		{method: "GET", path: "/api/v1/leads/{leadId}", handler: s.readLead, scope: scopeRead, class: read,
			answer: readLeadAnswer{}},
		{method: "DELETE", path: "/api/v1/leads/{leadId}", handler: s.deleteLead, scope: scopeWrite, class: write,
			query: deleteQuery{}},

		// Checklist
		{method: "GET", path: "/api/v1/leads/{leadId}/checklist", handler: s.readChecklist, scope: scopeRead,
			class: read, query: checklistQuery{}, answer: []checklistGroup{}},
		{method: "POST", path: "/api/v1/leads/{leadId}/checklist-items", handler: s.createLeadItem, scope: scopeWrite,
			class: write, status: 201, body: newItemBody{}, answer: leadItemAnswer{}},
		{method: "PATCH", path: "/api/v1/leads/{leadId}/checklist-items/{checklistItemId}", handler: s.changeLeadItem,
			scope: scopeWrite, class: write, body: itemChangeBody{}, answer: leadItemAnswer{}},
		{method: "DELETE", path: "/api/v1/leads/{leadId}/checklist-items/{checklistItemId}", handler: s.deleteLeadItem,
			scope: scopeWrite, class: write},

		// Documents
		{method: "GET", path: "/api/v1/leads/{leadId}/documents", handler: s.listDocuments, scope: scopeRead,
			class: read, query: documentsQuery{}, answer: []listedDocument{}},
		{method: "POST", path: "/api/v1/documents", handler: s.createDocuments, scope: scopeWrite, class: upload,
			files: true, status: 201, answer: createDocumentsAnswer{}},
		{method: "POST", path: "/api/v1/documents/presign", handler: s.presignDocument, scope: scopeWrite, class: write,
			uploads: true, status: 201, body: presignBody{}, answer: presignAnswer{}},
		{method: "POST", path: "/api/v1/documents/{documentId}/complete", handler: s.completeDocument,
			scope: scopeWrite, class: upload, mayBeEmpty: true, body: completeBody{}, answer: documentAnswer{}},
		{method: "GET", path: "/api/v1/documents/{documentId}", handler: s.readDocument, scope: scopeRead, class: read,
			query: documentQuery{}, answer: documentAnswer{}},
		{method: "GET", path: "/api/v1/documents/{documentId}/pages/{page}", handler: s.readPagePicture,
			scope: scopeRead, class: read,
			query: pagePictureQuery{}},
		{method: "GET", path: "/api/v1/documents/{documentId}/pages/{page}/words", handler: s.readPageWords,
			scope: scopeRead, class: read, answer: pageWordsAnswer{}},
		{method: "DELETE", path: "/api/v1/documents/{documentId}", handler: s.deleteDocument, scope: scopeWrite,
			class: write, query: deleteQuery{}},
		{method: "PUT", path: "/api/v1/documents/{documentId}/corrections", handler: s.correctDocument,
			scope: scopeWrite, class: write, body: correctionsBody{}, answer: correctionsAnswer{}},
		{method: "PUT", path: "/api/v1/documents/{documentId}/parts", handler: s.setDocumentParts, scope: scopeWrite,
			class: write, status: 202, body: partsBody{}, answer: documentAnswer{}},
		{method: "POST", path: "/api/v1/documents/{documentId}/reprocess", handler: s.reprocessDocument,
			scope: scopeWrite, class: write, status: 202, answer: documentAnswer{}},
		{method: "POST", path: "/api/v1/documents/{documentId}/associations", handler: s.addAssociation,
			scope: scopeWrite, class: write, status: 201, body: associationBody{}, answer: documentAnswer{}},
		{method: "DELETE", path: "/api/v1/documents/{documentId}/associations/{associationId}",
			handler: s.removeAssociation, scope: scopeWrite, class: write},
		{method: "PATCH", path: "/api/v1/documents/{documentId}/associations/{associationId}",
			handler: s.overrideAssociation, scope: scopeWrite, role: dossier.RoleApprover, class: write,
			body: overrideBody{}, answer: documentAnswer{}},
		{method: "PATCH", path: "/api/v1/documents/{documentId}/parts/{part}", handler: s.setDocumentParty,
			scope: scopeWrite, class: write, body: documentPartBody{}, answer: documentAnswer{}},

		// Parties
		{method: "GET", path: "/api/v1/leads/{leadId}/parties", handler: s.listParties, scope: scopeRead, class: read,
			answer: partiesAnswer{}},
		{method: "POST", path: "/api/v1/leads/{leadId}/parties", handler: s.createParty, scope: scopeWrite,
			class: write, status: 201, body: partyBody{}, answer: partyAnswer{}},
		{method: "PATCH", path: "/api/v1/leads/{leadId}/parties/{partyId}", handler: s.updateParty, scope: scopeWrite,
			class: write, body: partyChangeBody{}, answer: partyAnswer{}},
		{method: "DELETE", path: "/api/v1/leads/{leadId}/parties/{partyId}", handler: s.deleteParty, scope: scopeWrite,
			class: write},
		{method: "GET", path: "/api/v1/leads/{leadId}/ownership", handler: s.readOwnership, scope: scopeRead,
			class: read, answer: ownershipAnswer{}},
		{method: "PUT", path: "/api/v1/leads/{leadId}/ownership", handler: s.putOwnership, scope: scopeWrite,
			class: write, body: ownershipBody{}, answer: ownershipAnswer{}},
		{method: "GET", path: "/api/v1/leads/{leadId}/debts", handler: s.listDebts, scope: scopeRead, class: read,
			answer: debtsAnswer{}},
		{method: "PUT", path: "/api/v1/leads/{leadId}/debts", handler: s.putDebts, scope: scopeWrite, class: write,
			body: debtsBody{}, answer: debtsAnswer{}},

		// Activity
		{method: "POST", path: "/api/v1/activity", handler: s.createActivity, scope: scopeWrite, class: write,
			status: 201, body: activityBody{}, answer: activityAnswer{}},
		{method: "GET", path: "/api/v1/leads/{leadId}/activity", handler: s.timeline, scope: scopeRead, class: read,
			query: timelineQuery{}, answer: timelineAnswer{}},
		{method: "GET", path: "/api/v1/action-logs/{actionLogId}", handler: s.readActionLog, scope: scopeRead,
			class: read, answer: actionLogAnswer{}},

		// Messages, escalations
		{method: "GET", path: "/api/v1/leads/{leadId}/messages", handler: s.listMessages, scope: scopeRead, class: read,
			query: messagesQuery{}, answer: messagesAnswer{}},
		{method: "GET", path: "/api/v1/inbox", handler: s.listInbox, scope: scopeRead, class: read,
			query: messagesQuery{}, answer: messagesAnswer{}},
		{method: "POST", path: "/api/v1/leads/{leadId}/messages", handler: s.createDraft, scope: scopeWrite,
			class: write, status: 201, body: draftBody{}, answer: messageAnswer{}},
		{method: "POST", path: "/api/v1/messages/{messageId}/approve", handler: s.approveMessage, scope: scopeWrite,
			class: write, answer: messageAnswer{}},
		{method: "POST", path: "/api/v1/messages/{messageId}/edit", handler: s.editMessage, scope: scopeWrite,
			class: write, body: editBody{}, answer: messageAnswer{}},
		{method: "POST", path: "/api/v1/messages/{messageId}/reject", handler: s.rejectMessage, scope: scopeWrite,
			class: write, mayBeEmpty: true, body: rejectBody{}, answer: messageAnswer{}},
		{method: "GET", path: "/api/v1/escalations", handler: s.listEscalations, scope: scopeRead, class: read,
			query: escalationsQuery{}, answer: escalationsAnswer{}},
		{method: "POST", path: "/api/v1/leads/{leadId}/escalations", handler: s.createEscalation, scope: scopeWrite,
			class: write, status: 201, body: escalationBody{}, answer: escalationAnswer{}},
		{method: "POST", path: "/api/v1/escalations/{escalationId}/resolve", handler: s.resolveEscalation,
			scope: scopeWrite, class: write, mayBeEmpty: true, body: resolveBody{}, answer: escalationAnswer{}},

		// Reviews
		{method: "GET", path: "/api/v1/reviews", handler: s.listReviews, scope: scopeRead, class: read,
			query: reviewsQuery{}, answer: reviewsAnswer{}},
		{method: "POST", path: "/api/v1/reviews/next", handler: s.nextReview, scope: scopeWrite, class: write,
			mayBeEmpty: true, body: nextReviewBody{}, answer: reviewAnswer{}},
		{method: "GET", path: "/api/v1/reviews/quality", handler: s.reviewQuality, scope: scopeRead, class: read,
			query: qualityQuery{}, answer: qualityAnswer{}},
		{method: "GET", path: "/api/v1/reviews/{reviewId}", handler: s.readReview, scope: scopeRead, class: read,
			answer: reviewAnswer{}},
		{method: "POST", path: "/api/v1/reviews/{reviewId}/claim", handler: s.claimReview, scope: scopeWrite,
			class: write, mayBeEmpty: true, body: claimBody{}, answer: reviewAnswer{}},
		{method: "POST", path: "/api/v1/reviews/{reviewId}/renew", handler: s.renewReview, scope: scopeWrite,
			class: write, answer: reviewAnswer{}},
		{method: "POST", path: "/api/v1/reviews/{reviewId}/release", handler: s.releaseReview, scope: scopeWrite,
			class: write, answer: reviewAnswer{}},
		{method: "POST", path: "/api/v1/reviews/{reviewId}/assign", handler: s.assignReview, scope: scopeWrite,
			class: write, body: assignBody{}, answer: reviewAnswer{}},
		{method: "POST", path: "/api/v1/reviews/{reviewId}/decide", handler: s.decideReview, scope: scopeWrite,
			class: write, body: decideBody{}, answer: reviewAnswer{}},

		// Analytics
		{method: "GET", path: "/api/v0/analytics", handler: s.analytics, scope: scopeRead, class: poll,
			query: analyticsQuery{}, answer: analyticsAnswer{}},

		// Workflows, agents
		{method: "GET", path: "/api/v1/workflows", handler: s.listWorkflows, scope: scopeRead, class: read,
			answer: workflowsAnswer{}},
		{method: "GET", path: "/api/v1/agents", handler: s.listAgents, scope: scopeRead, class: read,
			answer: agentsAnswer{}},

		// Workflow runs
		{method: "POST", path: "/api/v1/workflow-runs", handler: s.createRun, scope: scopeWrite, class: write,
			status: 201, body: runBody{}, answer: runAnswer{}},
		{method: "GET", path: "/api/v1/workflow-runs", handler: s.listRuns, scope: scopeRead, class: read,
			query: runsQuery{}, answer: runsAnswer{}},
		{method: "GET", path: "/api/v1/workflow-runs/{workflowRunId}", handler: s.readRun, scope: scopeRead,
			class: read, answer: runAnswer{}},
		{method: "POST", path: "/api/v1/workflow-runs/{workflowRunId}/pause", handler: s.pauseRun, scope: scopeWrite,
			class: write, answer: runAnswer{}},
		{method: "POST", path: "/api/v1/workflow-runs/{workflowRunId}/resume", handler: s.resumeRun, scope: scopeWrite,
			class: write, answer: runAnswer{}},
		{method: "POST", path: "/api/v1/workflow-runs/{workflowRunId}/cancel", handler: s.cancelRun, scope: scopeWrite,
			class: write, answer: runAnswer{}},
		{method: "POST", path: "/api/v1/workflow-runs/{workflowRunId}/complete", handler: s.completeRun,
			scope: scopeWrite, class: write, answer: runAnswer{}},

		// Spreads, artifacts
		{method: "POST", path: "/api/v1/spreads", handler: s.createSpread, scope: scopeWrite, class: write, status: 202,
			uploads: true, body: createSpreadBody{}, answer: spreadAnswer{}},
		{method: "GET", path: "/api/v1/spreads", handler: s.listSpreads, scope: scopeRead, class: read,
			query: spreadsQuery{}, answer: spreadsAnswer{}},
		{method: "GET", path: "/api/v1/spreads/{spreadId}", handler: s.readSpread, scope: scopeRead, class: read,
			answer: spreadAnswer{}},
		{method: "POST", path: "/api/v1/spreads/{spreadId}/regenerate", handler: s.regenerateSpread, scope: scopeWrite,
			class: write, status: 202, uploads: true, answer: spreadAnswer{}},
		{method: "GET", path: "/api/v1/spreads/{spreadId}/adjustments", handler: s.listAdjustments, scope: scopeRead,
			class: read, answer: adjustmentsAnswer{}},
		{method: "PUT", path: "/api/v1/spreads/{spreadId}/adjustments", handler: s.putAdjustments, scope: scopeWrite,
			class: write, status: 202, uploads: true, body: adjustmentsBody{}, answer: adjustedAnswer{}},
		{method: "GET", path: "/api/v1/spreads/{spreadId}/caption-mappings", handler: s.listCaptions, scope: scopeRead,
			class: read, answer: captionsAnswer{}},
		{method: "PUT", path: "/api/v1/spreads/{spreadId}/caption-mappings", handler: s.putCaptions, scope: scopeWrite,
			class: write, status: 202, uploads: true, body: captionsBody{}, answer: mappedAnswer{}},
		{method: "GET", path: "/api/v1/spreads/{spreadId}/results", handler: s.spreadResults, scope: scopeRead,
			class: read, query: resultsQuery{}, answer: resultsAnswer{}},
		{method: "POST", path: "/api/v1/spreads/{spreadId}/submit", handler: s.submitSpread, scope: scopeWrite,
			class: write, answer: spreadAnswer{}},
		{method: "POST", path: "/api/v1/spreads/{spreadId}/approve", handler: s.approveSpread, scope: scopeWrite,
			role: dossier.RoleApprover, class: write, answer: spreadAnswer{}},
		{method: "POST", path: "/api/v1/spreads/{spreadId}/return", handler: s.returnSpread, scope: scopeWrite,
			role: dossier.RoleApprover, class: write, body: returnBody{}, answer: spreadAnswer{}},
		{method: "GET", path: "/api/v1/artifacts/{artifactId}/content", handler: s.artifactContent, scope: scopeRead,
			class: read},

		// Pipelines
		{method: "POST", path: "/pipelines/run/{pipelineId}", handler: s.startPipeline, scope: scopeWrite, class: write,
			status: 202, onPipelines: true, body: pipelineBody{}, answer: startPipelineAnswer{}},
		{method: "GET", path: "/pipelines/run/{pipelineId}", handler: s.pollPipeline, scope: scopeRead, class: poll,
			onPipelines: true, query: pollQuery{}, answer: record.PipelineRun{}},
		{method: "DELETE", path: "/pipelines/run/{pipelineId}", handler: s.cancelPipeline, scope: scopeWrite,
			class: write, onPipelines: true, query: pipelineQuery{}, answer: record.PipelineRun{}},
		{method: "GET", path: "/pipelines", handler: s.listPipelines, scope: scopeRead, class: read, onPipelines: true,
			answer: pipelinesAnswer{}},

		// Webhooks, deliveries
		{method: "POST", path: "/save-webhook", handler: s.saveWebhook, scope: scopeWrite, class: write,
			onPipelines: true, body: webhookBody{}, answer: saveWebhookAnswer{}},
		{method: "GET", path: "/api/v1/webhooks", handler: s.listWebhooks, scope: scopeRead, class: read,
			query: webhooksQuery{}, answer: webhooksAnswer{}},
		{method: "GET", path: "/api/v1/webhooks/{webhookId}", handler: s.readWebhook, scope: scopeRead, class: read,
			answer: webhookAnswer{}},
		{method: "DELETE", path: "/api/v1/webhooks/{webhookId}", handler: s.deleteWebhook, scope: scopeWrite,
			class: write},
		{method: "POST", path: "/api/v1/webhooks/{webhookId}/test", handler: s.testWebhook, scope: scopeWrite,
			class: write, status: 202, answer: testWebhookAnswer{}},
		{method: "POST", path: "/api/v1/webhooks/{webhookId}/rotate-secret", handler: s.rotateSecret, scope: scopeWrite,
			class: write, answer: rotateSecretAnswer{}},
		{method: "GET", path: "/api/v1/webhooks/{webhookId}/deliveries", handler: s.listWebhookDeliveries,
			scope: scopeRead, class: read, query: deliveriesQuery{}, answer: deliveriesAnswer{}},
		{method: "POST", path: "/api/v1/webhooks/{webhookId}/replay", handler: s.replayWebhook, scope: scopeWrite,
			class: write, status: 202, mayBeEmpty: true, body: replayBody{}, answer: replayAnswer{}},
		{method: "GET", path: "/api/v1/webhooks/{webhookId}/replays/{replayId}", handler: s.pollReplay,
			scope: scopeRead, class: read, answer: replayPoll{}},
		{method: "GET", path: "/api/v1/webhooks/deliveries", handler: s.listDeliveries, scope: scopeRead, class: read,
			query: allDeliveriesQuery{}, answer: deliveriesAnswer{}},
		{method: "GET", path: "/api/v1/webhooks/deliveries/{deliveryId}", handler: s.readDelivery, scope: scopeRead,
			class: read, answer: deliveryDetailAnswer{}},
		{method: "POST", path: "/api/v1/webhooks/deliveries/{deliveryId}/redeliver", handler: s.redeliver,
			scope: scopeWrite, class: write, status: 202, answer: deliveryAnswer{}},

		// Events
		{method: "GET", path: "/api/v1/events", handler: s.listEvents, scope: scopeRead, class: read,
			query: eventsQuery{}, answer: eventsAnswer{}},

		// Portal links, inbound
		{method: "POST", path: "/api/v1/leads/{leadId}/portal-link", handler: s.renewPortalLink, scope: scopeWrite,
			class: write, mayBeEmpty: true, body: portalLinkBody{}, answer: portalLinkAnswer{}},
		{method: "DELETE", path: "/api/v1/leads/{leadId}/portal-link", handler: s.revokePortalLink, scope: scopeWrite,
			class: write, query: portalLinkQuery{}},
		{method: "POST", path: "/inbound/{channel}/{token}", handler: s.receiveMessage, class: open, status: 202,
			limit: inboundLimit, body: inboundBody{}, answer: inboundAnswer{}},
		{method: "GET", path: "/unsubscribe/{token}", handler: s.showUnsubscribe, class: open},
		{method: "POST", path: "/unsubscribe/{token}", handler: s.unsubscribe, class: open},

		// API keys
		{method: "POST", path: "/api/v1/api-keys", handler: s.createKey, scope: scopeAdmin, class: write, status: 201,
			body: keyBody{}, answer: createKeyAnswer{}},
		{method: "GET", path: "/api/v1/api-keys", handler: s.listKeys, scope: scopeAdmin, class: read,
			query: keysQuery{}, answer: keysAnswer{}},
		{method: "DELETE", path: "/api/v1/api-keys/{apiKeyId}", handler: s.revokeKey, scope: scopeAdmin, class: write},

		// People, sessions
		{method: "GET", path: "/api/v1/me", handler: s.readMe, scope: scopeRead, class: read, answer: meAnswer{}},
		{method: "GET", path: "/api/v1/workspace", handler: s.readWorkspace, scope: scopeAdmin, class: read,
			answer: workspaceAnswer{}},
		{method: "GET", path: "/api/v1/people", handler: s.listPeople, scope: scopeAdmin, class: read,
			answer: peopleAnswer{}},
		{method: "GET", path: "/api/v1/sessions", handler: s.listSessions, scope: scopeAdmin, class: read,
			query: sessionsQuery{}, answer: sessionsAnswer{}},
		{method: "POST", path: "/api/v1/sessions/{sessionId}/revoke", handler: s.revokeSession, scope: scopeRead,
			class: write, answer: success{}},
		{method: "GET", path: "/console", handler: s.showConsole, class: open},
		{method: "GET", path: "/console/leads", handler: s.showLeads, class: open},
		{method: "GET", path: "/console/leads/{leadId}", handler: s.showLead, class: open},
		{method: "GET", path: "/console/documents/{documentId}", handler: s.showDocument, class: open},
		{method: "GET", path: "/console/spreads/{spreadId}", handler: s.showSpread, class: open},
		{method: "GET", path: "/console/quality", handler: s.showQuality, class: open},
		{method: "GET", path: "/console/webhooks", handler: s.showWebhooks, class: open},
		{method: "GET", path: "/console/settings", handler: s.showSettings, class: open},
		{method: "GET", path: "/console/reviews/{reviewId}", handler: s.showReview, class: open},
		{method: "GET", path: "/console/events", handler: s.streamConsole, class: poll, query: consoleEventsQuery{}},
		{method: "GET", path: "/console-assets/{file}", handler: s.readConsoleAsset, class: open},
		{method: "GET", path: "/console/sign-in", handler: s.signIn, class: open},
		{method: "POST", path: "/console/sign-in", handler: s.tryOut, class: open},
		{method: "GET", path: "/console/callback", handler: s.finishSignIn, class: open},
		{method: "GET", path: "/console/sign-in/{token}", handler: s.useSignInLink, class: open},
		{method: "POST", path: "/console/sign-out", handler: s.signOut, class: open},

		// Erasures, holds
		{method: "POST", path: "/api/v1/leads/{leadId}/erase", handler: s.eraseLead, scope: scopeAdmin, class: write,
			status: 202, body: eraseBody{}, answer: erasingAnswer{}},
		{method: "POST", path: "/api/v1/documents/{documentId}/erase", handler: s.eraseDocument, scope: scopeAdmin,
			class: write, status: 202, body: eraseBody{}, answer: erasingAnswer{}},
		{method: "GET", path: "/api/v1/erasures", handler: s.listErasures, scope: scopeAdmin, class: read,
			query: erasuresQuery{}, answer: erasuresAnswer{}},
		{method: "GET", path: "/api/v1/erasures/{erasureId}", handler: s.readErasure, scope: scopeAdmin, class: read,
			answer: erasureAnswer{}},
		{method: "POST", path: "/api/v1/erasures/{erasureId}/cancel", handler: s.cancelErasure, scope: scopeAdmin,
			class: write, answer: erasureAnswer{}},
		{method: "POST", path: "/api/v1/leads/{leadId}/holds", handler: s.createHold, scope: scopeAdmin, class: write,
			status: 201, body: holdBody{}, answer: holdAnswer{}},
		{method: "GET", path: "/api/v1/leads/{leadId}/holds", handler: s.listHolds, scope: scopeAdmin, class: read,
			query: holdsQuery{}, answer: holdsAnswer{}},
		{method: "DELETE", path: "/api/v1/leads/{leadId}/holds/{holdId}", handler: s.releaseHold, scope: scopeAdmin,
			class: write},

		// Requests
		{method: "GET", path: "/api/v1/requests", handler: s.listRequests, scope: scopeRead, class: read,
			query: requestsQuery{}, answer: requestsAnswer{}},

		// Imports
		{method: "POST", path: "/api/v1/imports", handler: s.createImport, scope: scopeWrite, class: upload,
			files: true, status: 202, answer: importAnswer{}},
		{method: "GET", path: "/api/v1/imports", handler: s.listImports, scope: scopeRead, class: read,
			query: importsQuery{}, answer: importsAnswer{}},
		{method: "GET", path: "/api/v1/imports/{importId}", handler: s.readImport, scope: scopeRead, class: read,
			answer: importAnswer{}},

		// Test mode
		{method: "POST", path: "/api/v1/test/clock", handler: s.advanceClock, scope: scopeWrite, class: poll,
			body: clockBody{}, answer: clockAnswer{}},
		{method: "GET", path: "/api/v1/test/specimens", handler: s.listSpecimens, scope: scopeRead, class: read,
			answer: specimensAnswer{}},
		{method: "GET", path: "/api/v1/test/specimens/{kind}", handler: s.readSpecimen, scope: scopeRead, class: read},

		// Audit
		{method: "GET", path: "/api/v1/audit", handler: s.listAudit, scope: scopeAdmin, class: read,
			query: auditQuery{}, answer: auditAnswer{}},

		// Agents of others
		{method: "POST", path: "/mcp", handler: s.serveMCP, class: open},

		// About the service
		{method: "GET", path: "/healthz", handler: s.healthz, class: open, answer: health{}, onPipelines: true},
		{method: "GET", path: "/readyz", handler: s.readyz, class: open, answer: readiness{}, onPipelines: true},
		{method: "GET", path: "/openapi.json", handler: s.openAPI, class: open, onPipelines: true},
		{method: "GET", path: "/docs", handler: s.docs, class: open},
		{method: "GET", path: "/changelog", handler: s.changes, class: open},
		{method: "GET", path: "/upgrading", handler: s.upgrading, class: open},
		{method: "GET", path: "/problems", handler: s.problems, class: open},
		{method: "GET", path: "/problems/{code}", handler: s.problem, class: open},
	}
}
