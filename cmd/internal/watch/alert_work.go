package watch

// workAlerts are about the work that customers pay for.
var workAlerts = []Alert{
	{Name: "EndpointsDisabled", Severity: Ticket,
		Expr: `max(dossier_webhook_endpoints{state="disabled"}) - ` +
			`max(dossier_webhook_endpoints{state="disabled"} offset 1h) > 0`,
		Summary: "An endpoint was disabled within the last hour; its customer gets no more events.",
		Example: Example{Fires: []Series{{`dossier_webhook_endpoints{state="disabled"}`, "1+0x90 2+0x90"}},
			Quiet: []Series{{`dossier_webhook_endpoints{state="disabled"}`, "2+0x180"}}, After: "2h"}},
	{Name: "BreakersOpen", Severity: Ticket, For: "1h",
		Expr:    `max(dossier_webhook_endpoints{state="breaker_open"}) > 0`,
		Summary: "An endpoint has been failing for an hour: its deliveries wait.",
		Example: constant(`dossier_webhook_endpoints{state="breaker_open"}`, "2", "0")},
	{Name: "EventsSetAside", Severity: Ticket, Expr: `sum(increase(dossier_events_set_aside_total[1h])) > 0`,
		Summary: "An event could not be dispatched and was set aside: its customers do not know of it.",
		Example: rising("dossier_events_set_aside_total", "1")},
	{Name: "ParserFaults", Severity: Ticket,
		Expr:    `sum by (reason) (increase(dossier_parser_exits_total{reason=~"timeout|memory|fault"}[30m])) > 10`,
		Summary: "Parsers end by {{ $labels.reason }}: documents are refused or read late.",
		Example: rising(`dossier_parser_exits_total{reason="memory"}`, "2")},
	{Name: "MessagesFailing", Severity: Ticket,
		Expr: `sum by (channel) (increase(dossier_messages_total{outcome=~"failed|unknown"}[15m])) > 5` +
			` and sum by (channel) (increase(dossier_messages_total{outcome=~"failed|unknown"}[15m]))` +
			` / sum by (channel) (increase(dossier_messages_total[15m])) > 0.2`,
		Summary: "The provider of {{ $labels.channel }} does not take messages.",
		Example: Example{Fires: []Series{{`dossier_messages_total{channel="sms",outcome="failed"}`, "0+2x60"}},
			Quiet: []Series{{`dossier_messages_total{channel="sms",outcome="failed"}`, "0+2x60"},
				{`dossier_messages_total{channel="sms",outcome="sent"}`, "0+100x60"}}}},
	{Name: "ModelAway", Severity: Ticket,
		Expr: `sum(increase(dossier_model_requests_total{outcome="failed"}[15m])) > 5` +
			` and sum(increase(dossier_model_requests_total{outcome="failed"}[15m]))` +
			` / sum(increase(dossier_model_requests_total{outcome!="cached"}[15m])) > 0.5`,
		Summary: "The language model does not answer: more items wait for a person.",
		Example: Example{Fires: []Series{{`dossier_model_requests_total{outcome="failed"}`, "0+2x60"},
			{`dossier_model_requests_total{outcome="cached"}`, "0+90x60"}},
			Quiet: []Series{{`dossier_model_requests_total{outcome="failed"}`, "0+2x60"},
				{`dossier_model_requests_total{outcome="answered"}`, "0+90x60"}}}},
	{Name: "ReviewLate", Severity: Ticket, For: "15m", Expr: `max(dossier_review_oldest_seconds) > 172800`,
		Summary: "Something has waited for a person's judgement for two days.",
		Example: constant("dossier_review_oldest_seconds", "200000", "3600")},
	{Name: "RetentionOverdue", Severity: Ticket, For: "1h", Expr: `max(dossier_retention_oldest_seconds) > 86400`,
		Summary: "An erasure is a day overdue: the law may count the days.",
		Example: constant("dossier_retention_oldest_seconds", "90000", "600")},
}
