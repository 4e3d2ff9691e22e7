package console

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// leadPage is one lead with what its tab needs.
type leadPage struct {
	View      string // checklist, documents, messages, timeline, control
	Lead      lead
	Status    string
	Groups    []group
	Documents []document
	Matching  []matchingLead `json:"matchingLeads"`

	Done, Total int
	Open        []entry // what a person must look at
	Messages    []message
	Drafts      int
	Activity    []logEntry
	Next        string
	Runs        []run
	Agents      []agent
	Workflows   []workflow
	Spreads     []spread
	Escalations []escalation
	Holds       []hold
	Erasures    []erasure
	Parties     []party
	Review      *review
}

type lead struct {
	ID, Status, Source, AssigneeType string
	ActivitySummary, BusinessName    *string
	FirstName, MiddleName, LastName  *string
	Email, PhoneNumber, Website      *string
	ExternalLeadID, Timezone         *string
	PortalURL                        *string
	Tags                             []string
	CreatedAt, UpdatedAt             time.Time
	DecisionAt                       *time.Time
	DidOptOut, IsTest                bool
}

// Name is whom people speak of.
func (l lead) Name() string {
	parts := []string{}
	for _, part := range []*string{l.FirstName, l.MiddleName, l.LastName} {
		if part != nil && *part != "" {
			parts = append(parts, *part)
		}
	}
	name := strings.Join(parts, " ")
	for _, other := range []*string{l.BusinessName, l.Email, l.PhoneNumber} {
		if name == "" && other != nil {
			name = *other
		}
	}
	if name == "" {
		name = "Lead without a name"
	}
	return name
}

type group struct {
	ID, Name string
	Items    []entry
}

// Visible are the items that the lead's conditions show.
func (g group) Visible() []entry {
	return slices.DeleteFunc(slices.Clone(g.Items), func(e entry) bool { return !e.Visible })
}

type entry struct {
	ID              string
	Value           json.RawMessage
	Status          string
	Visible         bool
	Source          *string
	ValidationError *string
	AlternateValues []struct {
		Value  json.RawMessage
		Source *string
	}
	UpdatedAt     time.Time
	Documents     []itemDocument
	ChecklistItem struct {
		Code, Label, FieldType string
		IsRequired             bool
		ValidationRules        []string
		HelpText               *string
		ClientInstructions     *string
		Config                 json.RawMessage
	}
}

// IsFile says that files answer the item.
func (e entry) IsFile() bool {
	return slices.Contains([]string{"FILE", "BANK_STATEMENT", "TAX_RETURN", "ID"}, e.ChecklistItem.FieldType)
}

// Shown is the answer as a person reads it.
func (e entry) Shown() string {
	if e.ChecklistItem.FieldType == "NUMBER" {
		return grouped(text(e.Value))
	}
	return text(e.Value)
}

// Plain says that a person may type the answer as one line.
func (e entry) Plain() bool {
	return slices.Contains([]string{"TEXT", "LONG_TEXT", "TEXTAREA", "NUMBER", "DATE", "EMAIL", "PHONE", "URL", "EIN",
		"SSN",
		"CURRENCY"}, e.ChecklistItem.FieldType)
}

type itemDocument struct {
	ID, Filename     string
	ValidationResult *validation
	Metadata         struct {
		ExtractionStatus string
		OverallValid     bool
	}
}

type validation struct {
	OtherNotes        string
	OverallValid      bool
	ValidationResults []verdict
}

type verdict struct {
	RuleName, IsValidReason, Code string
	IsValid                       bool
	WouldPassIf                   *string
	Citations                     []citation
}

type citation struct {
	DocumentID    *string
	Part          int
	Page          *int
	Box           json.RawMessage
	Text, Pointer string
}

type document struct {
	ID, LeadID, Filename, MimeType string
	Size                           int64
	CreatedAt                      time.Time
	Metadata                       struct {
		ExtractionStatus string
		Matched          []struct {
			ID    string `json:"leadChecklistItemId"`
			Label string
		} `json:"Matched checklist items"`
	}
	Associations    []association `json:"leadChecklistItemDocument"`
	ExtractionError *struct{ Code, Detail string }
}

