package dossier

import "encoding/json"

// Field is a value that may be left out of what is sent. The zero Field is not sent: what it names stays as it is.
type Field[T any] struct {
	value T
	state fieldState
}

type fieldState uint8

const (
	absent fieldState = iota
	null
	present
)

// Set is a field with a value.
func Set[T any](value T) Field[T] { return Field[T]{value: value, state: present} }

// Null is a field that is sent as null, which clears it.
func Null[T any]() Field[T] { return Field[T]{state: null} }

// Value is the value, and whether there is one.
func (f Field[T]) Value() (T, bool) { return f.value, f.state == present }

// IsZero says that the field is not sent.
func (f Field[T]) IsZero() bool { return f.state == absent }

// MarshalJSON writes the value, or null.
func (f Field[T]) MarshalJSON() ([]byte, error) {
	if f.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(f.value)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *Field[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*f = Null[T]()
		return nil
	}
	f.state = present
	return json.Unmarshal(data, &f.value)
}
