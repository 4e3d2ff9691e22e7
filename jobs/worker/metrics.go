package worker

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// metrics are what operators watch (resources.md section 11).
type metrics struct {
	// by kind and outcome: done, retry, snoozed, failed, fenced, released, stuck
	jobs        *prometheus.CounterVec
	suppressed  prometheus.Counter
	reaper      *prometheus.CounterVec
	startDelay  *prometheus.HistogramVec
	runTime     *prometheus.HistogramVec
	relayed     prometheus.Counter
	relayErrors prometheus.Counter
	missedBeats prometheus.Counter
	live        prometheus.Gauge
	deliveries  *prometheus.CounterVec
	delivery    prometheus.Histogram

	scrapeErrors *prometheus.CounterVec
	work         workMetrics
	models       modelMetrics
}

func newMetrics(registry prometheus.Registerer, w *Worker) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	buckets := []float64{.005, .01, .02, .03, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}
	m := &metrics{
		jobs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_jobs_total",
			Help: "Tries that ended, by kind of job and outcome."}, []string{"kind", "outcome"}),
		suppressed: counter("dossier_duplicates_suppressed_total",
			"Tasks from the queue that had nothing to do: repeated, cancelled or of an old epoch."),
		reaper: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_reaper_actions_total",
			Help: "Repairs: lease_expired (worker lost, next try), failed (worker lost on the last try), redriven " +
				"(the queue had lost the task), archive_trimmed."}, []string{"action"}),
		startDelay: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "dossier_job_start_delay_seconds",
			Help: "From the staging of a job to its first start.", Buckets: buckets}, []string{"kind"}),
		runTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "dossier_job_run_seconds",
			Help: "Run time of one try.", Buckets: buckets}, []string{"kind"}),
		relayed:     counter("dossier_outbox_relayed_total", "Staged jobs given to the queue."),
		relayErrors: counter("dossier_outbox_relay_errors_total", "Rounds of the relay that failed."),
		missedBeats: counter("dossier_heartbeats_missed_total", "Heartbeats that could not be written."),
		live: prometheus.NewGauge(prometheus.GaugeOpts{Name: "dossier_handlers_live",
			Help: "Handlers that run now, those given up on included."}),
	}
	m.deliveries = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_webhook_attempts_total",
		Help: "Tries of webhook deliveries, by outcome: ok or the class of the error."}, []string{"outcome"})
	m.delivery = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "dossier_webhook_delivery_seconds",
		Help: "From a delivery's making to the endpoint's answer, of first tries that succeeded.", Buckets: buckets})
	connections := func(name, help string, count func(webhooks.Stats) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 { return float64(count(w.Webhooks.Client.Stats())) })
	}
	registry.MustRegister(m.deliveries, m.delivery,
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "dossier_events_set_aside_total",
			Help: "Events that could not be dispatched and were set aside (table event_aside)."},
			func() float64 { return float64(w.db.EventsSetAside()) }),
		connections("dossier_webhook_connections_opened_total", "Connections opened to endpoints.",
			func(s webhooks.Stats) int64 { return s.Opened }),
		connections("dossier_webhook_connections_reused_total",
			"Requests to endpoints on a connection kept from before.",
			func(s webhooks.Stats) int64 { return s.Reused }))
	m.scrapeErrors = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_scrape_errors_total",
		Help: "Figures that could not be had when they were asked for: ledger, queue or figures."}, []string{"source"})
	for _, source := range []string{"ledger", "queue", "figures"} {
		m.scrapeErrors.WithLabelValues(source)
	}
	m.work = newWorkMetrics(registry)
	registry.MustRegister(m.scrapeErrors, &figures{w: w})
	m.models = newModelMetrics(registry, w.Model)
	registry.MustRegister(m.jobs, m.suppressed, m.reaper, m.startDelay, m.runTime, m.relayed, m.relayErrors,
		m.missedBeats, m.live,
		&backlog{w: w})
	for _, action := range []string{"lease_expired", "failed", "redriven", "archive_trimmed"} {
		m.reaper.WithLabelValues(action)
	}
	return m
}

func (m *metrics) outcome(claim postgres.Claim, outcome string) {
	m.jobs.WithLabelValues(claim.Kind, outcome).Inc()
}

func (m *metrics) reaped(action string, n int) {
	m.reaper.WithLabelValues(action).Add(float64(n))
}

func (m *metrics) started(claim postgres.Claim, now time.Time) {
	if claim.Attempt == 1 {
		observe(m.startDelay.WithLabelValues(claim.Kind), now.Sub(claim.CreatedAt), claim.Trace)
	}
}

// observe counts a time, with the trace as an example where there is one to look up.
func observe(histogram prometheus.Observer, took time.Duration, trace string) {
	id := tracing.Kept(trace)
	if with, ok := histogram.(prometheus.ExemplarObserver); ok && id != "" {
		with.ObserveWithExemplar(max(0, took.Seconds()), prometheus.Labels{"trace_id": id})
		return
	}
	histogram.Observe(max(0, took.Seconds()))
}

