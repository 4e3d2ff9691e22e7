// Package workspacefile reads and writes the workspace file (workspace.example.yaml): everything about a workspace that
// the HTTP API does not configure. What is right is decided by dossier.WorkspaceConfig; here is only the spelling.
package workspacefile

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Example is the demo workspace: a file that shows every part of the format.
//
//go:embed example.yaml
var Example []byte

type file struct {
	Version       int                `yaml:"version"`
	Workspace     string             `yaml:"workspace"`
	Name          string             `yaml:"name"`
	DefaultRegion string             `yaml:"defaultRegion,omitempty"`
	Timezone      string             `yaml:"timezone,omitempty"`
	Language      string             `yaml:"language,omitempty"`
	QuietHours    *quietHours        `yaml:"quietHours,omitempty,flow"`
	Portal        *portal            `yaml:"portal,omitempty,flow"`
	Limits        *limits            `yaml:"limits,omitempty"`
	Spreads       *spreads           `yaml:"spreads,omitempty,flow"`
	Retention     *retention         `yaml:"retention,omitempty"`
	People        *people            `yaml:"people,omitempty"`
	Reading       *reading           `yaml:"reading,omitempty,flow"`
	Review        *review            `yaml:"review,omitempty"`
	Checklist     checklist          `yaml:"checklist,omitempty"`
	Channels      map[string]channel `yaml:"channels,omitempty"`
	Agents        []agent            `yaml:"agents,omitempty"`
	Workflows     []workflow         `yaml:"workflows,omitempty"`
	Pipelines     []pipeline         `yaml:"pipelines,omitempty"`
}

type quietHours struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

type portal struct {
	LinkDays int    `yaml:"linkDays,omitempty"`
	Name     string `yaml:"name,omitempty"`
	Color    string `yaml:"color,omitempty"`
}

// people are dossier.PeopleSettings: roles by group and by address.
type people struct {
	Groups map[string]string `yaml:"groups,omitempty"`
	Emails map[string]string `yaml:"emails,omitempty"`
}

// settings are the roles as the file gives them, addresses in lower case.
func (p people) settings() dossier.PeopleSettings {
	var set dossier.PeopleSettings
	for name, role := range p.Groups {
		put(&set.Groups, name, dossier.Role(role))
	}
	for email, role := range p.Emails {
		folded, _ := dossier.FoldEmail(email)
		put(&set.Emails, folded, dossier.HighestRole(set.Emails[folded], dossier.Role(role)))
		if !dossier.Role(role).Valid() {
			set.Emails[folded] = dossier.Role(role) // to be refused
		}
	}
	return set
}

func put[V any](into *map[string]V, name string, value V) {
	if *into == nil {
		*into = map[string]V{}
	}
	(*into)[name] = value
}

func peopleOf(p dossier.PeopleSettings) *people {
	if len(p.Groups)+len(p.Emails) == 0 {
		return nil
	}
	var written people
	for name, role := range p.Groups {
		put(&written.Groups, name, string(role))
	}
	for email, role := range p.Emails {
		put(&written.Emails, email, string(role))
	}
	return &written
}

// spreads are dossier.SpreadSettings.
type spreads struct {
	Currency       string `yaml:"currency,omitempty"`
	LivingExpenses int64  `yaml:"livingExpenses,omitempty"`
}

type checklist struct {
	Groups []group `yaml:"groups,omitempty"`
	Items  []item  `yaml:"items,omitempty"`
}

type group struct {
	Key        string `yaml:"key"`
	Name       string `yaml:"name"`
	Conditions any    `yaml:"conditions,omitempty"`
	Items      []item `yaml:"items,omitempty"`
}

type item struct {
	Code               string   `yaml:"code"`
	Label              string   `yaml:"label"`
	FieldType          string   `yaml:"fieldType"`
	IsRequired         *bool    `yaml:"isRequired,omitempty"`
	Config             any      `yaml:"config,omitempty,flow"`
	Conditions         any      `yaml:"conditions,omitempty"`
	ValidationRules    []string `yaml:"validationRules,omitempty"`
	HelpText           string   `yaml:"helpText,omitempty"`
	ClientInstructions string   `yaml:"clientInstructions,omitempty"`
	AgentInstructions  string   `yaml:"agentInstructions,omitempty"`
}

