package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// rules is a parsed `check` tag.
type rules struct {
	required, notNull, url, email, metadata bool
	min, max                                *float64
}

// Sizes of decisions.md section 1.
const (
	maxString   = 255
	maxText     = 10_000
	maxURL      = 2_048
	maxList     = 500
	maxMetadata = 32 << 10
)

func parseRules(tag string) rules {
	var r rules
	for word := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "required":
			r.required = true
		case "notnull":
			r.notNull = true
		case "url":
			r.url = true
		case "email":
			r.email = true
		case "metadata":
			r.metadata = true
		case "text":
			limit := float64(maxText)
			r.max = &limit
		case "min":
			r.min = &number
		case "max":
			r.max = &number
		case "":
		default:
			panic("unknown word in a check tag: " + word)
		}
	}
	return r
}

var (
	timeType      = reflect.TypeFor[time.Time]()
	unmarshalType = reflect.TypeFor[json.Unmarshaler]()
	optionalType  = reflect.TypeFor[optional]()
	validType     = reflect.TypeFor[interface{ Valid() bool }]()
	rootPackage   = reflect.TypeFor[dossier.LeadID]().PkgPath()
)

// checkValue appends every fault of value as a t to faults.
func checkValue(value *node, t reflect.Type, r rules, pointer string, faults *[]dossier.Fault) {
	fault := func(code, format string, args ...any) {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: code,
			Detail: subject(pointer) + " " + fmt.Sprintf(format, args...)})
	}
	if t.Implements(optionalType) {
		if value.kind == '0' && !r.notNull && !r.required {
			return
		}
		t = reflect.Zero(t).Interface().(optional).inner()
	}
	if t.Kind() == reflect.Pointer {
		if value.kind == '0' && !r.notNull && !r.required {
			return
		}
		t = t.Elem()
	}
	switch {
	case value.kind == '0' && (r.required || r.notNull):
		fault("invalid_type", "must not be null")
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[json.RawMessage]():
		checkFree(value, r, pointer, faults)
	case t == timeType:
		checkTime(value, fault)
	case reflect.PointerTo(t).Implements(unmarshalType):
		if err := json.Unmarshal(value.raw(), reflect.New(t).Interface()); err != nil {
			fault("invalid_value", "is not valid: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
	default:
		checkKind(value, t, r, pointer, faults, fault)
	}
}

type faultFunc func(code, format string, args ...any)

func checkKind(value *node, t reflect.Type, r rules, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	switch t.Kind() {
	case reflect.String:
		if value.kind != 's' {
			fault("invalid_type", "must be a string, not %s", value.describe())
			return
		}
		checkString(value.text, t, r, fault)
	case reflect.Bool:
		if value.kind != 'b' {
			fault("invalid_type", "must be true or false, not %s", value.describe())
		}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		checkNumber(value, t, r, fault)
	case reflect.Slice:
		checkList(value, t, r, pointer, faults, fault)
	case reflect.Map:
		if value.kind != '{' {
			fault("invalid_type", "must be an object, not %s", value.describe())
			return
		}
		checkFree(value, r, pointer, faults)
	case reflect.Struct:
		checkObject(value, t, pointer, faults, fault)
	default:
		panic("a body cannot have a field of type " + t.String())
	}
}

// checkObject compares the names of an object with the fields of a struct; embedded structs count as their fields.
func checkObject(value *node, t reflect.Type, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	if value.kind != '{' {
		fault("invalid_type", "must be an object, not %s", value.describe())
		return
	}
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		known[name] = true
		r, at := parseRules(field.Tag.Get("check")), pointer+"/"+escapePointer(name)
		i := slices.Index(value.names, name)
		if i >= 0 {
			checkValue(value.items[i], field.Type, r, at, faults)
			continue
		}
		if r.required {
			*faults = append(*faults, dossier.Fault{Pointer: at, Code: "required",
				Detail: subject(at) + " is required"})
		}
	}
	for _, name := range value.names {
		if !known[name] {
			at := pointer + "/" + escapePointer(name)
			detail := "" // beyond what is told nobody reads it
			if len(*faults) < maxFaults {
				detail = unknownField(name, known)
			}
			*faults = append(*faults, dossier.Fault{Pointer: at, Code: "unknown_field", Detail: detail})
		}
	}
}

// unknownField names the field and, when only the case or an underscore differs, the right one.
func unknownField(name string, known map[string]bool) string {
	folded := strings.ReplaceAll(strings.ToLower(name), "_", "")
	for right := range known {
		if strings.ToLower(right) == folded {
			return fmt.Sprintf("Unknown field %q; did you mean %q?", printable(name), right)
		}
	}
	return fmt.Sprintf("Unknown field %q", printable(name))
}

func checkList(value *node, t reflect.Type, r rules, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	if value.kind != '[' {
		fault("invalid_type", "must be an array, not %s", value.describe())
		return
	}
	limit, each := maxList, rules{}
	if r.max != nil {
		limit = int(*r.max)
	}
	if len(value.items) > limit {
		fault("too_long", "may have at most %d entries, not %d", limit, len(value.items))
		return
	}
	if r.min != nil && len(value.items) < int(*r.min) {
		fault("too_short", "needs at least %d entries", int(*r.min))
	}
	each.notNull = true
	for i, item := range value.items {
		checkValue(item, t.Elem(), each, pointer+"/"+strconv.Itoa(i), faults)
	}
}

