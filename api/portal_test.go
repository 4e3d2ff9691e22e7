package api

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// portalTemplate has every way to answer and an item that an answer shows.
func portalTemplate() dossier.WorkspaceConfig {
	c := leadTemplate()
	item := func(code, label string, t dossier.FieldType, config string) dossier.TemplateItem {
		return dossier.TemplateItem{Code: code, Label: label, FieldType: t, IsRequired: true, Config: json.RawMessage(config)}
	}
	c.Groups = append(c.Groups, dossier.TemplateGroup{Key: "owner", Name: "Owner", Items: []dossier.TemplateItem{
		item("HOME", "Home address", dossier.FieldAddress, ``), item("BORN", "Date of birth", dossier.FieldDate, ``),
		item("MAIL", "Email", dossier.FieldEmail, ``), item("CALL", "Phone", dossier.FieldPhone, ``),
		item("SSN", "Social security number", dossier.FieldSSN, ``),
		item("USES", "Use of funds", dossier.FieldMultiSelect, `{"options":["Inventory","Equipment","Payroll"]}`),
	}})
	return c
}

// portalGuest is a lead with its page.
type portalGuest struct {
	*testServer
	lead, path string
}

func newPortal(t *testing.T, change ...func(*Config)) portalGuest {
	t.Helper()
	s := newTestServer(t, append([]func(*Config){withObjects(t)}, change...)...)
	s.apply(t, portalTemplate())
	return s.newGuest(t)
}

func (s *testServer) newGuest(t *testing.T) portalGuest {
	t.Helper()
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	link, err := url.Parse(valueAt(t, s.do(t, "POST", "/api/v1/leads/"+lead+"/portal-link", "").Body, "url"))
	if err != nil {
		t.Fatal(err)
	}
	return portalGuest{s, lead, link.Path}
}

// entry is the id of the guest's item.
func (g portalGuest) entry(t *testing.T, code string) string {
	t.Helper()
	return pgtest.Value[string](t, g.Server, `SELECT id::text FROM checklist_entries WHERE lead_id = $1 AND code = $2`, g.lead, code)
}

// page opens the page as a browser without a key does.
func (g portalGuest) page(t *testing.T, headers ...string) answer {
	t.Helper()
	return g.do(t, "GET", g.path, "", append([]string{"x-api-key", ""}, headers...)...)
}

// fill sends an item's form as a browser without script does, and follows to the page.
func (g portalGuest) fill(t *testing.T, code string, form url.Values) answer {
	t.Helper()
	got := g.do(t, "POST", g.path+"/items/"+g.entry(t, code), form.Encode(), "x-api-key", "", "Content-Type", "application/x-www-form-urlencoded",
		"Origin", "null", "Sec-Fetch-Site", "same-origin")
	return g.follow(t, got)
}

func (g portalGuest) follow(t *testing.T, got answer) answer {
	t.Helper()
	if got.Status != 303 {
		t.Fatalf("a form was answered with %d: %s", got.Status, got.Body)
	}
	to, _, _ := strings.Cut(got.Header.Get("Location"), "#")
	return g.do(t, "GET", to, "", "x-api-key", "")
}

// send uploads one file; code "" sends it for no item.
func (g portalGuest) send(t *testing.T, entry, name, content string, headers ...string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if entry != "" {
		_ = form.WriteField("leadChecklistItemId", entry)
	}
	part, err := form.CreateFormFile("files", name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(content))
	_ = form.Close()
	return g.do(t, "POST", g.path+"/files", body.String(), append([]string{"x-api-key", "", "Content-Type", form.FormDataContentType()}, headers...)...)
}

// article is the part of the page that is about one item.
func article(t *testing.T, page, entry string) string {
	t.Helper()
	_, after, found := strings.Cut(page, `id="item-`+entry+`"`)
	if !found {
		t.Fatalf("the page has no item %s:\n%s", entry, page)
	}
	inside, _, _ := strings.Cut(after, "</article>")
	return inside
}

