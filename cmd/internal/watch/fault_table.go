package watch

// Reasons that several faults share.
const (
	repaired = "repaired within seconds and without anybody: it is counted, and told when it does not end"
	theirs   = "a customer's own endpoint: tried again by the schedule, and BreakersOpen tells after an hour"
)

// Faults are in the order of jobs/worker. Those without a recording are shown by tests of one part each.
var Faults = []Fault{
	{Number: 1, Name: "worker killed with its request under way", Reason: repaired},
	{Number: 1, Name: "worker killed before its acknowledgement", Reason: repaired},
	{Number: 2, Name: "worker killed between the answer and its commit", Reason: repaired},
	{Number: 3, Name: "relay killed between enqueue and delete", Reason: repaired},
	{Number: 4, Name: "api killed after its commit",
		Reason: "another process answers, and the client's repeat gets the first answer"},
	{Number: 5, Name: "worker told to stop with long jobs", Reason: "every upgrade does so: what runs is handed back"},
	{Number: 6, Name: "worker stopped and continued", Reason: repaired},
	{Number: 7, Name: "relays reapers and schedulers at once", Reason: "nothing is wrong: one of them leads"},
	{Number: 8, Name: "poison job",
		Reason: "its last try is ended by the reaper of another process, whose figures the recording does not hold: " +
			"PoisonJob"},
	{Number: 9, Name: "clock skew of two minutes", Alerts: []string{"DeliveryBurnFast", "DeliveryBurnSlow"}},

	{Number: 10, Name: "redis down for six seconds while handlers finish", Lasts: true,
		Alerts: []string{"LaneLate", "MetricsBlind", "OutboxStuck", "RedisDown", "WebhooksLate"}},
	{Number: 11, Name: "redis down for long", Lasts: true,
		Alerts: []string{"LaneLate", "MetricsBlind", "OutboxStuck", "RedisDown"}},
	{Number: 12, Name: "redis flushed", Reason: repaired},
	{Number: 13, Name: "redis restarted without persistence", Reason: repaired},
	{Number: 14, Name: "redis on a bad line",
		Reason: "slower, and nothing waits: WebhooksLate tells when something does"},
	{Number: 15, Name: "redis full", Lasts: true, Alerts: []string{"LaneLate", "OutboxStuck", "WebhooksLate"}},
	{Number: 16, Name: "redis scripts flushed", Reason: "loaded again with the next call"},
	{Number: 17, Name: "polls with redis down", Reason: "as 11: polls ask Postgres meanwhile"},

	{Number: 18, Name: "postgres vanishes in the middle of commits",
		Alerts: []string{"MetricsBlind", "NoLeader", "PostgresDown"}},
	{Number: 19, Name: "connection pool exhausted", Reason: "shorter than the second that PoolExhausted asks for"},
	{Number: 20, Name: "statements cancelled, deadlocks, serialization failures", Alerts: []string{"MetricsBlind"}},
	{Number: 21, Name: "failover to a server that only reads",
		Alerts: []string{"MetricsBlind", "NoLeader", "PostgresDown"}},
	{Number: 22, Name: "long transaction",
		Reason: "events wait for it and keep their order; what waits is told by lanes"},

	{Number: 23, Name: "object storage down while artifacts are written",
		Reason: "tried again; whatever needs files answers 503 meanwhile, which ApiBurnFast counts"},
	{Number: 24, Name: "multipart aborted", Reason: "the client sends again, and a sweep removes the parts"},
	{Number: 25, Name: "object storage slow", Reason: "LaneLate tells when work waits for it"},
	{Number: 26, Name: "clock of presigned addresses", Reason: "an address that has ended is asked for anew"},

	{Number: 27, Name: "endpoints that misbehave", Reason: theirs},
	{Number: 28, Name: "endpoint drips a body for ever", Reason: theirs},
	{Number: 29, Name: "endpoint answers 100 MB", Reason: theirs},
	{Number: 30, Name: "gzip bomb", Reason: theirs},
	{Number: 31, Name: "redirect to the metadata service", Reason: theirs},
	{Number: 32, Name: "dns rebinding", Reason: theirs},
	{Number: 33, Name: "addresses in other forms", Reason: theirs},
	{Number: 34, Name: "410, 429 and 503 with Retry-After", Reason: theirs},
	{Number: 35, Name: "certificate expired or of nobody", Reason: theirs},
	{Number: 36, Name: "reset after the request was sent", Reason: theirs},
	{Number: 37, Name: "100-continue, and early success then reset", Reason: theirs},
	{Number: 38, Name: "endpoint flaps", Alerts: []string{"WebhooksLate"}},
	{Number: 39, Name: "endpoint hangs with half the traffic", Reason: theirs},
	{Number: 40, Name: "endpoint deleted, disabled or its secret rotated while deliveries wait",
		Reason: "an act of the customer's; EndpointsDisabled tells of those that we disable"},
	{Number: 41, Name: "header injection", Reason: "refused when it is set"},
	{Number: 42, Name: "no UTF-8, and a huge head", Reason: theirs},

	{Number: 43, Name: "burst of ten times the load",
		Reason: "drained in time: WebhooksLate and LaneLate tell when it is not"},
	{Number: 44, Name: "events for long", Reason: "nothing is wrong"},
	{Number: 45, Name: "a million wait",
		Reason: "WebhooksLate and LaneLate tell of first tries that wait; later tries are the schedule's"},
	{Number: 46, Name: "ten thousand dead letters and a replay beside live traffic",
		Reason: "started again by people, behind what is live"},
}

// Elsewhere are alerts that none of the numbered faults fires, each with the fault that does. Their examples are played
// by `make alerts`.
var Elsewhere = map[string]string{
	"WorkersDying":      "fault 1 of a dozen workers: the survivors count, and the recording holds the one beside them",
	"PoisonJob":         "fault 8: the reaper of the process that survives counts it",
	"PoolExhausted":     "fault 19 for longer than its test lasts",
	"ApiBurnFast":       "a release that answers with faults of its own, or whatever it needs is away",
	"ApiBurnSlow":       "the same, a little",
	"ApiSlow":           "a statement without its index, or a database that is too small",
	"ReadingBurnFast":   "too few workers of the lane document for what is uploaded",
	"ReadingBurnSlow":   "the same, a little",
	"LaneUnserved":      "workers were started without the lane",
	"LanePausedLong":    "somebody paused a lane and went home",
	"JobsFailing":       "a release whose handler fails",
	"HandlersStuck":     "a handler that does not stop when it is told to",
	"HeartbeatsMissed":  "workers that are starved of processors or of Postgres",
	"SchemaBehind":      "a release was started before its migration",
	"VersionSkew":       "an upgrade that has stuck half-way",
	"WalLag":            "the place of the archive is full or away",
	"BackupStale":       "the nightly backup fails, or was never set up",
	"DrillStale":        "nobody practised a restoration",
	"SandboxOpen":       "a worker was moved to a kernel without landlock",
	"EndpointsDisabled": "an endpoint answered 410, or failed for days",
	"BreakersOpen":      "an endpoint fails for an hour: faults 27 to 39, of which each test lasts seconds",
	"EventsSetAside":    "an event that cannot be dispatched",
	"ParserFaults":      "documents that are too large for the parser's limits, or a defect of the parser",
	"MessagesFailing":   "a provider of messages that refuses us",
	"ModelAway":         "the language model's server is away",
	"ReviewLate":        "nobody judges what waits for a person",
	"RetentionOverdue":  "the workers that erase do not run",
}
