package dossier

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
)

// Every field type with values that fit and values that do not (resources.md section 2, `value`).
func TestParseItemValue(t *testing.T) {
	t.Parallel()
	thousand, million := decimal.NewFromInt(1000), decimal.NewFromInt(1_000_000)
	options := ItemConfig{Options: []string{"LLC", "S-Corp"}}
	tests := []struct {
		t       FieldType
		config  ItemConfig
		given   string
		shown   string
		problem string // "" is valid
	}{
		{FieldText, ItemConfig{}, `" Lee Foods "`, `"Lee Foods"`, ""},
		{FieldText, ItemConfig{}, `5`, `5`, "Must be a text"},
		{FieldText, ItemConfig{}, `" "`, `" "`, "Must not be empty"},
		{FieldText, ItemConfig{}, `"<b> & Söhne"`, `"<b> & Söhne"`, ""},
		{FieldText, ItemConfig{Pattern: `[A-Z]{2}\d+`}, `"AB12"`, `"AB12"`, ""},
		{FieldText, ItemConfig{Pattern: `[A-Z]{2}\d+`}, `"xAB12"`, `"xAB12"`, "Does not have the expected form"},
		{FieldText, ItemConfig{Pattern: `[A-Z]{2}\d+`}, `"AB12x"`, `"AB12x"`, "Does not have the expected form"},
		{FieldText, ItemConfig{Pattern: `a|ab`}, `"ab"`, `"ab"`, ""}, // whole value, whichever branch comes first
		{FieldText, ItemConfig{Pattern: `\Qa.b`}, `"a.b"`, `"a.b"`, ""},
		{FieldText, ItemConfig{Pattern: `^(\w+\s?)+$`}, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"`, `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"`, "Does not have the expected form"},
		{FieldNumber, ItemConfig{}, `12500`, `12500`, ""},
		{FieldNumber, ItemConfig{}, `"12,500"`, `12500`, ""},
		{FieldNumber, ItemConfig{}, `"$1,234,567.89"`, `1234567.89`, ""},
		{FieldNumber, ItemConfig{}, `"-0.5"`, `-0.5`, ""},
		{FieldNumber, ItemConfig{}, `0.1`, `0.1`, ""},
		{FieldNumber, ItemConfig{}, `1e3`, `1000`, ""},
		{FieldNumber, ItemConfig{}, `"12,50"`, `"12,50"`, "Must be a number"},
		{FieldNumber, ItemConfig{}, `"1,2,3"`, `"1,2,3"`, "Must be a number"},
		{FieldNumber, ItemConfig{}, `"about 5"`, `"about 5"`, "Must be a number"},
		{FieldNumber, ItemConfig{}, `""`, `""`, "Must be a number"},
		{FieldNumber, ItemConfig{}, `true`, `true`, "Must be a number"},
		{FieldNumber, ItemConfig{}, `1e999999999`, `1e999999999`, "Must be a number"},
		{FieldNumber, ItemConfig{Min: &thousand, Max: &million}, `1000`, `1000`, ""},
		{FieldNumber, ItemConfig{Min: &thousand, Max: &million}, `1000000`, `1000000`, ""},
		{FieldNumber, ItemConfig{Min: &thousand, Max: &million}, `999.99`, `999.99`, "Must be at least 1,000"},
		{FieldNumber, ItemConfig{Min: &thousand, Max: &million}, `"1,000,001"`, `"1,000,001"`, "Must be at most 1,000,000"},
		{FieldDate, ItemConfig{}, `"2024-02-29"`, `"2024-02-29"`, ""},
		{FieldDate, ItemConfig{}, `"2023-02-29"`, `"2023-02-29"`, "Must be a date in the form YYYY-MM-DD"},
		{FieldDate, ItemConfig{}, `"02/28/2023"`, `"02/28/2023"`, "Must be a date in the form YYYY-MM-DD"},
		{FieldDate, ItemConfig{}, `"2023-02-28T00:00:00Z"`, `"2023-02-28T00:00:00Z"`, "Must be a date in the form YYYY-MM-DD"},
		{FieldEIN, ItemConfig{}, `"123456789"`, `"12-3456789"`, ""},
		{FieldEIN, ItemConfig{}, `"12-3456789"`, `"12-3456789"`, ""},
		{FieldEIN, ItemConfig{}, `"12-345678"`, `"12-345678"`, "Must be an EIN of nine digits, such as 12-3456789"},
		{FieldEIN, ItemConfig{}, `"00-3456789"`, `"00-3456789"`, "Must be an EIN of nine digits, such as 12-3456789"},
		{FieldEIN, ItemConfig{}, `123456789`, `123456789`, "Must be a text"},
		{FieldSSN, ItemConfig{}, `"123-45-6789"`, `"***-**-6789"`, ""},
		{FieldSSN, ItemConfig{}, `"123456789"`, `"***-**-6789"`, ""},
		{FieldSSN, ItemConfig{}, `"000-45-6789"`, `"***-**-6789"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `"666-45-6789"`, `"***-**-6789"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `"900-45-6789"`, `"***-**-6789"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `"123-00-6789"`, `"***-**-6789"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `"123-45-0000"`, `"***-**-0000"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `"12345"`, `"***-**-****"`, "Must be a social security number of nine digits"},
		{FieldSSN, ItemConfig{}, `123456789`, `"***-**-6789"`, "Must be a text"},
		{FieldSSN, ItemConfig{}, `{"ssn":"123-45-6789"}`, `"***-**-6789"`, "Must be a text"},
		{FieldEmail, ItemConfig{}, `"ann@example.com"`, `"ann@example.com"`, ""},
		{FieldEmail, ItemConfig{}, `"ann"`, `"ann"`, "Must be an email address such as name@example.com"},
		{FieldPhone, ItemConfig{}, `"(212) 555-0142"`, `"+12125550142"`, ""},
		{FieldPhone, ItemConfig{}, `"+44 20 7946 0958"`, `"+442079460958"`, ""},
		{FieldPhone, ItemConfig{}, `"12"`, `"12"`, "Must be a phone number"},
		{FieldSelect, options, `"LLC"`, `"LLC"`, ""},
		{FieldSelect, options, `"GmbH"`, `"GmbH"`, "Must be one of: LLC, S-Corp"},
		{FieldSelect, options, `["LLC"]`, `["LLC"]`, "Must be a text"},
		{FieldSelect, ItemConfig{}, `"anything"`, `"anything"`, ""},
		{FieldMultiSelect, options, `["S-Corp","LLC","S-Corp"]`, `["S-Corp","LLC"]`, ""},
		{FieldMultiSelect, options, `["LLC","GmbH"]`, `["LLC","GmbH"]`, "Must be some of: LLC, S-Corp"},
		{FieldMultiSelect, options, `[]`, `[]`, "Choose at least one"},
		{FieldMultiSelect, options, `"LLC"`, `"LLC"`, "Must be an array of choices"},
		{FieldAddress, ItemConfig{}, `{"postalCode":"10001","street":" 1 Main St ","city":"New York","state":"NY"}`,
			`{"street":"1 Main St","city":"New York","state":"NY","postalCode":"10001","country":"US"}`, ""},
		{FieldAddress, ItemConfig{}, `{"street":"1 Hauptstr.","city":"Berlin","state":"BE","postalCode":"10115","country":"DE"}`,
			`{"street":"1 Hauptstr.","city":"Berlin","state":"BE","postalCode":"10115","country":"DE"}`, ""},
		{FieldAddress, ItemConfig{}, `{"street":"1 Main St","city":"New York","state":"NY"}`, `{"street":"1 Main St","city":"New York","state":"NY"}`, "The address needs a postalCode"},
		{FieldAddress, ItemConfig{}, `{"street":"1 Main St","zip":"10001"}`, `{"street":"1 Main St","zip":"10001"}`,
			`An address has no "zip"; it has street, city, state, postalCode, country`},
		{FieldAddress, ItemConfig{}, `{"street":5}`, `{"street":5}`, "The street must be a text of at most 255 characters"},
		{FieldAddress, ItemConfig{}, `"1 Main St"`, `"1 Main St"`, "Must be an address: an object with street, city, state, postalCode, country"},
	}
	for _, test := range tests {
		t.Run(string(test.t)+" "+test.given, func(t *testing.T) {
			t.Parallel()
			value, problem := ParseItemValue(ChecklistItem{FieldType: test.t, Config: test.config}, json.RawMessage(test.given), "US")
			if string(value.Shown) != test.shown || problem.In(English) != test.problem {
				t.Errorf("stored %s with problem %q, want %s with %q", value.Shown, problem.In(English), test.shown, test.problem)
			}
			if (value.Secret != "") != (test.t == FieldSSN) {
				t.Errorf("secret %q of a %s", value.Secret, test.t)
			}
			if again, problem := ParseItemValue(ChecklistItem{FieldType: test.t, Config: test.config}, value.Shown, "US"); problem.None() && string(again.Shown) != string(value.Shown) {
				t.Errorf("reading what was stored gives %s, not %s again", again.Shown, value.Shown)
			}
		})
	}
}

