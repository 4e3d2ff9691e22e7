package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
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

// MaskSSN shows the last four digits of a full number and nothing of anything else.
func MaskSSN(s string) string {
	if d := onlyDigits(s); len(d) == 9 {
		return "***-**-" + d[5:]
	}
	return "***-**-****"
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

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
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
