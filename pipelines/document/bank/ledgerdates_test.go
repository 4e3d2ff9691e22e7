package bank

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The order of day and month is the one under which dates are dates, and run in time.
func TestAstray(t *testing.T) {
	t.Parallel()
	both := []string{"01/02/2025", "02/02/2025", "03/02/2025"}
	byDay := []string{"05/01/2025", "04/02/2025", "06/03/2025"}
	for name, tc := range map[string]struct {
		texts []string
		order text.DateOrder
		want  int
	}{
		"both, month first":            {both, text.MonthFirst, 0},
		"both, day first":              {both, text.DayFirst, 0},
		"by day, day first":            {byDay, text.DayFirst, 0},
		"by day, month first":          {byDay, text.MonthFirst, 1},
		"what is no date says nothing": {[]string{"opening", "05/01/2025", "06/01/2025"}, text.DayFirst, 0},
	} {
		if got := datesOutOfOrder(tc.texts, tc.order); got != tc.want {
			t.Errorf("%s: %d astray, want %d", name, got, tc.want)
		}
	}
	for shown, want := range map[string]int{"13/02/2025": 1, "02/13/2025": -1, "02/12/2025": 0} {
		if got := daysFirst([]string{shown, "01/02/2025"}); got != want {
			t.Errorf("%s: %d, want %d", shown, got, want)
		}
	}
}
