package api

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// leadFields are the fields of a lead that create and update take.
type leadFields struct {
	FirstName          web.Optional[string]    `json:"firstName"`
	MiddleName         web.Optional[string]    `json:"middleName"`
	LastName           web.Optional[string]    `json:"lastName"`
	Email              web.Optional[string]    `json:"email"`
	EmailVerified      *bool                   `json:"emailVerified" check:"notnull"`
	PhoneNumber        web.Optional[string]    `json:"phoneNumber"`
	BusinessName       web.Optional[string]    `json:"businessName"`
	Website            web.Optional[string]    `json:"website" check:"max=2048"`
	ExternalLeadID     web.Optional[string]    `json:"externalLeadId"`
	ExternalPortalLink web.Optional[string]    `json:"externalPortalLink" check:"max=2048"`
	Timezone           web.Optional[string]    `json:"timezone"`
	DecisionAt         web.Optional[time.Time] `json:"decisionAt"`
	AssigneeType       *assignee               `json:"assigneeType" check:"notnull"`
	DidOptOut          *bool                   `json:"didOptOut" check:"notnull"`
	Tags               *[]string               `json:"tags" check:"notnull,max=50"`
	ChecklistItems     []itemUpdate            `json:"checklistItems" check:"notnull,max=500"`
}

// assignee is who handles a lead, as a caller says it; it is read back as AI_AGENT or HUMAN_AGENT.
type assignee string

const (
	assigneeAgent  assignee = "agent"
	assigneeManual assignee = "manual"
)

// Valid limits the values a body may have.
func (a assignee) Valid() bool { return a == assigneeAgent || a == assigneeManual }

// itemUpdate is an entry of checklistItems.
type itemUpdate struct {
	Code   string              `json:"code" check:"required"`
	Value  json.RawMessage     `json:"value" check:"metadata"`
	Status *dossier.ItemStatus `json:"status" check:"notnull"`
}

// createLeadBody is the body of POST /api/v1/leads.
type createLeadBody struct {
	leadFields
	IsTest *bool `json:"isTest" check:"notnull"`
}

// updateLeadBody is the body of PUT /api/v1/leads.
type updateLeadBody struct {
	LeadID dossier.LeadID      `json:"leadId" check:"required"`
	Status *dossier.LeadStatus `json:"status" check:"notnull"`
	leadFields
}

func (b createLeadBody) Faults() []dossier.Fault { return b.update().NewFaults() }

func (b updateLeadBody) Faults() []dossier.Fault { return b.update().Faults() }

func (b updateLeadBody) update() dossier.LeadUpdate {
	upd := b.leadFields.update()
	upd.Status = b.Status
	return upd
}

func (b leadFields) update() dossier.LeadUpdate {
	upd := dossier.LeadUpdate{
		FirstName: patch(b.FirstName), MiddleName: patch(b.MiddleName), LastName: patch(b.LastName),
		BusinessName: patch(b.BusinessName),
		Email:        patch(b.Email), PhoneNumber: patch(b.PhoneNumber), Timezone: patch(b.Timezone),
		Website:        patch(b.Website),
		ExternalLeadID: patch(b.ExternalLeadID), ExternalPortalLink: patch(b.ExternalPortalLink),
		DecisionAt: patch(b.DecisionAt),
		DidOptOut:  b.DidOptOut, EmailVerified: b.EmailVerified, Tags: b.Tags,
	}
	if b.AssigneeType != nil {
		who := dossier.AssigneeAgent
		if *b.AssigneeType == assigneeManual {
			who = dossier.AssigneeHuman
		}
		upd.AssigneeType = &who
	}
	for _, item := range b.ChecklistItems {
		upd.Items = append(upd.Items, dossier.ItemUpdate{Code: item.Code, Value: item.Value, Status: item.Status})
	}
	return upd
}

// patch hands an optional field to the domain.
func patch[T any](o web.Optional[T]) dossier.Patch[T] {
	return dossier.Patch[T]{Sent: o.Set, Value: o.Ptr()}
}

// leadAnswer is what update, create and get answer (api.md, update a lead).
type leadAnswer struct {
	success
	Status         dossier.LeadStatus `json:"status"`
	Lead           record.Lead        `json:"lead"`
	ChecklistItems []checklistGroup   `json:"checklistItems"`
	ActionLogs     []actionLog        `json:"actionLogs"`
	MatchingLeads  []matchingLead     `json:"matchingLeads"`
	LastAction     *actionLog         `json:"lastAction"`
	NextFollowUp   *actionLog         `json:"nextFollowUp"`
	NextDraft      *actionLog         `json:"nextDraft"`
}

// matchingLead is another lead with the same email or phone number.
type matchingLead struct {
	ID           dossier.LeadID     `json:"id"`
	Name         string             `json:"name"`
	Email        *string            `json:"email"`
	PhoneNumber  *string            `json:"phoneNumber"`
	BusinessName *string            `json:"businessName"`
	Status       dossier.LeadStatus `json:"status"`
	MatchedOn    []string           `json:"matchedOn"`
}

