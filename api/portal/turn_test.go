package portal

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// Where too many want their turn, those who wait too long are told so; a turn that is left is the next one's.
func TestPortal_turns(t *testing.T) {
	t.Parallel()
	turns := web.NewTurns(1)
	first, second := &turn{turns: turns}, &turn{turns: turns}
	if err := first.take(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.take(impatient, "a"); dossier.KindOf(err) != dossier.Unavailable {
		t.Errorf("a second turn beside the first: %v", err)
	}
	second.leave() // it had none
	first.leave()
	first.leave()
	if err := second.take(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}
