package watch

// queueAlerts are about jobs on their way.
var queueAlerts = []Alert{
	{Name: "OutboxStuck", Severity: Page, For: "2m", Expr: `max(dossier_outbox_oldest_seconds) > 5`,
		Summary: "Staged jobs do not reach the queue: nothing new starts.",
		Example: constant("dossier_outbox_oldest_seconds", "30", "0.2")},
	{Name: "LaneUnserved", Severity: Page, For: "2m",
		Expr:    `max by (lane) (dossier_lane_backlog) > 0 and max by (lane) (dossier_lane_slots) == 0`,
		Summary: "Jobs wait in lane {{ $labels.lane }}, which no worker serves.",
		Example: Example{Fires: []Series{{`dossier_lane_backlog{lane="spread"}`, "3+0x60"},
			{`dossier_lane_slots{lane="spread"}`, "0+0x60"}},
			Quiet: []Series{{`dossier_lane_backlog{lane="spread"}`, "3+0x60"},
				{`dossier_lane_slots{lane="spread"}`, "2+0x60"}}}},
	{Name: "WebhooksLate", Severity: Page, For: "5m", Runbook: "LaneLate",
		Expr:    `max by (lane) (dossier_lane_oldest_seconds{lane="webhook"}) > 10`,
		Summary: "First tries of webhooks wait for longer than 10 s.",
		Example: constant(`dossier_lane_oldest_seconds{lane="webhook"}`, "45", "1")},
	{Name: "LaneLate", Severity: Ticket, For: "5m",
		Expr: `max by (lane) (dossier_lane_oldest_seconds{lane=~"agent|message|system"}) > 60` +
			` or max by (lane) (dossier_lane_oldest_seconds{lane="document"}) > 300` +
			` or max by (lane)` +
			` (dossier_lane_oldest_seconds{lane=~"pipeline|spread|export|import|webhook-retry|model"}) > 900`,
		Summary: "The oldest job of lane {{ $labels.lane }} has been waiting for {{ $value | humanizeDuration }}.",
		Example: constant(`dossier_lane_oldest_seconds{lane="document"}`, "400", "100")},
	{Name: "LanePausedLong", Severity: Ticket, For: "1h", Expr: `max by (lane) (dossier_lane_paused) == 1`,
		Summary: "Lane {{ $labels.lane }} has been paused for an hour.",
		Example: constant(`dossier_lane_paused{lane="export"}`, "1", "0")},
	{Name: "JobsFailing", Severity: Ticket, For: "15m",
		Expr: `sum by (kind) (increase(dossier_jobs_total{outcome="failed"}[15m])) > 20` +
			` and sum by (kind) (increase(dossier_jobs_total{outcome="failed"}[15m]))` +
			` / sum by (kind) (increase(dossier_jobs_total{outcome=~"failed|done"}[15m])) > 0.05`,
		Summary: "Of jobs of kind {{ $labels.kind }} more than 5 % fail for good.",
		Example: Example{Fires: []Series{{`dossier_jobs_total{kind="k",outcome="failed"}`, "0+10x120"},
			{`dossier_jobs_total{kind="k",outcome="done"}`, "0+10x120"}},
			Quiet: []Series{{`dossier_jobs_total{kind="k",outcome="failed"}`, "0+10x120"},
				{`dossier_jobs_total{kind="k",outcome="done"}`, "0+1000x120"}}, After: "1h"}},
	{Name: "HandlersStuck", Severity: Ticket,
		Expr: `sum by (kind) (increase(dossier_jobs_total{outcome="stuck"}[30m])) > 0`,
		Summary: "A handler of {{ $labels.kind }} went on after its time; its slot stays taken until the worker " +
			"restarts.",
		Example: rising(`dossier_jobs_total{kind="k",outcome="stuck"}`, "1")},
	{Name: "WorkersDying", Severity: Ticket,
		Expr:    `sum(increase(dossier_reaper_actions_total{action="lease_expired"}[10m])) > 10`,
		Summary: "Workers lose their jobs: they crash, are killed, or cannot reach Postgres.",
		Example: rising(`dossier_reaper_actions_total{action="lease_expired"}`, "5")},
	{Name: "PoisonJob", Severity: Ticket, Expr: `sum(increase(dossier_reaper_actions_total{action="failed"}[1h])) > 0`,
		Summary: "A job lost its worker on its last try: it may be what kills them.",
		Example: rising(`dossier_reaper_actions_total{action="failed"}`, "1")},
	{Name: "HeartbeatsMissed", Severity: Ticket, Expr: `sum(increase(dossier_heartbeats_missed_total[5m])) > 3`,
		Summary: "Workers cannot renew their leases; soon their jobs are taken away.",
		Example: rising("dossier_heartbeats_missed_total", "2")},
	{Name: "NoLeader", Severity: Page, For: "5m", Expr: `sum(dossier_leader{role="housekeeping"}) == 0`,
		Summary: "No worker reaps leases and keeps the schedule: what a crash leaves behind stays.",
		Example: constant(`dossier_leader{role="housekeeping"}`, "0", "1")},
}