// createLead makes a lead with the workspace's checklist. A test key makes test leads.
func (s *Server) createLead(c *fiber.Ctx) error {
	body, err := decode[createLeadBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	isTest, err := testWanted(c, body.IsTest)
	if err != nil {
		return err
	}
	view, err := s.db.CreateLeadView(c.UserContext(), workspace(c),
		postgres.NewLead{LeadUpdate: body.update(), IsTest: isTest}, by)
	if err != nil {
		return err
	}
	return s.sendLead(c, fiber.StatusCreated, view)
}

// updateLead changes only what is present. With If-Match it changes nothing unless the lead still has that version.
func (s *Server) updateLead(c *fiber.Ctx) error {
	body, err := decode[updateLeadBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	version, err := wantedVersion(c)
	if err == nil {
		err = s.atTimeOf(c, body.LeadID)
	}
	if err != nil {
		return err
	}
	view, err := s.db.UpdateLeadView(c.UserContext(), workspace(c), body.LeadID, body.update(), version, by)
	if err != nil {
		return err
	}
	return s.sendLead(c, fiber.StatusOK, view)
}

// readLeadAnswer is what get answers: update's answer and the lead's documents, newest first.
type readLeadAnswer struct {
	leadAnswer
	Documents []listedDocument `json:"documents"`
}

// readLead answers one lead with everything.
func (s *Server) readLead(c *fiber.Ctx) error {
	id, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	view, err := s.db.LeadView(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	shown, err := s.leadAnswer(c, view)
	if err != nil {
		return err
	}
	documents := []listedDocument{}
	for _, d := range view.Documents {
		document, err := s.listedDocument(c, d)
		if err != nil {
			return err
		}
		documents = append(documents, document)
	}
	c.Locals(versionKey, leadTag(view.Lead))
	return send(c, fiber.StatusOK, readLeadAnswer{shown, documents})
}

// sendLead answers a lead as update does.
func (s *Server) sendLead(c *fiber.Ctx, status int, view postgres.LeadView) error {
	shown, err := s.leadAnswer(c, view)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, leadTag(view.Lead))
	return send(c, status, shown)
}

func (s *Server) leadAnswer(c *fiber.Ctx, view postgres.LeadView) (leadAnswer, error) {
	shown := leadAnswer{success: yes, Status: view.Lead.Status(),
		Lead:          record.OfLead(view.Lead, s.portalURL(c, view.PortalToken)),
		MatchingLeads: []matchingLead{}}
	if !callerOf(c).can(scopeWrite) { // who has the address acts for the lead
		shown.Lead.PortalURL = nil
	}
	var err error
	if shown.ChecklistItems, err = s.checklist(c, view.Checklist); err != nil {
		return shown, err
	}
	if shown.ActionLogs, err = s.actionLogs(c, view.Actions); err != nil {
		return shown, err
	}
	for _, one := range []struct {
		entry *postgres.ActionEntry
		into  **actionLog
	}{{view.LastAction, &shown.LastAction}, {view.NextFollowUp, &shown.NextFollowUp},
		{view.NextDraft, &shown.NextDraft}} {
		if one.entry == nil {
			continue
		}
		log, err := s.actionLog(c, *one.entry)
		if err != nil {
			return shown, err
		}
		*one.into = &log
	}
	for _, m := range view.Matching {
		shown.MatchingLeads = append(shown.MatchingLeads,
			matchingLead{ID: m.Lead.ID, Name: m.Lead.Name(), Email: m.Lead.Email,
				PhoneNumber: m.Lead.PhoneNumber, BusinessName: m.Lead.BusinessName, Status: m.Lead.Status(),
				MatchedOn: m.MatchedOn})
	}
	return shown, nil
}

// deleteQuery is the query of DELETE of what can be erased.
type deleteQuery struct {
	Erase bool `query:"erase"`
}

// deleteLead hides a lead and stops everything in flight for it. With erase=true, which needs the scope admin, its data
// goes at once, else after a time of grace.
func (s *Server) deleteLead(c *fiber.Ctx) error {
	id, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	erase, waits, err := s.deletion(c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	if waits {
		e, err := s.db.EraseLead(c.UserContext(), workspace(c), id, "deleted", by)
		return s.sendErasing(c, e, err)
	}
	if err := s.db.DeleteLead(c.UserContext(), workspace(c), id, erase, by); err != nil {
		return err
	}
	return noContent(c)
}

// changedBy is who makes the change: a person named by x-actor counts as manual, everything else as imported.
func changedBy(c *fiber.Ctx) (postgres.Caller, error) {
	who, err := actor(c)
	test := callerOf(c).key.IsTest
	if err != nil || who == "" {
		return postgres.Caller{Source: dossier.SourceImported, Test: test}, err
	}
	return postgres.Caller{Source: dossier.SourceManual, Actor: who, Test: test}, nil
}

// leadTag is the version of a lead as an entity tag; it counts changes of the lead and its checklist by callers. What a
// read shows changes more often (verdicts, logs): its tag has the content's hash behind the version, see contentTag.
func leadTag(l dossier.Lead) string { return `"v` + strconv.FormatInt(l.Version, 10) + `"` }

// wantedVersion reads If-Match; 0 when any version will do. A tag that no lead can have never matches.
func wantedVersion(c *fiber.Ctx) (int64, error) {
	header := strings.TrimSpace(c.Get(fiber.HeaderIfMatch))
	if header == "" || header == "*" {
		return 0, nil
	}
	tag, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(header, "W/"), `"v`), `"`), ".")
	version, err := strconv.ParseInt(tag, 10, 64)
	if err != nil || version < 1 {
		return 0, dossier.Errorf(dossier.Precondition,
			"If-Match does not name the present version; read the lead again and send its ETag")
	}
	return version, nil
}

