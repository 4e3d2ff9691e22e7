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

// eventTimeout is how long to wait for the event.
const eventTimeout = 90 * time.Second

// approvalTimeout is how long to wait for a person's approval.
const approvalTimeout = 10 * time.Minute

// journey is the run of one trigger: the ids of what it has made so far.
type journey struct {
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

// journeySteps are the steps that lead to each event. A journey about a lead begins with a test lead.
var journeySteps = map[string][]func(*journey, context.Context) error{
	"lead.created":        {(*journey).createLead},
	"lead.updated":        {(*journey).someLead, change("rename the lead", map[string]any{"firstName": "Renamed"})},
	"lead.opted_out":      {(*journey).someLead, change("the lead opts out", map[string]any{"didOptOut": true})},
	"lead.not_interested": {(*journey).someLead, notInterested},
	"lead.reopened": {(*journey).someLead, notInterested,
		change("reopen the lead", map[string]any{"status": "IN_PROGRESS"})},
	"lead.escalated":           {(*journey).someLead, (*journey).escalate},
	"lead.escalation_resolved": {(*journey).someLead, (*journey).escalate, (*journey).resolve},
	"lead.completed":           {(*journey).someLead, (*journey).startRun, move("complete")},
	"workflow_run.created":     {(*journey).someLead, (*journey).startRun},
	"workflow_run.paused":      {(*journey).someLead, (*journey).startRun, move("pause")},
	"workflow_run.resumed":     {(*journey).someLead, (*journey).startRun, move("pause"), move("resume")},
	"workflow_run.completed":   {(*journey).someLead, (*journey).startRun, move("complete")},
	"workflow_run.cancelled":   {(*journey).someLead, (*journey).startRun, move("cancel")},
	"document.received":        {(*journey).someLead, (*journey).upload},
	"document.extracted":       {(*journey).someLead, (*journey).upload},
	"document.validated":       {(*journey).someLead, item("FILE"), (*journey).upload},
	"checklist_item.completed": {(*journey).someLead, item("TEXT"), answer("COMPLETED")},
	"checklist_item.invalid":   {(*journey).someLead, item("TEXT"), answer("INVALID")},
	"pipeline_run.completed":   {(*journey).someLead, (*journey).upload, (*journey).runPipeline},
	"pipeline_run.failed":      {(*journey).someLead, specimen("encrypted"), (*journey).runPipeline},
	"document.corrected":       {(*journey).someLead, (*journey).upload, (*journey).runPipeline, (*journey).correct},
	"document.erased":          {(*journey).someLead, (*journey).upload, (*journey).deleteDocument, afterGrace},
	"lead.erased":              {(*journey).someLead, (*journey).deleteLead, afterGrace},
	"review.opened":            {(*journey).someLead, (*journey).escalate},
	"review.decided":           {(*journey).someLead, (*journey).escalate, (*journey).decide},
	"message.sent":             {(*journey).reachableLead, (*journey).startRun, advance("72h", "72 hours")},
	"message.received":         {(*journey).reachableLead, (*journey).writeBack},
	"message.delivered": {(*journey).emailLead, (*journey).startRun, advance("72h", "72 hours"), (*journey).sentEmail,
		report("the email has arrived", "Action: delivered\nStatus: 2.0.0\n")},
	"message.failed": {(*journey).emailLead, (*journey).startRun, advance("72h", "72 hours"), (*journey).sentEmail,
		report("the email comes back", "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n")},
	"export.completed": {(*journey).someLead, (*journey).export},
	"spread.started": {(*journey).someLead, specimen("profit_and_loss"), (*journey).runPipeline,
		(*journey).startSpread},
	"spread.completed": {(*journey).someLead, specimen("profit_and_loss"), (*journey).runPipeline,
		(*journey).startSpread},
	"spread.failed": {(*journey).someLead, specimen("profit_and_loss"), (*journey).runPipeline,
		(*journey).spreadOfAnother},
	"spread.approved": {(*journey).someLead, specimen("profit_and_loss"), (*journey).runPipeline,
		(*journey).startSpread, (*journey).spreadDone, (*journey).submit, (*journey).approve},
	"webhook.test":     {registerAt(unreachableURL), (*journey).testWebhook},
	"webhook.disabled": {(*journey).registerGone, (*journey).testWebhook},
}

var notInterested = change("the lead is not interested", map[string]any{"status": "NOT_INTERESTED"})

// Events are the event types that can be triggered, sorted by name.
func Events() []string { return slices.Sorted(maps.Keys(journeySteps)) }

// Run plays the journey and waits until the event can be read. Error: the key is not one of test mode.
func (t Trigger) Run(ctx context.Context) error {
	steps, known := journeySteps[t.Event]
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
	p := &journey{Trigger: t, lead: t.Lead, patience: eventTimeout}
	return errors.Join(p.steps(ctx, steps, after), p.undo())
}

// steps runs the steps and waits for the event.
func (p *journey) steps(ctx context.Context, steps []func(*journey, context.Context) error, after string) error {
	for _, do := range steps {
		if err := do(p, ctx); err != nil {
			return err
		}
	}
	id, err := p.await(ctx, after)
	if err != nil {
		return err
	}
	return p.printStep(p.Event, id)
}

func (p *journey) undo() (err error) {
	for _, do := range slices.Backward(p.after) {
		err = errors.Join(err, do())
	}
	return err
}

// printStep prints a step that was done.
func (p *journey) printStep(text, id string) error {
	if p.JSON {
		return oneLine(p.Out, step{text, id})
	}
	_, err := fmt.Fprintf(p.Out, "%-32s %s\n", text, id)
	return err
}

// await looks for the event of this lead among those after one.
func (p *journey) await(ctx context.Context, after string) (string, error) {
	for end := p.Now().Add(p.patience); ctx.Err() == nil && p.Now().Before(end); p.pause(ctx, idle/2) {
		page, err := p.page(ctx, feedPosition{after: after, kind: p.Event})
		if err != nil {
			return "", err
		}
		for _, body := range page.Events {
			event, err := eventOf(body)
			if err != nil {
				return "", err
			}
			if after = event.ID; p.isAbout(body) {
				return event.ID, nil
			}
		}
	}
	return "", fmt.Errorf("%s did not happen within %s; does a worker run?", p.Event, p.patience)
}

// isAbout reports whether an event is about the objects of this journey. The event of a pipeline run names the
// document, that of an export the job.
func (p *journey) isAbout(body []byte) bool {
	return slices.ContainsFunc([]string{p.lead, p.document, p.job, p.webhook},
		func(id string) bool { return id != "" && bytes.Contains(body, []byte(id)) })
}

func (p *journey) someLead(ctx context.Context) error {
	if p.lead != "" {
		return p.printStep("use the lead", p.lead)
	}
	return p.createLead(ctx)
}

func (p *journey) createLead(ctx context.Context) error {
	return p.makeLead(ctx, map[string]any{"firstName": "Jordan", "lastName": "Sample", "isTest": true})
}

func (p *journey) makeLead(ctx context.Context, fields map[string]any) error {
	var made struct{ Lead struct{ ID string } }
	err := p.Send(ctx, http.MethodPost, "/api/v1/leads", fields, &made)
	if err != nil {
		return err
	}
	p.lead = made.Lead.ID
	return p.printStep("create a test lead", p.lead)
}

// change returns a step that updates the lead.
func change(text string, fields map[string]any) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		body := maps.Clone(fields)
		body["leadId"] = p.lead
		if err := p.Send(ctx, http.MethodPut, "/api/v1/leads", body, nil); err != nil {
			return err
		}
		return p.printStep(text, p.lead)
	}
}