type association struct {
	ID               string
	EntryID          string `json:"leadChecklistItemId"`
	Label            string `json:"-"`
	OverallValid     bool
	ValidationResult *validation
}

type matchingLead struct {
	ID, Name, Status string
	MatchedOn        []string
}

type message struct {
	ID, Direction, Channel, Status string
	From, To, Subject              *string
	Body                           string
	Error                          *struct {
		Code   string
		Detail *string
	}
	CreatedAt     time.Time
	Authenticated *bool
}

// Pieces are the text before, between and behind the places where the lead's own link stands once it is sent.
func (m message) Pieces() []string { return strings.Split(m.Body, "{{portalLink}}") }

// Unproven says that somebody else may have sent the message.
func (m message) Unproven() bool { return m.Authenticated != nil && !*m.Authenticated }

type logEntry struct {
	ID, Type, Status, Summary string
	Actor                     *string
	CreatedAt                 time.Time
	ScheduledAt               *time.Time
	Message                   *message
	Documents                 []namedFile
	Input                     json.RawMessage
}

type namedFile struct{ ID, Filename string }

// piece is a part of a summary: words, or the name of a document, which leads to it.
type piece struct{ Text, Document string }

// Pieces are the summary, its documents led to where it names them.
func (e logEntry) Pieces() []piece {
	pieces, _ := e.named()
	return pieces
}

// Unnamed are the documents that the summary does not name.
func (e logEntry) Unnamed() []namedFile {
	_, unnamed := e.named()
	return unnamed
}

func (e logEntry) named() (pieces []piece, unnamed []namedFile) {
	rest := changeSummary(e.Summary)
	for _, d := range e.Documents {
		before, after, ok := strings.Cut(rest, d.Filename)
		if !ok {
			unnamed = append(unnamed, d)
			continue
		}
		pieces, rest = append(pieces, piece{Text: before}, piece{d.Filename, d.ID}), after
	}
	return append(pieces, piece{Text: rest}), unnamed
}

type run struct {
	ID, AgentID, WorkflowID, Status string
	Agent, Workflow                 string `json:"-"`
	CompletedReason                 *string
	CreatedAt                       time.Time
}

// Live says that the run can still do something.
func (r run) Live() bool { return r.Status == "ACTIVE" || r.Status == "PAUSED" }

type agent struct{ ID, Name string }

type workflow struct{ ID, Name string }

type escalation struct {
	ID, Reason, Status string
	Detail, Note       *string
	CreatedAt          time.Time
	ResolvedBy         *string
}

// Asked is why: what somebody wrote, or a code in words.
func (e escalation) Asked() string {
	if strings.Contains(e.Reason, " ") {
		return e.Reason
	}
	return say(e.Reason)
}

type hold struct {
	ID, Reason, CreatedBy string
	CreatedAt             time.Time
	ReleasedAt            *time.Time
	ReleasedBy            *string
}

type erasure struct {
	ID, Subject, Status, Reason string
	DueAt                       time.Time
}

type party struct {
	ID, Name, Kind, Role string
	IsPrimary            bool
}

// Channels are those by which the lead can be written to.
func (p leadPage) Channels() []string {
	channels := []string{}
	if p.Lead.DidOptOut {
		return channels
	}
	if p.Lead.Email != nil {
		channels = append(channels, "email")
	}
	if p.Lead.PhoneNumber != nil {
		channels = append(channels, "sms", "whatsapp")
	}
	return channels
}

// leadViews are the tabs of a lead.
var leadViews = []string{"checklist", "documents", "messages", "timeline", "control"}

// Views are the tabs with their words.
func (leadPage) Views() []string { return leadViews }

// Lead shows one lead.
func (v Visit) Lead(id string) (Page, error) { return v.lead(id, v.Query.Get("view"), nil) }

