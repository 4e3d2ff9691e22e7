package dossier

import "encoding/json"

// Patch is what a caller sent for a field that may be empty: nothing (the zero value), null, or a value. It
// reads itself from JSON, where an absent key leaves it as it is.
type Patch[T any] struct {
	Sent  bool
	Value *T // nil when Sent: cleared
}

// Set is the patch that gives a field a value.
func Set[T any](value T) Patch[T] { return Patch[T]{Sent: true, Value: &value} }

// Clear is the patch that empties a field.
func Clear[T any]() Patch[T] { return Patch[T]{Sent: true} }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.Sent, p.Value = true, nil
	return json.Unmarshal(data, &p.Value)
}

// apply puts the patch on a field.
func (p Patch[T]) apply(field **T) {
	if p.Sent {
		*field = p.Value
	}
}
