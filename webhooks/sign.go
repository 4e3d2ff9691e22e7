// Package webhooks sends events to customers' endpoints: it signs them (Standard Webhooks 1.0), opens the
// connection through a guarded client and says what came of it.
//
// What is due, what is retried and what is logged belongs to storage/postgres and jobs/worker; the rules
// (schedule, order, breaker, blocked addresses) to the root.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// Headers of a delivery.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

const (
	secretPrefix = "whsec_"
	// Tolerance is how far a delivery's timestamp may be from the receiver's clock.
	Tolerance = 5 * time.Minute
)

// parseSecret returns the key inside a secret. 24 to 64 bytes are allowed by Standard Webhooks.
// Error: Invalid; it never holds the secret.
func parseSecret(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return nil, dossier.Errorf(dossier.Invalid, "the secret is not %s followed by base64", secretPrefix)
	}
	if len(key) < 24 || len(key) > 64 {
		return nil, dossier.Errorf(dossier.Invalid, "the secret holds %d bytes, not 24 to 64", len(key))
	}
	return key, nil
}

// Sign returns the webhook-signature header for body: one v1 signature for each secret, separated by spaces,
// so a receiver that knows any one of them is served while secrets are exchanged.
// Error: Invalid, for a malformed secret or none.
//
// Source: Standard Webhooks 1.0, "Signature scheme".
func Sign(secrets []string, id string, at time.Time, body []byte) (string, error) {
	if len(secrets) == 0 {
		return "", dossier.Errorf(dossier.Invalid, "no secret to sign with")
	}
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return "", err
		}
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(signature(key, id, strconv.FormatInt(at.Unix(), 10),
			body))
	}
	return strings.Join(signatures, " "), nil
}

func signature(key []byte, id, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + ".")) // a hash never fails to write
	mac.Write(body)
	return mac.Sum(nil)
}

// Verify reports whether a delivery is genuine: nil, or an Invalid error that says why not. now is the
// time to judge its age by; the zero time skips that, for deliveries captured earlier.
func Verify(secrets []string, header http.Header, body []byte, now time.Time) error {
	id, timestamp, signed := header.Get(HeaderID), header.Get(HeaderTimestamp), header.Get(HeaderSignature)
	for _, name := range []string{HeaderID, HeaderTimestamp, HeaderSignature} {
		if header.Get(name) == "" {
			return dossier.Errorf(dossier.Invalid, "the header %s is missing", name)
		}
	}
	if err := verifyAge(timestamp, now); err != nil {
		return err
	}
	offered, err := offeredSignatures(signed)
	if err != nil {
		return err
	}
	for _, secret := range secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return err
		}
		want := signature(key, id, timestamp, body)
		for _, got := range offered {
			if hmac.Equal(got, want) {
				return nil
			}
		}
	}
	return dossier.Errorf(dossier.Invalid,
		"no signature matches: the body was changed after signing (even re-encoding the JSON does), or the secret is "+
			"another one")
}

func verifyAge(timestamp string, now time.Time) error {
	seconds, err := parseSeconds(timestamp)
	if err != nil {
		return dossier.Errorf(dossier.Invalid, "%s is not a number of seconds", HeaderTimestamp)
	}
	if now.IsZero() {
		return nil
	}
	switch age := now.Sub(time.Unix(seconds, 0)); {
	case age > Tolerance:
		return dossier.Errorf(dossier.Invalid, "the delivery is %s old, more than %s: a replay, or a wrong clock",
			age.Truncate(time.Second), Tolerance)
	case age < -Tolerance:
		return dossier.Errorf(dossier.Invalid, "the delivery is from %s in the future: a wrong clock",
			(-age).Truncate(time.Second))
	}
	return nil
}

func parseSeconds(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }

// offeredSignatures reads the v1 signatures of a header; other versions are somebody else's.
func offeredSignatures(header string) ([][]byte, error) {
	var offered [][]byte
	for _, part := range strings.Fields(header) {
		encoded, ok := strings.CutPrefix(part, "v1,")
		if !ok {
			continue
		}
		if decoded, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			offered = append(offered, decoded)
		}
	}
	if len(offered) == 0 {
		return nil, dossier.Errorf(dossier.Invalid, "%s holds no v1 signature", HeaderSignature)
	}
	return offered, nil
}
