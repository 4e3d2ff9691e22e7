package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What clients are generated with.
const (
	goGenerator  = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goRuntime    = "github.com/oapi-codegen/runtime v1.8.0"
	tsGenerator  = "openapi-typescript@7.13.0"
	tsCompiler   = "typescript@5.9.3"
	nodeTypes    = "@types/node@20.19.0"
	clientsLimit = 10 * time.Minute // the first run downloads and builds the generators
)

// Clients that their own generators make from the served document work: one in Go goes the demonstration's way, one in
// TypeScript compiles strictly and talks to the API.
func TestGeneratedClients(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs in three languages")
	}
	s := startStack(t, options{})
	document := s.page(t, "/openapi.json")
	t.Run("go", func(t *testing.T) {
		dir := clientDir(t, document, "demo.go")
		files, err := demoFiles("")
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "statement.pdf", files[2].data)
		write(t, dir, "go.mod", []byte("module client\n\ngo 1.24\n\nrequire "+goRuntime+"\n"))
		// Schemas that only the webhooks use are kept: this generator refers to them and yet prunes them.
		write(t, dir, "config.yaml", []byte("package: main\noutput: client.go\ngenerate: {models: true, client: true}\noutput-options: {skip-prune: true}\n"))
		s.runTool(t, dir, "go", "run", goGenerator, "-config", "config.yaml", "openapi.json")
		s.runTool(t, dir, "go", "mod", "tidy")
		if out := s.runTool(t, dir, "go", "run", ".", "statement.pdf"); !strings.Contains(out, "item COMPLETED with statement.pdf") {
			t.Errorf("the client says: %s", out)
		}
	})
	t.Run("typescript", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil && os.Getenv("CI") == "" {
			t.Skip("npm is not installed: the TypeScript client is not tried")
		}
		dir := clientDir(t, document, "sample.ts")
		write(t, dir, "package.json", []byte(`{"private": true, "type": "module"}`))
		s.runTool(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", tsGenerator, tsCompiler, nodeTypes)
		s.runTool(t, dir, "node_modules/.bin/openapi-typescript", "openapi.json", "-o", "schema.ts")
		s.runTool(t, dir, "node_modules/.bin/tsc", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "sample.ts")
		if out := s.runTool(t, dir, "node", "sample.js"); !strings.Contains(out, "COMPLETED, skipped, 1 listed, no follow-up") {
			t.Errorf("the client says: %s", out)
		}
	})
}

// page is what the API serves to anybody at a path.
func (s *stack) page(t *testing.T, path string) []byte {
	t.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response.Status, err)
	}
	return data
}

// clientDir is a new directory with the document and a program of testdata.
func clientDir(t *testing.T, document []byte, program string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "clients", program+".txt")) // not a file of this module's own
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, program, text)
	write(t, dir, "openapi.json", document)
	return dir
}

func write(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runTool runs a program in dir, outside the project's module, as a client of the stack.
func (s *stack) runTool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientsLimit)
	defer cancel()
	if strings.Contains(name, "/") {
		name = filepath.Join(dir, name)
	}
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "DOSSIER_URL="+s.url, "DOSSIER_API_KEY="+s.key, "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}
