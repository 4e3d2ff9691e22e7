package report

import (
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/analytics"
)

// Times to complete are drawn in the unit that suits the longest, and written out in their own.
func TestWrite_times(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for took, want := range map[time.Duration]struct{ unit, cell string }{
		90 * time.Minute: {"minutes", "90 minutes"}, 30 * time.Hour: {"hours", "30.0 hours"}, 120 * time.Hour: {"days", "5.0 days"},
	} {
		var s analytics.Summary
		done := created.Add(took)
		s.Add(dossier.LeadReport{CreatedAt: created, CompletedAt: &done})
		var page strings.Builder
		if err := Write(&page, Report{Workspace: "Acme", Made: created, Summary: &s}); err != nil {
			t.Fatal(err)
		}
		_, section, _ := strings.Cut(page.String(), `<section id="times"`)
		if !strings.Contains(section, "in "+want.unit+".") || !strings.Contains(section, "<td>"+want.cell+"</td>") {
			t.Errorf("%v: not in %s, or not as %s", took, want.unit, want.cell)
		}
	}
}
