package workspacefile

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"
	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
)

// review is dossier.ReviewSettings; what is not there has its default.
type review struct {
	DueIn       age          `yaml:"dueIn,omitempty"`
	Sample      float64      `yaml:"sample,omitempty"`
	ReasonCodes []string     `yaml:"reasonCodes,omitempty,flow"`
	AmountItem  string       `yaml:"amountItem,omitempty"`
	Assign      []assignRule `yaml:"assign,omitempty"`
	FourEyes    []string     `yaml:"fourEyes,omitempty,flow"`
}

type assignRule struct {
	When assignWhen `yaml:"when,omitempty,flow"`
	To   string     `yaml:"to"`
}

type assignWhen struct {
	DocType       string  `yaml:"docType,omitempty"`
	Code          string  `yaml:"code,omitempty"`
	AmountAtLeast *amount `yaml:"amountAtLeast,omitempty"`
}

// amount is a decimal number: 250000 or 0.5.
type amount struct{ decimal.Decimal }

// UnmarshalYAML implements yaml.Unmarshaler.
func (a *amount) UnmarshalYAML(node *yaml.Node) error {
	value, err := decimal.NewFromString(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: %q is no amount; write a number such as 250000", node.Line, node.Value)
	}
	a.Decimal = value
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (a amount) MarshalYAML() (any, error) {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: a.String()}, nil
}

func (r review) settings() dossier.ReviewSettings {
	s := dossier.ReviewSettings{DueIn: time.Duration(r.DueIn), Sample: r.Sample, AmountItem: r.AmountItem}
	if len(r.ReasonCodes) > 0 {
		s.ReasonCodes = r.ReasonCodes
	}
	if len(r.FourEyes) > 0 {
		s.FourEyes = r.FourEyes
	}
	for _, rule := range r.Assign {
		a := dossier.AssignRule{DocType: dossier.DocType(rule.When.DocType), Code: dossier.ReviewCode(rule.When.Code),
			To: rule.To}
		if rule.When.AmountAtLeast != nil {
			a.AmountAtLeast = &rule.When.AmountAtLeast.Decimal
		}
		s.Assign = append(s.Assign, a)
	}
	return s
}

func reviewOf(s dossier.ReviewSettings) *review {
	if !s.IsSet() {
		return nil
	}
	written := &review{DueIn: age(s.DueIn), Sample: s.Sample, ReasonCodes: s.ReasonCodes, AmountItem: s.AmountItem,
		FourEyes: s.FourEyes}
	for _, rule := range s.Assign {
		w := assignRule{To: rule.To, When: assignWhen{DocType: string(rule.DocType), Code: string(rule.Code)}}
		if rule.AmountAtLeast != nil {
			w.When.AmountAtLeast = &amount{*rule.AmountAtLeast}
		}
		written.Assign = append(written.Assign, w)
	}
	return written
}
