package integrator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Trigger plays the journey that leads to an event, on a test lead (integrate.md section 3).
type Trigger struct {
	*Client
	Event, Lead string
	Inbound     string // where a mail gateway hands over what comes in; for the events that begin there
	JSON        bool
	Out         io.Writer
	Now         func() time.Time
}

// patience is how long the event may take to appear.
const patience = 90 * time.Second

// persons is how long a person may take.
const persons = 10 * time.Minute

// play is a journey under way.
type play struct {
	Trigger
	lead, run, escalation, document, job, spread, webhook, message string

	patience time.Duration  // how long the event may take
	after    []func() error // undoes what must not stay, the last first
}

// step is one line of a journey.
type step struct {
	Step string `json:"step"`
	ID   string `json:"id,omitempty"`
}

// journeys are the steps to each event. Each that is of a lead begins with a test lead.
var journeys = map[string][]func(*play, context.Context) error{
	"lead.created":        {(*play).createLead},
	"lead.updated":        {(*play).someLead, change("rename the lead", map[string]any{"firstName": "Renamed"})},
	"lead.opted_out":      {(*play).someLead, change("the lead opts out", map[string]any{"didOptOut": true})},
	"lead.not_interested": {(*play).someLead, notInterested},
	"lead.reopened": {(*play).someLead, notInterested,
		change("reopen the lead", map[string]any{"status": "IN_PROGRESS"})},
	"lead.escalated":           {(*play).someLead, (*play).escalate},
	"lead.escalation_resolved": {(*play).someLead, (*play).escalate, (*play).resolve},
	"lead.completed":           {(*play).someLead, (*play).startRun, move("complete")},
	"workflow_run.created":     {(*play).someLead, (*play).startRun},
	"workflow_run.paused":      {(*play).someLead, (*play).startRun, move("pause")},
	"workflow_run.resumed":     {(*play).someLead, (*play).startRun, move("pause"), move("resume")},
	"workflow_run.completed":   {(*play).someLead, (*play).startRun, move("complete")},
	"workflow_run.cancelled":   {(*play).someLead, (*play).startRun, move("cancel")},
	"document.received":        {(*play).someLead, (*play).upload},
	"document.extracted":       {(*play).someLead, (*play).upload},
	"document.validated":       {(*play).someLead, item("FILE"), (*play).upload},
	"checklist_item.completed": {(*play).someLead, item("TEXT"), answer("COMPLETED")},
	"checklist_item.invalid":   {(*play).someLead, item("TEXT"), answer("INVALID")},
	"pipeline_run.completed":   {(*play).someLead, (*play).upload, (*play).runPipeline},
	"pipeline_run.failed":      {(*play).someLead, specimen("encrypted"), (*play).runPipeline},
	"document.corrected":       {(*play).someLead, (*play).upload, (*play).runPipeline, (*play).correct},
	"document.erased":          {(*play).someLead, (*play).upload, (*play).deleteDocument, afterGrace},
	"lead.erased":              {(*play).someLead, (*play).deleteLead, afterGrace},
	"review.opened":            {(*play).someLead, (*play).escalate},
	"review.decided":           {(*play).someLead, (*play).escalate, (*play).decide},
	"message.sent":             {(*play).reachableLead, (*play).startRun, advance("72h", "72 hours")},
	"message.received":         {(*play).reachableLead, (*play).writeBack},
	"message.delivered": {(*play).emailLead, (*play).startRun, advance("72h", "72 hours"), (*play).sentEmail,
		report("the email has arrived", "Action: delivered\nStatus: 2.0.0\n")},
	"message.failed": {(*play).emailLead, (*play).startRun, advance("72h", "72 hours"), (*play).sentEmail,
		report("the email comes back", "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n")},
	"export.completed": {(*play).someLead, (*play).export},
	"spread.started": {(*play).someLead, specimen("profit_and_loss"), (*play).runPipeline,
		(*play).startSpread},
	"spread.completed": {(*play).someLead, specimen("profit_and_loss"), (*play).runPipeline,
		(*play).startSpread},
	"spread.failed": {(*play).someLead, specimen("profit_and_loss"), (*play).runPipeline,
		(*play).spreadOfAnother},
	"spread.approved": {(*play).someLead, specimen("profit_and_loss"), (*play).runPipeline,
		(*play).startSpread, (*play).spreadDone, (*play).submit, (*play).approve},
	"webhook.test":     {registerAt(nowhere), (*play).testWebhook},
	"webhook.disabled": {(*play).registerGone, (*play).testWebhook},
}

