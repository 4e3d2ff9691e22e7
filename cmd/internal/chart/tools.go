package chart

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// Programs that know charts. They are Go modules of their own, built once into the user's cache: nothing of the
// product depends on them.
var (
	Helm     = daemon.Program{Package: "helm.sh/helm/v3/cmd/helm", Version: "v3.22.0"}
	Validate = daemon.Program{Package: "sigs.k8s.io/kubectl-validate", Version: "v0.0.4"}
	UnitTest = daemon.Program{Module: "github.com/helm-unittest/helm-unittest", Version: "v1.1.2",
		Package: "github.com/helm-unittest/helm-unittest/cmd/helm-unittest"}
)

// Tools are all of them, for `make setup`.
var Tools = []daemon.Program{Helm, Validate, UnitTest}

// run starts a tool with nothing of the user's own configuration of Helm, and returns what it wrote to either stream.
func run(ctx context.Context, tool daemon.Program, args ...string) (string, error) {
	program, err := tool.Install(ctx, func(string) {})
	if err != nil {
		return "", err
	}
	nowhere := filepath.Join(os.TempDir(), "dossier-no-helm")
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "HELM_NO_PLUGINS=1", "HELM_CONFIG_HOME="+nowhere, "HELM_CACHE_HOME="+nowhere,
		"HELM_DATA_HOME="+nowhere)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}
