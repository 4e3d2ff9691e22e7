package api

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// keyedBodies are requests that succeed, by the handler's name; ${...} are ids of oneOfEach and of prepare. An
// operation that is not here is called without a body.
var keyedBodies = map[string]string{
	"updateLead":          `{"leadId": "${leadId}", "firstName": "Eve", "status": "COMPLETED"}`,
	"advanceClock":        `{"leadId": "${leadId}", "advance": "1h"}`,
	"createLead":          `{"firstName": "Eve"}`,
	"createLeadItem":      `{"label": "Lease", "fieldType": "FILE"}`,
	"changeLeadItem":      `{"label": "Lease"}`,
	"presignDocument":     `{"leadId": "${leadId}", "filename": "a.pdf", "size": 1, "mimeType": "application/pdf"}`,
	"overrideAssociation": `{"overallValid": true}`,
	"correctDocument":     `{"corrections": [{"part": 0, "pointer": "/title", "value": "X"}]}`,
	"setDocumentParts":    `{"parts": [{"pages": [1, 1]}]}`,
	"addAssociation":      `{"leadChecklistItemId": "${checklistItemId}"}`,
	"createActivity":      `{"leadId": "${leadId}", "eventType": "note", "title": "x"}`,
	"editMessage":         `{"body": "Hello"}`,
	"createEscalation":    `{"reason": "x"}`,
	"createDraft":         `{"channel": "email", "body": "x"}`,
	"eraseLead":           `{"reason": "x"}`,
	"eraseDocument":       `{"reason": "x"}`,
	"createHold":          `{"reason": "x"}`,
	"returnSpread":        `{"note": "x"}`,
	"assignReview":        `{"assignee": "eve@example.com"}`,
	"decideReview":        `{"decision": "accept", "version": 1}`,
	"createParty":         `{"name": "X", "kind": "person", "role": "owner"}`,
	"updateParty":         `{"name": "X"}`,
	"putOwnership":        `{"edges": []}`,
	"putDebts":            `{"debts": [{"partyId": "${partyId}", "lender": "B", "kind": "auto", "balance": 1, "payment": 1, "frequency": "monthly"}]}`,
	"setDocumentParty":    `{"partyId": "${partyId}"}`,
	"createRun":           `{"leadId": "${idleLeadId}", "agentId": "${agentId}", "workflowId": "${workflowId}"}`,
	"createSpread":        `{"leadId": "${leadId}", "documentIds": ["${documentId}"]}`,
	"putAdjustments":      `{"adjustments": []}`,
	"putCaptions":         `{"captionMappings": [{"caption": "Truck lease", "row": "rent"}]}`,
	"startPipeline":       `{"documentId": "${documentId}"}`,
	"saveWebhook":         `{"url": "https://hooks.example/2"}`,
	"createKey":           `{"name": "CRM"}`,
	"renewPortalLink":     `{"rotate": true}`,
	"createImport":        "--part\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nfirstName\r\nEve\r\n--part--\r\n",
	"createDocuments":     "--part\r\nContent-Disposition: form-data; name=\"leadId\"\r\n\r\n${leadId}\r\n--part\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.txt\"\r\n\r\nA file.\r\n--part--\r\n",
}

// keyedPaths are addresses that the path of the table does not give away.
var keyedPaths = map[string]string{
	"startPipeline":    "/pipelines/run/classify-document",
	"cancelPipeline":   "/pipelines/run/classify-document?jobId=${jobId}",
	"setDocumentParty": "/api/v1/documents/${documentId}/parts/0",
	"completeDocument": "/api/v1/documents/${announcedId}/complete",
}

// keyed is one operation with its request, in a workspace of its own.
type keyed struct {
	s    *testServer // serves this operation only
	row  route
	path string
	body string
	key  string // of the workspace
}

