package console

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reviewPage is one document beside what was read in it.
type reviewPage struct {
	Document  readDocument
	Lead      lead
	Tag       string
	Waiting   bool // it is being read: the page looks again by itself
	Parts     []readPart
	Serves    []association
	Items     []entry // that it may serve besides
	Answers   []entry // what the lead said, besides what the document says, too
	Beside    []comparison
	Sizes     string // JSON of the pages' sizes
	Drafts    string // JSON of the corrections that stand, as they are sent again
	PageCount int
	DocTypes  []string
	Review    *review // that the person opened the page for
}

type readDocument struct {
	document
	DuplicateOf *string
	Extraction  *struct {
		EngineVersion, Layer string
		PageCount            int
		Pages                json.RawMessage
		Documents            []extractedPart
		Model                *struct {
			Name                  string
			Asked, Taken, Dropped int
		}
		Warnings []struct{ Code, Detail string }
	}
	Corrections []correction
}

// extractedPart is one document that was found in the file, as the API answers it.
type extractedPart struct {
	DocType, FieldType string
	Pages              [2]int
	Confidence         float64
	Evidence           []string
	Facts              json.RawMessage
	Sources            sources
	Derived            map[string]string
	Checks             []check
	Warnings           []struct{ Code, Detail string }
}

// sources are read one by one: of a long statement few are shown at a time.
type sources map[string]json.RawMessage

// of is where a fact is printed.
func (s sources) of(pointer string) (found source, ok bool) {
	raw, ok := s[pointer]
	return found, ok && json.Unmarshal(raw, &found) == nil
}

type source struct {
	Page       int
	Box        json.RawMessage
	Text       string
	Confidence float64
	Method     string
}

type check struct {
	Name   string
	Passed *bool
	Detail string
}

// Said is what a check found; sums of forms have whole dollars without separators.
func (c check) Said() string {
	if c.Name != "lines_foot" {
		return c.Detail
	}
	return wholeDollars.ReplaceAllStringFunc(c.Detail, grouped)
}

var wholeDollars = regexp.MustCompile(`\b\d{4,}\b`)

// Tone is a check's colour.
func (c check) Tone() string {
	if c.Passed == nil {
		return "calm"
	}
	return tone(*c.Passed)
}

type correction struct {
	Part         int
	Pointer      string
	MachineValue json.RawMessage
	Value        json.RawMessage
	Reason       *string
	Actor, State string
	At           time.Time
}

type readPart struct {
	Index      int
	DocType    string
	Pages      [2]int
	Confidence int // percent
	Blocks     []factBlock
	Before     string // address of the facts before those that are shown
	After      string // of those behind them
	Left       int    // how many these are
	Checks     []check
	Warnings   []struct{ Code, Detail string }
	Evidence   []string
}

// Failed are the checks that a person must look at.
func (p readPart) Failed() []check {
	return slices.DeleteFunc(slices.Clone(p.Checks), func(c check) bool { return c.Passed == nil || *c.Passed })
}

// Settled are the other checks: they passed, or could not be made.
func (p readPart) Settled() []check {
	return slices.DeleteFunc(slices.Clone(p.Checks), func(c check) bool { return c.Passed != nil && !*c.Passed })
}

// SettledWords say how many of these there are.
func (p readPart) SettledWords() string {
	passed := 0
	for _, c := range p.Settled() {
		if c.Passed != nil {
			passed++
		}
	}
	var said []string
	if passed > 0 {
		said = append(said, many(passed, "check")+" passed")
	}
	if unmade := len(p.Settled()) - passed; unmade > 0 {
		said = append(said, many(unmade, "check")+" could not be made")
	}
	return strings.Join(said, ", ")
}

// docTypes are what a part may be said to be (facts.md).
var docTypes = []string{"bank_statement", "tax_return", "financial_statement", "drivers_license", "passport",
	"national_id", "residence_permit", "tax_form_other", "pay_stub", "invoice", "receipt", "utility_bill",
	"credit_card_statement", "brokerage_statement", "investment_statement", "asset_verification", "lease", "insurance",
	"check", "benefit_plan_report", "rent_roll", "rate_confirmation", "social_security_card", "other"}

// doubtBelow is the confidence under which a fact is one to look at.
const doubtBelow = 0.9

// Document shows a document beside what was read in it.
func (v Visit) Document(id string) (Page, error) { return v.document(id, nil) }

func (v Visit) document(id string, r *review) (Page, error) {
	at := "/api/v1/documents/" + url.PathEscape(id)
	reply, err := v.Ask(at)
	if err != nil {
		return Page{}, err
	}
	answer, err := get[struct{ Document readDocument }](Visit{Ask: func(string) (Reply, error) { return reply, nil }},
		at)
	if err != nil {
		return Page{}, err
	}
	data := reviewPage{Document: answer.Document, Tag: reply.Tag, DocTypes: docTypes, Sizes: "[]", Drafts: "[]",
		Review: r}
	state := data.Document.Metadata.ExtractionStatus
	data.Waiting = state == "pending" || state == "processing"
	err = fill(v, "/api/v1/leads/"+url.PathEscape(data.Document.LeadID), func(a struct {
		Lead           lead
		ChecklistItems []group
	}) {
		data.Lead = a.Lead
		data.items(a.ChecklistItems)
	})
	if err == nil {
		err = data.read(v.Query.Get("facts"), v.Rows)
		data.Beside, data.Answers = compare(data.Lead, data.Answers, data.Parts)
	}
	return Page{File: "review", Title: data.Document.Filename, Tab: tabOf(r), Data: data, Wide: true,
		LeadID: data.Document.LeadID, At: "document/" + id}, err
}

