package dossier

// ItemStatus is the state of one item on one lead's checklist (api.md, Checklist item status).
type ItemStatus string

// States of a checklist item.
const (
	ItemTodo        ItemStatus = "TODO"         // nothing, or not yet enough, is there
	ItemCompleted   ItemStatus = "COMPLETED"    // met
	ItemInvalid     ItemStatus = "INVALID"      // what is there breaks a rule
	ItemSkipped     ItemStatus = "SKIPPED"      // not wanted any more
	ItemNeedsReview ItemStatus = "NEEDS_REVIEW" // the lead gave what was asked, a person must judge it
)

// Valid reports whether s is one of the five states.
func (s ItemStatus) Valid() bool {
	switch s {
	case ItemTodo, ItemCompleted, ItemInvalid, ItemSkipped, ItemNeedsReview:
		return true
	}
	return false
}

// Done reports whether the item no longer holds up a workflow run (decisions.md section 4, automatic
// completion): what waits for a person was given by the lead.
func (s ItemStatus) Done() bool {
	return s == ItemCompleted || s == ItemSkipped || s == ItemNeedsReview
}
