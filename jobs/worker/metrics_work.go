package worker

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres"
)

// workMetrics are of the work itself: what was read, sent and erased.
type workMetrics struct {
	leader   *prometheus.GaugeVec
	readTime *prometheus.HistogramVec
	read     *prometheus.CounterVec
	parsers  *prometheus.CounterVec
	messages *prometheus.CounterVec
	erasures *prometheus.CounterVec
}

// housekeeper is the role of the process that reaps and keeps the schedule.
const housekeeper = "housekeeping"

func newWorkMetrics(registry prometheus.Registerer) workMetrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := workMetrics{
		leader: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "dossier_leader",
			Help: "1 in the one process that has the role; 0 in those that wait for it."}, []string{"role"}),
		readTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "dossier_document_read_seconds",
			Help:    "Time to read an uploaded file, by what it was read from; none: it was refused.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320}}, []string{"layer"}),
		read: counter("dossier_documents_read_total",
			"Documents found in uploads (read), and uploads that were refused, by type and outcome.", "doc_type",
			"outcome"),
		parsers: counter("dossier_parser_exits_total",
			"How parser processes ended: ok, the reason of a refusal, or fault (ours).", "reason"),
		messages: counter("dossier_messages_total",
			"Calls of providers of messages: sent, refused, unknown or failed.", "channel", "outcome"),
		erasures: counter("dossier_erasures_total", "Erasures that were begun: complete, or put_off.", "outcome"),
	}
	registry.MustRegister(m.leader, m.readTime, m.read, m.parsers, m.messages, m.erasures)
	m.leader.WithLabelValues(housekeeper)
	m.erasures.WithLabelValues("complete")
	for _, c := range dossier.Channels { // from the start, so that a first failure is a rise
		for _, outcome := range []string{"sent", "failed", "unknown"} {
			m.messages.WithLabelValues(string(c), outcome)
		}
	}
	return m
}

// reading counts one file that was read, or not.
func (m workMetrics) reading(reading sandbox.Reading, err error, took time.Duration) {
	switch {
	case err != nil:
		m.parsers.WithLabelValues("fault").Inc()
	case reading.Refusal != nil:
		m.parsers.WithLabelValues(reading.Refusal.Code).Inc()
		m.read.WithLabelValues("none", reading.Refusal.Code).Inc()
		m.readTime.WithLabelValues("none").Observe(took.Seconds())
	case reading.Extraction != nil:
		m.parsers.WithLabelValues("ok").Inc()
		for _, d := range reading.Extraction.Documents {
			m.read.WithLabelValues(string(d.DocType), "read").Inc()
		}
		m.readTime.WithLabelValues(reading.Extraction.Layer).Observe(took.Seconds())
	}
}

// countSends has each call of a provider counted.
func (m workMetrics) countSends(carriers *channel.Carriers) postgres.Send {
	return func(ctx context.Context, out dossier.Outgoing) (dossier.SendResult, error) {
		result, err := carriers.Send(ctx, out)
		outcome := "sent"
		switch {
		case err != nil:
			outcome = "failed"
		case result.Refused != nil:
			outcome = "refused"
		case result.Unknown:
			outcome = "unknown"
		}
		m.messages.WithLabelValues(string(out.Channel), outcome).Inc()
		return result, err
	}
}
