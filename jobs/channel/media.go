package channel

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// ErrGone says that the provider does not have a file (any more), or that its address is none of the provider's.
var ErrGone = errors.New("the provider does not have the file")

// mediaLimit is how large a file of a message may be: as any upload.
const mediaLimit = 100 << 20

const mediaTimeout = 90 * time.Second

// Fetch opens a file of an inbound message at its provider, which wants the account's credentials. The caller closes
// it. Errors: ErrGone; Unavailable.
func (c *Carriers) Fetch(ctx context.Context, config dossier.ChannelConfig, address string) (io.ReadCloser, error) {
	if !isTwilioAddress(config, address) {
		return nil, ErrGone
	}
	ctx, cancel := context.WithTimeout(ctx, mediaTimeout)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return nil, ErrGone
	}
	request.SetBasicAuth(config.AccountSID, c.secret(config.AuthTokenEnv)) // not sent on to where Twilio redirects
	response, err := c.client().Do(request)
	if err != nil {
		cancel()
		return nil, unavailable(err, "The provider's file cannot be fetched")
	}
	if response.StatusCode == http.StatusOK {
		return &file{io.LimitReader(response.Body, mediaLimit), response.Body, cancel}, nil
	}
	_ = response.Body.Close()
	cancel()
	if response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone {
		return nil, ErrGone
	}
	return nil, unavailable(nil, "The provider's file cannot be fetched (status %d)", response.StatusCode)
}

type file struct {
	io.Reader
	body   io.Closer
	cancel context.CancelFunc
}

func (f *file) Close() error {
	defer f.cancel()
	return f.body.Close()
}

// isTwilioAddress reports whether an address belongs to the configured API. The account's token must not be sent
// anywhere else.
func isTwilioAddress(config dossier.ChannelConfig, address string) bool {
	u, err := url.Parse(address)
	if err != nil || config.Provider != "twilio" {
		return false
	}
	if base, err := url.Parse(config.URL); config.URL != "" && err == nil && u.Scheme == base.Scheme &&
		u.Host == base.Host {
		return true
	}
	return u.Scheme == "https" && (u.Host == "twilio.com" || strings.HasSuffix(u.Host, ".twilio.com"))
}
