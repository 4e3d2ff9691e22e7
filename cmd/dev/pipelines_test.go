package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"html"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/schematest"
	"github.com/dossierhq/dossier/storage/postgres"
)

// What the examples of the reference are about.
const (
	exampleLead     = "019b7d2a-31c0-7000-8000-0000000000a1"
	exampleDocument = "019b7d2a-31c0-7000-8000-0000000000d1"
)

// listedPipeline is an entry of GET /pipelines.
type listedPipeline struct {
	ID               string          `json:"id"`
	Steps            []string        `json:"steps"`
	ParametersSchema json.RawMessage `json:"parametersSchema"`
	ResultSchema     json.RawMessage `json:"resultSchema"`
}

// polledRun is what a poll says.
type polledRun struct {
	Status   dossier.PipelineStatus   `json:"status"`
	Progress int                      `json:"progress"`
	Metadata json.RawMessage          `json:"metadata"`
	Result   json.RawMessage          `json:"result"`
	Failure  *dossier.PipelineFailure `json:"error"`
}

// TestPipelines_examples gives the commands of the reference to a shell as they stand there, about a lead and a
// document that have the ids of the examples, and polls each run to its end: every built-in pipeline comes to a result
// that the listed schema describes, and so does each step of the workspace's chain.
func TestPipelines_examples(t *testing.T) {
	s := startStack(t, options{})
	s.makeExamples(t)
	var list struct{ Pipelines []listedPipeline }
	if err := s.get(t.Context(), "/pipelines", &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Pipelines) != len(jobs.Pipelines)+1 {
		t.Fatalf("%d pipelines are listed, want the built-in ones and the workspace's chain", len(list.Pipelines))
	}
	schemas := map[string]json.RawMessage{}
	for _, p := range list.Pipelines {
		schemas[p.ID] = p.ResultSchema
		t.Run(p.ID, func(t *testing.T) {
			run := s.runExample(t, p)
			schematest.Describes(t, p.ID+" result", p.ResultSchema, run.Result)
			if len(p.Steps) == 1 {
				return
			}
			var chain struct{ Steps []dossier.PipelineStep }
			if err := json.Unmarshal(run.Result, &chain); err != nil || len(chain.Steps) != len(p.Steps) {
				t.Fatalf("%d steps, %v", len(chain.Steps), err)
			}
			for i, step := range chain.Steps {
				schematest.Describes(t, "step "+p.Steps[i], schemas[p.Steps[i]], step.Result)
			}
		})
	}
}

// makeExamples makes what the examples speak of: a lead with a bank statement and financial statements, all read.
func (s *stack) makeExamples(t *testing.T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.cfg.MigrateURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), `INSERT INTO leads (workspace_id, id, first_name, business_name, created_at, updated_at)
		VALUES ($1, $2, 'Ada', 'Harbor Bakery LLC', now(), now())`, s.ws, exampleLead); err != nil {
		t.Fatal(err)
	}
	if err := s.post(t.Context(), "/api/v1/leads/"+exampleLead+"/checklist-items", map[string]any{"label": "Bank statement", "code": "STATEMENT", "fieldType": "BANK_STATEMENT"}, new(any)); err != nil {
		t.Fatal(err)
	}
	bank := specimen.BankStatement(specimen.BankOptions{Seed: 5, Layout: specimen.BankLayouts()[0], Business: true, Holder: "Harbor Bakery LLC", Entries: 12})
	key := string(s.ws) + "/documents/" + exampleDocument
	stored, err := s.services.Objects.Put(t.Context(), key, bank.MimeType, bytes.NewReader(bank.Data), 0)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(bank.Data)
	_, _, err = s.services.DB.CreateDocuments(t.Context(), s.ws, postgres.Upload{LeadID: exampleLead, Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: exampleDocument, Filename: "statement.pdf", MimeType: bank.MimeType, Size: stored.Size, SHA256: sum[:], ObjectKey: key}}})
	if err != nil {
		t.Fatal(err)
	}
	books := specimen.FinancialStatement(specimen.StatementOptions{Seed: 6, Layout: specimen.StatementLayouts()[0], Year: 2024, Name: "Harbor Bakery LLC"})
	if _, err := s.demoUpload(t.Context(), exampleLead, []uploadFile{{"books", books.MimeType, books.Data}}); err != nil {
		t.Fatal(err)
	}
	within(t, 3*time.Minute, "the documents are read", func() bool {
		read := 0
		for _, d := range s.documents(t, exampleLead) {
			if d.Metadata.Status == "completed" {
				read++
			}
		}
		return read == 2
	})
}

// runExample starts a run as the reference shows it and polls it to its end. A chain has the example of its first step.
func (s *stack) runExample(t *testing.T, p listedPipeline) polledRun {
	t.Helper()
	command := strings.Replace(s.documented(t, p.Steps[0]), "/run/"+p.Steps[0]+`"`, "/run/"+p.ID+`"`, 1)
	shell := exec.CommandContext(t.Context(), "bash", "-c", command)
	shell.Env = append(shell.Environ(), "DOSSIER_URL="+s.url, "DOSSIER_API_KEY="+s.key)
	out, err := shell.Output()
	var begun struct{ JobID, Result string }
	if err != nil || json.Unmarshal(out, &begun) != nil || begun.JobID == "" {
		t.Fatalf("%s\n%s %v", command, out, err)
	}
	_, parameters, _ := strings.Cut(command, "-d '")
	if err := schematest.Accepts(t, p.ParametersSchema, json.RawMessage(strings.TrimSuffix(parameters, "'"))); err != nil {
		t.Error(err)
	}
	poll := "/pipelines/run/" + p.ID + "?jobId=" + begun.JobID
	if !strings.HasSuffix(begun.Result, poll) {
		t.Errorf("the address to poll is %s", begun.Result)
	}
	var run polledRun
	within(t, 3*time.Minute, p.ID+" ends", func() bool {
		if err := s.get(t.Context(), poll+"&wait=20", &run); err != nil {
			t.Fatal(err)
		}
		return run.Status.Ended()
	})
	if run.Status != dossier.PipelineComplete || run.Progress != 100 || run.Failure != nil {
		t.Fatalf("%s ended as %s: %+v", p.ID, run.Status, run.Failure)
	}
	return run
}

// documented is the command that the reference page shows for a pipeline.
func (s *stack) documented(t *testing.T, pipeline string) string {
	t.Helper()
	_, section, found := strings.Cut(string(s.page(t, "/docs")), `<details id="pipeline-`+pipeline+`">`)
	command := shownCommand.FindStringSubmatch(section)
	if !found || command == nil {
		t.Fatalf("/docs has no example of %s", pipeline)
	}
	return html.UnescapeString(command[1])
}

var shownCommand = regexp.MustCompile(`(?s)<code>(curl .*?)</code>`)
