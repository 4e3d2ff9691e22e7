package dossier

// AuditAction names an administrative act, noun.verb.
type AuditAction string

// Administrative acts. What agents, leads and integrations do in the course of a collection is in the timeline of a lead
// instead.
const (
	AuditKeyCreate       AuditAction = "api_key.create"
	AuditKeyRevoke       AuditAction = "api_key.revoke"
	AuditReveal          AuditAction = "checklist.reveal"
	AuditLinkOpen        AuditAction = "portal_link.open"
	AuditLinkRotate      AuditAction = "portal_link.rotate"
	AuditLinkRevoke      AuditAction = "portal_link.revoke"
	AuditWebhookCreate   AuditAction = "webhook.create"
	AuditWebhookUpdate   AuditAction = "webhook.update"
	AuditWebhookDelete   AuditAction = "webhook.delete"
	AuditWebhookRotate   AuditAction = "webhook.rotate_secret"
	AuditWebhookReplay   AuditAction = "webhook.replay"
	AuditWebhookDisabled AuditAction = "webhook.disabled"
	AuditRedeliver       AuditAction = "delivery.redeliver"
	AuditJobRetry        AuditAction = "job.retry"
	AuditJobCancel       AuditAction = "job.cancel"
	AuditReprocess       AuditAction = "document.reprocess"
	AuditReportsRepair   AuditAction = "analytics.repair"
	AuditWorkspaceCreate AuditAction = "workspace.create"
	AuditWorkspaceChange AuditAction = "workspace.change"
	AuditWorkspaceDelete AuditAction = "workspace.delete"
)

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
	{AuditReportsRepair, "the counts behind analytics were thrown away and made again"},
	{AuditWorkspaceCreate, "the workspace was made"},
	{AuditWorkspaceChange, "a file was applied that changed the workspace"},
	{AuditWorkspaceDelete, "the workspace was deleted"},
}
