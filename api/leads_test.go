package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The template of the conversations about leads: every field type, a condition on a group and one on an item.
func leadTemplate() dossier.WorkspaceConfig {
	item := func(code, label string, t dossier.FieldType, config string) dossier.TemplateItem {
		return dossier.TemplateItem{Code: code, Label: label, FieldType: t, IsRequired: true, Config: json.RawMessage(config)}
	}
	business := dossier.TemplateGroup{Key: "business details", Name: "Business details", Items: []dossier.TemplateItem{
		item("LEGAL_NAME", "Legal business name", dossier.FieldText, `{"pattern":"[A-Za-z].*"}`),
		item("EIN", "Employer identification number", dossier.FieldEIN, ``),
		item("ENTITY_TYPE", "Entity type", dossier.FieldSelect, `{"options":["LLC","S-Corp","Partnership"]}`),
		item("AMOUNT", "Amount requested", dossier.FieldNumber, `{"min":1000,"max":5000000}`),
	}}
	partners := dossier.TemplateGroup{Key: "partners", Name: "Partners", Conditions: json.RawMessage(`{"all":[{"code":"ENTITY_TYPE","op":"in","value":["LLC","Partnership"]}]}`),
		Items: []dossier.TemplateItem{item("PARTNERS", "Number of partners", dossier.FieldNumber, ``)}}
	documents := dossier.TemplateGroup{Key: "documents", Name: "Documents", Items: []dossier.TemplateItem{
		{Code: "BANK_STATEMENTS", Label: "Last 3 months of bank statements", FieldType: dossier.FieldBankStatement, IsRequired: true,
			Config: json.RawMessage(`{"months":3}`), ValidationRules: []string{"The account holder is the business or its owner"},
			HelpText: "All pages.", ClientInstructions: "As PDF, please."},
		{Code: "NOTES", Label: "Anything else", FieldType: dossier.FieldFile},
	}}
	return dossier.WorkspaceConfig{
		WorkspaceSettings: dossier.WorkspaceSettings{Key: "acme", Name: "Acme", DefaultRegion: "US", Timezone: "America/New_York",
			QuietHours: dossier.QuietHours{From: "21:00", To: "08:00"}, Portal: dossier.PortalSettings{LinkDays: 30, Name: "Acme", Color: "#0b5fff"}},
		Groups: []dossier.TemplateGroup{business, partners, documents},
	}
}

// apply makes a workspace from a file's content and works in it from now on.
func (s *testServer) apply(t *testing.T, c dossier.WorkspaceConfig) {
	t.Helper()
	if faults := c.Check(nil); len(faults) > 0 {
		t.Fatal(dossier.InvalidFaults(faults))
	}
	_, ws, err := s.DB.ApplyWorkspace(t.Context(), c, false, false)
	if err != nil {
		t.Fatal(err)
	}
	s.Workspace = ws
	s.Key = s.newKey(t, ws, dossier.ScopeAdmin)
}

func TestLeads(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "leads.txt")
}

func TestLeadList(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "lead_list.txt")
}

