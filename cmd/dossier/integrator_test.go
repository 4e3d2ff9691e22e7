package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Commands of integrators need an address and a key, and no setting of the service.
func TestIntegrator_settings(t *testing.T) {
	t.Parallel()
	environ := []string{"DOSSIER_URL=http://127.0.0.1:1", "DOSSIER_API_KEY=dsr_live_key"}
	if r := call(t, environ, "", "trigger", "lead.created"); r.code != 1 || !strings.Contains(r.err, "test key") {
		t.Errorf("%+v", r)
	}
	if r := call(t, nil, "", "trigger", "--list"); r.code != 0 || !strings.HasPrefix(r.out, "checklist_item.completed\n") {
		t.Errorf("%+v", r)
	}
	for args, says := range map[string]string{"trigger lead.creatd": "--list", "trigger lead.created": "DOSSIER_URL", "listen": "--forward-to",
		"listen --print --events lead.x": "lead.x", "requests": "DOSSIER_URL", "requests --since noon": "noon", "requests --limit 0": "--limit"} {
		if r := call(t, nil, "", strings.Fields(args)...); r.code != 2 || !strings.Contains(r.err, says) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{"bash": `"listen") COMPREPLY=($(compgen -W "--`, "zsh": "bashcompinit", "fish": "-l forward-to"} {
		if r := call(t, nil, "", "completion", shell); r.code != 0 || !strings.Contains(r.out, want) || !strings.Contains(r.out, "jobs") {
			t.Errorf("%s: %+v", shell, r)
		}
	}
}

// The manual page has every command and every flag, as they are now.
func TestMan(t *testing.T) {
	t.Parallel()
	page := call(t, nil, "", "man")
	if page.code != 0 || !strings.HasPrefix(page.out, ".TH DOSSIER 1\n") {
		t.Fatalf("%+v", page)
	}
	var cli commands
	parser, err := kong.New(&cli, kong.Name("dossier"), helpTexts, kong.ExplicitGroups(groups))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range parser.Model.Leaves(true) {
		if !strings.Contains(page.out, "\n.SS "+roff(plainPath(node))) {
			t.Errorf("%s is not in the page", plainPath(node))
		}
		for _, flag := range node.Flags {
			if !flag.Hidden && !strings.Contains(page.out, roff("--"+flag.Name)) {
				t.Errorf("--%s of %s is not in the page", flag.Name, plainPath(node))
			}
		}
	}
	if man, err := exec.LookPath("groff"); err == nil {
		typeset := exec.CommandContext(t.Context(), man, "-man", "-Tascii", "-ww")
		typeset.Stdin = strings.NewReader(page.out)
		if said, err := typeset.CombinedOutput(); err != nil || strings.Contains(string(said), "warning:") {
			t.Errorf("%v %.2000s", err, said)
		}
	}
}
