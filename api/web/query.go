package web

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// ReadQuery reads the query string into the struct that out points to, by its `query` and `check` tags, and reports all
// faults at once. Error: Invalid.
func ReadQuery(c *fiber.Ctx, out any) error {
	given := url.Values{}
	order := []string{}
	var faults []dossier.Fault
	for key, value := range c.Request().URI().QueryArgs().All() {
		name := string(key)
		if !given.Has(name) {
			order = append(order, name)
		}
		given.Add(name, string(value))
	}
	target := reflect.ValueOf(out).Elem()
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(target.Type()) {
		name := field.Tag.Get("query")
		if name == "" {
			continue
		}
		known[name] = true
		readParameter(given[name], name, target.FieldByIndex(field.Index), ParseRules(field.Tag.Get("check")), &faults)
	}
	for _, name := range order {
		if !known[name] {
			faults = append(faults, dossier.Fault{Parameter: Printable(name), Code: "unknown_parameter",
				Detail: unknownParameter(name, known)})
		}
	}
	if len(faults) > 0 {
		return dossier.InvalidFaults(faults)
	}
	return nil
}

func unknownParameter(name string, known map[string]bool) string {
	return strings.Replace(unknownField(name, known), "field", "parameter", 1)
}

func readParameter(values []string, name string, target reflect.Value, r Rules, faults *[]dossier.Fault) {
	fault := func(code, format string, args ...any) {
		*faults = append(*faults, dossier.Fault{Parameter: name, Code: code,
			Detail: name + " " + fmt.Sprintf(format, args...)})
	}
	if len(values) == 0 {
		if r.Required {
			fault("required", "is required")
		}
		return
	}
	if target.Kind() == reflect.Slice {
		readListParameter(values, target, r, fault)
		return
	}
	if len(values) > 1 {
		fault("invalid_value", "may be given once")
		return
	}
	if target.Kind() == reflect.Pointer {
		target.Set(reflect.New(target.Type().Elem()))
		target = target.Elem()
	}
	setParameter(values[0], target, r, fault)
}

func readListParameter(values []string, target reflect.Value, r Rules, fault faultFunc) {
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			item := reflect.New(target.Type().Elem()).Elem()
			setParameter(part, item, r, fault)
			target.Set(reflect.Append(target, item))
		}
	}
	if target.Len() > MaxList {
		fault("too_long", "may have at most %d values", MaxList)
	}
}

func setParameter(value string, target reflect.Value, r Rules, fault faultFunc) {
	if !utf8.ValidString(value) {
		fault("invalid_characters", "is not valid UTF-8")
		return
	}
	if target.Type() == TimeType {
		at, err := parseTime(value)
		if err != nil {
			fault("invalid_value", "must be an ISO 8601 time with a zone, such as 2026-01-02T03:04:05Z (a + in a "+
				"query is written %%2B)")
			return
		}
		target.Set(reflect.ValueOf(at))
		return
	}
	switch target.Kind() {
	case reflect.String:
		checkString(value, target.Type(), r, fault)
		target.SetString(value)
	case reflect.Bool:
		if value != "true" && value != "false" {
			fault("invalid_value", "must be true or false")
			return
		}
		target.SetBool(value == "true")
	case reflect.Int:
		number, err := strconv.Atoi(value)
		if err != nil {
			fault("invalid_value", "must be a whole number")
			return
		}
		checkNumber(&Node{Kind: 'n', text: strconv.Itoa(number)}, target.Type(), r, fault)
		target.SetInt(int64(number))
	default:
		panic("a query cannot have a field of type " + target.Type().String())
	}
}

// PathID reads an id from the path. A malformed one cannot exist: NotFound, like one of another workspace.
func PathID[ID ~string](c *fiber.Ctx, name string) (ID, error) {
	value := strings.Clone(c.Params(name))
	if !dossier.ValidID(value) {
		return "", NotFound(name)
	}
	return ID(value), nil
}

// NotFound is the error for an id that cannot exist: leadId gives lead_not_found.
func NotFound(parameter string) error {
	noun := strings.TrimSuffix(parameter, "Id")
	if known, ok := nounOf[noun]; ok {
		noun = known
	}
	return dossier.Coded(dossier.NotFound, strings.ReplaceAll(noun, " ", "_")+"_not_found",
		"No %s with this id in the workspace", noun)
}

// nounOf names the nouns whose path parameter is called otherwise.
var nounOf = map[string]string{
	"workflowRun": "run", "checklistItem": "checklist item", "actionLog": "action log", "apiKey": "api key",
}
