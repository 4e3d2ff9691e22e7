package console

import (
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"time"
)

// words are the functions of the templates.
var words = template.FuncMap{
	"say": say, "tone": tone, "when": when, "size": size, "percent": percent, "text": text, "dict": dict,
	"lower":   strings.ToLower,
	"capital": capital, "told": changeSummary,
	"shorten": shorten, "join": strings.Join, "box": boxText, "plus": func(a, b int) int { return a + b },
	"short": shortAddress, "may": func(role string) string { return roleDescriptions[role] }, "scopes": scopes,
	"name": nameWords, "who": who, "ends": endOf, "many": many, "phone": phone,
}

// stateLabels are the captions of states and codes.
var stateLabels = map[string]string{
	"IN_PROGRESS": "In progress", "REVIEW": "In review", "COMPLETED": "Complete", "NOT_INTERESTED": "Not interested",
	"OPTED_OUT": "Opted out", "TODO": "To do", "INVALID": "Not accepted", "SKIPPED": "Skipped",
	"NEEDS_REVIEW": "Needs review", "DRAFT": "Draft", "QUEUED": "Queued", "SENT": "Sent", "DELIVERED": "Delivered",
	"FAILED": "Failed", "CANCELLED": "Cancelled", "REJECTED": "Rejected", "RECEIVED": "Received", "ACTIVE": "Active",
	"PAUSED": "Paused", "OPEN": "Open", "RESOLVED": "Resolved", "pending": "Waiting to be read",
	"processing": "Being read", "completed": "Read", "failed": "Unreadable", "COMPLETE": "Complete",
	"SUBMITTED": "Submitted", "APPROVED": "Approved", "RETURNED": "Returned", "sms": "Text message", "email": "Email",
	"whatsapp": "WhatsApp", "drivers_license": "Driver's license", "tax_form_other": "Tax form",
	"incomeStatement": "Income statement", "balanceSheet": "Balance sheet", "cashFlow": "Cash flow",
	"variance": "Does not foot", "verified": "Foots", "DECIDED": "Decided", "OBSOLETE": "No longer needed",
	"second_opinion": "Second opinion", "fact_doubted": "Doubtful fact", "document_unread": "Unreadable document",
	"tampering": "Possible tampering", "qa_sample": "Quality sample", "item_needs_review": "Item needs review",
	"accept": "Accepted", "reject": "Rejected", "correct": "Corrected", "dismiss": "Dismissed",
	"dns": "Name not found", "connect": "No connection", "tls": "TLS failed", "timeout_head": "No answer in time",
	"reset": "Connection was reset", "blocked_address": "Address is not allowed", "http_4xx": "Refused",
	"http_5xx": "Server error", "redirect": "Redirect is not followed", "too_large": "Answer is too large",
	"unmapped": "Unmapped captions", "unit": "Amounts in units of", "coverage": "Lines that were found",
	"idType":    "ID type",
	"didOptOut": "Opted out",
	"api_key":   "API key", "ein": "EIN", "ssn": "SSN", "mrz": "MRZ", "LEAD": "The lead", "AI_AGENT": "An agent",
}

// code is a state as the contract names it; pointers are what they point to.
func code(state any) string {
	if s, ok := state.(*string); ok {
		if s == nil {
			return ""
		}
		return *s
	}
	return fmt.Sprint(state)
}

