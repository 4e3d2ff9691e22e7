package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// EndpointKnown is how old what a sender knows of an endpoint may be. From so long after a change no delivery leaves by
// what was before it.
const EndpointKnown = time.Second

// SendToEndpoint makes the first tries of one endpoint's deliveries, in order and up to its in-flight cap, until
// none is left or its time is up. There is one per endpoint at most, so a slow endpoint occupies one place of the
// lane however much waits for it.
type SendToEndpoint struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Webhook   dossier.WebhookID   `json:"webhook"`
}

// Spec implements Job. A sender ends by itself after ten seconds, or within a minute where nobody waits for its place;
// a crash costs one of its tries, and none is counted for waiting.
func (SendToEndpoint) Spec() Spec {
	return Spec{Kind: "webhook.drain", Lane: LaneWebhook, Timeout: 90 * time.Second, Tries: 25}
}

// DeliverWebhook makes all later tries of one delivery. How many there are is the schedule's business.
type DeliverWebhook struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Webhook   dossier.WebhookID   `json:"webhook"`
	Delivery  dossier.DeliveryID  `json:"delivery"`
}

// Spec implements Job.
func (DeliverWebhook) Spec() Spec {
	return Spec{Kind: "webhook.deliver", Lane: LaneWebhookRetry, Timeout: time.Minute, Tries: 50}
}

// ReplayWebhook makes the deliveries of a span of time due again, a page at a time.
type ReplayWebhook struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Replay    dossier.ReplayID    `json:"replay"`
}

// Spec implements Job.
func (ReplayWebhook) Spec() Spec {
	return Spec{Kind: "webhook.replay", Lane: LaneSystem, Timeout: 5 * time.Minute, Tries: 10}
}

// SweepEvents deletes events, deliveries and attempts past their retention. Housekeeping.
type SweepEvents struct{}

// Spec implements Job.
func (SweepEvents) Spec() Spec {
	return Spec{Kind: "system.sweep-events", Lane: LaneSystem, Timeout: 15 * time.Minute, Tries: 3}
}
