package webhooks

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// exampleCommands says how each example is run; the files are copied out of the binary, as a reader would have them.
var exampleCommands = map[string][]string{
	"verify.go.txt": {"go", "run", "verify.go"},
	"verify.mjs":    {"node", "verify.mjs"},
	"verify.py":     {"python3", "verify.py"},
	"verify.rb":     {"ruby", "verify.rb"},
	"verify.php":    {"php", "verify.php"},
	"verify.sh":     {"sh", "verify.sh"},
}

func writeExample(t *testing.T, name string) string {
	t.Helper()
	data, err := Examples.ReadFile("examples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".txt")), data, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestExamples_verify(t *testing.T) {
	t.Parallel()
	body := []byte("{\"type\":\"lead.completed\",\n \"data\":{\"name\":\"Zoë $(x) 'q'\"}}")
	old, young, stranger := newTestSecret(t), newTestSecret(t), newTestSecret(t)
	now := time.Now()
	genuine := signedHeader(t, []string{young, old}, "0190-a", now, body)
	ancient := signedHeader(t, []string{young}, "0190-a", now.Add(-10*time.Minute), body)
	tests := []struct {
		name   string
		secret string
		header http.Header
		body   []byte
		want   string
	}{
		{"genuine", young, genuine, body, "genuine"},
		{"genuine by the old secret", old, genuine, body, "genuine"},
		{"changed body", young, genuine, append(bytes.Clone(body), ' '), "refused: no signature matches"},
		{"another secret", stranger, genuine, body, "refused: no signature matches"},
		{"replayed", young, ancient, body, "refused: too old or too new"},
	}
	entries, err := Examples.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		command, ok := exampleCommands[entry.Name()]
		if !ok && entry.Name() != "send.sh" {
			t.Errorf("%s is run by no test", entry.Name())
		}
		if !ok {
			continue
		}
		t.Run(entry.Name(), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("NOT TESTED HERE: %s is not installed", command[0])
			}
			dir := writeExample(t, entry.Name())
			for _, tt := range tests {
				args := append(command[1:len(command):len(command)], tt.header.Get(HeaderID), tt.header.Get(HeaderTimestamp), tt.header.Get(HeaderSignature))
				cmd := exec.CommandContext(t.Context(), command[0], args...)
				cmd.Dir, cmd.Stdin = dir, bytes.NewReader(tt.body)
				cmd.Env = append(os.Environ(), "WEBHOOK_SECRET="+tt.secret)
				out, err := cmd.CombinedOutput()
				if got := strings.TrimSpace(string(out)); !strings.HasPrefix(got, tt.want) || (err == nil) != (tt.want == "genuine") {
					t.Errorf("%s: %q %v, want %q", tt.name, got, err, tt.want)
				}
			}
		})
	}
}

func TestExamples_send(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"curl", "openssl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED HERE: %s is not installed", tool)
		}
	}
	secret, body := newTestSecret(t), []byte("{\"a\": 1,\n\"b\": \"Zoë\"}\n")
	verified := make(chan error, 1)
	url, _ := endpoint(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		verified <- Verify([]string{secret}, r.Header, got, time.Now())
		w.WriteHeader(http.StatusNoContent)
	})
	cmd := exec.CommandContext(t.Context(), "sh", "send.sh", url)
	cmd.Dir, cmd.Stdin, cmd.Env = writeExample(t, "send.sh"), bytes.NewReader(body), append(os.Environ(), "WEBHOOK_SECRET="+secret, "NO_PROXY=*")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "204" {
		t.Fatalf("%v %s", err, out)
	}
	if err := <-verified; err != nil {
		t.Error(err)
	}
}
