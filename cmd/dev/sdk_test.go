package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier/webhooks"
)

const sdkSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// The five examples of each client's README are run as they stand there, one after the other, against the running service;
// the last one receives an event of this service, signed as deliveries are. They, the clients and all calls that /docs
// shows pass the strictest check of types that the language has.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs in three languages")
	}
	s := startStack(t, options{})
	delivery := s.sdkDelivery(t)
	t.Run("go", func(t *testing.T) {
		s.runTool(t, sdkPath(t, "go"), "go", "test", ".")
		dir := s.sdkDir(t, delivery)
		write(t, dir, "go.mod", []byte("module client\n\ngo 1.24\n\nrequire github.com/dossierhq/dossier/api/sdk/go v0.0.0\n\n"+
			"replace github.com/dossierhq/dossier/api/sdk/go => "+sdkPath(t, "go")+"\n"))
		write(t, dir, "main.go", []byte(goBefore+readmeOf(t, "go", "go")[1]+"\n"+strings.Join(readmeOf(t, "go", "go")[2:], "\n")+
			"return nil\n}\n"))
		sdkSays(t, s.runTool(t, dir, "go", "run", "."))
	})
	t.Run("python", func(t *testing.T) {
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("python3 is not installed: the client in Python is not tried")
		}
		dir := s.sdkDir(t, delivery)
		write(t, dir, "main.py", []byte("import json\n"+strings.Join(readmeOf(t, "python", "python"), "\n")+
			"\nreceive(json.load(open('headers.json')), open('body.json', 'rb').read())\n"))
		t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
		t.Setenv("PYTHONPATH", filepath.Join(sdkPath(t, "python"), "src"))
		s.runTool(t, sdkPath(t, "python"), "python3", "-m", "unittest", "discover", "-s", "tests")
		sdkSays(t, s.runTool(t, dir, "python3", "main.py"))
		t.Run("strict", func(t *testing.T) {
			if _, err := exec.LookPath("mypy"); err != nil {
				t.Skip("mypy is not installed: the types of the client in Python are not checked")
			}
			write(t, dir, "examples.py", []byte(docsCalls(t, pythonCalls)))
			t.Setenv("MYPYPATH", filepath.Join(sdkPath(t, "python"), "src"))
			s.runTool(t, dir, "mypy", "--strict", "--cache-dir", os.DevNull, filepath.Join(sdkPath(t, "python"), "src"),
				filepath.Join(sdkPath(t, "python"), "tests"), "main.py", "examples.py")
		})
	})
	t.Run("typescript", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip("npm is not installed: the client in TypeScript is not tried")
		}
		dir := s.sdkDir(t, delivery)
		write(t, dir, "package.json", []byte(`{"private": true, "type": "module"}`))
		write(t, dir, "main.ts", []byte(strings.Join(readmeOf(t, "typescript", "ts"), "\n")+
			"import { readFileSync } from \"node:fs\";\n"+
			"await receive(JSON.parse(readFileSync(\"headers.json\", \"utf8\")), readFileSync(\"body.json\", \"utf8\"));\n"))
		s.runTool(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", tsCompiler, nodeTypes)
		built := filepath.Join(dir, "node_modules", "@dossierhq", "dossier")
		if err := os.MkdirAll(built, 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(built, os.DirFS(sdkPath(t, "typescript"))); err != nil {
			t.Fatal(err)
		}
		s.runTool(t, dir, "node_modules/.bin/tsc", "-p", built)
		s.runTool(t, dir, "node", "--test", filepath.Join(built, "test"))
		write(t, dir, "examples.ts", []byte(docsCalls(t, typeScriptCalls)))
		s.runTool(t, dir, "node_modules/.bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--target", "es2022",
			"--module", "nodenext", "--types", "node", "main.ts", "examples.ts")
		sdkSays(t, s.runTool(t, dir, "node", "main.js"))
	})
}

const goBefore = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	dossier "github.com/dossierhq/dossier/api/sdk/go"
)

func main() {
	header, named := http.Header{}, map[string]string{}
	text, _ := os.ReadFile("headers.json")
	_ = json.Unmarshal(text, &named)
	for name, value := range named {
		header.Set(name, value)
	}
	body, _ := os.ReadFile("body.json")
	if err := run(context.Background(), header, body); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run(ctx context.Context, header http.Header, body []byte) error {
`

// sdkSays looks for what each of the five examples prints.
func sdkSays(t *testing.T, out string) {
	t.Helper()
	for _, want := range []string{`(?m)^lead [0-9a-f-]{36}$`, `(?m)^document [0-9a-f-]{36}$`, `(?ms)^listed .*^listed `,
		`(?m)^no such lead, see \S+$`, `(?m)^event lead\.created \S`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the client does not say %s:\n%s", want, out)
		}
	}
}

// readmeOf are the blocks of code of a client's README, in their order.
func readmeOf(t *testing.T, client, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sdkPath(t, client), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, found[1])
	}
	if len(blocks) < 5 {
		t.Fatalf("the README has %d examples", len(blocks))
	}
	return blocks
}

func sdkPath(t *testing.T, client string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "api", "sdk", client))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// delivery is a request as a receiver gets it.
type delivery struct{ headers, body []byte }

// sdkDelivery makes a lead, waits for its event, and signs it as a delivery is.
func (s *stack) sdkDelivery(t *testing.T) delivery {
	t.Helper()
	var made, list struct{ Events []json.RawMessage }
	if err := s.post(t.Context(), "/api/v1/leads", map[string]any{"firstName": "Alex"}, &made); err != nil {
		t.Fatal(err)
	}
	for len(list.Events) == 0 {
		if err := s.get(t.Context(), "/api/v1/events?type=lead.created&limit=1", &list); err != nil {
			t.Fatal(err)
		}
	}
	id, at := "evt_1", time.Now()
	signature, err := webhooks.Sign([]string{sdkSecret}, id, at, list.Events[0])
	if err != nil {
		t.Fatal(err)
	}
	headers, err := json.Marshal(map[string]string{webhooks.HeaderID: id, webhooks.HeaderSignature: signature,
		webhooks.HeaderTimestamp: strconv.FormatInt(at.Unix(), 10)})
	if err != nil {
		t.Fatal(err)
	}
	return delivery{headers, list.Events[0]}
}

// sdkDir is a directory with what the examples read.
func (s *stack) sdkDir(t *testing.T, d delivery) string {
	t.Helper()
	dir := t.TempDir()
	files, err := demoFiles("")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "statement.pdf", files[2].data)
	write(t, dir, "headers.json", d.headers)
	write(t, dir, "body.json", bytes.Clone(d.body))
	t.Setenv("WEBHOOK_SECRET", sdkSecret)
	return dir
}
