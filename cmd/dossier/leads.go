package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type leadsCommand struct {
	Show showLead `cmd:"" help:"Show a lead: who it is, its checklist, its runs and its story."`
}

type runsCommand struct {
	List listRuns `cmd:"" help:"List a lead's workflow runs, newest first."`
}

type messagesCommand struct {
	List listMessages `cmd:"" help:"${leads_list}"`
}

// ofLead is a lead named by its id, in whichever workspace it is.
type ofLead struct {
	Lead string `arg:"" help:"Id of the lead."`
}

// find returns the workspace that has the lead.
func (c ofLead) find(a *app, db *postgres.DB) (dossier.Workspace, postgres.LeadView, error) {
	missing := dossier.Errorf(dossier.NotFound, "there is no lead %q in any workspace", c.Lead)
	if !dossier.ValidID(c.Lead) {
		return dossier.Workspace{}, postgres.LeadView{}, missing
	}
	workspaces, err := db.ListWorkspaces(a.ctx)
	if err != nil {
		return dossier.Workspace{}, postgres.LeadView{}, err
	}
	for _, w := range workspaces {
		view, err := db.LeadView(a.ctx, w.ID, dossier.LeadID(c.Lead))
		if dossier.KindOf(err) != dossier.NotFound || err == nil {
			return w, view, err
		}
	}
	return dossier.Workspace{}, postgres.LeadView{}, missing
}

func (c ofLead) with(a *app, do func(db *postgres.DB, w dossier.Workspace, view postgres.LeadView) error) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		w, view, err := c.find(a, db)
		if err != nil {
			return err
		}
		return do(db, w, view)
	})
}

type showLead struct{ ofLead }

// leadShown is a lead with what an operator wants to know of it. Values of items are left out: they are the lead's.
type leadShown struct {
	ID           dossier.LeadID       `json:"id"`
	Workspace    string               `json:"workspace"`
	Name         string               `json:"name"`
	Status       dossier.LeadStatus   `json:"status"`
	Timezone     *string              `json:"timezone"`
	Items        []itemShown          `json:"checklist"`
	Runs         []record.WorkflowRun `json:"workflowRuns"`
	NextFollowUp *record.Time         `json:"nextFollowUp"`
	Story        []storyLine          `json:"story"`
}

type itemShown struct {
	Code   string             `json:"code"`
	Label  string             `json:"label"`
	Status dossier.ItemStatus `json:"status"`
	Reason *string            `json:"reason"`
}

// Run shows a lead.
func (c showLead) Run(a *app) error {
	return c.with(a, func(db *postgres.DB, w dossier.Workspace, view postgres.LeadView) error {
		lead := view.Lead
		shown := leadShown{ID: lead.ID, Workspace: w.Key, Name: lead.Name(), Status: lead.Status(),
			Timezone: lead.Timezone, Items: []itemShown{}}
		for entry := range view.Checklist.All() {
			if entry.Visible {
				shown.Items = append(shown.Items, itemShown{entry.Item.Code, entry.Item.Label, entry.Status,
					entry.ValidationError(dossier.English)})
			}
		}
		runs, err := db.Runs(a.ctx, w.ID, lead.ID)
		if err != nil {
			return err
		}
		for _, run := range runs {
			shown.Runs = append(shown.Runs, record.OfRun(run))
		}
		if view.NextFollowUp != nil {
			shown.NextFollowUp = record.TimeOf(view.NextFollowUp.ScheduledAt)
		}
		if shown.Story, err = storyOf(a.ctx, db, w, lead); err != nil {
			return err
		}
		return a.show(shown, func(out io.Writer) { shown.write(out, w, lead) })
	})
}