func checkString(text string, t reflect.Type, r rules, fault faultFunc) {
	limit := maxString
	if r.url {
		limit = maxURL
	}
	if r.max != nil {
		limit = int(*r.max)
	}
	switch {
	case strings.ContainsRune(text, 0):
		fault("invalid_characters", "must not contain the NUL character")
	case r.required && strings.TrimSpace(text) == "":
		fault("required", "must not be empty")
	case utf8.RuneCountInString(text) > limit:
		fault("too_long", "may have at most %d characters", limit)
	case r.min != nil && utf8.RuneCountInString(text) < int(*r.min):
		fault("too_short", "needs at least %d characters", int(*r.min))
	case isID(t) && !dossier.ValidID(text):
		fault("invalid_id", "must be an id (a UUID in lower case)")
	case !isValid(text, t):
		fault("invalid_value", "is not one of the allowed values")
	case r.url && text != "" && !validURL(text):
		fault("invalid_value", "must be an absolute http or https URL")
	case r.email && text != "" && !validEmail(text):
		fault("invalid_value", "must be an email address")
	}
}

func checkNumber(value *node, t reflect.Type, r rules, fault faultFunc) {
	if value.kind != 'n' {
		fault("invalid_type", "must be a number, not %s", value.describe())
		return
	}
	number, err := strconv.ParseFloat(value.text, 64)
	if err != nil || unstorable(value.text) {
		fault("out_of_range", "is too large a number")
		return
	}
	if t.Kind() != reflect.Float64 {
		if _, err := strconv.ParseInt(value.text, 10, 64); err != nil {
			fault("invalid_type", "must be a whole number")
			return
		}
	}
	if r.min != nil && number < *r.min {
		fault("out_of_range", "must be at least %v", *r.min)
	}
	if r.max != nil && number > *r.max {
		fault("out_of_range", "must be at most %v", *r.max)
	}
}

func checkTime(value *node, fault faultFunc) {
	if value.kind != 's' {
		fault("invalid_type", "must be a string with a time, not %s", value.describe())
		return
	}
	if _, err := parseTime(value.text); err != nil {
		fault("invalid_value", "must be an ISO 8601 time with a zone, such as 2026-01-02T03:04:05Z")
	}
}

// checkFree looks for what Postgres cannot keep inside JSON without a schema.
func checkFree(value *node, r rules, pointer string, faults *[]dossier.Fault) {
	if r.metadata && len(value.raw()) > maxMetadata {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: "too_long",
			Detail: fmt.Sprintf("%s may have at most %d bytes", subject(pointer), maxMetadata)})
		return
	}
	add := func(code, detail string) {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: code, Detail: subject(pointer) + " " + detail})
	}
	switch {
	case value.kind == 's' && strings.ContainsRune(value.text, 0):
		add("invalid_characters", "must not contain the NUL character")
	case value.kind == 's' && !r.metadata && utf8.RuneCountInString(value.text) > maxText:
		add("too_long", fmt.Sprintf("may have at most %d characters", maxText))
	case value.kind == 'n' && unstorable(value.text):
		add("out_of_range", "is too large a number")
	}
	for i, item := range value.items {
		at := pointer + "/" + strconv.Itoa(i)
		if value.kind == '{' {
			at = pointer + "/" + escapePointer(value.names[i])
			if strings.ContainsRune(value.names[i], 0) {
				*faults = append(*faults,
					dossier.Fault{Pointer: at, Code: "invalid_characters",
						Detail: "A name must not contain the NUL character"})
			}
		}
		checkFree(item, rules{metadata: r.metadata}, at, faults)
	}
}

// unstorable reports whether a number has more digits or a larger exponent than any figure of this product: such
// numbers cost memory to expand and Postgres refuses them.
func unstorable(number string) bool {
	if len(number) > 64 {
		return true
	}
	if _, err := strconv.ParseFloat(number, 64); err != nil {
		return true
	}
	_, exponent, has := strings.Cut(strings.ToLower(number), "e")
	if !has {
		return false
	}
	size, err := strconv.Atoi(exponent)
	return err != nil || size > 300 || size < -300
}

// isID reports whether t is one of the root's id types.
func isID(t reflect.Type) bool {
	return t.Kind() == reflect.String && t.PkgPath() == rootPackage && strings.HasSuffix(t.Name(), "ID")
}

// isValid asks a type with a closed set of values.
func isValid(text string, t reflect.Type) bool {
	if !t.Implements(validType) {
		return true
	}
	value := reflect.New(t).Elem()
	value.SetString(text)
	return value.Interface().(interface{ Valid() bool }).Valid()
}

func validURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func validEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text && len(text) <= maxString
}

// rfc3339 is what time.Parse is too lenient about: two digits an hour, a point before fractions, zones of less than a
// day.
var rfc3339 = regexp.MustCompile(`T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// parseTime takes RFC 3339 with or without fractions.
func parseTime(text string) (time.Time, error) {
	if !rfc3339.MatchString(text) {
		return time.Time{}, errors.New("not RFC 3339")
	}
	return time.Parse(time.RFC3339Nano, text)
}

// subject is what a fault's detail begins with: the last name of the pointer.
func subject(pointer string) string {
	if pointer == "" {
		return "The body"
	}
	return printable(strings.TrimPrefix(pointer, "/"))
}

func (n *node) describe() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 's':
		return "a string"
	case 'n':
		return "a number"
	case 'b':
		return "true or false"
	}
	return "null"
}

// raw is the value as JSON text again.
func (n *node) raw() []byte {
	switch n.kind {
	case '{', '[':
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = string(item.raw())
			if n.kind == '{' {
				name, _ := json.Marshal(n.names[i])
				parts[i] = string(name) + ":" + parts[i]
			}
		}
		return []byte(string(n.kind) + strings.Join(parts, ",") + string(n.kind+2))
	case 's':
		text, _ := json.Marshal(n.text)
		return text
	case 'n':
		return []byte(n.text)
	case 'b':
		return strconv.AppendBool(nil, n.isTrue)
	}
	return []byte("null")
}
