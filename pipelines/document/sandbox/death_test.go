package sandbox

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// A parser process that ends for want of threads, or because somebody ended it, says nothing of the file: such a reading
// is tried again. One that breaks on the file says that it is damaged.
func TestCauseOfDeath(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"no thread to be had", "echo 'runtime: failed to create new OS thread (have 5 already; errno=11)' >&2; exit 2", ""},
		{"no process to be had", "echo 'fork/exec /usr/bin/tesseract: resource temporarily unavailable' >&2; exit 2", ""},
		{"our own fault", "exit 70", ""},
		{"ended by somebody", "kill -TERM $$", ""},
		{"a fault of the program", "kill -SEGV $$", refusal.Corrupt},
		{"a panic", "echo 'panic: index out of range' >&2; exit 2", refusal.Corrupt},
		{"memory", "echo 'fatal error: runtime: out of memory' >&2; exit 2", refusal.Memory},
		{"killed", "kill -KILL $$", refusal.Timeout},
	} {
		cmd := exec.Command("/bin/sh", "-c", c.script)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Fatal(err)
		}
		got := ""
		if refused := causeOfDeath(false, cmd.ProcessState, stderr.String()); refused != nil {
			got = refused.Code
		}
		if got != c.want {
			t.Errorf("%s: refused as %q, want %q", c.name, got, c.want)
		}
	}
}
