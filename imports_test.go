package dossier_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/dossierhq/dossier"

// rooms says which of our packages each package may import. "root" is this package; a trailing
// /... means all below, and "*" everything. A package that is not here has no place in the house
// yet: argue for one in ARCHITECTURE.md and add its row.
//
// The table is checked with go/parser and not `go list`: the test cache does not see what a
// program that we start reads, and would keep the test green after a violation.
var rooms = map[string][]string{
	"root":                 {},
	"jobs":                 {"root"},
	"storage/record":       {"root"},
	"storage/postgres":     {"root", "jobs", "storage/record"},
	"storage/objects":      {"root"},
	"storage/cache":        {"root", "storage/record"},
	"pipelines/llm":        {"root"},
	"pipelines/lazyregexp": {},
	"jobs/tracing":         {}, // spans; apart, so that no room but the two front doors knows OpenTelemetry
	"pipelines/spread":     {"root", "pipelines/spread/layout"},
	"pipelines/render":     {"root", "pipelines/spread/layout"},
	"pipelines/document": {
		"root", "pipelines/llm", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/classify", "pipelines/document/bank",
		"pipelines/document/statement", "pipelines/document/tax", "pipelines/document/identity", "pipelines/document/other",
		"pipelines/document/doctype",
	},
	"pipelines/document/text":    {"root", "pipelines/lazyregexp"},
	"pipelines/document/barcode": {},
	"pipelines/document/refusal": {},
	"pipelines/document/decode": {
		"pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/barcode", "pipelines/document/refusal",
		"pipelines/document/decode/office", "pipelines/document/decode/bankfile",
	},
	"pipelines/document/decode/office":   {"pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/refusal"},
	"pipelines/document/decode/bankfile": {"pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/refusal", "pipelines/document/decode/office"},
	"pipelines/document/sandbox":         {"root", "pipelines/document", "pipelines/document/decode", "pipelines/document/text", "pipelines/document/refusal"},
	"pipelines/document/bank":            {"root", "pipelines/lazyregexp", "pipelines/document/text"},
	"pipelines/document/statement": {
		"root", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/statement/captions",
		"pipelines/document/statement/table",
	},
	"pipelines/document/statement/captions": {"pipelines/lazyregexp", "pipelines/document/text"},
	"pipelines/document/statement/table":    {"root", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/statement/captions"},
	"pipelines/document/identity":           {"root", "pipelines/lazyregexp", "pipelines/document/text"},
	"pipelines/document/doctype":            {"root", "pipelines/lazyregexp"},
	"pipelines/document/classify":           {"root", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/bank", "pipelines/document/doctype"},
	"pipelines/document/tax":                {"root", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/classify"},
	"pipelines/document/other":              {"root", "pipelines/lazyregexp", "pipelines/document/text", "pipelines/document/bank", "pipelines/document/tax"}, // the numbered boxes of forms that are no returns
	"pipelines/judge":                       {"root", "pipelines/document", "pipelines/document/text", "pipelines/document/doctype", "pipelines/llm", "pipelines/lazyregexp"},
	"pipelines/reading":                     {"root", "pipelines/document", "pipelines/document/text", "pipelines/document/doctype", "pipelines/llm", "pipelines/lazyregexp"},
	"pipelines/outreach":                    {"root"},
	"pipelines/spread/layout":               {"root"}, // rows and formulas, for what computes and what draws
	"pipelines/bankanalysis":                {"root", "pipelines/document/text"},
	"webhooks":                              {"root"},
	"api/signin":                            {"root"},
	"api/mcp":                               {}, // tools for agents of others; they call the API, so it knows no store
	"api/console":                           {},
	"api/web":                               {"root", "storage/objects", "storage/cache", "storage/postgres", "jobs/tracing"}, // what the front doors share
	"api/portal":                            {"root", "storage/objects", "storage/postgres", "api/web"},
	"analytics":                             {"root"},
	"jobs/admin":                            {"root", "jobs", "storage/cache", "storage/record"}, // apart from jobs/worker, so that the API process links no parser
	"jobs/channel":                          {"root"},                                            // calls the providers of messages; apart from the worker, since it knows no store
	"jobs/worker":                           {"root", "jobs", "jobs/channel", "storage/...", "pipelines/...", "webhooks", "analytics", "jobs/tracing"},
	"api":                                   {"root", "jobs", "jobs/channel", "storage/...", "analytics", "pipelines/spread", "api/signin", "api/mcp", "api/web", "api/console", "api/portal", "pipelines/outreach", "pipelines/document/text", "pipelines/judge", "jobs/tracing"}, // pure; for the template's rows, what leads write, kept words, verdicts on corrected facts
	"cmd/...":                               {"*"},
}

// libraries says who may import which library, by the longest matching path. cmd may import all
// of them, and tests too. A library that is not here is a new dependency: argue for it in its commit and add it. A
// permission that nobody uses is taken away again.
var libraries = map[string][]string{
	"github.com/shopspring/decimal":       {"*"},
	"golang.org/x/text":                   {"*"},
	"golang.org/x/sync":                   {},
	"github.com/nyaruka/phonenumbers":     {"root"},
	"github.com/google/uuid":              {"storage/postgres"},
	"github.com/jackc/pgx/v5":             {"storage/postgres"},
	"github.com/Masterminds/squirrel":     {"storage/postgres"},
	"github.com/pressly/goose/v3":         {"storage/postgres"},
	"github.com/minio/minio-go/v7":        {"storage/objects"},
	"github.com/redis/go-redis/v9":        {"storage/cache"},
	"github.com/hibiken/asynq":            {"jobs/worker"},
	"github.com/hibiken/asynqmon":         {"jobs/admin"},
	"github.com/prometheus/client_golang": {"jobs/admin", "jobs/worker"},
	"github.com/gofiber/fiber/v2":         {"api", "api/web", "api/portal"},
	"github.com/valyala/fasthttp":         {"api"},
	"github.com/coreos/go-oidc/v3":        {"api/signin"},
	"github.com/modelcontextprotocol":     {"api", "api/mcp"},
	"golang.org/x/oauth2":                 {"api/signin"},
	"go.yaml.in/yaml":                     {"api", "api/portal", "pipelines/spread"},
	"gonum.org/v1/plot":                   {"pipelines/render"},
	"github.com/johnfercher/maroto/v2":    {"pipelines/render"},
	"github.com/xuri/excelize/v2":         {"pipelines/render", "pipelines/document/decode/office"},
	"github.com/boombuler/barcode":        {}, // an encoder that the reader of codes is tested with
	"github.com/makiuchi-d/gozxing":       {"pipelines/document/barcode"},
	"github.com/klippa-app/go-pdfium":     {"pipelines/document/decode"},
	"github.com/richardlehane/mscfb":      {"pipelines/document/decode/office"},
	"github.com/tetratelabs/wazero":       {"pipelines/document/decode"},
	"github.com/gabriel-vasile/mimetype":  {"pipelines/document/decode"},
	"golang.org/x/sys":                    {"pipelines/document/sandbox"},
	"golang.org/x/net":                    {"pipelines/document/decode", "pipelines/document/decode/bankfile"},
	"golang.org/x/image":                  {"pipelines/document/decode", "pipelines/render"},
	"github.com/go-fonts/dejavu":          {"pipelines/render"},
	"github.com/go-fonts/liberation":      {"pipelines/render"},
	"github.com/openai/openai-go/v3":      {"pipelines/llm"},
	"github.com/phpdave11/gofpdf":         {"pipelines/render"},
	"github.com/standard-webhooks":        {},
	"github.com/google/go-cmp":            {},
	"pgregory.net/rapid":                  {},
	"github.com/alicebob/miniredis/v2":    {},
	"github.com/chromedp":                 {},
	"github.com/alecthomas/kong":          {},
	"go.opentelemetry.io/otel":            {"jobs/tracing"},
	"go.opentelemetry.io/proto/otlp":      {}, // a receiver in tests
	"google.golang.org/protobuf":          {}, // what it reads
	"golang.org/x/time":                   {"jobs/worker"},
	"github.com/wneessen/go-mail":         {"jobs/channel"},
	"github.com/ebitengine/purego":        {}, // cmd/dossier-ocr: it calls a C library without cgo
}

// outside are the standard library's doors to the world and the clock, closed to pure rooms:
// their rules are tested as tables, without servers and waiting.
var outside = []string{"context", "database/sql", "log", "log/slog", "math/rand", "math/rand/v2", "net", "net/http", "os", "os/exec", "syscall"}

var pure = []string{"root", "analytics", "pipelines/spread", "pipelines/spread/layout", "pipelines/outreach"}

func TestImports(t *testing.T) {
	count, used := 0, map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && file != "." || entry.Name() == "testdata" || entry.Name() == "node_modules" || nested(file)) {
			return fs.SkipDir
		}
		if filepath.Ext(file) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		count++
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := refuse(filepath.ToSlash(file), imported); why != "" {
				t.Errorf("%s imports %s: %s", file, imported, why)
			}
			used[libraryOf(imported)] = true
			if !strings.HasSuffix(file, "_test.go") {
				used[libraryOf(imported)+" in "+roomOf(filepath.ToSlash(file))] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 10 {
		t.Fatalf("looked at %d files only", count)
	}
	for library, importers := range libraries {
		if !used[library] {
			t.Errorf("%s is in the table of libraries and nobody imports it", library)
		}
		for _, importer := range importers {
			if importer != "*" && !used[library+" in "+importer] {
				t.Errorf("%s may import %s and does not", importer, library)
			}
		}
	}
}

// nested says that a directory is a module of its own: a client, which has only the standard library.
func nested(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && dir != "."
}

// roomOf is the room of a file.
func roomOf(file string) string {
	if dir := path.Dir(file); dir != "." {
		return dir
	}
	return "root"
}

// libraryOf is the longest path of the table of libraries that an import belongs to, or nothing.
func libraryOf(imported string) string {
	owner := ""
	for library := range maps.Keys(libraries) {
		if (imported == library || strings.HasPrefix(imported, library+"/")) && len(library) > len(owner) {
			owner = library
		}
	}
	return owner
}

// refuse says why a file may not import a package, or nothing.
func refuse(file, imported string) string {
	importer := roomOf(file)
	if ours, ok := strings.CutPrefix(imported, module); ok {
		return refuseOurs(file, importer, room(strings.TrimPrefix(ours, "/")))
	}
	if strings.HasSuffix(file, "_test.go") || isHelper(importer) {
		return "" // tests may use what they need
	}
	if !strings.Contains(strings.Split(imported, "/")[0], ".") {
		return refuseStandard(importer, imported)
	}
	return refuseLibrary(importer, imported)
}

func room(name string) string {
	if name == "" {
		return "root"
	}
	return name
}

// isHelper recognises the packages that only tests import: pgtest, objectstest.
func isHelper(room string) bool { return strings.HasSuffix(path.Base(room), "test") }

func refuseOurs(file, importer, imported string) string {
	if strings.HasSuffix(file, "_test.go") {
		return ""
	}
	if isHelper(importer) {
		return ""
	}
	if isHelper(imported) {
		return "helpers of tests are for _test.go files"
	}
	allowed, ok := rooms[importer]
	if strings.HasPrefix(importer, "cmd/") {
		allowed, ok = rooms["cmd/..."], true
	}
	if !ok {
		return "package " + importer + " is not in the table of rooms"
	}
	if !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, imported) }) {
		return importer + " may not know this room"
	}
	return ""
}

