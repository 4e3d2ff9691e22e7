package outreach

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"

	"github.com/google/go-cmp/cmp"
)

var updateWords = flag.Bool("update", false, "write testdata/words.txt")

// wordsLink is as long as a real one.
const wordsLink = "https://portal.acme.example/portal/0123456789012345678901234567890123456789abc"

// wordsSituation is a lead in the middle of its checklist.
func wordsSituation(trigger dossier.Trigger, question string) dossier.Situation {
	name, zone := "Ann", time.UTC
	item := func(code, label string, fieldType dossier.FieldType, status dossier.ItemStatus, help string, reasons ...dossier.Reason) dossier.ChecklistEntry {
		e := dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: code, Label: label, FieldType: fieldType, IsRequired: true}, Status: status, Visible: true,
			Reasons: reasons}
		if help != "" {
			e.Item.HelpText = &help
		}
		return e
	}
	agreement := item("PARTNER_AGREEMENT", "Operating or partnership agreement", dossier.FieldFile, dossier.ItemTodo, "The signed agreement with all amendments")
	offer, hint := "Offer to explain what an operating agreement is. Ofrezca explicar qué es un acuerdo operativo.", "Every page of it, with the signatures."
	agreement.Item.AgentInstructions, agreement.Item.ClientInstructions = &offer, &hint
	s := dossier.Situation{Now: time.Date(2026, 3, 2, 15, 0, 0, 0, zone), Zone: zone, Trigger: trigger, Lead: dossier.Lead{FirstName: &name}, Company: "Acme Lending", Portal: wordsLink,
		Agent: dossier.Agent{AgentConfig: dossier.AgentConfig{Name: "Ava"}}, Workflow: dossier.Workflow{WorkflowConfig: dossier.WorkflowConfig{Type: dossier.WorkflowChecklist, FollowUps: &dossier.FollowUps{Max: 3}}}, Written: 1,
		Checklist: dossier.Checklist{Groups: []dossier.ChecklistGroup{{Entries: []dossier.ChecklistEntry{
			item("LEGAL_NAME", "Legal business name", dossier.FieldText, dossier.ItemCompleted, ""),
			item("EIN", "Employer identification number", dossier.FieldEIN, dossier.ItemTodo, ""),
			item("BANK_STATEMENTS", "Last 3 months of business bank statements", dossier.FieldBankStatement, dossier.ItemInvalid, "All pages, as PDF from your bank if you can", dossier.NewReason("months_covered", "have", 2, "wanted", 3, "from", "2025-12-01", "to", "2026-01-31")), agreement}}}}}
	if question != "" {
		s.Question = &dossier.Message{Body: question}
	}
	return s
}

