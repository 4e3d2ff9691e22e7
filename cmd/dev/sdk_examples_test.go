package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/sdkgen"
)

// language says how the calls that /docs shows become a program whose types can be checked: each in a function of its
// own, after what they name.
type language struct {
	head    string         // the client, a file, and what is named in paths and is no id
	id      *regexp.Regexp // names of ids
	declare string         // of an id
	call    func(sdkgen.Example) string
	wrap    string // of an operation and its call
	indent  string
}

var (
	typeScriptCalls = language{
		head: "import { Dossier, type Upload } from \"@dossierhq/dossier\";\ndeclare const client: Dossier, file: Upload;\n" +
			"declare const page: string, part: string, kind: string;\n",
		id: regexp.MustCompile(`\b[a-z]\w*Id\b`), declare: "declare const %s: string;\n",
		call: func(e sdkgen.Example) string { return e.TypeScript },
		wrap: "\nexport async function %s(): Promise<void> {\n  %s\n}\n", indent: "  ",
	}
	pythonCalls = language{
		head: "from decimal import Decimal\nimport dossier\n\nclient = dossier.Client(\"http://localhost:8080\", \"dsr_test_key\")\n" +
			"file = dossier.Upload.of(\"a.pdf\", b\"a\")\npage = part = kind = \"1\"\n",
		id: regexp.MustCompile(`\b[a-z]\w*_id\b`), declare: "%s = \"\"\n",
		call: func(e sdkgen.Example) string { return e.Python },
		wrap: "\n\ndef %s() -> None:\n    %s\n", indent: "    ",
	}
)

// docsCalls is that program.
func docsCalls(t *testing.T, l language) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "api", "sdk", "examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples map[string]sdkgen.Example
	if err := json.Unmarshal(text, &examples); err != nil || len(examples) < 100 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	ids := map[string]bool{}
	var body strings.Builder
	for _, op := range slices.Sorted(maps.Keys(examples)) {
		call := l.call(examples[op])
		for _, id := range l.id.FindAllString(call, -1) {
			ids[id] = true
		}
		fmt.Fprintf(&body, l.wrap, op, strings.ReplaceAll(call, "\n", "\n"+l.indent))
	}
	head := l.head
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		head += fmt.Sprintf(l.declare, id)
	}
	return head + body.String()
}