func matches(pattern, room string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return room == prefix || strings.HasPrefix(room, prefix+"/")
	}
	return pattern == "*" || pattern == room
}

func refuseStandard(importer, imported string) string {
	if slices.Contains(pure, importer) && slices.Contains(outside, imported) {
		return importer + " is pure: no I/O, no clock, no context"
	}
	return ""
}

func refuseLibrary(importer, imported string) string {
	if strings.HasPrefix(importer, "cmd/") {
		return ""
	}
	owner := libraryOf(imported)
	if owner == "" {
		return "a new dependency, not in the table of libraries"
	}
	if !slices.ContainsFunc(libraries[owner], func(pattern string) bool { return matches(pattern, importer) }) {
		return "the library belongs to " + strings.Join(append(slices.Clone(libraries[owner]), "cmd and tests"), ", ")
	}
	return ""
}

// The table must refuse, not only be there.
func TestImports_refuses(t *testing.T) {
	tests := []struct {
		file, imported string
		allowed        bool
	}{
		{"lead.go", module + "/jobs", false},
		{"lead.go", "context", false},
		{"lead.go", "net/netip", true},
		{"lead_test.go", "os", true},
		{"api/leads.go", module + "/storage/postgres", true},
		{"api/leads.go", module + "/pipelines/document/sandbox", false},
		{"pipelines/document/bank/bank.go", module + "/pipelines/document/statement", false},
		{"api/leads.go", module + "/jobs/worker", false},
		{"api/leads.go", "github.com/jackc/pgx/v5", false},
		{"api/leads.go", module + "/cmd/lab/gateway", false},
		{"api/leads.go", module + "/storage/postgres/pgtest", false},
		{"api/leads_test.go", module + "/storage/postgres/pgtest", true},
		{"storage/postgres/lead.go", "github.com/jackc/pgx/v5/pgxpool", true},
		{"storage/postgres/lead.go", module + "/storage/objects", false},
		{"storage/postgres/lead.go", module + "/api", false},
		{"pipelines/spread/ratios.go", module + "/storage/postgres", false},
		{"pipelines/spread/ratios.go", "net/http", false},
		{"webhooks/deliver.go", "github.com/gofiber/fiber/v2", false},
		{"webhooks/deliver.go", "net/http", true},
		{"jobs/worker/document.go", module + "/pipelines/document", true},
		{"jobs/worker/document.go", module + "/api", false},
		{"api/portal/page.go", module + "/api", false},
		{"api/web/send.go", module + "/api/portal", false},
		{"jobs/document.go", "github.com/hibiken/asynq", false},
		{"services/lead.go", module, false},
		{"storage/postgres/lead.go", "github.com/example/orm", false},
		{"cmd/dev/main.go", module + "/api", true},
		{"cmd/dev/main.go", module + "/storage/postgres/pgtest", false},
	}
	for _, test := range tests {
		why := refuse(test.file, test.imported)
		if (why == "") != test.allowed {
			t.Errorf("%s imports %s: allowed %v (%s), want %v", test.file, test.imported, why == "", why, test.allowed)
		}
	}
}

