package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Attachments go into object storage as they are sent, in whatever order their members come; of a message that is refused
// nothing stays.
func TestInbound_attachments(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	s.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}'`)
	s.Lead(t, s.Workspace, dossier.FieldFile)
	path := "/inbound/email/" + pgtest.Value[string](t, s.Server, `SELECT inbound_token FROM workspaces`)
	send := func(id, attachments string) answer {
		return s.do(t, "POST", path, `{"attachments": `+attachments+`, "from": "ada@example.com", "text": "Here", "messageId": "`+id+`"}`, "x-api-key", "")
	}
	stored := func() map[string][]byte {
		found := map[string][]byte{}
		for object, err := range s.API.Objects.List(t.Context(), string(s.Workspace)+"/") {
			if err != nil {
				t.Fatal(err)
			}
			body, err := s.API.Objects.Get(t.Context(), object.Key)
			if err != nil {
				t.Fatal(err)
			}
			if found[object.Key], err = io.ReadAll(body); err != nil {
				t.Fatal(err)
			}
			_ = body.Close()
		}
		return found
	}
	big := bytes.Repeat([]byte("a line of a statement, and another\n"), 20_000) // several reads long
	text := base64.StdEncoding.EncodeToString(big)
	if got := send("m1", fmt.Sprintf(`[{"filename": "a.csv", "contentType": "text/csv", "content": %q},
		{"content": "%s", "contentType": "application/pdf", "filename": "b.pdf"}]`, text, strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte("???>>>")), "/", `\/`))); got.Status != 202 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	want := map[string]string{"a.csv text/csv": string(big), "b.pdf application/pdf": "???>>>"}
	type row struct{ Name, Key string }
	var rows []row
	if err := json.Unmarshal([]byte(pgtest.Value[string](t, s.Server, `SELECT json_agg(json_build_object('Name', filename || ' ' || mime_type, 'Key', object_key))::text FROM documents`)), &rows); err != nil {
		t.Fatal(err)
	}
	have := stored()
	for _, r := range rows {
		if string(have[r.Key]) != want[r.Name] {
			t.Errorf("%s: %d bytes are stored", r.Name, len(have[r.Key]))
		}
	}
	if len(rows) != 2 || len(have) != 2 {
		t.Fatalf("%d documents, %d objects", len(rows), len(have))
	}
	for name, wrong := range map[string]struct{ attachments, pointer string }{
		"no base64":            {`[{"filename": "a", "contentType": "text/csv", "content": "` + text + `"}, {"filename": "b", "contentType": "text/csv", "content": "%%%"}]`, "/attachments/1/content"},
		"an end in the middle": {`[{"filename": "a", "contentType": "text/csv", "content": "QUJD`, ""},
		"no content":           {`[{"filename": "a", "contentType": "text/csv", "content": ""}]`, "/attachments/0/content"},
		"no filename":          {`[{"contentType": "text/csv", "content": "QUJD"}]`, "/attachments/0/filename"},
		"no object":            {`[null, 7, "x"]`, "/attachments"},
		"no list":              {`{"content": "QUJD"}`, "/attachments"},
		"no JSON":              {`[{"filename" "a"}]`, ""},
		"nested":               {strings.Repeat("[", 40) + strings.Repeat("]", 40), ""},
	} {
		got := send("m2", wrong.attachments)
		if got.Status != 400 || !strings.Contains(got.Body, `"pointer":"`+wrong.pointer) && wrong.pointer != "" {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
		if left := stored(); len(left) != 2 {
			t.Errorf("%s: %d objects are stored, want 2", name, len(left))
		}
	}
	// Handed over again, nothing more is stored.
	if got := send("m1", fmt.Sprintf(`[{"filename": "a.csv", "contentType": "text/csv", "content": %q}]`, text)); got.Status != 202 || len(stored()) != 2 {
		t.Errorf("again: %d, %d objects", got.Status, len(stored()))
	}
}
