package web

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"reflect"
	"strings"

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
	declared := c.Request().Header.ContentLength()
	if declared > limit {
		return nil, TooLarge(limit)
	}
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return nil, nil
	}
	if err := reserveBody(c, limit); err != nil {
		return nil, err
	}
	var read bytes.Buffer
	if declared > SmallBody { // its memory is reserved; growing to it would take several times as much
		read.Grow(declared + bytes.MinRead)
	}
	if _, err := read.ReadFrom(io.LimitReader(stream, int64(limit)+1)); err != nil {
		return nil, dossier.Coded(dossier.Invalid, "invalid_json", "The body ended early")
	}
	if read.Len() > limit {
		return nil, TooLarge(limit)
	}
	c.Locals(BodyKey, read.Bytes())
	return read.Bytes(), nil
}

// TooLarge is the error of a body with more bytes than it may have.
func TooLarge(limit int) error {
	return dossier.Errorf(dossier.TooLarge, "The body may have at most %d bytes", limit)
}