// listedLead is a lead list item (api.md).
type listedLead struct {
	ID                      dossier.LeadID     `json:"id"`
	Name                    string             `json:"name"`
	Email                   *string            `json:"email"`
	PhoneNumber             string             `json:"phoneNumber"`
	BusinessName            string             `json:"businessName"`
	Status                  dossier.LeadStatus `json:"status"`
	ActivitySummary         string             `json:"activitySummary"`
	CompletedChecklistItems int                `json:"completedChecklistItems"`
	TotalChecklistItems     int                `json:"totalChecklistItems"`
	Tags                    []string           `json:"tags"`
	NextFollowUp            *followUp          `json:"nextFollowUp"`
}

type followUp struct {
	ID          dossier.ActionLogID     `json:"id"`
	Type        dossier.ActionLogType   `json:"type"`
	Status      dossier.ActionLogStatus `json:"status"`
	ScheduledAt *record.Time            `json:"scheduledAt"`
	Summary     string                  `json:"summary"`
}

type leadsQuery struct {
	IDs            []dossier.LeadID     `query:"ids"`
	Tags           []string             `query:"tags"`
	ExcludeTags    []string             `query:"excludeTags"`
	Status         []dossier.LeadStatus `query:"status"`
	ExternalLeadID string               `query:"externalLeadId"`
	Email          string               `query:"email"`
	PhoneNumber    string               `query:"phoneNumber"`
	Q              string               `query:"q"`
	UpdatedSince   *time.Time           `query:"updatedSince"`
	Mode           *dossier.Mode        `query:"mode"`
	arrayPaging
}

// mode is which leads the list has: a live key says, and means live ones when it does not; a test key has test leads
// only.
func (q leadsQuery) mode(test bool) dossier.Mode {
	switch {
	case q.Mode != nil:
		return *q.Mode
	case test:
		return dossier.ModeTest
	}
	return dossier.ModeLive
}

// listLeads answers a bare array, newest first.
func (s *Server) listLeads(c *fiber.Ctx) error {
	q, err := query[leadsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	filter := postgres.LeadFilter{IDs: q.IDs, Tags: q.Tags, ExcludeTags: q.ExcludeTags, Status: q.Status,
		ExternalLeadID: q.ExternalLeadID, Email: q.Email,
		PhoneNumber: q.PhoneNumber, Q: q.Q, UpdatedSince: q.UpdatedSince, Mode: q.mode(callerOf(c).key.IsTest)}
	leads, err := s.db.ListLeads(c.UserContext(), workspace(c), filter, page)
	if err != nil {
		return err
	}
	leads, next := pageEnd(c, page, leads,
		func(l postgres.ListedLead) dossier.Cursor { return dossier.Cursor{At: l.CreatedAt, ID: string(l.ID)} })
	s.linkNext(c, next)
	list := make([]listedLead, len(leads))
	for i, l := range leads {
		list[i] = listLead(l)
	}
	return send(c, fiber.StatusOK, list)
}

func listLead(l postgres.ListedLead) listedLead {
	shown := listedLead{ID: l.ID, Name: l.Name(), Email: l.Email, PhoneNumber: plain(l.PhoneNumber),
		BusinessName: plain(l.BusinessName),
		Status:       l.Status(), ActivitySummary: plain(l.ActivitySummary), CompletedChecklistItems: l.CompletedItems,
		TotalChecklistItems: l.TotalItems,
		Tags:                orEmpty(l.Tags)}
	if f := l.NextFollowUp; f != nil {
		shown.NextFollowUp = &followUp{ID: f.ID, Type: f.Type, Status: f.Status,
			ScheduledAt: record.TimeOf(f.ScheduledAt), Summary: f.Summary}
	}
	return shown
}

func plain[S ~string](s *S) S {
	if s == nil {
		return ""
	}
	return *s
}
