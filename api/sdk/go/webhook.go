package dossier

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is something that happened. Data is as it was sent; Typed reads it.
type Event struct {
	ID          string          `json:"id"`
	Type        EventType       `json:"type"`
	Timestamp   time.Time       `json:"timestamp"`
	WorkspaceID string          `json:"workspaceId"`
	Livemode    bool            `json:"livemode"`
	APIVersion  string          `json:"apiVersion"`
	Data        json.RawMessage `json:"data"`
}

// Typed is the event's data in the type of its name, for example *LeadEvent of lead.created. An event that this
// client does not know is a *map[string]any.
func (e Event) Typed() (any, error) {
	out := any(&map[string]any{})
	if empty, known := dataOf[e.Type]; known {
		out = empty()
	}
	return out, json.Unmarshal(e.Data, out)
}

// Tolerance is how far a delivery's timestamp may be from this machine's clock.
const Tolerance = 5 * time.Minute

// ErrNotGenuine is what Verify's errors are.
var ErrNotGenuine = errors.New("the delivery is not genuine")

// Verify reads a delivery whose signature is one of the secrets' (Standard Webhooks 1.0) and not older than Tolerance.
// body are the bytes as they came. Know repeats by the event's id.
func Verify(header http.Header, body []byte, secrets ...string) (Event, error) {
	return VerifyAt(time.Now(), header, body, secrets...)
}

// VerifyAt is Verify with a clock of your own.
func VerifyAt(now time.Time, header http.Header, body []byte, secrets ...string) (Event, error) {
	id, stamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if id == "" || err != nil {
		return Event{}, fmt.Errorf("%w: a header is missing or damaged", ErrNotGenuine)
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return Event{}, fmt.Errorf("%w: its time is %s away", ErrNotGenuine, age.Truncate(time.Second))
	}
	for _, secret := range secrets {
		signed, err := signedBy(secret, id, stamp, header.Get("webhook-signature"), body)
		if err != nil {
			return Event{}, err
		}
		if signed {
			var event Event
			err := json.Unmarshal(body, &event)
			return event, err
		}
	}
	return Event{}, fmt.Errorf("%w: no signature matches", ErrNotGenuine)
}

func signedBy(secret, id, stamp, signatures string, body []byte) (bool, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false, errors.New("the secret is not whsec_ followed by base64")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + stamp + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	for _, one := range strings.Fields(signatures) {
		encoded, ok := strings.CutPrefix(one, "v1,")
		got, err := base64.StdEncoding.DecodeString(encoded)
		if ok && err == nil && hmac.Equal(got, want) {
			return true, nil
		}
	}
	return false, nil
}