// items says which items the document serves, and which it could.
func (p *reviewPage) items(groups []group) {
	labels := map[string]string{}
	for _, g := range groups {
		for _, e := range g.Visible() {
			labels[e.ID] = e.ChecklistItem.Label
			if !e.IsFile() && text(e.Value) != "" {
				p.Answers = append(p.Answers, e)
			}
		}
	}
	serves := map[string]bool{}
	for _, a := range p.Document.Associations {
		a.Label = labels[a.EntryID]
		if a.Label == "" {
			a.Label = "An item that is hidden now"
		}
		serves[a.EntryID] = true
		p.Serves = append(p.Serves, a)
	}
	for _, g := range groups {
		for _, e := range g.Visible() {
			if e.IsFile() && !serves[e.ID] {
				p.Items = append(p.Items, e)
			}
		}
	}
}

// read lays out what the engine and people say of the file. from is the fact with which a part's begin that has more
// than a page holds: "2.250" is that of the third part.
func (p *reviewPage) read(from string, rows []Row) error {
	read := p.Document.Extraction
	if read == nil {
		return nil
	}
	p.PageCount = read.PageCount
	if len(read.Pages) > 0 {
		p.Sizes = string(read.Pages)
	}
	drafts := []draftCorrection{}
	var failed error
	for i, one := range read.Documents {
		part, corrected, err := p.layOut(i, one, from, rows)
		failed = errors.Join(failed, err)
		p.Parts, drafts = append(p.Parts, part), append(drafts, corrected...)
	}
	data, err := json.Marshal(drafts)
	p.Drafts = string(data)
	return errors.Join(failed, err)
}

// draftCorrection is a correction that stands, as the page's script sends it again with the whole set.
type draftCorrection struct {
	Part    int             `json:"part"`
	Pointer string          `json:"pointer"`
	Value   json.RawMessage `json:"value"`
	Reason  *string         `json:"reason,omitempty"`
	Page    *int            `json:"page,omitempty"`
	Box     json.RawMessage `json:"box,omitempty"`
}

// layOut lays out part i of the file, and returns its corrections. A part whose facts cannot be read has none to show;
// the error says why.
func (p *reviewPage) layOut(i int, one extractedPart, from string, rows []Row) (readPart, []draftCorrection, error) {
	part := readPart{Index: i, DocType: one.DocType, Pages: one.Pages, Confidence: int(one.Confidence * 100),
		Checks: one.Checks, Warnings: one.Warnings, Evidence: one.Evidence}
	facts, err := leaves(one.Facts)
	corrected := map[string]correction{}
	var drafts []draftCorrection
	for _, c := range p.Document.Corrections {
		if c.Part != i {
			continue
		}
		corrected[c.Pointer] = c
		draft := draftCorrection{Part: i, Pointer: c.Pointer, Value: c.Value, Reason: c.Reason}
		if s, ok := one.Sources.of(c.Pointer); ok && s.Method == "person" && s.Page > 0 && string(s.Box) != "null" {
			draft.Page, draft.Box = &s.Page, s.Box
		}
		drafts = append(drafts, draft)
	}
	if strings.HasPrefix(one.DocType, "tax_") {
		asMoney(facts)
	}
	periodWords(facts)
	orderByTemplate(facts, rows)
	orderByLine(facts)
	values := valuesOf(facts)
	first, last := part.window(len(facts), p.begin(i, facts, from))
	for j := first; j < last; j++ {
		f := &facts[j]
		f.Derived = one.Derived[f.Pointer]
		f.From = operands(*f, facts, values)
		if s, ok := one.Sources.of(f.Pointer); ok {
			f.Page, f.Box, f.Method, f.Printed = s.Page, boxText(s.Box), s.Method, s.Text
			f.Model = s.Method == "model"
			f.Doubt = s.Confidence < doubtBelow && s.Method != "person" && !f.Model
		}
		if c, ok := corrected[f.Pointer]; ok {
			f.State, f.Machine, f.By = c.State, text(c.MachineValue), c.Actor
		}
	}
	part.Blocks = blocksOf(facts[first:last])
	return part, drafts, err
}

// begin is from, or where the fact stands that the review is about.
func (p *reviewPage) begin(part int, facts []fact, from string) string {
	r := p.Review
	if from != "" || r == nil || r.Subject.Part == nil || *r.Subject.Part != part || r.Subject.Pointer == nil {
		return from
	}
	at := slices.IndexFunc(facts, func(f fact) bool { return f.Pointer == *r.Subject.Pointer })
	return strconv.Itoa(part) + "." + strconv.Itoa(max(0, at-at%maxFacts))
}

// window says which of n facts of a part one page shows, and notes the addresses of those around them.
func (p *readPart) window(n int, from string) (first, last int) {
	part, at, _ := strings.Cut(from, ".")
	first, err := strconv.Atoi(at)
	if err != nil || part != strconv.Itoa(p.Index) || first < 0 || first >= n {
		first = 0
	}
	address := func(n int) string { return "?facts=" + strconv.Itoa(p.Index) + "." + strconv.Itoa(n) }
	if first > 0 {
		p.Before = address(max(0, first-maxFacts))
	}
	last = min(first+maxFacts, n)
	if p.Left = n - last; p.Left > 0 {
		p.After = address(last)
	}
	return first, last
}

// Differ counts the answers that the document contradicts.
func (p reviewPage) Differ() int {
	n := 0
	for _, c := range p.Beside {
		if !c.Same {
			n++
		}
	}
	return n
}

// boxText is a box as the script reads it: four numbers, or a cell.
func boxText(raw json.RawMessage) string {
	s := strings.Trim(string(raw), `[]" `)
	if s == "null" {
		return ""
	}
	return s
}

// tabOf is the tab of the navigation that a page was opened from.
func tabOf(r *review) string {
	if r != nil {
		return "work"
	}
	return "leads"
}
