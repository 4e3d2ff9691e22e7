package portal

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier"
)

// Where too many want their turn, those who wait too long are told so; a turn that is left is the next one's.
func TestPortal_turns(t *testing.T) {
	t.Parallel()
	turns := newPortalTurns(1)
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

// One tenant's crowd is no other's line: of those that wait, another workspace's request comes next.
func TestPortal_turns_of_workspaces(t *testing.T) {
	t.Parallel()
	turns := newPortalTurns(1)
	working := turns.wait("crowd")
	crowd := []*waitingTurn{turns.wait("crowd"), turns.wait("crowd"), turns.wait("crowd")}
	other := turns.wait("other")
	come := func(w *waitingTurn) bool {
		select {
		case <-w.comes:
			return true
		default:
			return false
		}
	}
	turns.leave(working)
	if !come(other) || come(crowd[0]) {
		t.Fatal("the other workspace waits behind the crowd")
	}
	turns.leave(other)
	if !come(crowd[0]) || come(crowd[1]) {
		t.Error("the crowd does not go on in its order")
	}
}
