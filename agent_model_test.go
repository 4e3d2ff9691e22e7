package dossier

import (
	"testing"
	"time"
)

// asked is a situation in which an agent asks by text for two of three items.
func asked() Situation {
	required := func(code, label string, status ItemStatus, problem string) ChecklistEntry {
		e := ChecklistEntry{Item: ChecklistItem{Code: code, Label: label, IsRequired: true, FieldType: FieldText}, Status: status, Visible: true}
		if problem != "" {
			e.ValidationError = &problem
		}
		return e
	}
	name, phone := "Ann", "+12125550123"
	return Situation{Now: time.Date(2021, 3, 8, 15, 0, 0, 0, time.UTC), Zone: time.UTC, Trigger: TriggerStart, Lead: Lead{FirstName: &name, PhoneNumber: &phone}, Company: "Acme Lending",
		Portal: "https://acme.example/portal/key", Spoken: English, Agent: Agent{AgentConfig: AgentConfig{Name: "Ava", Channels: []Channel{ChannelSMS}}},
		Workflow: Workflow{WorkflowConfig: WorkflowConfig{Type: WorkflowChecklist}}, Channels: map[Channel]ChannelConfig{ChannelSMS: {Provider: "log"}},
		Checklist: Checklist{Groups: []ChecklistGroup{{Entries: []ChecklistEntry{required("A", "Bank statement", ItemInvalid, "The page is blank"),
			required("B", "Legal business name", ItemTodo, ""), required("C", "Tax return", ItemCompleted, "")}}}}}
}

// What calls for a person, by rule or by a model's reading; the four rules stand first.
func TestSituation_escalates(t *testing.T) {
	sure := func(intent Intent) *Reading { return &Reading{Intent: intent, Sure: true} }
	for _, test := range []struct {
		said    string
		reading *Reading
		want    string
	}{
		{"Can I talk to a real person?", nil, "Asks for a person"},
		{"Quiero hablar con alguien", nil, "Asks for a person"},
		{"This is ridiculous, I will complain", nil, "Complaint"},
		{"Can I get a lower interest rate?", nil, "Question the agent cannot answer"},
		{"Can I get a lower interest rate?", &Reading{Intent: IntentMissing}, "Message the agent is not sure about"},
		{"Ugh, not you again", sure(IntentComplain), "Complaint"},
		{"Is anybody home over there", sure(IntentPerson), "Asks for a person"},
		{"We have chosen a competitor", sure(IntentDecline), "Says they are not interested"},
		{"I am not interested", nil, "Says they are not interested"},
		{"Any idea how I get the papers to you?", sure(IntentWhere), ""},
		{"The thing came back, how come?", sure(IntentWhy), ""},
		{"Thanks!", nil, ""},
	} {
		t.Run(test.said, func(t *testing.T) {
			s := asked()
			from := "+12125550123"
			s.Trigger, s.Question, s.Reading = TriggerReply, &Message{Channel: "sms", From: &from, Body: test.said}, test.reading
			if got := s.Decide().Escalate; got != test.want {
				t.Errorf("escalates %q, want %q", got, test.want)
			}
		})
	}
}