func (p *journey) escalate(ctx context.Context) error {
	var made struct{ Escalation struct{ ID string } }
	err := p.Send(ctx, http.MethodPost, "/api/v1/leads/"+p.lead+"/escalations",
		map[string]any{"reason": "played by dossier trigger"}, &made)
	if err != nil {
		return err
	}
	p.escalation = made.Escalation.ID
	return p.printStep("escalate the lead", p.escalation)
}

func (p *journey) resolve(ctx context.Context) error {
	if err := p.Send(ctx, http.MethodPost, "/api/v1/escalations/"+p.escalation+"/resolve", map[string]any{},
		nil); err != nil {
		return err
	}
	return p.printStep("resolve the escalation", p.escalation)
}

// startRun puts an agent of the workspace to work on the checklist.
func (p *journey) startRun(ctx context.Context) error {
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
	return p.printStep("start a workflow run", p.run)
}

// move returns a step that changes the state of the run.
func move(verb string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		if err := p.Send(ctx, http.MethodPost, "/api/v1/workflow-runs/"+p.run+"/"+verb, nil, nil); err != nil {
			return err
		}
		return p.printStep(verb+" the run", p.run)
	}
}

const playedItem = "PLAYED_ITEM"

// item returns a step that adds a checklist item to the lead.
func item(fieldType string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		body := map[string]any{"label": "Played item", "code": playedItem, "fieldType": fieldType}
		var made struct{ ChecklistItem struct{ ID string } }
		if err := p.Send(ctx, http.MethodPost, "/api/v1/leads/"+p.lead+"/checklist-items", body, &made); err != nil {
			return err
		}
		return p.printStep("ask for one more thing", made.ChecklistItem.ID)
	}
}

// answer returns a step that gives the item a value and a status.
func answer(status string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		err := p.Send(ctx, http.MethodPut, "/api/v1/leads", map[string]any{"leadId": p.lead,
			"checklistItems": []any{map[string]any{"code": playedItem, "value": "a value", "status": status}}}, nil)
		if err != nil {
			return err
		}
		return p.printStep("set the item "+status, p.lead)
	}
}

// statement is a file that is read quickly.
const statement = "Date,Description,Amount,Balance\n2026-01-02,Opening,0.00,100.00\n2026-01-05,Card " +
	"sales,50.00,150.00\n" +
	"2026-01-09,Rent,-25.00,125.00\n"

func (p *journey) upload(ctx context.Context) error {
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

func (p *journey) deliver(ctx context.Context, fields map[string]string, name, contentType string, data []byte) error {
	var sent struct{ Documents []struct{ ID string } }
	if err := p.Client.upload(ctx, fields, name, contentType, data, &sent); err != nil {
		return err
	}
	p.document = sent.Documents[0].ID
	return p.printStep("upload "+name, p.document)
}

func (p *journey) runPipeline(ctx context.Context) error {
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
	return p.printStep("run a pipeline", started.JobID)
}