// Who replaces whom (resources.md section 2, Sources): a caller of the API or a person always, the portal what the
// portal or an agent gave, an agent only what an agent gave. Everything displaced or outranked is kept.
func TestChecklist_Apply_sources(t *testing.T) {
	t.Parallel()
	replaced := map[ValueSource]map[ValueSource]bool{ // by new source, by present source
		SourceManual:   {SourceManual: true, SourceImported: true, SourcePortal: true, SourceAgent: true},
		SourceImported: {SourceManual: true, SourceImported: true, SourcePortal: true, SourceAgent: true},
		SourcePortal:   {SourceManual: false, SourceImported: false, SourcePortal: true, SourceAgent: true},
		SourceAgent:    {SourceManual: false, SourceImported: false, SourcePortal: false, SourceAgent: true},
	}
	for writer, present := range replaced {
		for source, want := range present {
			t.Run(string(writer)+" over "+string(source), func(t *testing.T) {
				t.Parallel()
				c := oneItem(FieldText)
				c.Apply(ItemUpdate{Code: "ITEM", Value: json.RawMessage(`"old"`)}, Writer{Source: source}, testNow)
				out := c.Apply(ItemUpdate{Code: "ITEM", Value: json.RawMessage(`"new"`)}, Writer{Source: writer}, testNow.Add(time.Hour))
				entry := c.Entry("ITEM")
				value, other, by := `"new"`, `"old"`, writer
				displaced := source
				if !want {
					value, other, by, displaced = `"old"`, `"new"`, source, writer
				}
				if string(entry.Value) != value || entry.Source != by || out.Reason != "" {
					t.Errorf("value %s from %s (%s), want %s from %s", entry.Value, entry.Source, out.Reason, value, by)
				}
				if len(entry.Alternates) != 1 || string(entry.Alternates[0].Value) != other || *entry.Alternates[0].Source != displaced {
					t.Errorf("alternates %+v, want %s from %s", entry.Alternates, other, displaced)
				}
			})
		}
	}
}

