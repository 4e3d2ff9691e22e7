package portal

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier"
)

func TestWatch_has_a_cap(t *testing.T) {
	t.Parallel()
	w := newPortalWatch(func(context.Context, dossier.WorkspaceID, []dossier.LeadID) (map[dossier.LeadID]string, error) {
		return nil, nil
	})
	for range portalLeadTabs {
		if _, leave, err := w.join("workspace", "lead", ""); err != nil {
			t.Fatal(err)
		} else {
			t.Cleanup(leave)
		}
	}
	if _, _, err := w.join("workspace", "lead", ""); err == nil {
		t.Error("one lead may hold as many streams as it likes")
	}
	if _, leave, err := w.join("workspace", "another", ""); err != nil {
		t.Error(err)
	} else {
		leave()
	}
}
