package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

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