var notInterested = change("the lead is not interested", map[string]any{"status": "NOT_INTERESTED"})

// Events are those that can be played, in the order of their names.
func Events() []string { return slices.Sorted(maps.Keys(journeys)) }

// Run plays the journey and waits until the event can be read. Error: the key is not one of test mode.
func (t Trigger) Run(ctx context.Context) error {
	steps, known := journeys[t.Event]
	if !known {
		return fmt.Errorf("%s cannot be played; dossier trigger --list names those that can", t.Event)
	}
	if !strings.HasPrefix(t.Key, "dsr_test_") {
		return errors.New("trigger plays on test leads only: set DOSSIER_API_KEY to a test key (dsr_test_...)")
	}
	after, err := t.last(ctx, t.Event)
	if err != nil {
		return err
	}
	p := &play{Trigger: t, lead: t.Lead, patience: patience}
	return errors.Join(p.steps(ctx, steps, after), p.undo())
}

// steps takes the steps and waits for the event.
func (p *play) steps(ctx context.Context, steps []func(*play, context.Context) error, after string) error {
	for _, do := range steps {
		if err := do(p, ctx); err != nil {
			return err
		}
	}
	id, err := p.await(ctx, after)
	if err != nil {
		return err
	}
	return p.say(p.Event, id)
}

func (p *play) undo() (err error) {
	for _, do := range slices.Backward(p.after) {
		err = errors.Join(err, do())
	}
	return err
}

// say prints a step that was taken.
func (p *play) say(text, id string) error {
	if p.JSON {
		return oneLine(p.Out, step{text, id})
	}
	_, err := fmt.Fprintf(p.Out, "%-32s %s\n", text, id)
	return err
}

// await looks for the event of this lead among those after one.
func (p *play) await(ctx context.Context, after string) (string, error) {
	for end := p.Now().Add(p.patience); ctx.Err() == nil && p.Now().Before(end); p.pause(ctx, idle/2) {
		page, err := p.page(ctx, place{after: after, kind: p.Event})
		if err != nil {
			return "", err
		}
		for _, body := range page.Events {
			event, err := eventOf(body)
			if err != nil {
				return "", err
			}
			if after = event.ID; p.about(body) {
				return event.ID, nil
			}
		}
	}
	return "", fmt.Errorf("%s did not happen within %s; does a worker run?", p.Event, p.patience)
}

// about says that an event tells of what was played. That of a pipeline run names the document, that of an export the
// job.
func (p *play) about(body []byte) bool {
	return slices.ContainsFunc([]string{p.lead, p.document, p.job, p.webhook},
		func(id string) bool { return id != "" && bytes.Contains(body, []byte(id)) })
}

func (p *play) someLead(ctx context.Context) error {
	if p.lead != "" {
		return p.say("use the lead", p.lead)
	}
	return p.createLead(ctx)
}

func (p *play) createLead(ctx context.Context) error {
	return p.makeLead(ctx, map[string]any{"firstName": "Jordan", "lastName": "Sample", "isTest": true})
}

func (p *play) makeLead(ctx context.Context, fields map[string]any) error {
	var made struct{ Lead struct{ ID string } }
	err := p.Send(ctx, http.MethodPost, "/api/v1/leads", fields, &made)
	if err != nil {
		return err
	}
	p.lead = made.Lead.ID
	return p.say("create a test lead", p.lead)
}

// change updates the lead.
func change(text string, fields map[string]any) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		body := maps.Clone(fields)
		body["leadId"] = p.lead
		if err := p.Send(ctx, http.MethodPut, "/api/v1/leads", body, nil); err != nil {
			return err
		}
		return p.say(text, p.lead)
	}
}

func (p *play) escalate(ctx context.Context) error {
	var made struct{ Escalation struct{ ID string } }
	err := p.Send(ctx, http.MethodPost, "/api/v1/leads/"+p.lead+"/escalations",
		map[string]any{"reason": "played by dossier trigger"}, &made)
	if err != nil {
		return err
	}
	p.escalation = made.Escalation.ID
	return p.say("escalate the lead", p.escalation)
}

func (p *play) resolve(ctx context.Context) error {
	if err := p.Send(ctx, http.MethodPost, "/api/v1/escalations/"+p.escalation+"/resolve", map[string]any{},
		nil); err != nil {
		return err
	}
	return p.say("resolve the escalation", p.escalation)
}

