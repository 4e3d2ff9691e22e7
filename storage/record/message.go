package record

import "github.com/dossierhq/dossier"

// Message is a message (resources.md section 4).
type Message struct {
	ID          dossier.MessageID        `json:"id"`
	LeadID      *dossier.LeadID          `json:"leadId"`
	RunID       *dossier.RunID           `json:"workflowRunId"`
	AgentID     *dossier.AgentID         `json:"agentId"`
	Direction   dossier.MessageDirection `json:"direction"`
	Channel     string                   `json:"channel"`
	Status      dossier.MessageStatus    `json:"status"`
	From        *string                  `json:"from"`
	To          *string                  `json:"to"`
	Subject     *string                  `json:"subject"`
	Body        string                   `json:"body"`
	Error       *MessageError            `json:"error"`
	DocumentIDs []dossier.DocumentID     `json:"documentIds"`
	ScheduledAt *Time                    `json:"scheduledAt"`
	SentAt      *Time                    `json:"sentAt"`
	DeliveredAt *Time                    `json:"deliveredAt"`
	CreatedAt   Time                     `json:"createdAt"`
	UpdatedAt   Time                     `json:"updatedAt"`

	Authenticated *bool `json:"authenticated"`
}

// MessageError is why a message could not be sent.
type MessageError struct {
	Code   string  `json:"code"`
	Detail *string `json:"detail"`
}

// OfMessage shapes a message.
func OfMessage(m dossier.Message) Message {
	r := Message{ID: m.ID, LeadID: m.LeadID, RunID: m.RunID, AgentID: m.AgentID, Direction: m.Direction,
		Channel: m.Channel, Status: m.Status,
		From: m.From, To: m.To, Subject: m.Subject, Body: m.Body, DocumentIDs: []dossier.DocumentID{},
		ScheduledAt: TimeOf(m.ScheduledAt), SentAt: TimeOf(m.SentAt), DeliveredAt: TimeOf(m.DeliveredAt),
		CreatedAt: Time(m.CreatedAt), UpdatedAt: Time(m.UpdatedAt), Authenticated: m.Authenticated}
	r.DocumentIDs = append(r.DocumentIDs, m.DocumentIDs...)
	if m.ErrorCode != nil {
		r.Error = &MessageError{Code: *m.ErrorCode, Detail: m.ErrorDetail}
	}
	return r
}
