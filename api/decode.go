package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// decode reads the JSON body into a T and reports all faults at once, each with a JSON pointer: unknown fields,
// wrong types, missing ones, sizes, and what T's own method `faults() []dossier.Fault` adds. Errors: Invalid,
// TooLarge, Unsupported (the Content-Type is not JSON).
//
// T's fields carry `json:"name"` and may carry `check:"..."`, words separated by commas:
//
//	required   must be there and not null; a string must not be empty
//	notnull    may be absent but not null
//	max=N      of a string: characters (default 255); of a list: entries (default 500); of a number: value
//	min=N      the same from below
//	text       a string of up to 10,000 characters
//	url        an absolute http or https address of up to 2,048 characters
//	email      an address
//	metadata   free JSON of up to 32 kB as text
//
// A pointer is optional, null being as good as absent. Optional[X] tells absent, null and a value apart. Types
// with a method Valid() bool take only valid values; the id types of the root take only UUIDs. Numbers in `any`
// arrive as json.Number.
func decode[T any](c *fiber.Ctx) (T, error) {
	var none T
	if r, ok := c.Locals(routeKey).(route); ok && reflect.TypeOf(r.body) != reflect.TypeOf(none) {
		return none, fmt.Errorf("route %s %s declares body %T, its handler reads %T", r.method, r.path, r.body, none)
	}
	if err := wantJSON(c); err != nil {
		return none, err
	}
	body, err := readBody(c, jsonLimit)
	if err != nil {
		return none, err
	}
	return decodeJSON[T](body)
}

// decodeOrEmpty is decode for an operation whose body may be missing.
func decodeOrEmpty[T any](c *fiber.Ctx) (T, error) {
	var none T
	body, err := readBody(c, jsonLimit)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return none, err
	}
	return decode[T](c)
}

// faulter is a body with rules across its fields.
type faulter interface{ faults() []dossier.Fault }

// decodeJSON is decode without HTTP.
func decodeJSON[T any](body []byte) (T, error) {
	var out, none T
	tree, err := parseJSON(body)
	if err != nil {
		return none, err
	}
	var faults []dossier.Fault
	checkValue(tree, reflect.TypeFor[T](), rules{}, "", &faults)
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err == nil {
		// T's own rules are held to what can be read, so that a caller learns of everything in one go.
		faults = appendFaults(faults, out)
	} else if len(faults) == 0 {
		return none, dossier.Coded(dossier.Invalid, "invalid_json", "The body cannot be read: %v", err)
	}
	if len(faults) > 0 {
		return none, dossier.InvalidFaults(faults)
	}
	return out, nil
}

// appendFaults adds what the body's own rules say of places that have no fault yet.
func appendFaults(faults []dossier.Fault, body any) []dossier.Fault {
	f, ok := body.(faulter)
	if !ok {
		return faults
	}
	known := map[string]bool{}
	for _, fault := range faults {
		known[fault.Pointer] = true
	}
	for _, fault := range f.faults() {
		if !known[fault.Pointer] {
			faults = append(faults, fault)
		}
	}
	return faults
}

// wantJSON refuses bodies that say they are something else. Saying nothing is taken as JSON.
func wantJSON(c *fiber.Ctx) error {
	if encoding := c.Get(fiber.HeaderContentEncoding); encoding != "" && encoding != "identity" {
		return dossier.Errorf(dossier.Unsupported, "Content-Encoding is not supported; send the body as it is")
	}
	given := c.Get(fiber.HeaderContentType)
	kind, _, err := mime.ParseMediaType(given)
	if given == "" || (err == nil && (kind == "application/json" ||
		(strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")))) {
		return nil
	}
	return dossier.Errorf(dossier.Unsupported, "This operation takes Content-Type: application/json")
}

// readBody reads the whole body, once; later calls give the same bytes. Error: TooLarge.
func readBody(c *fiber.Ctx, limit int) ([]byte, error) {
	if body, ok := c.Locals(bodyKey).([]byte); ok {
		return body, nil
	}
	if declared := c.Request().Header.ContentLength(); declared > limit {
		return nil, tooLarge(limit)
	}
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return nil, nil
	}
	if err := reserveBody(c, limit); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(stream, int64(limit)+1))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body ended early")
	}
	if len(body) > limit {
		return nil, tooLarge(limit)
	}
	c.Locals(bodyKey, body)
	return body, nil
}

func tooLarge(limit int) error {
	return dossier.Errorf(dossier.TooLarge, "The body may have at most %d bytes", limit)
}

// node is a parsed JSON value that remembers the order of names.
type node struct {
	kind   byte // one of { [ s n b 0
	names  []string
	items  []*node // values of names, or elements
	text   string  // of a string or number
	isTrue bool
}

const (
	maxDepth = 32
	maxNodes = 50_000 // values of a body: a tree of them takes many times the memory of their text
)

// treeDecoder reads one body and counts its values.
type treeDecoder struct {
	*json.Decoder
	nodes int
}

// place is where a value stands; its pointer is written only when there is something to say of it.
type place struct {
	in   *place
	name string
}

func (p *place) pointer() string {
	if p == nil {
		return ""
	}
	return p.in.pointer() + "/" + escapePointer(p.name)
}

// parseJSON reads exactly one JSON value.
func parseJSON(body []byte) (*node, error) {
	if !utf8.Valid(body) {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is not valid UTF-8")
	}
	decoder := &treeDecoder{Decoder: json.NewDecoder(bytes.NewReader(body))}
	decoder.UseNumber()
	tree, err := decoder.value(nil, 0)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is something after the JSON value")
		}
	}
	var known *dossier.Error
	switch {
	case err == nil:
		return tree, nil
	case errors.As(err, &known):
		return nil, known
	case len(bytes.TrimSpace(body)) == 0:
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is empty; a JSON object is expected")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON: it ends too early")
	}
	return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON: %v (byte %d)", err,
		decoder.InputOffset())
}

func (d *treeDecoder) value(at *place, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is nested deeper than %d levels", maxDepth)
	}
	if d.nodes++; d.nodes > maxNodes {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body has more than %d values", maxNodes)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch value := token.(type) {
	case json.Delim:
		if value == '{' {
			return d.object(at, depth)
		}
		return d.array(at, depth)
	case string:
		return &node{kind: 's', text: value}, nil
	case json.Number:
		return &node{kind: 'n', text: value.String()}, nil
	case bool:
		return &node{kind: 'b', isTrue: value}, nil
	}
	return &node{kind: '0'}, nil
}

func (d *treeDecoder) object(at *place, depth int) (*node, error) {
	object := &node{kind: '{'}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		inside := &place{at, name}
		if seen[name] {
			pointer := inside.pointer()
			return nil, &dossier.Error{Kind: dossier.Invalid, Code: "invalid_json",
				Message: fmt.Sprintf("%s is there twice", printable(pointer)),
				Faults: []dossier.Fault{{Pointer: pointer, Code: "duplicate_field",
					Detail: "This name is there twice"}}}
		}
		seen[name] = true
		value, err := d.value(inside, depth+1)
		if err != nil {
			return nil, err
		}
		object.names, object.items = append(object.names, name), append(object.items, value)
	}
	_, err := d.Token()
	return object, err
}

func (d *treeDecoder) array(at *place, depth int) (*node, error) {
	array := &node{kind: '['}
	for d.More() {
		value, err := d.value(&place{at, strconv.Itoa(len(array.items))}, depth+1)
		if err != nil {
			return nil, err
		}
		array.items = append(array.items, value)
	}
	_, err := d.Token()
	return array, err
}

// escapePointer writes a name as a token of a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
