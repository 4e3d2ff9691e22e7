package watch

import (
	"bytes"
	"encoding/json"
)

type grafana struct {
	UID           string         `json:"uid"`
	Title         string         `json:"title"`
	Tags          []string       `json:"tags"`
	SchemaVersion int            `json:"schemaVersion"`
	Refresh       string         `json:"refresh"`
	Time          map[string]any `json:"time"`
	Templating    map[string]any `json:"templating"`
	Panels        []grafanaPanel `json:"panels"`
}

type grafanaPanel struct {
	ID          int            `json:"id"`
	Type        string         `json:"type"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Datasource  datasource     `json:"datasource"`
	GridPos     map[string]int `json:"gridPos"`
	FieldConfig map[string]any `json:"fieldConfig"`
	Targets     []target       `json:"targets"`
}

type datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type target struct {
	RefID      string     `json:"refId"`
	Datasource datasource `json:"datasource"`
	Expr       string     `json:"expr"`
	Legend     string     `json:"legendFormat"`
}

// prometheus is whichever source the reader chose.
var prometheus = datasource{"prometheus", "$datasource"}

// JSON is the dashboard as Grafana imports it: panels in two columns.
func (d Dashboard) JSON() ([]byte, error) {
	g := grafana{UID: d.UID, Title: d.Title, Tags: []string{"dossier"}, SchemaVersion: 39, Refresh: "30s",
		Time: map[string]any{"from": "now-6h", "to": "now"},
		Templating: map[string]any{"list": []map[string]any{{"name": "datasource", "label": "Data source",
			"type":  "datasource",
			"query": "prometheus"}}}}
	for i, p := range d.Panels {
		panel := grafanaPanel{ID: i + 1, Type: "timeseries", Title: p.Title, Description: p.Says,
			Datasource:  prometheus,
			GridPos:     map[string]int{"x": i % 2 * 12, "y": i / 2 * 8, "w": 12, "h": 8},
			FieldConfig: map[string]any{"defaults": map[string]any{"unit": p.Unit, "min": 0}, "overrides": []any{}}}
		for n, line := range p.Lines {
			panel.Targets = append(panel.Targets, target{string(rune('A' + n)), prometheus, line.Expr, line.Legend})
		}
		g.Panels = append(g.Panels, panel)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(g)
	return out.Bytes(), err
}
