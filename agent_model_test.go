package dossier

import (
	"strings"
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

// A model's words go out only where they say what the rules' message says, and nothing else.
func TestSituation_Unfit(t *testing.T) {
	s := asked()
	draft := s.HideLink(s.Decide().Draft.Body)
	if !strings.Contains(draft, LinkMark) || strings.Contains(draft, "portal/key") {
		t.Fatalf("the draft shows the key: %s", draft)
	}
	good := "Hi Ann, I'm Ava from Acme Lending, nice to meet you! For your file we are still missing two small things: Bank statement (The page is blank); Legal business name. " +
		"Everything can go here: {{link}} Reply STOP to opt out."
	with := func(old, other string) string { return strings.Replace(good, old, other, 1) }
	for _, test := range []struct{ name, words, want string }{
		{"the same in other words", good, ""},
		{"the rules' own words", draft, ""},
		{"too long", good + strings.Repeat(" and so on", 40), "longer than the channel takes"},
		{"nothing", "Hi!", "says too little"},
		{"turned around", with("nice", "nice\u202e"), "has characters that nobody sees"},
		{"no link", with("{{link}}", "our page"), "has another number of links"},
		{"link of its own", with("nice to meet you", "see acme-docs.com"), "links elsewhere"},
		{"link without a name", with("nice to meet you", "see http://10.0.0.1/x"), "links elsewhere"},
		{"address", with("nice to meet you", "write to me@acme"), "links elsewhere"},
		{"markup", with("Legal business name", "**Legal business name**"), "has markup"},
		{"script", with("nice", "<script>nice"), "has markup"},
		{"speaks of itself", with("I'm Ava", "I'm Ava, an AI assistant"), "speaks of itself"},
		{"figure", with("two small things", "2 small things"), "has a figure that the record does not give"},
		{"phone number", with("nice to meet you", "call 212-555-0199"), "has a figure that the record does not give"},
		{"approval", with("nice to meet you", "you are approved"), "promises or presses"},
		{"rate", with("nice to meet you", "with a low interest rate"), "promises or presses"},
		{"call", with("nice to meet you", "we will call"), "promises or presses"},
		{"deadline", with("nice to meet you", "please answer by tomorrow"), "promises or presses"},
		{"threat", with("nice to meet you", "or there is a penalty"), "promises or presses"},
		{"another company", with("nice to meet you", "partner of Chase"), "names what the record does not give"},
		{"item left out", with("; Legal business name", ""), "leaves out an item"},
		{"reason left out", with(" (The page is blank)", ""), "leaves out a reason"},
		{"way out left out", with(" Reply STOP to opt out.", ""), "leaves out who writes, or the way out"},
		{"item that is done", with("Legal business name", "Legal business name; tax return"), "asks for something else"},
		{"Spanish", "Hola Ann, Ava de Acme Lending. Para su expediente nos faltan los documentos: Bank statement (The page is blank); Legal business name. Puede enviar todo: {{link}} Reply STOP to opt out.", "is in another language"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := s.Unfit(ChannelSMS, draft, test.words); got != test.want {
				t.Errorf("unfit because it %q, want %q", got, test.want)
			}
		})
	}
}

// Words are used only for the message they were made for.
func TestAdvice_Reword(t *testing.T) {
	s := asked()
	step := s.Decide()
	body := step.Draft.Body
	Advice{For: "another message", Words: "Hello"}.Reword(&step)
	if step.Draft.Body != body {
		t.Errorf("reworded to %q", step.Draft.Body)
	}
	Advice{For: body, Words: "Hello"}.Reword(&step)
	if step.Draft.Body != "Hello" {
		t.Errorf("not reworded: %q", step.Draft.Body)
	}
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