func (s leadShown) write(out io.Writer, w dossier.Workspace, lead dossier.Lead) {
	zone := dossier.Zone(dossier.Text(lead.Timezone), w.Timezone)
	next := ""
	if s.NextFollowUp != nil {
		next = time.Time(*s.NextFollowUp).In(zone).Format("Mon 2 Jan 15:04")
	}
	pairs(out, "Lead", string(s.ID), "Name", s.Name, "Status", string(s.Status), "Workspace", s.Workspace, "Zone",
		zone.String(), "Next", next)
	fmt.Fprintln(out)
	var rows [][]string
	for _, item := range s.Items {
		rows = append(rows, []string{string(item.Status), item.Label, dossier.Text(item.Reason)})
	}
	table(out, "Nothing is asked of this lead.", "STATUS ITEM REASON", rows)
	fmt.Fprintln(out)
	writeStory(out, s.Story, zone)
}

type listRuns struct{ ofLead }

// Run lists a lead's runs.
func (c listRuns) Run(a *app) error {
	return c.with(a, func(db *postgres.DB, w dossier.Workspace, view postgres.LeadView) error {
		runs, err := db.Runs(a.ctx, w.ID, view.Lead.ID)
		if err != nil {
			return err
		}
		agents, workflows, err := namesIn(a, db, w)
		if err != nil {
			return err
		}
		list, rows := []record.WorkflowRun{}, [][]string{}
		for _, run := range runs {
			list = append(list, record.OfRun(run))
			rows = append(rows, []string{string(run.ID), string(run.Status), workflows[run.WorkflowID],
				agents[run.AgentID], stamp(run.CreatedAt), stamp(run.UpdatedAt)})
		}
		return a.show(list, func(out io.Writer) {
			table(out, "This lead has no workflow runs.", "ID STATUS WORKFLOW AGENT CREATED UPDATED", rows)
		})
	})
}

func namesIn(a *app, db *postgres.DB,
	w dossier.Workspace) (map[dossier.AgentID]string, map[dossier.WorkflowID]string, error) {
	agents, workflows := map[dossier.AgentID]string{}, map[dossier.WorkflowID]string{}
	list, err := db.Agents(a.ctx, w.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, agent := range list {
		agents[agent.ID] = agent.Name
	}
	kinds, err := db.Workflows(a.ctx, w.ID)
	for _, workflow := range kinds {
		workflows[workflow.ID] = workflow.Name
	}
	return agents, workflows, err
}

type listMessages struct {
	Lead      string `arg:"" optional:"" help:"Id of the lead."`
	Workspace string `placeholder:"W" help:"Without a lead: the workspace (key or id) whose inbox is listed."`
	Limit     int    `default:"50" help:"At most so many, the newest."`
}

// Run lists messages.
func (c listMessages) Run(a *app) error {
	if (c.Lead == "") == (c.Workspace == "") {
		return usagef("give a lead, or --workspace for what unknown senders wrote")
	}
	if c.Limit < 1 {
		return usagef("--limit must be at least 1")
	}
	page := dossier.Page{Limit: c.Limit}
	if c.Workspace != "" {
		return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
			list, err := db.Inbox(a.ctx, w.ID, page)
			if err != nil {
				return err
			}
			return a.showMessages(list, dossier.Zone(w.Timezone), "", c.Limit)
		})
	}
	return ofLead{c.Lead}.with(a, func(db *postgres.DB, w dossier.Workspace, view postgres.LeadView) error {
		list, err := db.Messages(a.ctx, w.ID, view.Lead.ID, page)
		if err != nil {
			return err
		}
		zone := dossier.Zone(dossier.Text(view.Lead.Timezone), w.Timezone)
		return a.showMessages(list, zone, view.Lead.Name(), c.Limit)
	})
}

func (a *app) showMessages(list []dossier.Message, zone *time.Location, lead string, limit int) error {
	list = list[:min(limit, len(list))] // a page reads one more than it shows
	slices.Reverse(list)
	records, story := []record.Message{}, []storyLine{}
	for _, m := range list {
		records = append(records, record.OfMessage(m))
		story = append(story, messageLine(m, lead, "Agent"))
	}
	return a.show(records, func(out io.Writer) {
		if len(story) == 0 {
			fmt.Fprintln(out, "Nothing was written.")
			return
		}
		writeStory(out, story, zone)
	})
}
