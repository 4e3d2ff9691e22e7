package setup

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/dossierhq/dossier/storage/postgres"
)

// newMetrics is the registry of a process with what every process tells.
func newMetrics(db *postgres.DB, release string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(buildInfo(release)...)
	registry.MustRegister(pools{db}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

// buildInfo says what this process is.
func buildInfo(release string) []prometheus.Collector {
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "dossier_build_info",
		Help: "1, with the release of this process and the schema it works with."}, []string{"version", "schema"})
	build.WithLabelValues(release, strconv.FormatInt(postgres.SchemaVersion(), 10)).Set(1)
	wanted := prometheus.NewGauge(prometheus.GaugeOpts{Name: "dossier_schema_wanted_version",
		Help: "Version of the schema that this process works with."})
	wanted.Set(float64(postgres.SchemaVersion()))
	return []prometheus.Collector{build, wanted}
}

// pools tells how busy the connections to Postgres are.
type pools struct{ db *postgres.DB }

var (
	poolConnections = prometheus.NewDesc("dossier_db_pool_connections",
		"Connections to Postgres of this process, by pool (tenant, system) and state (busy, idle, most).",
		[]string{"pool", "state"}, nil)
	poolWaits = prometheus.NewDesc("dossier_db_pool_waits_total",
		"How often somebody found no free connection and waited for one.", []string{"pool"}, nil)
	poolWaited = prometheus.NewDesc("dossier_db_pool_wait_seconds_total", "How long they waited, together.",
		[]string{"pool"}, nil)
)

// Describe implements prometheus.Collector.
func (p pools) Describe(out chan<- *prometheus.Desc) {
	out <- poolConnections
	out <- poolWaits
	out <- poolWaited
}

// Collect implements prometheus.Collector.
func (p pools) Collect(out chan<- prometheus.Metric) {
	for _, s := range p.db.Pools() {
		for state, n := range map[string]int{"busy": s.Busy, "idle": s.Idle, "most": s.Most} {
			out <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(n), s.Name, state)
		}
		out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(s.Waits), s.Name)
		out <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, s.Waited.Seconds(), s.Name)
	}
}
