package console

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
)

// review is one reason to look.
type review struct {
	ID, Code, Detail string
	Subject          struct {
		Type, ID string
		Part     *int
		Pointer  *string
	}
	LeadID, LeadName string
	ItemLabel        *string
	Amount           *json.Number
	Priority         int
	CreatedAt, DueAt time.Time
	State            string
	Assignee         *string
	Claim            *struct {
		By    string
		Until time.Time
	}
	Decision *struct {
		By, Decision     string
		At               time.Time
		ReasonCode, Note *string
	}
	Version     int
	ReasonCodes []string `json:"-"` // for which the workspace lets one reject
}

// Money is the amount that hangs on it.
func (r review) Money() string {
	if r.Amount == nil {
		return ""
	}
	return grouped(r.Amount.String())
}

// Waiting is to whom it is assigned, where that is not who looks at it.
func (r review) Waiting() string {
	if r.Assignee == nil || r.Claim != nil && r.Claim.By == *r.Assignee {
		return ""
	}
	return *r.Assignee
}

// Open says that it waits to be decided.
func (r review) Open() bool { return r.State == "OPEN" }

// decision is one way to decide, as a button.
type decision struct{ Code, Label, Key, Tone string }

// acceptWords say what accepting does.
var acceptWords = map[string]string{"draft_message": "Approve and send", "escalation": "Resolve",
	"spread_approval": "Approve", "spread_variance": "Approve", "tampering": "It is genuine",
	"fact_doubted": "Read correctly", "correction_conflict": "The correction stands", "qa_sample": "All correct",
	"second_opinion": "Agree"}

// decisionsByCode are the possible decisions for each code of a review (decisions-2.md, R-43).
var decisionsByCode = map[string][]string{
	"item_needs_review": {"accept", "reject", "correct", "dismiss"}, "rule_not_understood": {"accept", "reject",
		"correct",
		"dismiss"}, "fact_doubted": {"accept", "correct", "dismiss"}, "correction_conflict": {"accept", "correct",
		"dismiss"},
	"tampering": {"accept", "reject", "dismiss"}, "document_unread": {"reject", "dismiss"},
	"draft_message": {"accept", "reject"}, "escalation": {"accept", "dismiss"},
	"spread_variance": {"accept", "reject", "dismiss"}, "spread_approval": {"accept", "reject", "dismiss"},
	"qa_sample": {"accept", "correct", "dismiss"}, "second_opinion": {"accept", "reject"}}

// Decisions are the buttons of a review, rejecting apart: that needs a reason.
func (r review) Decisions() []decision {
	all := []decision{}
	for _, code := range decisionsByCode[r.Code] {
		switch code {
		case "accept":
			label := acceptWords[r.Code]
			if label == "" {
				label = "Accept"
			}
			all = append(all, decision{code, label, "a", "primary"})
		case "correct":
			all = append(all, decision{code, "Mark corrected", "c", ""})
		case "dismiss":
			all = append(all, decision{code, "Dismiss", "x", ""})
		}
	}
	return all
}

// Rejectable says that a review may be rejected.
func (r review) Rejectable() bool { return slices.Contains(decisionsByCode[r.Code], "reject") }

// RejectWord says what rejecting does.
func (r review) RejectWord() string {
	switch {
	case strings.HasPrefix(r.Code, "spread"):
		return "Return"
	case r.Code == "second_opinion":
		return "Do not agree"
	}
	return "Reject"
}

// workPage is the queue.
type workPage struct {
	Reviews []review
	Counts  struct {
		Open, Mine, Overdue int
		ByCode              map[string]int
	}
	Next               string
	Filters            []filterLink
	Sorts              []filterLink
	State, Code, Words string
	Mine, Filtered     bool
	Leads              bool // there is at least one
	Now                time.Time
}

type filterLink struct {
	Label, Address string
	Count          int
	Current        bool
}

// Late says that a review is past its time.
func (p workPage) Late(r review) bool { return r.Open() && r.DueAt.Before(p.Now) }

