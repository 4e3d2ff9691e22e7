package web

import (
	"context"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
)

// While two tenants call, a crowd of one waits for its own calls; the other's begin at once.
func TestShares_of_tenants(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	shares := NewShares(1, time.Millisecond, func() time.Time { return now })
	begins := func(ws dossier.WorkspaceID) chan struct{} { return shares.enter(ws) }
	for range 3 {
		if begins("crowd") != nil {
			t.Fatal("a tenant that is alone has to wait")
		}
	}
	now = now.Add(2 * sharing) // for which they are at work
	for range 3 {
		if begins("other") != nil {
			t.Fatal("the other tenant has to wait, which calls now and then")
		}
	}
	for range 2 {
		shares.leave("other")
	}
	first, second := begins("crowd"), begins("crowd")
	if first == nil || second == nil {
		t.Fatal("the crowd goes on beside the other tenant")
	}
	come := func(turn chan struct{}) bool {
		select {
		case <-turn:
			return true
		default:
			return false
		}
	}
	shares.leave("crowd")
	shares.leave("crowd")
	if come(first) {
		t.Error("a third call of the crowd begins while one is at work")
	}
	shares.leave("crowd")
	if !come(first) || come(second) {
		t.Error("the next of the crowd is not who has waited longest")
	}
	now = now.Add(sharing + time.Millisecond)
	for range 2 {
		if begins("other") != nil {
			t.Error("long after the last call of the crowd the other is not alone")
		}
	}
}

// A call whose tenant's others wait for something does not wait for ever, and counts as at work.
func TestShares_patience(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	shares := NewShares(1, time.Millisecond, func() time.Time { return now })
	endOther := shares.Begin(t.Context(), "other")
	endHeld := shares.Begin(t.Context(), "crowd")
	now = now.Add(2 * sharing)
	shares.Begin(t.Context(), "other")()
	gone, leave := context.WithCancel(t.Context())
	leave()
	endSecond := shares.Begin(gone, "crowd")
	endThird := shares.Begin(t.Context(), "crowd") // after its patience
	if n := shares.tenants["crowd"].atWork; n != 3 {
		t.Errorf("%d calls at work, want 3", n)
	}
	for _, end := range []func(){endOther, endHeld, endSecond, endThird} {
		end()
	}
	now = now.Add(4 * sharing)
	shares.Begin(t.Context(), "third")()
	if len(shares.tenants) != 1 {
		t.Errorf("%d tenants are kept that have nothing at work", len(shares.tenants))
	}
}