func (v Visit) lead(id, view string, r *review) (Page, error) {
	at := "/api/v1/leads/" + url.PathEscape(id)
	answer, err := get[struct {
		Lead           lead
		Status         string
		ChecklistItems []group
		Documents      []document
		MatchingLeads  []matchingLead
	}](v, at)
	if err != nil {
		return Page{}, err
	}
	data := leadPage{View: view, Review: r, Lead: answer.Lead, Status: answer.Status, Groups: answer.ChecklistItems,
		Documents: answer.Documents, Matching: answer.MatchingLeads}
	if !slices.Contains(leadViews, data.View) {
		data.View = leadViews[0]
	}
	data.count()
	of := url.Values{"leadId": {id}}
	err = errors.Join(
		fill(v, with("/api/v1/workflow-runs", of), func(a struct{ WorkflowRuns []run }) { data.Runs = a.WorkflowRuns }),
		fill(v, with("/api/v1/spreads", of), func(a struct{ Spreads []spread }) { data.Spreads = a.Spreads }),
		fill(v, with("/api/v1/escalations", url.Values{"leadId": {id}, "status": {"OPEN"}}),
			func(a struct{ Escalations []escalation }) { data.Escalations = a.Escalations }),
		data.fillView(v, at, of),
	)
	return Page{File: "lead", Title: data.Lead.Name(), Tab: tabOf(r), Data: data, LeadID: id}, err
}

func fill[T any](v Visit, path string, use func(T)) error {
	answer, err := get[T](v, path)
	if err == nil {
		use(answer)
	}
	return err
}

// count says how far the checklist is, and what waits for a person.
func (p *leadPage) count() {
	for _, g := range p.Groups {
		for _, e := range g.Visible() {
			if e.Status == "NEEDS_REVIEW" || e.Status == "INVALID" {
				p.Open = append(p.Open, e)
			}
			p.Total++
			if e.Status == "COMPLETED" || e.Status == "SKIPPED" {
				p.Done++
			}
		}
	}
}

// fillView reads what the chosen tab shows.
func (p *leadPage) fillView(v Visit, at string, of url.Values) error {
	switch p.View {
	case "messages":
		return fill(v, at+"/messages?limit=100", func(a struct{ Messages []message }) { p.Messages = a.Messages })
	case "timeline":
		return fill(v, with(at+"/activity", url.Values{"limit": {"50"}, "token": {v.Query.Get("token")}}),
			func(a struct {
				Activity  []logEntry
				NextToken *string
			}) {
				p.Activity = a.Activity
				if a.NextToken != nil {
					p.Next = "?" + url.Values{"view": {"timeline"}, "token": {*a.NextToken}}.Encode()
				}
			})
	case "control":
		return p.fillControl(v, at, of)
	}
	return nil
}

func (p *leadPage) fillControl(v Visit, at string, of url.Values) error {
	err := errors.Join(
		fill(v, "/api/v1/agents", func(a struct{ Agents []agent }) { p.Agents = a.Agents }),
		fill(v, "/api/v1/workflows", func(a struct{ Workflows []workflow }) { p.Workflows = a.Workflows }),
		fill(v, at+"/parties", func(a struct{ Parties []party }) { p.Parties = a.Parties }))
	if !v.Me.Can("admin") {
		return err
	}
	return errors.Join(err,
		fill(v, at+"/holds", func(a struct{ Holds []hold }) { p.Holds = a.Holds }),
		fill(v, with("/api/v1/erasures", of), func(a struct{ Erasures []erasure }) { p.Erasures = a.Erasures }))
}

// AgentName is an agent's by its id.
func (p leadPage) AgentName(id string) string {
	for _, a := range p.Agents {
		if a.ID == id {
			return a.Name
		}
	}
	return "Agent"
}

// WorkflowName is a workflow's by its id.
func (p leadPage) WorkflowName(id string) string {
	for _, w := range p.Workflows {
		if w.ID == id {
			return w.Name
		}
	}
	return "Workflow"
}
