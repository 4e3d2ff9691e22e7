package dossier

import "time"

// Outgoing is a message that may be handed to its provider now, with what the provider needs to know besides.
type Outgoing struct {
	Message
	Provider ChannelConfig
	Company  string
	Language Language
	Contact  MessageLinks

	// The thread of an email: the provider's ids of the lead's messages before, oldest first.
	Thread []string
	// WhatsApp: whether the lead wrote within the last 24 hours, and the values of the approved template.
	WindowOpen bool
	Template   []string
	// CalledAt is when the provider was called for this message before and the outcome was lost: it may have arrived.
	// Then a carrier only finds out and never sends.
	CalledAt *time.Time
}

// MessageLinks are addresses of ours that go along with a message; empty where no public address is configured.
type MessageLinks struct {
	Unsubscribe string // one click opts out (RFC 8058)
	Report      string // where the provider tells what became of the message
}

// Carried is what a provider made of a message.
type Carried struct {
	ProviderID string // its own id of the message
	From       string // the address it was sent from
	Refused    *Error // for good: the message FAILED with this code and message
	Unknown    bool   // it may or may not have arrived, and nobody can tell: reported, never repeated
}

// Report is what a provider tells later of a message that it took.
type Report struct {
	Channel    Channel
	MessageID  MessageID // ours, where the provider names it
	ProviderID string    // the provider's
	Status     MessageStatus
	Error      *Error // with MessageFailed
}

// WhatsAppWindow is how long after a lead's message free words may be sent to it; later only approved templates.
const WhatsAppWindow = 24 * time.Hour

// Codes of messages that failed because their address does not work, now and later.
var deadAddress = map[string]bool{"bounced": true, "invalid_recipient": true, "recipient_opted_out": true}

// DeadAddress reports whether a message that failed with this code says that its address does not work.
func DeadAddress(code string) bool { return deadAddress[code] }

// Settles reports whether a report changes a message in this state, and to which.
//
// A provider's word is believed from QUEUED (its answer got lost) and from a failure that only said that the outcome
// was unknown. DELIVERED is final; so is every other failure: reports come in any order.
func (r Report) Settles(m Message) (MessageStatus, bool) {
	lost := m.Status == MessageQueued || m.Status == MessageFailed && text(m.ErrorCode) == "outcome_unknown"
	switch r.Status {
	case MessageSent:
		return MessageSent, lost
	case MessageDelivered:
		return MessageDelivered, lost || m.Status == MessageSent
	case MessageFailed:
		return MessageFailed, lost || m.Status == MessageSent
	}
	return m.Status, false
}