func TestChecklist(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "checklist.txt", "writer", s.newKey(t, s.Workspace, dossier.ScopeRead, dossier.ScopeWrite))
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM audit_entries WHERE action = 'checklist.reveal' AND workspace_id = $1`, s.Workspace); n != 1 {
		t.Errorf("%d audit entries of revealing, want 1", n)
	}
}

func TestActivity(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "activity.txt")
}

func TestEscalations(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "escalations.txt")
}

func TestPortalLink(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	converse(t, s, "portal_link.txt")
}

// File items, action logs and the lead itself show their documents with fresh URLs.
func TestLeads_documents(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead, entries := s.Lead(t, s.Workspace, dossier.FieldBankStatement, dossier.FieldText)
	documents, _, err := s.DB.CreateDocuments(t.Context(), s.Workspace, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "March.pdf", MimeType: "application/pdf", Size: 7, SHA256: []byte("x"), ObjectKey: "k"}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE document_associations SET validation_result = '{"otherNotes":"fine","overallValid":true,"validationResults":[{"ruleName":"r","isValid":true,"isValidReason":"because"}]}', overall_valid = true`)
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed'`)
	vars := map[string]string{}
	result := `{"otherNotes": "fine", "overallValid": true, "validationResults": [{"ruleName": "r", "isValid": true, "isValidReason": "because", "wouldPassIf": null, "code": "", "args": {}, "citations": []}]}`
	checklist := `[{"items": [
		{"documents": [{"id": "` + string(documents[0].ID) + `", "filename": "March.pdf", "mimeType": "application/pdf", "size": 7, "signedUrl": "<url>",
			"metadata": {"extractionStatus": "completed", "overallValid": true}, "validationResult": ` + result + `}], "...": "..."},
		{"checklistItem": {"fieldType": "TEXT", "...": "..."}, "...": "..."}], "...": "..."}]`
	log := `{"type": "DOCUMENT_UPLOAD", "summary": "1 document uploaded: March.pdf", "documents": [{"id": "<id>", "filename": "March.pdf", "mimeType": "application/pdf", "size": 7, "signedUrl": "<url>"}], "...": "..."}`

	got := s.do(t, "GET", "/api/v1/leads/"+string(lead), "")
	compareJSON(t, "get lead", `{"checklistItems": `+checklist+`, "actionLogs": [`+log+`],
		"documents": [{"id": "<id>", "filename": "March.pdf", "signedUrl": "<url>", "metadata": {"extractionStatus": "completed", "Matched checklist items": [{"leadChecklistItemId": "`+string(entries[0])+`", "label": "BANK_STATEMENT"}]},
			"leadChecklistItemDocument": [{"id": "<id>", "leadChecklistItemId": "`+string(entries[0])+`", "documentId": "<id>", "overallValid": true, "validationResult": `+result+`}], "...": "..."}],
		"...": "..."}`, got.Body, vars)
	got = s.do(t, "GET", "/api/v1/leads/"+string(lead)+"/checklist", "")
	compareJSON(t, "get checklist", checklist, got.Body, vars)
	if strings.Contains(got.Body, `"documents":null`) || strings.Count(got.Body, `"documents"`) != 1 {
		t.Errorf("only file items have documents: %s", got.Body)
	}
	got = s.do(t, "PUT", "/api/v1/leads", `{"leadId": "`+string(lead)+`", "firstName": "Ann"}`)
	compareJSON(t, "update lead", `{"checklistItems": `+checklist+`, "actionLogs": ["<any>", `+log+`], "...": "..."}`, got.Body, vars)
	got = s.do(t, "GET", "/api/v1/leads/"+string(lead)+"/activity", "")
	compareJSON(t, "timeline", `{"activity": ["<any>", `+log+`], "...": "..."}`, got.Body, vars)
}

// A read is the same as long as what it shows is, whatever its signed URLs say: a verdict on a document makes it another,
// a new signature does not. Before the URLs of a kept answer expire it is another too.
func TestLeads_tags_follow_what_is_shown(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead, entries := s.Lead(t, s.Workspace, dossier.FieldBankStatement)
	if _, _, err := s.DB.CreateDocuments(t.Context(), s.Workspace, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "March.pdf", MimeType: "application/pdf", Size: 7, SHA256: []byte("x"), ObjectKey: "k"}}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/v1/leads/" + string(lead), "/api/v1/leads/" + string(lead) + "/checklist", "/api/v1/leads/" + string(lead) + "/documents"} {
		tag := s.do(t, "GET", path, "").Header.Get("ETag")
		if got := s.do(t, "GET", path, "", "If-None-Match", tag); got.Status != 304 {
			t.Errorf("%s: nothing changed, yet %d", path, got.Status)
		}
		s.Exec(t, `UPDATE document_associations SET override_valid = NOT coalesce(override_valid, false), override_by = 'ann@example.com', override_at = now()`)
		if got := s.do(t, "GET", path, "", "If-None-Match", tag); got.Status != 200 {
			t.Errorf("%s: a verdict changed, yet %d", path, got.Status)
		}
		tag = s.do(t, "GET", path, "").Header.Get("ETag")
		s.Clock.Advance(30 * time.Minute)
		if got := s.do(t, "GET", path, "", "If-None-Match", tag); got.Status != 200 {
			t.Errorf("%s: half an hour later the URLs are getting old, yet %d", path, got.Status)
		}
	}
}

