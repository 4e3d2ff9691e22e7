package workspacefile

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
)

// limits are dossier.Limits; what is not there has its default.
type limits struct {
	Webhooks         *int  `yaml:"webhooks,omitempty"`
	APIKeys          *int  `yaml:"apiKeys,omitempty"`
	ChecklistItems   *int  `yaml:"checklistItems,omitempty"`
	Documents        *int  `yaml:"documents,omitempty"`
	DocumentBytes    *size `yaml:"documentBytes,omitempty"`
	InboundPerMinute *int  `yaml:"inboundPerMinute,omitempty"`
}

// size is a number of bytes, written 2GiB.
type size int64

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *size) UnmarshalYAML(node *yaml.Node) error {
	bytes, err := dossier.ParseSize(node.Value)
	if err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	*s = size(bytes)
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (s size) MarshalYAML() (any, error) { return dossier.FormatSize(int64(s)), nil }

// settings are the limits that are named. One that is written as 0 is wrong, not left out.
func (l limits) settings() dossier.Limits {
	named := func(n *int) int {
		switch {
		case n == nil:
			return 0
		case *n == 0:
			return -1
		}
		return *n
	}
	set := dossier.Limits{Webhooks: named(l.Webhooks), APIKeys: named(l.APIKeys),
		ChecklistItems: named(l.ChecklistItems), Documents: named(l.Documents),
		InboundPerMinute: named(l.InboundPerMinute)}
	if l.DocumentBytes != nil {
		set.DocumentBytes = int64(*l.DocumentBytes)
	}
	return set
}

func limitsOf(l dossier.Limits) *limits {
	if l == (dossier.Limits{}) {
		return nil
	}
	named := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	written := &limits{Webhooks: named(l.Webhooks), APIKeys: named(l.APIKeys), ChecklistItems: named(l.ChecklistItems),
		Documents:        named(l.Documents),
		InboundPerMinute: named(l.InboundPerMinute)}
	if l.DocumentBytes != 0 {
		written.DocumentBytes = (*size)(&l.DocumentBytes)
	}
	return written
}
