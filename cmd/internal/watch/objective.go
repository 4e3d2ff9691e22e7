package watch

import (
	"fmt"
	"strings"
)

// Objective is a promise to customers that can be counted: of all, so many are good.
type Objective struct {
	Name    string  // as alerts begin
	Says    string  // the promise, in words
	Percent float64 // of all that must be good, over 30 days
	Bad     string  // rate of what was not good, with %s for the window
	All     string  // rate of all, with %s for the window
	Example Example // of the fast alert
}

// Objectives are what is promised. Limits of buckets are matched in both forms: Prometheus 3, and the format with
// exemplars, write 10 as 10.0.
var Objectives = []Objective{
	{Name: "Api", Percent: 99.9, Says: "the API answers without a fault of its own",
		Bad: `(sum(rate(dossier_http_request_seconds_count{status=~"5.."}[%s])) or vector(0))`,
		All: `sum(rate(dossier_http_request_seconds_count[%s]))`,
		Example: Example{Fires: []Series{
			{`dossier_http_request_seconds_count{route="r",status="200"}`, "0+90x600"},
			{`dossier_http_request_seconds_count{route="r",status="503"}`, "0+10x600"}},
			Quiet: []Series{{`dossier_http_request_seconds_count{route="r",status="200"}`, "0+9999x600"},
				{`dossier_http_request_seconds_count{route="r",status="503"}`, "0+1x600"}}, After: "8h"}},
	{Name: "Delivery", Percent: 99, Says: "a webhook's first try, where it succeeds, has done so within 10 s of its " +
		"event",
		Bad: `(sum(rate(dossier_webhook_delivery_seconds_count[%[1]s])) - ` +
			`sum(rate(dossier_webhook_delivery_seconds_bucket{le=~"10(.0)?"}[%[1]s])))`,
		All: `sum(rate(dossier_webhook_delivery_seconds_count[%s]))`,
		Example: Example{Fires: []Series{{`dossier_webhook_delivery_seconds_count`, "0+100x600"},
			{`dossier_webhook_delivery_seconds_bucket{le="10"}`, "0+50x600"}},
			Quiet: []Series{{`dossier_webhook_delivery_seconds_count`, "0+1000x600"},
				{`dossier_webhook_delivery_seconds_bucket{le="10"}`, "0+999x600"}}, After: "8h"}},
	{Name: "Reading", Percent: 99, Says: "an uploaded document begins to be read within a minute",
		Bad: `(sum(rate(dossier_job_start_delay_seconds_count{kind="document.extract"}[%[1]s])) - ` +
			`sum(rate(dossier_job_start_delay_seconds_bucket{kind="document.extract",le=~"60(.0)?"}[%[1]s])))`,
		All: `sum(rate(dossier_job_start_delay_seconds_count{kind="document.extract"}[%s]))`,
		Example: Example{Fires: []Series{{`dossier_job_start_delay_seconds_count{kind="document.extract"}`,
			"0+100x600"},
			{`dossier_job_start_delay_seconds_bucket{kind="document.extract",le="60"}`, "0+50x600"}},
			Quiet: []Series{{`dossier_job_start_delay_seconds_count{kind="document.extract"}`, "0+1000x600"},
				{`dossier_job_start_delay_seconds_bucket{kind="document.extract",le="60"}`, "0+999x600"}},
			After: "8h"}},
}

// A budget is what may go wrong in 30 days. Burnt 14.4 times as fast as that lasts, an hour takes 2 % of it: somebody
// gets up. Six times: six hours take 5 %, and it waits for the morning. The short window ends the alert soon after.
var burns = []struct {
	name, long, short string
	times             float64
	severity          Severity
}{{"Fast", "1h", "5m", 14.4, Page}, {"Slow", "6h", "30m", 6, Ticket}}

// Ratio is the share of what was not good within a window.
func (o Objective) Ratio(window string) string {
	return fill(o.Bad, window) + " / " + fill(o.All, window)
}

func fill(text, window string) string {
	if strings.Contains(text, "%[1]s") {
		return fmt.Sprintf(text, window)
	}
	return strings.ReplaceAll(text, "%s", window)
}

// alerts are those that say the budget burns.
func (o Objective) alerts() []Alert {
	var list []Alert
	for _, b := range burns {
		limit := fmt.Sprintf("%.5g", b.times*(100-o.Percent)/100)
		list = append(list, Alert{Name: o.Name + "Burn" + b.name, Severity: b.severity, For: "2m",
			Runbook: o.Name + "Burn",
			Expr:    fmt.Sprintf("%s > %s and %s > %s", o.Ratio(b.long), limit, o.Ratio(b.short), limit),
			Summary: fmt.Sprintf("Promised: %s, in %v %% of cases. The budget burns %v times too fast.", o.Says,
				o.Percent, b.times),
			Example: o.Example})
	}
	return list
}
