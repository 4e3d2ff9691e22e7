package bench

import (
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/sizing"
)

// Each unit is told apart by who spends its time, and all that follows from it is done before it is counted.
func TestCost(t *testing.T) {
	t.Parallel()
	r, err := Cost(t.Context(), open(t), 30, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	done := map[string]sizing.Unit{}
	for _, u := range r.Units {
		done[u.Name] = u
	}
	for name, want := range map[string]int{sizing.LeadCreated: 10, sizing.LeadUpdated: 30, sizing.Document: 2, sizing.Scan: 1,
		sizing.Delivery: 100} {
		if done[name].Done != want {
			t.Errorf("%s: %+v, want %d done", name, done[name], want)
		}
	}
	if u := done[sizing.LeadCreated]; u.CPU.API+u.CPU.Postgres <= 0 || u.WAL <= 0 { // ten leads may cost less than idling
		t.Errorf("%+v", u)
	}
	if u := done[sizing.Scan]; u.CPU.Worker <= done[sizing.LeadUpdated].CPU.Worker {
		t.Errorf("reading costs less than an update: %+v", u)
	}
}
