package workers

import (
	"errors"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
)

// A worker that would read documents without a sandbox does not start and says what is missing, unless somebody wrote down
// that it may; one that reads none does not care.
func TestRefusal(t *testing.T) {
	missing := errors.New("no landlock")
	tests := []struct {
		name    string
		missing error
		environ []string
		lanes   []jobs.Lane
		refused bool
	}{
		{"all is there", nil, nil, nil, false},
		{"all lanes", missing, nil, nil, true},
		{"required", missing, []string{"DOSSIER_PARSER_SANDBOX=required"}, nil, true},
		{"off", missing, []string{"DOSSIER_PARSER_SANDBOX=off"}, nil, false},
		{"the document lane", missing, nil, []jobs.Lane{jobs.LaneWebhook, jobs.LaneDocument}, true},
		{"no lane that reads", missing, nil, []jobs.Lane{jobs.LaneWebhook, jobs.LaneExport}, false},
	}
	for _, test := range tests {
		cfg, err := setup.Read(test.environ)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Lanes = test.lanes
		err = refusal(test.missing, cfg)
		if (err != nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		}
		if err != nil && (!errors.Is(err, missing) || !strings.Contains(err.Error(), "DOSSIER_PARSER_SANDBOX=off")) {
			t.Errorf("%s: %q does not say what is missing and what to do", test.name, err)
		}
	}
	if _, err := setup.Read([]string{"DOSSIER_PARSER_SANDBOX=maybe"}); err == nil || !strings.Contains(err.Error(), "required or off") {
		t.Errorf("any word is taken: %v", err)
	}
}
