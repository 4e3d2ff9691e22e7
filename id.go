package dossier

// Ids are UUIDv7 in their canonical lower-case form. They are strings with a name so that a lead's id
// cannot be passed where a run's is wanted.
type (
	WorkspaceID   string
	KeyID         string
	LeadID        string
	GroupID       string
	ItemID        string // a checklist item's definition
	EntryID       string // an item on one lead's checklist
	DocumentID    string
	AssociationID string
	ActionLogID   string
	EscalationID  string
	AgentID       string
	WorkflowID    string
	RunID         string
	MessageID     string
	SpreadID      string
	ArtifactID    string
	PipelineRunID string // the jobId of api.md's polling
	WebhookID     string
	EventID       string
	DeliveryID    string
	ReplayID      string
	JobID         string
	ErasureID     string
	HoldID        string
)

// ValidID reports whether s is a UUID in canonical lower-case form.
func ValidID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range []byte(s) {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		}
	}
	return true
}
