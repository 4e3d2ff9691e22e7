package dossier

import (
	"path"
	"regexp"
	"slices"
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
	PurposeOutreach MessagePurpose = "outreach" // an agent asks or reminds
	PurposeReply    MessagePurpose = "reply"    // answers the lead: also while its run is paused
	// of an opt-out or opt-in: the one message a lead that opted out gets
	PurposeConfirmation MessagePurpose = "confirmation"
)

// Approve lets a draft go out. Error: Conflict (message_not_draft).
func (m *Message) Approve(now time.Time) error {
	if err := m.requireDraft("approved"); err != nil {
		return err
	}
	m.Status, m.ScheduledAt, m.UpdatedAt = MessageQueued, &now, now
	return nil
}

// Edit changes the words of a draft, which stays one. subject nil leaves the subject as it is.
// Errors: Conflict (message_not_draft), Invalid.
func (m *Message) Edit(body string, subject *string, now time.Time) error {
	if err := m.requireDraft("edited"); err != nil {
		return err
	}
	var f faults
	if strings.TrimSpace(body) == "" {
		f.add("/body", "required", "body is required")
	}
	f.length("/body", body, MaxText)
	f.length("/subject", Text(subject), MaxString)
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
	if err := m.requireDraft("rejected"); err != nil {
		return err
	}
	m.Status, m.UpdatedAt = MessageRejected, now
	return nil
}

func (m *Message) requireDraft(verb string) error {
	if m.Status == MessageDraft {
		return nil
	}
	return Coded(Conflict, "message_not_draft", "Only a DRAFT can be %s; this message is %s", verb, m.Status)
}

var quotedHead = regexp.MustCompile(`(?im)^\s*(on .{5,200} wrote:|-----\s*original message\s*-----|from: .+@.+)\s*$`)

// QuestionText is what somebody wrote, without the earlier messages that mail programs append.
func QuestionText(body string) string {
	if cut := quotedHead.FindStringIndex(body); cut != nil {
		body = body[:cut[0]]
	}
	var kept []string
	for line := range strings.SplitSeq(body, "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), ">") {
			kept = append(kept, strings.TrimRight(line, "\r"))
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// InboundRules are what the store asks about a lead's message while it holds the lead; pipelines/outreach has them.
type InboundRules struct {
	Values  func(c *Checklist, words, region string) []ItemUpdate                         // that the message gives
	Confirm func(language Language, company string, optedOut bool) (subject, body string) // of a choice about messages
}

var (
	optOutWords = []string{"STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "ALTO", "PARAR", "BAJA",
		"CANCELAR"}
	optInWords = []string{"START", "YES", "UNSTOP"}
	loneWord   = regexp.MustCompile(`^[\s\W]*(\w+)[\s\W]*$`)
)

// Consent is what a message says about consent: one of the words alone opts out or in (decisions.md section 4). Spanish
// words for stopping hold too: whoever says so plainly must not be written to again.
func Consent(body string) (optOut, optIn bool) {
	found := loneWord.FindStringSubmatch(QuestionText(body))
	if found == nil {
		return false, false
	}
	word := strings.ToUpper(found[1])
	for _, known := range optOutWords {
		optOut = optOut || word == known
	}
	for _, known := range optInWords {
		optIn = optIn || word == known
	}
	return optOut, optIn
}

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

// SendResult is what a provider made of a message.
type SendResult struct {
	ProviderID string // its own id of the message
	From       string // the address it was sent from
	Refused    *Error // for good: the message FAILED with this code and message
	Unknown    bool   // it may or may not have arrived, and nobody can tell: reported, never repeated
}

// DeliveryReceipt is what a provider tells later of a message that it took.
type DeliveryReceipt struct {
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

// Settles reports whether a receipt changes the state of a message, and to which.
//
// A provider's word is believed from QUEUED (its answer got lost) and from a failure that only said that the outcome
// was unknown. DELIVERED is final; so is every other failure: reports come in any order.
func (r DeliveryReceipt) Settles(m Message) (MessageStatus, bool) {
	lost := m.Status == MessageQueued || m.Status == MessageFailed && Text(m.ErrorCode) == "outcome_unknown"
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

// RefusedFile is a file of a message that cannot be used, as the lead is told.
type RefusedFile struct {
	Name string        `json:"name"`
	Why  RefusalOfFile `json:"why"`
}

// RefusalOfFile is why a file of a message cannot be used.
type RefusalOfFile string

// Reasons.
const (
	RefusedType  RefusalOfFile = "type"  // kept as a document that nobody can read
	RefusedSize  RefusalOfFile = "size"  // not kept
	RefusedLimit RefusalOfFile = "limit" // not kept: the lead has as many documents as the workspace lets it have
)

// MaxMailFile is how large a file of an email may be, in bytes: as mail servers have it.
const MaxMailFile = 25 << 20

var (
	readTypes = []string{"application/pdf", "application/json", "application/xml", "application/rtf",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"application/vnd.ms-excel", "application/msword",
		"application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.text",
		"application/x-ofx", "application/ofx", "application/vnd.intu.qfx", "application/vnd.intu.qbo",
		"application/qif"}
	readPictures = []string{"image/png", "image/jpeg", "image/jpg", "image/pjpeg", "image/gif", "image/tiff",
		"image/webp", "image/bmp",
		"image/heic", "image/heif", "image/avif"}
	readExtensions = []string{".pdf", ".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".webp", ".bmp", ".heic",
		".heif", ".avif",
		".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".rtf", ".csv", ".txt",
		".ofx", ".qfx", ".qbo", ".qif", ".sta", ".mt940", ".940", ".bai", ".bai2", ".xml"}
)

// ReadableFile says by name and type whether a file is of a kind that is read at all. What is in it is another
// question.
func ReadableFile(name, mimeType string) bool {
	kind := strings.ToLower(mimeType)
	return slices.Contains(readTypes, kind) || slices.Contains(readPictures, kind) ||
		strings.HasPrefix(kind, "text/") ||
		slices.Contains(readExtensions, strings.ToLower(path.Ext(name)))
}

// How large a picture is at most that belongs to a signature: a tracking pixel or an icon by its size alone, a logo by
// its name too. A photograph of a document is larger.
const (
	maxIcon = 4 << 10
	maxLogo = 40 << 10
)

var (
	attendants = []string{"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
		"application/pgp-keys",
		"text/vcard", "text/x-vcard", "text/directory", "text/calendar", "application/ics", "application/smil"}
	logoName = regexp.MustCompile(`(?i)^(?:image\d*|att\d+|outlook|logo|sig|signature|firma|icon|footer|banner` +
		`|facebook|linkedin|twitter|instagram|youtube|whatsapp)(?:[-_ ().].*)?\.(?:png|gif|jpe?g|bmp)$`)
)

// Decoration says whether a file of a message is no document but part of how it looks or travels: a picture of a
// signature, a calling card, an invitation, a cryptographic signature.
func Decoration(name, mimeType string, size int64) bool {
	kind := strings.ToLower(mimeType)
	if slices.Contains(attendants, kind) {
		return true
	}
	return strings.HasPrefix(kind, "image/") && (size <= maxIcon || size <= maxLogo && logoName.MatchString(name))
}
