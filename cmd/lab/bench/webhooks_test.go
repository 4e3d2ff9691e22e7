package bench

import (
	"testing"
	"time"
)

// Every event offered is counted exactly once at the receiver: alone, and beside endpoints that fail.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	s := open(t)
	r, err := Webhooks(t.Context(), s, WebhooksOptions{Rate: 100, For: time.Second, Endpoints: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Deliveries.Jobs < 50 || r.Lost != 0 || r.Duplicates != 0 || r.Bare.Jobs == 0 || r.AtOnce.Jobs == 0 || r.SQL <= 0 || r.IdleSQL <= 0 || r.Latency.P50 <= 0 {
		t.Errorf("%+v", r)
	}
	slow, err := SlowEndpoint(t.Context(), s, 40, 20, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, round := range slow.Rounds {
		if round.Lost != 0 || round.Duplicates != 0 || round.Normal.Samples < 10 || round.Beside.Samples < 10 || round.Ratio <= 0 {
			t.Errorf("%+v", round)
		}
	}
}

// The bad neighbour tries in each way, and the other tenant loses nothing.
func TestTwoTenants(t *testing.T) {
	t.Parallel()
	s := open(t)
	r, err := TwoTenants(t.Context(), s, time.Second, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Ways) != 9 || r.Quiet.Calls.P99 <= 0 || r.Quiet.Deliveries.Samples == 0 {
		t.Errorf("%+v", r)
	}
	for _, way := range r.Ways {
		if way.Tried == 0 || way.Calls.Failed != 0 || way.Lost != 0 || way.Duplicates != 0 || way.CallsRatio <= 0 {
			t.Errorf("%+v", way)
		}
	}
}
