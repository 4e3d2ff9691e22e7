package main

import (
	"strings"
	"testing"
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
		"listen --print --events lead.x": "lead.x"} {
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
