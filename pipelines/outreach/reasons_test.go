package outreach

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// A message in Spanish says why in Spanish; what nobody has words for it does not quote.
func TestSituation_reasons_in_Spanish(t *testing.T) {
	say := dossier.NewReason
	for _, test := range []struct {
		reason dossier.Reason
		want   string
	}{
		{say("value_ein"), "Debe ser un EIN de nueve dígitos, como 12-3456789"},
		{say("value_option", "options", []string{"LLC", "S-Corp"}), "Debe ser una de estas opciones: LLC, S-Corp"},
		{say("value_min", "min", "1000"), "Debe ser al menos 1,000"},
		{say("value_address_gap", "key", "city"), "La dirección no está completa"},
		{say("unreadable", "document", "scan.pdf", "failure", "encrypted"),
			"scan.pdf: está protegido con contraseña; envíelo sin ella"},
		{say("refused_by_person", "document", "scan.pdf"), "scan.pdf: no lo aceptó la persona que lo revisó"},
		{say("refused_by_person"), "El documento: no lo aceptó la persona que lo revisó"},
		{say("months_covered", "have", 2, "wanted", 3, "from", "2024-01-01", "to", "2024-02-29"),
			"2 de 3 meses: tenemos del 1 de enero de 2024 al 29 de febrero de 2024"},
		{say("months_old", "have", 0, "wanted", 3, "latest", "2023-06-30", "grace", 60, "today", "2024-03-20"),
			"0 de 3 meses: el último estado de cuenta termina el 30 de junio de 2023, hace más de 60 días"},
		{say("years_apart", "have", 1, "wanted", 2, "years", []int{2021, 2023}),
			"1 de 2 años fiscales: tenemos 2021, 2023; los años deben ser seguidos"},
		{say("kind_other", "docType", "pay_stub", "wanted", "bank_statement", "file", "may.pdf"),
			"may.pdf: no es el tipo de documento que pedimos"},
		{say("account_differs", "account", nil, "sum", "1 + 2", "total", "3", "closing", "4", "file", "may.pdf"),
			"may.pdf: los saldos no cuadran"},
		{say("expiry_date", "date", "2020-01-31", "today", "2020-02-20", "file", "id.jpg"),
			"id.jpg: la fecha de vencimiento es el 31 de enero de 2020"},
		{say("name_other", "caption", "account_holder", "printed", "PAT QUILL", "known", []string{"Ann Lee", "Lee LLC"},
			"file", "may.pdf"), `may.pdf: aparece "PAT QUILL", no "Ann Lee" o "Lee LLC"`},
		{say("earlier", "text", "may.pdf: The elephants are purple."), "no cumple con lo que se pide"},
		{say("kind_is", "docType", "pay_stub", "also", []dossier.Reason{say("page_missing", "detail", "page 2 of 3")}),
			"no cumple con lo que se pide"},
	} {
		s := asked()
		s.Default = dossier.Spanish
		s.Checklist.Groups[0].Entries[0].Reasons = []dossier.Reason{test.reason}
		body := Decide(s).Draft.Body
		if !strings.Contains(body, "("+test.want+")") || strings.Contains(body, " is ") {
			t.Errorf("%s\n  is said: %s\n  want:    %s", test.reason.In(dossier.English), body, test.want)
		}
	}
}

// A reminder has nothing left to do when its schedule says so.
func TestSituation_reminders_stop(t *testing.T) {
	completed := dossier.LeadCompleted
	for name, test := range map[string]struct {
		change func(*dossier.Situation)
		stops  []string
		want   dossier.StepKind
	}{
		"nothing happened":                   {func(*dossier.Situation) {}, []string{"reply", "lead_completed", "checklist_complete"}, dossier.StepWrite},
		"the lead replied":                   {func(s *dossier.Situation) { s.Replied = true }, []string{"reply"}, dossier.StepComplete},
		"the lead replied, not a stop":       {func(s *dossier.Situation) { s.Replied = true }, nil, dossier.StepWrite},
		"the lead is completed":              {func(s *dossier.Situation) { s.Lead.ClosingStatus = &completed }, []string{"lead_completed"}, dossier.StepComplete},
		"the lead is completed, no stop":     {func(s *dossier.Situation) { s.Lead.ClosingStatus = &completed }, nil, dossier.StepSilent},
		"the cap is reached":                 {func(s *dossier.Situation) { s.FollowUps = 3 }, nil, dossier.StepComplete},
		"one below the cap":                  {func(s *dossier.Situation) { s.FollowUps = 2 }, nil, dossier.StepWrite},
		"the checklist is complete":          {func(s *dossier.Situation) { s.Checklist.Groups = nil }, []string{"checklist_complete"}, dossier.StepComplete},
		"the checklist is complete, no stop": {func(s *dossier.Situation) { s.Checklist.Groups = nil }, nil, dossier.StepWrite},
	} {
		s := asked()
		s.Trigger = dossier.TriggerReminder
		s.Workflow = dossier.Workflow{WorkflowConfig: dossier.WorkflowConfig{Type: dossier.WorkflowReminder, Message: "Hi {{firstName}}", Schedule: &dossier.ReminderSchedule{Max: 3, StopWhen: test.stops}}}
		test.change(&s)
		if got := Decide(s); got.Kind != test.want {
			t.Errorf("%s: %s (%s), want %s", name, got.Kind, got.Reason, test.want)
		}
	}
}
