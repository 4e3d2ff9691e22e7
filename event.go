package dossier

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// EventType names what happened. Names are part of the public contract: they are added, never renamed.
type EventType string

// Event types (decisions.md section 6).
const (
	EventRunCreated   EventType = "workflow_run.created"
	EventRunPaused    EventType = "workflow_run.paused"
	EventRunResumed   EventType = "workflow_run.resumed"
	EventRunCompleted EventType = "workflow_run.completed"
	EventRunCancelled EventType = "workflow_run.cancelled"

	EventLeadCreated            EventType = "lead.created"
	EventLeadUpdated            EventType = "lead.updated"
	EventLeadCompleted          EventType = "lead.completed" // only through a run, and after its completion
	EventLeadOptedOut           EventType = "lead.opted_out"
	EventLeadNotInterested      EventType = "lead.not_interested"
	EventLeadReopened           EventType = "lead.reopened"
	EventLeadEscalated          EventType = "lead.escalated"
	EventLeadEscalationResolved EventType = "lead.escalation_resolved"
	EventLeadErased             EventType = "lead.erased" // the last one of a lead

	EventDocumentReceived  EventType = "document.received"
	EventDocumentExtracted EventType = "document.extracted"
	EventDocumentValidated EventType = "document.validated"
	EventDocumentCorrected EventType = "document.corrected"
	EventDocumentErased    EventType = "document.erased"

	EventItemCompleted EventType = "checklist_item.completed"
	EventItemInvalid   EventType = "checklist_item.invalid"

	EventMessageSent      EventType = "message.sent"
	EventMessageDelivered EventType = "message.delivered"
	EventMessageFailed    EventType = "message.failed"
	EventMessageReceived  EventType = "message.received"

	EventSpreadStarted   EventType = "spread.started"
	EventSpreadCompleted EventType = "spread.completed"
	EventSpreadFailed    EventType = "spread.failed"
	EventSpreadApproved  EventType = "spread.approved"

	EventReviewOpened  EventType = "review.opened"
	EventReviewDecided EventType = "review.decided"

	EventPipelineRunCompleted EventType = "pipeline_run.completed"
	EventPipelineRunFailed    EventType = "pipeline_run.failed"

	EventExportCompleted EventType = "export.completed"

	EventWebhookTest     EventType = "webhook.test"
	EventWebhookDisabled EventType = "webhook.disabled"
)

// EventTypes lists every event type, in the order of decisions.md section 6.
func EventTypes() []EventType {
	return []EventType{
		EventRunCreated, EventRunPaused, EventRunResumed, EventRunCompleted, EventRunCancelled,
		EventLeadCreated, EventLeadUpdated, EventLeadCompleted, EventLeadOptedOut, EventLeadNotInterested,
		EventLeadReopened, EventLeadEscalated, EventLeadEscalationResolved, EventLeadErased,
		EventDocumentReceived, EventDocumentExtracted, EventDocumentValidated, EventDocumentCorrected,
		EventDocumentErased,
		EventItemCompleted, EventItemInvalid,
		EventMessageSent, EventMessageDelivered, EventMessageFailed, EventMessageReceived,
		EventSpreadStarted, EventSpreadCompleted, EventSpreadFailed, EventSpreadApproved,
		EventReviewOpened, EventReviewDecided,
		EventPipelineRunCompleted, EventPipelineRunFailed,
		EventExportCompleted, EventWebhookTest, EventWebhookDisabled,
	}
}

// Known reports whether t is one of EventTypes.
func (t EventType) Known() bool {
	for _, known := range EventTypes() {
		if t == known {
			return true
		}
	}
	return false
}

// Event is something that happened in a workspace, stored in the commit of the change it tells of.
type Event struct {
	ID        EventID // also the webhook-id of every delivery of it
	Workspace WorkspaceID
	Type      EventType
	LeadID    LeadID    // "" when the event belongs to no lead
	IsTest    bool      // it concerns a test lead, or what a test key made
	Webhook   WebhookID // "" for most: see Wants
	CreatedAt time.Time // of the commit's transaction
	Body      []byte    // the exact bytes that are signed and sent; never re-encoded
}