// What a sender writes is shown, so it counts, even where it looks like a signature.
func TestContentTag_counts_what_only_looks_signed(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	seen := map[string]string{}
	for _, body := range []string{`{"a":"&X-Amz-Signature=1","b":2}`, `{"a":"&X-Amz-Signature=1","b":3}`, `{"c":"&X-Amz-Signature=1","b":2}`,
		`{"u":"http://h/k?x=1&X-Amz-Signature=2","b":2}`, `{"u":"http://h/l?x=1&X-Amz-Signature=2","b":2}`, `&X-Amz-Signature=`, `{}`} {
		tag := contentTag([]byte(body), "", now)
		if other := seen[tag]; other != "" {
			t.Errorf("%s and %s have one tag", body, other)
		}
		seen[tag] = body
	}
	if contentTag([]byte(`{"u":"http://h/k?x=1&X-Amz-Signature=2"}`), `"v1"`, now) != contentTag([]byte(`{"u":"http://h/k?x=3&X-Amz-Signature=4"}`), `"v1"`, now) {
		t.Error("another signature makes another tag")
	}
}

// The lead of an event is the lead of an answer, but for the portal's address, which lets anybody in who has it.
func TestLeads_event_and_answer_agree(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	got := s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann", "email": "ann@example.com", "phoneNumber": "2125550142", "tags": ["x"], "didOptOut": true}`)
	var answer struct{ Lead map[string]any }
	if err := json.Unmarshal([]byte(got.Body), &answer); err != nil {
		t.Fatal(err)
	}
	body := pgtest.Value[string](t, s.Server, `SELECT body FROM events WHERE type = 'lead.opted_out'`)
	var event struct {
		Data struct{ Lead map[string]any }
	}
	if err := json.Unmarshal([]byte(body), &event); err != nil {
		t.Fatal(err)
	}
	if event.Data.Lead["portalUrl"] != nil || answer.Lead["portalUrl"] == nil || strings.Contains(body, "/portal/") {
		t.Errorf("portalUrl %v in the event, %v in the answer; want it in the answer only", event.Data.Lead["portalUrl"], answer.Lead["portalUrl"])
	}
	delete(event.Data.Lead, "portalUrl")
	delete(answer.Lead, "portalUrl")
	if diff := cmp.Diff(answer.Lead, event.Data.Lead); diff != "" {
		t.Errorf("answer and event (-answer +event):\n%s", diff)
	}
}

// Who may only read does not get the address by which one acts for the lead, not even the lender's own.
func TestLeads_page_of_read_keys(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.apply(t, leadTemplate())
	for _, body := range []string{`{"firstName": "Ann"}`, `{"firstName": "Ben", "externalPortalLink": "https://crm.example/p/1"}`} {
		made := s.do(t, "POST", "/api/v1/leads", body)
		path := "/api/v1/leads/" + valueAt(t, made.Body, "lead", "id")
		for scope, shown := range map[dossier.Scope]bool{dossier.ScopeRead: false, dossier.ScopeWrite: true, dossier.ScopeAdmin: true} {
			got := s.do(t, "GET", path, "", "x-api-key", s.newKey(t, s.Workspace, scope))
			var answer struct {
				Lead struct{ PortalURL *string }
			}
			if err := json.Unmarshal([]byte(got.Body), &answer); err != nil {
				t.Fatal(err)
			}
			if (answer.Lead.PortalURL != nil) != shown {
				t.Errorf("portalUrl for a key with %s: %v", scope, answer.Lead.PortalURL)
			}
		}
	}
}

// A lead made with a test key is a test lead.
func TestLeads_test_key(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, key, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "test", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeWrite}})
	if err != nil {
		t.Fatal(err)
	}
	got := s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`, "x-api-key", key)
	compareJSON(t, "create", `{"lead": {"isTest": true, "...": "..."}, "...": "..."}`, got.Body, map[string]string{})
}
