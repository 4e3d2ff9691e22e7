package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/cmd/lab/bench"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
)

type simulateCommand struct {
	File     string `short:"f" required:"" type:"existingfile" help:"The workspace's file."`
	Days     int    `default:"30" help:"How many days are played."`
	Lead     string `default:"helpful" enum:"helpful,silent,leaves,worried" help:"${simulate_lead}"`
	Workflow string `placeholder:"KEY" help:"The workflow; default the file's first CHECKLIST."`
	Agent    string `placeholder:"KEY" help:"The agent; default the file's first."`
	Zone     string `placeholder:"ZONE" help:"Where the lead lives; default the workspace's zone."`
	Language string `placeholder:"es" help:"The lead's language, en or es; default the workspace's."`
}

// script lists what the simulated lead does.
type script []leadAction

type leadAction struct {
	after time.Duration // the first message
	says  string        // the words of its message
	gives int           // how many open items it fills on its page; -1: all
	tells bool          // it answers the first open item in a message
}

const playDay = 24 * time.Hour

var scripts = map[string]script{
	"helpful": {{after: 3 * time.Hour, says: "What do you need from me exactly?"},
		{after: playDay + 4*time.Hour, tells: true}, {after: 3*playDay + 2*time.Hour, gives: 3},
		{after: 5 * playDay, says: "I will send the rest tomorrow"}, {after: 6*playDay + 5*time.Hour, gives: -1}},
	"silent": {},
	"leaves": {{after: 5 * time.Hour, says: "Who is this?"}, {after: 2*playDay + 3*time.Hour, says: "STOP"}},
	"worried": {{after: time.Hour, says: "Why do you need all this?"},
		{after: 2*playDay + 4*time.Hour, says: "Can I talk to a real person please"},
		{after: 4*playDay + 2*time.Hour, says: "Where do I upload it?"},
		{after: 8*playDay + 5*time.Hour, gives: 2}},
}

// inSpanish translates what the lead says into Spanish.
var inSpanish = map[string]string{"What do you need from me exactly?": "¿Qué necesitan de mí exactamente?",
	"I will send the rest tomorrow": "Mañana envío el resto",
	"Who is this?":                  "¿Quién es?", "Why do you need all this?": "¿Para qué necesitan todo esto?",
	"Can I talk to a real person please": "Quiero hablar con una persona, por favor",
	"Where do I upload it?":              "¿Dónde lo subo?", "Our EIN is 12-3456789": "Nuestro EIN es 12-3456789",
	"Here is what I have so far": "Esto es lo que tengo por ahora"}

// Run plays the workspace on a private database and a clock of its own, with providers that send nothing.
func (c simulateCommand) Run(a *app) error {
	if c.Days < 1 || c.Days > 730 {
		return usagef("--days must be between 1 and 730")
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	config, err := workspacefile.Parse(c.File, data)
	if err != nil {
		return err
	}
	for channel := range config.Channels {
		config.Channels[channel] = dossier.ChannelConfig{Provider: "log"}
	}
	stack, err := bench.Open(a.ctx, "")
	if err != nil {
		return err
	}
	defer func() { _ = stack.Close() }()
	s, err := c.prepare(a, stack, config)
	if err != nil {
		return err
	}
	defer s.db.Close()
	if err := s.simulate(a.ctx); err != nil {
		return err
	}
	return s.report(a)
}

// simulation is a workspace whose agent and lead are simulated.
type simulation struct {
	command  simulateCommand
	db       *postgres.DB
	worker   *worker.Worker
	began    time.Time // really
	start    time.Time // on the simulation's clock
	clock    *manualClock
	w        dossier.Workspace
	lead     dossier.LeadID
	run      dossier.RunID
	workflow dossier.Workflow
	agent    dossier.Agent
}

// manualClock is a clock that stands still until it is set.
type manualClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *manualClock) read() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *manualClock) set(t time.Time) { c.mu.Lock(); defer c.mu.Unlock(); c.now = t }

