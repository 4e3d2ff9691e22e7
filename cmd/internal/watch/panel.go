package watch

// Panel is one picture of a dashboard.
type Panel struct {
	Title string
	Says  string // what one looks for
	Unit  string // of Grafana: s, reqps, percentunit, short
	Lines []Line
}

// Line is a query and its legend.
type Line struct{ Expr, Legend string }

// Dashboard is a page of panels.
type Dashboard struct {
	UID, Title string
	Panels     []Panel
}

// Dashboards are all there are.
var Dashboards = []Dashboard{
	{"dossier-service", "Dossier: service", []Panel{
		{"Requests", "What comes in, by status.", "reqps",
			[]Line{{`sum by (status) (rate(dossier_http_request_seconds_count[$__rate_interval]))`, "{{status}}"}}},
		{"Errors of ours", "Share of answers that begin with 5. The promise is 0.1 %.", "percentunit",
			[]Line{{Objectives[0].Ratio("$__rate_interval"), "errors"}}},
		{"Budget left", "Of what may go wrong in 30 days. Below nothing, the promise is broken.", "percentunit",
			[]Line{{`1 - (` + Objectives[0].Ratio("30d") + `) / 0.001`, "budget"}}},
		{"Slow answers", "Of a hundred requests to a route, one takes longer.", "s",
			[]Line{{`topk(10, histogram_quantile(0.99, sum by (route, le) ` +
				`(rate(dossier_http_request_seconds_bucket[$__rate_interval]))))`, "{{route}}"}}},
		{"Releases", "More than one for long: an upgrade has stuck.", "short",
			[]Line{{`count by (version, schema) (dossier_build_info)`, "{{version}} schema {{schema}}"}}},
		{"Who leads", "One process, always.", "short", []Line{{`sum by (role) (dossier_leader)`, "{{role}}"}}},
	}},
	{"dossier-lanes", "Dossier: lanes", []Panel{
		{"Waiting", "Due jobs by lane; each counted up to 10,000.", "short",
			[]Line{{`max by (lane) (dossier_lane_backlog)`, "{{lane}}"}}},
		{"Oldest", "How long the first in line has been waiting.", "s",
			[]Line{{`max by (lane) (dossier_lane_oldest_seconds)`, "{{lane}}"}}},
		{"Slots in use", "At 1 for long, a lane wants more workers.", "percentunit",
			[]Line{{`max by (lane) (dossier_lane_running) / (max by (lane) (dossier_lane_slots) > 0)`, "{{lane}}"}}},
		{"Paused", "1: somebody stopped the lane.", "short",
			[]Line{{`max by (lane) (dossier_lane_paused)`, "{{lane}}"}}},
		{"In the queue", "Tasks that Redis has, by state.", "short",
			[]Line{{`sum by (state) (max by (lane, state) (dossier_lane_tasks))`, "{{state}}"}}},
		{"Outbox", "Age of the oldest job that is not in the queue yet; and how many are handed over.", "s",
			[]Line{{`max(dossier_outbox_oldest_seconds)`, "oldest"}}},
		{"Handed to the queue", "Jobs a second, and rounds that failed.", "reqps",
			[]Line{{`sum(rate(dossier_outbox_relayed_total[$__rate_interval]))`, "handed over"},
				{`sum(rate(dossier_outbox_relay_errors_total[$__rate_interval]))`, "failed"}}},
		{"How tries end", "By outcome.", "reqps",
			[]Line{{`sum by (outcome) (rate(dossier_jobs_total[$__rate_interval]))`, "{{outcome}}"}}},
		{"Run time", "Nine of ten tries of a kind take no longer.", "s",
			[]Line{{`histogram_quantile(0.9, sum by (kind, le) ` +
				`(rate(dossier_job_run_seconds_bucket[$__rate_interval])))`, "{{kind}}"}}},
		{"Start delay", "Nine of ten jobs of a kind start within.", "s",
			[]Line{{`histogram_quantile(0.9, sum by (kind, le) ` +
				`(rate(dossier_job_start_delay_seconds_bucket[$__rate_interval])))`, "{{kind}}"}}},
		{"Repairs", "What crashes and a forgetful queue left behind.", "short",
			[]Line{{`sum by (action) (increase(dossier_reaper_actions_total[$__rate_interval]))`, "{{action}}"},
				{`sum(increase(dossier_duplicates_suppressed_total[$__rate_interval]))`, "repeats suppressed"},
				{`sum(increase(dossier_heartbeats_missed_total[$__rate_interval]))`, "heartbeats missed"}}},
		{"Handlers", "That live now, also those given up on.", "short",
			[]Line{{`sum(dossier_handlers_live)`, "handlers"}}},
	}},
	{"dossier-webhooks", "Dossier: webhooks", []Panel{
		{"Delivery time", "From the event to the endpoint's answer, of first tries that succeeded.", "s",
			[]Line{{`histogram_quantile(0.5, sum by (le) ` +
				`(rate(dossier_webhook_delivery_seconds_bucket[$__rate_interval])))`, "half"},
				{`histogram_quantile(0.99, sum by (le) ` +
					`(rate(dossier_webhook_delivery_seconds_bucket[$__rate_interval])))`, "99 of 100"}}},
		{"Tries", "By outcome: ok, or the class of the error.", "reqps",
			[]Line{{`sum by (outcome) (rate(dossier_webhook_attempts_total[$__rate_interval]))`, "{{outcome}}"}}},
		{"Endpoints", "Those with an open breaker are left alone for a while; disabled ones get nothing.", "short",
			[]Line{{`max by (state) (dossier_webhook_endpoints)`, "{{state}}"}}},
		{"Connections", "Opened and reused; many opened means endpoints that close.", "reqps",
			[]Line{{`sum(rate(dossier_webhook_connections_opened_total[$__rate_interval]))`, "opened"},
				{`sum(rate(dossier_webhook_connections_reused_total[$__rate_interval]))`, "reused"}}},
		{"Set aside", "Events that could not be dispatched: none, ever.", "short",
			[]Line{{`sum(dossier_events_set_aside_total)`, "events"}}},
	}},
	{"dossier-documents", "Dossier: documents", []Panel{
		{"Reading time", "Nine of ten files are read within, by what they were read from.", "s",
			[]Line{{`histogram_quantile(0.9, sum by (layer, le) ` +
				`(rate(dossier_document_read_seconds_bucket[$__rate_interval])))`, "{{layer}}"}}},
		{"Documents", "Found in uploads, by type.", "reqps",
			[]Line{{`sum by (doc_type) (rate(dossier_documents_read_total{outcome="read"}[$__rate_interval]))`,
				"{{doc_type}}"}}},
		{"Refused", "Uploads that could not be read, by reason.", "reqps",
			[]Line{{`sum by (outcome) (rate(dossier_documents_read_total{outcome!="read"}[$__rate_interval]))`,
				"{{outcome}}"}}},
		{"Parsers", "How they end; fault is ours.", "reqps",
			[]Line{{`sum by (reason) (rate(dossier_parser_exits_total[$__rate_interval]))`, "{{reason}}"}}},
		{"Sandbox", "0: some worker reads uploads without its walls.", "short",
			[]Line{{`min(dossier_parser_sandbox)`, "walls"}}},
		{"Language model", "Questions, by how they ended.", "reqps",
			[]Line{{`sum by (outcome) (rate(dossier_model_requests_total[$__rate_interval]))`, "{{outcome}}"}}},
		{"Language model, time", "Nine of ten answers come within.", "s",
			[]Line{{`histogram_quantile(0.9, sum by (le) ` +
				`(rate(dossier_model_request_seconds_bucket[$__rate_interval])))`, "answer"}}},
	}},
	{"dossier-review", "Dossier: people", []Panel{
		{"Waiting for a person", "Items that no rule decided.", "short", []Line{{`max(dossier_review_open)`, "items"}}},
		{"Oldest", "How long the first of them has been left alone.", "s",
			[]Line{{`max(dossier_review_oldest_seconds)`, "oldest"}}},
		{"Messages", "To leads, by channel and outcome.", "reqps",
			[]Line{{`sum by (channel, outcome) (rate(dossier_messages_total[$__rate_interval]))`,
				"{{channel}} {{outcome}}"}}},
		{"Overdue erasures", "What should be gone and is not.", "short",
			[]Line{{`max(dossier_retention_due)`, "erasures"}}},
		{"Oldest erasure", "How long it has been due.", "s",
			[]Line{{`max(dossier_retention_oldest_seconds)`, "oldest"}}},
		{"Erasures", "Done, and put off by a hold or a floor.", "short",
			[]Line{{`sum by (outcome) (increase(dossier_erasures_total[$__rate_interval]))`, "{{outcome}}"},
				{`max(dossier_holds)`, "holds that stand"}}},
	}},
	{"dossier-stores", "Dossier: stores", []Panel{
		{"Postgres and Redis", "1: some worker reaches it.", "short",
			[]Line{{`max(dossier_postgres_up)`, "Postgres"}, {`max(dossier_redis_up)`, "Redis"}}},
		{"Connections", "Of all processes, by pool and state.", "short",
			[]Line{{`sum by (pool, state) (dossier_db_pool_connections)`, "{{pool}} {{state}}"}}},
		{"Waiting for a connection", "How often, and how long on average.", "s",
			[]Line{{`sum by (pool) (rate(dossier_db_pool_wait_seconds_total[$__rate_interval])) / ` +
				`clamp_min(sum by (pool) (rate(dossier_db_pool_waits_total[$__rate_interval])), 1e-9)`, "{{pool}}"}}},
		{"Archive of WAL", "Since archiving last worked, while it fails.", "s",
			[]Line{{`max(dossier_wal_archive_lag_seconds)`, "lag"}}},
		{"Backups", "How old the last one is, and the last restoration for practice.", "s",
			[]Line{{`time() - max(dossier_backup_last_success_timestamp_seconds)`, "backup"},
				{`time() - max(dossier_restore_drill_last_success_timestamp_seconds)`, "drill"}}},
		{"Schema", "What the database has and what the releases want.", "short",
			[]Line{{`max(dossier_schema_version)`, "has"}, {`max(dossier_schema_wanted_version)`, "wanted"}}},
		{"Figures missing", "Scrapes that could not be answered.", "short",
			[]Line{{`sum by (source) (increase(dossier_scrape_errors_total[$__rate_interval]))`, "{{source}}"}}},
	}},
}
