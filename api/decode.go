package api

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/api/web"
)

// decode reads the JSON body into a T and reports all faults at once, each with a JSON pointer: unknown fields,
// wrong types, missing ones, sizes, and what T's own method `Faults() []dossier.Fault` adds. Errors: Invalid,
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
// A pointer is optional, null being as good as absent. web.Optional[X] tells absent, null and a value apart. Types
// with a method Valid() bool take only valid values; the id types of the root take only UUIDs. Numbers in `any`
// arrive as json.Number.
func decode[T any](c *fiber.Ctx) (T, error) {
	var none T
	if r, ok := c.Locals(routeKey).(route); ok && reflect.TypeOf(r.body) != reflect.TypeOf(none) {
		return none, fmt.Errorf("route %s %s declares body %T, its handler reads %T", r.method, r.path, r.body, none)
	}
	if err := web.WantJSON(c); err != nil {
		return none, err
	}
	body, err := web.ReadBody(c, web.JSONLimit)
	if err != nil {
		return none, err
	}
	return web.Decode[T](c, body)
}

// decodeOrEmpty is decode for an operation whose body may be missing.
func decodeOrEmpty[T any](c *fiber.Ctx) (T, error) {
	var none T
	body, err := web.ReadBody(c, web.JSONLimit)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return none, err
	}
	return decode[T](c)
}