func mustHold(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestPortal_page(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	got := g.page(t)
	mustHold(t, got.Body, "Hello Ann", "Acme", "0 of 12 done", "Legal business name", "Last 3 months of bank statements", "As PDF, please.", "All pages.",
		"From 1,000 to 5,000,000.", `name="postalCode"`, `type="date"`, `type="checkbox"`, "--brand:#0b5fff")
	if strings.Contains(got.Body, "Number of partners") {
		t.Error("an item whose condition does not hold is shown")
	}
	if len(got.Body) > 100_000 {
		t.Errorf("the page has %d bytes", len(got.Body))
	}
	mustHold(t, got.Body, `<meta name="robots" content="noindex, nofollow">`)
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Set-Cookie": ""} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q", name, got.Header.Get(name))
		}
	}
	policy := got.Header.Get("Content-Security-Policy")
	nonce := regexp.MustCompile(`'nonce-([^']+)'`).FindStringSubmatch(policy)
	if nonce == nil {
		t.Fatalf("policy %q", policy)
	}
	if want := "default-src 'none'; style-src 'nonce-N'; script-src 'nonce-N'; connect-src 'self' " + g.API.Objects.PublicOrigin() + "; img-src data:; form-action 'self'; base-uri 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types portal"; strings.ReplaceAll(policy, nonce[1], "N") != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
	// A browser runs what the policy names and nothing else; an escaped nonce or an inline handler would be dead.
	mustHold(t, got.Body, `<style nonce="`+strings.ReplaceAll(nonce[1], "+", "&#43;")+`"`)
	if found := regexp.MustCompile(`(?i)\son[a-z]+=|\sstyle=|https?://`).FindString(got.Body); found != "" {
		t.Errorf("the page holds %q", found)
	}
	if other := g.page(t).Header.Get("Content-Security-Policy"); other == policy {
		t.Error("two pages have the same nonce")
	}
	script := regexp.MustCompile(`src="([^"]+)"`).FindStringSubmatch(got.Body)
	asset := g.do(t, "GET", script[1], "", "x-api-key", "")
	if asset.Status != 200 || !strings.Contains(asset.Header.Get("Cache-Control"), "immutable") || len(asset.Body)+len(got.Body) > 100_000 {
		t.Errorf("script: %d, %d bytes, %v", asset.Status, len(asset.Body), asset.Header)
	}
	if stale := g.do(t, "GET", "/portal-assets/script.000000000000.js", "", "x-api-key", ""); stale.Status != 404 {
		t.Errorf("an asset of another version: %d", stale.Status)
	}
}