// APIVersion is the version of the OpenAPI document, which every event names.
const APIVersion = "1.0.0"

// EventBody composes the bytes of an event: {"id","type","timestamp","workspaceId","livemode","apiVersion","data"}.
// live says that it concerns no test lead. data is one JSON value and is copied as it stands, so the same event always
// has the same bytes.
func EventBody(id EventID, ws WorkspaceID, t EventType, at time.Time, live bool, data []byte) []byte {
	head, tail := EventParts(id, ws, t, at, data)
	return append(strconv.AppendBool(head, live), tail...)
}

// EventParts is EventBody for a caller that does not know yet whether the event is live: what stands before that word,
// and what stands behind it.
func EventParts(id EventID, ws WorkspaceID, t EventType, at time.Time, data []byte) (head, tail []byte) {
	head = make([]byte, 0, len(data)+260)
	head = append(head, `{"id":`...)
	head = strconv.AppendQuote(head, string(id))
	head = append(head, `,"type":`...)
	head = strconv.AppendQuote(head, string(t))
	head = append(head, `,"timestamp":"`...)
	head = at.UTC().AppendFormat(head, "2006-01-02T15:04:05.000Z")
	head = append(head, `","workspaceId":`...)
	head = strconv.AppendQuote(head, string(ws))
	head = append(head, `,"livemode":`...)
	tail = make([]byte, 0, len(data)+40)
	tail = append(tail, `,"apiVersion":"`+APIVersion+`","data":`...)
	tail = append(tail, data...)
	return head, append(tail, '}')
}

// MaxEventBody is how many bytes an event has at most.
const MaxEventBody = 256 << 10

// ShortenEvent makes the data of an event fit into limit bytes. The largest members of its largest object, which is the
// resource, become null (document.extraction, pipelineRun.result), and the resource gets "resultOmitted": true. Whoever
// wants the rest reads the resource through the API.
func ShortenEvent(data []byte, limit int) ([]byte, error) {
	if len(data) <= limit {
		return data, nil
	}
	members, err := membersOf(data)
	if err != nil {
		return nil, err
	}
	resource := largest(members, func(value json.RawMessage) bool { return value[0] == '{' })
	if resource == nil {
		return data, nil
	}
	inner, err := membersOf(resource.value)
	if err != nil {
		return nil, err
	}
	over := len(data) + len(`,"resultOmitted":true`) - limit
	for over > 0 {
		member := largest(inner, func(value json.RawMessage) bool { return len(value) > len("null") })
		if member == nil {
			break
		}
		over -= len(member.value) - len("null")
		member.value = json.RawMessage("null")
	}
	resource.value = writeMembers(append(inner, member{"resultOmitted", json.RawMessage("true")}))
	return writeMembers(members), nil
}

// member is one name of an object with its value as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf reads an object's members in their order.
func membersOf(object []byte) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var list []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: name.(string)}
		if err := decoder.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// largest is the member with the longest value among those that may be taken, nil when there is none.
func largest(list []member, may func(json.RawMessage) bool) *member {
	var found *member
	for i := range list {
		if m := &list[i]; may(m.value) && (found == nil || len(m.value) > len(found.value)) {
			found = m
		}
	}
	return found
}

func writeMembers(list []member) json.RawMessage {
	object := []byte{'{'}
	for i, m := range list {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(strconv.AppendQuote(object, m.name), ':'), m.value...)
	}
	return append(object, '}')
}

// MaskAccounts leaves the last four of each account's number in the data of an event, as …6789: of every accountNumber,
// of the account of entries, of the words that their sources and the citations of reasons cite, and of what a reason
// says of them, as a value and in its sentence. Everything else stays as it was written.
func MaskAccounts(data []byte) ([]byte, error) {
	if !bytes.Contains(data, []byte("account")) || !accountMark.Match(data) { // nearly no event has the word
		return data, nil
	}
	m := accountMasker{}
	if bytes.Contains(data, []byte(`"citations":`)) {
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			return nil, err
		}
		m.find(tree)
	}
	return m.mask(data, accountPlace{})
}

// accountMark is what data has in which a number of an account can stand.
var accountMark = regexp.MustCompile(`"accountNumber":|"account":|/accountNumber"|/account"|account_number"`)

