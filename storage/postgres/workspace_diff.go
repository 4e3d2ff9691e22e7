package postgres

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
)

// The parts of a workspace file by the names they have in it, for telling what changed.

func settingsMap(c dossier.WorkspaceConfig) map[string]any {
	m := map[string]any{"name": c.Name, "defaultRegion": c.DefaultRegion, "timezone": c.Timezone,
		"language":        string(c.Language),
		"quietHours.from": c.QuietHours.From, "quietHours.to": c.QuietHours.To,
		"portal.linkDays": c.Portal.LinkDays, "portal.name": c.Portal.Name, "portal.color": c.Portal.Color}
	if c.Spreads.Currency != "" {
		m["spreads.currency"] = c.Spreads.Currency
	}
	if c.Spreads.LivingExpenses != 0 {
		m["spreads.livingExpenses"] = c.Spreads.LivingExpenses
	}
	if c.Retention.IsSet() {
		m["retention"] = retentionText(c.Retention)
	}
	if r := c.Reading.OrDefault(); r != (dossier.ReadingSettings{}).OrDefault() {
		m["reading"] = fmt.Sprintf("model %s, images %t, tokensPerDocument %d, tokensPerDay %d", r.Model, r.Images,
			r.TokensPerDocument, r.TokensPerDay)
	}
	for name, config := range c.Channels {
		m["channels."+string(name)] = channelText(config)
	}
	for _, chain := range c.Pipelines {
		m["pipelines."+chain.ID] = strings.Join(chain.Steps, ", ")
	}
	for name, role := range c.People.Groups {
		m["people.groups."+name] = string(role)
	}
	for email, role := range c.People.Emails {
		m["people.emails."+email] = string(role)
	}
	if text := reviewText(c.Review); text != "" {
		m["review"] = text
	}
	if len(c.Review.FourEyes) > 0 {
		m["review.fourEyes"] = strings.Join(c.Review.FourEyes, ", ")
	}
	limits := c.Limits.OrDefault()
	m["limits"] = fmt.Sprintf(
		"webhooks %d, apiKeys %d, checklistItems %d, documents %d, documentBytes %s, inboundPerMinute %d",
		limits.Webhooks, limits.APIKeys,
		limits.ChecklistItems, limits.Documents, dossier.FormatSize(limits.DocumentBytes), limits.InboundPerMinute)
	return m
}

// reviewText names what is set, but for what needs four eyes, in the order of the file format.
func reviewText(r dossier.ReviewSettings) string {
	var words []string
	if r.DueIn > 0 {
		words = append(words, "dueIn "+dossier.FormatAge(r.DueIn))
	}
	if r.Sample > 0 {
		words = append(words, fmt.Sprintf("sample %g", r.Sample))
	}
	if len(r.ReasonCodes) > 0 {
		words = append(words, "reasonCodes "+strings.Join(r.ReasonCodes, " "))
	}
	if r.AmountItem != "" {
		words = append(words, "amountItem "+r.AmountItem)
	}
	for _, rule := range r.Assign {
		fits := strings.TrimSpace(string(rule.DocType) + " " + string(rule.Code))
		if rule.AmountAtLeast != nil {
			fits += " from " + rule.AmountAtLeast.String()
		}
		words = append(words, strings.TrimSpace("assign "+strings.TrimSpace(fits)+" to "+rule.To))
	}
	return strings.Join(words, ", ")
}

