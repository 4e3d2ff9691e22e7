package main

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestLeads_show_runs_and_messages(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.example(t)
	ws := dossier.WorkspaceID(pgtest.Value[string](t, o.Server, `SELECT id::text FROM workspaces`))
	lead, err := o.DB.CreateLead(t.Context(), ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set("+12125550123")}}, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	id := func(table, key string) string {
		return pgtest.Value[string](t, o.Server, `SELECT id::text FROM `+table+` WHERE key = $1`, key)
	}
	if _, err := o.DB.CreateRun(t.Context(), ws, lead, dossier.AgentID(id("agents", "ava")), dossier.WorkflowID(id("workflows", "collect")), postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	for i, from := range []string{"+12125550123", "+12125550199"} {
		if _, err := o.DB.ReceiveMessage(t.Context(), ws, postgres.Inbound{Channel: dossier.ChannelSMS, From: from, Text: "Hello there", ProviderID: "SM" + string(rune('1'+i))}, outreach.Inbound); err != nil {
			t.Fatal(err)
		}
	}
	contains(t, o.do(t, "leads", "show", string(lead)), "Ann", "IN_PROGRESS", "Legal business name", "* Ava begins: Collect the checklist", "Ann, sms", "| Hello there")
	contains(t, o.do(t, "runs", "list", string(lead)), "ACTIVE", "Collect the checklist", "Ava")
	contains(t, o.do(t, "messages", "list", string(lead)), "Ann, sms", "| Hello there")
	contains(t, o.do(t, "messages", "list", "--workspace", "acme"), "+12125550199, sms", "| Hello there")
	if runs := value[[]map[string]any](t, o, "runs", "list", string(lead)); len(runs) != 1 || runs[0]["status"] != "ACTIVE" {
		t.Errorf("runs: %v", runs)
	}
	o.refused(t, 1, "there is no lead", "leads", "show", postgres.NewID())
	o.refused(t, 2, "--workspace", "messages", "list")
}

func TestSimulate(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	file := o.example(t)
	text := o.do(t, "simulate", "-f", file, "--days", "8", "--lead", "leaves", "--language", "es")
	contains(t, text, "Hola, Ann: le escribe Ava, de Acme Lending.", "| STOP", "ya no le enviaremos mensajes", "the lead OPTED_OUT: ")
	if after, _ := strings.CutPrefix(text[strings.Index(text, "| STOP"):], "| STOP"); strings.Count(after, "Ava, sms") != 0 {
		t.Errorf("the agent wrote after STOP:\n%s", text)
	}
}
