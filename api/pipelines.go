package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// pipelineBody is every parameter of every built-in pipeline; which are wanted depends on the pipeline.
type pipelineBody struct {
	DocumentID         dossier.DocumentID   `json:"documentId"`
	DocumentIDs        []dossier.DocumentID `json:"documentIds"`
	LeadID             dossier.LeadID       `json:"leadId"`
	EntryID            dossier.EntryID      `json:"leadChecklistItemId"`
	Rules              []string             `json:"rules"`
	EntityName         string               `json:"entityName"`
	Currency           string               `json:"currency"`
	FiscalYearEndMonth int                  `json:"fiscalYearEndMonth"`
	ExternalID         string               `json:"externalId"`
	Start              *time.Time           `json:"start"`
	End                *time.Time           `json:"end"`
	WebhookID          dossier.WebhookID    `json:"webhookId"`
}

type outcomeTo struct {
	WebhookID dossier.WebhookID `json:"webhookId"`
}

type documentParameters struct {
	DocumentID dossier.DocumentID `json:"documentId" check:"required"`
	outcomeTo
}

type matchParameters struct {
	LeadID      dossier.LeadID       `json:"leadId" check:"required"`
	DocumentIDs []dossier.DocumentID `json:"documentIds"`
	outcomeTo
}

type validateParameters struct {
	DocumentID dossier.DocumentID `json:"documentId" check:"required"`
	EntryID    dossier.EntryID    `json:"leadChecklistItemId"`
	Rules      []ruleText         `json:"rules" check:"max=100"`
	outcomeTo
}

// ruleText is a rule in natural language; its length is the list's business.
type ruleText string

func (p validateParameters) Faults() (faults []dossier.Fault) {
	for i, rule := range p.Rules {
		if strings.TrimSpace(string(rule)) == "" {
			faults = append(faults, dossier.Fault{Pointer: fmt.Sprint("/rules/", i), Code: "required",
				Detail: fmt.Sprintf("rules/%d must not be empty", i)})
		}
	}
	return faults
}

type bankParameters struct {
	LeadID      dossier.LeadID       `json:"leadId"`
	DocumentIDs []dossier.DocumentID `json:"documentIds"`
	outcomeTo
}

func (p bankParameters) Faults() []dossier.Fault {
	if p.LeadID == "" && len(p.DocumentIDs) == 0 {
		return []dossier.Fault{{Pointer: "/leadId", Code: "required", Detail: "leadId or documentIds is required"}}
	}
	return nil
}

type spreadParameters struct {
	LeadID             dossier.LeadID       `json:"leadId" check:"required"`
	DocumentIDs        []dossier.DocumentID `json:"documentIds"`
	EntityName         *string              `json:"entityName"`
	Currency           *string              `json:"currency" check:"min=3,max=3"`
	FiscalYearEndMonth *int                 `json:"fiscalYearEndMonth" check:"min=1,max=12"`
	ExternalID         *string              `json:"externalId"`
	outcomeTo
}

type exportParameters struct {
	Start *time.Time `json:"start"`
	End   *time.Time `json:"end"`
	outcomeTo
}

func (p exportParameters) Faults() []dossier.Fault {
	if p.Start != nil && p.End != nil && p.End.Before(*p.Start) {
		return []dossier.Fault{{Pointer: "/end", Code: "invalid_value", Detail: "end must be on or after start"}}
	}
	return nil
}

type startPipelineAnswer struct {
	success
	JobID  dossier.PipelineRunID  `json:"jobId"`
	Status dossier.PipelineStatus `json:"status"`
	Result string                 `json:"result"` // where to poll
}

type pipelineQuery struct {
	JobID dossier.PipelineRunID `query:"jobId" check:"required"`
}

type pipelineEntry struct {
	ID               string          `json:"id"`
	Description      string          `json:"description"`
	Steps            []string        `json:"steps"`
	ParametersSchema json.RawMessage `json:"parametersSchema"`
	ResultSchema     json.RawMessage `json:"resultSchema"`
}

type pipelinesAnswer struct {
	success
	Pipelines []pipelineEntry `json:"pipelines"`
}

// startPipeline stages a run. A repeat without Idempotency-Key starts another.
func (s *Server) startPipeline(c *fiber.Ctx) error {
	id, steps, err := s.pipelineSteps(c)
	if err != nil {
		return err
	}
	body, err := web.ReadBody(c, web.JSONLimit)
	if err != nil {
		return err
	}
	if err := web.WantJSON(c); err != nil {
		return err
	}
	var parameters json.RawMessage
	var about postgres.PipelineSubjects
	err = web.WithSlot(c, body, func() error {
		parameters, about, err = pipelineParameters(steps[0], body)
		return err
	})
	if err != nil {
		return err
	}
	run, err := s.db.CreatePipelineRun(c.UserContext(), workspace(c), id, steps, parameters, about)
	if err != nil {
		return err
	}
	poll := s.pipelineURL(c) + "/pipelines/run/" + id + "?jobId=" + string(run.ID)
	return send(c, fiber.StatusAccepted, startPipelineAnswer{yes, run.ID, run.Status, poll})
}