func (c simulateCommand) prepare(a *app, stack *bench.Stack, config dossier.WorkspaceConfig) (*simulation, error) {
	s := &simulation{command: c, began: time.Now(), clock: &manualClock{}}
	zone := dossier.Zone(c.Zone, config.Timezone)
	// The clock must run in the past (worker.Rehearse): on the last Monday that leaves room for all days.
	monday := s.began.In(zone).AddDate(0, 0, -c.Days-14)
	monday = monday.AddDate(0, 0, -(int(monday.Weekday())+6)%7)
	s.start = time.Date(monday.Year(), monday.Month(), monday.Day(), 10, 0, 0, 0, zone)
	s.clock.set(s.start)
	var err error
	quiet := slog.New(slog.DiscardHandler)
	if s.db, err = postgres.Open(a.ctx, postgres.Config{URL: stack.URL, AnyLogin: true, Now: s.clock.read,
		SecretKey: make([]byte, 32), Log: quiet}); err != nil {
		return nil, err
	}
	if s.worker, err = worker.New(worker.Config{DB: s.db, Redis: stack.Redis, Now: s.clock.read, Log: quiet,
		PublicURL: "https://dossier.example", NoSchedule: true}); err != nil {
		return nil, err
	}
	if _, _, err = s.db.ApplyWorkspace(a.ctx, config, false, false); err != nil {
		return nil, err
	}
	if s.w, err = s.db.WorkspaceByKey(a.ctx, config.Key); err != nil {
		return nil, err
	}
	return s, s.createLead(a.ctx)
}

