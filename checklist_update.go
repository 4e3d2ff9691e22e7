package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"time"
)

// ItemUpdate is what a caller sent about one checklist item, by its code. Value nil was not sent, JSON null
// clears the item; Status nil lets the value decide.
type ItemUpdate struct {
	Code   string
	Value  json.RawMessage
	Status *ItemStatus
}

// ItemOutcome is what became of an ItemUpdate, as the action log tells it. A refused one has a Reason and the
// rest of the call goes on.
type ItemOutcome struct {
	Code    string
	Value   json.RawMessage // as it is now; of a refused update as it was sent
	Status  *ItemStatus     // as it is now; of an unknown code as it was sent
	Reason  string          // why nothing was changed; "" when it was taken
	Changed bool            // something is other than before
	Entry   *ChecklistEntry // nil when the code is unknown
	Before  ItemStatus
}

// Writer says who changes values. Source manual and imported (a call of the API) always win; portal and agent
// give way to what ranks above them (resources.md section 2).
type Writer struct {
	Source   ValueSource
	Document *DocumentID // the document an agent took the value from
	Region   string      // of phone numbers without a country
}

// Apply changes one item as the caller asked.
func (c *Checklist) Apply(upd ItemUpdate, by Writer, now time.Time) ItemOutcome {
	out := ItemOutcome{Code: upd.Code, Value: redact(upd.Value), Status: upd.Status}
	entry := c.Entry(upd.Code)
	if entry == nil {
		out.Reason = "No item of this lead's checklist has this code"
		return out
	}
	out.Entry, out.Before = entry, entry.Status
	before := *entry
	out.Reason = entry.apply(upd, by, now)
	out.Status = &entry.Status
	if out.Reason == "" {
		out.Value = entry.Value
	}
	out.Changed = entry.differs(before)
	if out.Changed {
		entry.UpdatedAt = now
	}
	return out
}

// apply returns why the update is refused, "" when it was taken.
func (e *ChecklistEntry) apply(upd ItemUpdate, by Writer, now time.Time) string {
	switch files := e.Item.FieldType.TakesFiles(); {
	case upd.Value == nil || files && isNull(upd.Value):
	case files:
		return fmt.Sprintf("%s is answered with documents, not with a value", e.Item.FieldType)
	case e.Value != nil && !by.replaces(e.Source):
		if isNull(upd.Value) {
			return "The value was given by a source that ranks higher"
		}
		e.remember(upd.Value, by, now)
		return ""
	case isNull(upd.Value):
		e.clear()
	case e.Item.FieldType == FieldSSN && e.Value != nil && sameJSON(e.Value, upd.Value):
		// the mask of the number that is there, as it was read: nothing new
	default:
		e.put(upd.Value, by, now)
	}
	if upd.Status != nil {
		e.setStatus(*upd.Status, by)
	}
	return ""
}

// setStatus takes a status as given: an item that somebody called anything but INVALID has no error to show.
func (e *ChecklistEntry) setStatus(status ItemStatus, by Writer) {
	e.Status, e.AutoSkipped = status, false
	if status != ItemInvalid {
		e.Reasons = nil
	}
	if e.Source == "" {
		e.Source = by.Source
	}
}

func (e *ChecklistEntry) clear() {
	e.Value, e.Secret, e.Reasons, e.Source = nil, "", nil, ""
	e.Status, e.AutoSkipped = ItemTodo, false
}

// put gives the entry a value, and the status the value deserves.
func (e *ChecklistEntry) put(raw json.RawMessage, by Writer, now time.Time) {
	value, problem := ParseItemValue(e.Item, raw, by.Region)
	if e.Value == nil || !sameJSON(e.Value, value.Shown) {
		if e.Value != nil {
			e.displace(now)
		}
		e.Source = by.Source
	}
	e.Value, e.Secret = value.Shown, value.Secret
	e.Status, e.Reasons, e.AutoSkipped = ItemCompleted, nil, false
	if !problem.None() {
		e.Status, e.Reasons = ItemInvalid, []Reason{problem}
	}
}

// remember keeps a value that may not take the place of the present one.
func (e *ChecklistEntry) remember(raw json.RawMessage, by Writer, now time.Time) {
	value, _ := ParseItemValue(e.Item, raw, by.Region)
	if sameJSON(e.Value, value.Shown) || e.hasAlternate(value.Shown, by.Source) {
		return
	}
	e.addAlternate(AlternateValue{Value: value.Shown, Source: &by.Source, DocumentID: by.Document, CreatedAt: now})
}

// replaces reports whether this writer's value takes the place of one from the given source.
func (w Writer) replaces(source ValueSource) bool {
	switch w.Source {
	case SourcePortal:
		return source == SourcePortal || source == SourceAgent || source == ""
	case SourceAgent:
		return source == SourceAgent || source == ""
	}
	return true
}

func (e *ChecklistEntry) hasAlternate(value json.RawMessage, source ValueSource) bool {
	for _, a := range e.Alternates {
		if a.Source != nil && *a.Source == source && sameJSON(a.Value, value) {
			return true
		}
	}
	return false
}

func (e *ChecklistEntry) differs(b ChecklistEntry) bool {
	return e.Status != b.Status || !bytes.Equal(e.Value, b.Value) || e.Secret != b.Secret || e.Source != b.Source ||
		e.AutoSkipped != b.AutoSkipped || !SameReasons(e.Reasons, b.Reasons) ||
		len(e.Alternates) != len(b.Alternates) ||
		len(e.Alternates) > 0 && !e.Alternates[0].CreatedAt.Equal(b.Alternates[0].CreatedAt)
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

var looksSecret = regexp.MustCompile(`\d{3}[ -]?\d{2}[ -]?\d{4}`)

// redact hides what may be a social security number sent under a wrong code: a log must not keep it.
func redact(raw json.RawMessage) json.RawMessage {
	return looksSecret.ReplaceAllFunc(raw, func(found []byte) []byte {
		return []byte("***-**-" + string(found[len(found)-4:]))
	})
}
