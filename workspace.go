package dossier

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Workspace is a tenant: a lender or broker with its leads.
type Workspace struct {
	ID        WorkspaceID
	CreatedAt time.Time
	UpdatedAt time.Time
	WorkspaceSettings
}

// WorkspaceSettings is what a workspace is apart from its template, agents and workflows.
type WorkspaceSettings struct {
	Key           string // the identity in the workspace file
	Name          string
	DefaultRegion string   // ISO 3166 alpha-2, for phone numbers without a country
	Timezone      string   // IANA, for leads without one
	Language      Language // of messages to leads that show no other
	QuietHours    QuietHours
	Portal        PortalSettings
	Channels      map[Channel]ChannelConfig
	Pipelines     []PipelineChain
	Limits        Limits // what is 0 has its default
	Spreads       SpreadSettings
	Retention     Retention
	Reading       ReadingSettings
	Review        ReviewSettings
}

// SpreadSettings are what spreads take that do not say otherwise.
type SpreadSettings struct {
	Currency       string // ISO 4217; empty: DefaultSpreadCurrency
	LivingExpenses int64  // a year and household, in whole units of the currency; 0: not said
}

// QuietHours are the hours of a lead's day in which nothing is sent, as HH:MM. From equal to To: none.
type QuietHours struct{ From, To string }

// PortalSettings shape the page of a lead.
type PortalSettings struct {
	LinkDays int    // days a link lives
	Name     string // shown to the lead
	Color    string // #rrggbb
}

// Channel is a way to talk to a lead.
type Channel string

// Channels.
const (
	ChannelEmail    Channel = "email"
	ChannelSMS      Channel = "sms"
	ChannelWhatsApp Channel = "whatsapp"
)

// Channels lists the channels in the order of api.md.
var Channels = []Channel{ChannelSMS, ChannelEmail, ChannelWhatsApp}

// ChannelConfig says who carries a channel's messages. Secrets are named, never written: PasswordEnv and
// AuthTokenEnv are names of environment variables.
type ChannelConfig struct {
	Provider     string // log, smtp, twilio
	Host         string
	Port         int
	Username     string
	PasswordEnv  string
	AccountSID   string
	AuthTokenEnv string
	From         string
	URL          string // of the provider's API, where it is not its usual one: a region
	TemplateSID  string // the approved template for WhatsApp messages outside the 24-hour window
	TemplateText string // its words, with {{firstName}} and the like where the template has {{1}}, {{2}}...
}

// Language is one in which agents write.
type Language string

// Languages of messages.
const (
	English Language = "en"
	Spanish Language = "es"
)

// Valid reports whether agents write in this language.
func (l Language) Valid() bool { return l == English || l == Spanish }

// PipelineChain is a pipeline made of built-in ones; each step's result is the next one's input.
type PipelineChain struct {
	ID    string
	Steps []string
}

// WorkspaceConfig is a workspace file: everything that the HTTP API does not configure (workspace.example.yaml).
type WorkspaceConfig struct {
	WorkspaceSettings
	Groups    []TemplateGroup
	Items     []TemplateItem // outside groups
	Agents    []AgentConfig
	Workflows []WorkflowConfig
	People    PeopleSettings
}

// TemplateGroup is a group of the checklist template.
type TemplateGroup struct {
	Key        string // upper-cased with _ for spaces it is the group's code
	Name       string
	Conditions json.RawMessage
	Items      []TemplateItem
}

// TemplateItem is an item of the checklist template.
type TemplateItem struct {
	Code               string
	Label              string
	FieldType          FieldType
	IsRequired         bool
	Config             json.RawMessage
	Conditions         json.RawMessage
	ValidationRules    []string
	HelpText           string
	ClientInstructions string
	AgentInstructions  string
}

// AgentMode says whether an agent sends by itself (AUTOPILOT) or drafts for a person (LISTEN).
type AgentMode string

// Modes of agents.
const (
	AgentAutopilot AgentMode = "AUTOPILOT"
	AgentListen    AgentMode = "LISTEN"
)

// AgentConfig is an agent of the workspace file.
type AgentConfig struct {
	Key          string
	Name         string
	Mode         AgentMode
	Channels     []Channel // tried in this order
	Instructions string
}

// WorkflowType is what a workflow is for (api.md, Workflow).
type WorkflowType string

// Types of workflows.
const (
	WorkflowChecklist WorkflowType = "CHECKLIST"
	WorkflowReminder  WorkflowType = "REMINDER"
	WorkflowSupport   WorkflowType = "SUPPORT"
)

// WorkflowConfig is a workflow of the workspace file.
type WorkflowConfig struct {
	Key              string
	Name             string
	Type             WorkflowType
	ManualCompletion bool
	CompletesLead    bool
	FollowUps        *FollowUps
	Schedule         *ReminderSchedule // nil: a REMINDER cannot be started
	Message          string            // template with {{firstName}}, {{portalLink}} and other fields of the lead
}

