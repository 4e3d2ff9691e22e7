package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
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
	delivery := postgres.NewID()
	s.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, created_at) VALUES ($1, $2, $3, $4, 1, 'lead.created', now())`,
		ws, delivery, webhook.ID, postgres.NewID())
	agent, workflow, run := postgres.NewID(), postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO agents (workspace_id, id, key, name, mode, channels, created_at, updated_at) VALUES ($1, $2, 'a', 'A', 'LISTEN', '{email}', now(), now())`, ws, agent)
	s.Exec(t, `INSERT INTO workflows (workspace_id, id, key, name, type, created_at, updated_at) VALUES ($1, $2, 'w', 'W', 'SUPPORT', now(), now())`, ws, workflow)
	s.Exec(t, `INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 'SUPPORT', 'ACTIVE', now(), now())`, ws, run, lead, agent, workflow)
	message := postgres.NewID()
	s.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
		VALUES ($1, $2, $3, 'OUTBOUND', 'sms', 'DRAFT', 'x', now(), now())`, ws, message, lead)
	spread, artifact := postgres.NewID(), postgres.NewID()
	s.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', '{}', now(), now())`, ws, spread, lead)
	s.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at)
		VALUES ($1, $2, $3, 1, 'REPORT', 'r', 'k', '\x00', 1, now())`, ws, artifact, spread)
	return otherTenant{
		"messageId": message, "spreadId": spread, "artifactId": artifact, "agentId": agent, "workflowId": workflow, "workflowRunId": run,
		"leadId": string(lead), "checklistItemId": string(entries[0]), "documentId": string(documents[0].ID),
		"associationId": string(documents[0].Associations[0].ID), "actionLogId": string(log), "escalationId": string(escalation.ID),
		"webhookId": string(webhook.ID), "deliveryId": delivery, "replayId": postgres.NewID(), "apiKeyId": string(key.ID),
	}
}

// bodies are valid bodies of operations that need one; ids in them are the other tenant's.
var tenantBodies = map[string]string{
	"updateLead":          `{"leadId": "${leadId}", "firstName": "X"}`,
	"createLeadItem":      `{"label": "X", "fieldType": "TEXT"}`,
	"changeLeadItem":      `{"label": "X"}`,
	"editMessage":         `{"body": "x"}`,
	"createRun":           `{"leadId": "${leadId}", "agentId": "${agentId}", "workflowId": "${workflowId}"}`,
	"createActivity":      `{"leadId": "${leadId}", "eventType": "x", "title": "x"}`,
	"createSpread":        `{"leadId": "${leadId}"}`,
	"createEscalation":    `{"reason": "x"}`,
	"putAdjustments":      `{"adjustments": []}`,
	"putCaptions":         `{"captionMappings": []}`,
	"presignDocument":     `{"leadId": "${leadId}", "filename": "a.pdf", "size": 1, "mimeType": "application/pdf"}`,
	"overrideAssociation": `{"overallValid": true}`,
	"saveWebhook":         `{"id": "${webhookId}", "url": "https://evil.example/"}`,
	"replayWebhook":       `{"since": "2026-01-01T00:00:00Z"}`,
}

// tenantQueries are the queries that name something of another tenant.
var tenantQueries = map[string]string{
	"listEscalations": "?leadId=${leadId}",
	"listSpreads":     "?leadId=${leadId}",
}

// Whatever the operation, what belongs to another workspace does not exist: every route that can name a thing is
// called with one workspace's key and the other's ids.
func TestTenants_every_route(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	other := newOtherTenant(t, s)
	mine, _ := s.Lead(t, s.Workspace, dossier.FieldFile)
	before := pgtest.Value[string](t, s.Server, tenantState, other["leadId"])
	fill := func(text string) string {
		for name, id := range other {
			text = strings.NewReplacer("${"+name+"}", id, "{"+name+"}", id).Replace(text)
		}
		return text
	}
	walked := 0
	for _, row := range s.API.routes() {
		name := row.name()
		names := pathParameter.FindAllStringSubmatch(row.path, -1)
		if row.scope == "" || row.path == "/pipelines/run/{pipelineId}" || len(names) == 0 && !strings.Contains(tenantBodies[name]+tenantQueries[name], "${") {
			continue // names nothing of a tenant, or by a job's id: see the conversation about pipelines
		}
		for _, n := range names {
			if other[n[1]] == "" {
				t.Errorf("%s %s: newOtherTenant makes no %s", row.method, row.path, n[1])
			}
		}
		got := s.do(t, row.method, fill(row.path)+fill(tenantQueries[name]), fill(tenantBodies[name]))
		if got.Status != http.StatusNotFound {
			t.Errorf("%s %s with another workspace's ids: %d %s", row.method, row.path, got.Status, got.Body)
		}
		walked++
		// The caller's own lead does not lend its name to another's parts.
		if path := row.path; strings.HasPrefix(path, "/api/v1/leads/{leadId}/") && len(names) > 1 {
			got := s.do(t, row.method, fill(strings.Replace(path, "{leadId}", string(mine), 1)), fill(tenantBodies[name]))
			if got.Status != http.StatusNotFound {
				t.Errorf("%s %s with my lead and another's part: %d %s", row.method, path, got.Status, got.Body)
			}
		}
	}
	if walked < 25 {
		t.Errorf("only %d routes were walked", walked)
	}
	if after := pgtest.Value[string](t, s.Server, tenantState, other["leadId"]); after != before {
		t.Errorf("something of the other workspace changed:\n%s\n%s", before, after)
	}
}

// tenantState is everything a stranger could have changed.
const tenantState = `SELECT concat_ws(' ', (SELECT l::text FROM leads l WHERE id = $1),
	(SELECT string_agg(e::text, ' ' ORDER BY id) FROM checklist_entries e WHERE lead_id = $1), (SELECT string_agg(d::text, ' ' ORDER BY id) FROM documents d WHERE lead_id = $1),
	(SELECT string_agg(a::text, ' ' ORDER BY id) FROM action_logs a WHERE lead_id = $1), (SELECT string_agg(e::text, ' ' ORDER BY id) FROM escalations e WHERE lead_id = $1),
	(SELECT count(*) FROM webhooks WHERE deleted_at IS NULL), (SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL))`
