package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// ItemValue is a value read for an item. Shown is what is stored in the open and answered; Secret is an SSN in
// full, "" for every other type.
type ItemValue struct {
	Shown  json.RawMessage
	Secret string
}

// ParseItemValue reads a value by its item's type and config and brings it into its stored form: NUMBER
// "12,500" becomes 12500, PHONE E.164, EIN 12-3456789. What does not fit is kept as given, with the problem in
// the reason for the person who must correct it (none: it fits). region is that of phone numbers without a country.
//
// Source: resources.md section 2, `value`.
func ParseItemValue(item ChecklistItem, raw json.RawMessage, region string) (ItemValue, Reason) {
	value, problem := readItemValue(item, raw, region)
	if !problem.None() {
		value = compactJSON(raw)
	}
	if item.FieldType == FieldText {
		value = MaskSecretsJSON(value)
	}
	if item.FieldType != FieldSSN {
		return ItemValue{Shown: value}, problem
	}
	secret := string(value)
	if s, ok := jsonString(value); ok {
		secret = s
	}
	return ItemValue{Shown: jsonOf(MaskSSN(secret)), Secret: secret}, problem
}

func readItemValue(item ChecklistItem, raw json.RawMessage, region string) (json.RawMessage, Reason) {
	switch item.FieldType {
	case FieldNumber:
		return readNumber(item.Config, raw)
	case FieldAddress:
		return readAddress(raw)
	case FieldMultiSelect:
		return readChoices(item.Config, raw)
	}
	s, ok := jsonString(raw)
	if !ok {
		return nil, NewReason("value_text")
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, NewReason("value_empty")
	}
	if utf8.RuneCountInString(s) > MaxText {
		return nil, NewReason("value_long", "max", MaxText)
	}
	clean, problem := readText(item, s, region)
	return jsonOf(clean), problem
}

func readText(item ChecklistItem, s, region string) (string, Reason) {
	switch item.FieldType {
	case FieldDate:
		if _, ok := ParseDay(s); !ok {
			return "", NewReason("value_date")
		}
	case FieldEIN:
		digits := onlyDigits(s)
		if !einForm.MatchString(s) || digits[:2] == "00" {
			return "", NewReason("value_ein")
		}
		return digits[:2] + "-" + digits[2:], Reason{}
	case FieldSSN:
		return readSSN(s)
	case FieldEmail:
		if !ValidEmail(s) {
			return "", NewReason("value_email")
		}
	case FieldPhone:
		number, ok := NormalizePhone(s, region)
		if !ok {
			return "", NewReason("value_phone")
		}
		return number, Reason{}
	case FieldSelect:
		if !item.Config.takes(s) {
			return "", NewReason("value_option", "options", item.Config.Options)
		}
	case FieldText:
		if !matchesWhole(item.Config.Pattern, s) {
			return "", NewReason("value_form")
		}
	}
	return s, Reason{}
}

var (
	einForm    = regexp.MustCompile(`^\d{2}[- ]?\d{7}$`)
	ssnForm    = regexp.MustCompile(`^\d{3}[-–. ]?\d{2}[-–. ]?\d{4}$`)
	numberForm = regexp.MustCompile(`^([+-]?)\$?(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?$`)
)

// readSSN takes what the Social Security Administration can issue (no area 000, 666 or 900-999, no group 00, no
// serial 0000) and ITINs.
func readSSN(s string) (string, Reason) {
	d := onlyDigits(s)
	if !ssnForm.MatchString(s) || !possibleSSN(d) || d[0] == '9' && !possibleITIN(d) {
		return "", NewReason("value_ssn")
	}
	return d[:3] + "-" + d[3:5] + "-" + d[5:], Reason{}
}

func readNumber(config ItemConfig, raw json.RawMessage) (json.RawMessage, Reason) {
	text := string(bytes.TrimSpace(raw))
	if s, ok := jsonString(raw); ok {
		text = strings.TrimSpace(s)
		parts := numberForm.FindStringSubmatch(text)
		if parts == nil || parts[2]+parts[3] == "" {
			return nil, NewReason("value_number")
		}
		text = parts[1] + strings.ReplaceAll(parts[2], ",", "") + parts[3]
	}
	n, ok := OrdinaryNumber(text)
	switch {
	case !ok:
		return nil, NewReason("value_number")
	case config.Min != nil && n.LessThan(*config.Min):
		return nil, NewReason("value_min", "min", config.Min.String())
	case config.Max != nil && n.GreaterThan(*config.Max):
		return nil, NewReason("value_max", "max", config.Max.String())
	}
	return json.RawMessage(n.String()), Reason{}
}

// addressKeys are the keys of an ADDRESS, in the order in which it is stored.
var addressKeys = []string{"street", "city", "state", "postalCode", "country"}

func readAddress(raw json.RawMessage) (json.RawMessage, Reason) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, NewReason("value_address", "parts", addressKeys)
	}
	parts := map[string]string{"country": "US"}
	for _, key := range sortedKeys(object) {
		if !slices.Contains(addressKeys, key) {
			return nil, NewReason("value_address_key", "key", key, "parts", addressKeys)
		}
		if isNull(object[key]) {
			continue
		}
		s, ok := jsonString(object[key])
		if !ok || utf8.RuneCountInString(s) > MaxString {
			return nil, NewReason("value_address_part", "key", key, "max", MaxString)
		}
		if s = strings.TrimSpace(s); s != "" {
			parts[key] = s
		}
	}
	var members []string
	for _, key := range addressKeys {
		if parts[key] == "" {
			return nil, NewReason("value_address_gap", "key", key)
		}
		members = append(members, fmt.Sprintf("%q:%s", key, jsonOf(parts[key])))
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}"), Reason{}
}

func readChoices(config ItemConfig, raw json.RawMessage) (json.RawMessage, Reason) {
	var given []string
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return nil, NewReason("value_choices")
	}
	choices := []string{}
	for _, choice := range given {
		if !config.takes(choice) {
			return nil, NewReason("value_options", "options", config.Options)
		}
		if !slices.Contains(choices, choice) {
			choices = append(choices, choice)
		}
	}
	if len(choices) == 0 {
		return nil, NewReason("value_no_choice")
	}
	return jsonOf(choices), Reason{}
}

// takes reports whether a choice is one of the options; without options every choice is.
func (c ItemConfig) takes(choice string) bool {
	return c.Options == nil || slices.Contains(c.Options, choice)
}

// matchesWhole reports whether the pattern (RE2) matches all of s. The longest match from the start is asked
// for rather than an anchored copy of the pattern: a pattern may end in an open \Q quotation.
func matchesWhole(pattern, s string) bool {
	if pattern == "" {
		return true
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	re.Longest()
	found := re.FindStringIndex(s)
	return found != nil && found[0] == 0 && found[1] == len(s)
}

func jsonString(raw json.RawMessage) (string, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	return s, json.Unmarshal(raw, &s) == nil
}

func jsonOf(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil // strings and slices of strings always encode
	}
	return bytes.TrimSpace(out.Bytes())
}

func compactJSON(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil {
		return raw
	}
	return out.Bytes()
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