func oneItem(t FieldType) Checklist {
	return Checklist{Groups: []ChecklistGroup{{Entries: []ChecklistEntry{{ID: "e", Item: ChecklistItem{Code: "ITEM", FieldType: t, IsRequired: true}, Status: ItemTodo}}}}}
}

// api.md, Checklist item status, and the rows of decisions.md and resources.md about values and null.
func TestChecklist_Apply(t *testing.T) {
	t.Parallel()
	given := func(s ItemStatus) *ItemStatus { return &s }
	tests := []struct {
		name    string
		t       FieldType
		updates []ItemUpdate
		status  ItemStatus
		value   string
		problem string
		reason  string // of the last update
	}{
		{"a valid value completes", FieldNumber, []ItemUpdate{{Value: []byte(`5`)}}, ItemCompleted, `5`, "", ""},
		{"an invalid value is kept with its problem", FieldNumber, []ItemUpdate{{Value: []byte(`"x"`)}}, ItemInvalid, `"x"`, "Must be a number", ""},
		{"a given status is taken as given", FieldNumber, []ItemUpdate{{Value: []byte(`"x"`), Status: given(ItemCompleted)}}, ItemCompleted, `"x"`, "", ""},
		{"a valid value with INVALID", FieldNumber, []ItemUpdate{{Value: []byte(`5`), Status: given(ItemInvalid)}}, ItemInvalid, `5`, "", ""},
		{"a status alone", FieldNumber, []ItemUpdate{{Status: given(ItemSkipped)}}, ItemSkipped, ``, "", ""},
		{"a status alone keeps the value", FieldNumber, []ItemUpdate{{Value: []byte(`5`)}, {Status: given(ItemNeedsReview)}}, ItemNeedsReview, `5`, "", ""},
		{"TODO", FieldNumber, []ItemUpdate{{Value: []byte(`5`)}, {Status: given(ItemTodo)}}, ItemTodo, `5`, "", ""},
		{"null clears value and status", FieldNumber, []ItemUpdate{{Value: []byte(`"x"`)}, {Value: []byte(`null`)}}, ItemTodo, ``, "", ""},
		{"null with a status", FieldNumber, []ItemUpdate{{Value: []byte(`5`)}, {Value: []byte(`null`), Status: given(ItemSkipped)}}, ItemSkipped, ``, "", ""},
		{"a corrected value", FieldNumber, []ItemUpdate{{Value: []byte(`"x"`)}, {Value: []byte(`6`)}}, ItemCompleted, `6`, "", ""},
		{"nothing but the code", FieldNumber, []ItemUpdate{{Value: []byte(`5`)}, {}}, ItemCompleted, `5`, "", ""},
		{"a file item takes a status", FieldBankStatement, []ItemUpdate{{Status: given(ItemCompleted)}}, ItemCompleted, ``, "", ""},
		{"a file item takes no value", FieldBankStatement, []ItemUpdate{{Value: []byte(`"x"`), Status: given(ItemCompleted)}}, ItemTodo, ``, "",
			"BANK_STATEMENT is answered with documents, not with a value"},
		{"a file item has no value to clear", FieldFile, []ItemUpdate{{Value: []byte(`null`), Status: given(ItemSkipped)}}, ItemSkipped, ``, "", ""},
		{"an unknown code", FieldText, []ItemUpdate{{Code: "OTHER", Value: []byte(`"x"`)}}, ItemTodo, ``, "", "No item of this lead's checklist has this code"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := oneItem(test.t)
			var out ItemOutcome
			for _, upd := range test.updates {
				if upd.Code == "" {
					upd.Code = "ITEM"
				}
				out = c.Apply(upd, Writer{Source: SourceImported, Region: "US"}, testNow)
			}
			e := c.Entry("ITEM")
			problem := Text(e.ValidationError(English))
			if e.Status != test.status || string(e.Value) != test.value || problem != test.problem || out.Reason != test.reason {
				t.Errorf("%s %s %q, reason %q; want %s %s %q, reason %q", e.Status, e.Value, problem, out.Reason, test.status, test.value, test.problem, test.reason)
			}
		})
	}
}

