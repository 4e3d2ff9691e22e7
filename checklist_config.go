package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// ItemConfig is the config of a checklist item (api.md, create checklist item). Which fields may be set
// depends on the fieldType; the zero value is "no config" and fits every type. Its JSON is the object of
// api.md with the keys that were given.
type ItemConfig struct {
	Months          *int             // BANK_STATEMENT: consecutive months of coverage
	GracePeriodDays *int             // BANK_STATEMENT: nil is 60
	IsPersonal      *bool            // BANK_STATEMENT, TAX_RETURN: nil takes both
	IDType          string           // ID: DRIVERS_LICENSE or PASSPORT; "" takes every identity document
	Options         []string         // SELECT, MULTI_SELECT
	Min, Max        *decimal.Decimal // NUMBER, inclusive
	Years           *int             // TAX_RETURN: distinct consecutive tax years
	Pattern         string           // TEXT: RE2 syntax, must match the whole value
}

// Bounds of what a config may ask for.
const (
	maxMonths      = 120
	maxGraceDays   = 36500
	maxYears       = 30
	maxOptions     = 500
	maxPattern     = 1000
	defaultGrace   = 60
	maxConfigTexts = 255
)

// Kinds of identity document that an ID item may ask for.
const (
	IDDriversLicense = "DRIVERS_LICENSE"
	IDPassport       = "PASSPORT"
)

// Grace returns how many days before the day of judging the last statement may end (resources.md section 2).
func (c ItemConfig) Grace() int {
	if c.GracePeriodDays == nil {
		return defaultGrace
	}
	return *c.GracePeriodDays
}

// IsZero reports whether nothing is configured.
func (c ItemConfig) IsZero() bool {
	return c.Months == nil && c.GracePeriodDays == nil && c.IsPersonal == nil && c.IDType == "" &&
		c.Options == nil && c.Min == nil && c.Max == nil && c.Years == nil && c.Pattern == ""
}

// configKeys lists the keys of each type's config; true marks the required ones. A type that is not here
// takes no config.
var configKeys = map[FieldType]map[string]bool{
	FieldBankStatement: {"months": true, "gracePeriodDays": false, "isPersonal": false},
	FieldID:            {"type": true},
	FieldMultiSelect:   {"options": true},
	FieldSelect:        {"options": true},
	FieldNumber:        {"min": false, "max": false},
	FieldTaxReturn:     {"years": true, "isPersonal": false},
	FieldText:          {"pattern": false},
}

// ParseItemConfig reads the config of an item of type t. Absent, null and (for types without a required key)
// {} are no config. Every fault is returned, with pointers below at (for example "/config"); an unknown key is
// a fault, because a mistyped gracePeriodDays must not be dropped in silence.
func ParseItemConfig(t FieldType, raw json.RawMessage, at string) (ItemConfig, []Fault) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return ItemConfig{}, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return ItemConfig{}, []Fault{{Pointer: at, Code: "invalid_type", Detail: "config must be an object"}}
	}
	r := configReader{at: at, object: object}
	r.checkKeys(t)
	config := r.read()
	if len(r.faults) > 0 {
		return ItemConfig{}, r.faults
	}
	return config, nil
}

type configReader struct {
	at     string
	object map[string]json.RawMessage
	faults []Fault
}

