package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// Node is a parsed JSON value that remembers the order of names.
type Node struct {
	Kind   byte // one of { [ s n b 0
	isTrue bool
	Names  []string
	Items  []*Node // values of names, or elements
	text   string  // of a string or number
}

const (
	maxDepth = 32
	maxNodes = 50_000 // values of a body: a tree of them takes many times the memory of their text
	fewNames = 16     // of an object: so many are compared one by one
)

// ParseJSON reads exactly one JSON value. What has too many values, or is no JSON, is refused before anything is built
// of it.
func ParseJSON(body []byte) (*Node, error) {
	if !utf8.Valid(body) {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body is not valid UTF-8")
	}
	values, err := countValues(body)
	if err != nil {
		return nil, err
	}
	if !json.Valid(body) {
		return nil, notJSON(body)
	}
	t := tree{text: string(body), nodes: make([]Node, 0, values)}
	return t.value(nil)
}

// notJSON says where a body stops being JSON.
func notJSON(body []byte) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return dossier.Coded(dossier.Invalid, "invalid_json", "The body is empty; a JSON object is expected")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	err, at := decoder.Decode(new(json.RawMessage)), decoder.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		err = errors.New("there is something after the JSON value")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON: it ends too early")
	case errors.As(err, &syntax):
		at = syntax.Offset
	}
	return dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON: %v (byte %d)", err, at)
}

// countValues tells by brackets and commas how many values a body has. Error: Invalid, when they are too many or stand
// too deep.
func countValues(body []byte) (int, error) {
	values, depth := 1, 0
	for i := 0; i < len(body); i++ {
		switch b := body[i]; b {
		case '"':
			i = endOfString(body, i)
		case ',':
			values++
		case ']', '}':
			depth--
		case '[', '{':
			depth++
			if within := bytes.TrimLeft(body[i+1:], " \t\r\n"); len(within) == 0 || within[0] == b+2 { // its bracket
				continue
			}
			if values++; depth > maxDepth {
				return 0, dossier.Coded(dossier.Invalid, "invalid_json", "The body is nested deeper than %d levels",
					maxDepth)
			}
		}
		if values > maxNodes {
			return 0, dossier.Coded(dossier.Invalid, "invalid_json", "The body has more than %d values", maxNodes)
		}
	}
	return values, nil
}

// endOfString is the place of the quote that ends a string.
func endOfString[T []byte | string](text T, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at
}

// tree builds the nodes of a text that is known to be JSON. Their memory is taken at once.
type tree struct {
	text  string
	at    int
	nodes []Node
}

// place is where a value stands; its pointer is written only when there is something to say of it.
type place struct {
	in   *place
	name string
	node *Node // the array of which it is the next element, or nil
}

func (p *place) pointer() string {
	switch {
	case p == nil:
		return ""
	case p.node != nil:
		return p.in.pointer() + "/" + strconv.Itoa(len(p.node.Items))
	}
	return p.in.pointer() + "/" + EscapePointer(p.name)
}

// next is the next character that is no white space.
func (t *tree) next() byte {
	for {
		switch b := t.text[t.at]; b {
		case ' ', '\t', '\r', '\n':
			t.at++
		default:
			return b
		}
	}
}

func (t *tree) value(at *place) (*Node, error) {
	t.nodes = append(t.nodes, Node{})
	n := &t.nodes[len(t.nodes)-1]
	switch b := t.next(); b {
	case '{':
		return n, t.object(n, at)
	case '[':
		return n, t.array(n, at)
	case '"':
		n.Kind, n.text = 's', t.string()
	case 't', 'f':
		n.Kind, n.isTrue = 'b', b == 't'
		t.word()
	case 'n':
		n.Kind = '0'
		t.word()
	default:
		n.Kind, n.text = 'n', t.word()
	}
	return n, nil
}

// word is a number, or one of the three words.
func (t *tree) word() string {
	from := t.at
	for t.at < len(t.text) && strings.IndexByte(",]} \t\r\n", t.text[t.at]) < 0 {
		t.at++
	}
	return t.text[from:t.at]
}

func (t *tree) string() string {
	from := t.at
	t.at = endOfString(t.text, from) + 1
	if inside := t.text[from+1 : t.at-1]; strings.IndexByte(inside, '\\') < 0 {
		return inside
	}
	var said string
	_ = json.Unmarshal([]byte(t.text[from:t.at]), &said) // it is one
	return said
}

func (t *tree) object(n *Node, at *place) error {
	n.Kind = '{'
	inside := &place{in: at}
	var seen map[string]bool
	for t.at++; t.next() != '}'; {
		if t.next() == ',' {
			t.at++
			t.next()
		}
		inside.name = t.string()
		if n.has(inside.name, &seen) {
			pointer := inside.pointer()
			return &dossier.Error{Kind: dossier.Invalid, Code: "invalid_json",
				Message: fmt.Sprintf("%s is there twice", Printable(pointer)),
				Faults: []dossier.Fault{{Pointer: pointer, Code: "duplicate_field",
					Detail: "This name is there twice"}}}
		}
		t.next()
		t.at++ // the colon
		item, err := t.value(inside)
		if err != nil {
			return err
		}
		n.Names, n.Items = append(n.Names, inside.name), append(n.Items, item)
	}
	t.at++
	return nil
}

// has reports whether an object that is being read has a name already. Of many names a set is kept in seen.
func (n *Node) has(name string, seen *map[string]bool) bool {
	if len(n.Names) < fewNames {
		return slices.Contains(n.Names, name)
	}
	if *seen == nil {
		*seen = map[string]bool{}
		for _, known := range n.Names {
			(*seen)[known] = true
		}
	}
	had := (*seen)[name]
	(*seen)[name] = true
	return had
}

func (t *tree) array(n *Node, at *place) error {
	n.Kind = '['
	inside := &place{in: at, node: n}
	for t.at++; t.next() != ']'; {
		if t.next() == ',' {
			t.at++
		}
		item, err := t.value(inside)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	t.at++
	return nil
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

// Raw is the value as JSON text again.
func (n *Node) Raw() []byte { return n.appendRaw(nil) }

func (n *Node) appendRaw(to []byte) []byte {
	switch n.Kind {
	case '{', '[':
		to = append(to, n.Kind)
		for i, item := range n.Items {
			if i > 0 {
				to = append(to, ',')
			}
			if n.Kind == '{' {
				to = append(appendString(to, n.Names[i]), ':')
			}
			to = item.appendRaw(to)
		}
		return append(to, n.Kind+2)
	case 's':
		return appendString(to, n.text)
	case 'n':
		return append(to, n.text...)
	case 'b':
		return strconv.AppendBool(to, n.isTrue)
	}
	return append(to, "null"...)
}

func appendString(to []byte, text string) []byte {
	quoted, _ := json.Marshal(text)
	return append(to, quoted...)
}
