package dossier

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

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
