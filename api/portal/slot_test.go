package portal

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

// A request that waits too long for a slot is refused; a released slot goes to the next.
func TestPortal_slots(t *testing.T) {
	t.Parallel()
	slots := web.NewFairSemaphore(1)
	first, second := &slot{semaphore: slots}, &slot{semaphore: slots}
	if err := first.acquire(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if err := second.acquire(impatient, "a"); dossier.KindOf(err) != dossier.Unavailable {
		t.Errorf("a second slot beside the first: %v", err)
	}
	second.release() // it had none
	first.release()
	first.release()
	if err := second.acquire(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}
