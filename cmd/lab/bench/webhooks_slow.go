package bench

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/dossierhq/dossier"
)

// SlowEndpointResult says what endpoints that answer feel of others that do not.
type SlowEndpointResult struct {
	Name    string        `json:"name"`
	Machine Machine       `json:"machine"`
	Rounds  []TroubleMade `json:"rounds"`
}

// TroubleMade is one kind of trouble: the same healthy endpoints get the same rate of events without it and beside it.
type TroubleMade struct {
	Trouble    string  `json:"trouble"`
	Healthy    int     `json:"healthyEndpoints"`
	Ill        int     `json:"illEndpoints"`
	Rate       int     `json:"healthyEventsPerSecond"`
	IllRate    int     `json:"illEventsPerSecond"`
	Normal     Latency `json:"normal"`
	Beside     Latency `json:"beside"`
	Ratio      float64 `json:"p99Ratio"` // beside to normal
	Lost       int     `json:"lost"`
	Duplicates int     `json:"duplicates"`
}

// SlowEndpoint measures twice: beside one endpoint that never answers and gets half of the events, and with a tenth of
// 1,000 endpoints (or as many as many says) failing: hanging, slow, resetting, redirecting, answering 500, or not
// listening. rate is of the healthy endpoints of the first; 0 means 400. In the second it is half of that.
func SlowEndpoint(ctx context.Context, s *Stack, rate, many int, lasting time.Duration) (SlowEndpointResult, error) {
	r := SlowEndpointResult{Name: "webhooks-slow-endpoint", Machine: s.About}
	if rate == 0 {
		rate = 400
	}
	half := TroubleMade{Trouble: "one endpoint hangs and gets half of the events", Healthy: 10, Ill: 1, Rate: rate,
		IllRate: rate}
	tenth := TroubleMade{Trouble: "a tenth of the endpoints fail in different ways", Healthy: many - many/10,
		Ill: many / 10, Rate: rate / 2, IllRate: rate / 20}
	for _, round := range []TroubleMade{half, tenth} {
		if err := s.trouble(ctx, &round, lasting); err != nil {
			return r, err
		}
		r.Rounds = append(r.Rounds, round)
	}
	return r, nil
}

func (s *Stack) trouble(ctx context.Context, r *TroubleMade, lasting time.Duration) error {
	d, err := s.delivering(ctx)
	if err != nil {
		return err
	}
	defer d.close()
	healthy, err := d.register(ctx, r.Healthy, func(int) string { return d.sink.url })
	if err != nil {
		return err
	}
	ill, err := d.register(ctx, r.Ill, func(i int) string {
		if r.Ill > 1 && i%(len(failureModes)+1) == len(failureModes) {
			return "http://127.0.0.1:9" // nobody listens
		}
		return d.sink.url + failureModes[i%len(failureModes)]
	})
	if err != nil {
		return err
	}
	d.start()
	if err := d.warm(ctx, r.Rate, healthy); err != nil {
		return err
	}
	normal, err := d.generate(ctx, r.Rate, lasting, func(i int) (dossier.WebhookID,
		bool) {
		return healthy[i%len(healthy)], true
	})
	if err != nil {
		return err
	}
	got := d.await(ctx, normal)
	every := (r.Rate + r.IllRate) / r.IllRate // one in so many is for an ill endpoint
	var next atomic.Int64
	beside, err := d.generate(ctx, r.Rate+r.IllRate, lasting, func(i int) (dossier.WebhookID, bool) {
		if i%every == 0 {
			return ill[i/every%len(ill)], false
		}
		return healthy[int(next.Add(1))%len(healthy)], true
	})
	if err != nil {
		return err
	}
	troubled := d.await(ctx, beside)
	r.Normal, r.Beside = latency(got.samples), latency(troubled.samples)
	r.Ratio = round(r.Beside.P99 / r.Normal.P99)
	r.Lost, r.Duplicates = got.lost+troubled.lost, got.duplicates+troubled.duplicates
	return nil
}