// prepare makes the workspace with everything the operation needs. served decides what becomes of its calls.
func prepare(t *testing.T, s *testServer, row route, served func(fiber.Handler) fiber.Handler) keyed {
	t.Helper()
	ws := s.Server.Workspace(t)
	ids := oneOfEach(t, s, ws)
	k := keyed{row: row, key: s.newKey(t, ws, dossier.ScopeAdmin)}
	idle, _ := s.Lead(t, ws)
	ids["idleLeadId"] = string(idle)
	announced := s.do(t, "POST", "/api/v1/documents/presign", `{"leadId": "`+ids["leadId"]+`", "filename": "b.txt", "size": 5, "mimeType": "text/plain"}`, "x-api-key", k.key)
	ids["announcedId"] = valueAt(t, announced.Body, "document", "id")
	if _, err := s.API.Objects.Put(t.Context(), objects.DocumentKey(ws, dossier.DocumentID(ids["announcedId"])), "text/plain", strings.NewReader("hello"), 100); err != nil {
		t.Fatal(err)
	}
	ids["jobId"] = valueAt(t, s.do(t, "POST", keyedPaths["startPipeline"], `{"documentId": "`+ids["documentId"]+`"}`, "x-api-key", k.key).Body, "jobId")
	path := row.path
	if special := keyedPaths[row.name()]; special != "" {
		path = special
	}
	var pairs []string
	for name, id := range ids {
		pairs = append(pairs, "${"+name+"}", id, "{"+name+"}", id)
	}
	fill := strings.NewReplacer(pairs...)
	k.path, k.body = fill.Replace(path), fill.Replace(keyedBodies[row.name()])
	if row.name() == "pauseRun" || row.name() == "resumeRun" {
		s.Exec(t, `UPDATE workflow_runs SET status = $2 WHERE id = $1`, ids["workflowRunId"], map[string]string{"pauseRun": "ACTIVE", "resumeRun": "PAUSED"}[row.name()])
	}
	switch row.name() {
	case "advanceClock": // of a test lead that has nothing to do
		k.key = s.testKeyOf(t, ws)
		s.Exec(t, `UPDATE leads SET is_test = true WHERE workspace_id = $1`, ws)
		s.Exec(t, `DELETE FROM jobs WHERE workspace_id = $1`, ws)
		s.Exec(t, `DELETE FROM event_inbox WHERE workspace_id = $1`, ws)
	case "addAssociation":
		s.Exec(t, `DELETE FROM document_associations WHERE document_id = $1`, ids["documentId"])
	case "setDocumentParty", "correctDocument", "setDocumentParts":
		s.Exec(t, `UPDATE documents SET extraction_status = 'completed',
			extraction = '{"pageCount": 1, "documents": [{"docType": "other", "pages": [1, 1]}]}' WHERE id = $1`, ids["documentId"])
	}
	if row.name() == "approveSpread" || row.name() == "returnSpread" {
		s.do(t, "POST", "/api/v1/spreads/"+ids["spreadId"]+"/submit", "", "x-api-key", k.key)
	}
	if row.name() == "renewReview" || row.name() == "decideReview" {
		s.do(t, "POST", "/api/v1/reviews/"+ids["reviewId"]+"/claim", "", "x-api-key", k.key)
	}
	row.handler = served(row.handler)
	k.s = s.withRows(t, row)
	return k
}

// send sends the request, or another body with the same Idempotency-Key.
func (k keyed) send(t *testing.T, body string) answer {
	t.Helper()
	kind := "application/json"
	if k.row.files {
		kind = "multipart/form-data; boundary=part"
	}
	return k.s.do(t, k.row.method, k.path, body, "x-api-key", k.key, "Idempotency-Key", "k", "Content-Type", kind)
}

// other is a body with another meaning, "" where the operation takes none.
func (k keyed) other() string {
	switch {
	case k.row.files:
		return strings.NewReplacer("A file.", "Another file.", "\r\nEve\r\n", "\r\nAda\r\n").Replace(k.body)
	case k.row.body != nil:
		return `{"another": "body"}`
	}
	return ""
}

// everything is a digest of all rows of the database, but for the keys of idempotency and when keys were last used.
const everything = `SELECT string_agg(table_name || ' ' || (xpath('/row/d/text()', query_to_xml(
	format('SELECT count(*) || md5(coalesce(string_agg(t::text, '' '' ORDER BY t::text), '''')) AS d FROM %I t', table_name), false, true, '')))[1]::text, ' ' ORDER BY table_name)
	FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN ('idempotency_keys', 'api_keys', 'request_log')`

