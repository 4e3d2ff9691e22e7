// Package channel hands messages to their providers: a mail server by SMTP, Twilio by HTTP. It does not decide whether
// a message may be sent; it reports what became of it, also when nobody knows. What providers send to us (replies,
// delivery reports) comes in through the API.
package channel

import (
	"context"
	"net/http"
	"time"

	"github.com/dossierhq/dossier"
)

// Limit is how long a call of a provider may take. It is short, since a message may be sent within this time although
// the lead's opt-out is stored meanwhile.
const Limit = 20 * time.Second

// Carriers calls providers.
type Carriers struct {
	// Secret finds the value of an environment variable that a channel's configuration names, or "".
	Secret func(name string) string
	Client *http.Client     // nil: http.DefaultClient
	Now    func() time.Time // nil: time.Now
}

// Send hands a message to its provider. An error means that the provider did not take the message and Send may be
// called again; it is Unavailable where the provider is away or wants a pause. A permanent refusal, and an unknown
// outcome, are in the result.
func (c *Carriers) Send(ctx context.Context, m dossier.Outgoing) (dossier.SendResult, error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	switch m.Provider.Provider {
	case "smtp":
		return c.mail(ctx, m)
	case "twilio":
		return c.twilio(ctx, m)
	}
	return refused("provider_unavailable", "This release cannot send by the provider %s", m.Provider.Provider), nil
}

func (c *Carriers) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

func (c *Carriers) client() *http.Client {
	if c.Client == nil {
		return http.DefaultClient
	}
	return c.Client
}

func (c *Carriers) secret(name string) string {
	if c.Secret == nil || name == "" {
		return ""
	}
	return c.Secret(name)
}

func refused(code, format string, args ...any) dossier.SendResult {
	return dossier.SendResult{Refused: dossier.Coded(dossier.Conflict, code, format, args...)}
}

// unavailable is a provider that did not take the message and may be asked again. Its cause is for the log.
func unavailable(cause error, format string, args ...any) error {
	e := dossier.Errorf(dossier.Unavailable, format, args...)
	e.Cause = cause
	return e
}
