package workspacefile

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse_demo_workspace_round_trip(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	config, err := Parse("workspace.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	written, err := Write(config)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("written.yaml", written)
	if err != nil {
		t.Fatalf("what Write wrote cannot be read: %v\n%s", err, written)
	}
	if diff := cmp.Diff(config, again); diff != "" {
		t.Errorf("the file changed on its way through Write (-want +got):\n%s", diff)
	}
}

func TestParse_faults_name_file_and_line(t *testing.T) {
	t.Parallel()
	const head = "version: 1\nworkspace: acme\nname: Acme\n"
	tests := []struct{ name, yaml, want string }{
		{"unknown key", head + "chanels: {}\n", "w.yaml:4: "},
		{"living expenses", head + "spreads: {livingExpenses: -5}\n", "spreads.livingExpenses must be an amount a year"},
		{"not YAML", head + "agents: [\n", "w.yaml:"},
		{"wrong version", "version: 2\nworkspace: acme\nname: Acme\n", "w.yaml:1: version must be 1"},
		{"bad zone", head + "timezone: Mars/Olympus\n", "w.yaml:4: timezone must be an IANA zone"},
		{"code used twice across groups", head + `checklist:
  groups:
    - key: a
      name: A
      items:
        - {code: EIN, label: EIN, fieldType: EIN}
    - key: b
      name: B
      items:
        - {code: EIN, label: EIN, fieldType: EIN}
`, "w.yaml:13: code EIN is already used"},
		{"config that does not fit", head + `checklist:
  items:
    - {code: S, label: S, fieldType: SELECT, config: {option: [a]}}
`, `w.yaml:6: config of SELECT has no "option"`},
		{"a limit that is not positive", head + "limits:\n  webhooks: 0\n", "w.yaml:5: limits.webhooks must be positive"},
		{"a size that is none", head + "limits:\n  documentBytes: 2GB\n", "w.yaml:5: "},
		{"a template beyond the limit", head + "limits: {checklistItems: 1}\nchecklist:\n  items:\n    - {code: A, label: A, fieldType: TEXT}\n    - {code: B, label: B, fieldType: TEXT}\n",
			"w.yaml:6: the template has 2 items, limits.checklistItems is 1"},
		{"step that is no pipeline", head + "pipelines:\n  - {id: intake, steps: [extract-documents]}\n", "w.yaml:5: a step is one of"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("w.yaml", []byte(test.yaml))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Parse = %v, want an error with %q", err, test.want)
			}
		})
	}
}

// What a household lives on is in the file, and stays in it.
func TestParse_living_expenses(t *testing.T) {
	t.Parallel()
	config, err := Parse("w.yaml", []byte("version: 1\nworkspace: acme\nname: Acme\nspreads: {livingExpenses: 48000}\n"))
	if err != nil || config.Spreads.LivingExpenses != 48000 {
		t.Fatal(config.Spreads, err)
	}
	written, err := Write(config)
	if err != nil || !strings.Contains(string(written), "livingExpenses: 48000") {
		t.Errorf("%s %v", written, err)
	}
}