// A number sent under a wrong code must not end up readable in a log.
func TestChecklist_Apply_redacts_refused_values(t *testing.T) {
	t.Parallel()
	c := oneItem(FieldText)
	out := c.Apply(ItemUpdate{Code: "SNN", Value: json.RawMessage(`"123-45-6789"`)}, Writer{Source: SourceImported}, testNow)
	if string(out.Value) != `"***-**-6789"` {
		t.Errorf("the log would have %s", out.Value)
	}
}

// Visibility: an item's condition, its group's, and that a hidden item counts as having no value.
func TestChecklist_Resolve(t *testing.T) {
	t.Parallel()
	when := func(code, value string) *Condition {
		return &Condition{Leaf: &ConditionLeaf{Code: code, Op: OpEq, Value: json.RawMessage(value)}}
	}
	c := Checklist{Groups: []ChecklistGroup{
		{Entries: []ChecklistEntry{
			{Item: ChecklistItem{Code: "LAST", Conditions: when("MIDDLE", `"yes"`)}, Value: json.RawMessage(`"x"`)},
			{Item: ChecklistItem{Code: "MIDDLE", Conditions: when("FIRST", `"yes"`)}, Value: json.RawMessage(`"yes"`), Status: ItemCompleted},
			{Item: ChecklistItem{Code: "FIRST"}, Value: json.RawMessage(`"yes"`), Status: ItemCompleted},
		}},
		{Conditions: when("FIRST", `"no"`), Entries: []ChecklistEntry{{Item: ChecklistItem{Code: "GROUPED"}}}},
	}}
	visible := func() (codes []string) {
		c.Resolve()
		for e := range c.All() {
			if e.Visible {
				codes = append(codes, e.Item.Code)
			}
		}
		return codes
	}
	if diff := cmp.Diff([]string{"LAST", "MIDDLE", "FIRST"}, visible()); diff != "" {
		t.Error(diff)
	}
	if completed, total := c.Counts(); completed != 2 || total != 3 {
		t.Errorf("%d of %d, want 2 of 3", completed, total)
	}
	c.Entry("FIRST").Value = json.RawMessage(`"no"`)
	if diff := cmp.Diff([]string{"FIRST", "GROUPED"}, visible()); diff != "" {
		t.Error(diff)
	}
}

func TestChecklist_FreeCode(t *testing.T) {
	t.Parallel()
	c := Checklist{Groups: []ChecklistGroup{{Entries: []ChecklistEntry{
		{Item: ChecklistItem{Code: "UTILITY_BILL"}}, {Item: ChecklistItem{Code: "UTILITY_BILL_2"}},
	}}}}
	for label, want := range map[string]string{
		"Utility bill": "UTILITY_BILL_3", "utility  BILL!": "UTILITY_BILL_3", "W-9 (signed)": "W_9_SIGNED", "Führerschein": "FÜHRERSCHEIN", "???": "ITEM", "2024 return": "2024_RETURN",
	} {
		if got := c.FreeCode(label); got != want {
			t.Errorf("%q gives %s, want %s", label, got, want)
		}
	}
}
