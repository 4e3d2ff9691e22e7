package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the answers into README.md")

// block is a fenced block of a Markdown file.
var block = regexp.MustCompile("(?ms)^```(sh|json)\n(.*?)^```$")

// TestREADME runs the requests of README.md, in order, in one shell against a running stack, and compares the answers it
// shows with the real ones: everything but ids and times must be the same.
func TestREADME(t *testing.T) {
	path := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, requests, found := strings.Cut(string(text), "## First requests")
	if !found {
		t.Fatal("README.md has no section First requests")
	}
	requests, _, _ = strings.Cut(requests, "\n## ")
	shell := newShell(t, startStack(t, options{}))
	answer := ""
	for _, m := range block.FindAllStringSubmatch(requests, -1) {
		if m[1] == "sh" {
			answer = shell.run(t, m[2])
			continue
		}
		if *update {
			text = []byte(strings.Replace(string(text), m[2], answer+"\n", 1))
			continue
		}
		if diff := cmp.Diff(shape(t, m[2]), shape(t, answer)); diff != "" {
			t.Errorf("README.md shows another answer than the service gives (-README +service); -update writes it:\n%s", diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shell runs blocks one after the other, keeping their variables.
type shell struct{ dir string }

func newShell(t *testing.T, s *stack) *shell {
	sh := &shell{dir: t.TempDir()}
	if err := os.Symlink(s.cfg.Data, filepath.Join(sh.dir, ".data")); err != nil {
		t.Fatal(err)
	}
	return sh
}

// run repeats the assignments of earlier blocks and returns what the last line of this one prints.
func (sh *shell) run(t *testing.T, script string) string {
	t.Helper()
	state := filepath.Join(sh.dir, "state")
	whole := fmt.Sprintf("set -euo pipefail\n[ ! -f %[1]s ] || . %[1]s\n%[2]s\ndeclare -p LEAD DOCUMENT JOB 2>/dev/null > %[1]s || true\ndeclare -px | grep -E 'DOSSIER_' >> %[1]s || true\n", state, script)
	cmd := exec.Command("bash", "-c", whole)
	cmd.Dir = sh.dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s\n%s%v", script, out, err)
	}
	return strings.TrimSpace(string(out))
}

var (
	anyID   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	anyTime = regexp.MustCompile(`"timeElapsed":\s*\d+`)
)

// shape is an answer without what differs from call to call.
func shape(t *testing.T, text string) any {
	t.Helper()
	text = anyTime.ReplaceAllString(anyID.ReplaceAllString(text, "<id>"), `"timeElapsed":0`)
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("not JSON: %s", text)
	}
	return v
}
