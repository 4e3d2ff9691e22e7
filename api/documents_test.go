package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
)

func withObjects(t *testing.T) func(*Config) {
	return func(c *Config) { c.Objects = objectstest.New(t) }
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t, withObjects(t)), "documents.txt")
}

// A file goes directly to object storage and is then completed, with its hash checked.
func TestDocuments_direct_upload(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	made := s.do(t, "POST", "/api/v1/documents/presign", `{"leadId":"`+lead+`","filename":"a.txt","size":5,"mimeType":"text/plain"}`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, valueAt(t, made.Body, "upload", "url"), strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "text/plain")
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != 200 {
		t.Fatalf("PUT of the file: %d", response.StatusCode)
	}
	complete := "/api/v1/documents/" + valueAt(t, made.Body, "document", "id") + "/complete"
	wrong := `{"sha256":"` + strings.Repeat("0", 64) + `"}`
	if got := s.do(t, "POST", complete, wrong); got.Status != 400 || !strings.Contains(got.Body, `"checksum_mismatch"`) {
		t.Errorf("another hash: %d %s", got.Status, got.Body)
	}
	right := `{"sha256":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}`
	for range 2 {
		got := s.do(t, "POST", complete, right)
		held(t, "direct upload", "POST", complete, nil, right, got)
		if got.Status != 200 {
			t.Errorf("complete: %d %s", got.Status, got.Body)
		}
	}
	if list := s.do(t, "GET", "/api/v1/leads/"+lead+"/documents", ""); strings.Count(list.Body, `"filename"`) != 1 {
		t.Errorf("listed: %s", list.Body)
	}
}

// Who holds the upload URL cannot exchange a file after it was taken: what is read, downloaded and hashed stays the first.
func TestDocuments_stay_what_was_taken(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	made := s.do(t, "POST", "/api/v1/documents/presign", `{"leadId":"`+lead+`","filename":"a.txt","size":5,"mimeType":"text/plain"}`)
	if !strings.Contains(made.Body, `"sha256":null`) {
		t.Errorf("announced: %s", made.Body)
	}
	to := objects.Upload{Method: http.MethodPut, URL: valueAt(t, made.Body, "upload", "url"), Headers: map[string]string{"Content-Type": "text/plain"}}
	path := "/api/v1/documents/" + valueAt(t, made.Body, "document", "id")
	if status := objectstest.Send(t, to, []byte("first")); status != 200 {
		t.Fatal(status)
	}
	sum := sha256.Sum256([]byte("first"))
	if got := s.do(t, "POST", path+"/complete", ""); got.Status != 200 || valueAt(t, got.Body, "document", "sha256") != hex.EncodeToString(sum[:]) {
		t.Fatalf("complete: %d %s", got.Status, got.Body)
	}
	objectstest.Send(t, to, []byte("other"))
	for range 2 {
		if got := s.do(t, "GET", path+"?includeContent=true", ""); valueAt(t, got.Body, "document", "content") != "Zmlyc3Q=" ||
			valueAt(t, got.Body, "document", "sha256") != hex.EncodeToString(sum[:]) {
			t.Errorf("after the exchange: %s", got.Body)
		}
		if got := s.do(t, "POST", path+"/complete", ""); got.Status != 200 {
			t.Errorf("complete once more: %d %s", got.Status, got.Body)
		}
	}
	list := s.do(t, "GET", "/api/v1/leads/"+lead+"/documents", "").Body
	var listed []struct{ SignedURL string }
	if err := json.Unmarshal([]byte(list), &listed); err != nil || len(listed) != 1 {
		t.Fatalf("%v %s", err, list)
	}
}

// valueAt is a text inside a JSON answer.
func valueAt(t *testing.T, body string, path ...string) string {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(body), &tree); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	for _, name := range path {
		inner, _ := tree.(map[string]any)
		tree = inner[name]
	}
	text, ok := tree.(string)
	if !ok {
		t.Fatalf("no %v in %s", path, body)
	}
	return text
}

func TestPipelines(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "pipelines.txt")
}
