package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

type messageAnswer struct {
	success
	Message record.Message `json:"message"`
}

type messagesQuery struct{ paging }

type messagesAnswer struct {
	success
	Messages  []record.Message `json:"messages"`
	NextToken *string          `json:"nextToken"`
}

// editBody is the body of POST /api/v1/messages/{messageId}/edit.
type editBody struct {
	Body    string  `json:"body" check:"required,text"`
	Subject *string `json:"subject"`
}

// rejectBody is the body of POST /api/v1/messages/{messageId}/reject; all of it is optional.
type rejectBody struct {
	Reason *string `json:"reason" check:"text"`
}

// listMessages answers everything a lead and its agents wrote to each other, newest first.
func (s *Server) listMessages(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[messagesQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Messages(c.UserContext(), workspace(c), lead, page)
	if err != nil {
		return err
	}
	return sendMessages(c, page, list)
}

// listInbox answers messages from senders nobody knows, newest first.
func (s *Server) listInbox(c *fiber.Ctx) error {
	q, err := query[messagesQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Inbox(c.UserContext(), workspace(c), page)
	if err != nil {
		return err
	}
	return sendMessages(c, page, list)
}

func sendMessages(c *fiber.Ctx, page dossier.Page, list []dossier.Message) error {
	list, next := pageEnd(c, page, list,
		func(m dossier.Message) dossier.Cursor { return dossier.Cursor{At: m.CreatedAt, ID: string(m.ID)} })
	answer := messagesAnswer{success: yes, Messages: []record.Message{}, NextToken: next}
	for _, m := range list {
		answer.Messages = append(answer.Messages, record.OfMessage(m))
	}
	return send(c, fiber.StatusOK, answer)
}

// approveMessage lets a draft go out.
func (s *Server) approveMessage(c *fiber.Ctx) error {
	id, err := pathID[dossier.MessageID](c, "messageId")
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	m, err := s.db.ApproveMessage(c.UserContext(), workspace(c), id, by)
	return sendMessage(c, m, err)
}

// sendMessage answers with a message as it now stands.
func sendMessage(c *fiber.Ctx, m dossier.Message, err error) error {
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, messageAnswer{yes, record.OfMessage(m)})
}

// editMessage changes the words of a draft, which stays one.
func (s *Server) editMessage(c *fiber.Ctx) error {
	id, err := pathID[dossier.MessageID](c, "messageId")
	if err != nil {
		return err
	}
	body, err := decode[editBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	m, err := s.db.EditMessage(c.UserContext(), workspace(c), id, body.Body, body.Subject, by)
	return sendMessage(c, m, err)
}

// rejectMessage puts a draft away.
func (s *Server) rejectMessage(c *fiber.Ctx) error {
	id, err := pathID[dossier.MessageID](c, "messageId")
	if err != nil {
		return err
	}
	body, err := decodeOrEmpty[rejectBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	m, err := s.db.RejectMessage(c.UserContext(), workspace(c), id, body.Reason, by)
	return sendMessage(c, m, err)
}
