package workspacefile

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
)

// retention is dossier.Retention.
type retention struct {
	GraceDays    *int            `yaml:"graceDays,omitempty"`
	Leads        *leadRetention  `yaml:"leads,omitempty,flow"`
	Floor        *retentionFloor `yaml:"floor,omitempty,flow"`
	Messages     age             `yaml:"messages,omitempty"`
	Events       age             `yaml:"events,omitempty"`
	PipelineRuns age             `yaml:"pipelineRuns,omitempty"`
	Requests     age             `yaml:"requests,omitempty"`
}

type leadRetention struct {
	After age    `yaml:"after"`
	From  string `yaml:"from"`
}

type retentionFloor struct {
	Days int    `yaml:"days"`
	From string `yaml:"from"`
}

// age is how old something may become, written 760d.
type age time.Duration

// UnmarshalYAML implements yaml.Unmarshaler.
func (a *age) UnmarshalYAML(node *yaml.Node) error {
	d, err := dossier.ParseAge(node.Value)
	if err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	*a = age(d)
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (a age) MarshalYAML() (any, error) { return dossier.FormatAge(time.Duration(a)), nil }

func (r retention) settings() dossier.Retention {
	set := dossier.Retention{GraceDays: r.GraceDays, Messages: time.Duration(r.Messages),
		Events:       time.Duration(r.Events),
		PipelineRuns: time.Duration(r.PipelineRuns), Requests: time.Duration(r.Requests)}
	if r.Leads != nil {
		set.LeadsAfter, set.LeadsFrom = time.Duration(r.Leads.After), dossier.RetentionFrom(r.Leads.From)
	}
	if r.Floor != nil {
		set.FloorDays, set.FloorFrom = r.Floor.Days, dossier.RetentionFrom(r.Floor.From)
	}
	return set
}

func retentionOf(r dossier.Retention) *retention {
	if !r.IsSet() {
		return nil
	}
	written := &retention{GraceDays: r.GraceDays, Messages: age(r.Messages), Events: age(r.Events),
		PipelineRuns: age(r.PipelineRuns), Requests: age(r.Requests)}
	if r.LeadsFrom != "" {
		written.Leads = &leadRetention{age(r.LeadsAfter), string(r.LeadsFrom)}
	}
	if r.FloorFrom != "" {
		written.Floor = &retentionFloor{r.FloorDays, string(r.FloorFrom)}
	}
	return written
}