// Work shows what waits for a person, what is most urgent first; filters stand in the address.
func (v Visit) Work() (Page, error) {
	q := func(name string) string { return v.Query.Get(name) }
	asked := url.Values{"state": {q("state")}, "code": {q("code")}, "assignee": {q("assignee")}, "q": {q("q")},
		"sort": {q("sort")}, "mode": {q("mode")}}
	data := workPage{State: q("state"), Code: q("code"), Words: q("q"), Mine: q("assignee") == "me", Now: v.Now}
	data.Filtered = data.State != "" || data.Code != "" || data.Words != "" || data.Mine
	sent := url.Values{"limit": {"50"}, "token": {q("page")}}
	for name, values := range asked {
		sent[name] = values
	}
	err := fill(v, with("/api/v1/reviews", sent), func(a struct {
		Reviews   []review
		NextToken *string
		Counts    struct {
			Open, Mine, Overdue int
			ByCode              map[string]int
		}
	}) {
		data.Reviews, data.Counts = a.Reviews, a.Counts
		if a.NextToken != nil {
			next := url.Values{"page": {*a.NextToken}}
			for name, values := range asked {
				next[name] = values
			}
			data.Next = with(v.Base+"/console", next)
		}
	})
	if err != nil {
		return Page{}, err
	}
	data.links(v, asked)
	if len(data.Reviews) == 0 && !data.Filtered {
		err = fill(v, "/api/v1/leads?limit=1&mode=all", func(leads []listedLead) { data.Leads = len(leads) > 0 })
	}
	return Page{File: "work", Title: "Work", Tab: "work", Data: data}, err
}

func (p *workPage) links(v Visit, asked url.Values) {
	link := func(label string, count int, changed url.Values, current bool) filterLink {
		values := url.Values{}
		for name, kept := range asked {
			values[name] = kept
		}
		for name, value := range changed {
			values[name] = value
		}
		return filterLink{label, with(v.Base+"/console", values), count, current}
	}
	open := p.State == "" || p.State == "OPEN"
	none := url.Values{"code": {""}, "assignee": {""}, "state": {""}}
	p.Filters = append(p.Filters, link("All open", p.Counts.Open, none, open && p.Code == "" && !p.Mine),
		link("Mine", p.Counts.Mine, url.Values{"code": {""}, "assignee": {"me"}, "state": {""}}, p.Mine))
	codes := make([]string, 0, len(p.Counts.ByCode))
	for code := range p.Counts.ByCode {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Compare(say(a), say(b)) })
	for _, code := range codes {
		p.Filters = append(p.Filters, link(say(code), p.Counts.ByCode[code],
			url.Values{"code": {code}, "assignee": {""}, "state": {""}}, open && p.Code == code))
	}
	p.Filters = append(p.Filters, link("Decided", -1, url.Values{"state": {"DECIDED"}, "code": {""}, "assignee": {""}},
		p.State == "DECIDED"))
	sort := asked.Get("sort")
	for _, s := range []struct{ code, label string }{{"", "Due"}, {"age", "Age"}, {"amount", "Amount"}} {
		p.Sorts = append(p.Sorts, link(s.label, -1, url.Values{"sort": {s.code}}, sort == s.code || s.code == "" &&
			sort == "due"))
	}
}

// Review shows what a review is about, with how it may be decided: a document, a spread, or the lead.
func (v Visit) Review(id string) (Page, error) {
	answer, err := get[struct {
		Review      review
		ReasonCodes []string
	}](v, "/api/v1/reviews/"+url.PathEscape(id))
	if err != nil {
		return Page{}, err
	}
	r := &answer.Review
	r.ReasonCodes = answer.ReasonCodes
	switch r.Subject.Type {
	case "document", "fact":
		return v.document(r.Subject.ID, r)
	case "spread":
		return v.spread(r.Subject.ID, r)
	case "item":
		document, err := v.documentOfItem(*r)
		if err != nil {
			return Page{}, err
		}
		if document != "" {
			return v.document(document, r)
		}
		return v.lead(r.LeadID, "checklist", r)
	case "message":
		return v.lead(r.LeadID, "messages", r)
	}
	return v.lead(r.LeadID, "checklist", r)
}

// documentOfItem is the file of an item that one looks at first: one that is not valid, else the first.
func (v Visit) documentOfItem(r review) (string, error) {
	found := ""
	err := fill(v, "/api/v1/leads/"+url.PathEscape(r.LeadID)+"/checklist", func(groups []group) {
		for _, g := range groups {
			for _, e := range g.Items {
				if e.ID != r.Subject.ID {
					continue
				}
				for _, d := range e.Documents {
					if found == "" || !d.Metadata.OverallValid {
						found = d.ID
					}
				}
			}
		}
	})
	return found, err
}