// FollowUps say when an agent asks again.
type FollowUps struct {
	Every time.Duration
	Max   int
}

// ReminderSchedule says when a reminder is due, in the lead's zone.
type ReminderSchedule struct {
	Every    time.Duration // from one to the next; 0: at each of At on Weekdays
	At       []string      // HH:MM
	Weekdays []string      // MON to SUN; empty: every day
	Max      int           // 0: no cap
	StopWhen []string      // checklist_complete, reply, lead_completed
}

// Limits is how many of each thing a workspace may have, so that none of them harms the others.
type Limits struct {
	Webhooks         int   // live registrations
	APIKeys          int   // that are neither revoked nor expired
	ChecklistItems   int   // of a lead, the template's included
	Documents        int   // of a lead
	DocumentBytes    int64 // of a lead
	InboundPerMinute int   // messages that providers hand over
}

// DefaultLimits hold where the workspace file names none.
var DefaultLimits = Limits{Webhooks: 50, APIKeys: 100, ChecklistItems: 500, Documents: 200, DocumentBytes: 2 << 30,
	InboundPerMinute: 120}

// OrDefault has the default wherever l has no number.
func (l Limits) OrDefault() Limits {
	fill := func(n *int, or int) {
		if *n == 0 {
			*n = or
		}
	}
	fill(&l.Webhooks, DefaultLimits.Webhooks)
	fill(&l.APIKeys, DefaultLimits.APIKeys)
	fill(&l.ChecklistItems, DefaultLimits.ChecklistItems)
	fill(&l.Documents, DefaultLimits.Documents)
	fill(&l.InboundPerMinute, DefaultLimits.InboundPerMinute)
	if l.DocumentBytes == 0 {
		l.DocumentBytes = DefaultLimits.DocumentBytes
	}
	return l
}

// LimitReached refuses what would be one too many. name is the limit's key in the workspace file.
func LimitReached(name, limit string) *Error {
	return Coded(Conflict, "limit_reached",
		"This would be more than the workspace's limit %s: %s; remove some, or raise the limit in the workspace file",
		name, limit)
}

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// ParseSize reads a number of bytes: 2GiB, 500MiB, 64KiB or 1048576.
func ParseSize(text string) (int64, error) {
	factor, digits := int64(1), strings.TrimSpace(text)
	for _, unit := range sizeUnits {
		if rest, ok := strings.CutSuffix(digits, unit.name); ok {
			factor, digits = unit.bytes, strings.TrimSpace(rest)
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > (1<<60)/factor {
		return 0, fmt.Errorf("%q is no size; write 2GiB, 500MiB, 64KiB or a number of bytes", text)
	}
	return n * factor, nil
}

// FormatSize writes a size in the largest unit that leaves it whole.
func FormatSize(bytes int64) string {
	for _, unit := range sizeUnits {
		if bytes >= unit.bytes && bytes%unit.bytes == 0 {
			return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(bytes, 10)
}

// ReadingMode says what a language model may do beside the rules (second-reader.md).
type ReadingMode string

// Modes of the second reader.
const (
	ReadingOff   ReadingMode = "off"
	ReadingFill  ReadingMode = "fill"  // it is asked for what the rules left open
	ReadingCheck ReadingMode = "check" // and again for what verdicts and spreads rest on
)

// Valid reports whether m is a mode; an empty one is off.
func (m ReadingMode) Valid() bool {
	return m == "" || m == ReadingOff || m == ReadingFill || m == ReadingCheck
}

// On reports whether a model is asked at all.
func (m ReadingMode) On() bool { return m == ReadingFill || m == ReadingCheck }

// ReadingSettings are a workspace's for the second reader. What is empty has its default.
type ReadingSettings struct {
	Model             ReadingMode
	Images            bool // pages that are pictures are shown as such, blacked out where numbers of people stand
	TokensPerDocument int
	TokensPerDay      int
}

// Defaults of ReadingSettings.
const (
	DefaultTokensPerDocument = 20_000
	DefaultTokensPerDay      = 2_000_000
)

// OrDefault has the default wherever r names none.
func (r ReadingSettings) OrDefault() ReadingSettings {
	if r.Model == "" {
		r.Model = ReadingOff
	}
	if r.TokensPerDocument == 0 {
		r.TokensPerDocument = DefaultTokensPerDocument
	}
	if r.TokensPerDay == 0 {
		r.TokensPerDay = DefaultTokensPerDay
	}
	return r
}

func (r ReadingSettings) check(f *configFaults) {
	f.require(r.Model.Valid(), "/reading/model", "invalid", "reading.model must be off, fill or check")
	f.require(r.TokensPerDocument >= 0, "/reading/tokensPerDocument", "invalid",
		"reading.tokensPerDocument must be positive")
	f.require(r.TokensPerDay >= 0, "/reading/tokensPerDay", "invalid", "reading.tokensPerDay must be positive")
}
