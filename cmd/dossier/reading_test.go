package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/score"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// A statement in words that no rule knows is read by a model: what is asked and answered can be seen, and what it gave is marked
// apart, with the line of the page that carries it.
func TestRead_with_model(t *testing.T) {
	strange, facts := specimen.Strange("Example Bakery LLC", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	server := scripted.New(scripted.Right, facts)
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	dir := t.TempDir()
	path := filepath.Join(dir, "strange.pdf")
	if err := os.WriteFile(path, strange.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	o := operated{environ: []string{"DOSSIER_LLM_URL=" + web.URL, "DOSSIER_LLM_MODEL=scripted"}}

	shown := call(t, o.environ, "", "read", path, "--reading", "fill", "--show-prompts")
	contains(t, shown.out, "model scripted: asked for", "took 9, dropped 0", "15035.76")
	contains(t, shown.err, "--- question facts, prompt facts.v2", "You read documents", "Money you had at first", "--- answer, 250 tokens", `"pointer":"/closingBalance"`)
	page := o.do(t, "read", path, "--reading", "fill", "--html")
	contains(t, page, `<tr class="model">`, `class="box model"`, "<q>Left over 15,035.76</q>", "by a language model")

	operated{}.refused(t, 2, "set DOSSIER_LLM_URL", "read", path, "--reading", "fill", "--json")
}

// The pictures of a question are kept as they were sent, where somebody wants to see them.
func TestPromptsTo_pictures(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sent")
	for dir, says := range map[string]string{out: ": " + out, "": "not kept without --out"} {
		var shown strings.Builder
		promptsTo(&shown, dir)(llm.Exchange{Kind: "facts", Pictures: []llm.Picture{{Page: 3, PNG: []byte("picture")}}})
		contains(t, shown.String(), "--- sent: a picture of page 3, 7 bytes", says)
	}
	sent, err := filepath.Glob(filepath.Join(out, "page-3-sent-*.png"))
	if err != nil || len(sent) != 1 {
		t.Fatalf("%v: %v", sent, err)
	}
	if raw, err := os.ReadFile(sent[0]); err != nil || string(raw) != "picture" {
		t.Errorf("%q, %v", raw, err)
	}
}

// Modes are scored side by side, with a model that follows a script.
func TestScore_scripted(t *testing.T) {
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, specimen.Corpus(5, 1)); err != nil {
		t.Fatal(err)
	}
	all := value[map[dossier.ReadingMode]score.Scores](t, operated{}, "score", dir, "--reading", "off,fill,check", "--scripted", "right")
	for _, mode := range []dossier.ReadingMode{dossier.ReadingOff, dossier.ReadingFill, dossier.ReadingCheck} {
		if s := all[mode]; len(s.Files) != 1 || s.Unprinted != 0 || mode == dossier.ReadingOff && s.Tokens > 0 {
			t.Errorf("%s: %+v", mode, s)
		}
	}
	table := operated{}.do(t, "score", dir, "--reading", "off,fill", "--scripted", "lying")
	contains(t, table, "OFF", "FILL", "of those not printed", "tokens", "seconds", "invented")
	operated{}.refused(t, 2, "--scripted is one of", "score", dir, "--scripted", strings.Repeat("x", 3))
}
