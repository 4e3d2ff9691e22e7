package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
)

// Services that were all killed at once, as at the end of a session, start again on what they left, also when their
// process ids belong to others by then.
func TestServices_leftovers(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil && os.Getenv("CI") == "" {
		t.Skip("no redis-server: `go run ./cmd/internal/tasks setup check` installs it")
	}
	dir := t.TempDir()
	for d := dir; d != os.TempDir(); d = filepath.Dir(d) { // PostgreSQL's user must enter although we may be root
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Cleanup(func() {
		if err := stopServices(); err != nil {
			t.Error(err)
		}
		if memory, err := os.Readlink(filepath.Join(servicesDir(), "postgres")); err == nil {
			_ = os.RemoveAll(memory)
		}
	})
	before := mustStartServices(t)
	for _, file := range []string{"redis.pid", "minio.pid", "postgres/data/postmaster.pid"} {
		daemontest.KillAsReused(t, filepath.Join(servicesDir(), file))
	}
	after := mustStartServices(t) // which returns when all three answer
	for i, name := range []string{"TEST_REDIS_URL=", "TEST_S3_ENDPOINT="} {
		if before[i+1] != after[i+1] || !strings.HasPrefix(after[i+1], name) {
			t.Errorf("%s became %s: links and settings handed out before must stay good", before[i+1], after[i+1])
		}
	}
}

func mustStartServices(t *testing.T) []string {
	t.Helper()
	variables, err := startServices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return variables
}
