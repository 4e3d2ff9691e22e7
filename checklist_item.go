package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// FieldType is the type of a checklist item (api.md, Field types).
type FieldType string

// Field types. The first four take files.
const (
	FieldBankStatement FieldType = "BANK_STATEMENT"
	FieldFile          FieldType = "FILE"
	FieldID            FieldType = "ID"
	FieldTaxReturn     FieldType = "TAX_RETURN"
	FieldAddress       FieldType = "ADDRESS"
	FieldDate          FieldType = "DATE"
	FieldEIN           FieldType = "EIN"
	FieldEmail         FieldType = "EMAIL"
	FieldMultiSelect   FieldType = "MULTI_SELECT"
	FieldNumber        FieldType = "NUMBER"
	FieldPhone         FieldType = "PHONE"
	FieldSelect        FieldType = "SELECT"
	FieldSSN           FieldType = "SSN"
	FieldText          FieldType = "TEXT"
)

// TakesFiles reports whether items of this type are answered with documents.
func (t FieldType) TakesFiles() bool {
	switch t {
	case FieldBankStatement, FieldFile, FieldID, FieldTaxReturn:
		return true
	}
	return false
}

// FieldTypes lists every field type in the order of api.md.
var FieldTypes = []FieldType{FieldBankStatement, FieldFile, FieldID, FieldTaxReturn, FieldAddress, FieldDate, FieldEIN,
	FieldEmail, FieldMultiSelect, FieldNumber, FieldPhone, FieldSelect, FieldSSN, FieldText}

// Valid reports whether t is a field type.
func (t FieldType) Valid() bool { return slices.Contains(FieldTypes, t) }

