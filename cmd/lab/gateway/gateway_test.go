package gateway

import (
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/dossierhq/dossier/storage/objects"
)

func mustStart(t *testing.T, opts Options) *Gateway {
	t.Helper()
	opts.Log = func(line string) { t.Log(line) }
	g, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func bucket(t *testing.T, g *Gateway) *objects.Store {
	t.Helper()
	s, err := objects.Open(objects.Config{Endpoint: g.Endpoint, AccessKey: g.AccessKey, SecretKey: g.SecretKey, Bucket: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.EnsureBucket(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// What was stored before a stop or a kill is there afterwards, under the same address and keys.
func TestStart(t *testing.T) {
	dir := t.TempDir()
	g := mustStart(t, Options{Dir: dir})
	t.Cleanup(func() {
		if err := g.Stop(); err != nil {
			t.Error(err)
		}
	})
	if _, err := bucket(t, g).Put(t.Context(), "ws/one", "text/plain", strings.NewReader("kept"), 0); err != nil {
		t.Fatal(err)
	}
	before := g.Endpoint
	check := func(t *testing.T, again *Gateway, attached bool) {
		t.Helper()
		if again.Attached() != attached || again.Endpoint != before || again.SecretKey != g.SecretKey {
			t.Errorf("attached %v to %s, want %v to %s with the same keys", again.Attached(), again.Endpoint, attached, before)
		}
		info, err := bucket(t, again).Stat(t.Context(), "ws/one")
		if err != nil || info.Size != 4 || info.ContentType != "text/plain" {
			t.Errorf("stat %+v, %v", info, err)
		}
	}
	t.Run("attach to a running one", func(t *testing.T) {
		check(t, mustStart(t, Options{Dir: dir}), true)
	})
	t.Run("stopped and started", func(t *testing.T) {
		if err := g.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := g.Stop(); err != nil {
			t.Errorf("second stop: %v", err)
		}
		check(t, mustStart(t, Options{Dir: dir}), false)
	})
	t.Run("killed with -9", func(t *testing.T) {
		pid := pidOf(t, dir)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		check(t, mustStart(t, Options{Dir: dir}), false)
	})
	t.Run("the process id in the file is someone else's", func(t *testing.T) {
		if err := g.Stop(); err != nil {
			t.Fatal(err)
		}
		state := strconv.Itoa(os.Getpid()) + "\n" + portOf(g) + "\n"
		if err := os.WriteFile(dir+"/gateway.pid", []byte(state), 0o600); err != nil {
			t.Fatal(err)
		}
		check(t, mustStart(t, Options{Dir: dir}), false)
	})
	t.Run("taken port", func(t *testing.T) {
		if err := g.Stop(); err != nil {
			t.Fatal(err)
		}
		taken, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = taken.Close() }()
		port := taken.Addr().(*net.TCPAddr).Port
		_, err = Start(t.Context(), Options{Dir: dir, Port: port})
		if want := "port " + strconv.Itoa(port) + " is taken"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	})
}

func portOf(g *Gateway) string {
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(g.Endpoint, "http://"))
	return port
}

func pidOf(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(dir + "/gateway.pid")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.Fields(string(text))[0])
	if err != nil || pid <= 1 {
		t.Fatalf("pid file %q", text)
	}
	return pid
}

// What a killed session left in the temporary directory is no hindrance for the next one's tests.
func TestShared_leftovers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	shared := func(t *testing.T) *Gateway {
		t.Helper()
		g, err := Shared(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bucket(t, g).Put(t.Context(), "ws/one", "text/plain", strings.NewReader("kept"), 0); err != nil {
			t.Fatal(err)
		}
		return g
	}
	first := shared(t)
	dir, port := first.daemon.Dir, portOf(first)
	t.Cleanup(func() {
		if err := StopShared(); err != nil {
			t.Error(err)
		}
	})
	for _, tt := range []struct {
		name  string
		leave string // of the pid file; empty: as it was
	}{
		{"killed", ""},
		{"killed, and this process has the id now", strconv.Itoa(os.Getpid()) + "\n" + port + "\n"},
		{"killed while the pid file was written", "12"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := syscall.Kill(pidOf(t, dir), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if tt.leave != "" {
				if err := os.WriteFile(dir+"/gateway.pid", []byte(tt.leave), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if g := shared(t); g.Attached() {
				t.Error("attached to a gateway that was killed")
			}
		})
	}
}