// mutating are the operations that an Idempotency-Key protects.
func mutating(s *testServer) []route {
	var rows []route
	for _, row := range s.API.routes() {
		if row.scope != "" && row.method != http.MethodGet {
			rows = append(rows, row)
		}
	}
	return rows
}

// decisions.md section 1, Idempotency, for every operation that changes something: while the first call runs, the same
// body afterwards, another body, and a process that dies between its commit and its answer.
func TestIdempotency_every_operation(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	rows := mutating(s)
	if len(rows) < 35 {
		t.Fatalf("only %d operations change something", len(rows))
	}
	for _, row := range rows {
		t.Run(row.name(), func(t *testing.T) {
			runsOnce(t, s, row)
			survivesItsProcess(t, s, row)
		})
	}
}

func runsOnce(t *testing.T, s *testServer, row route) {
	t.Helper()
	entered, release := make(chan struct{}), make(chan struct{})
	k := prepare(t, s, row, func(handler fiber.Handler) fiber.Handler {
		return func(c *fiber.Ctx) error {
			entered <- struct{}{}
			<-release
			return handler(c)
		}
	})
	ended := make(chan answer, 1)
	go func() { ended <- k.send(t, k.body) }()
	<-entered
	if busy := k.send(t, k.body); busy.Status != 409 || !strings.Contains(busy.Body, `"code":"idempotency_in_progress"`) || busy.Header.Get("Retry-After") == "" {
		t.Errorf("while the first runs: %d %s", busy.Status, busy.Body)
	}
	close(release)
	first := <-ended
	if first.Status != row.success() || first.Header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("first: %d %s, want %d", first.Status, first.Body, row.success())
	}
	before := pgtest.Value[string](t, s.Server, everything)
	if again := k.send(t, k.body); again.Status != first.Status || again.Body != first.Body || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same body: %d %v %s\nwant %s", again.Status, again.Header, again.Body, first.Body)
	}
	if other := k.other(); other != "" {
		if got := k.send(t, other); got.Status != 422 || !strings.Contains(got.Body, `"code":"idempotency_key_reused"`) {
			t.Errorf("another body: %d %s", got.Status, got.Body)
		}
	}
	if after := pgtest.Value[string](t, s.Server, everything); after != before {
		t.Errorf("repeats changed something:\n%s\n%s", before, after)
	}
}

func survivesItsProcess(t *testing.T, s *testServer, row route) {
	t.Helper()
	var dies atomic.Bool
	dies.Store(true)
	k := prepare(t, s, row, func(handler fiber.Handler) fiber.Handler {
		return func(c *fiber.Ctx) error {
			err := handler(c)
			if dies.Load() {
				panic("the process dies")
			}
			return err
		}
	})
	if first := k.send(t, k.body); first.Status != 500 {
		t.Fatalf("the call that dies: %d %s", first.Status, first.Body)
	}
	dies.Store(false)
	before := pgtest.Value[string](t, s.Server, everything)
	second := k.send(t, k.body)
	if second.Status != row.success() || second.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after the death: %d %s, want %d", second.Status, second.Body, row.success())
	}
	if after := pgtest.Value[string](t, s.Server, everything); after != before {
		t.Errorf("the effect came twice:\n%s\n%s", before, after)
	}
	if third := k.send(t, k.body); third.Body != second.Body || third.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("and then it is replayed: %d %v", third.Status, third.Header)
	}
}

// The query belongs to what a key stands for: a cancelled run is not another one.
func TestIdempotency_counts_the_query(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ids := oneOfEach(t, s, s.Workspace)
	start := func() string {
		return valueAt(t, s.do(t, "POST", keyedPaths["startPipeline"], `{"documentId": "`+ids["documentId"]+`"}`).Body, "jobId")
	}
	path := "/pipelines/run/classify-document?jobId="
	if got := s.do(t, "DELETE", path+start(), "", "Idempotency-Key", "k"); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := s.do(t, "DELETE", path+start(), "", "Idempotency-Key", "k"); got.Status != 422 {
		t.Errorf("another run with the same key: %d %s", got.Status, got.Body)
	}
}
