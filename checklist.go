package dossier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"
)

// Checklist is what is collected from one lead: groups in the template's order, the lead's own items last.
type Checklist struct{ Groups []ChecklistGroup }

// ChecklistGroup is a heading with its items in order.
type ChecklistGroup struct {
	ID         string // a GroupID; of the additional items the lead's id
	Key        string // identity in the workspace file, may hold spaces; "" for the additional items
	Name       string
	Conditions *Condition
	Entries    []ChecklistEntry
}

// The group of a lead's own items and of template items outside groups (resources.md section 1).
const (
	AdditionalItemsName = "Additional items"
	AdditionalItemsCode = "ADDITIONAL_ITEMS"
)

// Code is the group's stable name: its key in upper case with spaces as underscores.
func (g ChecklistGroup) Code() string {
	if g.Key == "" {
		return AdditionalItemsCode
	}
	return strings.ReplaceAll(strings.ToUpper(g.Key), " ", "_")
}

// ChecklistItem is the definition of an item: of the workspace's template, or one lead's own.
type ChecklistItem struct {
	ID                 ItemID
	LeadID             *LeadID  // nil: of the template
	PartyID            *PartyID // of a lead's own item: whose it is; nil: nobody's in particular
	GroupID            *GroupID // nil: outside groups
	Code               string
	Label              string
	FieldType          FieldType
	IsRequired         bool
	Config             ItemConfig
	Conditions         *Condition
	ValidationRules    []string
	HelpText           *string
	ClientInstructions *string
	AgentInstructions  *string
	Position           int
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// ChecklistEntry is an item on one lead's checklist.
type ChecklistEntry struct {
	ID          EntryID
	Item        ChecklistItem
	Status      ItemStatus
	Value       json.RawMessage // nil: none. Of an SSN the masked form
	Secret      string          // an SSN in full, only while it is being written or revealed
	Source      ValueSource
	Alternates  []AlternateValue // displaced or outranked values, newest first
	Reasons     []Reason         // why it is not right, none when it is; ValidationError says them
	Override    json.RawMessage
	AutoSkipped bool       // SKIPPED because the lead was completed; reopening undoes it
	Visible     bool       // set by Resolve
	Documents   []Document // that serve a file item, oldest first, each with that one association; only when read
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ValidationError says why the entry is not right; nil when there is nothing to say.
func (e *ChecklistEntry) ValidationError(language Language) *string {
	return ReasonsText(language, e.Reasons)
}

// AlternateValue is a value that an item does not have now. Its JSON names are those of decisions.md section 2:
// it is stored as it is answered.
type AlternateValue struct {
	Value      json.RawMessage `json:"value"`
	Source     *ValueSource    `json:"source"`
	DocumentID *DocumentID     `json:"documentId"`
	CreatedAt  time.Time       `json:"createdAt"`
}

// maxAlternates bounds what one item remembers; the oldest go first.
const maxAlternates = 20

// Entry returns the entry with this code, nil when the checklist has none.
func (c *Checklist) Entry(code string) *ChecklistEntry {
	for entry := range c.All() {
		if entry.Item.Code == code {
			return entry
		}
	}
	return nil
}

// Len is how many entries there are.
func (c *Checklist) Len() int {
	n := 0
	for _, g := range c.Groups {
		n += len(g.Entries)
	}
	return n
}

// All walks the entries in order; they may be changed in place.
func (c *Checklist) All() func(yield func(*ChecklistEntry) bool) {
	return func(yield func(*ChecklistEntry) bool) {
		for g := range c.Groups {
			for e := range c.Groups[g].Entries {
				if !yield(&c.Groups[g].Entries[e]) {
					return
				}
			}
		}
	}
}

// OnPage reports whether an item is on the page of a party, or, for none, on the lead's own: that one has what names
// nobody and what is the primary party's.
func (i ChecklistItem) OnPage(party, primary PartyID) bool {
	if party != "" {
		return i.PartyID != nil && *i.PartyID == party
	}
	return i.PartyID == nil || *i.PartyID == primary
}

// KeepPage takes out the entries that are not on a page. Resolve comes first: what is taken out still decides what is
// visible.
func (c *Checklist) KeepPage(party, primary PartyID) {
	for g := range c.Groups {
		c.Groups[g].Entries = slices.DeleteFunc(c.Groups[g].Entries, func(e ChecklistEntry) bool {
			return !e.Item.OnPage(party, primary)
		})
	}
}

// NamesParties reports whether any item is somebody's.
func (c *Checklist) NamesParties() bool {
	for entry := range c.All() {
		if entry.Item.PartyID != nil {
			return true
		}
	}
	return false
}

// Resolve computes which entries are visible: their own condition and their group's hold. An item that is
// itself hidden counts as having no value.
func (c *Checklist) Resolve() {
	r := resolver{nodes: map[string]*visibilityNode{}}
	for g := range c.Groups {
		for e := range c.Groups[g].Entries {
			entry := &c.Groups[g].Entries[e]
			r.nodes[entry.Item.Code] = &visibilityNode{entry: entry, group: c.Groups[g].Conditions}
		}
	}
	for _, node := range r.nodes {
		r.visible(node)
	}
}

type resolver struct{ nodes map[string]*visibilityNode }

type visibilityNode struct {
	entry *ChecklistEntry
	group *Condition
	state int // 0 unknown, 1 being computed, 2 known
}

// visible evaluates a node once. Cycles are refused when a template is applied; one that got past shows its items.
func (r resolver) visible(n *visibilityNode) bool {
	switch n.state {
	case 1:
		return true
	case 2:
		return n.entry.Visible
	}
	n.state = 1
	shown := true
	for _, condition := range []*Condition{n.group, n.entry.Item.Conditions} {
		shown = shown && (condition == nil || condition.Holds(r.value))
	}
	n.entry.Visible, n.state = shown, 2
	return shown
}

func (r resolver) value(code string) json.RawMessage {
	node, ok := r.nodes[code]
	if !ok || !r.visible(node) {
		return nil
	}
	return node.entry.Value
}

// Counts returns how many visible entries are COMPLETED, of how many. Resolve comes first.
func (c *Checklist) Counts() (completed, total int) {
	for entry := range c.All() {
		if !entry.Visible {
			continue
		}
		total++
		if entry.Status == ItemCompleted {
			completed++
		}
	}
	return completed, total
}

// Done reports whether nothing is left to collect: every visible required entry is done. Resolve comes first.
func (c *Checklist) Done() bool {
	for entry := range c.All() {
		if entry.Visible && entry.Item.IsRequired && !entry.Status.Done() {
			return false
		}
	}
	return true
}

// AutoSkip marks visible required entries that are TODO or INVALID as SKIPPED, because their lead was
// completed; what waits for a person stays. It returns those it changed. Resolve comes first.
func (c *Checklist) AutoSkip(now time.Time) []*ChecklistEntry {
	var changed []*ChecklistEntry
	for entry := range c.All() {
		if entry.Visible && entry.Item.IsRequired && (entry.Status == ItemTodo || entry.Status == ItemInvalid) {
			entry.Status, entry.AutoSkipped, entry.UpdatedAt = ItemSkipped, true, now
			changed = append(changed, entry)
		}
	}
	return changed
}

// ClearAutoSkips returns the entries that AutoSkip marked, and no others, to TODO.
func (c *Checklist) ClearAutoSkips(now time.Time) []*ChecklistEntry {
	var changed []*ChecklistEntry
	for entry := range c.All() {
		if entry.AutoSkipped {
			entry.Status, entry.AutoSkipped, entry.UpdatedAt = ItemTodo, false, now
			changed = append(changed, entry)
		}
	}
	return changed
}

// FreeCode makes a code from a label that no entry has: UTILITY_BILL, then UTILITY_BILL_2.
func (c *Checklist) FreeCode(label string) string {
	base := codeOf(label)
	for n := 1; ; n++ {
		code := base
		if n > 1 {
			code = fmt.Sprintf("%s_%d", base, n)
		}
		if c.Entry(code) == nil {
			return code
		}
	}
}

// codeOf writes a label in upper snake case: letters and digits, everything else one underscore.
func codeOf(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 {
		return "ITEM"
	}
	code := []rune(strings.ToUpper(strings.Join(words, "_")))
	return strings.TrimRight(string(code[:min(len(code), MaxString-8)]), "_")
}

// displace keeps the entry's present value among the alternates.
func (e *ChecklistEntry) displace(now time.Time) {
	source := &e.Source
	if e.Source == "" {
		source = nil
	}
	e.addAlternate(AlternateValue{Value: slices.Clone(e.Value), Source: source, CreatedAt: now})
}

func (e *ChecklistEntry) addAlternate(a AlternateValue) {
	if a.Source != nil {
		source := *a.Source
		a.Source = &source
	}
	e.Alternates = append([]AlternateValue{a}, e.Alternates...)
	e.Alternates = e.Alternates[:min(len(e.Alternates), maxAlternates)]
}

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
