package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// actionLog is an entry of a lead's timeline with what it points to (api.md, Action log entry).
type actionLog struct {
	ID            dossier.ActionLogID     `json:"id"`
	LeadID        dossier.LeadID          `json:"leadId"`
	WorkflowRunID *dossier.RunID          `json:"workflowRunId"`
	AgentID       *dossier.AgentID        `json:"agentId"`
	Type          dossier.ActionLogType   `json:"type"`
	Status        dossier.ActionLogStatus `json:"status"`
	Summary       string                  `json:"summary"`
	Input         json.RawMessage         `json:"input"`
	ToolCalls     json.RawMessage         `json:"toolCalls"`
	Message       *record.Message         `json:"message"`
	Documents     []actionDocument        `json:"documents"`
	Actor         *string                 `json:"actor"`
	ScheduledAt   *record.Time            `json:"scheduledAt"`
	CreatedAt     record.Time             `json:"createdAt"`
	CompletedAt   *record.Time            `json:"completedAt"`
}

// actionDocument is a document of an action log.
type actionDocument struct {
	ID        dossier.DocumentID `json:"id"`
	Filename  string             `json:"filename"`
	MimeType  string             `json:"mimeType"`
	Size      int64              `json:"size"`
	SignedURL string             `json:"signedUrl"`
}

// activityBody is the body of POST /api/v1/activity.
type activityBody struct {
	LeadID      dossier.LeadID  `json:"leadId" check:"required"`
	EventType   string          `json:"eventType" check:"required"`
	Title       string          `json:"title" check:"required"`
	Description *string         `json:"description" check:"text"`
	Metadata    json.RawMessage `json:"metadata" check:"metadata"`
}

func (b activityBody) activity() dossier.Activity {
	a := dossier.Activity{LeadID: b.LeadID, EventType: b.EventType, Title: b.Title, Description: b.Description}
	if string(b.Metadata) != "null" {
		a.Metadata = b.Metadata
	}
	return a
}

func (b activityBody) Faults() []dossier.Fault { return b.activity().Faults() }

type activityAnswer struct {
	success
	ActionLogID dossier.ActionLogID `json:"actionLogId"`
}

type timelineQuery struct{ paging }

type timelineAnswer struct {
	success
	Activity  []actionLog `json:"activity"`
	NextToken *string     `json:"nextToken"`
}

type actionLogAnswer struct {
	success
	ActionLog actionLog `json:"actionLog"`
}

// createActivity writes an entry onto a lead's timeline. A repeat without Idempotency-Key writes another.
func (s *Server) createActivity(c *fiber.Ctx) error {
	body, err := decode[activityBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err == nil {
		err = s.atTimeOf(c, body.LeadID)
	}
	if err != nil {
		return err
	}
	id, err := s.db.CreateActivity(c.UserContext(), workspace(c), body.activity(), by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, activityAnswer{yes, id})
}

// timeline answers everything that happened to a lead, newest first.
func (s *Server) timeline(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[timelineQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	entries, err := s.db.Timeline(c.UserContext(), workspace(c), lead, page)
	if err != nil {
		return err
	}
	entries, next := pageEnd(c, page, entries, func(e postgres.ActionEntry) dossier.Cursor {
		return dossier.Cursor{At: e.CreatedAt, ID: string(e.ID)}
	})
	logs, err := s.actionLogs(c, entries)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, timelineAnswer{yes, logs, next})
}

// readActionLog answers one entry.
func (s *Server) readActionLog(c *fiber.Ctx) error {
	id, err := pathID[dossier.ActionLogID](c, "actionLogId")
	if err != nil {
		return err
	}
	entry, err := s.db.ReadActionLog(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	log, err := s.actionLog(c, entry)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, actionLogAnswer{yes, log})
}

func (s *Server) actionLogs(c *fiber.Ctx, entries []postgres.ActionEntry) ([]actionLog, error) {
	logs := make([]actionLog, len(entries))
	for i, entry := range entries {
		log, err := s.actionLog(c, entry)
		if err != nil {
			return nil, err
		}
		logs[i] = log
	}
	return logs, nil
}

func (s *Server) actionLog(c *fiber.Ctx, e postgres.ActionEntry) (actionLog, error) {
	shown := actionLog{ID: e.ID, LeadID: e.LeadID, WorkflowRunID: e.RunID, AgentID: e.AgentID, Type: e.Type,
		Status: e.Status, Summary: e.Summary,
		Input: e.Input, ToolCalls: e.ToolCalls, Documents: []actionDocument{}, Actor: e.Actor,
		ScheduledAt: record.TimeOf(e.ScheduledAt),
		CreatedAt:   record.Time(e.CreatedAt), CompletedAt: record.TimeOf(e.CompletedAt)}
	if e.Message != nil {
		message := record.OfMessage(*e.Message)
		shown.Message = &message
	}
	for _, d := range e.Documents {
		url, err := s.signedURL(c.UserContext(), d)
		if err != nil {
			return shown, err
		}
		shown.Documents = append(shown.Documents, actionDocument{d.ID, d.Filename, d.MimeType, d.Size, url})
	}
	return shown, nil
}
