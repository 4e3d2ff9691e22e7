package bench

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The programs are started, given work and asked what they hold; a directory without them is said.
func TestMemory(t *testing.T) {
	t.Parallel()
	s := open(t)
	o := MemoryOptions{Dir: t.TempDir(), Requests: 50, Files: 2, Rest: 100 * time.Millisecond}
	if _, err := Memory(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "dossier-api") {
		t.Errorf("a directory without the programs: %v", err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", o.Dir, "../../dossier-api", "../../dossier-worker")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r, err := Memory(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Residence{"api": r.API, "worker": r.Worker} {
		if p.Started <= 0 || p.Worked < p.Started/2 || p.Rest <= 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
