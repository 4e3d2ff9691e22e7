package api

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// otherTenant is what one workspace has, by the name of the path parameter that would name it.
type otherTenant map[string]string

// newOtherTenant makes a workspace with one of everything that a path or body can name.
func newOtherTenant(t *testing.T, s *testServer) otherTenant {
	t.Helper()
	return oneOfEach(t, s, s.Server.Workspace(t))
}

func oneOfEach(t *testing.T, s *testServer, ws dossier.WorkspaceID) otherTenant {
	t.Helper()
	lead, entries := s.Lead(t, ws, dossier.FieldFile)
	by, ctx := postgres.Caller{Source: dossier.SourceImported}, t.Context()
	documents, log, err := s.DB.CreateDocuments(ctx, ws, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte("x"), ObjectKey: "k"}}})
	if err != nil {
		t.Fatal(err)
	}
	escalation, err := s.DB.CreateEscalation(ctx, ws, lead, "help", nil, by)
	if err != nil {
		t.Fatal(err)
	}
	url := "https://hooks.example/"
	webhook, _, err := s.DB.CreateWebhook(ctx, ws, dossier.WebhookUpdate{URL: &url})
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := s.DB.CreateKey(ctx, ws, postgres.NewKey{Name: "other"})
	if err != nil {
		t.Fatal(err)
	}
	replay, err := s.DB.CreateReplay(ctx, ws, webhook.ID, dossier.Replay{Since: s.Clock.Now(), Until: s.Clock.Now(), Statuses: []dossier.DeliveryStatus{dossier.DeliveryFailed}})
	if err != nil {
		t.Fatal(err)
	}
	job, err := s.DB.CreatePipelineRun(ctx, ws, "classify-document", []string{"classify-document"}, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	delivery := postgres.NewID()
	s.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, created_at) VALUES ($1, $2, $3, $4, 1, 'lead.created', now())`,
		ws, delivery, webhook.ID, postgres.NewID())
	agent, workflow, run := postgres.NewID(), postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO agents (workspace_id, id, key, name, mode, channels, created_at, updated_at) VALUES ($1, $2, 'a-' || $2::uuid, 'A', 'LISTEN', '{email}', now(), now())`, ws, agent)
	s.Exec(t, `INSERT INTO workflows (workspace_id, id, key, name, type, created_at, updated_at) VALUES ($1, $2, 'w-' || $2::uuid, 'W', 'SUPPORT', now(), now())`, ws, workflow)
	s.Exec(t, `INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 'SUPPORT', 'ACTIVE', now(), now())`, ws, run, lead, agent, workflow)
	message := postgres.NewID()
	s.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
		VALUES ($1, $2, $3, 'OUTBOUND', 'sms', 'DRAFT', 'x', now(), now())`, ws, message, lead)
	spread, artifact := postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', '{}', now(), now())`, ws, spread, lead)
	s.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at)
		VALUES ($1, $2, $3, 1, 'REPORT', 'r', 'k', '\x00', 1, now())`, ws, artifact, spread)
	erasure, hold := postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, status, reason, requested_by, requested_at, due_at)
		VALUES ($1, $2, 'lead', $3, $3, 'SCHEDULED', 'r', 'system', now(), now())`, ws, erasure, lead)
	s.Exec(t, `INSERT INTO holds (workspace_id, id, lead_id, reason, created_by, created_at) VALUES ($1, $2, $3, 'r', 'system', now())`, ws, hold, lead)
	party := postgres.NewID()
	s.Exec(t, `INSERT INTO parties (workspace_id, id, lead_id, name, kind, role, created_at, updated_at) VALUES ($1, $2, $3, 'p', 'person', 'owner', now(), now())`, ws, party, lead)
	person, session := postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO people (id, email, created_at) VALUES ($1::uuid, $1::text || '@example.com', now())`, person)
	s.Exec(t, `INSERT INTO person_roles (workspace_id, kind, name, source, role, created_at) VALUES ($1, 'email', $2 || '@example.com', 'command', 'viewer', now())`, ws, person)
	s.Exec(t, `INSERT INTO sessions (id, person_id, secret_hash, created_at, seen_at, expires_at) VALUES ($1::uuid, $2, $1::text::bytea, now(), now(), now())`, session, person)
	imported := postgres.NewID()
	s.Exec(t, `INSERT INTO imports (workspace_id, id, file_key, source, created_at) VALUES ($1, $2, 'k', 'imported', now())`, ws, imported)
	review := pgtest.Value[string](t, s.Server, `SELECT id::text FROM reviews WHERE workspace_id = $1 AND subject_id = $2`, ws, escalation.ID)
	event := pgtest.Value[string](t, s.Server, `SELECT id::text FROM events WHERE workspace_id = $1 AND lead_id = $2 LIMIT 1`, ws, lead)
	return otherTenant{
		"eventId":   event,
		"importId":  imported,
		"partyId":   party,
		"reviewId":  review,
		"sessionId": session,
		"erasureId": erasure, "holdId": hold,
		"messageId": message, "spreadId": spread, "artifactId": artifact, "agentId": agent, "workflowId": workflow, "workflowRunId": run,
		"leadId": string(lead), "checklistItemId": string(entries[0]), "documentId": string(documents[0].ID),
		"associationId": string(documents[0].Associations[0].ID), "actionLogId": string(log), "escalationId": string(escalation.ID),
		"webhookId": string(webhook.ID), "deliveryId": delivery, "replayId": string(replay.ID), "jobId": string(job.ID), "apiKeyId": string(key.ID),
	}
}

// bodies are valid bodies of operations that need one; ids in them are the other tenant's.
var tenantBodies = map[string]string{
	"updateLead":          `{"leadId": "${leadId}", "firstName": "X"}`,
	"advanceClock":        `{"leadId": "${leadId}", "advance": "1h"}`,
	"createLeadItem":      `{"label": "X", "fieldType": "TEXT"}`,
	"changeLeadItem":      `{"label": "X"}`,
	"editMessage":         `{"body": "x"}`,
	"createRun":           `{"leadId": "${leadId}", "agentId": "${agentId}", "workflowId": "${workflowId}"}`,
	"createActivity":      `{"leadId": "${leadId}", "eventType": "x", "title": "x"}`,
	"createSpread":        `{"leadId": "${leadId}"}`,
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
	"putAdjustments":      `{"adjustments": []}`,
	"putCaptions":         `{"captionMappings": []}`,
	"presignDocument":     `{"leadId": "${leadId}", "filename": "a.pdf", "size": 1, "mimeType": "application/pdf"}`,
	"overrideAssociation": `{"overallValid": true}`,
	"correctDocument":     `{"corrections": [{"part": 0, "pointer": "/title", "value": "X"}]}`,
	"setDocumentParts":    `{"parts": [{"pages": [1, 1]}]}`,
	"addAssociation":      `{"leadChecklistItemId": "${checklistItemId}"}`,
	"saveWebhook":         `{"id": "${webhookId}", "url": "https://evil.example/"}`,
	"replayWebhook":       `{"since": "2026-01-01T00:00:00Z"}`,
	"createDocuments":     keyedBodies["createDocuments"],
}

// tenantQueries are the queries that name something of another tenant.
var tenantQueries = map[string]string{
	"listEscalations": "?leadId=${leadId}",
	"listReviews":     "?leadId=${leadId}",
	"listErasures":    "?leadId=${leadId}",
	"listSpreads":     "?leadId=${leadId}",
	"listRuns":        "?leadId=${leadId}",
	"pollPipeline":    "?jobId=${jobId}",
	"cancelPipeline":  "?jobId=${jobId}",
}

// tenantPipelines are parameters of pipelines that name something of another tenant, alone or beside one's own.
var tenantPipelines = map[string][]string{
	"extract-document":        {`{"documentId": "${documentId}"}`, `{"documentId": "${mine.documentId}", "webhookId": "${webhookId}"}`},
	"classify-document":       {`{"documentId": "${documentId}"}`},
	"match-documents":         {`{"leadId": "${leadId}"}`, `{"leadId": "${mine.leadId}", "documentIds": ["${documentId}"]}`},
	"validate-document":       {`{"documentId": "${documentId}"}`, `{"documentId": "${mine.documentId}", "leadChecklistItemId": "${checklistItemId}"}`},
	"analyze-bank-statements": {`{"leadId": "${leadId}"}`, `{"documentIds": ["${mine.documentId}", "${documentId}"]}`},
	"spread-financials":       {`{"leadId": "${leadId}"}`, `{"leadId": "${mine.leadId}", "documentIds": ["${documentId}"]}`},
	"export-analytics-csv":    {`{"webhookId": "${webhookId}"}`},
}

// strangers are two workspaces with one of everything each; the server's key is of the first.
type strangers struct {
	*testServer
	mine, other otherTenant
}

func newStrangers(t *testing.T) strangers {
	t.Helper()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	return strangers{s, oneOfEach(t, s, s.Workspace), newOtherTenant(t, s)}
}

// fill puts ids in the place of their names. Those among own are the caller's, as is all that is called mine.
func (s strangers) fill(text string, own ...string) string {
	for name, id := range s.other {
		if slices.Contains(own, name) {
			id = s.mine[name]
		}
		text = strings.NewReplacer("${mine."+name+"}", s.mine[name], "${"+name+"}", id, "{"+name+"}", id).Replace(text)
	}
	return text
}

// common are what both kinds of keys have: the workspace's own.
var common = []string{"agentId", "workflowId", "sessionId"}

// newTestCaller is a server whose key is a test key, and which has one of everything of a test lead and of a live one.
func newTestCaller(t *testing.T) strangers {
	t.Helper()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	mine := oneOfEach(t, s, s.Workspace)
	s.Exec(t, `UPDATE leads SET is_test = true`)
	s.Exec(t, `UPDATE webhooks SET mode = 'test'`)
	s.Exec(t, `UPDATE pipeline_runs SET is_test = true`)
	s.Exec(t, `UPDATE erasures SET is_test = true`)
	s.Exec(t, `UPDATE reviews SET is_test = true`)
	s.Exec(t, `UPDATE events SET is_test = true`)
	s.Exec(t, `UPDATE event_inbox SET is_test = true`)
	s.Exec(t, `UPDATE api_keys SET is_test = true WHERE id = $1`, mine["apiKeyId"])
	live := oneOfEach(t, s, s.Workspace)
	_, text, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "tests", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	s.Key = text
	return strangers{s, mine, live}
}

// Whatever the operation, what belongs to a live lead does not exist for a test key: the tenants' walk once more, in one
// workspace. What lists have names nothing of it either.
func TestTestKeys_every_route(t *testing.T) {
	t.Parallel()
	s := newTestCaller(t)
	for _, name := range common {
		s.other[name] = s.mine[name]
	}
	before := pgtest.Value[string](t, s.Server, everythingAndKeys)
	s.walk(t)
	if after := pgtest.Value[string](t, s.Server, everythingAndKeys); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
	if _, err := s.DB.DispatchEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, row := range s.API.routes() {
		path := s.fill(row.path, slices.Collect(maps.Keys(s.other))...)
		if row.scope == "" || row.method != http.MethodGet || row.files || strings.Contains(path, "{") || row.name() == "listRequests" { // which has the calls of this test
			continue
		}
		got := s.do(t, row.method, path, "")
		if got.Status >= 500 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
		for name, id := range s.other {
			if !slices.Contains(common, name) && strings.Contains(got.Body, id) {
				t.Errorf("%s shows the live %s", path, name)
			}
		}
		lists++
	}
	if lists < 30 {
		t.Errorf("only %d reads were made", lists)
	}
	if got := s.do(t, "GET", "/api/v1/leads", ""); !strings.Contains(got.Body, s.mine["leadId"]) {
		t.Errorf("the list of leads: %s", got.Body)
	}
	if got := s.do(t, "GET", "/api/v1/events", ""); !strings.Contains(got.Body, s.mine["leadId"]) {
		t.Errorf("the feed: %s", got.Body)
	}
}

// refused sends a request that must be answered as if what it names did not exist.
func (s strangers) refused(t *testing.T, row route, path, body string) {
	t.Helper()
	kind := "application/json"
	if row.files {
		kind = "multipart/form-data; boundary=part"
	}
	if got := s.do(t, row.method, path, body, "Content-Type", kind); got.Status != http.StatusNotFound {
		t.Errorf("%s %s %s: %d %s, want 404", row.method, path, body, got.Status, got.Body)
	}
}

// Whatever the operation, what belongs to another workspace does not exist: every route that can name a thing is
// called with one workspace's key and the other's ids, all of them, and each one beside the caller's own.
func TestTenants_every_route(t *testing.T) {
	t.Parallel()
	s := newStrangers(t)
	before := pgtest.Value[string](t, s.Server, everythingAndKeys)
	s.walk(t)
	if after := pgtest.Value[string](t, s.Server, everythingAndKeys); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// walk calls every route that can name a thing.
func (s strangers) walk(t *testing.T) {
	t.Helper()
	walked := 0
	for _, row := range s.API.routes() {
		name := row.name()
		if row.scope == "" || strings.Contains(row.path, "{sessionId}") && strings.HasPrefix(s.Key, "dsr_test_") { // sessions are the workspace's
			continue
		}
		if name == "advanceClock" && !strings.HasPrefix(s.Key, "dsr_test_") { // nothing for live keys
			continue
		}
		if name == "startPipeline" {
			s.startPipelines(t, row)
			continue
		}
		path := strings.NewReplacer("{pipelineId}", "classify-document", "{page}", "1", "{part}", "0", "{kind}", "poem").Replace(row.path) + tenantQueries[name]
		var names []string
		for _, n := range pathParameter.FindAllStringSubmatch(path, -1) {
			names = append(names, n[1])
			if s.other[n[1]] == "" {
				t.Errorf("%s %s: oneOfEach makes no %s", row.method, row.path, n[1])
			}
		}
		if len(names) == 0 && !strings.Contains(tenantBodies[name], "${") {
			continue // names nothing of a tenant
		}
		s.refused(t, row, s.fill(path), s.fill(tenantBodies[name]))
		for i := range names {
			if len(names) > 1 { // one's own thing does not lend its name to another's part, nor the other way round
				s.refused(t, row, s.fill(path, slices.Delete(slices.Clone(names), i, i+1)...), s.fill(tenantBodies[name]))
			}
		}
		walked++
	}
	if walked < 45 {
		t.Errorf("only %d routes were walked", walked)
	}
}

// startPipelines starts every built-in pipeline with another's things.
func (s strangers) startPipelines(t *testing.T, row route) {
	t.Helper()
	for _, p := range jobs.Pipelines {
		if len(tenantPipelines[p.ID]) == 0 {
			t.Errorf("tenantPipelines has no parameters of %s", p.ID)
		}
		for _, body := range tenantPipelines[p.ID] {
			s.refused(t, row, "/pipelines/run/"+p.ID, s.fill(body))
		}
	}
}

// everythingAndKeys adds to everything which keys there are.
const everythingAndKeys = `SELECT (` + everything + `) || (SELECT string_agg(concat(id, revoked_at), ' ' ORDER BY id) FROM api_keys)`

// tenantState is everything a stranger could have changed.
const tenantState = `SELECT concat_ws(' ', (SELECT l::text FROM leads l WHERE id = $1),
	(SELECT string_agg(e::text, ' ' ORDER BY id) FROM checklist_entries e WHERE lead_id = $1), (SELECT string_agg(d::text, ' ' ORDER BY id) FROM documents d WHERE lead_id = $1),
	(SELECT string_agg(a::text, ' ' ORDER BY id) FROM action_logs a WHERE lead_id = $1), (SELECT string_agg(e::text, ' ' ORDER BY id) FROM escalations e WHERE lead_id = $1),
	(SELECT count(*) FROM webhooks WHERE deleted_at IS NULL), (SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL))`