// Without script every field is saved by its own form; the page that follows gives the verdict.
func TestPortal_answers(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	for _, test := range []struct {
		code string
		form url.Values
		want []string
	}{
		{"LEGAL_NAME", url.Values{"value": {"Bakery LLC"}}, []string{`data-state="COMPLETED"`, "Saved.", `value="Bakery LLC"`}},
		{"LEGAL_NAME", url.Values{"value": {"9 lives"}}, []string{`data-state="INVALID"`, "Does not have the expected form", "correct it", `aria-invalid="true"`}},
		{"LEGAL_NAME", url.Values{"value": {""}}, []string{`data-state="TODO"`, "Your answer was removed"}},
		{"EIN", url.Values{"value": {"123456789"}}, []string{`data-state="COMPLETED"`, "**-***6789", `value=""`}},
		{"EIN", url.Values{"value": {""}}, []string{`data-state="COMPLETED"`, "**-***6789"}},
		{"AMOUNT", url.Values{"value": {"12,500"}}, []string{`data-state="COMPLETED"`, `value="12500"`}},
		{"AMOUNT", url.Values{"value": {"5"}}, []string{`data-state="INVALID"`, "Must be at least 1,000"}},
		{"ENTITY_TYPE", url.Values{"value": {"LLC"}}, []string{`data-state="COMPLETED"`, `value="LLC" selected`}},
		{"PARTNERS", url.Values{"value": {"2"}}, []string{`data-state="COMPLETED"`}}, // shown by the answer before
		{"HOME", url.Values{"street": {"1 Main"}, "country": {"US"}}, []string{`data-state="INVALID"`, "Still missing: City, State or region, ZIP or postal code.", `value="1 Main"`}},
		{"HOME", url.Values{"street": {"1 Main"}, "city": {"Troy"}, "state": {"NY"}, "postalCode": {"12180"}}, []string{`data-state="COMPLETED"`, `value="Troy"`}},
		{"BORN", url.Values{"value": {"1980-02-30"}}, []string{`data-state="INVALID"`}},
		{"BORN", url.Values{"value": {"1980-02-28"}}, []string{`data-state="COMPLETED"`}},
		{"MAIL", url.Values{"value": {"ann@example.com"}}, []string{`data-state="COMPLETED"`}},
		{"CALL", url.Values{"value": {"55 1234 5678"}, "region": {"MX"}}, []string{`data-state="COMPLETED"`, `value="55 1234 5678"`, `<option value="MX" selected>Mexico (&#43;52)`}},
		{"CALL", url.Values{"value": {"212 555 0123"}, "region": {"US"}}, []string{`data-state="COMPLETED"`, `value="(212) 555-0123"`, `<option value="US" selected>`}},
		{"CALL", url.Values{"value": {"nobody"}, "region": {"US"}}, []string{`data-state="INVALID"`, `value="nobody"`}},
		{"SSN", url.Values{"value": {"123-45-6789"}}, []string{`data-state="COMPLETED"`, "***-**-6789", `value=""`}},
		{"SSN", url.Values{"value": {""}}, []string{`data-state="COMPLETED"`, "***-**-6789"}},
		{"USES", url.Values{"value": {"Inventory", "Payroll"}}, []string{`data-state="COMPLETED"`, `value="Payroll" checked`}},
		{"USES", url.Values{}, []string{`data-state="TODO"`}},
	} {
		page := g.fill(t, test.code, test.form)
		mustHold(t, article(t, page.Body, g.entry(t, test.code)), test.want...)
		if strings.Contains(page.Body, "123-45-6789") || strings.Contains(page.Body, "12-3456789\"") {
			t.Errorf("%s: a number is shown in full", test.code)
		}
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM checklist_entries WHERE lead_id = $1 AND value IS NOT NULL AND source <> 'portal'`, g.lead); n != 0 {
		t.Errorf("%d answers do not count as the portal's", n)
	}
	timeline := g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body
	mustHold(t, timeline, "Answered in the portal: Legal business name")
	if strings.Contains(timeline, "123-45-6789") {
		t.Error("the timeline shows a social security number")
	}
}

// What a person or the customer's system said stays; the lead's word is kept beside it.
func TestPortal_outranked(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	g.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+g.lead+`","checklistItems":[{"code":"LEGAL_NAME","value":"Ours LLC"}]}`)
	mustHold(t, article(t, g.fill(t, "LEGAL_NAME", url.Values{"value": {"Theirs LLC"}}).Body, g.entry(t, "LEGAL_NAME")), `value="Ours LLC"`, "already have an answer")
	if kept := pgtest.Value[string](t, g.Server, `SELECT string_agg(concat_ws(' by ', a->>'value', a->>'source'), ', ') FROM checklist_entries, jsonb_array_elements(alternate_values) a WHERE id = $1`,
		g.entry(t, "LEGAL_NAME")); kept != "Theirs LLC by portal" {
		t.Errorf("kept beside it: %s", kept)
	}
}

func TestPortal_files(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	bank := g.entry(t, "BANK_STATEMENTS")
	page := g.follow(t, g.send(t, bank, "march.pdf", "%PDF-1.4 march"))
	mustHold(t, article(t, page.Body, bank), `data-state="CHECKING"`, "march.pdf", "Your files arrived", "Remove march.pdf")
	status := g.do(t, "GET", g.path+"/status", "", "x-api-key", "")
	mustHold(t, status.Body, `"pending":true`, `"state":"CHECKING"`)
	mustHold(t, g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body, "1 document uploaded", `"source":"portal"`)

	// A refusal says why and what to do, and the page's script learns of it by a new version.
	document := pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, g.lead)
	g.Exec(t, `UPDATE documents SET extraction_status = 'completed' WHERE id = $1`, document)
	g.Exec(t, `UPDATE document_associations SET judged_at = now(), validation_result = '{"otherNotes":"","overallValid":false,"validationResults":[{"ruleName":"r","isValid":false,"isValidReason":"The holder is Bob"}]}' WHERE document_id = $1`, document)
	g.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', reasons = jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', 'march.pdf: The holder is Bob'), 'citations', '[]'::jsonb)) WHERE id = $1`, bank)
	refused := article(t, g.page(t).Body, bank)
	mustHold(t, refused, `data-state="INVALID"`, "march.pdf: The holder is Bob", "add a file that settles this", "Not accepted", "What we asked for")
	if n := strings.Count(refused, "The holder is Bob"); n != 1 {
		t.Errorf("the reason is given %d times", n)
	}
	after := g.do(t, "GET", g.path+"/status", "", "x-api-key", "")
	mustHold(t, after.Body, `"pending":false`)
	if valueAt(t, after.Body, "version") == valueAt(t, status.Body, "version") {
		t.Error("the version is the same after a verdict")
	}

	removed := g.follow(t, g.do(t, "POST", g.path+"/documents/"+document+"/remove", "", "x-api-key", ""))
	if strings.Contains(removed.Body, "Remove march.pdf") {
		t.Error("the removed file is still shown")
	}
	loose := g.follow(t, g.send(t, "", "other.pdf", "%PDF-1.4 other"))
	mustHold(t, article(t, loose.Body, "loose"), "other.pdf")
	mustHold(t, g.send(t, bank, "april.pdf", "%PDF-1.4 april", "Accept", "application/json").Body, "Your files arrived")
}

// What cannot be taken is said in words, and nothing of it stays.
func TestPortal_refused_files(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	empty := "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\"\r\n\r\n\r\n--x--\r\n"
	got := g.do(t, "POST", g.path+"/files", empty, "x-api-key", "", "Content-Type", "multipart/form-data; boundary=x")
	mustHold(t, g.follow(t, got).Body, "Choose at least one file first")
	var many bytes.Buffer
	form := multipart.NewWriter(&many)
	for range 11 {
		part, _ := form.CreateFormFile("files", "a.pdf")
		_, _ = part.Write([]byte(postgres.NewID()))
	}
	_ = form.Close()
	got = g.do(t, "POST", g.path+"/files", many.String(), "x-api-key", "", "Content-Type", form.FormDataContentType())
	mustHold(t, g.follow(t, got).Body, "At most 10 files")
	mustHold(t, g.follow(t, g.send(t, g.entry(t, "LEGAL_NAME"), "a.pdf", "x")).Body, "could not be read")
	if got := g.do(t, "POST", g.path+"/items/"+g.entry(t, "BANK_STATEMENTS"), "value=x", "x-api-key", "", "Content-Type", "application/x-www-form-urlencoded"); got.Status != 400 {
		t.Errorf("a value for a file item: %d", got.Status)
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1`, g.lead); n != 0 {
		t.Errorf("%d documents were made", n)
	}
}

