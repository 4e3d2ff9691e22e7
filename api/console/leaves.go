package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// leaves lists the facts of a part, in the order of the answer. Empty lists and objects have none. A long statement has
// many thousands, and the tokens of a decoder took a quarter of the page's time: the bytes are read as they are.
func leaves(raw json.RawMessage) ([]fact, error) {
	r := leafReader{data: raw, names: map[string]string{}, found: make([]fact, 0, bytes.Count(raw, []byte(":")))}
	err := r.value("", "", "", "")
	return r.found, err
}

// leafReader is at a place of JSON that was checked when the answer was read.
type leafReader struct {
	data  []byte
	at    int
	found []fact
	names map[string]string // in words
}

var errNotJSON = errors.New("the facts are not JSON")

// value reads one value. Above it stands the container of a name, and above that what group says.
func (r *leafReader) value(pointer, container, group, name string) error {
	switch c := r.next(); c {
	case '{', '[':
		inner := group
		if pointer != "" && name != "values" && name != "statements" {
			inner = strings.TrimSpace(group + " " + r.words(name))
		}
		return r.children(pointer, name, inner, c == '{')
	case 0:
		return errNotJSON
	default:
		value, err := r.scalar(c)
		if err != nil {
			return err
		}
		label := ""
		switch {
		case container == "lines":
			label = lineWords(name)
		case pointer != "":
			label = r.words(name)
		}
		r.found = append(r.found, leaf(pointer, label, group, value))
		return nil
	}
}

// children reads what an object or a list holds, and its end.
func (r *leafReader) children(pointer, container, group string, object bool) error {
	r.at++
	for i := 0; ; i++ {
		c := r.next()
		if c == ',' {
			r.at++
			c = r.next()
		}
		if c == '}' || c == ']' {
			r.at++
			return nil
		}
		name, step := strconv.Itoa(i+1), strconv.Itoa(i)
		if object {
			key, err := r.text()
			if err != nil {
				return err
			}
			if r.next() != ':' {
				return errNotJSON
			}
			r.at++
			name, step = key, pointerName.Replace(key)
		}
		if err := r.value(pointer+"/"+step, container, group, name); err != nil {
			return err
		}
	}
}

// next is the byte behind white space, or 0 at the end.
func (r *leafReader) next() byte {
	for ; r.at < len(r.data); r.at++ {
		if c := r.data[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// scalar reads what is neither an object nor a list. c is its first byte.
func (r *leafReader) scalar(c byte) (any, error) {
	if c == '"' {
		return r.text()
	}
	first := r.at
	if end := bytes.IndexAny(r.data[first:], ",]} \n\t\r"); end >= 0 {
		r.at += end
	} else {
		r.at = len(r.data)
	}
	switch word := string(r.data[first:r.at]); word {
	case "null":
		return nil, nil
	case "true", "false":
		return word == "true", nil
	case "":
		return nil, errNotJSON
	default:
		return json.Number(word), nil
	}
}

// text reads a string.
func (r *leafReader) text() (string, error) {
	if r.next() != '"' {
		return "", errNotJSON
	}
	first := r.at
	for r.at++; r.at < len(r.data); r.at++ {
		switch r.data[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			written := r.data[first:r.at]
			if bytes.IndexByte(written, '\\') < 0 {
				return string(written[1 : len(written)-1]), nil
			}
			var said string
			err := json.Unmarshal(written, &said)
			return said, err
		}
	}
	return "", errNotJSON
}

// words are a name in words.
func (r *leafReader) words(name string) string {
	said, known := r.names[name]
	if !known {
		said = nameWords(name)
		r.names[name] = said
	}
	return said
}

// pointerName writes a name as a step of a JSON pointer. Source: RFC 6901 section 3.
var pointerName = strings.NewReplacer("~", "~0", "/", "~1")

func leaf(pointer, label, group string, value any) fact {
	f := fact{Pointer: pointer, Label: label, Group: group, Value: plain(value), Kind: kindOf(value)}
	if n, ok := value.(json.Number); ok {
		f.Value = n.String()
	}
	if f.Kind == "amount" {
		f.Value = grouped(f.Value)
	}
	if f.Kind == "text" && codeName.MatchString(f.Value) {
		f.Raw, f.Value = f.Value, say(strings.ToLower(f.Value))
	}
	return f
}