func (m *metrics) ran(claim postgres.Claim, took time.Duration) {
	m.runTime.WithLabelValues(claim.Kind).Observe(took.Seconds())
}

// delivered counts one try of a delivery.
func (m *metrics) delivered(o postgres.Outgoing, out webhooks.Outcome, now time.Time) {
	outcome := "ok"
	if out.Error != "" {
		outcome = string(out.Error)
	}
	m.deliveries.WithLabelValues(outcome).Inc()
	if out.Error == "" && o.Attempts == 0 {
		observe(m.delivery, now.Sub(o.CreatedAt), o.Trace)
	}
}

// backlog is measured when asked for, at most every few seconds. Postgres answers for age, the queue for length;
// that either is away is itself a figure.
type backlog struct {
	w    *Worker
	mu   sync.Mutex
	at   time.Time
	last []prometheus.Metric
}

var (
	outboxOldest = prometheus.NewDesc("dossier_outbox_oldest_seconds",
		"Age of the oldest staged job that is not in the queue yet.", nil, nil)
	laneOldest = prometheus.NewDesc("dossier_lane_oldest_seconds",
		"How long the oldest due job of a lane has been waiting.", []string{"lane"}, nil)
	laneTasks = prometheus.NewDesc("dossier_lane_tasks", "Tasks in the queue of a lane, by state.",
		[]string{"lane", "state"}, nil)
	laneBacklog = prometheus.NewDesc("dossier_lane_backlog",
		"Due jobs of a lane that wait, in turn or in the queue, by the ledger; each counted up to 10,000.",
		[]string{"lane"}, nil)
	laneRunning = prometheus.NewDesc("dossier_lane_running", "Jobs of a lane that run, by the ledger.",
		[]string{"lane"}, nil)
	laneSlots = prometheus.NewDesc("dossier_lane_slots", "Jobs of a lane that all workers together can run at once.",
		[]string{"lane"}, nil)
	lanePaused = prometheus.NewDesc("dossier_lane_paused", "1 when operators have paused the lane.", []string{"lane"},
		nil)
	redisUp    = prometheus.NewDesc("dossier_redis_up", "1 when Redis answers.", nil, nil)
	postgresUp = prometheus.NewDesc("dossier_postgres_up", "1 when Postgres answers.", nil, nil)
)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{outboxOldest, laneOldest, laneBacklog, laneRunning, laneSlots, laneTasks,
		lanePaused, redisUp, postgresUp} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (b *backlog) Collect(out chan<- prometheus.Metric) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.at) > 5*time.Second {
		b.last = nil
		b.measureLedger()
		b.measureQueue()
		b.at = time.Now()
	}
	for _, metric := range b.last {
		out <- metric
	}
}

func (b *backlog) gauge(desc *prometheus.Desc, value float64, labels ...string) {
	b.last = append(b.last, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...))
}

func (b *backlog) measureLedger() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	age, err := b.w.db.OutboxAge(ctx)
	if err != nil {
		b.w.metrics.scrapeErrors.WithLabelValues("ledger").Inc()
		b.gauge(postgresUp, 0)
		return
	}
	b.gauge(postgresUp, 1)
	b.gauge(outboxOldest, age.Seconds())
	lanes, err := b.w.db.LaneStates(ctx, jobs.Lanes)
	if err != nil {
		b.w.metrics.scrapeErrors.WithLabelValues("ledger").Inc()
		return
	}
	for _, lane := range lanes {
		name := string(lane.Lane)
		b.gauge(laneOldest, lane.Oldest.Seconds(), name)
		b.gauge(laneBacklog, float64(lane.Backlog()), name)
		b.gauge(laneRunning, float64(lane.Running), name)
		paused := 0.0
		if lane.Paused {
			paused = 1
		}
		b.gauge(lanePaused, paused, name)
	}
}

func (b *backlog) measureQueue() {
	away := func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if b.w.Redis.Ping(ctx) == nil {
			return false
		}
		b.w.metrics.scrapeErrors.WithLabelValues("queue").Inc()
		b.gauge(redisUp, 0)
		return true
	}
	if away() {
		return
	}
	for _, lane := range jobs.Lanes {
		info, err := b.w.inspector.GetQueueInfo(string(lane))
		if err != nil && away() { // went away since: asking for the other lanes would keep who scrapes waiting
			return
		}
		if err != nil {
			continue // nothing was ever queued there
		}
		for state, n := range map[string]int{"pending": info.Pending, "active": info.Active,
			"scheduled": info.Scheduled, "retry": info.Retry, "archived": info.Archived} {
			b.gauge(laneTasks, float64(n), string(lane), state)
		}
	}
	b.gauge(redisUp, 1)
	slots := b.w.slots()
	for _, lane := range jobs.Lanes { // also those that nobody serves: 0
		b.gauge(laneSlots, float64(slots[lane]), string(lane))
	}
}
