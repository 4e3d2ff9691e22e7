package setup

import (
	"log/slog"
	"time"

	"github.com/dossierhq/dossier/webhooks"
)

// WebhookClient makes the client that deliveries go through. Networks besides the public ones are worth a line in the
// log of every start.
func (c Config) WebhookClient(log *slog.Logger) *webhooks.Client {
	if len(c.WebhookAllow) > 0 {
		log.Warn("webhooks may also reach these networks", "DOSSIER_WEBHOOK_ALLOW", c.WebhookAllow)
	}
	return webhooks.NewClient(webhooks.Config{Allow: c.WebhookAllow, Deny: c.WebhookDeny,
		Concurrency: c.WebhookInflight, Now: time.Now})
}
