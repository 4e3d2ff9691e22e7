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

// given is a number of the file: 0 of one that is left out. One that is written as 0 is wrong and becomes negative.
func given(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}

// settings are the limits that are given.
func (l limits) settings() dossier.Limits {
	set := dossier.Limits{Webhooks: given(l.Webhooks), APIKeys: given(l.APIKeys),
		ChecklistItems: given(l.ChecklistItems), Documents: given(l.Documents),
		InboundPerMinute: given(l.InboundPerMinute)}
	if l.DocumentBytes != nil {
		set.DocumentBytes = int64(*l.DocumentBytes)
	}
	return set
}

// unlessZero is a number as the file has it: a default is left out.
func unlessZero(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func limitsOf(l dossier.Limits) *limits {
	if l == (dossier.Limits{}) {
		return nil
	}
	file := &limits{Webhooks: unlessZero(l.Webhooks), APIKeys: unlessZero(l.APIKeys),
		ChecklistItems: unlessZero(l.ChecklistItems), Documents: unlessZero(l.Documents),
		InboundPerMinute: unlessZero(l.InboundPerMinute)}
	if l.DocumentBytes != 0 {
		file.DocumentBytes = (*size)(&l.DocumentBytes)
	}
	return file
}