// TestImports_ofPrograms follows the imports of the programs that run in production: what only tests, demonstrations and
// measurements use (cmd/lab) is linked into none of them. The API gives specimens to whoever tries it out, so it draws them.
func TestImports_ofPrograms(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"cmd/dossier-api", "cmd/dossier-worker"} {
		linked := map[string]bool{}
		follow(t, program, linked)
		if len(linked) < 10 {
			t.Errorf("%s imports %d packages only", program, len(linked))
		}
		for imported := range linked {
			if strings.HasPrefix(imported, "cmd/lab/") && (program != "cmd/dossier-api" || imported != "cmd/lab/specimen") {
				t.Errorf("%s links %s", program, imported)
			}
		}
	}
}

// follow adds a package of ours and all that it imports of ours to linked.
func follow(t *testing.T, dir string, linked map[string]bool) {
	t.Helper()
	if linked[dir] {
		return
	}
	linked[dir] = true
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			if ours, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/"); ok {
				follow(t, ours, linked)
			}
		}
	}
}

// TestImports_are_documented holds the table of ARCHITECTURE.md to the one above.
func TestImports_are_documented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for room, imports := range rooms {
		may := strings.ReplaceAll(strings.Join(imports, ", "), "*", "everything")
		if may == "" {
			may = "nothing"
		}
		if row := fmt.Sprintf("| `%s` | %s |", room, may); !strings.Contains(string(text), row) {
			t.Errorf("ARCHITECTURE.md lacks the row %s", row)
		}
	}
}