// A token that opens nothing is one answer, whatever is wrong with it.
func TestPortal_dead_links(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	unknown := g.do(t, "GET", "/portal/"+strings.Repeat("A", 43), "", "x-api-key", "")
	body := regexp.MustCompile(`nonce="[^"]*"|/portal/[^/]*/link`)
	same := func(name string, got answer) {
		t.Helper()
		if got.Status != 404 || body.ReplaceAllString(got.Body, "") != body.ReplaceAllString(unknown.Body, "") {
			t.Errorf("%s: %d, another answer than an unknown token's", name, got.Status)
		}
	}
	mustHold(t, unknown.Body, "expired or is not valid", "Send me a new link")
	for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'; style-src 'nonce-", "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} {
		if !strings.HasPrefix(unknown.Header.Get(name), want) {
			t.Errorf("%s: %q", name, unknown.Header.Get(name))
		}
	}
	same("malformed", g.do(t, "GET", "/portal/x", "", "x-api-key", ""))
	old := g.path
	g.do(t, "POST", "/api/v1/leads/"+g.lead+"/portal-link", `{"rotate":true}`)
	same("replaced", g.do(t, "GET", old, "", "x-api-key", ""))
	second := g.newGuest(t)
	g.do(t, "DELETE", "/api/v1/leads/"+second.lead, "")
	same("deleted lead", second.page(t))
	if got := second.send(t, "", "a.pdf", "x"); got.Status != 404 {
		t.Errorf("upload for a deleted lead: %d", got.Status)
	}
	third := g.newGuest(t)
	g.Clock.Advance(31 * 24 * time.Hour)
	same("expired", third.page(t))
	if got := third.do(t, "GET", third.path+"/status", "", "x-api-key", "", "Accept", "application/json"); got.Status != 404 || !strings.Contains(got.Body, `"not_found"`) {
		t.Errorf("status of an expired link: %d %s", got.Status, got.Body)
	}
}

