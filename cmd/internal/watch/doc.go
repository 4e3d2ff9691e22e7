// Package watch says what is worth watching: objectives, alerts and dashboards, each in one table. What Prometheus and
// Grafana read (deploy/prometheus, deploy/grafana) is written from the tables by a test (-update) that also holds them
// to the metrics which the programs register and to the runbooks in deploy/runbooks.
package watch