type channel struct {
	Provider     string `yaml:"provider"`
	Host         string `yaml:"host,omitempty"`
	Port         int    `yaml:"port,omitempty"`
	Username     string `yaml:"username,omitempty"`
	PasswordEnv  string `yaml:"passwordEnv,omitempty"`
	AccountSID   string `yaml:"accountSid,omitempty"`
	AuthTokenEnv string `yaml:"authTokenEnv,omitempty"`
	From         string `yaml:"from,omitempty"`
	URL          string `yaml:"url,omitempty"`
	TemplateSID  string `yaml:"templateSid,omitempty"`
	TemplateText string `yaml:"templateText,omitempty"`
}

type agent struct {
	Key          string   `yaml:"key"`
	Name         string   `yaml:"name"`
	Mode         string   `yaml:"mode"`
	Channels     []string `yaml:"channels,flow"`
	Instructions string   `yaml:"instructions,omitempty"`
}

type workflow struct {
	Key              string     `yaml:"key"`
	Name             string     `yaml:"name"`
	Type             string     `yaml:"type"`
	ManualCompletion *bool      `yaml:"manualCompletion,omitempty"`
	CompletesLead    bool       `yaml:"completesLead,omitempty"`
	FollowUps        *followUps `yaml:"followUps,omitempty,flow"`
	Schedule         *schedule  `yaml:"schedule,omitempty,flow"`
	Message          string     `yaml:"message,omitempty"`
}

type followUps struct {
	Every time.Duration `yaml:"every"`
	Max   int           `yaml:"max,omitempty"`
}

type schedule struct {
	Every    time.Duration `yaml:"every,omitempty"`
	At       clockTimes    `yaml:"at,omitempty,flow"`
	Weekdays []string      `yaml:"weekdays,omitempty,flow"`
	Max      int           `yaml:"max,omitempty"`
	StopWhen []string      `yaml:"stopWhen,omitempty,flow"`
}

// clockTimes is one time or a list of them.
type clockTimes []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (c *clockTimes) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*c = clockTimes{node.Value}
		return nil
	}
	return node.Decode((*[]string)(c))
}

type pipeline struct {
	ID    string   `yaml:"id"`
	Steps []string `yaml:"steps,flow"`
}

// Load reads and checks the file at path. Every error of the file is told with path:line.
func Load(path string) (dossier.WorkspaceConfig, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return dossier.WorkspaceConfig{}, err
	}
	return Parse(path, data)
}

// Parse is Load for bytes; name stands for the file in errors.
func Parse(name string, data []byte) (dossier.WorkspaceConfig, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return dossier.WorkspaceConfig{}, located(name, err)
	}
	var f file
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&f); err != nil {
		return dossier.WorkspaceConfig{}, located(name, err)
	}
	if f.Version != 1 {
		return dossier.WorkspaceConfig{}, fmt.Errorf("%s:%d: version must be 1", name, lineOf(&root, "/version"))
	}
	config, err := f.config()
	if err != nil {
		return dossier.WorkspaceConfig{}, fmt.Errorf("%s: %w", name, err)
	}
	var lines []string
	for _, fault := range config.Check(builtin()) {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", name, lineOf(&root, fault.Pointer), fault.Detail))
	}
	if len(lines) > 0 {
		return dossier.WorkspaceConfig{}, errors.New(strings.Join(lines, "\n"))
	}
	return config, nil
}

func builtin() []string {
	ids := make([]string, len(jobs.Pipelines))
	for i, p := range jobs.Pipelines {
		ids[i] = p.ID
	}
	return ids
}

var lineNumber = regexp.MustCompile(`(?m)^.*?line (\d+)(?:, column \d+)?: `)

// located turns the library's "line 5: ..." into file:5: ....
func located(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if !lineNumber.MatchString(text) {
		return fmt.Errorf("%s: %s", name, text)
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := lineNumber.FindStringSubmatch(line); m != nil {
			lines = append(lines, name+":"+m[1]+": "+strings.TrimPrefix(line, m[0]))
		}
	}
	return errors.New(strings.Join(lines, "\n"))
}

// lineOf finds the line of a JSON pointer; a part that is not there is reported where it is missing.
func lineOf(node *yaml.Node, pointer string) int {
	if node.Kind == yaml.DocumentNode && len(node.Content) > 0 {
		node = node.Content[0]
	}
	line := node.Line
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		next := child(node, part)
		if next == nil {
			return line
		}
		node, line = next, next.Line
	}
	return line
}

func child(node *yaml.Node, name string) *yaml.Node {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				return node.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i < len(node.Content) {
			return node.Content[i]
		}
	}
	return nil
}