// One page reaches nothing of another lead, of the same workspace or of another, nor what it does not show.
func TestPortal_own_data_only(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	neighbor.send(t, "", "theirs.pdf", "%PDF theirs")
	other := newOtherTenant(t, g.testServer)
	before := pgtest.Value[string](t, g.Server, tenantState, other["leadId"]) + pgtest.Value[string](t, g.Server, tenantState, neighbor.lead)
	theirs := pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, neighbor.lead)
	form := []string{"x-api-key", "", "Content-Type", "application/x-www-form-urlencoded"}
	for _, entry := range []string{neighbor.entry(t, "LEGAL_NAME"), other["checklistItemId"], g.entry(t, "PARTNERS"), postgres.NewID(), "x"} {
		if got := g.do(t, "POST", g.path+"/items/"+entry, "value=1", form...); got.Status != 404 {
			t.Errorf("an answer to %s: %d", entry, got.Status)
		}
		if got := g.send(t, entry, "a.pdf", "x"); got.Status != 404 && got.Status != 400 && !strings.Contains(got.Header.Get("Location"), "missing") {
			t.Errorf("a file for %s: %d", entry, got.Status)
		}
	}
	imported, _, err := g.DB.CreateDocuments(t.Context(), g.Workspace, postgres.Upload{LeadID: dossier.LeadID(g.lead), Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte("i"), ObjectKey: "i"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{theirs, other["documentId"], string(imported[0].ID), postgres.NewID()} {
		if got := g.do(t, "POST", g.path+"/documents/"+id+"/remove", "", "x-api-key", ""); got.Status != 404 {
			t.Errorf("removing %s: %d", id, got.Status)
		}
	}
	if after := pgtest.Value[string](t, g.Server, tenantState, other["leadId"]) + pgtest.Value[string](t, g.Server, tenantState, neighbor.lead); after != before {
		t.Errorf("somebody else's things changed:\n%s\n%s", before, after)
	}
	if page := g.page(t).Body; strings.Contains(page, "theirs.pdf") {
		t.Error("the page shows another lead's file")
	}
}

func TestPortal_opened_once_an_hour(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	opened := func() int {
		return strings.Count(g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body, "portal_opened")
	}
	g.page(t)
	g.Clock.Advance(59 * time.Minute)
	g.page(t)
	if n := opened(); n != 1 {
		t.Errorf("%d entries after two visits", n)
	}
	g.Clock.Advance(2 * time.Minute)
	g.page(t)
	if n := opened(); n != 2 {
		t.Errorf("%d entries after an hour", n)
	}
}

func TestPortal_finished(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	g.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED' WHERE lead_id = $1`, g.lead)
	mustHold(t, g.page(t).Body, "All done, thank you", "12 of 12 done")
}
