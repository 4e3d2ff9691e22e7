package api

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

//go:embed all:openapi
var openapiFiles embed.FS

// spec is the OpenAPI document. Shapes come from the route table and its Go types, so that they cannot differ from
// what the handlers read and write; words come from openapi/<noun>.yaml; examples are real exchanges, recorded by
// the conversation tests.
type spec struct {
	document map[string]any
	json     []byte
	order    []string // operationIds as in the route table
	docsOnce
}

// words is one file openapi/<noun>.yaml.
type words struct {
	Tag        string
	About      string                       // of the tag
	Operations map[string]operationWords    // by the handler's name, which is the operationId
	Schemas    map[string]map[string]any    // laid over the generated schema of that name: descriptions, enums, formats
	Events     map[dossier.EventType]string // what each event means, of the section webhooks
}

type operationWords struct {
	Summary     string
	Description string
	Parameters  map[string]string         // what each parameter means
	Problems    []string                  // codes beside those every operation of its kind has
	Answer      string                    // what the successful answer is
	Also        map[string]map[string]any // further answers by status, as OpenAPI response objects
	Content     map[string]any            // of a successful answer that is not JSON, or of several shapes
	Body        map[string]any            // request content that is not JSON
}

// object is a JSON object of the document.
type object = map[string]any

// ownSpec is that of all routes, which no setting changes: it is made once for all servers of a process.
var ownSpec = sync.OnceValues(func() (*spec, error) { return loadSpec((&Server{}).routes()) })

// loadSpec builds the document of the given routes. Errors name the file and what does not fit.
func loadSpec(rows []route) (*spec, error) {
	base, err := readYAML[object]("openapi/_base.yaml")
	if err != nil {
		return nil, err
	}
	b := &specBuilder{document: base, schemas: newSchemas(), rows: map[string]route{}}
	for _, row := range rows {
		b.rows[row.name()] = row
	}
	files, err := openapiFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if file.IsDir() || strings.HasPrefix(file.Name(), "_") {
			continue
		}
		if err := b.addFile("openapi/" + file.Name()); err != nil {
			return nil, err
		}
	}
	if err := b.finish(); err != nil {
		return nil, err
	}
	out := &spec{document: b.document}
	for _, row := range rows {
		out.order = append(out.order, row.name())
	}
	out.json, err = json.Marshal(b.document)
	return out, err
}

func readYAML[T any](name string) (T, error) {
	var out T
	data, err := openapiFiles.ReadFile(name)
	if err == nil {
		err = yaml.Load(data, &out, yaml.WithKnownFields(true))
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return out, err
}

// name is the operationId: the handler's name.
func (r route) name() string {
	full := runtime.FuncForPC(reflect.ValueOf(r.handler).Pointer()).Name() // .../api.(*Server).createKey-fm
	return strings.TrimSuffix(full[strings.LastIndex(full, ".")+1:], "-fm")
}

type specBuilder struct {
	document object
	schemas  *schemas
	rows     map[string]route
	overlays []map[string]map[string]any
	events   map[dossier.EventType]string
	tags     []any
}

// addFile turns the words of one file and the rows they are about into operations.
func (b *specBuilder) addFile(name string) error {
	w, err := readYAML[words](name)
	if err != nil {
		return err
	}
	if w.Tag != "" {
		b.tags = append(b.tags, object{"name": w.Tag, "description": w.About})
	}
	for _, id := range slices.Sorted(maps.Keys(w.Operations)) {
		row, ok := b.rows[id]
		if !ok {
			return fmt.Errorf("%s: no route has the handler %s", path.Base(name), id)
		}
		operation, err := b.operation(row, id, w.Tag, w.Operations[id])
		if err != nil {
			return fmt.Errorf("%s: %s: %w", path.Base(name), id, err)
		}
		paths := b.document["paths"].(object)
		if paths[row.path] == nil {
			paths[row.path] = object{}
		}
		if paths[row.path].(object)[strings.ToLower(row.method)] != nil {
			return fmt.Errorf("%s: %s is described in another file too", path.Base(name), id)
		}
		paths[row.path].(object)[strings.ToLower(row.method)] = operation
	}
	if w.Schemas != nil {
		b.overlays = append(b.overlays, w.Schemas)
	}
	if w.Events != nil {
		b.events = w.Events
	}
	return nil
}

func (b *specBuilder) operation(row route, id, tag string, w operationWords) (object, error) {
	operation := object{"operationId": id, "tags": []any{tag}, "summary": w.Summary}
	if w.Description != "" {
		operation["description"] = w.Description
	}
	parameters, err := b.parameters(row, w.Parameters)
	if err != nil {
		return nil, err
	}
	if len(parameters) > 0 {
		operation["parameters"] = parameters
	}
	operation["security"] = []any{}
	if row.scope != "" {
		operation["security"] = []any{object{"apiKey": []any{}}, object{"bearer": []any{}}}
		operation["x-scope"] = string(row.scope)
	}
	example := exampleOf(id)
	switch {
	case w.Body != nil:
		operation["requestBody"] = object{"required": true, "content": w.Body}
	case row.body != nil:
		operation["requestBody"] = object{"required": !row.mayBeEmpty,
			"content": jsonContent(b.schemas.of(reflect.TypeOf(row.body), forBody), example.Request)}
	}
	operation["responses"], err = b.responses(row, w, example)
	return operation, err
}

// responses are the successful answer, further ones, and one entry per status of all problems it can meet.
func (b *specBuilder) responses(row route, w operationWords, example example) (object, error) {
	success := object{"description": w.Answer,
		"headers": object{"X-Request-Id": object{"$ref": "#/components/headers/X-Request-Id"}}}
	if w.Answer == "" {
		success["description"] = w.Summary
	}
	switch {
	case w.Content != nil:
		success["content"] = w.Content
		if media, ok := w.Content[fiber.MIMEApplicationJSON].(object); ok && row.answer != nil {
			b.schemas.of(reflect.TypeOf(row.answer), forAnswer) // the words refer to it
			if example.Answer != nil {
				media["example"] = example.Answer
			}
		}
	case row.answer != nil:
		success["content"] = jsonContent(b.schemas.of(reflect.TypeOf(row.answer), forAnswer), example.Answer)
	}
	responses := object{strconv.Itoa(row.success()): success}
	for status, response := range w.Also {
		responses[status] = response
	}
	byStatus := map[int][]string{}
	for _, name := range append(row.problems(), w.Problems...) {
		code, ok := dossier.CodeByName(name)
		if !ok {
			return nil, fmt.Errorf("problems: %s is not in the table of codes", name)
		}
		status := web.StatusOf[code.Kind]
		if !slices.Contains(byStatus[status], name) {
			byStatus[status] = append(byStatus[status], name)
		}
	}
	for status, names := range byStatus {
		responses[strconv.Itoa(status)] = problemResponse(names)
	}
	return responses, nil
}

func problemResponse(names []string) object {
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		code, _ := dossier.CodeByName(name)
		fmt.Fprintf(&text, "- `%s`: %s\n", name, code.Title)
	}
	codes := make([]any, len(names))
	for i, name := range names {
		codes[i] = name
	}
	return object{"description": strings.TrimSpace(text.String()), "x-codes": codes,
		"content": object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}
}

