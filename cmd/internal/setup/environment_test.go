package setup_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/internal/setup"
)

// A program that took its environment has it no more, neither for programs that it starts nor in /proc.
func TestTakeEnvironment(t *testing.T) {
	const secret = "DOSSIER_SECRET_KEY=planted-3f9a"
	if os.Getenv("TEST_TAKES_ENVIRONMENT") != "" {
		environ := setup.TakeEnvironment()
		shown, err := os.ReadFile("/proc/self/environ")
		child, _ := exec.CommandContext(t.Context(), "env").Output()
		fmt.Printf("kept=%v shown=%v inherited=%v err=%v path=%v\n", slices.Contains(environ, secret), bytes.Contains(shown, []byte("planted")),
			bytes.Contains(child, []byte("planted")), err, os.Getenv("PATH") != "")
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTakeEnvironment$")
	cmd.Env = append(os.Environ(), "TEST_TAKES_ENVIRONMENT=1", secret)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := "kept=true shown=false inherited=false"
	if runtime.GOOS != "linux" {
		want = "kept=true"
	}
	if !strings.Contains(string(out), want) || !strings.Contains(string(out), "path=true") {
		t.Errorf("%s", out)
	}
}