func (r *configReader) fault(key, code, format string, args ...any) {
	r.faults = append(r.faults, Fault{Pointer: r.at + "/" + key, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// checkKeys reports keys that the type does not know, forgets them, and reports required ones that are missing.
func (r *configReader) checkKeys(t FieldType) {
	known := configKeys[t]
	for _, key := range sortedKeys(r.object) {
		if _, ok := known[key]; !ok {
			r.fault(PointerStep(key), "unknown_field", "config of %s has no %q; %s", t, key, knownKeys(known))
			delete(r.object, key)
		}
	}
	for _, key := range sortedKeys(known) {
		if _, given := r.object[key]; known[key] && !given {
			r.fault(key, "required", "config of %s needs %s", t, key)
		}
	}
}

func (r *configReader) read() ItemConfig {
	c := ItemConfig{
		Months:          r.wholeNumber("months", 1, maxMonths),
		GracePeriodDays: r.wholeNumber("gracePeriodDays", 0, maxGraceDays),
		Years:           r.wholeNumber("years", 1, maxYears),
		IsPersonal:      r.boolean("isPersonal"),
		Options:         r.options(),
		Min:             r.number("min"),
		Max:             r.number("max"),
		IDType:          r.text("type"),
		Pattern:         r.text("pattern"),
	}
	if _, given := r.object["type"]; given && c.IDType != IDDriversLicense && c.IDType != IDPassport {
		r.fault("type", "invalid_value", "type must be %s or %s", IDDriversLicense, IDPassport)
	}
	if c.Min != nil && c.Max != nil && c.Min.GreaterThan(*c.Max) {
		r.fault("min", "invalid_value", "min must not be greater than max")
	}
	if len(c.Pattern) > maxPattern {
		r.fault("pattern", "too_long", "pattern may have at most %d characters", maxPattern)
	} else if _, err := regexp.Compile(c.Pattern); err != nil {
		r.fault("pattern", "invalid_value", "pattern is not a regular expression: %v", err)
	}
	return c
}

func (r *configReader) wholeNumber(key string, low, high int64) *int {
	d := r.number(key)
	if d == nil {
		return nil
	}
	if !d.IsInteger() || d.LessThan(decimal.NewFromInt(low)) || d.GreaterThan(decimal.NewFromInt(high)) {
		r.fault(key, "invalid_value", "%s must be a whole number from %d to %d", key, low, high)
		return nil
	}
	n := int(d.IntPart())
	return &n
}

// number reads a JSON number of ordinary size: an exponent such as 1e999999999 is refused before anybody
// computes with it.
func (r *configReader) number(key string) *decimal.Decimal {
	raw, given := r.object[key]
	if !given {
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil || bytes.HasPrefix(raw, []byte(`"`)) || n == "" {
		r.fault(key, "invalid_type", "%s must be a number", key)
		return nil
	}
	d, err := decimal.NewFromString(n.String())
	if err != nil || len(n) > 40 || d.Exponent() > 30 || d.Exponent() < -30 {
		r.fault(key, "invalid_value", "%s is not a number of ordinary size", key)
		return nil
	}
	return &d
}

func (r *configReader) boolean(key string) *bool {
	raw, given := r.object[key]
	if !given {
		return nil
	}
	var b *bool
	if err := json.Unmarshal(raw, &b); err != nil || b == nil {
		r.fault(key, "invalid_type", "%s must be true or false", key)
		return nil
	}
	return b
}

func (r *configReader) text(key string) string {
	raw, given := r.object[key]
	if !given {
		return ""
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		r.fault(key, "invalid_type", "%s must be a string", key)
		return ""
	}
	return *s
}

// options reads the choices: at least one, none twice, none empty.
func (r *configReader) options() []string {
	raw, given := r.object["options"]
	if !given {
		return nil
	}
	var options []string
	if err := json.Unmarshal(raw, &options); err != nil {
		r.fault("options", "invalid_type", "options must be an array of strings")
		return nil
	}
	if len(options) == 0 || len(options) > maxOptions {
		r.fault("options", "invalid_value", "options must have 1 to %d entries", maxOptions)
	}
	for i, option := range options {
		key := fmt.Sprintf("options/%d", i)
		switch {
		case strings.TrimSpace(option) == "":
			r.fault(key, "invalid_value", "an option must not be empty")
		case len([]rune(option)) > maxConfigTexts:
			r.fault(key, "too_long", "an option may have at most %d characters", maxConfigTexts)
		case slices.Contains(options[:i], option):
			r.fault(key, "invalid_value", "option %q is there twice", option)
		}
	}
	return options
}

// MarshalJSON writes the keys that are set, with the names of api.md; no config is null.
func (c ItemConfig) MarshalJSON() ([]byte, error) {
	if c.IsZero() {
		return []byte("null"), nil
	}
	object := map[string]any{}
	set := func(key string, given bool, value any) {
		if given {
			object[key] = value
		}
	}
	set("months", c.Months != nil, c.Months)
	set("gracePeriodDays", c.GracePeriodDays != nil, c.GracePeriodDays)
	set("isPersonal", c.IsPersonal != nil, c.IsPersonal)
	set("type", c.IDType != "", c.IDType)
	set("options", c.Options != nil, c.Options)
	set("years", c.Years != nil, c.Years)
	set("pattern", c.Pattern != "", c.Pattern)
	if c.Min != nil {
		object["min"] = json.Number(c.Min.String())
	}
	if c.Max != nil {
		object["max"] = json.Number(c.Max.String())
	}
	return json.Marshal(object)
}

// UnmarshalJSON reads back what MarshalJSON wrote. What a client sends goes through ParseItemConfig, which
// knows the item's type.
func (c *ItemConfig) UnmarshalJSON(data []byte) error {
	*c = ItemConfig{}
	if string(bytes.TrimSpace(data)) == "null" {
		return nil
	}
	r := configReader{}
	if err := json.Unmarshal(data, &r.object); err != nil {
		return err
	}
	read := r.read()
	if len(r.faults) > 0 {
		return InvalidFaults(r.faults)
	}
	*c = read
	return nil
}

func knownKeys(known map[string]bool) string {
	if len(known) == 0 {
		return "this type takes no config"
	}
	return "it may have " + strings.Join(sortedKeys(known), ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