// startRun puts an agent of the workspace to work on the checklist.
func (p *play) startRun(ctx context.Context) error {
	var agents struct {
		Agents []struct {
			ID       string
			IsActive bool
		}
	}
	var workflows struct{ Workflows []struct{ ID, Type string } }
	if err := errors.Join(p.Get(ctx, "/api/v1/agents", nil, &agents),
		p.Get(ctx, "/api/v1/workflows", nil, &workflows)); err != nil {
		return err
	}
	agent, workflow := "", ""
	for _, one := range agents.Agents {
		if one.IsActive && agent == "" {
			agent = one.ID
		}
	}
	for _, one := range workflows.Workflows {
		if one.Type == "CHECKLIST" && workflow == "" {
			workflow = one.ID
		}
	}
	if agent == "" || workflow == "" {
		return errors.New("the workspace has no active agent, or no workflow of type CHECKLIST, to start a run with")
	}
	var made struct{ WorkflowRun struct{ ID string } }
	err := p.Send(ctx, http.MethodPost, "/api/v1/workflow-runs",
		map[string]any{"leadId": p.lead, "agentId": agent, "workflowId": workflow}, &made)
	if err != nil {
		return err
	}
	p.run = made.WorkflowRun.ID
	return p.say("start a workflow run", p.run)
}

// move takes the run to another state.
func move(verb string) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		if err := p.Send(ctx, http.MethodPost, "/api/v1/workflow-runs/"+p.run+"/"+verb, nil, nil); err != nil {
			return err
		}
		return p.say(verb+" the run", p.run)
	}
}

const playedItem = "PLAYED_ITEM"

// item adds a requirement to the lead.
func item(fieldType string) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		body := map[string]any{"label": "Played item", "code": playedItem, "fieldType": fieldType}
		var made struct{ ChecklistItem struct{ ID string } }
		if err := p.Send(ctx, http.MethodPost, "/api/v1/leads/"+p.lead+"/checklist-items", body, &made); err != nil {
			return err
		}
		return p.say("ask for one more thing", made.ChecklistItem.ID)
	}
}

// answer gives the played item a value and a status.
func answer(status string) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		err := p.Send(ctx, http.MethodPut, "/api/v1/leads", map[string]any{"leadId": p.lead,
			"checklistItems": []any{map[string]any{"code": playedItem, "value": "a value", "status": status}}}, nil)
		if err != nil {
			return err
		}
		return p.say("set the item "+status, p.lead)
	}
}

// statement is a file that is read in a moment.
const statement = "Date,Description,Amount,Balance\n2026-01-02,Opening,0.00,100.00\n2026-01-05,Card " +
	"sales,50.00,150.00\n" +
	"2026-01-09,Rent,-25.00,125.00\n"

func (p *play) upload(ctx context.Context) error {
	fields := map[string]string{"leadId": p.lead}
	var checklist []struct {
		Items []struct {
			ID            string
			ChecklistItem struct{ Code string }
		}
	}
	if err := p.Get(ctx, "/api/v1/leads/"+p.lead+"/checklist", nil, &checklist); err != nil {
		return err
	}
	for _, group := range checklist {
		for _, entry := range group.Items {
			if entry.ChecklistItem.Code == playedItem {
				fields["leadChecklistItemId"] = entry.ID
			}
		}
	}
	// Other bytes each time: a file that the lead has is not stored again.
	data := statement + p.Now().UTC().Format("2006-01-02") + ",Interest " + p.Now().UTC().Format(time.RFC3339Nano) +
		",1.00,126.00\n"
	return p.deliver(ctx, fields, "statement.csv", "text/csv", []byte(data))
}

func (p *play) deliver(ctx context.Context, fields map[string]string, name, contentType string, data []byte) error {
	var sent struct{ Documents []struct{ ID string } }
	if err := p.Client.upload(ctx, fields, name, contentType, data, &sent); err != nil {
		return err
	}
	p.document = sent.Documents[0].ID
	return p.say("upload "+name, p.document)
}

func (p *play) runPipeline(ctx context.Context) error {
	var started struct{ JobID string }
	err := p.Send(ctx, http.MethodPost, "/pipelines/run/extract-document", map[string]any{"documentId": p.document},
		&started)
	if err != nil {
		return err
	}
	query := url.Values{"jobId": {started.JobID}, "wait": {"20"}}
	if err := p.Get(ctx, "/pipelines/run/extract-document", query, &json.RawMessage{}); err != nil {
		return err
	}
	return p.say("run a pipeline", started.JobID)
}