// retentionText names what is set, in the order of the file format.
func retentionText(r dossier.Retention) string {
	var words []string
	add := func(set bool, format string, args ...any) {
		if set {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	add(r.GraceDays != nil, "graceDays %d", int(r.Grace().Hours()/24))
	add(r.LeadsFrom != "", "%s", r.LeadRule())
	add(r.FloorFrom != "", "floor %d days from %s", r.FloorDays, r.FloorFrom)
	add(r.Messages > 0, "messages %s", dossier.FormatAge(r.Messages))
	add(r.Events > 0, "events %s", dossier.FormatAge(r.Events))
	add(r.PipelineRuns > 0, "pipelineRuns %s", dossier.FormatAge(r.PipelineRuns))
	add(r.Requests > 0, "requests %s", dossier.FormatAge(r.Requests))
	return strings.Join(words, ", ")
}

// channelText names what is set, in the order of the file format.
func channelText(c dossier.ChannelConfig) string {
	words := []string{c.Provider}
	add := func(name, value string) {
		if value != "" && value != "0" {
			words = append(words, name+" "+value)
		}
	}
	add("host", c.Host)
	add("port", strconv.Itoa(c.Port))
	add("username", c.Username)
	add("passwordEnv", c.PasswordEnv)
	add("accountSid", c.AccountSID)
	add("authTokenEnv", c.AuthTokenEnv)
	add("from", c.From)
	return strings.Join(words, ", ")
}

func groupMap(c dossier.WorkspaceConfig) map[string]map[string]any {
	m := map[string]map[string]any{}
	for i, g := range c.Groups {
		m[g.Key] = map[string]any{"name": g.Name, "conditions": canonical(g.Conditions), "position": i}
	}
	return m
}

func itemMap(c dossier.WorkspaceConfig) map[string]map[string]any {
	m := map[string]map[string]any{}
	add := func(group string, items []dossier.TemplateItem) {
		for i, t := range items {
			m[t.Code] = map[string]any{"group": group, "position": i, "label": t.Label, "fieldType": t.FieldType,
				"isRequired": t.IsRequired,
				"config":     canonical(t.Config), "conditions": canonical(t.Conditions),
				"validationRules": text(t.ValidationRules), "helpText": t.HelpText,
				"clientInstructions": t.ClientInstructions, "agentInstructions": t.AgentInstructions}
		}
	}
	for _, g := range c.Groups {
		add(g.Key, g.Items)
	}
	add("none", c.Items)
	return m
}

// keysOf are the keys of a list of the file, in its order.
func keysOf[T any](list []T, key func(T) string) []string {
	keys := make([]string, len(list))
	for i, of := range list {
		keys[i] = key(of)
	}
	return keys
}

func itemKeys(c dossier.WorkspaceConfig) (keys []string) {
	for _, g := range c.Groups {
		for _, t := range g.Items {
			keys = append(keys, t.Code)
		}
	}
	for _, t := range c.Items {
		keys = append(keys, t.Code)
	}
	return keys
}

func agentMap(c dossier.WorkspaceConfig) map[string]map[string]any {
	m := map[string]map[string]any{}
	for _, a := range c.Agents {
		m[a.Key] = map[string]any{"name": a.Name, "mode": a.Mode, "channels": a.Channels,
			"instructions": a.Instructions}
	}
	return m
}

func workflowMap(c dossier.WorkspaceConfig) map[string]map[string]any {
	m := map[string]map[string]any{}
	for _, w := range c.Workflows {
		m[w.Key] = map[string]any{"name": w.Name, "type": w.Type, "manualCompletion": w.ManualCompletion,
			"completesLead": w.CompletesLead,
			"followUps":     text(w.FollowUps), "schedule": text(w.Schedule), "message": w.Message}
	}
	return m
}

// canonical prints JSON with sorted keys, so that the file's spelling and Postgres' compare as equal.
func canonical(raw json.RawMessage) string {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if len(raw) == 0 || decoder.Decode(&v) != nil || v == nil {
		return "none"
	}
	return string(mustJSON(v))
}

// text prints a value of the file; empty lists, empty maps and absent ones are alike.
func text(v any) string {
	switch s := string(mustJSON(v)); s {
	case "null", "[]", "{}":
		return "none"
	default:
		return s
	}
}

// namesOf lists the names of both, in order.
func namesOf(was, is map[string]any) []string {
	both := maps.Clone(is)
	maps.Copy(both, was)
	return slices.Sorted(maps.Keys(both))
}

// shownValue is a value as a diff prints it; what is absent is "none".
func shownValue(m map[string]any, name string) string {
	if v, ok := m[name]; ok {
		return fmt.Sprint(v)
	}
	return "none"
}

// clip keeps a value of a diff readable.
func clip(s string) string {
	if len(s) > 80 {
		return s[:77] + "..."
	}
	return s
}

// diffWorkspace lists what makes after out of before, in the order of the file. before is the zero value for a
// workspace that is not there yet.
func diffWorkspace(before, after dossier.WorkspaceConfig) []Change {
	var changes []Change
	if before.Key == "" {
		changes = append(changes, Change{"create", "workspace " + after.Key, ""})
	} else if detail := differences(settingsMap(before), settingsMap(after)); detail != "" {
		changes = append(changes, Change{"change", "workspace " + after.Key, detail})
	}
	group := func(g dossier.TemplateGroup) string { return g.Key }
	agent := func(a dossier.AgentConfig) string { return a.Key }
	workflow := func(w dossier.WorkflowConfig) string { return w.Key }
	changes = append(changes, diffNamed("checklist group", groupMap(before), groupMap(after),
		keysOf(before.Groups, group), keysOf(after.Groups, group))...)
	changes = append(changes, diffNamed("checklist item", itemMap(before), itemMap(after), itemKeys(before),
		itemKeys(after))...)
	changes = append(changes, diffNamed("agent", agentMap(before), agentMap(after), keysOf(before.Agents, agent),
		keysOf(after.Agents, agent))...)
	changes = append(changes, diffNamed("workflow", workflowMap(before), workflowMap(after),
		keysOf(before.Workflows, workflow), keysOf(after.Workflows, workflow))...)
	return changes
}

func diffNamed(noun string, before, after map[string]map[string]any, wasKeys, isKeys []string) []Change {
	var changes []Change
	for _, key := range isKeys {
		was, ok := before[key]
		if !ok {
			changes = append(changes, Change{"create", noun + " " + key, ""})
			continue
		}
		if detail := differences(was, after[key]); detail != "" {
			changes = append(changes, Change{"change", noun + " " + key, detail})
		}
	}
	for _, key := range wasKeys {
		if _, ok := after[key]; !ok {
			changes = append(changes, Change{"archive", noun + " " + key, ""})
		}
	}
	return changes
}

// differences says in words which values differ: "label: Old -> New; isRequired: true -> false".
func differences(was, is map[string]any) string {
	text := ""
	for _, name := range namesOf(was, is) {
		a, b := shownValue(was, name), shownValue(is, name)
		if a == b {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s: %s -> %s", name, clip(a), clip(b))
	}
	return text
}
