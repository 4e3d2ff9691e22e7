package watch

import "slices"

// Severity is what an alert does to people.
type Severity string

// Severities.
const (
	Page   Severity = "page"   // wakes somebody: customers feel it now, or will soon
	Ticket Severity = "ticket" // somebody looks on the next working day
	Info   Severity = "info"   // nobody need do anything while it is known why
)

// Alert is a rule of Prometheus.
type Alert struct {
	Name     string
	Severity Severity
	For      string // how long it must hold; empty: at once
	Expr     string
	Summary  string
	Runbook  string // file in deploy/runbooks, without .md; empty: the alert's name
	Example  Example
}

// Example shows when an alert fires and when it keeps quiet: promtool plays both.
type Example struct {
	Fires []Series
	Quiet []Series
	After string // since the series began; empty: 30m
}

// Series is a metric's course in promtool's notation, a value a minute.
type Series struct{ Metric, Values string }

// Alerts are all there are: those of the objectives, then those of causes that will be felt.
func Alerts() []Alert {
	var list []Alert
	for _, o := range Objectives {
		list = append(list, o.alerts()...)
	}
	return slices.Concat(list, queueAlerts, serviceAlerts, workAlerts)
}

// constant is one series at two values: the alert fires at the first and not at the second.
func constant(metric, fires, quiet string) Example {
	return Example{Fires: []Series{{metric, fires + "+0x120"}}, Quiet: []Series{{metric, quiet + "+0x120"}},
		After: "2h"}
}

// rising is one counter: it grows by so much a minute, or stands still.
func rising(metric, by string) Example {
	return Example{Fires: []Series{{metric, "0+" + by + "x120"}}, Quiet: []Series{{metric, "7+0x120"}}}
}
