package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// Rules is a parsed `check` tag.
type Rules struct {
	Required, NotNull, Email, metadata bool
	Min, Max                           *float64
}

// Sizes of decisions.md section 1.
const (
	MaxString   = dossier.MaxString
	MaxURL      = dossier.MaxURL
	MaxList     = 500
	maxMetadata = 32 << 10
)

// ParseRules reads a `check` tag. It panics on a word that is none: tags are ours.
func ParseRules(tag string) Rules {
	var r Rules
	for word := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		number, _ := strconv.ParseFloat(value, 64)
		switch name {
		case "required":
			r.Required = true
		case "notnull":
			r.NotNull = true
		case "email":
			r.Email = true
		case "metadata":
			r.metadata = true
		case "text":
			limit := float64(dossier.MaxText)
			r.Max = &limit
		case "min":
			r.Min = &number
		case "max":
			r.Max = &number
		case "":
		default:
			panic("unknown word in a check tag: " + word)
		}
	}
	return r
}

var (
	TimeType      = reflect.TypeFor[time.Time]()
	unmarshalType = reflect.TypeFor[json.Unmarshaler]()
	OptionalType  = reflect.TypeFor[AnyOptional]()
	validType     = reflect.TypeFor[interface{ Valid() bool }]()
	RootPackage   = reflect.TypeFor[dossier.LeadID]().PkgPath()
)

