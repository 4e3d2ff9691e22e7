package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/integrator"
	"github.com/dossierhq/dossier/jobs/schematest"
	"github.com/dossierhq/dossier/storage/postgres"
)

// caller is the command line's client with one of the stack's keys; it waits less than people do.
func (s *stack) caller(key string) *integrator.Client {
	return &integrator.Client{URL: s.url, Key: key, Pause: func(ctx context.Context, _ time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}}
}

// What an integrator does with an address and a key, against the whole service.
func TestIntegrator_commands(t *testing.T) {
	if testing.Short() {
		t.Skip("plays every journey")
	}
	s := startStack(t, options{})
	t.Run("trigger", s.triggerAll)
	t.Run("import", s.importFiles)
	t.Run("clock", s.playClock)
}

// playClock puts a test lead's clock 30 days on, in one call: the messages of the way are sent, each at the lead's time.
func (s *stack) playClock(t *testing.T) {
	ctx, c := t.Context(), s.caller(s.testKey)
	send := func(path string, body map[string]any, out any) {
		t.Helper()
		if err := c.Send(ctx, http.MethodPost, path, body, out); err != nil {
			t.Fatal(err)
		}
	}
	var agents struct{ Agents []struct{ ID, Name string } }
	var workflows struct{ Workflows []struct{ ID, Name string } }
	if err := errors.Join(c.Get(ctx, "/api/v1/agents", nil, &agents), c.Get(ctx, "/api/v1/workflows", nil, &workflows)); err != nil {
		t.Fatal(err)
	}
	workflow := slices.IndexFunc(workflows.Workflows, func(w struct{ ID, Name string }) bool { return w.Name == "Collect the checklist" })
	if workflow < 0 || len(agents.Agents) == 0 {
		t.Fatalf("%v %v", agents, workflows)
	}
	var made struct{ Lead struct{ ID string } }
	send("/api/v1/leads", map[string]any{"firstName": "Clara", "phoneNumber": "(212) 555-0123", "email": "clara@example.com"}, &made)
	send("/api/v1/workflow-runs", map[string]any{"leadId": made.Lead.ID, "agentId": agents.Agents[0].ID,
		"workflowId": workflows.Workflows[workflow].ID}, nil)
	var played struct {
		Now      time.Time
		Happened []string
	}
	send("/api/v1/test/clock", map[string]any{"leadId": made.Lead.ID, "advance": "720h"}, &played)
	var sent struct {
		Events []struct {
			ID        string
			Timestamp time.Time
			Data      struct{ LeadID string }
		}
	}
	if err := c.Get(ctx, "/api/v1/events", url.Values{"type": {"message.sent"}, "limit": {"200"}}, &sent); err != nil {
		t.Fatal(err)
	}
	var at []time.Time
	for _, event := range sent.Events {
		if event.Data.LeadID == made.Lead.ID && slices.Contains(played.Happened, event.ID) {
			at = append(at, event.Timestamp)
		}
	}
	if len(at) < 5 || at[len(at)-1].Sub(at[0]) < 8*24*time.Hour || played.Now.Before(at[len(at)-1]) {
		t.Errorf("%d events happened, messages were sent at %v; it is %s", len(played.Happened), at, played.Now)
	}
}

// watched is what trigger prints, read by a person who approves the spread that one has to approve.
type watched struct {
	bytes.Buffer
	person func(dossier.SpreadID)
}

func (w *watched) Write(line []byte) (int, error) {
	var step struct{ Step, ID string }
	if json.Unmarshal(line, &step) == nil && strings.HasPrefix(step.Step, "approve it, signed in, at http") {
		w.person(dossier.SpreadID(step.ID))
	}
	return w.Buffer.Write(line)
}

// analyst approves spreads.
func (s *stack) analyst(t *testing.T) func(dossier.SpreadID) {
	ctx := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: postgres.NewID(), Name: "ann@example.com"})
	return func(id dossier.SpreadID) {
		if _, err := s.services.DB.ApproveSpread(ctx, s.ws, id); err != nil {
			t.Error(err)
		}
	}
}

