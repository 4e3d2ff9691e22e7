package workspacefile

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
)

// Write is the file of a workspace; Parse of it gives c again.
func Write(c dossier.WorkspaceConfig) ([]byte, error) {
	f := file{Version: 1, Workspace: c.Key, Name: c.Name, DefaultRegion: c.DefaultRegion, Timezone: c.Timezone,
		QuietHours: (*quietHours)(&c.QuietHours), Portal: (*portal)(&c.Portal), Limits: limitsOf(c.Limits),
		Retention: retentionOf(c.Retention), Channels: map[string]channel{}}
	if c.Spreads != (dossier.SpreadSettings{}) {
		f.Spreads = (*spreads)(&c.Spreads)
	}
	f.People = peopleOf(c.People)
	f.Reading = readingOf(c.Reading)
	f.Review = reviewOf(c.Review)
	for _, g := range c.Groups {
		f.Checklist.Groups = append(f.Checklist.Groups,
			group{Key: g.Key, Name: g.Name, Conditions: fromJSON(g.Conditions), Items: itemsOf(g.Items)})
	}
	if c.Language != dossier.English {
		f.Language = string(c.Language)
	}
	f.Checklist.Items = itemsOf(c.Items)
	for name, config := range c.Channels {
		f.Channels[string(name)] = channel(config)
	}
	for _, a := range c.Agents {
		written := agent{Key: a.Key, Name: a.Name, Mode: string(a.Mode), Instructions: a.Instructions}
		for _, channel := range a.Channels {
			written.Channels = append(written.Channels, string(channel))
		}
		f.Agents = append(f.Agents, written)
	}
	for _, w := range c.Workflows {
		f.Workflows = append(f.Workflows, workflowOf(w))
	}
	for _, p := range c.Pipelines {
		f.Pipelines = append(f.Pipelines, pipeline(p))
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(f); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

func workflowOf(w dossier.WorkflowConfig) workflow {
	written := workflow{Key: w.Key, Name: w.Name, Type: string(w.Type), CompletesLead: w.CompletesLead,
		Message: w.Message}
	if !w.ManualCompletion {
		written.ManualCompletion = new(bool)
	}
	if w.FollowUps != nil {
		written.FollowUps = &followUps{Every: w.FollowUps.Every, Max: w.FollowUps.Max}
	}
	if s := w.Schedule; s != nil {
		written.Schedule = &schedule{Every: s.Every, At: s.At, Weekdays: s.Weekdays, Max: s.Max, StopWhen: s.StopWhen}
	}
	return written
}

func itemsOf(items []dossier.TemplateItem) []item {
	var list []item
	for _, t := range items {
		written := item{Code: t.Code, Label: t.Label, FieldType: string(t.FieldType), Config: fromJSON(t.Config),
			Conditions:      fromJSON(t.Conditions),
			ValidationRules: t.ValidationRules, HelpText: t.HelpText, ClientInstructions: t.ClientInstructions,
			AgentInstructions: t.AgentInstructions}
		if !t.IsRequired {
			written.IsRequired = new(bool)
		}
		list = append(list, written)
	}
	return list
}

// fromJSON reads what Postgres stored; whole numbers stay whole.
func fromJSON(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return nil
	}
	return plainNumbers(v)
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole
		}
		fraction, _ := v.Float64()
		return fraction
	case map[string]any:
		for name, value := range v {
			v[name] = plainNumbers(value)
		}
	case []any:
		for i, value := range v {
			v[i] = plainNumbers(value)
		}
	}
	return v
}
