package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// faulter is a body with rules across its fields.
type faulter interface{ Faults() []dossier.Fault }

// DecodeJSON is decode without HTTP.
func DecodeJSON[T any](body []byte) (T, error) {
	var out, none T
	tree, err := ParseJSON(body)
	if err != nil {
		return none, err
	}
	var faults []dossier.Fault
	checkValue(tree, reflect.TypeFor[T](), Rules{}, "", &faults)
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
	for _, fault := range f.Faults() {
		if !known[fault.Pointer] {
			faults = append(faults, fault)
		}
	}
	return faults
}

// WantJSON refuses bodies that say they are something else. Saying nothing is taken as JSON.
func WantJSON(c *fiber.Ctx) error {
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

// ReadBody reads the whole body, once; later calls give the same bytes. Error: TooLarge.
func ReadBody(c *fiber.Ctx, limit int) ([]byte, error) {
	if body, ok := c.Locals(BodyKey).([]byte); ok {
		return body, nil
	}
	if declared := c.Request().Header.ContentLength(); declared > limit {
		return nil, TooLarge(limit)
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
		return nil, TooLarge(limit)
	}
	c.Locals(BodyKey, body)
	return body, nil
}

// TooLarge is the error of a body with more bytes than it may have.
func TooLarge(limit int) error {
	return dossier.Errorf(dossier.TooLarge, "The body may have at most %d bytes", limit)
}

// Node is a parsed JSON value that remembers the order of names.
type Node struct {
	Kind   byte // one of { [ s n b 0
	Names  []string
	Items  []*Node // values of names, or elements
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
	return p.in.pointer() + "/" + EscapePointer(p.name)
}

// ParseJSON reads exactly one JSON value.
func ParseJSON(body []byte) (*Node, error) {
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

func (d *treeDecoder) value(at *place, depth int) (*Node, error) {
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
		return &Node{Kind: 's', text: value}, nil
	case json.Number:
		return &Node{Kind: 'n', text: value.String()}, nil
	case bool:
		return &Node{Kind: 'b', isTrue: value}, nil
	}
	return &Node{Kind: '0'}, nil
}

func (d *treeDecoder) object(at *place, depth int) (*Node, error) {
	object := &Node{Kind: '{'}
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
				Message: fmt.Sprintf("%s is there twice", Printable(pointer)),
				Faults: []dossier.Fault{{Pointer: pointer, Code: "duplicate_field",
					Detail: "This name is there twice"}}}
		}
		seen[name] = true
		value, err := d.value(inside, depth+1)
		if err != nil {
			return nil, err
		}
		object.Names, object.Items = append(object.Names, name), append(object.Items, value)
	}
	_, err := d.Token()
	return object, err
}

func (d *treeDecoder) array(at *place, depth int) (*Node, error) {
	array := &Node{Kind: '['}
	for d.More() {
		value, err := d.value(&place{at, strconv.Itoa(len(array.Items))}, depth+1)
		if err != nil {
			return nil, err
		}
		array.Items = append(array.Items, value)
	}
	_, err := d.Token()
	return array, err
}

// EscapePointer writes a name as a token of a JSON pointer (RFC 6901).
func EscapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// SortNames puts the names of every object in order.
func (n *Node) SortNames() {
	for _, item := range n.Items {
		item.SortNames()
	}
	if n.Kind != '{' {
		return
	}
	order := make([]int, len(n.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(n.Names[a], n.Names[b]) })
	names, items := make([]string, len(order)), make([]*Node, len(order))
	for i, from := range order {
		names[i], items[i] = n.Names[from], n.Items[from]
	}
	n.Names, n.Items = names, items
}
