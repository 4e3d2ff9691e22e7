package api

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// conducted gives the server's workspace agents, workflows and channels.
func conducted(t *testing.T, s *testServer) {
	t.Helper()
	key := pgtest.Value[string](t, s.Server, `SELECT key FROM workspaces WHERE id = $1`, s.Workspace)
	schedule := &dossier.ReminderSchedule{Every: 720 * time.Hour, At: []string{"10:00"}, Max: 12}
	_, _, err := s.DB.ApplyWorkspace(t.Context(), dossier.WorkspaceConfig{
		WorkspaceSettings: dossier.WorkspaceSettings{Key: key, Name: "Acme Lending", DefaultRegion: "US", Timezone: "America/New_York",
			QuietHours: dossier.QuietHours{From: "21:00", To: "08:00"}, Portal: dossier.PortalSettings{LinkDays: 90, Name: "Acme Lending", Color: "#0b5fff"},
			Channels: map[dossier.Channel]dossier.ChannelConfig{"email": {Provider: "log"}, "sms": {Provider: "log"}, "whatsapp": {Provider: "log"}}},
		Groups: []dossier.TemplateGroup{{Key: "business", Name: "Business", Items: []dossier.TemplateItem{
			{Code: "LEGAL_NAME", Label: "Legal business name", FieldType: dossier.FieldText, IsRequired: true},
			{Code: "EIN", Label: "Employer identification number", FieldType: dossier.FieldEIN, IsRequired: true}}}},
		Agents: []dossier.AgentConfig{{Key: "ava", Name: "Ava", Mode: dossier.AgentAutopilot, Channels: []dossier.Channel{"sms", "email"}},
			{Key: "max", Name: "Max", Mode: dossier.AgentListen, Channels: []dossier.Channel{"email"}}},
		Workflows: []dossier.WorkflowConfig{
			{Key: "collect", Name: "Collect the checklist", Type: dossier.WorkflowChecklist, ManualCompletion: true, CompletesLead: true, FollowUps: &dossier.FollowUps{Every: 48 * time.Hour, Max: 6}},
			{Key: "auto", Name: "Collect, automatic end only", Type: dossier.WorkflowChecklist, CompletesLead: true},
			{Key: "monthly", Name: "Monthly statement", Type: dossier.WorkflowReminder, ManualCompletion: true, Schedule: schedule, Message: "Hi {{firstName}}, please send this month's statement: {{portalLink}}"},
			{Key: "unscheduled", Name: "Unscheduled", Type: dossier.WorkflowReminder, ManualCompletion: true},
			{Key: "help", Name: "Help", Type: dossier.WorkflowSupport, ManualCompletion: true}},
	}, false, false)
	if err != nil {
		t.Fatal(err)
	}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conducted(t, s)
	converse(t, s, "runs.txt")
	got := strings.Join(pgtest.Value[[]string](t, s.Server, `SELECT array_agg(type ORDER BY id) FROM events WHERE type LIKE 'workflow_run.%' OR type = 'lead.completed'`), " ")
	want := "workflow_run.created workflow_run.created workflow_run.paused workflow_run.resumed workflow_run.paused workflow_run.completed lead.completed " +
		"workflow_run.cancelled workflow_run.created workflow_run.cancelled"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestRuns_of_another_workspace_are_absent(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conducted(t, s)
	lead, _ := s.Lead(t, s.Workspace, dossier.FieldText)
	agent := pgtest.Value[string](t, s.Server, `SELECT id::text FROM agents WHERE key = 'ava'`)
	workflow := pgtest.Value[string](t, s.Server, `SELECT id::text FROM workflows WHERE key = 'collect'`)
	run, err := s.DB.CreateRun(t.Context(), s.Workspace, lead, dossier.AgentID(agent), dossier.WorkflowID(workflow), postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	other := s.Server.Workspace(t)
	foreign := s.newKey(t, other, dossier.ScopeAdmin)
	for _, request := range [][2]string{{"GET", ""}, {"POST", "/pause"}, {"POST", "/resume"}, {"POST", "/cancel"}, {"POST", "/complete"}} {
		if got := s.do(t, request[0], "/api/v1/workflow-runs/"+string(run.ID)+request[1], "", "x-api-key", foreign); got.Status != 404 {
			t.Errorf("%s %s answers %d, want 404", request[0], request[1], got.Status)
		}
	}
	theirs, _ := s.Lead(t, other, dossier.FieldText)
	body := `{"leadId": "` + string(theirs) + `", "agentId": "` + agent + `", "workflowId": "` + workflow + `"}`
	if got := s.do(t, "POST", "/api/v1/workflow-runs", body, "x-api-key", foreign); got.Status != 404 || !strings.Contains(got.Body, "agent_not_found") {
		t.Errorf("a foreign agent answers %d %s", got.Status, got.Body)
	}
	if got := s.do(t, "GET", "/api/v1/workflow-runs?leadId="+string(lead), "", "x-api-key", foreign); got.Status != 404 {
		t.Errorf("a foreign lead's runs answer %d", got.Status)
	}
	for _, path := range []string{"/api/v1/agents", "/api/v1/workflows"} {
		if got := s.do(t, "GET", path, "", "x-api-key", foreign); strings.Contains(got.Body, `"id"`) {
			t.Errorf("%s shows another workspace's: %s", path, got.Body)
		}
	}
}
