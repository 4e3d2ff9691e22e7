package web

import (
	"encoding/json"
	"reflect"
)

// Optional is a field of a body that tells three things apart: absent (Set false), null (Null), and a value. It is
// for updates that change only what is there.
type Optional[T any] struct {
	Set   bool // the field was in the body
	Null  bool // as null
	Value T
}

// UnmarshalJSON is called only when the field is there.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.Set = true
	if string(data) == "null" {
		o.Null = true
		return nil
	}
	return json.Unmarshal(data, &o.Value)
}

// Ptr is the value for a field that cannot be cleared: nil when absent or null.
func (o Optional[T]) Ptr() *T {
	if !o.Set || o.Null {
		return nil
	}
	return &o.Value
}

// Patch is the value for a field that can be cleared: nil when absent, a pointer to nil when null.
func (o Optional[T]) Patch() **T {
	if !o.Set {
		return nil
	}
	value := o.Ptr()
	return &value
}

// Inner is the type of the value.
func (Optional[T]) Inner() reflect.Type { return reflect.TypeFor[T]() }

// AnyOptional is any Optional.
type AnyOptional interface{ Inner() reflect.Type }