// Two dozen situations and what an agent says in them on each channel, in testdata/words.txt, to be read as the lead reads
// them. -update writes the file anew.
func TestWords(t *testing.T) {
	var out strings.Builder
	for _, test := range []struct {
		name   string
		s      dossier.Situation
		change func(*dossier.Situation)
	}{
		{"the first message", wordsSituation(dossier.TriggerStart, ""), func(s *dossier.Situation) { s.Written = 0 }},
		{"without a name or a page", wordsSituation(dossier.TriggerStart, ""), func(s *dossier.Situation) { s.Written, s.Lead.FirstName, s.Portal = 0, nil, "" }},
		{"a follow-up", wordsSituation(dossier.TriggerFollowUp, ""), nil},
		{"the next follow-up", wordsSituation(dossier.TriggerFollowUp, ""), func(s *dossier.Situation) { s.FollowUps = 1 }},
		{"the last follow-up", wordsSituation(dossier.TriggerFollowUp, ""), func(s *dossier.Situation) { s.FollowUps = 2 }},
		{"one thing left, with instructions", wordsSituation(dossier.TriggerFollowUp, ""), func(s *dossier.Situation) {
			s.Checklist.Groups[0].Entries[1].Status, s.Checklist.Groups[0].Entries[2].Status = dossier.ItemCompleted, dossier.ItemCompleted
		}},
		{"a refused document", wordsSituation(dossier.TriggerRefused, ""), nil},
		{"a reminder without words of its own", wordsSituation(dossier.TriggerReminder, ""), func(s *dossier.Situation) { s.Workflow.Type = dossier.WorkflowReminder }},
		{"What is missing?", wordsSituation(dossier.TriggerReply, "What is missing?"), nil},
		{"What is missing, of much?", wordsSituation(dossier.TriggerReply, "What do you need from me exactly?"), func(s *dossier.Situation) {
			for _, label := range []string{"Entity type", "Amount requested", "Purpose of the loan", "Home address", "Date of birth", "Driver's license of the owner"} {
				s.Checklist.Groups[0].Entries = append(s.Checklist.Groups[0].Entries, dossier.ChecklistEntry{Item: dossier.ChecklistItem{Label: label, FieldType: dossier.FieldText, IsRequired: true}, Status: dossier.ItemTodo, Visible: true})
			}
		}},
		{"Why was it rejected?", wordsSituation(dossier.TriggerReply, "Why was it rejected?"), nil},
		{"Where do I send it?", wordsSituation(dossier.TriggerReply, "Where do I send it?"), nil},
		{"What is an operating agreement?", wordsSituation(dossier.TriggerReply, "What is an operating agreement?"), nil},
		{"Did you get my bank statements?", wordsSituation(dossier.TriggerReply, "Did you get my bank statements?"), nil},
		{"Did you receive the legal name?", wordsSituation(dossier.TriggerReply, "Did you receive the legal name?"), nil},
		{"I will send it tomorrow", wordsSituation(dossier.TriggerReply, "I will send it tomorrow"), nil},
		{"Our EIN is 12-3456789", wordsSituation(dossier.TriggerReply, "Our EIN is 12-3456789"), func(s *dossier.Situation) {
			ein := &s.Checklist.Groups[0].Entries[1]
			ein.Status, ein.Source, ein.Value = dossier.ItemCompleted, dossier.SourceAgent, []byte(`"12-3456789"`)
		}},
		{"two files", wordsSituation(dossier.TriggerReply, ""), func(s *dossier.Situation) { s.Question = &dossier.Message{DocumentIDs: []dossier.DocumentID{"a", "b"}} }},
		{"a file that nobody can open", wordsSituation(dossier.TriggerReply, ""), func(s *dossier.Situation) {
			s.Question, s.Refused = &dossier.Message{DocumentIDs: []dossier.DocumentID{"a", "b"}}, []dossier.RefusedFile{{Name: "statements.zip", Why: dossier.RefusedType}}
		}},
		{"files that are too large", wordsSituation(dossier.TriggerReply, ""), func(s *dossier.Situation) {
			s.Question, s.Refused = &dossier.Message{}, []dossier.RefusedFile{{Name: "scan.pdf", Why: dossier.RefusedSize}}
		}},
		{"files beyond the limit", wordsSituation(dossier.TriggerReply, ""), func(s *dossier.Situation) {
			s.Question, s.Refused = &dossier.Message{}, []dossier.RefusedFile{{Name: "scan.pdf", Why: dossier.RefusedLimit}}
		}},
		{"What is an EIN?", wordsSituation(dossier.TriggerReply, "What is an EIN?"), nil},
		{"Can I talk to a person?", wordsSituation(dossier.TriggerReply, "Can I talk to a person?"), nil},
		{"This is unacceptable", wordsSituation(dossier.TriggerReply, "This is unacceptable"), nil},
		{"Can I get a lower rate?", wordsSituation(dossier.TriggerReply, "Can I get a lower rate?"), nil},
		{"We moved last week", wordsSituation(dossier.TriggerReply, "We moved last week"), nil},
	} {
		if test.change != nil {
			test.change(&test.s)
		}
		for _, language := range []dossier.Language{dossier.English, dossier.Spanish} {
			test.s.Lead.Tags = []string{string(language)}
			fmt.Fprintf(&out, "=== %s (%s)\n", test.name, language)
			for _, channel := range dossier.Channels {
				step := newSituation(test.s).message(channel)
				fmt.Fprintf(&out, "--- %s: %s\n", channel, step.Reason)
				if step.Draft == nil {
					t.Errorf("%s: nothing is said", test.name)
					continue
				}
				if n := len([]rune(step.Draft.Body)); n > maxBody[channel] {
					t.Errorf("%s: %d characters on %s", test.name, n, channel)
				}
				if strings.ContainsAny(step.Draft.Body, "{}") || strings.Contains(step.Draft.Body, "..") {
					t.Errorf("%s: not filled in: %s", test.name, step.Draft.Body)
				}
				if n := segments(step.Draft.Body); channel == dossier.ChannelSMS && n > 3 {
					t.Errorf("%s: a text of %d segments: %s", test.name, n, step.Draft.Body)
				}
				out.WriteString(strings.ReplaceAll(step.Draft.Body, wordsLink, "LINK") + "\n")
			}
			out.WriteString("\n")
		}
	}
	if *updateWords {
		if err := os.WriteFile("testdata/words.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("the words (-want +got):\n%s", diff)
	}
}

// textAlphabet is what texts are made of at seven bits a sign (GSM 03.38), without the signs that count twice.
const textAlphabet = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

// segments is how many text messages a body is sent and paid as.
func segments(body string) int {
	runes, alone, joined := []rune(body), 160, 153
	if strings.ContainsFunc(body, func(r rune) bool { return !strings.ContainsRune(textAlphabet, r) }) {
		alone, joined = 70, 67
	}
	if len(runes) <= alone {
		return 1
	}
	return (len(runes) + joined - 1) / joined
}

// Values are taken from free text only where it is clear which item they are for.
func TestValuesIn(t *testing.T) {
	item := func(code, label string, fieldType dossier.FieldType, options ...string) dossier.ChecklistEntry {
		return dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: code, Label: label, FieldType: fieldType, Config: dossier.ItemConfig{Options: options}}, Status: dossier.ItemTodo, Visible: true}
	}
	c := dossier.Checklist{Groups: []dossier.ChecklistGroup{{Entries: []dossier.ChecklistEntry{item("EIN", "Employer identification number", dossier.FieldEIN), item("OWNER_SSN", "Owner's SSN", dossier.FieldSSN),
		item("CPA_EMAIL", "Accountant's email", dossier.FieldEmail), item("CPA_PHONE", "Accountant's phone", dossier.FieldPhone), item("FOUNDED", "Date the business was founded", dossier.FieldDate),
		item("REQUESTED_AMOUNT", "Amount requested", dossier.FieldNumber), item("ENTITY_TYPE", "Entity type", dossier.FieldSelect, "LLC", "S-Corp", "Sole proprietor"),
		item("LEGAL_NAME", "Legal business name", dossier.FieldText), item("ADDRESS", "Business address", dossier.FieldAddress)}}}}
	for said, want := range map[string]string{
		"Our EIN is 12-3456789":                            `EIN="12-3456789"`,
		"12-3456789 or maybe 98-7654321":                   "",
		"My SSN is 123-45-6789":                            `OWNER_SSN="123-45-6789"`,
		"The accountant's email is joe@cpa.example":        `CPA_EMAIL="joe@cpa.example"`,
		"joe@cpa.example":                                  `CPA_EMAIL="joe@cpa.example"`,
		"Thanks, Ann\nann@bakery.example":                  "",
		"You can call my accountant, phone (212) 555-0100": `CPA_PHONE="(212) 555-0100"`,
		"Call me at 212-555-0100":                          "",
		"We founded it on June 1, 2015":                    `FOUNDED="2015-06-01"`,
		"Founded 6/1/2015.":                                `FOUNDED="2015-06-01"`,
		"I was away on 2015-06-01":                         "",
		"We need $250k":                                    `REQUESTED_AMOUNT="250000"`,
		"The amount we request is $1,250,000.50":           `REQUESTED_AMOUNT="1250000.5"`,
		"Our rent is $4,000":                               "",
		"We are an LLC":                                    `ENTITY_TYPE="LLC"`,
		"Can an LLC apply?":                                "",
		"LLC or S-Corp, I am not sure":                     "",
		"Legal business name is Sample Bakery LLC":         `LEGAL_NAME="Sample Bakery LLC"`,
		"We are at 1 Main Street, New York, NY 10001":      `ADDRESS={"city":"New York","postalCode":"10001","state":"NY","street":"1 Main Street"}`,
		"ok\n> Our EIN is 12-3456789":                      "",
	} {
		var got []string
		for _, u := range ValuesIn(&c, said, "US") {
			got = append(got, u.Code+"="+string(u.Value))
		}
		if have := strings.Join(got, " "); have != want {
			t.Errorf("%q gives %s, want %s", said, have, want)
		}
	}
	if got := dossier.MaskSecrets("My SSN is 123-45-6789."); got != "My SSN is ***-**-6789." {
		t.Errorf("kept as %q", got)
	}
}
