package dossier

import (
	"strings"
	"time"
)

// Message is one message between an agent and a lead (resources.md section 4).
type Message struct {
	ID          MessageID
	LeadID      *LeadID // nil: from a sender nobody knows
	RunID       *RunID
	AgentID     *AgentID
	Direction   MessageDirection
	Channel     string // email, sms, whatsapp
	Status      MessageStatus
	From        *string
	To          *string
	Subject     *string
	Body        string
	ErrorCode   *string
	ErrorDetail *string
	DocumentIDs []DocumentID
	ScheduledAt *time.Time
	SentAt      *time.Time
	DeliveredAt *time.Time

	Authenticated *bool // whether the gateway vouches for the sender; nil for outbound
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// MessageDirection says who wrote it.
type MessageDirection string

// Directions.
const (
	MessageInbound  MessageDirection = "INBOUND"
	MessageOutbound MessageDirection = "OUTBOUND"
)

// MessageStatus is how far a message is.
type MessageStatus string

// States of a message.
const (
	MessageDraft     MessageStatus = "DRAFT" // waits for a person's approval
	MessageQueued    MessageStatus = "QUEUED"
	MessageSent      MessageStatus = "SENT"
	MessageDelivered MessageStatus = "DELIVERED"
	MessageFailed    MessageStatus = "FAILED"
	MessageCancelled MessageStatus = "CANCELLED"
	MessageRejected  MessageStatus = "REJECTED"
	MessageReceived  MessageStatus = "RECEIVED"
)

// MessagePurpose says which rules of outreach a message is under.
type MessagePurpose string

// Purposes.
const (
	PurposeOutreach     MessagePurpose = "outreach"     // an agent asks or reminds
	PurposeReply        MessagePurpose = "reply"        // answers the lead: also while its run is paused
	PurposeConfirmation MessagePurpose = "confirmation" // of an opt-out or opt-in: the one message a lead that opted out gets
)

// Approve lets a draft go out. Error: Conflict (message_not_draft).
func (m *Message) Approve(now time.Time) error {
	if err := m.wantDraft("approved"); err != nil {
		return err
	}
	m.Status, m.ScheduledAt, m.UpdatedAt = MessageQueued, &now, now
	return nil
}

// Edit changes the words of a draft, which stays one. subject nil leaves the subject as it is.
// Errors: Conflict (message_not_draft), Invalid.
func (m *Message) Edit(body string, subject *string, now time.Time) error {
	if err := m.wantDraft("edited"); err != nil {
		return err
	}
	var f faults
	if strings.TrimSpace(body) == "" {
		f.add("/body", "required", "body is required")
	}
	f.length("/body", body, MaxText)
	f.length("/subject", text(subject), MaxString)
	if len(f) > 0 {
		return InvalidFaults(f)
	}
	m.Body, m.UpdatedAt = body, now
	if subject != nil {
		m.Subject = subject
	}
	return nil
}

// Reject puts a draft away. Error: Conflict (message_not_draft).
func (m *Message) Reject(now time.Time) error {
	if err := m.wantDraft("rejected"); err != nil {
		return err
	}
	m.Status, m.UpdatedAt = MessageRejected, now
	return nil
}

func (m *Message) wantDraft(verb string) error {
	if m.Status == MessageDraft {
		return nil
	}
	return Coded(Conflict, "message_not_draft", "Only a DRAFT can be %s; this message is %s", verb, m.Status)
}
