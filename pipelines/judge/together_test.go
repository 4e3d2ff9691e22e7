package judge

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// What documents meet together is asked of all of them when one comes or goes. Time that goes by breaks nothing, and no
// other rule is asked again.
func TestOn_together(t *testing.T) {
	item := dossier.FileItem{FieldType: dossier.FieldBankStatement,
		Rules: []string{"Covers the last 3 months", "The moon is in the seventh house"}}
	spans := map[string][2]string{"december": {"2023-12-01", "2023-12-31"}, "january": {"2024-01-01", "2024-01-31"},
		"february": {"2024-02-01", "2024-02-29"}, "march": {"2024-03-01", "2024-03-31"}, "june": {"2024-06-01", "2024-06-30"}}
	for name, tt := range map[string]struct {
		names, judged string // what serves the item, + valid so far; when it was judged
		today         string
		want          string
	}{
		"one more completes them":        {"december january february", "2024-03-01", "2024-03-02", "december+ february+ january+"},
		"two do not":                     {"december january", "2024-02-05", "2024-02-06", ""},
		"one goes":                       {"december+ february+", "2024-03-01", "2024-03-02", "december february"},
		"time goes by":                   {"december+ january+ february+", "2024-03-01", "2024-09-01", ""},
		"a later one comes":              {"december+ january+ february+ march", "2024-03-01", "2024-04-02", "march+"},
		"one comes when they are old":    {"december+ january+ february+ june", "2024-03-01", "2024-07-02", ""},
		"nothing to say":                 {"december+ january+ february+", "2024-03-01", "2024-03-01", ""},
		"one alone is judged as it is":   {"february+", "2024-03-01", "2024-03-01", "february"},
		"what was told before is not so": {"january+ march+", "2024-04-01", "2024-04-01", "january march"},
	} {
		day, err := time.Parse(time.DateOnly, tt.judged)
		if err != nil {
			t.Fatal(err)
		}
		var files []dossier.JudgedFile
		was := map[dossier.DocumentID]bool{}
		for _, of := range strings.Fields(tt.names) {
			id, valid := strings.CutSuffix(of, "+")
			was[dossier.DocumentID(id)] = valid
			span := spans[id]
			read := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.PeriodStart, d.Facts.Bank.PeriodEnd = &span[0], &span[1] })
			files = append(files, dossier.JudgedFile{ReadFile: dossier.ReadFile{ID: dossier.DocumentID(id),
				Extraction: &dossier.Extraction{Documents: []dossier.ReadDocument{read}}}, JudgedAt: &day,
				Result: &dossier.ValidationResult{OverallValid: valid, Results: []dossier.RuleResult{{RuleName: item.Rules[0], IsValid: valid},
					{RuleName: item.Rules[1], IsValid: true, Reason: dossier.NewReason("model_judged")}}}})
		}
		anew := NewJudge(testDay(t, tt.today)).Together(item, dossier.Party{}, files)
		var got []string
		for _, id := range slices.Sorted(maps.Keys(anew)) {
			result := anew[id]
			if len(result.Results) != 2 || !result.Results[1].IsValid || result.Results[1].Code != "model_judged" {
				t.Errorf("%s: another rule was asked again: %+v", name, result)
			}
			if result.OverallValid != was[id] {
				got = append(got, string(id)+map[bool]string{true: "+"}[result.OverallValid])
			}
		}
		if said := strings.Join(got, " "); said != tt.want {
			t.Errorf("%s: %q, want %q", name, said, tt.want)
		}
	}
	if judge := NewJudge(0); judge.AsksTogether(dossier.FileItem{Rules: []string{"The license is not expired"}}) || !judge.AsksTogether(dossier.FileItem{
		Rules: []string{"The license is not expired", "Covers the last 3 months and the balances reconcile"}}) {
		t.Error("which rules ask of several documents is not known")
	}
}