// triggerAll plays every journey; each ends with its event, of a test lead.
func (s *stack) triggerAll(t *testing.T) {
	var plays sync.WaitGroup
	slots := make(chan struct{}, 6)
	for _, event := range integrator.Events() {
		plays.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			out := watched{person: s.analyst(t)}
			trigger := integrator.Trigger{Client: s.caller(s.testKey), Event: event, Inbound: s.inbound, JSON: true,
				Out: &out, Now: time.Now}
			if err := trigger.Run(t.Context()); err != nil {
				t.Errorf("%s: %v\n%s", event, err, out.String())
				return
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			var last struct{ Step, ID string }
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Step != event || len(last.ID) != 36 || len(lines) < 2 {
				t.Errorf("%s: %v\n%s", event, err, out.String())
			}
		})
	}
	plays.Wait()
	var live []json.RawMessage
	if err := s.get(t.Context(), "/api/v1/leads", &live); err != nil || len(live) > 0 {
		t.Errorf("%d live leads were made, %v", len(live), err)
	}
	s.playedFit(t)
}

// playedFit holds everything that happened against what the document says of it.
func (s *stack) playedFit(t *testing.T) {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(s.page(t, "/openapi.json"), &document); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for after := ""; ; {
		var page struct {
			Events    []json.RawMessage
			NextToken *string
		}
		if err := s.get(t.Context(), "/api/v1/events?limit=200"+after, &page); err != nil {
			t.Fatal(err)
		}
		for _, body := range page.Events {
			var event struct {
				Type     string
				Livemode bool
			}
			if err := json.Unmarshal(body, &event); err != nil || event.Livemode {
				t.Errorf("%s is a live event, or none: %v", event.Type, err)
			}
			if seen[event.Type] {
				continue
			}
			seen[event.Type] = true
			schema, err := json.Marshal(map[string]any{"webhooks": document["webhooks"], "components": document["components"],
				"$ref": "#/webhooks/" + event.Type + "/post/requestBody/content/application~1json/schema"})
			if err != nil {
				t.Fatal(err)
			}
			schematest.Describes(t, event.Type, schema, body)
		}
		if page.NextToken == nil {
			break
		}
		after = "&after=" + *page.NextToken
	}
	for _, kind := range dossier.EventTypes() {
		if !seen[string(kind)] {
			t.Errorf("%s did not happen", kind)
		}
	}
}

// importFiles sends a table and the documents that it names: a dry run says what would be, then it is.
func (s *stack) importFiles(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, dir, "leads.csv", []byte("externalLeadId,firstName,email,tags,documents\n"+
		"crm-1,Ann,ann@example.com,vip; spring,license.txt;more/notes.txt\ncrm-2,=1+1,,,\ncrm-3,Cy,,,missing.pdf\ncrm-4,Di,,,\n"))
	var zipped bytes.Buffer
	files := zip.NewWriter(&zipped)
	for _, name := range []string{"license.txt", "more/notes.txt"} {
		file, err := files.Create(name)
		if err == nil {
			_, err = file.Write([]byte("The words of " + name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "documents.zip", zipped.Bytes())
	run := func(command integrator.Import, says ...string) {
		t.Helper()
		var out bytes.Buffer
		command.Client, command.File, command.Archive = s.caller(s.key), path("leads.csv"), path("documents.zip")
		command.Out, command.Err = &out, io.Discard
		if err := command.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "2 of 4 rows were refused") {
			t.Errorf("it ends with %v", err)
		}
		for _, want := range says {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it does not say %q:\n%s", want, out.String())
			}
		}
	}
	leads := func() (found []struct{ ID, Name string }) {
		if err := s.get(t.Context(), "/api/v1/leads?q=ann@example.com", &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	run(integrator.Import{DryRun: true}, "4 rows: 2 would be created, 0 would be updated, 2 refused", "row 3  formula_cell", "row 4  file_missing")
	if found := leads(); len(found) > 0 {
		t.Errorf("the dry run made %v", found)
	}
	run(integrator.Import{Report: path("report.csv")}, "4 rows: 2 created, 0 updated, 2 refused")
	report, err := os.ReadFile(path("report.csv"))
	if err != nil || strings.Count(string(report), "\n") != 5 || !strings.HasPrefix(string(report), "row,outcome,leadId,") {
		t.Errorf("the report is %v\n%s", err, report)
	}
	found := leads()
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	var lead struct{ Documents []struct{ Filename string } }
	if err := s.get(t.Context(), "/api/v1/leads/"+found[0].ID, &lead); err != nil || len(lead.Documents) != 2 {
		t.Errorf("the lead has %v, %v", lead.Documents, err)
	}
	run(integrator.Import{JSON: true}, `"updated":2`, `"created":0`)
}
