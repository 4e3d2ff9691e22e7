package api

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The examples that /docs shows in Go compile against the client, and those in Python are Python; each operation of the
// clients has one in each language.
func TestDocs_examples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	t.Parallel()
	examples, err := loadExamples()
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) < 100 {
		t.Fatalf("%d examples", len(examples))
	}
	dir := t.TempDir()
	var source, script strings.Builder
	source.WriteString("package main\n\nimport (\n\"context\"\n\"encoding/json\"\n\"fmt\"\n\"time\"\n\n" +
		"dossier \"github.com/dossierhq/dossier/api/sdk/go\"\n)\n\nvar (\n\tclient *dossier.Client\n\tctx = context.Background()\n\tfile dossier.File\n" +
		"\t_ = fmt.Sprint\n\t_ = time.UTC\n\t_ json.Number\n")
	ids := map[string]bool{}
	for _, op := range slices.Sorted(maps.Keys(examples)) {
		e := examples[op]
		if e.TypeScript == "" || e.Python == "" || e.Go == "" {
			t.Errorf("%s: %+v", op, e)
		}
		for _, argument := range goArguments(e.Go) {
			ids[argument] = true
		}
		script.WriteString("if True:\n    " + strings.ReplaceAll(e.Python, "\n", "\n    ") + "\n")
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		source.WriteString("\t" + id + " string\n")
	}
	source.WriteString(")\n\nfunc main() {}\n")
	for _, op := range slices.Sorted(maps.Keys(examples)) {
		source.WriteString("\nfunc " + op + "Example() error {\n" + examples[op].Go + "\nreturn nil\n}\n")
	}
	sdk, err := filepath.Abs("sdk/go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"main.go": source.String(), "main.py": script.String(),
		"go.mod": "module examples\n\ngo 1.26\n\nrequire github.com/dossierhq/dossier/api/sdk/go v0.0.0\n\n" +
			"replace github.com/dossierhq/dossier/api/sdk/go => " + sdk + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "vet", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	if said, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v %.4000s", err, said)
	}
	if python, err := exec.LookPath("python3"); err == nil {
		if said, err := exec.CommandContext(t.Context(), python, "-c", "import ast,sys;ast.parse(open(sys.argv[1]).read())",
			filepath.Join(dir, "main.py")).CombinedOutput(); err != nil {
			t.Errorf("%v %.2000s", err, said)
		}
	}
}

// goArguments are the names of ids that a call takes before its body.
func goArguments(source string) []string {
	_, call, _ := strings.Cut(source, "(ctx")
	end := strings.IndexAny(call, "){")
	var out []string
	for argument := range strings.SplitSeq(call[:max(end, 0)], ",") {
		if argument = strings.TrimSpace(argument); argument != "" && !strings.Contains(argument, ".") {
			out = append(out, argument)
		}
	}
	return out
}

// The page shows no Markdown as it is written, and leads from each field of reasons to the one list of their codes.
func TestDocs_markdown(t *testing.T) {
	t.Parallel()
	page := newTestServer(t).do(t, "GET", "/docs", "", "x-api-key", "").Body
	shown := regexp.MustCompile(`(?s)<pre.*?</pre>|<script.*?</script>|<style.*?</style>|<[^>]*>`).ReplaceAllString(page, "")
	for _, raw := range []string{"`", `\|---`, `\*\*\w`} {
		if at := regexp.MustCompile(raw).FindStringIndex(shown); at != nil {
			t.Errorf("the page shows %q: %s", raw, shown[max(0, at[0]-200):min(len(shown), at[1]+200)])
		}
	}
	if strings.Count(page, `<section id="reasons">`) != 1 || !strings.Contains(page, `<a href="#reasons">`) {
		t.Error("the codes of reasons are not in a section of their own")
	}
}
