package workers

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// countModel counts questions to the language model, and times those that reached it.
func countModel(registry prometheus.Registerer) (func(outcome string, took time.Duration), error) {
	requests, err := registered(registry, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "dossier_model_requests_total",
		Help: "Questions to the language model: cached, answered, dropped (no answer that may be used), failed."},
		[]string{"outcome"}))
	if err != nil {
		return nil, err
	}
	seconds, err := registered(registry, prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dossier_model_request_seconds", Help: "Time to an answer of the language model.",
		Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 20, 40}}))
	if err != nil {
		return nil, err
	}
	for _, outcome := range []string{"answered", "failed"} { // from the start, so that a first failure is a rise
		requests.WithLabelValues(outcome)
	}
	return func(outcome string, took time.Duration) {
		requests.WithLabelValues(outcome).Inc()
		if outcome != "cached" {
			seconds.Observe(took.Seconds())
		}
	}, nil
}

// registered registers a collector, or finds the one that another worker of this process registered.
func registered[C prometheus.Collector](registry prometheus.Registerer, collector C) (C, error) {
	err := registry.Register(collector)
	var again prometheus.AlreadyRegisteredError
	if errors.As(err, &again) {
		if before, ok := again.ExistingCollector.(C); ok {
			return before, nil
		}
	}
	return collector, err
}
