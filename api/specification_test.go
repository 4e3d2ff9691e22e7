package api

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/storage/record"
)

// Every field that a table of api.md's section "Resources and their fields", or the shape of an answer, gives is in the
// type that is answered.
func TestSpecification_fields(t *testing.T) {
	for _, table := range []struct {
		resource string
		answered any
		fields   string
	}{
		{"Lead", record.Lead{}, `id activitySummary assigneeType businessName createdAt updatedAt deletedAt didOptOut optOutAt notInterestedAt email
			emailVerifiedAt phoneNumber phoneVerifiedAt externalLeadId externalPortalLink firstName lastName source tags website`},
		{"Lead, besides (resources.md)", record.Lead{}, `middleName timezone isTest status portalUrl decisionAt`},
		{"Lead list item", listedLead{}, `id name email phoneNumber businessName status activitySummary completedChecklistItems totalChecklistItems tags nextFollowUp`},
		{"Lead list item, nextFollowUp", followUp{}, `id type status scheduledAt summary`},
		{"Checklist group", checklistGroup{}, `id name code conditions items`},
		{"Lead checklist item inside a group", checklistEntry{}, `id checklistItemId value status itemOverride checklistItem alternateValues validationError documents visible`},
		{"its alternate values", alternateValue{}, `value source documentId createdAt`},
		{"its documents", itemDocument{}, `id filename mimeType size signedUrl metadata validationResult`},
		{"metadata of its documents", itemDocumentMetadata{}, `extractionStatus overallValid`},
		{"Checklist item definition", checklistItem{}, `id code label fieldType isRequired conditions validationRules helpText clientInstructions`},
		{"Lead-scoped checklist item", leadItem{}, `id leadId code label fieldType isRequired status config agentInstructions clientInstructions createdAt`},
		{"Document", listedDocument{}, `id filename mimeType size signedUrl metadata leadChecklistItemDocument`},
		{"Document metadata", record.DocumentMetadata{}, `extractionStatus Matched_checklist_items`},
		{"Matched checklist items", record.MatchedItem{}, `leadChecklistItemId label`},
		{"Association", record.Association{}, `id leadChecklistItemId documentId overallValid validationResult`},
		{"validationResult", dossier.ValidationResult{}, `otherNotes overallValid validationResults`},
		{"uploaded document (decisions.md 3)", uploadedDocument{}, `id filename size mimeType signedUrl uploadedAt associatedChecklistItemId duplicateOf`},
		{"presigned upload (resources.md 3)", presignedUpload{}, `method url headers expiresAt`},
		{"Action log entry", actionLog{}, `id type status summary input createdAt toolCalls message documents`},
		{"update lead's answer", leadAnswer{}, `success status lead checklistItems actionLogs matchingLeads lastAction nextFollowUp nextDraft`},
		{"matchingLeads (resources.md 2)", matchingLead{}, `id name email phoneNumber businessName status matchedOn`},
		{"get lead's answer", readLeadAnswer{}, `success status lead checklistItems actionLogs matchingLeads lastAction nextFollowUp nextDraft documents`},
		{"create activity's answer", activityAnswer{}, `success actionLogId`},
		{"Workflow", workflow{}, `id name type createdAt updatedAt`},
		{"Workflow run", record.WorkflowRun{}, `id leadId agentId workflowId externalId status createdAt completedAt cancelledAt updatedAt pausedAt completedReason`},
		{"Spread", record.Spread{}, `id status error leadId documents artifacts source user createdAt updatedAt`},
		{"Spread, documents", record.SpreadDocument{}, `id filename status error`},
		{"Spread, artifacts", record.Artifact{}, `id type title`},
		{"Spread results", dossier.SpreadResults{}, `schemaVersion spreadId leadId generatedAt entityName currency statements`},
		{"statements", dossier.SpreadStatements{}, `incomeStatement balanceSheet cashFlow`},
		{"Period", dossier.SpreadPeriod{}, `id label start end basis annualized derivedFrom values`},
		{"values, a row", dossier.SpreadValue{}, `label value kind computed memo`},
		{"Party (relationships.md 2)", record.Party{}, `id leadId name kind role taxIdLast4 isPrimary createdAt updatedAt`},
		{"Edge of ownership (relationships.md 2)", record.OwnershipEdge{}, `ownerId ownedId percent source documentId`},
		{"Debt (relationships.md 3)", record.Debt{}, `id partyId lender kind balance rate payment frequency maturity secured source documentId`},
		{"Results of a global spread (relationships.md 3)", dossier.GlobalResults{}, `schemaVersion spreadId leadId scope generatedAt currency parties periods`},
		{"its parties", dossier.GlobalParty{}, `partyId name spreadId`},
		{"its periods", dossier.GlobalPeriod{}, `id label start end rows`},
		{"its rows", dossier.GlobalRow{}, `key label partyId value kind computed sources`},
		{"Coverage of a statement (relationships.md 1)", dossier.StatementCoverage{}, `printedLines mapped unmapped totals unexplained`},
		{"Period, its integrity", dossier.SpreadPeriod{}, `integrity`},
		{"values, what nothing confirms", dossier.SpreadValue{}, `reliable reported`},
		{"Warning of a spread (decisions-2.md P-5)", dossier.SpreadWarning{}, `code detail documentId statement periodId`},
		{"Ratio (decisions-2.md P-4)", dossier.SpreadRatio{}, `key label value reason`},
		{"Analytics", analyticsAnswer{}, `start end nextToken totals breakdown`},
		{"totals", reportTotals{}, `count leadsCompleted leadsNotInterested leadsOptedOut totalMessages inboundMessages outboundMessages channels completion interventions`},
		{"interventions", reportInterventions{}, `documentOverrides escalations manualUpdates messageEdits messageRejects`},
		{"completion.bySource", reportBySource{}, `agent imported manual portal`},
		{"breakdown", reportLead{}, `leadId firstName lastName email phoneNumber createdAt completedAt notInterestedAt optedOutAt totalMessages inboundMessages outboundMessages
			firstInboundAt firstOutboundAt lastInboundAt lastOutboundAt channels completion interventions checklistItems`},
		{"Pipeline job result", record.PipelineRun{}, `jobId metadata result status timeElapsed`},
		{"Webhook registration", webhookBody{}, `id headers isEnabled url`},
		{"API key (resources.md 9)", apiKey{}, `id name prefix scopes isTest expiresAt lastUsedAt createdAt revokedAt`},
		{"update lead's body", updateLeadBody{}, `leadId firstName lastName email phoneNumber businessName website externalLeadId externalPortalLink status didOptOut tags checklistItems
			middleName timezone assigneeType emailVerified`},
		{"update lead's checklistItems", itemUpdate{}, `code value status`},
		{"create checklist item's body", newItemBody{}, `label fieldType config isRequired agentInstructions clientInstructions validationRules code`},
		{"create activity's body", activityBody{}, `leadId eventType title description metadata`},
	} {
		has := jsonNames(reflect.TypeOf(table.answered))
		for field := range strings.FieldsSeq(table.fields) {
			if !slices.Contains(has, strings.ReplaceAll(field, "_", " ")) {
				t.Errorf("%s has no %s", table.resource, field)
			}
		}
	}
}

