package watch

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name  string `yaml:"name"`
	Rules []rule `yaml:"rules"`
}

type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// runbooks is where runbooks are to be read.
const runbooks = "https://github.com/dossierhq/dossier/blob/main/deploy/runbooks/"

// RunbookFile is the alert's file in deploy/runbooks.
func (a Alert) RunbookFile() string {
	if a.Runbook == "" {
		return a.Name + ".md"
	}
	return a.Runbook + ".md"
}

// Rules is the file that Prometheus loads.
func Rules() ([]byte, error) {
	var rules []rule
	for _, a := range Alerts() {
		rules = append(rules, rule{Alert: a.Name, Expr: a.Expr, For: a.For,
			Labels:      map[string]string{"severity": string(a.Severity)},
			Annotations: map[string]string{"summary": a.Summary, "runbook_url": runbooks + a.RunbookFile()}})
	}
	return generated(ruleFile{Groups: []ruleGroup{{Name: "dossier", Rules: rules}}})
}

func generated(v any) ([]byte, error) {
	text, err := yaml.Marshal(v)
	return append([]byte("# Written by go test ./cmd/internal/watch -update; the tables there are the source.\n"),
		text...), err
}

type testFile struct {
	RuleFiles          []string   `yaml:"rule_files"`
	EvaluationInterval string     `yaml:"evaluation_interval"`
	Tests              []ruleTest `yaml:"tests"`
}

type ruleTest struct {
	Name     string       `yaml:"name"`
	Interval string       `yaml:"interval"`
	Input    []testSeries `yaml:"input_series"`
	Query    []queryTest  `yaml:"promql_expr_test"`
}

type testSeries struct {
	Series string `yaml:"series"`
	Values string `yaml:"values"`
}

// queryTest asks how many alerts of a name fire: promtool's own alert_rule_test would want every annotation again.
type queryTest struct {
	Expr    string       `yaml:"expr"`
	At      string       `yaml:"eval_time"`
	Samples []testSample `yaml:"exp_samples"`
}

type testSample struct {
	Labels string  `yaml:"labels"`
	Value  float64 `yaml:"value"`
}

// RuleTests is what `promtool test rules` plays: each alert once as it fires and once as it keeps quiet.
func RuleTests() ([]byte, error) {
	file := testFile{RuleFiles: []string{"rules.yaml"}, EvaluationInterval: "1m"}
	for _, a := range Alerts() {
		at := a.Example.After
		if at == "" {
			at = "30m"
		}
		fires := fmt.Sprintf(`count(ALERTS{alertname=%q,alertstate="firing"})`, a.Name)
		file.Tests = append(file.Tests,
			ruleTest{Name: a.Name + " fires", Interval: "1m", Input: input(a.Example.Fires),
				Query: []queryTest{{Expr: fires, At: at, Samples: []testSample{{"{}", 1}}}}},
			ruleTest{Name: a.Name + " keeps quiet", Interval: "1m", Input: input(a.Example.Quiet),
				Query: []queryTest{{Expr: fires, At: at, Samples: []testSample{}}}})
	}
	return generated(file)
}

func input(series []Series) []testSeries {
	list := make([]testSeries, len(series))
	for i, s := range series {
		list[i] = testSeries{Series: strings.TrimSpace(s.Metric), Values: s.Values}
	}
	return list
}