// say is a state or a code in words.
func say(state any) string {
	code := code(state)
	if s, ok := stateLabels[code]; ok {
		return s
	}
	s := strings.ReplaceAll(code, "_", " ")
	if s == strings.ToUpper(s) {
		s = strings.ToLower(s)
	}
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// roleDescriptions say what each role may do in addition to the roles before it.
var roleDescriptions = map[string]string{"viewer": "reads, changes nothing",
	"reviewer": "decides, corrects and writes messages",
	"approver": "decides, corrects, writes messages, approves and overrides",
	"admin":    "everything: also people, keys, holds, erasing and the audit"}

// scopes are what a key may do, in words.
func scopes(list []string) string {
	switch {
	case slices.Contains(list, "admin"):
		return "Everything"
	case slices.Contains(list, "write"):
		return "Read and write"
	}
	return "Read"
}

// capital is a sentence that begins with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// changeSummary is the summary of an action. Changed fields of a lead are named in words, without their time stamps.
func changeSummary(summary string) string {
	what, list, ok := strings.Cut(summary, ": ")
	if !ok || what != "Lead updated" && what != "Answered on the page" && what != "Taken from the lead's message" {
		return summary
	}
	var said []string
	for _, name := range strings.Split(list, ", ") {
		if !fieldName.MatchString(name) {
			said = append(said, name)
		} else if !strings.HasSuffix(name, "At") {
			said = append(said, strings.ToLower(nameWords(name)))
		}
	}
	return what + ": " + strings.Join(said, ", ")
}

var fieldName = regexp.MustCompile(`^[a-z]+([A-Z][a-z]*)+$`)

// tone is the colour of a state.
func tone(state any) string {
	switch code(state) {
	case "COMPLETED", "COMPLETE", "DELIVERED", "SUCCEEDED", "APPROVED", "RESOLVED", "completed", "VALID", "true",
		"ACTIVE", "SENT", "DECIDED", "verified":
		return "good"
	case "INVALID", "FAILED", "failed", "REJECTED", "OPTED_OUT", "false", "RETURNED", "variance", "DEAD", "EXHAUSTED":
		return "bad"
	case "NEEDS_REVIEW", "REVIEW", "DRAFT", "OPEN", "SUBMITTED", "PAUSED", "HELD", "RETRYING":
		return "wait"
	}
	return "calm"
}

// when is a moment as an element; the page's script writes it in the person's own zone.
func when(at any) template.HTML {
	var moment time.Time
	switch t := at.(type) {
	case time.Time:
		moment = t
	case *time.Time:
		if t == nil {
			return "–"
		}
		moment = *t
	}
	if moment.IsZero() {
		return "–"
	}
	moment = moment.UTC()
	// Both are written by time's own layouts: there is nothing in them to escape.
	return template.HTML(`<time datetime="` + moment.Format(time.RFC3339) + `">` + moment.Format("2 Jan 2006, 15:04") +
		` UTC</time>`)
}

// size is a number of bytes in words.
func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.0f kB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}

func percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return 100 * part / whole
}

// text is a value of JSON as a person reads it.
func text(raw json.RawMessage) string {
	var value any
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return ""
	}
	return plain(value)
}

func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return map[bool]string{true: "Yes", false: "No"}[v]
	case []any:
		parts := make([]string, len(v))
		for i, one := range v {
			parts[i] = plain(one)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		parts := []string{}
		for _, name := range []string{"firstName", "middleName", "lastName", "street", "line1", "line2", "city",
			"state",
			"region", "postalCode", "country", "value"} {
			if s := plain(v[name]); s != "" {
				parts = append(parts, s)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, " ")
		}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// who is somebody by name: of a key the name that its people gave it.
func who(actor any) string {
	name := code(actor)
	if key, ok := strings.CutPrefix(name, "key:"); ok {
		return "the key “" + key + "”"
	}
	return name
}

// phone is a number of North America as people write it there; others keep their country's code.
func phone(number any) string { return northAmerican.ReplaceAllString(code(number), "($1) $2-$3") }

var northAmerican = regexp.MustCompile(`^\+1(\d{3})(\d{3})(\d{4})$`)

// endOf is the column of a spread by its id, in words: the day it ends.
func endOf(period string) string {
	_, end, ok := strings.Cut(period, "_")
	if !ok {
		return period
	}
	return strings.ReplaceAll(end, "_", " ")
}

// many is a number of things.
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// shortAddress is an address without what all have.
func shortAddress(address string) string { return shorten(48, strings.TrimPrefix(address, "https://")) }

func shorten(n int, s string) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// dict is several values for a part that takes one: name, value, name, value.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("dict: %d values", len(pairs))
	}
	d := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		d[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return d, nil
}
