package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
)

func TestStart_again_keeps_key_and_data(t *testing.T) {
	data := daemontest.Dir(t)
	first, err := start(t.Context(), options{addr: "127.0.0.1:0", data: data}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	lead, err := first.demoLead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key, testKey := first.key, first.testKey
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	// On the same embedded data, also when the other tests run on real services.
	second, err := start(t.Context(), options{addr: "127.0.0.1:0", data: data, seed: 3}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := second.stop(); err != nil {
			t.Error(err)
		}
	}()
	if second.key != key || second.testKey != testKey {
		t.Error("the second start made another API key")
	}
	var answer struct {
		Lead struct {
			ID string `json:"id"`
		} `json:"lead"`
	}
	if err := second.get(t.Context(), "/api/v1/leads/"+lead, &answer); err != nil || answer.Lead.ID != lead {
		t.Errorf("lead after the second start = %q, %v; want %s", answer.Lead.ID, err, lead)
	}
	var leads []struct{ ID string }
	if err := second.get(t.Context(), "/api/v1/leads", &leads); err != nil || len(leads) != 4 {
		t.Errorf("%d leads, %v; want the first and three made-up ones", len(leads), err)
	}
	env, err := os.ReadFile(filepath.Join(data, "dev.env"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"DOSSIER_URL", "DOSSIER_PIPELINE_URL", "DOSSIER_API_KEY", "DOSSIER_TEST_API_KEY", "DOSSIER_OPS_URL", "DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "DOSSIER_SECRET_KEY"} {
		if !strings.Contains(string(env), "\n"+name+"='") && !strings.HasPrefix(string(env), name+"='") {
			t.Errorf("dev.env does not set %s", name)
		}
	}
}

func TestStart_empty(t *testing.T) {
	s := startStack(t, options{empty: true})
	env, err := os.ReadFile(filepath.Join(s.cfg.Data, "dev.env"))
	if err != nil || strings.Contains(string(env), "DOSSIER_API_KEY") {
		t.Errorf("dev.env of --empty = %q, %v; want no API key", env, err)
	}
	if all, err := s.services.DB.ListWorkspaces(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%d workspaces, %v; want none", len(all), err)
	}
}

func TestRun_refuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	var out bytes.Buffer
	err = run(t.Context(), []string{"--addr", taken.Addr().String(), "--data", t.TempDir()}, &out)
	if err == nil || !strings.Contains(err.Error(), "choose another address with --addr") || strings.Contains(err.Error(), "\n") {
		t.Errorf("a taken port = %v, want one line with the fix", err)
	}
	if out.Len() > 0 {
		t.Errorf("services were started before the port was tried:\n%s", &out)
	}
	for _, args := range [][]string{{"--no-such-flag"}, {"extra"}, {"--empty", "--seed", "3"}, {"--seed", "-1"}} {
		if err := run(t.Context(), args, &out); err != errUsage {
			t.Errorf("run(%q) = %v, want a usage error", args, err)
		}
	}
}

// TestDemo runs what `make demo ONCE=1` runs.
// With a scripted model the demonstration also tells what the rules left open and the model gave, with its words on the page.
func TestDemo(t *testing.T) {
	s := startEmbedded(t, options{model: "scripted"})
	var out bytes.Buffer
	if err := s.demonstrate(t.Context(), &out, ""); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if err := s.demonstrateModel(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{"/closingBalance    by the model", `printed on page 1 as "15,035.76"`, "it is a bank_statement", "dropped 0", "document.received", "document.extracted", "document.validated", "checklist_item.completed BANK_STATEMENTS",
		`checklist item "Last 3 months of business bank statements" is COMPLETED`, `"status": "COMPLETE"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demonstration does not tell %q:\n%s", want, &out)
		}
	}
}
