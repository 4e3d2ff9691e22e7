package outreach

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// A message in Spanish says why in Spanish; what nobody has words for it does not quote.
func TestSituation_reasons_in_Spanish(t *testing.T) {
	for _, test := range []struct{ reason, want string }{
		{"The page is blank", "la página está en blanco"},
		{"Must be an EIN of nine digits, such as 12-3456789", "Debe ser un EIN de nueve dígitos, como 12-3456789"},
		{"Must be one of: LLC, S-Corp", "Debe ser una de estas opciones: LLC, S-Corp"},
		{"Must be at least 1000", "Debe ser al menos 1000"},
		{"The address needs a city", "La dirección no está completa"},
		{"scan.pdf could not be read: it is protected by a password; send it without one.", "scan.pdf: está protegido con contraseña; envíelo sin ella"},
		{"scan.pdf was refused by a person.", "scan.pdf: no lo aceptó la persona que lo revisó"},
		{"The document was refused by a person.", "El documento: no lo aceptó la persona que lo revisó"},
		{"2 of 3 months: 2024-01-01 to 2024-02-29 is covered.", "2 de 3 meses: tenemos del 1 de enero de 2024 al 29 de febrero de 2024"},
		{"0 of 3 months: the latest statement ends on 2023-06-30, more than 60 days before 2024-03-20.", "0 de 3 meses: el último estado de cuenta termina el 30 de junio de 2023, hace más de 60 días"},
		{"1 of 2 tax years: there is 2021, 2023; the years must follow each other.", "1 de 2 años: tenemos 2021, 2023; los años deben ser seguidos"},
		{"may.pdf: this is a pay stub, not a bank statement", "may.pdf: no es el tipo de documento que pedimos"},
		{"may.pdf: The statement does not reconcile: 1 + 2 = 3, but 4 is printed.", "may.pdf: los saldos no cuadran"},
		{"id.jpg: The expiry date is 2020-01-31, 20 days before 2020-02-20.", "id.jpg: la fecha de vencimiento es el 31 de enero de 2020"},
		{`may.pdf: The account holder is "PAT QUILL", not "Ann Lee" or "Lee LLC".`, `may.pdf: aparece "PAT QUILL", no "Ann Lee" o "Lee LLC"`},
		{"may.pdf: The elephants are purple.", "no cumple lo que se pide"},
	} {
		s := asked()
		s.Default = dossier.Spanish
		s.Checklist.Groups[0].Entries[0].ValidationError = &test.reason
		body := Decide(s).Draft.Body
		if !strings.Contains(body, "("+test.want+")") || strings.Contains(body, " is ") {
			t.Errorf("%s\n  is said: %s\n  want:    %s", test.reason, body, test.want)
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