// pipelineSteps finds the pipeline of the path: a built-in one or a chain of the workspace. Error: NotFound.
func (s *Server) pipelineSteps(c *fiber.Ctx) (string, []string, error) {
	id := strings.Clone(c.Params("pipelineId"))
	for _, p := range jobs.Pipelines {
		if p.ID == id {
			return id, []string{id}, nil
		}
	}
	ws, err := s.db.ReadWorkspace(c.UserContext(), workspace(c))
	if err != nil {
		return "", nil, err
	}
	for _, chain := range ws.Pipelines {
		if chain.ID == id {
			return id, chain.Steps, nil
		}
	}
	return "", nil, dossier.Coded(dossier.NotFound, "pipeline_not_found",
		"No pipeline with this id; GET /pipelines lists them")
}

// pipelineParameters checks the body for the pipeline that gets it, and says what must exist.
func pipelineParameters(pipeline string, body []byte) (json.RawMessage, postgres.PipelineSubjects, error) {
	var about postgres.PipelineSubjects
	var err error
	switch pipeline {
	case jobs.PipelineExtractDocument, jobs.PipelineClassifyDocument:
		var p documentParameters
		p, err = web.DecodeJSON[documentParameters](body)
		about.Documents, about.Webhook = []dossier.DocumentID{p.DocumentID}, p.WebhookID
	case jobs.PipelineMatchDocuments:
		var p matchParameters
		p, err = web.DecodeJSON[matchParameters](body)
		about.Lead, about.Documents, about.Webhook = p.LeadID, p.DocumentIDs, p.WebhookID
	case jobs.PipelineValidateDocument:
		var p validateParameters
		p, err = web.DecodeJSON[validateParameters](body)
		about.Documents, about.Entry, about.Webhook = []dossier.DocumentID{p.DocumentID}, p.EntryID, p.WebhookID
	case jobs.PipelineAnalyzeBankStatements:
		var p bankParameters
		p, err = web.DecodeJSON[bankParameters](body)
		about.Lead, about.Documents, about.Webhook = p.LeadID, p.DocumentIDs, p.WebhookID
	case jobs.PipelineExportAnalyticsCSV:
		var p exportParameters
		p, err = web.DecodeJSON[exportParameters](body)
		about.Webhook = p.WebhookID
	case jobs.PipelineSpreadFinancials:
		var p spreadParameters
		p, err = web.DecodeJSON[spreadParameters](body)
		about.Lead, about.Documents, about.Webhook = p.LeadID, p.DocumentIDs, p.WebhookID
	}
	return json.RawMessage(slices.Clone(body)), about, err
}

// cancelPipeline ends a run that has not ended.
func (s *Server) cancelPipeline(c *fiber.Ctx) error {
	q, err := query[pipelineQuery](c)
	if err != nil {
		return err
	}
	run, err := s.db.CancelPipelineRun(c.UserContext(), workspace(c), strings.Clone(c.Params("pipelineId")), q.JobID)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, record.OfPipelineRun(run, s.Now()))
}

// listPipelines lists the built-in pipelines, then the workspace's chains.
func (s *Server) listPipelines(c *fiber.Ctx) error {
	ws, err := s.db.ReadWorkspace(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	answer := pipelinesAnswer{success: yes}
	byID := map[string]jobs.Pipeline{}
	for _, p := range jobs.Pipelines {
		byID[p.ID] = p
		answer.Pipelines = append(answer.Pipelines,
			pipelineEntry{ID: p.ID, Description: p.Description, Steps: []string{p.ID},
				ParametersSchema: p.Parameters, ResultSchema: p.Result})
	}
	for _, chain := range ws.Pipelines {
		answer.Pipelines = append(answer.Pipelines,
			pipelineEntry{ID: chain.ID, Description: "Chain of " + strings.Join(chain.Steps, ", ") + ".",
				Steps: chain.Steps, ParametersSchema: byID[chain.Steps[0]].Parameters,
				ResultSchema: json.RawMessage(chainResultSchema)})
	}
	return send(c, fiber.StatusOK, answer)
}

// chainResultSchema describes the steps so far; the result of each is that of its pipeline.
const chainResultSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
	"required":["steps"],"properties":{"steps":{"type":"array","items":{"type":"object",
	"required":["pipelineId","status","result","error","timeElapsed"],"properties":{"pipelineId":{"type":"string"},
	"status":{"enum":["PENDING","IN_PROGRESS","COMPLETE","ERROR","CANCELLED"]},"result":{"type":["object","null"]},
	"error":{"type":["object","null"],"required":["code","message"],
	"properties":{"code":{"type":"string"},"message":{"type":"string"}}},
	"timeElapsed":{"type":"integer","minimum":0,"description":"Milliseconds."}}}}}}`

// pipelineURL is the base of poll URLs.
func (s *Server) pipelineURL(c *fiber.Ctx) string {
	if s.PipelineURL != "" {
		return strings.TrimSuffix(s.PipelineURL, "/")
	}
	return s.door.PublicURL(c)
}
