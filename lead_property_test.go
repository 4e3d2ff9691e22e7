package dossier

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawChecklist makes a checklist in any state that items can have.
func drawChecklist(t *rapid.T) Checklist {
	n := rapid.IntRange(0, 8).Draw(t, "items")
	var entries []ChecklistEntry
	for i := range n {
		entry := ChecklistEntry{ID: EntryID(rune('a' + i)), Visible: rapid.Bool().Draw(t, "visible"),
			Item:   ChecklistItem{Code: string(rune('A' + i)), FieldType: FieldText, IsRequired: rapid.Bool().Draw(t, "required")},
			Status: rapid.SampledFrom([]ItemStatus{ItemTodo, ItemCompleted, ItemInvalid, ItemSkipped, ItemNeedsReview}).Draw(t, "status")}
		if rapid.Bool().Draw(t, "has value") {
			entry.Value = json.RawMessage(`"v"`)
		}
		entries = append(entries, entry)
	}
	return Checklist{Groups: []ChecklistGroup{{Entries: entries}}}
}

// Skipping and its undo are inverses: afterwards every item is as it was, but that one that was INVALID asks to be
// filled in again (decisions.md section 2: marked items return to TODO), and nobody else's SKIPPED is touched.
func TestProperty_auto_skip_and_undo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawChecklist(t)
		var want []ItemStatus
		for e := range c.All() {
			status := e.Status
			if e.Visible && e.Item.IsRequired && status == ItemInvalid {
				status = ItemTodo
			}
			want = append(want, status)
		}
		skipped := c.AutoSkip(testNow)
		for e := range c.All() {
			if e.Visible && e.Item.IsRequired && (e.Status == ItemTodo || e.Status == ItemInvalid) {
				t.Fatalf("%s is still %s", e.Item.Code, e.Status)
			}
		}
		if again := c.AutoSkip(testNow); len(again) != 0 {
			t.Fatalf("skipping twice changed %d items", len(again))
		}
		undone := c.ClearAutoSkips(testNow)
		var got []ItemStatus
		for e := range c.All() {
			got = append(got, e.Status)
			if e.AutoSkipped {
				t.Fatalf("%s keeps its mark", e.Item.Code)
			}
		}
		if len(undone) != len(skipped) || !cmp.Equal(want, got) {
			t.Fatalf("%d skipped, %d undone; statuses:\n%s", len(skipped), len(undone), cmp.Diff(want, got))
		}
	})
}

// modelLead says what the status must be, in a few words: marks with the order they were set in.
type modelLead struct {
	marks       []LeadStatus // that stand, the one set last at the end
	escalations int
}

func (m modelLead) has(mark LeadStatus) bool {
	for _, one := range m.marks {
		if one == mark {
			return true
		}
	}
	return false
}

func (m *modelLead) drop(gone ...LeadStatus) {
	var kept []LeadStatus
	for _, mark := range m.marks {
		stays := true
		for _, g := range gone {
			stays = stays && mark != g
		}
		if stays {
			kept = append(kept, mark)
		}
	}
	m.marks = kept
}

func (m modelLead) status() LeadStatus {
	switch {
	case len(m.marks) > 0:
		return m.marks[len(m.marks)-1]
	case m.escalations > 0:
		return LeadReview
	}
	return LeadInProgress
}

// update is the table of api.md in prose; it reports whether the call is refused.
func (m *modelLead) update(status *LeadStatus, didOptOut *bool) (refused bool) {
	if status != nil && *status == LeadReview || status != nil && didOptOut != nil && *didOptOut != (*status == LeadOptedOut) {
		return true
	}
	clears := didOptOut != nil && !*didOptOut
	if status != nil && *status == LeadInProgress && m.has(LeadOptedOut) && !clears {
		return true
	}
	if clears {
		m.drop(LeadOptedOut)
	}
	if status == nil && didOptOut != nil && *didOptOut {
		optedOut := LeadOptedOut
		status = &optedOut
	}
	switch {
	case status == nil:
	case *status == LeadInProgress:
		m.drop(LeadCompleted, LeadNotInterested)
	default:
		m.drop(*status)
		m.marks = append(m.marks, *status)
	}
	return false
}

// Whatever the sequence of updates and escalations, the status follows the table.
func TestProperty_update_sequences(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lead, model, now := Lead{}, modelLead{}, testNow
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			now = now.Add(time.Minute)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				lead.OpenEscalations++
				model.escalations++
				continue
			case 1:
				lead.OpenEscalations, model.escalations = 0, 0
				continue
			}
			var upd LeadUpdate
			if rapid.Bool().Draw(t, "with status") {
				upd.Status = status(rapid.SampledFrom([]LeadStatus{LeadCompleted, LeadNotInterested, LeadOptedOut, LeadInProgress, LeadReview}).Draw(t, "status"))
			}
			if rapid.Bool().Draw(t, "with didOptOut") {
				upd.DidOptOut = yesNo(rapid.Bool().Draw(t, "didOptOut"))
			}
			before := model.status()
			refused := model.update(upd.Status, upd.DidOptOut)
			changes, err := lead.Update(upd, "US", now)
			if (err != nil) != refused {
				t.Fatalf("refused %v, want %v (%v)", err != nil, refused, err)
			}
			if lead.Status() != model.status() || lead.DidOptOut != model.has(LeadOptedOut) {
				t.Fatalf("status %s, opted out %v; want %s, %v", lead.Status(), lead.DidOptOut, model.status(), model.has(LeadOptedOut))
			}
			if named := namesStatus(changes); named != (before != model.status()) {
				t.Fatalf("status went from %s to %s, changes name it: %v", before, model.status(), named)
			}
		}
	})
}

func namesStatus(c LeadChanges) bool {
	for _, change := range c.Fields {
		if change.Field == "status" {
			return true
		}
	}
	return false
}
