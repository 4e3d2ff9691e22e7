package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

//go:embed docs.html
var docsText string

//go:embed docs.js
var docsScript string

// docsCSP lets the page run its own script, which may ask this service only.
var docsCSP = pageCSP + "; connect-src 'self'; script-src 'sha256-" + sumOf(docsScript) + "'"

func sumOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

var docsPage = template.Must(template.New("docs").Parse(docsText))

// docs is the OpenAPI document as a page. It can be read without its script, which searches, copies, changes the
// language of examples and tries operations out; it asks nobody else for anything.
func (s *Server) docs(c *fiber.Ctx) error {
	s.spec.once.Do(func() {
		var page strings.Builder
		view := s.spec.view()
		view.Script = template.JS(docsScript) // our own
		examples, err := loadExamples()
		if err == nil {
			view.show(examples)
			err = docsPage.Execute(&page, view)
		}
		s.spec.failed = err
		s.spec.page = page.String()
	})
	if s.spec.failed != nil {
		return s.spec.failed
	}
	if err := sendHTML(c, s.spec.page); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, docsCSP)
	return nil
}

// docsOnce keeps the page: it is the same for everyone.
type docsOnce struct {
	once   sync.Once
	page   string
	failed error
}

// docsView is what the page shows.
type docsView struct {
	Title, Version, Summary string
	About                   template.HTML
	Tags                    []tagView
	Reasons                 []reasonView
	Script                  template.JS
}

type tagView struct {
	Name       string
	About      template.HTML
	Operations []operationView
	Events     []eventView // of the tag Events
}

// eventView is an event by example.
type eventView struct {
	Type    string
	About   template.HTML
	Fields  []fieldView
	Example string
}

type operationView struct {
	ID, Method, Verb, Path, Scope, Summary string
	Description                            template.HTML
	Parameters, Body, Fields               []fieldView
	Status                                 int
	Answer                                 template.HTML
	Curl, Example                          string
	Sent                                   string // the example of its body
	Try                                    bool   // with a test key, from the page
	Client                                 clientExample
	Problems                               []problemView
	Pipelines                              []pipelineView // of startPipeline
}

// pipelineView is a built-in pipeline by example.
type pipelineView struct{ ID, About, Curl, Result string }

type problemView struct {
	Status string
	Codes  []any
}

// fieldView is a parameter, or a property with those inside it.
type fieldView struct {
	Name, Type  string
	Description template.HTML
	Required    bool
	Fields      []fieldView
}

// view reads what the page shows out of the document.
func (s *spec) view() docsView {
	info := s.document["info"].(object)
	view := docsView{Title: text(info["title"]), Version: text(info["version"]), Summary: text(info["summary"]),
		About: prose(text(info["description"])), Reasons: reasonViews()}
	tags, _ := s.document["tags"].([]any)
	for _, tag := range tags {
		t := tag.(object)
		view.Tags = append(view.Tags, tagView{Name: text(t["name"]), About: marked(text(t["description"])),
			Operations: s.operationsOf(text(t["name"]))})
	}
	for i := range view.Tags {
		if view.Tags[i].Name == "Events" {
			view.Tags[i].Events = s.eventViews()
		}
	}
	slices.SortStableFunc(view.Tags, func(a, b tagView) int { return s.firstRow(a) - s.firstRow(b) })
	return view
}

// firstRow is where the route table first mentions a tag's operation: the page keeps the table's order.
func (s *spec) firstRow(t tagView) int {
	if len(t.Operations) == 0 {
		return len(s.order)
	}
	return slices.Index(s.order, t.Operations[0].ID)
}

func (s *spec) operationsOf(tag string) []operationView {
	var out []operationView
	for path, item := range s.document["paths"].(object) {
		for method, operation := range item.(object) {
			if op := operation.(object); text(op["tags"].([]any)[0]) == tag {
				out = append(out, s.operationView(path, method, op))
			}
		}
	}
	slices.SortFunc(out, func(a, b operationView) int {
		return slices.Index(s.order, a.ID) - slices.Index(s.order,
			b.ID)
	})
	return out
}

