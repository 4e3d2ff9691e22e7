package bench

import (
	"testing"
	"time"
)

// Every event offered is counted exactly once at the receiver, beside endpoints that never answer.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	s := open(t)
	r, err := Webhooks(t.Context(), s, WebhooksOptions{Rate: 100, For: time.Second, Endpoints: 2, Hanging: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Deliveries.Jobs < 50 || r.Lost != 0 || r.Duplicates != 0 || r.Bare.Jobs == 0 || r.SQL <= 0 || r.Latency.P50 <= 0 {
		t.Errorf("%+v", r)
	}
}