// checkValue appends every fault of value as a t to faults.
func checkValue(value *Node, t reflect.Type, r Rules, pointer string, faults *[]dossier.Fault) {
	fault := func(code, format string, args ...any) {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: code,
			Detail: subject(pointer) + " " + fmt.Sprintf(format, args...)})
	}
	if t.Implements(OptionalType) {
		if value.Kind == '0' && !r.NotNull && !r.Required {
			return
		}
		t = reflect.Zero(t).Interface().(AnyOptional).Inner()
	}
	if t.Kind() == reflect.Pointer {
		if value.Kind == '0' && !r.NotNull && !r.Required {
			return
		}
		t = t.Elem()
	}
	switch {
	case value.Kind == '0' && (r.Required || r.NotNull):
		fault("invalid_type", "must not be null")
	case t.Kind() == reflect.Interface, t == reflect.TypeFor[json.RawMessage]():
		checkFree(value, r, pointer, faults)
	case t == TimeType:
		checkTime(value, fault)
	case reflect.PointerTo(t).Implements(unmarshalType):
		if err := json.Unmarshal(value.Raw(), reflect.New(t).Interface()); err != nil {
			fault("invalid_value", "is not valid: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
	default:
		checkKind(value, t, r, pointer, faults, fault)
	}
}

type faultFunc func(code, format string, args ...any)

func checkKind(value *Node, t reflect.Type, r Rules, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	switch t.Kind() {
	case reflect.String:
		if value.Kind != 's' {
			fault("invalid_type", "must be a string, not %s", value.describe())
			return
		}
		checkString(value.text, t, r, fault)
	case reflect.Bool:
		if value.Kind != 'b' {
			fault("invalid_type", "must be true or false, not %s", value.describe())
		}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		checkNumber(value, t, r, fault)
	case reflect.Slice:
		checkList(value, t, r, pointer, faults, fault)
	case reflect.Map:
		if value.Kind != '{' {
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
func checkObject(value *Node, t reflect.Type, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	if value.Kind != '{' {
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
		r, at := ParseRules(field.Tag.Get("check")), pointer+"/"+EscapePointer(name)
		i := slices.Index(value.Names, name)
		if i >= 0 {
			checkValue(value.Items[i], field.Type, r, at, faults)
			continue
		}
		if r.Required {
			*faults = append(*faults, dossier.Fault{Pointer: at, Code: "required",
				Detail: subject(at) + " is required"})
		}
	}
	for _, name := range value.Names {
		if !known[name] {
			at := pointer + "/" + EscapePointer(name)
			detail := "" // beyond what is told nobody reads it
			if len(*faults) < MaxFaults {
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
			return fmt.Sprintf("Unknown field %q; did you mean %q?", Printable(name), right)
		}
	}
	return fmt.Sprintf("Unknown field %q", Printable(name))
}

func checkList(value *Node, t reflect.Type, r Rules, pointer string, faults *[]dossier.Fault, fault faultFunc) {
	if value.Kind != '[' {
		fault("invalid_type", "must be an array, not %s", value.describe())
		return
	}
	limit, each := MaxList, Rules{}
	if r.Max != nil {
		limit = int(*r.Max)
	}
	if len(value.Items) > limit {
		fault("too_long", "may have at most %d entries, not %d", limit, len(value.Items))
		return
	}
	if r.Min != nil && len(value.Items) < int(*r.Min) {
		fault("too_short", "needs at least %d entries", int(*r.Min))
	}
	each.NotNull = true
	for i, item := range value.Items {
		checkValue(item, t.Elem(), each, pointer+"/"+strconv.Itoa(i), faults)
	}
}

func checkString(text string, t reflect.Type, r Rules, fault faultFunc) {
	limit := dossier.MaxString
	if r.Max != nil {
		limit = int(*r.Max)
	}
	switch {
	case strings.ContainsRune(text, 0):
		fault("invalid_characters", "must not contain the NUL character")
	case r.Required && strings.TrimSpace(text) == "":
		fault("required", "must not be empty")
	case utf8.RuneCountInString(text) > limit:
		fault("too_long", "may have at most %d characters", limit)
	case r.Min != nil && utf8.RuneCountInString(text) < int(*r.Min):
		fault("too_short", "needs at least %d characters", int(*r.Min))
	case IsID(t) && !dossier.ValidID(text):
		fault("invalid_id", "must be an id (a UUID in lower case)")
	case !isValid(text, t):
		fault("invalid_value", "is not one of the allowed values")
	case r.Email && text != "" && !dossier.IsAddress(text):
		fault("invalid_value", "must be an email address")
	}
}

func checkNumber(value *Node, t reflect.Type, r Rules, fault faultFunc) {
	if value.Kind != 'n' {
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
	if r.Min != nil && number < *r.Min {
		fault("out_of_range", "must be at least %v", *r.Min)
	}
	if r.Max != nil && number > *r.Max {
		fault("out_of_range", "must be at most %v", *r.Max)
	}
}

func checkTime(value *Node, fault faultFunc) {
	if value.Kind != 's' {
		fault("invalid_type", "must be a string with a time, not %s", value.describe())
		return
	}
	if _, err := parseTime(value.text); err != nil {
		fault("invalid_value", "must be an ISO 8601 time with a zone, such as 2026-01-02T03:04:05Z")
	}
}

// checkFree looks for what Postgres cannot keep inside JSON without a schema.
func checkFree(value *Node, r Rules, pointer string, faults *[]dossier.Fault) {
	if r.metadata && len(value.Raw()) > maxMetadata {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: "too_long",
			Detail: fmt.Sprintf("%s may have at most %d bytes", subject(pointer), maxMetadata)})
		return
	}
	add := func(code, detail string) {
		*faults = append(*faults, dossier.Fault{Pointer: pointer, Code: code, Detail: subject(pointer) + " " + detail})
	}
	switch {
	case value.Kind == 's' && strings.ContainsRune(value.text, 0):
		add("invalid_characters", "must not contain the NUL character")
	case value.Kind == 's' && !r.metadata && utf8.RuneCountInString(value.text) > dossier.MaxText:
		add("too_long", fmt.Sprintf("may have at most %d characters", dossier.MaxText))
	case value.Kind == 'n' && unstorable(value.text):
		add("out_of_range", "is too large a number")
	}
	for i, item := range value.Items {
		at := pointer + "/" + strconv.Itoa(i)
		if value.Kind == '{' {
			at = pointer + "/" + EscapePointer(value.Names[i])
			if strings.ContainsRune(value.Names[i], 0) {
				*faults = append(*faults,
					dossier.Fault{Pointer: at, Code: "invalid_characters",
						Detail: "A name must not contain the NUL character"})
			}
		}
		checkFree(item, Rules{metadata: r.metadata}, at, faults)
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

// IsID reports whether t is one of the root's id types.
func IsID(t reflect.Type) bool {
	return t.Kind() == reflect.String && t.PkgPath() == RootPackage && strings.HasSuffix(t.Name(), "ID")
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
	return Printable(strings.TrimPrefix(pointer, "/"))
}

func (n *Node) describe() string {
	switch n.Kind {
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
