package postgres

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// entryFact is what reports need of an entry. t is the entry.
type entryFact struct {
	LeadID    dossier.LeadID
	ItemID    dossier.ItemID
	Status    dossier.ItemStatus
	Value     json.RawMessage
	Source    dossier.ValueSource
	UpdatedAt time.Time
	of        *reportItem // set by resolve, as is required
	required  bool        // and visible
}

const entryFactColumns = `t.lead_id, t.item_id, t.status, t.value, coalesce(t.source, '') AS source, t.updated_at`

// resolve puts one lead's entries in checklist order and says which are required of it.
func (t reportTemplate) resolve(facts []entryFact) {
	conditional := false
	for i := range facts {
		f := &facts[i]
		f.of = t.items[f.ItemID]
		f.required = f.of.required
		conditional = conditional || f.of.conditional
	}
	slices.SortFunc(facts, func(a, b entryFact) int { return a.of.rank - b.of.rank })
	if conditional {
		t.resolveConditions(facts)
	}
}

// resolveConditions asks the rule about entries under conditions; of the others it needs those that conditions look at.
func (t reportTemplate) resolveConditions(facts []entryFact) {
	var c dossier.Checklist
	var asked []*entryFact
	for i := range facts {
		f := &facts[i]
		if !f.of.conditional && !t.watched[f.of.code] {
			continue
		}
		entry := dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: f.of.code, Conditions: f.of.own},
			Value: f.Value}
		c.Groups = append(c.Groups, dossier.ChecklistGroup{Conditions: f.of.group,
			Entries: []dossier.ChecklistEntry{entry}})
		asked = append(asked, f)
	}
	c.Resolve()
	for i, f := range asked {
		f.required = f.required && c.Groups[i].Entries[0].Visible
	}
}