// eventViews are the events in the order of their list.
func (s *spec) eventViews() []eventView {
	var out []eventView
	for _, event := range dossier.EventTypes() {
		post := s.document["webhooks"].(object)[string(event)].(object)["post"].(object)
		body := content(post["requestBody"])
		out = append(out, eventView{Type: string(event), About: prose(text(post["summary"])),
			Fields: s.fieldsOf(body["schema"], 0), Example: pretty(body["example"])})
	}
	return out
}

func (s *spec) operationView(path, method string, op object) operationView {
	v := operationView{ID: text(op["operationId"]), Method: strings.ToUpper(method), Verb: method, Path: path,
		Scope:   text(op["x-scope"]),
		Summary: text(op["summary"]), Description: prose(text(op["description"]))}
	parameters, _ := op["parameters"].([]any)
	for _, p := range parameters {
		parameter := s.resolve(p.(object))
		schema, _ := parameter["schema"].(object)
		required, _ := parameter["required"].(bool)
		v.Parameters = append(v.Parameters,
			fieldView{Name: text(parameter["name"]), Type: s.typeOf(schema) + " in " + text(parameter["in"]),
				Description: marked(text(parameter["description"])), Required: required})
	}
	body := content(op["requestBody"])
	if body != nil {
		v.Body = s.fieldsOf(body["schema"], 0)
	}
	v.Curl = curl(v, body)
	v.Sent = pretty(body["example"])
	v.Try = v.Scope != "" && (body == nil || v.Sent != "")
	if v.ID == "startPipeline" {
		v.Pipelines = pipelineViews(v)
	}
	s.addResponses(&v, op["responses"].(object))
	return v
}

func pipelineViews(start operationView) []pipelineView {
	views := make([]pipelineView, len(jobs.Pipelines))
	for i, p := range jobs.Pipelines {
		e := pipelineExample(p.ID)
		of := start
		of.Path = strings.Replace(start.Path, "{pipelineId}", p.ID, 1)
		views[i] = pipelineView{p.ID, p.Description, curl(of, object{"example": e.Request}), pretty(e.Answer)}
	}
	return views
}

func (s *spec) addResponses(v *operationView, responses object) {
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		response := responses[status].(object)
		if codes, ok := response["x-codes"].([]any); ok {
			v.Problems = append(v.Problems, problemView{status, codes})
			continue
		}
		if number, _ := strconv.Atoi(status); v.Status == 0 && number < 400 {
			v.Status, v.Answer = number, prose(text(response["description"]))
			if media := content(response); media != nil {
				v.Fields = s.fieldsOf(media["schema"], 0)
				v.Example = pretty(media["example"])
			}
		}
	}
}

// content is the first media type of a body, JSON before others.
func content(of any) object {
	holder, _ := of.(object)
	media, _ := holder["content"].(object)
	if found, ok := media["application/json"].(object); ok {
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(media)) {
		found, _ := media[name].(object)
		return found
	}
	return nil
}

// resolve follows a reference inside the document.
func (s *spec) resolve(schema object) object {
	for {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		var at any = s.document
		for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(object)[part]
		}
		schema, _ = at.(object)
	}
}

// maxShown is how deep the page opens objects inside objects; deeper ones are named only.
const maxShown = 5

// fieldsOf are the properties of a schema, of its elements, or of its one alternative that is not null.
func (s *spec) fieldsOf(of any, depth int) []fieldView {
	schema, ok := of.(object)
	if !ok || depth > maxShown {
		return nil
	}
	schema = s.resolve(schema)
	if items, ok := schema["items"].(object); ok {
		return s.fieldsOf(items, depth)
	}
	if options, ok := schema["anyOf"].([]any); ok {
		return s.fieldsOf(options[0], depth)
	}
	if more, ok := schema["additionalProperties"].(object); ok {
		return s.fieldsOf(more, depth)
	}
	properties, _ := schema["properties"].(object)
	required, _ := schema["required"].([]any)
	_, closed := schema["additionalProperties"] // only bodies say which fields must be there: answers have all
	var out []fieldView
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := properties[name].(object)
		out = append(out, fieldView{Name: name, Type: s.typeOf(property), Description: fieldProse(s.describe(property)),
			Required: closed && slices.Contains(required, any(name)), Fields: s.fieldsOf(property, depth+1)})
	}
	slices.SortStableFunc(out, func(a, b fieldView) int { return boolRank(b.Required) - boolRank(a.Required) })
	return out
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *spec) describe(schema object) string {
	if own := text(schema["description"]); own != "" {
		return own
	}
	if ref := text(schema["$ref"]); strings.HasSuffix(ref, "/Id") || strings.HasSuffix(ref, "/Timestamp") {
		return "" // their type says it
	}
	return text(s.resolve(schema)["description"])
}

