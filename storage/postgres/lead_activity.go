package postgres

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// What the activity of a lead says of a change.

// logLeadChange writes the one action log of a call with everything it did (api.md, Action log entry).
func logLeadChange(ctx context.Context, tx *tx, c *leadChange, eventType, summary string, by Caller) error {
	log, input := c.actionLog(eventType, summary, by)
	if c.changed() {
		_, err := logWithLead(tx, log, input)
		return err
	}
	_, err := logAction(ctx, tx, log, input)
	return err
}

// actionLog is that entry; the lead shows its summary.
func (c *leadChange) actionLog(eventType, summary string, by Caller) (dossier.ActionLog, any) {
	type item struct {
		Code    string              `json:"code"`
		Value   json.RawMessage     `json:"value"`
		Status  *dossier.ItemStatus `json:"status"`
		Success bool                `json:"success"`
		Reason  string              `json:"reason,omitempty"`
	}
	fields, items := map[string]any{}, []item{}
	for _, change := range c.changes.Fields {
		fields[change.Field] = change.Value
		if at, ok := change.Value.(time.Time); ok {
			fields[change.Field] = record.Time(at)
		}
	}
	for _, o := range c.outcomes {
		items = append(items, item{o.Code, o.Value, o.Status, o.Reason == "", o.Reason})
	}
	source := map[dossier.ValueSource]string{dossier.SourcePortal: "portal", dossier.SourceAgent: "agent"}[by.Source]
	logType := map[dossier.ValueSource]dossier.ActionLogType{dossier.SourcePortal: dossier.ActionPortalActivity,
		dossier.SourceAgent: dossier.ActionAgentActivity}[by.Source]
	if source == "" {
		source, logType = "api", dossier.ActionAPIActivity
	}
	c.lead.ActivitySummary = &summary
	return dossier.ActionLog{LeadID: c.lead.ID, Type: logType, Summary: summary, Actor: dossier.OrNil(by.Actor)},
		map[string]any{"eventType": eventType, "source": source, "leadUpdates": fields, "checklistUpdates": items}
}

// summarize says in one line who changed what: "Lead updated: firstName, tags, Legal business name".
func (c *leadChange) summarize(by Caller) string {
	what := "Lead updated"
	switch by.Source {
	case dossier.SourcePortal:
		what = "Answered on the page"
	case dossier.SourceAgent:
		what = "Taken from the lead's message"
	}
	var parts []string
	for _, change := range c.changes.Fields {
		if change.Field == "didOptOut" && (by.Source == dossier.SourcePortal || by.Source == dossier.SourceAgent) {
			return map[bool]string{true: "The lead opted out", false: "The lead opted in again"}[c.lead.DidOptOut]
		}
		parts = append(parts, change.Field)
	}
	parts = append(parts, c.touchedLabels()...)
	if len(parts) == 0 {
		return what + ": nothing changed"
	}
	return what + ": " + strings.Join(parts, ", ")
}

// labelsShown is how many items a summary names.
const labelsShown = 4

// touchedLabels are the labels of the changed items, in the checklist's order; of many, the first and a count.
func (c *leadChange) touchedLabels() (labels []string) {
	for entry := range c.checklist.All() {
		if _, touched := c.touched[entry]; touched {
			labels = append(labels, strings.TrimRight(entry.Item.Label, ". "))
		}
	}
	if n := len(labels); n > labelsShown {
		labels = append(labels[:labelsShown-1], plural(n-labelsShown+1, "more item"))
	}
	return labels
}
