package bench

import (
	"fmt"
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
	r, err := TwoTenants(t.Context(), s, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Ways) != 8 || r.Quiet.Calls.P99 <= 0 || r.Quiet.Deliveries.Samples == 0 {
		t.Errorf("%+v", r)
	}
	for _, way := range r.Ways {
		if way.Tried == 0 || way.Calls.Failed != 0 || way.Lost != 0 || way.Duplicates != 0 || way.CallsRatio <= 0 {
			t.Errorf("%+v", way)
		}
	}
}

// Beside a model of every kind documents are read by rules and judged; what it is and gives shows in them.
func TestSecondReader(t *testing.T) {
	t.Parallel()
	s := open(t)
	r, err := SecondReader(t.Context(), s, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, one := range r.Kinds {
		got += fmt.Sprintf("%s: %d warned, %d filled, asked %t; ", one.Model, one.Warned, one.Filled, one.Asked > 0)
		if one.Seconds <= 0 || one.Ratio <= 0 {
			t.Errorf("%+v", one)
		}
	}
	if want := "off: 0 warned, 0 filled, asked false; away: 1 warned, 0 filled, asked false; slow: 0 warned, 0 filled, asked true; " +
		"budget: 1 warned, 0 filled, asked false; right: 0 warned, 1 filled, asked true; "; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