// jsonNames are the names of a struct's members in JSON, those of embedded structs too.
func jsonNames(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			names = append(names, jsonNames(field.Type)...)
		}
		names = append(names, name)
	}
	return names
}

// errorRow is a row of api.md's table "Status codes by operation".
type errorRow struct {
	status       int
	operation    string
	cause        string
	method, path string
	body         string
	message      string // or its end, after ...
	key          string // sent instead of the workspace's, "-": none
}

// api.md, section "Errors": every row, in its order, with its exact message.
func TestSpecification_errors(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conducted(t, s)
	id := func(sql string) string { return pgtest.Value[string](t, s.Server, sql) }
	ava, bo := id(`SELECT id::text FROM agents WHERE key = 'ava'`), id(`SELECT id::text FROM agents WHERE key = 'max'`)
	flow := func(key string) string { return id(`SELECT id::text FROM workflows WHERE key = '` + key + `'`) }
	lead := func() string {
		return valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`).Body, "lead", "id")
	}
	body := func(lead, agent, workflow string) string {
		return fmt.Sprintf(`{"leadId": %q, "agentId": %q, "workflowId": %q}`, lead, agent, workflow)
	}
	run := func(workflow string, then ...string) string {
		run := valueAt(t, s.do(t, "POST", "/api/v1/workflow-runs", body(lead(), ava, workflow)).Body, "workflowRun", "id")
		for _, move := range then {
			if got := s.do(t, "POST", "/api/v1/workflow-runs/"+run+"/"+move, ""); got.Status != 200 {
				t.Fatalf("%s: %d %s", move, got.Status, got.Body)
			}
		}
		return run
	}
	busy, free, nobody := lead(), lead(), postgres.NewID()
	if got := s.do(t, "POST", "/api/v1/workflow-runs", body(busy, ava, flow("collect"))); got.Status != 201 {
		t.Fatal(got.Body)
	}
	spread := postgres.NewID()
	s.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, created_at, updated_at) VALUES ($1, $2, $3, 'IN_PROGRESS', now(), now())`, s.Workspace, spread, free)
	const analytics, runs = "/api/v0/analytics", "/api/v1/workflow-runs"
	of := func(run, move string) string { return runs + "/" + run + "/" + move }
	for _, row := range []errorRow{
		{400, "analytics", "non-ISO date", "GET", analytics + "?start=yesterday", "", "...", ""},
		{400, "analytics", "start after end", "GET", analytics + "?start=2026-02-01T00:00:00Z&end=2026-01-01T00:00:00Z", "", "...", ""},
		{400, "analytics", "unrecognized parameter", "GET", analytics + "?from=2026-01-01T00:00:00Z", "", "...", ""},
		{401, "analytics", "missing API key", "GET", analytics, "", "A valid API key is required in the x-api-key header", "-"},
		{401, "analytics", "invalid API key", "GET", analytics, "", "A valid API key is required in the x-api-key header", "dsr_live_nobody"},
		{400, "list workflow runs", "leadId missing", "GET", runs, "", "...", ""},
		{404, "list workflow runs", "leadId is not a lead in the workspace", "GET", runs + "?leadId=" + nobody, "", "No lead with this id in the workspace", ""},
		{400, "create workflow run", "leadId missing", "POST", runs, fmt.Sprintf(`{"agentId": %q, "workflowId": %q}`, ava, flow("help")), "leadId is required", ""},
		{400, "create workflow run", "agentId missing", "POST", runs, fmt.Sprintf(`{"leadId": %q, "workflowId": %q}`, free, flow("help")), "agentId is required", ""},
		{400, "create workflow run", "workflowId missing", "POST", runs, fmt.Sprintf(`{"leadId": %q, "agentId": %q}`, free, ava), "workflowId is required", ""},
		{400, "create workflow run", "unrecognized field", "POST", runs, strings.Replace(body(free, ava, flow("help")), "{", `{"note": "x", `, 1), `Unknown field "note"`, ""},
		{404, "create workflow run", "leadId not in the workspace", "POST", runs, body(nobody, ava, flow("help")), "No lead with this id in the workspace", ""},
		{404, "create workflow run", "agentId not in the workspace", "POST", runs, body(free, nobody, flow("help")), "No agent with this id in the workspace", ""},
		{404, "create workflow run", "workflowId not in the workspace", "POST", runs, body(free, ava, nobody), "No workflow with this id in the workspace", ""},
		{409, "create workflow run", "this agent already has an open run on the lead", "POST", runs, body(busy, ava, flow("help")), "Agent is already linked to this lead", ""},
		{409, "create workflow run", "only one open CHECKLIST run", "POST", runs, body(busy, bo, flow("auto")), "...already collects this lead's checklist", ""},
		{409, "create workflow run", "a REMINDER workflow needs a schedule", "POST", runs, body(free, ava, flow("unscheduled")), "This reminder workflow has no schedule configured yet", ""},
		{404, "pause", "no run with this id in the workspace", "POST", of(nobody, "pause"), "", "...", ""},
		{404, "cancel", "no run with this id in the workspace", "POST", of(nobody, "cancel"), "", "...", ""},
		{404, "complete", "no run with this id in the workspace", "POST", of(nobody, "complete"), "", "...", ""},
		{409, "pause", "already COMPLETED", "POST", of(run(flow("help"), "complete"), "pause"), "", "This workflow run is already COMPLETED", ""},
		{409, "pause", "already CANCELLED", "POST", of(run(flow("help"), "cancel"), "pause"), "", "This workflow run is already CANCELLED", ""},
		{409, "cancel", "already COMPLETED", "POST", of(run(flow("help"), "complete"), "cancel"), "", "This workflow run is already COMPLETED", ""},
		{409, "complete", "already CANCELLED", "POST", of(run(flow("help"), "cancel"), "complete"), "", "This workflow run is already CANCELLED", ""},
		{409, "complete", "cannot be completed manually", "POST", of(run(flow("auto")), "complete"), "", "...", ""},
		{404, "regenerate", "spreadId is not a run in the workspace", "POST", "/api/v1/spreads/" + nobody + "/regenerate", "", "...", ""},
		{409, "regenerate", "run is still in flight", "POST", "/api/v1/spreads/" + spread + "/regenerate", "", "...", ""},
		{404, "artifact download", "artifact not in the workspace", "GET", "/api/v1/artifacts/" + nobody + "/content", "", "...", ""},
	} {
		row.hold(t, s)
	}
}

