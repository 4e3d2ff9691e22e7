package webhooks

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// Captured is a delivery as somebody saved it.
type Captured struct {
	Header http.Header
	Body   []byte
}

const maxCaptured = 8 << 20

// ReadCaptured reads a delivery saved as text: an HTTP request with or without its first line, the headers, an empty
// line, and the body exactly as it came. Line ends of the head may be CRLF or LF.
// Errors: Invalid, when there is no head; TooLarge, above 8 MiB.
func ReadCaptured(r io.Reader) (Captured, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCaptured+1))
	if err != nil {
		return Captured{}, err
	}
	if len(data) > maxCaptured {
		return Captured{}, dossier.Errorf(dossier.TooLarge, "the delivery is larger than 8 MiB")
	}
	head, body, ok := cutHead(data)
	if !ok {
		return Captured{}, dossier.Errorf(dossier.Invalid,
			"no empty line ends the headers: give the request as it came, headers, an empty line, then the body")
	}
	if first, rest, _ := bytes.Cut(head, []byte("\n")); bytes.HasPrefix(first, []byte("POST ")) {
		head = rest
	}
	header, err := textproto.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(head),
		strings.NewReader("\n\n")))).ReadMIMEHeader()
	if err != nil {
		return Captured{}, dossier.Errorf(dossier.Invalid, "the headers cannot be read: %v", err)
	}
	return Captured{Header: http.Header(header), Body: body}, nil
}

// cutHead splits at the first empty line, whichever line ends it has.
func cutHead(data []byte) (head, body []byte, ok bool) {
	lf := bytes.Index(data, []byte("\n\n"))
	crlf := bytes.Index(data, []byte("\r\n\r\n"))
	switch {
	case crlf >= 0 && (lf < 0 || crlf < lf):
		return data[:crlf], data[crlf+4:], true
	case lf >= 0:
		return data[:lf], data[lf+2:], true
	}
	return nil, nil, false
}

// Finding is what VerifyCaptured tells: whether a delivery is genuine, and if not, why and what to look at.
type Finding struct {
	Genuine   bool      `json:"genuine"`
	ID        string    `json:"webhookId"`
	Timestamp time.Time `json:"timestamp"` // of the try; zero when it cannot be read
	Reason    string    `json:"reason,omitempty"`
	Hint      string    `json:"hint,omitempty"`
}

// VerifyCaptured checks a saved delivery against secrets. now is the time to judge its age by; the zero time skips
// that, which is right for one saved earlier.
func VerifyCaptured(c Captured, secrets []string, now time.Time) Finding {
	f := Finding{ID: c.Header.Get(HeaderID), Timestamp: timestampOf(c.Header)}
	err := Verify(secrets, c.Header, c.Body, now)
	if err == nil {
		f.Genuine = true
		return f
	}
	f.Reason = err.Error()
	for _, try := range []struct {
		body []byte
		hint string
	}{
		{bytes.TrimRight(c.Body, "\r\n"),
			"the body was saved with a line end that was not sent; without it the signature matches"},
		{bytes.ReplaceAll(c.Body, []byte("\r\n"), []byte("\n")),
			"line ends inside the body were changed to CRLF; with LF the signature matches"},
	} {
		if Verify(secrets, c.Header, try.body, now) == nil {
			f.Hint = try.hint
			return f
		}
	}
	return f
}

func timestampOf(h http.Header) time.Time {
	seconds, err := parseSeconds(h.Get(HeaderTimestamp))
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}
