package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/cluster"
)

// TestRestore_to loses a server under load and puts it back: all that was archived, and then to random moments, one, or 20
// where DOSSIER_LONG is set. What was answered before the moment is there and what was sent after it is not, every file is
// what was uploaded, every event goes out under the id that it had, jobs end, and readers of the feed see a new epoch.
func TestRestore_to(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a server is lost and put back several times")
	}
	moments := 1
	if os.Getenv("DOSSIER_LONG") != "" {
		moments = 20
	}
	d := newDrill(t)
	lost := d.source(t)
	dir := filepath.Join(d.dir, "backup")
	load := lost.load(t)
	time.Sleep(time.Second) // that the backup is taken under load is the test
	made := value[manifest](t, lost.operated, "backup", "--base", dir)
	if made.Base == nil || made.Base.Timeout != 1 || made.Base.Database != "dossier" || made.Key == "" {
		t.Errorf("backup: %+v, %+v", made, made.Base)
	}
	lost.refuseMoments(t, d, dir, made)
	time.Sleep(4 * time.Second)
	crashed := time.Now()
	lost.crash(t)
	requests := load.end()

	all := d.restore(t, lost, dir, latest)
	reached := time.Time(all.made.At)
	t.Logf("%d requests; recovery point: %.2f s before the crash; %.1f s for %.2f GB: %.0f s for each", len(requests),
		crashed.Sub(reached).Seconds(), all.made.Seconds, float64(all.made.Bytes)/(1<<30),
		all.made.Seconds/(float64(all.made.Bytes)/(1<<30)))
	all.compare(t, requests, reached, false)
	all.live(t, d)

	earliest := time.Time(made.At)
	for range moments {
		to := earliest.Add(time.Duration(rand.Int64N(int64(reached.Sub(earliest))))).Truncate(time.Microsecond)
		back := d.restore(t, lost, dir, to.UTC().Format(time.RFC3339Nano))
		t.Logf("to %v after the backup: %.1f s", to.Sub(earliest), back.made.Seconds)
		back.compare(t, requests, to, true)
		back.live(t, d)
	}
}

// refuseMoments tries what cannot be: a time before the backup, no archive, a directory in use, a changed file.
func (p *place) refuseMoments(t *testing.T, d *drill, dir string, made manifest) {
	t.Helper()
	data := d.dataDir(t)
	args := func(to, dir, data string) []string {
		return []string{"restore", dir, "--to", to, "--data", data, "--restore-command", d.restoreCommand(), "--drill"}
	}
	p.refused(t, 2, "--to is a moment", args("yesterday", dir, data)...)
	p.refused(t, 1, "take an earlier backup", args(time.Time(made.At).Add(-time.Second).Format(time.RFC3339), dir, data)...)
	p.refused(t, 1, "is not empty", args(latest, dir, filepath.Dir(data))...)
	p.refused(t, 1, "no commit after that time", args(time.Now().Add(time.Hour).UTC().Format(time.RFC3339), dir, d.dataDir(t))...)
	p.refused(t, 2, "a base backup", "restore", dir, "--drill")
	ran := call(t, p.environ, "", append(args(latest, dir, data), "--json")...)
	var drilled restored
	if err := json.Unmarshal([]byte(ran.out), &drilled); err != nil {
		t.Fatalf("%v: %s%s", err, ran.out, ran.err)
	}
	for _, step := range []string{"putting the base backup back\n", "replaying the log\n", "comparing documents\n"} {
		if !strings.Contains(ran.err, step) {
			t.Errorf("nobody hears %q: %s", step, ran.err)
		}
	}
	if !drilled.Success || drilled.Epoch != 0 || drilled.Bytes == 0 {
		t.Errorf("drill: %+v", drilled)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("a drill left %s: %v", data, err)
	}
}

// Without archived WAL a base backup would be good for one moment only; it is not made.
func TestBackup_no_archive(t *testing.T) {
	t.Parallel()
	o, _, _ := healthy(t)
	o.environ = append(o.environ, "DATABASE_MIGRATE_URL="+o.URL)
	dir := filepath.Join(t.TempDir(), "backup")
	o.refused(t, 1, "archive_mode is off", "backup", "--base", dir)
	o.refused(t, 2, "name the directory", "backup", "--base", "--note")
	o.do(t, "backup", dir) // the first try left nothing in its place
	o.refused(t, 2, "a base backup", "restore", "--drill", dir, "--to", latest, "--data", "d", "--restore-command", "true")
}

// restore puts the backup back and starts a server on it.
func (d *drill) restore(t *testing.T, lost *place, dir, to string) *place {
	t.Helper()
	data := d.dataDir(t)
	got := value[restored](t, lost.operated, "restore", dir, "--to", to, "--data", data, "--restore-command", d.restoreCommand(),
		"--nothing-erased")
	if !got.Success || got.Epoch < 2 || len(got.Lost) > 0 || got.Documents == 0 {
		t.Errorf("restored to %s: %+v", to, got)
	}
	password, err := os.ReadFile(filepath.Join(lost.dir, "password"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(data), "password"), password, 0o600); err != nil {
		t.Fatal(err)
	}
	p := d.place(t, filepath.Dir(data), nil)
	p.made, p.key = got, lost.key
	return p
}

// dataDir is an empty directory of the server's user.
func (d *drill) dataDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(d.dir, "restored-")
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, data} {
		if err := os.Chown(path, d.uid, d.gid); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func (d *drill) restoreCommand() string { return fmt.Sprintf("cp %s/%%f %%p", d.archive) }

// crash kills the server as the loss of its machine does. The programs end when they notice.
func (p *place) crash(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "data", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(strings.SplitN(string(text), "\n", 2)[0], &pid); err != nil || pid <= 1 {
		t.Fatal(pid, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.cancel()
}

// place starts a server on a directory, whose data may be there.
func (d *drill) place(t *testing.T, dir string, settings map[string]string) *place {
	t.Helper()
	server, err := cluster.Start(t.Context(), cluster.Options{Dir: dir, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	p := &place{dir: dir, owner: server.URL("dossier"), cancel: func() {}}
	p.operated = operated{environ: d.environ(t, p.owner)}
	return p
}