func (f file) config() (dossier.WorkspaceConfig, error) {
	c := dossier.WorkspaceConfig{WorkspaceSettings: f.settings()}
	if f.People != nil {
		c.People = f.People.settings()
	}
	for _, g := range f.Checklist.Groups {
		conditions, err := asJSON(g.Conditions)
		if err != nil {
			return c, fmt.Errorf("conditions of group %s: %w", g.Key, err)
		}
		items, err := templateItems(g.Items)
		if err != nil {
			return c, err
		}
		c.Groups = append(c.Groups, dossier.TemplateGroup{Key: g.Key, Name: g.Name, Conditions: conditions,
			Items: items})
	}
	var err error
	if c.Items, err = templateItems(f.Checklist.Items); err != nil {
		return c, err
	}
	for _, a := range f.Agents {
		c.Agents = append(c.Agents, dossier.AgentConfig{Key: a.Key, Name: a.Name, Mode: dossier.AgentMode(a.Mode),
			Channels: asChannels(a.Channels), Instructions: a.Instructions})
	}
	for _, w := range f.Workflows {
		c.Workflows = append(c.Workflows, w.config())
	}
	return c, nil
}

func (f file) settings() dossier.WorkspaceSettings {
	s := dossier.WorkspaceSettings{Key: f.Workspace, Name: f.Name, DefaultRegion: orElse(f.DefaultRegion, "US"),
		Timezone:   orElse(f.Timezone, "UTC"),
		Language:   dossier.Language(orElse(f.Language, "en")),
		QuietHours: dossier.QuietHours{From: "21:00", To: "08:00"},
		Portal:     dossier.PortalSettings{LinkDays: 90, Name: f.Name, Color: "#0b5fff"},
		Channels:   map[dossier.Channel]dossier.ChannelConfig{}}
	if f.QuietHours != nil {
		s.QuietHours = dossier.QuietHours(*f.QuietHours)
	}
	if p := f.Portal; p != nil {
		s.Portal = dossier.PortalSettings{LinkDays: p.LinkDays, Name: orElse(p.Name, f.Name),
			Color: orElse(p.Color, "#0b5fff")}
		if p.LinkDays == 0 {
			s.Portal.LinkDays = 90
		}
	}
	if f.Limits != nil {
		s.Limits = f.Limits.settings()
	}
	if f.Spreads != nil {
		s.Spreads = dossier.SpreadSettings(*f.Spreads)
	}
	if f.Reading != nil {
		s.Reading = f.Reading.settings()
	}
	if f.Retention != nil {
		s.Retention = f.Retention.settings()
	}
	if f.Review != nil {
		s.Review = f.Review.settings()
	}
	for name, c := range f.Channels {
		s.Channels[dossier.Channel(name)] = dossier.ChannelConfig(c)
	}
	for _, p := range f.Pipelines {
		s.Pipelines = append(s.Pipelines, dossier.PipelineChain(p))
	}
	return s
}

func (w workflow) config() dossier.WorkflowConfig {
	c := dossier.WorkflowConfig{Key: w.Key, Name: w.Name, Type: dossier.WorkflowType(w.Type),
		ManualCompletion: w.ManualCompletion == nil || *w.ManualCompletion,
		CompletesLead:    w.CompletesLead, Message: w.Message}
	if w.FollowUps != nil {
		c.FollowUps = &dossier.FollowUps{Every: w.FollowUps.Every, Max: w.FollowUps.Max}
	}
	if s := w.Schedule; s != nil {
		c.Schedule = &dossier.ReminderSchedule{Every: s.Every, At: s.At, Weekdays: s.Weekdays, Max: s.Max,
			StopWhen: s.StopWhen}
	}
	return c
}

func templateItems(items []item) ([]dossier.TemplateItem, error) {
	var list []dossier.TemplateItem
	for _, i := range items {
		config, err := asJSON(i.Config)
		if err != nil {
			return nil, fmt.Errorf("config of %s: %w", i.Code, err)
		}
		conditions, err := asJSON(i.Conditions)
		if err != nil {
			return nil, fmt.Errorf("conditions of %s: %w", i.Code, err)
		}
		list = append(list, dossier.TemplateItem{Code: i.Code, Label: i.Label,
			FieldType: dossier.FieldType(i.FieldType), IsRequired: i.IsRequired == nil || *i.IsRequired,
			Config: config, Conditions: conditions, ValidationRules: i.ValidationRules, HelpText: i.HelpText,
			ClientInstructions: i.ClientInstructions, AgentInstructions: i.AgentInstructions})
	}
	return list, nil
}

func asJSON(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	return json.Marshal(v)
}

func asChannels(names []string) []dossier.Channel {
	var list []dossier.Channel
	for _, name := range names {
		list = append(list, dossier.Channel(name))
	}
	return list
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