// createLead chooses the workflow and the agent and creates the lead.
func (s *simulation) createLead(ctx context.Context) error {
	workflows, err := s.db.Workflows(ctx, s.w.ID)
	if err != nil {
		return err
	}
	agents, err := s.db.Agents(ctx, s.w.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(workflows, func(w dossier.Workflow) bool {
		return w.Key == s.command.Workflow || s.command.Workflow == "" && w.Type == dossier.WorkflowChecklist
	})
	j := slices.IndexFunc(agents, func(g dossier.Agent) bool {
		return g.Key == s.command.Agent ||
			s.command.Agent == ""
	})
	if i < 0 || j < 0 {
		return usagef("the file has no workflow %q or no agent %q", s.command.Workflow, s.command.Agent)
	}
	s.workflow, s.agent = workflows[i], agents[j]
	upd := dossier.LeadUpdate{FirstName: dossier.Set("Ann"), LastName: dossier.Set("Lee"),
		BusinessName: dossier.Set("Sample Bakery LLC"),
		Email:        dossier.Set("ann@sample-bakery.example"), PhoneNumber: dossier.Set("+12125550123"),
		Timezone: dossier.Set(s.start.Location().String())}
	if s.command.Language != "" {
		tags := []string{"language:" + s.command.Language}
		upd.Tags = &tags
	}
	s.lead, err = s.db.CreateLead(ctx, s.w.ID, postgres.NewLead{LeadUpdate: upd},
		postgres.Caller{Source: dossier.SourceImported})
	return err
}

func (s *simulation) simulate(ctx context.Context) error {
	run, err := s.db.CreateRun(ctx, s.w.ID, s.lead, s.agent.ID, s.workflow.ID,
		postgres.Caller{Source: dossier.SourceImported})
	if err != nil {
		return err
	}
	s.run = run.ID
	end := s.start.AddDate(0, 0, s.command.Days)
	for _, deed := range scripts[s.command.Lead] {
		at := s.start.Add(deed.after)
		if at.After(end) {
			break
		}
		if err := s.worker.Rehearse(ctx, at, s.began, s.clock.set); err != nil {
			return err
		}
		if err := s.perform(ctx, deed); err != nil {
			return err
		}
	}
	return s.worker.Rehearse(ctx, end, s.began, s.clock.set)
}

func (s *simulation) perform(ctx context.Context, d leadAction) error {
	view, err := s.db.LeadView(ctx, s.w.ID, s.lead)
	if err != nil {
		return err
	}
	says := d.says
	if d.tells {
		says = s.textAnswer(view.Checklist)
	}
	if words := inSpanish[says]; words != "" && s.command.Language == string(dossier.Spanish) {
		says = words
	}
	if says != "" {
		_, err := s.db.ReceiveMessage(ctx, s.w.ID, postgres.Inbound{Channel: dossier.ChannelSMS, From: "+12125550123",
			Text: says, ProviderID: postgres.NewID()}, outreach.Inbound)
		return err
	}
	var items []dossier.ItemUpdate
	for entry := range view.Checklist.All() {
		if entry.Visible && !entry.Status.Done() && (d.gives < 0 || len(items) < d.gives) {
			items = append(items, sample(entry.Item))
		}
	}
	if len(items) == 0 {
		return nil
	}
	return s.db.UpdateLead(ctx, s.w.ID, s.lead, dossier.LeadUpdate{Items: items}, 0,
		postgres.Caller{Source: dossier.SourcePortal})
}

// textAnswer returns the lead's message for the first open item whose value can be given in words.
func (s *simulation) textAnswer(c dossier.Checklist) string {
	for entry := range c.All() {
		if entry.Visible && !entry.Status.Done() && !entry.Item.FieldType.TakesFiles() {
			item := sample(entry.Item)
			if entry.Item.FieldType == dossier.FieldEIN {
				return "Our EIN is 12-3456789"
			}
			if value := strings.Trim(string(item.Value), `"`); entry.Item.FieldType == dossier.FieldText {
				return entry.Item.Label + " is " + value
			}
		}
	}
	return "Here is what I have so far"
}

// sample is an answer to an item. A file counts as accepted: no document is read here.
func sample(item dossier.ChecklistItem) dossier.ItemUpdate {
	values := map[dossier.FieldType]string{dossier.FieldText: `"Sample Bakery LLC"`, dossier.FieldEIN: `"12-3456789"`,
		dossier.FieldSSN: `"123-45-6789"`, dossier.FieldEmail: `"ann@sample-bakery.example"`,
		dossier.FieldPhone: `"+12125550123"`, dossier.FieldDate: `"2015-06-01"`, dossier.FieldNumber: "250000",
		dossier.FieldAddress: `{"street": "1 Main Street", "city": "New York", "state": "NY", "postalCode": "10001"}`}
	upd := dossier.ItemUpdate{Code: item.Code}
	switch options := item.Config.Options; {
	case item.FieldType == dossier.FieldMultiSelect && len(options) > 0:
		upd.Value, _ = json.Marshal(options[:1]) // texts always encode
	case item.FieldType == dossier.FieldSelect && len(options) > 0:
		upd.Value, _ = json.Marshal(options[0])
	case values[item.FieldType] != "":
		upd.Value = json.RawMessage(values[item.FieldType])
	default:
		done := dossier.ItemCompleted
		upd.Status = &done
	}
	return upd
}

// simulated is the result as JSON.
type simulated struct {
	Workflow string             `json:"workflow"`
	Agent    string             `json:"agent"`
	Days     int                `json:"days"`
	Run      dossier.RunStatus  `json:"runStatus"`
	Lead     dossier.LeadStatus `json:"leadStatus"`
	Sent     int                `json:"sent"`
	Received int                `json:"received"`
	Story    []storyLine        `json:"story"`
}

func (s *simulation) report(a *app) error {
	run, err := s.db.ReadRun(a.ctx, s.w.ID, s.run)
	if err != nil {
		return err
	}
	view, err := s.db.LeadView(a.ctx, s.w.ID, s.lead)
	if err != nil {
		return err
	}
	result := simulated{Workflow: s.workflow.Key, Agent: s.agent.Key, Days: s.command.Days, Run: run.Status,
		Lead: view.Lead.Status()}
	if result.Story, err = storyOf(a.ctx, s.db, s.w, view.Lead); err != nil {
		return err
	}
	for _, line := range result.Story {
		switch {
		case line.Inbound:
			result.Received++
		case line.Who != "" && line.State == "":
			result.Sent++
		}
	}
	return a.show(result, func(out io.Writer) {
		fmt.Fprintf(out, "%s: %s, conducted by %s, with a lead that is %s\n%d days from %s, by the clock of %s\n\n",
			s.w.Name, s.workflow.Name, s.agent.Name, s.command.Lead,
			s.command.Days, s.start.Format("Monday 2 January 2006"), s.start.Location())
		writeStory(out, result.Story, s.start.Location())
		fmt.Fprintf(out, "\nAt the end the run is %s and the lead %s: %s sent, %d received.\n", result.Run, result.Lead,
			count(result.Sent, "message"), result.Received)
	})
}
