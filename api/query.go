package api

import (
	"fmt"
	"reflect"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

// query reads the query string into a T and reports all faults at once. T's fields carry `query:"name"` and may
// carry `check` as bodies do (required, max, min, url, email). A slice takes a comma-separated list, repeats of the
// name, or both; other types may be given once. Types: string kinds (ids and closed sets are checked), bool, int,
// time.Time, pointers to these (nil: absent), and embedded structs. Unknown names are Invalid.
func query[T any](c *fiber.Ctx) (T, error) {
	var out T
	if r, ok := c.Locals(routeKey).(route); ok && reflect.TypeOf(r.query) != reflect.TypeOf(out) {
		return out, fmt.Errorf("route %s %s declares query %T, its handler reads %T", r.method, r.path, r.query, out)
	}
	return out, web.ReadQuery(c, &out)
}

// instant is a time in answers: RFC 3339, UTC, milliseconds.
type instant = record.Time

// instantOrNil is null for a time that has not come.
func instantOrNil(t *time.Time) *instant { return record.TimeOf(t) }
