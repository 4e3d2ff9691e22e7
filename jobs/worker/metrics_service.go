package worker

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/storage/postgres"
)

// figures are counted over all tenants when asked for, at most every few seconds; every worker says the same.
type figures struct {
	w    *Worker
	mu   sync.Mutex
	at   time.Time
	last []prometheus.Metric
}

const figuresKept = 15 * time.Second

var (
	schemaVersion = prometheus.NewDesc("dossier_schema_version", "Version of the database's schema.", nil, nil)
	endpoints     = prometheus.NewDesc("dossier_webhook_endpoints",
		"Webhook endpoints: enabled, breaker_open (enabled, and left alone for a while) or disabled.",
		[]string{"state"},
		nil)
	reviewOpen = prometheus.NewDesc("dossier_review_open",
		"Checklist items that wait for a person's judgement; counted up to 10,000.", nil, nil)
	reviewOldest = prometheus.NewDesc("dossier_review_oldest_seconds",
		"How long the item that waits longest for a person has not been touched.", nil, nil)
	retentionDue = prometheus.NewDesc("dossier_retention_due",
		"Erasures whose day has come and that are not done; counted up to 10,000.", nil, nil)
	retentionOldest = prometheus.NewDesc("dossier_retention_oldest_seconds",
		"How long the first of them has been due.", nil, nil)
	holds    = prometheus.NewDesc("dossier_holds", "Legal holds that stand.", nil, nil)
	backupAt = prometheus.NewDesc("dossier_backup_last_success_timestamp_seconds",
		"When the last backup succeeded; before the first one, when the database was made.", nil, nil)
	drillAt = prometheus.NewDesc("dossier_restore_drill_last_success_timestamp_seconds",
		"When a backup was last restored for practice; before the first time, when the database was made.", nil, nil)
	archiveLag = prometheus.NewDesc("dossier_wal_archive_lag_seconds",
		"Since the server's archiving of WAL last worked, while it fails; 0 when it works. Absent: it "+
			"does not archive.",
		nil, nil)
)

// Describe implements prometheus.Collector.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{schemaVersion, endpoints, reviewOpen, reviewOldest, retentionDue,
		retentionOldest, holds, archiveLag, backupAt, drillAt} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) > figuresKept {
		f.last = f.measure()
		f.at = time.Now()
	}
	for _, metric := range f.last {
		out <- metric
	}
}

func (f *figures) measure() []prometheus.Metric {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	found, err := f.w.db.Figures(ctx)
	if err != nil {
		f.w.metrics.scrapeErrors.WithLabelValues("figures").Inc()
		return nil
	}
	return figureMetrics(found)
}

func figureMetrics(found postgres.Figures) []prometheus.Metric {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
		return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	list := []prometheus.Metric{
		gauge(schemaVersion, float64(found.Schema)),
		gauge(endpoints, float64(found.EndpointsEnabled), "enabled"),
		gauge(endpoints, float64(found.EndpointsOpen), "breaker_open"),
		gauge(endpoints, float64(found.EndpointsOff), "disabled"),
		gauge(reviewOpen, float64(found.ReviewOpen)), gauge(reviewOldest, found.ReviewOldest.Seconds()),
		gauge(retentionDue, float64(found.ErasuresDue)), gauge(retentionOldest, found.ErasuresOldest.Seconds()),
		gauge(holds, float64(found.Holds)),
	}
	for desc, at := range map[*prometheus.Desc]time.Time{backupAt: found.BackupAt, drillAt: found.DrillAt} {
		if !at.IsZero() {
			list = append(list, gauge(desc, float64(at.Unix())))
		}
	}
	if found.Archiving {
		list = append(list, gauge(archiveLag, found.ArchiveLag.Seconds()))
	}
	return list
}
