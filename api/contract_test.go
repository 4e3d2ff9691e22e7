package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// contract holds every exchange of a conversation against the OpenAPI document.
type contract struct {
	router routers.Router
	rows   []route
}

// theContract is built once: all tests share the document.
var theContract = sync.OnceValues(func() (*contract, error) {
	for _, media := range []string{"text/html", "application/pdf", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.PlainBodyDecoder)
	}
	rows := (&Server{}).routes()
	s, err := loadSpec(rows)
	if err != nil {
		return nil, err
	}
	// For clients, answers may grow. For tests, a field that the document does not have is an error.
	for _, schema := range s.document["components"].(object)["schemas"].(object) {
		close := schema.(object)
		if close["properties"] != nil && close["additionalProperties"] == nil {
			close["additionalProperties"] = false
		}
	}
	text, err := json.Marshal(s.document)
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	router, err := gorillamux.NewRouter(document)
	return &contract{router: router, rows: rows}, err
})

// check reports where an exchange and the document differ: an accepted request that the document forbids, a
// status, body or problem code it does not know.
func (k *contract) check(t *testing.T, where string, method, path string, headers []string, body string, got answer) {
	t.Helper()
	if method == http.MethodHead || method == http.MethodOptions {
		return
	}
	request, err := http.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", "given")
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	found, parameters, err := k.router.FindRoute(request)
	if err != nil {
		return // not an operation: the answer is a 404 or 405 of any address
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: found, QueryParams: splitLists(request.URL),
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, ExcludeRequestBody: body == ""}}
	if got.Status < 300 {
		if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
			t.Errorf("%s: the document forbids a request that was accepted: %v", where, err)
		}
	}
	response := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: got.Status, Header: got.Header, Options: input.Options,
		Body: io.NopCloser(strings.NewReader(got.Body))}
	if err := openapi3filter.ValidateResponse(context.Background(), response); err != nil {
		t.Errorf("%s: %s answers what the document does not say: %v", where, found.Operation.OperationID, err)
	}
	k.checkCode(t, where, found.Operation, got)
}

// checkCode wants each problem's code to be listed under its status.
func (k *contract) checkCode(t *testing.T, where string, operation *openapi3.Operation, got answer) {
	t.Helper()
	if got.Status < 400 || got.Header.Get("Content-Type") != "application/problem+json" {
		return
	}
	var p problem
	if err := json.Unmarshal([]byte(got.Body), &p); err != nil {
		t.Fatal(err)
	}
	documented := operation.Responses.Value(fmt.Sprint(got.Status))
	if documented == nil {
		return // reported by ValidateResponse
	}
	codes, _ := documented.Value.Extensions["x-codes"].([]any)
	if !slices.Contains(codes, any(p.Code)) {
		t.Errorf("%s: %s can answer %d %s, which its problems do not list", where, operation.OperationID, got.Status, p.Code)
	}
}

// splitLists gives the query as the validator wants lists that are not repeated: it is told of the first only.
func splitLists(u *url.URL) url.Values {
	values := u.Query()
	for name, given := range values {
		values[name] = []string{strings.Join(given, ",")}
	}
	return values
}

var (
	anyID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	anyKey   = regexp.MustCompile(`dsr_(live|test)_[0-9a-f]{16}(_[0-9a-f]{64})?`)
	anyHost  = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	anyQuery = regexp.MustCompile(`\?X-Amz-[^"]*`)
	anySeal  = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)
)

// keepExample writes an exchange as the example of its operation, with everything that changes from run to run
// replaced by steady made-up values. An example that is there stays: delete its file to record it anew.
func keepExample(t *testing.T, id, request, answer string) {
	t.Helper()
	file := "openapi/examples/" + id + ".json"
	if _, err := os.Stat(file); err == nil {
		return
	}
	names := map[string]string{}
	steady := func(text string) json.RawMessage {
		text = anyID.ReplaceAllStringFunc(text, func(found string) string {
			if names[found] == "" {
				names[found] = fmt.Sprintf("019b7d2a-31c0-7000-8000-%012d", len(names)+1)
			}
			return names[found]
		})
		text = anyKey.ReplaceAllStringFunc(text, func(found string) string {
			public := found[:len("dsr_live_")] + "5f0c2a9d41e7b386"
			if len(found) > len(public) {
				return public + "_" + strings.Repeat("0123456789abcdef", 4)
			}
			return public
		})
		text = anySeal.ReplaceAllString(anyQuery.ReplaceAllString(anyHost.ReplaceAllString(text, "https://dossier.example.com"), "?X-Amz-Signature=..."), "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")
		if !json.Valid([]byte(text)) {
			return nil // no body, or a page or file
		}
		return json.RawMessage(text)
	}
	e := example{Request: steady(request), Answer: steady(answer)}
	if e.Request == nil && e.Answer == nil {
		return
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(e); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("openapi/examples", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// held checks an exchange against the document and, with -update, keeps it as an example when it succeeded.
func held(t *testing.T, where, method, path string, headers []string, body string, got answer) {
	t.Helper()
	k, err := theContract()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if row, ok := k.row(method, path); ok && got.Status == row.success() {
			keepExample(t, row.name(), body, got.Body)
		}
		return
	}
	k.check(t, where, method, path, headers, body, got)
}

// row finds the row of a path.
func (k *contract) row(method, path string) (route, bool) {
	path, _, _ = strings.Cut(path, "?")
	for _, r := range byPrecedence(k.rows) {
		form := "^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(r.path), "[^/]+") + "$"
		if r.method == method && regexp.MustCompile(form).MatchString(path) {
			return r, true
		}
	}
	return route{}, false
}
