package dossier

import (
	"encoding/json"
	"strings"
	"time"
)

// ReportFormat is how analytics are answered.
type ReportFormat string

// Formats of analytics.
const (
	ReportJSON ReportFormat = "json"
	ReportCSV  ReportFormat = "csv"
)

// Valid reports whether f is a format.
func (f ReportFormat) Valid() bool { return f == ReportJSON || f == ReportCSV }

// ReportFilter says which leads analytics cover: those created from Start to End, both included; nil has no bound.
// A moment is compared as the API shows it, in milliseconds: a lead's own createdAt as Start or End keeps that lead.
type ReportFilter struct {
	Start *time.Time
	End   *time.Time
	Test  bool // of test leads, instead of all others
}

// MessageCounts counts messages that were received, or sent. Of sent ones the time is when they went out.
type MessageCounts struct {
	Inbound         int
	Outbound        int
	FirstInboundAt  *time.Time
	FirstOutboundAt *time.Time
	LastInboundAt   *time.Time
	LastOutboundAt  *time.Time
}

// Total is all of them.
func (m MessageCounts) Total() int { return m.Inbound + m.Outbound }

// Count adds n messages of one direction, the earliest at first and the latest at last.
func (m *MessageCounts) Count(direction MessageDirection, n int, first, last *time.Time) {
	if direction == MessageInbound {
		m.Inbound += n
		m.FirstInboundAt, m.LastInboundAt = earlier(m.FirstInboundAt, first), later(m.LastInboundAt, last)
		return
	}
	m.Outbound += n
	m.FirstOutboundAt, m.LastOutboundAt = earlier(m.FirstOutboundAt, first), later(m.LastOutboundAt, last)
}

func earlier(a, b *time.Time) *time.Time {
	if a == nil || (b != nil && b.Before(*a)) {
		return b
	}
	return a
}

func later(a, b *time.Time) *time.Time {
	if a == nil || (b != nil && b.After(*a)) {
		return b
	}
	return a
}

// ChannelCounts are counts by channel, in the order of Channels.
type ChannelCounts [3]MessageCounts

// Of returns the counts of a channel, nil for one that analytics do not know.
func (c *ChannelCounts) Of(channel Channel) *MessageCounts {
	for i, name := range Channels {
		if name == channel {
			return &c[i]
		}
	}
	return nil
}

// All sums up the channels.
func (c *ChannelCounts) All() MessageCounts {
	var all MessageCounts
	for _, one := range c {
		all.Count(MessageInbound, one.Inbound, one.FirstInboundAt, one.LastInboundAt)
		all.Count(MessageOutbound, one.Outbound, one.FirstOutboundAt, one.LastOutboundAt)
	}
	return all
}

// Completion counts visible required items, and those of them that are COMPLETED, also by the source of their value
// (resources.md section 8).
type Completion struct {
	Required  int
	Completed int
	Agent     int
	Imported  int
	Manual    int
	Portal    int
}

// Count adds n visible required items of one status and source.
func (c *Completion) Count(status ItemStatus, source ValueSource, n int) {
	c.Required += n
	if status != ItemCompleted {
		return
	}
	c.Completed += n
	switch source {
	case SourceAgent:
		c.Agent += n
	case SourceImported:
		c.Imported += n
	case SourceManual:
		c.Manual += n
	case SourcePortal:
		c.Portal += n
	}
}

// Interventions counts what people did where an agent or a rule would have decided.
type Interventions struct {
	DocumentOverrides int
	Escalations       int // created
	ManualUpdates     int
	MessageEdits      int
	MessageRejects    int
}

// Count adds n interventions of a kind, named as in api.md; others are not counted.
func (i *Interventions) Count(kind string, n int) {
	switch kind {
	case "documentOverrides":
		i.DocumentOverrides += n
	case "escalations":
		i.Escalations += n
	case "manualUpdates":
		i.ManualUpdates += n
	case "messageEdits":
		i.MessageEdits += n
	case "messageRejects":
		i.MessageRejects += n
	}
}

// ReportTotals sums up a whole result set. A lead that opted out after it was completed counts as both: each mark
// that stands is counted, as each shows in the lead's own report.
type ReportTotals struct {
	Count         int
	Completed     int
	NotInterested int
	OptedOut      int
	Channels      ChannelCounts // without times
	Completion    Completion
	Interventions Interventions
}

// LeadReport is what analytics say about one lead.
type LeadReport struct {
	LeadID          LeadID
	FirstName       *string
	LastName        *string
	Email           *string
	PhoneNumber     *string
	CreatedAt       time.Time
	CompletedAt     *time.Time
	NotInterestedAt *time.Time
	OptOutAt        *time.Time
	Channels        ChannelCounts
	Completion      Completion
	Interventions   Interventions
	Items           []ReportItem // in checklist order
}

// ReportItem is one item of a lead's checklist.
type ReportItem struct {
	Code      string // GROUP_KEY.ITEM_CODE; ITEM_CODE outside groups
	Required  bool   // and visible to this lead
	Status    ItemStatus
	Value     json.RawMessage // nil: unfilled. Of an SSN the masked form
	UpdatedAt time.Time
	Source    ValueSource // "": untouched
}

// SetItems sets the lead's items and counts them.
func (r *LeadReport) SetItems(items []ReportItem) {
	r.Items, r.Completion = items, Completion{}
	for _, item := range items {
		if item.Required {
			r.Completion.Count(item.Status, item.Source, 1)
		}
	}
}

// ReportCode is an item's name in analytics. It is in upper case as its group is (api.md, Analytics); groupKey is
// empty for what stands outside groups.
func ReportCode(groupKey, code string) string {
	if groupKey != "" {
		code = groupKey + "." + code
	}
	return strings.ReplaceAll(strings.ToUpper(code), " ", "_")
}

// Export is a CSV file of reports in object storage, made by a pipeline run.
type Export struct {
	RunID      PipelineRunID
	Filter     ReportFilter
	ObjectKey  string
	Rows       int64 // without the header
	CreatedAt  time.Time
	FinishedAt *time.Time // when it was published
}
