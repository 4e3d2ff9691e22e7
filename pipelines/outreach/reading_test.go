package outreach

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// asked is a situation in which an agent asks by text for two of three items.
func asked() dossier.Situation {
	required := func(code, label string, status dossier.ItemStatus, problem string) dossier.ChecklistEntry {
		e := dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: code, Label: label, IsRequired: true, FieldType: dossier.FieldText}, Status: status, Visible: true}
		if problem != "" {
			e.Reasons = []dossier.Reason{dossier.NewReason("earlier", "text", problem)}
		}
		return e
	}
	name, phone := "Ann", "+12125550123"
	return dossier.Situation{Now: time.Date(2021, 3, 8, 15, 0, 0, 0, time.UTC), Zone: time.UTC, Trigger: dossier.TriggerStart, Lead: dossier.Lead{FirstName: &name, PhoneNumber: &phone}, Company: "Acme Lending",
		Portal: "https://acme.example/portal/key", Default: dossier.English, Agent: dossier.Agent{AgentConfig: dossier.AgentConfig{Name: "Ava", Channels: []dossier.Channel{dossier.ChannelSMS}}},
		Workflow: dossier.Workflow{WorkflowConfig: dossier.WorkflowConfig{Type: dossier.WorkflowChecklist}}, Channels: map[dossier.Channel]dossier.ChannelConfig{dossier.ChannelSMS: {Provider: "log"}},
		Checklist: dossier.Checklist{Groups: []dossier.ChecklistGroup{{Entries: []dossier.ChecklistEntry{required("A", "Bank statement", dossier.ItemInvalid, "The page is blank"),
			required("B", "Legal business name", dossier.ItemTodo, ""), required("C", "Tax return", dossier.ItemCompleted, "")}}}}}
}

// What calls for a person, by rule or by a model's reading; the four rules stand first.
func TestSituation_escalates(t *testing.T) {
	sure := func(intent dossier.Intent) *dossier.Reading { return &dossier.Reading{Intent: intent, Sure: true} }
	for _, test := range []struct {
		said    string
		reading *dossier.Reading
		want    string
	}{
		{"Can I talk to a real person?", nil, "Asks for a person"},
		{"Quiero hablar con alguien", nil, "Asks for a person"},
		{"This is ridiculous, I will complain", nil, "Complaint"},
		{"Can I get a lower interest rate?", nil, "Question the agent cannot answer"},
		{"Can I get a lower interest rate?", &dossier.Reading{Intent: dossier.IntentMissing}, "Message the agent is not sure about"},
		{"Ugh, not you again", sure(dossier.IntentComplain), "Complaint"},
		{"Is anybody home over there", sure(dossier.IntentPerson), "Asks for a person"},
		{"We have chosen a competitor", sure(dossier.IntentDecline), "Says they are not interested"},
		{"I am not interested", nil, "Says they are not interested"},
		{"Any idea how I get the papers to you?", sure(dossier.IntentWhere), ""},
		{"The thing came back, how come?", sure(dossier.IntentWhy), ""},
		{"Thanks!", nil, ""},
	} {
		t.Run(test.said, func(t *testing.T) {
			s := asked()
			from := "+12125550123"
			s.Trigger, s.Question, s.Reading = dossier.TriggerReply, &dossier.Message{Channel: "sms", From: &from, Body: test.said}, test.reading
			if got := Decide(s).Escalate; got != test.want {
				t.Errorf("escalates %q, want %q", got, test.want)
			}
		})
	}
}
