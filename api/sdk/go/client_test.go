package dossier

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

func serve(t *testing.T, handle http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return New(s.URL+"/", "dsr_test_key")
}

// A write that is repeated carries its first key and its whole body again, and waits as long as it was told to.
func TestRepeats(t *testing.T) {
	var keys, bodies []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(body))
		if len(keys) < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader([]int{429, 503}[len(keys)-1])
			return
		}
		_, _ = io.WriteString(w, `{"success":true,"lead":{"id":"one"}}`)
	})
	made, err := c.CreateLead(t.Context(), CreateLeadBody{FirstName: Set("Ann"), LastName: Null[string]()})
	if err != nil || made.Lead.ID != "one" {
		t.Fatal(made.Lead.ID, err)
	}
	for i := range keys {
		if keys[i] == "" || keys[i] != keys[0] || bodies[i] != `{"firstName":"Ann","lastName":null}` {
			t.Errorf("try %d: key %q, body %s", i, keys[i], bodies[i])
		}
	}
	if len(keys) != 3 {
		t.Errorf("%d tries", len(keys))
	}
}

// A wait that is longer than the caller's patience ends the call, and so does what a repeat does not mend.
func TestRepeats_end(t *testing.T) {
	for status, retryAfter := range map[int]string{429: "3600", 404: "", 422: "0"} {
		tries := 0
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			tries++
			w.Header().Set("Retry-After", retryAfter)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"code":"lead_not_found","detail":"No such lead","requestId":"r","errors":[{"code":"required","detail":"d"}]}`)
		})
		_, err := c.ReadLead(t.Context(), "a/b")
		var problem *Problem
		if !errors.As(err, &problem) || !errors.Is(err, CodeLeadNotFound) || errors.Is(err, CodeInternal) || problem.Status != status ||
			len(problem.Errors) != 1 || tries != 1 {
			t.Errorf("%d: %v after %d tries", status, err, tries)
		}
	}
}

func TestPages(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("token") == "" {
			w.Header().Set("X-Next-Token", "second")
			_, _ = io.WriteString(w, `[{"id":"1"},{"id":"2"}]`)
			return
		}
		_, _ = io.WriteString(w, `[{"id":"3"}]`)
	})
	all := ""
	for lead, err := range c.ListLeadsAll(t.Context(), ListLeadsParams{Tags: []string{"a", "b"}}) {
		if err != nil {
			t.Fatal(err)
		}
		all += lead.ID
	}
	if all != "123" {
		t.Error(all)
	}
}

// A file is sent with its length, and whole again when the first try failed.
func TestUpload(t *testing.T) {
	tries := 0
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		file, head, err := r.FormFile("files")
		if err != nil {
			t.Error(err)
			return
		}
		data, _ := io.ReadAll(file)
		if string(data) != "some bytes" || head.Filename != "a.pdf" || r.ContentLength <= 0 || r.FormValue("leadId") != "lead" {
			t.Errorf("%s of %s, %d bytes", data, head.Filename, r.ContentLength)
		}
		if tries == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, `{"documents":[{"id":"d"}]}`)
	})
	sent, err := c.CreateDocuments(t.Context(), CreateDocumentsForm{LeadID: "lead", Files: []File{FileOf("a.pdf", []byte("some bytes"))}})
	if err != nil || len(sent.Documents) != 1 || tries != 2 {
		t.Error(sent, err, tries)
	}
}

// A large file is read from the disk while it is sent: the client never holds it.
func TestUpload_streams(t *testing.T) {
	const size = 64 << 20
	path := filepath.Join(t.TempDir(), "large.pdf")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil {
		t.Fatal(err)
	}
	var got int64
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"documents":[{"id":"d"}]}`)
	})
	file, err := FileAt(path)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := c.CreateDocuments(t.Context(), CreateDocumentsForm{LeadID: "lead", Files: []File{file}}); err != nil || got < size {
		t.Errorf("%d bytes arrived, %v", got, err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > size/4 {
		t.Errorf("%d bytes were allocated to send %d", allocated, size)
	}
}

func TestVerify(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	secret, body := "whsec_"+base64.StdEncoding.EncodeToString(key), []byte(`{"id":"e","type":"lead.erased","data":{"leadId":"l"}}`)
	now := time.Now()
	stamp := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("e." + stamp + "." + string(body)))
	header := http.Header{}
	header.Set("webhook-id", "e")
	header.Set("webhook-timestamp", stamp)
	header.Set("webhook-signature", "v1,AAAA v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	event, err := VerifyAt(now, header, body, "whsec_AAAA", secret)
	if err != nil || event.Type != EventTypeLeadErased {
		t.Fatal(event, err)
	}
	data, err := event.Typed()
	if text, _ := json.Marshal(data); err != nil || len(text) < 10 {
		t.Errorf("%s %v", text, err)
	}
	for name, check := range map[string]func() error{
		"changed": func() error { _, err := VerifyAt(now, header, append(body, ' '), secret); return err },
		"old":     func() error { _, err := VerifyAt(now.Add(time.Hour), header, body, secret); return err },
		"foreign": func() error { _, err := VerifyAt(now, header, body, "whsec_AAAA"); return err },
	} {
		if err := check(); !errors.Is(err, ErrNotGenuine) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
