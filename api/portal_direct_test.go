package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/portal"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func (g portalGuest) script(t *testing.T, method, path, body string) answer {
	t.Helper()
	return g.do(t, method, g.path+path, body, "x-api-key", "", "Accept", "application/json", "Sec-Fetch-Site", "same-origin")
}

func (g portalGuest) plan(t *testing.T, got answer, status int) portal.UploadPlan {
	t.Helper()
	var plan portal.UploadPlan
	if err := json.Unmarshal([]byte(got.Body), &plan); err != nil || got.Status != status {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	return plan
}

func announced(t *testing.T, entry, name string, size int) string {
	t.Helper()
	return string(mustJSON(map[string]any{"filename": name, "size": size, "mimeType": "application/pdf", "leadChecklistItemId": entry}))
}

// deliver puts one piece where the plan says.
func deliver(t *testing.T, plan portal.UploadPlan, part portal.PartPlan, content []byte) {
	t.Helper()
	from := int64(part.Number-1) * plan.PartSize
	piece := content[from:min(from+plan.PartSize, int64(len(content)))]
	status := objectstest.Send(t, objects.Upload{Method: http.MethodPut, URL: part.URL, Headers: part.Headers}, piece)
	if status != http.StatusOK {
		t.Fatalf("part %d: %d", part.Number, status)
	}
}

// A file goes to object storage in pieces; those that arrived are not asked for again.
func TestPortalDirect(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	bank := g.entry(t, "BANK_STATEMENTS")
	for name, size := range map[string]int{"small.pdf": 1000, "large.pdf": 2*objects.PartSize + 5} {
		content := bytes.Repeat([]byte(name), size/len(name)+1)[:size]
		plan := g.plan(t, g.script(t, "POST", "/uploads", announced(t, bank, name, size)), 201)
		if n := (size + objects.PartSize - 1) / objects.PartSize; len(plan.Parts) != n {
			t.Fatalf("%s: %d parts, want %d", name, len(plan.Parts), n)
		}
		if page := g.page(t).Body; !strings.Contains(page, `data-state="AWAITED" data-id="`+string(plan.ID)) {
			t.Errorf("%s is not shown as awaited", name)
		}
		for _, part := range plan.Parts[:min(2, len(plan.Parts))] {
			deliver(t, plan, part, content)
		}
		rest := g.plan(t, g.script(t, "GET", "/uploads/"+string(plan.ID), ""), 200)
		if size > objects.PartSize && (len(rest.Parts) != len(plan.Parts)-1 || rest.Parts[0].Number != 2) {
			t.Errorf("%s: after two parts, the second of which may be torn, is asked for %+v", name, rest.Parts)
		}
		for _, part := range rest.Parts {
			deliver(t, rest, part, content)
		}
		for range 2 { // the second answer of one that was lost
			if got := g.script(t, "POST", "/uploads/"+string(plan.ID)+"/complete", ""); got.Status != 200 || !strings.Contains(got.Body, "arrived") {
				t.Fatalf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		mustHold(t, article(t, g.page(t).Body, bank), name, `data-state="CHECKING"`)
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1 AND source = 'portal' AND sha256 IS NOT NULL AND deleted_at IS NULL`, g.lead); n != 2 {
		t.Errorf("%d documents", n)
	}
	// The same bytes once more are the document they were, whichever way they come.
	copied := g.plan(t, g.script(t, "POST", "/uploads", announced(t, bank, "copy.pdf", 1000)), 201)
	deliver(t, copied, copied.Parts[0], bytes.Repeat([]byte("small.pdf"), 112)[:1000])
	first := pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1 AND filename = 'small.pdf'`, g.lead)
	mustHold(t, g.script(t, "POST", "/uploads/"+string(copied.ID)+"/complete", "").Body, `"ids":["`+first+`"]`)
	if _, err := g.API.Objects.Stat(t.Context(), objects.DocumentKey(g.Workspace, copied.ID)); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the bytes are stored twice: %v", err)
	}
	mustHold(t, g.send(t, bank, "copy.pdf", strings.Repeat("small.pdf", 112)[:1000], "Accept", "application/json").Body, `"ids":["`+first+`"]`)
	timeline := g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body
	if n := strings.Count(timeline, "1 document uploaded"); n != 3 || !strings.Contains(timeline, `"source":"portal"`) {
		t.Errorf("%d uploads on the timeline", n)
	}
}

// A file that is announced again, by a page that was opened again, goes on where it was; another file, or the same for
// another item, does not, nor what object storage has forgotten.
func TestPortalDirect_resumed(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	bank := g.entry(t, "BANK_STATEMENTS")
	content := make([]byte, 2*objects.PartSize+5)
	again := func(name string, size int, modified int64, entry string) string {
		about := map[string]any{"filename": name, "size": size, "mimeType": "application/pdf", "lastModified": modified}
		if entry != "" {
			about["leadChecklistItemId"] = entry
		}
		return string(mustJSON(about))
	}
	first := g.plan(t, g.script(t, "POST", "/uploads", again("a.pdf", len(content), 7, bank)), 201)
	deliver(t, first, first.Parts[0], content)
	deliver(t, first, first.Parts[1], content)
	for name, body := range map[string]string{"another name": again("b.pdf", len(content), 7, bank), "another size": again("a.pdf", len(content)+1, 7, bank),
		"changed since": again("a.pdf", len(content), 8, bank), "no item": again("a.pdf", len(content), 7, ""), "no mark": again("a.pdf", len(content), 0, bank)} {
		if plan := g.plan(t, g.script(t, "POST", "/uploads", body), 201); plan.ID == first.ID {
			t.Errorf("%s: goes on with the first", name)
		}
	}
	neighbor := g.newGuest(t)
	neighbor.plan(t, neighbor.script(t, "POST", "/uploads", again("a.pdf", len(content), 7, neighbor.entry(t, "BANK_STATEMENTS"))), 201)
	mustHold(t, article(t, g.page(t).Body, bank), "a.pdf", "Choose the same file again")
	second := g.plan(t, g.script(t, "POST", "/uploads", again("a.pdf", len(content), 7, bank)), 200)
	if second.ID != first.ID || len(second.Parts) != 2 || second.Parts[0].Number != 2 {
		t.Fatalf("%+v", second)
	}
	deliver(t, second, second.Parts[0], content)
	deliver(t, second, second.Parts[1], content)
	g.script(t, "POST", "/uploads/"+string(second.ID)+"/complete", "")
	if plan := g.plan(t, g.script(t, "GET", "/uploads/"+string(second.ID), ""), 200); len(plan.Parts) != 0 {
		t.Errorf("more is asked for of a file that is here: %+v", plan)
	}
	third := g.plan(t, g.script(t, "POST", "/uploads", again("c.pdf", len(content), 7, bank)), 201)
	row := pgtest.Value[[]string](t, g.Server, `SELECT ARRAY[object_key, upload_id] FROM documents WHERE id = $1`, string(third.ID))
	if err := g.API.Objects.AbortParts(t.Context(), row[0], row[1]); err != nil {
		t.Fatal(err)
	}
	if plan := g.plan(t, g.script(t, "POST", "/uploads", again("c.pdf", len(content), 7, bank)), 201); plan.ID == third.ID {
		t.Error("goes on with an upload that storage has forgotten")
	}
	removed := g.follow(t, g.do(t, "POST", g.path+"/documents/"+string(first.ID)+"/remove", "", "x-api-key", ""))
	mustHold(t, removed.Body, "The file was removed")
}

func TestPortalDirect_refused(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	bank := g.entry(t, "BANK_STATEMENTS")
	for name, test := range map[string]struct {
		body   string
		status int
		words  string
	}{
		"a value item":   {announced(t, g.entry(t, "LEGAL_NAME"), "a.pdf", 5), 400, "could not be read"},
		"too large":      {announced(t, bank, "a.pdf", 105<<20), 413, "larger than 100 MB"},
		"empty":          {announced(t, bank, "a.pdf", 0), 400, "This file is empty"},
		"no JSON":        {"size=1", 400, ""},
		"unknown field":  {`{"filename":"a","size":1,"leadId":"x"}`, 400, ""},
		"negative size":  {announced(t, bank, "a.pdf", -1), 400, "could not be read"},
		"hidden item":    {announced(t, g.entry(t, "PARTNERS"), "a.pdf", 5), 404, "no longer part of your checklist"},
		"no item at all": {announced(t, postgres.NewID(), "a.pdf", 5), 404, "no longer part of your checklist"},
	} {
		if got := g.script(t, "POST", "/uploads", test.body); got.Status != test.status || !strings.Contains(got.Body, test.words) {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	if got := g.do(t, "POST", g.path+"/uploads", "x=1", "x-api-key", "", "Content-Type", "text/plain", "Accept", "application/json"); got.Status != 400 {
		t.Errorf("as a form of another site could send it: %d", got.Status)
	}
	plan := g.plan(t, g.script(t, "POST", "/uploads", announced(t, bank, "a.pdf", 9)), 201)
	if got := g.script(t, "POST", "/uploads/"+string(plan.ID)+"/complete", ""); got.Status != 409 || !strings.Contains(got.Body, "upload_missing") {
		t.Errorf("complete without bytes: %d %s", got.Status, got.Body)
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1 AND uploaded_at IS NOT NULL`, g.lead); n != 0 {
		t.Errorf("%d documents were made", n)
	}
}

func TestPortalDirect_cancelled(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	content := make([]byte, objects.PartSize+1)
	plan := g.plan(t, g.script(t, "POST", "/uploads", announced(t, g.entry(t, "BANK_STATEMENTS"), "a.pdf", len(content))), 201)
	deliver(t, plan, plan.Parts[0], content)
	if got := g.script(t, "DELETE", "/uploads/"+string(plan.ID), ""); got.Status != 204 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := g.script(t, "POST", "/uploads/"+string(plan.ID)+"/complete", ""); got.Status != 404 {
		t.Errorf("complete after cancel: %d", got.Status)
	}
	row := pgtest.Value[[]string](t, g.Server, `SELECT ARRAY[object_key, upload_id] FROM documents WHERE id = $1`, string(plan.ID))
	if _, err := g.API.Objects.Parts(t.Context(), row[0], row[1]); err == nil {
		t.Error("the parts that arrived are still stored")
	}
}

// Nothing of another lead's upload can be seen, finished or cancelled.
func TestPortalDirect_own_uploads_only(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	other := newOtherTenant(t, g.testServer)
	plan := neighbor.plan(t, neighbor.script(t, "POST", "/uploads", announced(t, neighbor.entry(t, "BANK_STATEMENTS"), "a.pdf", 3)), 201)
	deliver(t, plan, plan.Parts[0], []byte("abc"))
	for _, id := range []string{string(plan.ID), other["documentId"], postgres.NewID(), "x"} {
		for _, call := range [][2]string{{"GET", ""}, {"POST", "/complete"}, {"DELETE", ""}} {
			if got := g.script(t, call[0], "/uploads/"+id+call[1], ""); got.Status != 404 {
				t.Errorf("%s %s%s: %d", call[0], id, call[1], got.Status)
			}
		}
	}
	if got := g.script(t, "POST", "/uploads", announced(t, neighbor.entry(t, "BANK_STATEMENTS"), "b.pdf", 3)); got.Status != 404 {
		t.Errorf("for the neighbor's item: %d", got.Status)
	}
	if got := neighbor.script(t, "POST", "/uploads/"+string(plan.ID)+"/complete", ""); got.Status != 200 {
		t.Errorf("the neighbor's own: %d %s", got.Status, got.Body)
	}
}

// Events tell of a verdict without being asked, and of nothing else.
func TestPortal_events(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor := g.newGuest(t)
	stamp := shownStamp(t, g.page(t).Body)
	request, err := http.NewRequestWithContext(t.Context(), "GET", g.URL+g.path+"/events?seen="+stamp, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	if kind := stream.Header.Get("Content-Type"); stream.StatusCode != 200 || !strings.HasPrefix(kind, "text/event-stream") || stream.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v", stream.StatusCode, stream.Header)
	}
	lines := bufio.NewScanner(stream.Body)
	next := func() (event, data string) {
		for lines.Scan() {
			if name, found := strings.CutPrefix(lines.Text(), "event: "); found {
				event = name
			}
			if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
				return event, data
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return "", ""
	}
	if event, _ := next(); event != "ready" {
		t.Errorf("the first event is %s", event)
	}
	neighbor.fill(t, "LEGAL_NAME", map[string][]string{"value": {"Theirs LLC"}})
	g.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', reasons = jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', 'Not yours'), 'citations', '[]'::jsonb)) WHERE id = $1`, g.entry(t, "BANK_STATEMENTS"))
	event, told := next()
	if event != "changed" || told == stamp || told != shownStamp(t, g.page(t).Body) {
		t.Errorf("%s %s, the page was %s", event, told, stamp)
	}
	mustHold(t, g.do(t, "GET", g.path+"/status", "", "x-api-key", "").Body, `"state":"INVALID"`, `"reason":"Not yours"`)
	g.do(t, "POST", "/api/v1/leads/"+g.lead+"/portal-link", `{"rotate":true}`)
	g.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED' WHERE lead_id = $1`, g.lead)
	for lines.Scan() { // it ends: the token opens nothing any more
		if strings.HasPrefix(lines.Text(), "data: ") {
			t.Error("a replaced token is still told")
		}
	}
}

// shownStamp is what a page says it was read from.
func shownStamp(t *testing.T, page string) string {
	t.Helper()
	_, after, found := strings.Cut(page, `data-stamp="`)
	stamp, _, ended := strings.Cut(after, `"`)
	if !found || !ended || stamp == "" {
		t.Fatalf("the page has no stamp:\n%s", page)
	}
	return stamp
}
