package portal

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// addressParts are the inputs of an ADDRESS, in the order people write one, with what a browser fills them from.
var addressParts = [][2]string{{"street", "street-address"}, {"city", "address-level2"}, {"state", "address-level1"},
	{"postalCode", "postal-code"}, {"country", "country"}}

// portalInput is how a type is typed in.
type portalInput struct{ kind, mode, autocomplete string }

var portalInputs = map[dossier.FieldType]portalInput{
	dossier.FieldDate:   {"date", "", "off"},
	dossier.FieldEIN:    {"text", "numeric", "off"},
	dossier.FieldSSN:    {"text", "numeric", "off"},
	dossier.FieldEmail:  {"email", "", "email"},
	dossier.FieldNumber: {"text", "decimal", "off"}, // not type number: "12,500" is an answer
	dossier.FieldPhone:  {"tel", "", "tel"},
	dossier.FieldText:   {"text", "", "on"},
}

// fillInput gives a value item its input, with the present answer in it. Numbers that identify people are never
// in the page in full.
func (p portalViewer) fillInput(i *portalItem, e dossier.ChecklistEntry) {
	in := portalInputs[i.Kind]
	i.InputType, i.InputMode, i.Autocomplete = in.kind, in.mode, in.autocomplete
	i.Value, i.Hint = plainValue(e.Value), p.hint(i.Kind, e.Item.Config)
	switch i.Kind {
	case dossier.FieldSSN, dossier.FieldEIN:
		if i.Value != "" {
			i.Given = masked(i.Kind, i.Value)
			i.Hint, i.Value = p.words.T("on_file", i.Given), ""
		}
	case dossier.FieldPhone:
		i.Region = p.region
		if region, national, ok := dossier.SplitPhone(i.Value); ok {
			i.Region, i.Value = region, national
		}
	case dossier.FieldAddress:
		p.fillAddress(i, e)
	case dossier.FieldSelect, dossier.FieldMultiSelect:
		var chosen []string
		if json.Unmarshal(e.Value, &chosen) != nil {
			chosen = []string{i.Value}
		}
		for _, option := range e.Item.Config.Options {
			i.Options = append(i.Options, portalOption{option, option, slices.Contains(chosen, option)})
		}
	case dossier.FieldText:
		i.Long = strings.Contains(i.Value, "\n") || len(i.Value) > 120
	}
}

// fillAddress shows the parts; what is needed and empty in an answer that was given is marked.
func (p portalViewer) fillAddress(i *portalItem, e dossier.ChecklistEntry) {
	var parts map[string]any // of an invalid answer: whatever was given
	_ = json.Unmarshal(e.Value, &parts)
	for _, part := range addressParts {
		value, _ := parts[part[0]].(string)
		i.Parts = append(i.Parts, portalPart{part[0], p.words.T(part[0]), value, part[1], e.Value != nil &&
			value == "" && part[0] != "country"})
	}
}

// given is an answer in words: what a person recognises it by.
func (p portalViewer) given(i portalItem) string {
	switch {
	case i.Files:
		var names []string
		for _, d := range i.Documents {
			names = append(names, d.Name)
		}
		return strings.Join(names, "\n")
	case len(i.Options) > 0:
		var chosen []string
		for _, option := range i.Options {
			if option.Chosen {
				chosen = append(chosen, option.Label)
			}
		}
		return strings.Join(chosen, ", ")
	case len(i.Parts) > 0:
		return addressLines(i.Parts)
	case i.Kind == dossier.FieldNumber:
		return grouped(i.Value)
	case i.Kind == dossier.FieldDate:
		return p.words.day(i.Value)
	case i.Given != "":
		return i.Given // masked
	}
	return i.Value
}

// addressLines writes an address as on an envelope.
func addressLines(parts []portalPart) string {
	value := map[string]string{}
	for _, part := range parts {
		value[part.Name] = part.Value
	}
	place := strings.TrimLeft(value["city"]+", "+strings.TrimSpace(value["state"]+" "+value["postalCode"]), ", ")
	return strings.Trim(value["street"]+"\n"+place, "\n")
}

// grouped writes a number with separators: 12500.5 as 12,500.5.
func grouped(number string) string {
	whole, rest, found := strings.Cut(number, ".")
	sign := strings.HasPrefix(whole, "-")
	whole = strings.TrimPrefix(whole, "-")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if found {
		whole += "." + rest
	}
	if sign {
		whole = "-" + whole
	}
	return whole
}

func (p portalViewer) hint(kind dossier.FieldType, config dossier.ItemConfig) string {
	switch {
	case kind != dossier.FieldNumber:
		return p.words.T("hint." + string(kind))
	case config.Min != nil && config.Max != nil:
		return p.words.T("hint.range", grouped(config.Min.String()), grouped(config.Max.String()))
	case config.Min != nil:
		return p.words.T("hint.min", grouped(config.Min.String()))
	case config.Max != nil:
		return p.words.T("hint.max", grouped(config.Max.String()))
	}
	return ""
}

// masked shows the last four digits. An SSN is masked before it is stored.
func masked(kind dossier.FieldType, value string) string {
	if kind == dossier.FieldSSN {
		return value
	}
	digits := strings.ReplaceAll(value, "-", "")
	if len(digits) < 9 {
		return "**-*******"
	}
	return "**-***" + digits[len(digits)-4:]
}

// plainValue is a stored text or number as it was typed; "" for anything else.
func plainValue(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// portalAnswer makes an item's value out of a form: null when everything was left empty, nil when an empty input
// means that a masked number stays.
func portalAnswer(form url.Values) func(dossier.ChecklistEntry) json.RawMessage {
	return func(e dossier.ChecklistEntry) json.RawMessage {
		switch kind := e.Item.FieldType; {
		case kind == dossier.FieldAddress:
			return addressAnswer(form)
		case kind == dossier.FieldPhone:
			return phoneAnswer(form)
		case kind == dossier.FieldMultiSelect:
			if len(form["value"]) == 0 {
				return json.RawMessage("null")
			}
			return jsonText(form["value"])
		default:
			value := strings.TrimSpace(strings.ReplaceAll(form.Get("value"), "\r\n", "\n"))
			switch {
			case value != "":
				return jsonText(value)
			case e.Value != nil && (kind == dossier.FieldSSN || kind == dossier.FieldEIN):
				return nil
			}
			return json.RawMessage("null")
		}
	}
}

// phoneAnswer reads a number as it is written in the chosen country. What cannot be a number there stays as given.
func phoneAnswer(form url.Values) json.RawMessage {
	value := strings.TrimSpace(form.Get("value"))
	if value == "" {
		return json.RawMessage("null")
	}
	phone, _ := dossier.NormalizePhone(value, form.Get("region"))
	return jsonText(phone)
}

// addressAnswer leaves out empty parts. A country alone is no address: browsers fill it in by themselves.
func addressAnswer(form url.Values) json.RawMessage {
	parts, given := map[string]string{}, false
	for _, part := range addressParts {
		if value := strings.TrimSpace(form.Get(part[0])); value != "" {
			parts[part[0]] = value
			given = given || part[0] != "country"
		}
	}
	if !given {
		return json.RawMessage("null")
	}
	return jsonText(parts)
}

// jsonText writes texts as JSON. What is not UTF-8 becomes the replacement character, so it cannot fail.
func jsonText(value any) json.RawMessage {
	data, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}