// accountMasker knows the numbers of accounts that reasons name: their sentences hold them too.
type accountMasker struct {
	numbers []string
}

// accountFacts are the facts that reasons name whose value is a number of an account.
var accountFacts = map[any]bool{"account_number": true, "full_account_number": true}

// find collects the numbers that reasons name.
func (m *accountMasker) find(value any) {
	switch v := value.(type) {
	case map[string]any:
		if text, ok := v["value"].(string); ok && accountFacts[v["fact"]] && text != "" {
			m.numbers = append(m.numbers, text)
		}
		for _, member := range v {
			m.find(member)
		}
	case []any:
		for _, element := range v {
			m.find(element)
		}
	}
}

// accountPlace is where a value stands, as far as it decides what numbers of accounts are.
type accountPlace struct {
	entry    bool // an element of entries
	number   bool // a number of an account
	cites    bool // the sources of facts
	source   bool // the source of a number of an account
	list     bool // the list of entries
	citation bool // a citation of a number of an account
	named    bool // the values of a reason about a number of an account
	said     bool // a sentence that may hold one
}

// accountPointer is a pointer to a number of an account, as sources are named by.
var accountPointer = regexp.MustCompile(`/(accountNumber|entries/\d+/account)$`)

// accountSentences are the members that hold sentences of reasons.
var accountSentences = map[string]bool{"isValidReason": true, "validationError": true, "reason": true}

func (p accountPlace) member(name string) accountPlace {
	switch {
	case p.cites:
		return accountPlace{source: accountPointer.MatchString(name)}
	case p.source, p.citation:
		return accountPlace{number: name == "text"}
	case p.named && name == "value":
		return accountPlace{number: true}
	}
	return accountPlace{number: name == "accountNumber" || p.entry && name == "account", cites: name == "sources",
		list: name == "entries", said: accountSentences[name]}
}

// in is the place of an object, told by its own members.
func (p accountPlace) in(members []member) accountPlace {
	for _, m := range members {
		var text string
		switch {
		case m.name != "pointer" && m.name != "fact", json.Unmarshal(m.value, &text) != nil:
		case m.name == "pointer":
			p.citation = accountPointer.MatchString(text)
		default:
			p.named = accountFacts[text]
		}
	}
	return p
}

func (m accountMasker) mask(value json.RawMessage, at accountPlace) (json.RawMessage, error) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return value, nil
	}
	switch value[0] {
	case '{':
		members, err := membersOf(value)
		if err != nil {
			return nil, err
		}
		at = at.in(members)
		for i, part := range members {
			if members[i].value, err = m.mask(part.value, at.member(part.name)); err != nil {
				return nil, err
			}
		}
		return writeMembers(members), nil
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(value, &elements); err != nil {
			return nil, err
		}
		for i, e := range elements {
			var err error
			if elements[i], err = m.mask(e, accountPlace{entry: at.list, number: at.number}); err != nil {
				return nil, err
			}
		}
		return append(append([]byte{'['}, bytes.Join(asBytes(elements), []byte{','})...), ']'), nil
	case '"':
		return m.text(value, at)
	}
	return value, nil
}

// text masks a text that is a number of an account, or a sentence with those that reasons name.
func (m accountMasker) text(value json.RawMessage, at accountPlace) (json.RawMessage, error) {
	if !at.number && (!at.said || len(m.numbers) == 0) {
		return value, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, err
	}
	if at.number {
		return json.Marshal(MaskAccount(text))
	}
	masked := text
	for _, number := range m.numbers {
		masked = strings.ReplaceAll(masked, number, MaskAccount(number))
	}
	if masked == text {
		return value, nil
	}
	return json.Marshal(masked)
}

func asBytes(elements []json.RawMessage) [][]byte {
	list := make([][]byte, len(elements))
	for i, e := range elements {
		list[i] = e
	}
	return list
}

// MaskAccount is a number of an account with only its last four: …6789. A name without digits stays as it is.
func MaskAccount(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	var last []rune
	for _, r := range text {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			last = append(last, r)
		}
	}
	return "…" + string(last[max(0, len(last)-4):])
}