// FieldTypeNames lists the names for a message.
func FieldTypeNames() string {
	names := make([]string, len(FieldTypes))
	for i, t := range FieldTypes {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// MaxRules and MaxRule bound the validation rules of one item; a rule is a sentence or two.
const (
	MaxRules = 100
	MaxRule  = 1000
)

// NewItem is a one-off item for one lead, as a caller asked for it.
type NewItem struct {
	Code               string // "": generated from the label
	Label              string
	FieldType          FieldType
	Config             json.RawMessage
	IsRequired         bool
	AgentInstructions  *string
	ClientInstructions *string
	ValidationRules    []string
	PartyID            *PartyID // whose it is, among the parties of the lead
}

// codeForm is what a code may look like; conditions, columns and templates of messages name it.
var codeForm = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}_.-]*$`)

// Faults finds everything wrong with the request, whatever the checklist is.
func (n NewItem) Faults() []Fault {
	var f faults
	f.required("/label", n.Label)
	if !n.FieldType.Valid() {
		f.add("/fieldType", "invalid_value", "fieldType must be one of %s", FieldTypeNames())
		return f
	}
	_, wrong := ParseItemConfig(n.FieldType, n.Config, "/config")
	f = append(f, wrong...)
	f.instructions(n.AgentInstructions, n.ClientInstructions)
	f.rules(n.FieldType, n.ValidationRules)
	if n.Code != "" && (!codeForm.MatchString(n.Code) || len([]rune(n.Code)) > MaxString) {
		f.add("/code", "invalid_value", "code may have letters, digits, underscores, dots and dashes, at most %d",
			MaxString)
	}
	return f
}

// Item makes the definition. Its code is made from the label when none was given, so that no entry of the lead's
// checklist has it. Errors: Invalid, Conflict (duplicate_code).
func (n NewItem) Item(id ItemID, lead LeadID, c *Checklist, now time.Time) (ChecklistItem, error) {
	if faults := n.Faults(); len(faults) > 0 {
		return ChecklistItem{}, InvalidFaults(faults)
	}
	config, _ := ParseItemConfig(n.FieldType, n.Config, "/config")
	code := n.Code
	if code == "" {
		code = c.FreeCode(n.Label)
	}
	if c.Entry(code) != nil {
		return ChecklistItem{}, Coded(Conflict, "duplicate_code",
			"This lead's checklist already has an item with the code %s", code)
	}
	return ChecklistItem{ID: id, LeadID: &lead, PartyID: n.PartyID, Code: code, Label: strings.TrimSpace(n.Label),
		FieldType:  n.FieldType,
		IsRequired: n.IsRequired,
		Config:     config, ValidationRules: n.ValidationRules, AgentInstructions: n.AgentInstructions,
		ClientInstructions: n.ClientInstructions,
		Position:           c.nextPosition(), CreatedAt: now, UpdatedAt: now}, nil
}

// nextPosition is after every item of the lead's own.
func (c *Checklist) nextPosition() int {
	next := 0
	for entry := range c.All() {
		if entry.Item.LeadID != nil {
			next = max(next, entry.Item.Position+1)
		}
	}
	return next
}

// ItemChange is what a caller sent about a one-off item; nil and unsent fields stay.
type ItemChange struct {
	Label              *string
	IsRequired         *bool
	Config             json.RawMessage // nil: not sent; null: none
	AgentInstructions  Patch[string]
	ClientInstructions Patch[string]
	ValidationRules    *[]string
	PartyID            Patch[PartyID]
}

// Judged reports whether the change may alter what documents or values are worth.
func (ch ItemChange) Judged() bool {
	return ch.Config != nil || ch.ValidationRules != nil || ch.PartyID.Sent
}

// Change alters a one-off item and judges a value it has anew. Errors: Invalid, Conflict (template_item).
func (e *ChecklistEntry) Change(ch ItemChange, region string, now time.Time) error {
	if e.Item.LeadID == nil {
		return Coded(Conflict, "template_item",
			"This item belongs to the workspace's template; only items made for one lead can be changed "+
				"or deleted here")
	}
	item := e.Item
	var f faults
	if ch.Label != nil {
		f.required("/label", *ch.Label)
		item.Label = strings.TrimSpace(*ch.Label)
	}
	if ch.IsRequired != nil {
		item.IsRequired = *ch.IsRequired
	}
	if ch.Config != nil {
		config, wrong := ParseItemConfig(item.FieldType, ch.Config, "/config")
		item.Config, f = config, append(f, wrong...)
	}
	ch.AgentInstructions.apply(&item.AgentInstructions)
	ch.ClientInstructions.apply(&item.ClientInstructions)
	ch.PartyID.apply(&item.PartyID)
	f.instructions(ch.AgentInstructions.Value, ch.ClientInstructions.Value)
	if ch.ValidationRules != nil {
		f.rules(item.FieldType, *ch.ValidationRules)
		item.ValidationRules = *ch.ValidationRules
	}
	if len(f) > 0 {
		return InvalidFaults(f)
	}
	item.UpdatedAt = now
	e.Item = item
	if ch.Config != nil {
		e.revalidate(region, now)
	}
	return nil
}

// revalidate holds a value to a new config. A status that somebody set by hand stays.
func (e *ChecklistEntry) revalidate(region string, now time.Time) {
	if e.Value == nil || e.Item.FieldType.TakesFiles() || e.Item.FieldType == FieldSSN ||
		(e.Status != ItemCompleted && e.Status != ItemInvalid) {
		return
	}
	value, problem := ParseItemValue(e.Item, e.Value, region)
	e.Value, e.Status, e.Reasons, e.UpdatedAt = value.Shown, ItemCompleted, nil, now
	if !problem.None() {
		e.Status, e.Reasons = ItemInvalid, []Reason{problem}
	}
}

func (f *faults) instructions(agent, client *string) {
	f.length("/agentInstructions", Text(agent), MaxText)
	f.length("/clientInstructions", Text(client), MaxText)
}

func (f *faults) rules(t FieldType, rules []string) {
	if len(rules) > 0 && !t.TakesFiles() {
		f.add("/validationRules", "invalid_value",
			"validationRules are for file items (BANK_STATEMENT, FILE, ID, TAX_RETURN); %s takes a value", t)
		return
	}
	if len(rules) > MaxRules {
		f.add("/validationRules", "too_long", "validationRules may have at most %d entries", MaxRules)
		return
	}
	for i, rule := range rules {
		pointer := fmt.Sprintf("/validationRules/%d", i)
		if strings.TrimSpace(rule) == "" {
			f.add(pointer, "invalid_value", "a rule must not be empty")
		}
		f.length(pointer, rule, MaxRule)
	}
}

// ItemStatus is the state of one item on one lead's checklist (api.md, Checklist item status).
type ItemStatus string

// States of a checklist item.
const (
	ItemTodo        ItemStatus = "TODO"         // nothing, or not yet enough, is there
	ItemCompleted   ItemStatus = "COMPLETED"    // met
	ItemInvalid     ItemStatus = "INVALID"      // what is there breaks a rule
	ItemSkipped     ItemStatus = "SKIPPED"      // not wanted any more
	ItemNeedsReview ItemStatus = "NEEDS_REVIEW" // the lead gave what was asked, a person must judge it
)

// Valid reports whether s is one of the five states.
func (s ItemStatus) Valid() bool {
	switch s {
	case ItemTodo, ItemCompleted, ItemInvalid, ItemSkipped, ItemNeedsReview:
		return true
	}
	return false
}

// Done reports whether the item no longer holds up a workflow run (decisions.md section 4, automatic
// completion): what waits for a person was given by the lead.
func (s ItemStatus) Done() bool {
	return s == ItemCompleted || s == ItemSkipped || s == ItemNeedsReview
}

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
