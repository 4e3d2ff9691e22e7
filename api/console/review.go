package console

import (
	"encoding/json"
	"errors"
	"net/url"
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
	Answers   []entry // what the lead said
	Sizes     string  // JSON of the pages' sizes
	Drafts    string  // JSON of the corrections that stand, as they are sent again
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
		Documents            []struct {
			DocType, FieldType string
			Pages              [2]int
			Confidence         float64
			Evidence           []string
			Facts              json.RawMessage
			Sources            map[string]source
			Derived            map[string]string
			Checks             []check
			Warnings           []struct{ Code, Detail string }
		}
		Model *struct {
			Name                  string
			Asked, Taken, Dropped int
		}
		Warnings []struct{ Code, Detail string }
	}
	Corrections []correction
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
	Facts      []fact
	Left       int // facts that are not shown
	Checks     []check
	Warnings   []struct{ Code, Detail string }
	Evidence   []string
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
		err = data.read()
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

// read lays out what the engine and people say of the file.
func (p *reviewPage) read() error {
	read := p.Document.Extraction
	if read == nil {
		return nil
	}
	p.PageCount = read.PageCount
	if len(read.Pages) > 0 {
		p.Sizes = string(read.Pages)
	}
	type standing struct {
		Part    int             `json:"part"`
		Pointer string          `json:"pointer"`
		Value   json.RawMessage `json:"value"`
		Reason  *string         `json:"reason,omitempty"`
		Page    *int            `json:"page,omitempty"`
		Box     json.RawMessage `json:"box,omitempty"`
	}
	kept := []standing{}
	var failed error
	for i, one := range read.Documents {
		part := readPart{Index: i, DocType: one.DocType, Pages: one.Pages, Confidence: int(one.Confidence * 100),
			Checks: one.Checks, Warnings: one.Warnings, Evidence: one.Evidence}
		facts, err := leaves(one.Facts)
		failed = errors.Join(failed, err)
		corrected := map[string]correction{}
		for _, c := range p.Document.Corrections {
			if c.Part != i {
				continue
			}
			corrected[c.Pointer] = c
			again := standing{Part: i, Pointer: c.Pointer, Value: c.Value, Reason: c.Reason}
			if s, ok := one.Sources[c.Pointer]; ok && s.Method == "person" && s.Page > 0 && string(s.Box) != "null" {
				again.Page, again.Box = &s.Page, s.Box
			}
			kept = append(kept, again)
		}
		group := ""
		for j := range facts {
			f := &facts[j]
			f.First, group = f.Group != group, f.Group
			f.Derived = one.Derived[f.Pointer]
			if s, ok := one.Sources[f.Pointer]; ok {
				f.Page, f.Box, f.Method, f.Printed = s.Page, boxText(s.Box), s.Method, s.Text
				f.Model = s.Method == "model"
				f.Doubt = s.Confidence < doubtBelow && s.Method != "person" && !f.Model
			}
			if c, ok := corrected[f.Pointer]; ok {
				f.State, f.Machine, f.By = c.State, text(c.MachineValue), c.Actor
			}
		}
		if len(facts) > maxFacts {
			part.Left, facts = len(facts)-maxFacts, facts[:maxFacts]
		}
		part.Facts = facts
		p.Parts = append(p.Parts, part)
	}
	data, err := json.Marshal(kept)
	p.Drafts = string(data)
	return errors.Join(failed, err)
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
