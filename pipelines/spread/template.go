// Package spread turns the facts of documents into statements: figures in, results out. It is pure: no clock, no I/O,
// decimals only. How a spread is run and stored, and what its files look like, does not belong here.
package spread

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

//go:embed template.yaml
var templateFile []byte

// Template is the row list that ships inside the binary. It is read once; do not change it.
var Template = sync.OnceValue(func() *layout.Template {
	t, err := readTemplate(templateFile)
	if err != nil {
		panic(err) // a broken build: TestTemplate reads the same file
	}
	return t
})

// precedence ranks classes of sources, best first. It is read from the template.
var precedence = sync.OnceValue(func() []string {
	var f templateYAML
	_ = yaml.Unmarshal(templateFile, &f)
	return f.Periods.DuplicateFigures.Precedence
})

type templateYAML struct {
	Periods struct {
		DuplicateFigures struct {
			Precedence []string `yaml:"precedence"`
		} `yaml:"duplicateFigures"`
	} `yaml:"periods"`
	Mapping struct {
		CatchAll map[string]string `yaml:"catchAll"`
	} `yaml:"mapping"`
	Rows   map[string][]rowYAML `yaml:"rows"`
	Ratios []ratioYAML          `yaml:"ratios"`
	UCA    []ratioYAML          `yaml:"uca"`
}

type rowYAML struct {
	Key       string            `yaml:"key"`
	Label     string            `yaml:"label"`
	Statement string            `yaml:"statement"`
	Section   string            `yaml:"section"`
	Kind      string            `yaml:"kind"`
	Computed  string            `yaml:"computed"`
	Memo      bool              `yaml:"memo"`
	Sign      string            `yaml:"sign"`
	Formula   string            `yaml:"formula"`
	Derived   string            `yaml:"derived"`
	Synonyms  []string          `yaml:"synonyms"`
	IRS       map[string]string `yaml:"irs"`
}

type ratioYAML struct {
	Key      string `yaml:"key"`
	Label    string `yaml:"label"`
	Group    string `yaml:"group"`
	Formula  string `yaml:"formula"`
	Format   string `yaml:"format"`
	Pos      bool   `yaml:"pos"`
	Subtotal bool   `yaml:"subtotal"`
}

// statements in the order of the template.
var statements = []string{"incomeStatement", "balanceSheet", "cashFlow"}

func readTemplate(data []byte) (*layout.Template, error) {
	var f templateYAML
	if err := yaml.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	t := &layout.Template{CatchAll: f.Mapping.CatchAll}
	for _, statement := range statements {
		for _, r := range f.Rows[statement] {
			row := layout.Row{Key: r.Key, Label: r.Label, Statement: r.Statement, Section: r.Section,
				Kind: r.Kind, Computed: r.Computed,
				Sign: r.Sign, Memo: r.Memo, IRS: r.IRS, Synonyms: r.Synonyms}
			var err error
			if row.Formula, err = optionalFormula(r.Formula); err != nil {
				return nil, err
			}
			if row.Derived, err = optionalFormula(r.Derived); err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	for _, r := range f.Ratios {
		formula, err := layout.ParseFormula(r.Formula)
		if err != nil {
			return nil, err
		}
		t.Ratios = append(t.Ratios, layout.Ratio{Key: r.Key, Label: r.Label, Group: r.Group, Format: r.Format,
			Formula: formula, Positive: r.Pos})
	}
	for _, r := range f.UCA {
		formula, err := layout.ParseFormula(r.Formula)
		if err != nil {
			return nil, err
		}
		t.UCA = append(t.UCA, layout.UCA{Key: r.Key, Label: words(r.Key), Subtotal: r.Subtotal, Formula: formula})
	}
	return t, nil
}

func optionalFormula(text string) (layout.Formula, error) {
	if text == "" {
		return layout.Formula{}, nil
	}
	return layout.ParseFormula(text)
}

// words makes a caption of a key: cashFromSales gives "Cash from sales".
func words(key string) string {
	var out strings.Builder
	for i, r := range key {
		switch {
		case i == 0:
			out.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			out.WriteRune(' ')
			out.WriteRune(unicode.ToLower(r))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
