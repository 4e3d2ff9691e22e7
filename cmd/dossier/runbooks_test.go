package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs/admin"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	inlineCall = regexp.MustCompile("`dossier ([^`]+)`")
	parts      = []string{"# ", "## What it means", "## Is it real", "```promql\n", "## What to do", "```sh\n",
		"## What not to do", "## How it ends"}
)

// TestRunbooks runs every command that a runbook shows in a block against an installation, and holds those it names in
// its words to the command line.
func TestRunbooks(t *testing.T) {
	t.Parallel()
	books, err := filepath.Glob("../../deploy/runbooks/*.md")
	if err != nil || len(books) < 20 {
		t.Fatalf("%d runbooks: %v", len(books), err)
	}
	var commands []string
	for _, path := range books {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, part := range parts {
			next := strings.Index(string(text[at:]), part)
			if next < 0 {
				t.Errorf("%s has no %q where it should be", path, strings.TrimSpace(part))
				break
			}
			at += next
		}
		for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
			commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
		}
		for _, named := range inlineCall.FindAllStringSubmatch(string(text), -1) {
			if err := parses(t, strings.Fields(named[1])); err != nil {
				t.Errorf("%s names `dossier %s`: %v", path, named[1], err)
			}
		}
	}
	runEach(t, commands)
}

// parses has the command line read, and nothing done.
func parses(t *testing.T, args []string) error {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, kong.Name("dossier"), helpTexts, kong.ExplicitGroups(groups))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return err
}

func runEach(t *testing.T, commands []string) {
	t.Helper()
	o, _, _ := healthy(t)
	o.environ = append(o.environ, "DATABASE_MIGRATE_URL="+o.URL)
	ops := httptest.NewServer(admin.Handler(admin.Config{Metrics: prometheus.NewRegistry()}))
	t.Cleanup(ops.Close)
	slices.Sort(commands)
	tonight := filepath.Join(t.TempDir(), "backup")
	for _, command := range slices.Compact(commands) {
		program, args, _ := strings.Cut(strings.ReplaceAll(command, "backup-tonight", tonight), " ")
		switch program {
		case "dossier":
			o.do(t, strings.Fields(args)...)
		case "curl":
			shell := exec.Command("bash", "-c", command)
			shell.Env = append(os.Environ(), "DOSSIER_OPS_URL="+ops.URL)
			if out, err := shell.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
		default:
			t.Errorf("%s: a runbook runs dossier and curl only", command)
		}
	}
}
