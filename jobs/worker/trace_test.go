package worker

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// While nobody traces, a try and a delivery allocate no more than they did, whatever their rows kept from before.
func TestTraced_off_costs_nothing(t *testing.T) {
	ctx := context.Background()
	claim := postgres.Claim{Job: "j", Kind: "document.extract", RequestID: "r",
		Trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	endpoint, delivery := postgres.Endpoint{}, postgres.Outgoing{Trace: claim.Trace}
	allocs := testing.AllocsPerRun(100, func() {
		under, span := traced(ctx, claim)
		if under != ctx {
			t.Error("something is kept")
		}
		span.End("")
		endPost(tracedPost(ctx, endpoint, delivery), webhooks.Outcome{})
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