// typeOf says a schema's type in a few words: "array of string, up to 50", "string or null".
func (s *spec) typeOf(schema object) string {
	switch ref := text(schema["$ref"]); {
	case strings.HasSuffix(ref, "/Id"):
		return "id"
	case strings.HasSuffix(ref, "/Timestamp"):
		return "timestamp"
	case ref != "":
		schema = s.resolve(schema)
	}
	if options, ok := schema["anyOf"].([]any); ok {
		return s.typeOf(options[0].(object)) + " or null"
	}
	name := "any"
	switch kind := schema["type"].(type) {
	case string:
		name = kind
	case []any:
		name = fmt.Sprintf("%v or %v", kind[0], kind[1])
	}
	if items, ok := schema["items"].(object); ok {
		name = strings.Replace(name, "array", "array of "+s.typeOf(items), 1)
	}
	if format := text(schema["format"]); format != "" {
		name += " (" + format + ")"
	}
	if values, ok := schema["enum"]; ok {
		list, _ := values.([]string)
		name = "one of " + strings.Join(list, ", ")
	}
	return name + boundsText(schema)
}

func boundsText(schema object) string {
	for _, name := range []string{"maxLength", "maxItems", "maximum"} {
		if limit, ok := schema[name]; ok {
			return fmt.Sprintf(", up to %v", limit)
		}
	}
	return ""
}

// curl is the request as a shell command.
func curl(v operationView, body object) string {
	var out strings.Builder
	out.WriteString("curl ")
	if v.Method != "GET" {
		out.WriteString("-X " + v.Method + " ")
	}
	out.WriteString(`"$DOSSIER_URL` + v.Path + `"`)
	if v.Scope != "" {
		out.WriteString(" \\\n  -H \"x-api-key: $DOSSIER_API_KEY\"")
	}
	if body != nil && body["example"] != nil {
		out.WriteString(" \\\n  -H 'Content-Type: application/json' \\\n  -d '" +
			strings.ReplaceAll(pretty(body["example"]), "'", `'\''`) + "'")
	}
	return out.String()
}

// pretty is an example with its names in their own order.
func pretty(value any) string {
	raw, ok := value.(json.RawMessage)
	var out bytes.Buffer
	if !ok || json.Indent(&out, raw, "", "  ") != nil {
		return ""
	}
	return out.String()
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

var (
	boldText = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	codeText = regexp.MustCompile("`([^`]+)`")
)

// marked is text with its code and its bold words marked.
func marked(text string) template.HTML {
	html := boldText.ReplaceAllString(template.HTMLEscapeString(text), "<b>$1</b>")
	return template.HTML(codeText.ReplaceAllString(html, "<code>$1</code>")) // escaped above; the words are our own
}

// prose turns the little Markdown of our descriptions into HTML: paragraphs, lists, tables, bold, code.
func prose(markdown string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(markdown), "\n\n") {
		if block == "" {
			continue
		}
		html := string(marked(block))
		if strings.HasPrefix(html, "| ") {
			out.WriteString(tableHTML(html))
			continue
		}
		if strings.HasPrefix(html, "- ") {
			out.WriteString("<ul><li>" + strings.ReplaceAll(strings.TrimPrefix(html, "- "), "\n- ", "</li><li>") +
				"</li></ul>")
			continue
		}
		out.WriteString("<p>" + html + "</p>")
	}
	return template.HTML(out.String()) // escaped above; the words are our own
}