func jsonContent(schema object, example json.RawMessage) object {
	media := object{"schema": schema}
	if example != nil {
		media["example"] = example
	}
	return object{fiber.MIMEApplicationJSON: media}
}

// success is the status of the answer when all went well.
func (r route) success() int {
	switch {
	case r.status != 0:
		return r.status
	case r.answer == nil && r.method == fiber.MethodDelete:
		return fiber.StatusNoContent
	}
	return fiber.StatusOK
}

// problems are the codes that every operation of this kind can meet.
func (r route) problems() []string {
	var codes []string
	if r.scope != "" {
		codes = append(codes, "unauthorized", "insufficient_scope", "rate_limited", "internal", "unavailable",
			"unknown_parameter", "workspace_not_found")
	}
	if r.query != nil {
		codes = append(codes, "validation_failed")
	}
	if r.body != nil {
		codes = append(codes, "invalid_json", "validation_failed", "unknown_field", "unsupported_media_type",
			"payload_too_large")
	}
	if r.files {
		codes = append(codes, "validation_failed", "unsupported_media_type", "payload_too_large")
	}
	if r.scope != "" && r.method != fiber.MethodGet {
		codes = append(codes, "cross_site_request", "idempotency_in_progress", "idempotency_key_reused",
			"invalid_idempotency_key", "unknown_field")
	}
	return codes
}

// finish adds the webhooks, and the schemas with the words laid over them.
func (b *specBuilder) finish() error {
	if err := b.webhooks(); err != nil {
		return err
	}
	all := b.document["components"].(object)["schemas"].(object)
	for name, schema := range b.schemas.named {
		if _, twice := all[name]; twice {
			return fmt.Errorf("schema %s is in _base.yaml and has a Go type", name)
		}
		all[name] = schema
	}
	enums, err := readYAML[map[string][]string]("openapi/_enums.yaml")
	if err != nil {
		return err
	}
	for name, values := range enums {
		if schema, ok := all[name].(object); ok {
			schema["enum"] = values
		}
	}
	for _, overlay := range b.overlays {
		for name, changes := range overlay {
			schema, ok := all[name].(object)
			if !ok {
				return fmt.Errorf("openapi/*.yaml describes the schema %s, which no operation uses", name)
			}
			if err := mergeWords(changes, schema, name); err != nil {
				return err
			}
		}
	}
	b.document["tags"] = b.tags
	return nil
}

// mergeWords writes descriptions into a generated schema. Error: a property that the Go type does not have.
func mergeWords(changes, onto object, where string) error {
	for name, value := range changes {
		inner, isObject := value.(object)
		existing, has := onto[name].(object)
		switch {
		case isObject && has:
			if err := mergeWords(inner, existing, where+"."+name); err != nil {
				return err
			}
		case strings.HasSuffix(where, ".properties"):
			return fmt.Errorf("%s describes %s, which the Go type does not have", where, name)
		default:
			onto[name] = value
		}
	}
	return nil
}

// example is a recorded exchange of an operation: openapi/examples/<operationId>.json.
type example struct {
	Request json.RawMessage `json:"request,omitempty"` // as text: the order of names is for readers
	Answer  json.RawMessage `json:"answer,omitempty"`
}

func exampleOf(id string) example { return readExample("openapi/examples/" + id + ".json") }

// pipelineExample is a pipeline's parameters and the result of a run: openapi/pipelines/<pipelineId>.json.
func pipelineExample(id string) example { return readExample("openapi/pipelines/" + id + ".json") }

func readExample(file string) example {
	var e example
	if data, err := openapiFiles.ReadFile(file); err == nil {
		_ = json.Unmarshal(data, &e) // a test reads them all
	}
	return e
}

// openAPI serves the document.
func (s *Server) openAPI(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*") // it is public, and tools in browsers read it
	return c.Send(s.spec.json)
}