func (row errorRow) hold(t *testing.T, s *testServer) {
	t.Helper()
	headers := []string{}
	if row.key != "" {
		headers = []string{"x-api-key", strings.TrimPrefix(row.key, "-")}
	}
	got := s.do(t, row.method, row.path, row.body, headers...)
	if got.Status != row.status || got.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %s, %s: %d %s", row.status, row.operation, row.cause, got.Status, got.Body)
		return
	}
	message := valueAt(t, got.Body, "message")
	end, open := strings.CutPrefix(row.message, "...")
	if message != row.message && (!open || !strings.HasSuffix(message, end)) {
		t.Errorf("%d %s, %s: the message is %q, want %q", row.status, row.operation, row.cause, message, row.message)
	}
}

// decisions.md section 1, Sizes: what just fits is taken, one more is refused and the field is named.
func TestSpecification_sizes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`).Body, "lead", "id")
	n := strings.Repeat
	list := func(one string, count int) string { return "[" + strings.TrimSuffix(n(one+",", count), ",") + "]" }
	update := func(member string) string { return `{"leadId": "` + lead + `", ` + member + `}` }
	activity := func(member string) string {
		return `{"leadId": "` + lead + `", "eventType": "note", "title": "x", ` + member + `}`
	}
	tags := func(count int) string {
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprintf(`"t%d"`, i)
		}
		return "[" + strings.Join(names, ",") + "]"
	}
	files := func(count int) string {
		form := "--part\r\nContent-Disposition: form-data; name=\"leadId\"\r\n\r\n" + lead + "\r\n"
		for i := range count {
			form += fmt.Sprintf("--part\r\nContent-Disposition: form-data; name=\"files\"; filename=\"%d.txt\"\r\n\r\nFile %d.\r\n", i, i)
		}
		return form + "--part--\r\n"
	}
	const leads, log, upload, presign = "PUT /api/v1/leads", "POST /api/v1/activity", "POST /api/v1/documents", "POST /api/v1/documents/presign"
	items := "POST /api/v1/leads/" + lead + "/checklist-items"
	for _, row := range []struct {
		limit, call    string
		fits, over     string
		status         int
		pointer, sayIt string
	}{
		{"JSON body 1 MiB", log, `{"title": "x"}` + n(" ", 1<<20-14), `{"title": "x"}` + n(" ", 1<<20), 413, "", "1048576"},
		{"strings 255", leads, update(`"firstName": "` + n("é", 255) + `"`), update(`"firstName": "` + n("é", 256) + `"`), 400, "/firstName", "255"},
		{"text 10,000", log, activity(`"description": "` + n("é", 10_000) + `"`), activity(`"description": "` + n("é", 10_001) + `"`), 400, "/description", "10000"},
		{"URL 2,048", leads, update(`"website": "https://a.example/` + n("x", 2048-18) + `"`), update(`"website": "https://a.example/` + n("x", 2049-18) + `"`), 400, "/website", "2048"},
		{"metadata 32 kB", log, activity(`"metadata": {"a": "` + n("x", 32<<10-9) + `"}`), activity(`"metadata": {"a": "` + n("x", 32<<10-8) + `"}`), 400, "/metadata", "32"},
		{"metadata 32 kB in bytes", log, activity(`"metadata": {"a": "` + n("é", 16_000) + `"}`), activity(`"metadata": {"a": "` + n("é", 16_400) + `"}`), 400, "/metadata", "32"},
		{"500 checklist entries an update", leads, update(`"checklistItems": ` + list(`{"code": "X"}`, 500)), update(`"checklistItems": ` + list(`{"code": "X"}`, 501)), 400, "/checklistItems", "500"},
		{"50 tags", leads, update(`"tags": ` + tags(50)), update(`"tags": ` + tags(51)), 400, "/tags", "50"},
		{"tags of 64", leads, update(`"tags": ["` + n("é", 64) + `"]`), update(`"tags": ["` + n("é", 65) + `"]`), 400, "/tags/0", "64"},
		{"100 validation rules", items, `{"label": "A", "fieldType": "FILE", "validationRules": ` + list(`"r"`, 100) + `}`,
			`{"label": "A", "fieldType": "FILE", "validationRules": ` + list(`"r"`, 101) + `}`, 400, "/validationRules", "100"},
		{"10 files", upload, files(10), files(11), 400, "/files", "10"},
		{"upload 100 MB a file", presign, update(`"filename": "a.pdf", "mimeType": "application/pdf", "size": 104857600`),
			update(`"filename": "a.pdf", "mimeType": "application/pdf", "size": 104857601`), 413, "", "104857600"},
	} {
		method, path, _ := strings.Cut(row.call, " ")
		kind := "application/json"
		if row.call == upload {
			kind = "multipart/form-data; boundary=part"
		}
		if got := s.do(t, method, path, row.fits, "Content-Type", kind); got.Status == row.status && strings.Contains(got.Body, `"`+row.pointer+`"`) {
			t.Errorf("%s: what just fits is refused: %d %s", row.limit, got.Status, got.Body)
		}
		got := s.do(t, method, path, row.over, "Content-Type", kind)
		if got.Status != row.status || row.pointer != "" && !strings.Contains(got.Body, `"pointer":"`+row.pointer+`"`) || !strings.Contains(got.Body, row.sayIt) {
			t.Errorf("%s: one more: %d %.400s, want %d naming %s and %s", row.limit, got.Status, got.Body, row.status, row.pointer, row.sayIt)
		}
	}
}

// A direct upload is taken only when what arrived is what was announced: api.md's sizes and hashes are not believed.
func TestSpecification_direct_upload(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`).Body, "lead", "id")
	for _, row := range []struct {
		name, arrives, sum string
		status             int
		code               string
	}{
		{"nothing arrived", "", "", 409, "upload_missing"},
		{"too few bytes", "hell", "", 400, "checksum_mismatch"},
		{"too many bytes", "hello!", "", 400, "checksum_mismatch"},
		{"other bytes than the hash says", "hullo", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", 400, "checksum_mismatch"},
		{"a hash that is none", "hello", "nonsense", 400, "checksum_mismatch"},
		{"what was announced", "hello", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", 200, ""},
	} {
		made := s.do(t, "POST", "/api/v1/documents/presign", `{"leadId": "`+lead+`", "filename": "a.txt", "size": 5, "mimeType": "text/plain"}`)
		id := valueAt(t, made.Body, "document", "id")
		if row.arrives != "" {
			if _, err := s.API.Objects.Put(t.Context(), objects.DocumentKey(s.Workspace, dossier.DocumentID(id)), "text/plain", strings.NewReader(row.arrives), 100); err != nil {
				t.Fatal(err)
			}
		}
		body := ""
		if row.sum != "" {
			body = `{"sha256": "` + row.sum + `"}`
		}
		got := s.do(t, http.MethodPost, "/api/v1/documents/"+id+"/complete", body)
		if got.Status != row.status || !strings.Contains(got.Body, row.code) {
			t.Errorf("%s: %d %s, want %d %s", row.name, got.Status, got.Body, row.status, row.code)
		}
		if listed := s.do(t, http.MethodGet, "/api/v1/leads/"+lead+"/documents", ""); strings.Contains(listed.Body, id) != (row.status == 200) {
			t.Errorf("%s: the list says %s", row.name, listed.Body)
		}
	}
}
