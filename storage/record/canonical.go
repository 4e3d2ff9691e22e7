package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
)

// Canonical is a value as RFC 8785 writes its JSON: members in order of their names, no spaces, so that everybody
// hashes the same bytes. Of numbers it takes whole ones. Error: what JSON cannot hold, and fractions.
func Canonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	return appendCanonical(nil, tree)
}

func appendCanonical(to []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(to, "null"...), nil
	case bool:
		return strconv.AppendBool(to, v), nil
	case string:
		return appendString(to, v), nil
	case json.Number:
		whole, err := v.Int64()
		if err != nil {
			return nil, fmt.Errorf("canonical JSON: %s is no whole number", v)
		}
		return strconv.AppendInt(to, whole, 10), nil
	case []any:
		return appendArray(to, v)
	case map[string]any:
		return appendObject(to, v)
	}
	return nil, fmt.Errorf("canonical JSON: %T", v)
}

func appendArray(to []byte, values []any) ([]byte, error) {
	to = append(to, '[')
	for i, value := range values {
		if i > 0 {
			to = append(to, ',')
		}
		var err error
		if to, err = appendCanonical(to, value); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

func appendObject(to []byte, members map[string]any) ([]byte, error) {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)),
			utf16.Encode([]rune(b)))
	})
	to = append(to, '{')
	for i, name := range names {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(appendString(to, name), ':')
		var err error
		if to, err = appendCanonical(to, members[name]); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

// appendString writes a string with the shortest escapes, and those only where JSON asks for one.
func appendString(to []byte, s string) []byte {
	short := map[rune]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}
	to = append(to, '"')
	for _, r := range s {
		switch escape, ok := short[r]; {
		case ok:
			to = append(to, '\\', escape)
		case r < ' ':
			to = fmt.Appendf(to, "\\u%04x", r)
		default:
			to = append(to, string(r)...)
		}
	}
	return append(to, '"')
}
