package dossier

import "testing"

// A row's values for the checklist are refused by the column that holds them: a code the checklist does not have, a
// value its item does not take.
func TestImportRow_outcomes(t *testing.T) {
	row := ImportRow{Row: 4}
	found := row.OutcomeFaults([]ItemOutcome{
		{Code: "NOT_THERE"},
		{Code: "LATE", Entry: &ChecklistEntry{}, Reason: "The lead is closed"},
		{Code: "GOOD", Entry: &ChecklistEntry{Status: ItemCompleted}},
	})
	want := []ImportFault{
		{4, "checklist.NOT_THERE", "unknown_code", "No item of the lead's checklist has this code"},
		{4, "checklist.LATE", "invalid_value", "The lead is closed"},
	}
	if len(found) != len(want) || found[0] != want[0] || found[1] != want[1] {
		t.Errorf("got %+v, want %+v", found, want)
	}
}
