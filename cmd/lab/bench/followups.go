package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// FollowUpsResult says how long the follow-ups of many runs take that are due at one moment, at the lanes' default
// concurrency, and what another tenant's callers of the API feel meanwhile. The worker is a process of its own; API,
// callers, worker, Postgres and Redis share this machine's processors.
type FollowUpsResult struct {
	Name       string  `json:"name"`
	Machine    Machine `json:"machine"`
	Runs       int     `json:"runs"`
	Setup      float64 `json:"setupSeconds"`
	Sent       int     `json:"sent"`
	Seconds    float64 `json:"seconds"` // from the moment they were due until the last was sent
	PerSecond  float64 `json:"perSecond"`
	Doubles    int     `json:"doubles"`    // messages beyond the first of a run
	Events     int     `json:"sentEvents"` // one for each message
	Planned    int     `json:"planned"`    // next follow-ups that wait
	Statements float64 `json:"statementsPerRun"`
	Trips      float64 `json:"roundTripsPerRun"` // of the worker
	Quiet      Load    `json:"othersQuiet"`
	Busy       Load    `json:"othersBusy"`
	Ratio      float64 `json:"othersP99Ratio"` // busy to quiet
	CPU        CPU     `json:"cpuMicrosecondsPerRun"`
}

// crowdKey is the workspace of the runs; the callers of the API have another.
const crowdKey = "crowd"

// FollowUps measures runs whose follow-up is due at one moment.
func FollowUps(ctx context.Context, s *Stack, runs int, quiet time.Duration) (FollowUpsResult, error) {
	r := FollowUpsResult{Name: "followups", Machine: s.About, Runs: runs}
	began := time.Now()
	base, key, stop, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer stop()
	others, err := s.newOthers(base, key)
	if err != nil {
		return r, err
	}
	worker, err := s.startWorkerProcess(ctx, workerConfig{PublicURL: "https://bench.example"})
	if err != nil {
		return r, err
	}
	defer worker.stop()
	due, ws, err := s.seedFollowUps(ctx, runs, quiet)
	if err != nil {
		return r, err
	}
	if err := s.awaitQueued(ctx); err != nil {
		return r, err
	}
	if _, err := others.run(ctx, quiet/5); err != nil { // warms caches and connections
		return r, err
	}
	if r.Quiet, err = others.run(ctx, quiet); err != nil {
		return r, err
	}
	r.Setup = round(time.Since(began).Seconds())
	if !jobs.Sleep(ctx, time.Until(due)) {
		return r, ctx.Err()
	}
	return r, r.measure(ctx, s, ws, due, others, worker)
}

func (r *FollowUpsResult) measure(ctx context.Context, s *Stack, ws dossier.WorkspaceID, due time.Time,
	others backgroundCallers,
	worker *process) error {
	before, err := worker.sent()
	if err != nil {
		return err
	}
	spent := s.spent()
	busy, done := context.WithCancel(ctx)
	defer done()
	failed := make(chan error, 1)
	go func() {
		defer done()
		failed <- s.awaitSent(ctx, ws, due, r)
	}()
	if r.Busy, err = others.run(busy, time.Hour); err != nil {
		return err
	}
	if err := <-failed; err != nil {
		return err
	}
	after, err := worker.sent()
	if err != nil {
		return err
	}
	r.Statements, r.Trips = each(after.Statements-before.Statements, r.Runs), each(after.Trips-before.Trips, r.Runs)
	r.CPU = s.since(spent, r.Runs)
	r.PerSecond, r.Ratio = round(float64(r.Sent)/r.Seconds), round(r.Busy.P99/r.Quiet.P99)
	return nil
}

// seedFollowUps makes a workspace whose runs all have written their first message two days ago and have their next
// turn due at the same moment, as a mailing of that day leaves them.
func (s *Stack) seedFollowUps(ctx context.Context, runs int,
	quiet time.Duration) (due time.Time, ws dossier.WorkspaceID, err error) {
	if _, _, err := s.DB.ApplyWorkspace(ctx, crowdConfig(), false, false); err != nil {
		return due, ws, err
	}
	w, err := s.DB.WorkspaceByKey(ctx, crowdKey)
	if err != nil {
		return due, ws, err
	}
	// Every lead has a page since it was made; the crowd takes copies of one link, which nobody opens.
	if _, err := s.DB.CreateLead(ctx, w.ID,
		postgres.NewLead{LeadUpdate: dossier.LeadUpdate{FirstName: dossier.Set("Bo")}},
		postgres.Caller{Source: dossier.SourceImported}); err != nil {
		return due, ws, err
	}
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return due, ws, err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, sql := range []string{
		`SET session_replication_role = replica`, `SET synchronous_commit = off`, `SET work_mem = '64MB'`,
		`CREATE TEMP TABLE crowd AS SELECT w.id AS workspace_id, i, gen_random_uuid() AS lead, gen_random_uuid() AS run,
			gen_random_uuid() AS plan, gen_random_uuid() AS job,
			gen_random_uuid() AS message FROM workspaces w, generate_series(1, ` + fmt.Sprint(runs) +
			`) i WHERE w.key = '` + crowdKey + `'`,
		`INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone_number, created_at, updated_at)
			SELECT workspace_id, lead, 'Ann', 'Lee ' || i, 'ann' || i || '@crowd.example',
				'+1212' || lpad((2000000 + i)::text, 7, '0'), now() - interval '3 days', now() FROM crowd`,
		`INSERT INTO portal_links (workspace_id, id, lead_id, token_hash, token, created_at, expires_at)
			SELECT c.workspace_id, gen_random_uuid(), c.lead, uuid_send(c.lead), p.token, p.created_at, p.expires_at
				FROM crowd c JOIN portal_links p ON p.workspace_id = c.workspace_id`,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, created_at, updated_at)
			SELECT c.workspace_id, gen_random_uuid(), c.lead, t.id, t.code, 'TODO', now(), now() FROM crowd c
				JOIN checklist_items t ON t.workspace_id = c.workspace_id AND t.lead_id IS NULL`,
		`INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id, workflow_type, status, created_at,
			updated_at)
			SELECT c.workspace_id, c.run, c.lead, a.id, w.id, w.type, 'ACTIVE', now() - interval '2 days',
				now() - interval '2 days'
			FROM crowd c JOIN agents a ON a.workspace_id = c.workspace_id
				JOIN workflows w ON w.workspace_id = c.workspace_id`,
		`INSERT INTO messages (workspace_id, id, lead_id, workflow_run_id, agent_id, direction, channel, status,
			to_address, body, sent_at, created_at, updated_at)
			SELECT c.workspace_id, c.message, c.lead, c.run, a.id, 'OUTBOUND', 'sms', 'SENT',
				'+1212' || lpad((2000000 + i)::text, 7, '0'), 'Hi Ann, this is Ava.',
				now() - interval '2 days', now() - interval '2 days', now() - interval '2 days' FROM crowd c
					JOIN agents a ON a.workspace_id = c.workspace_id`,
		`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, workflow_run_id, agent_id,
			message_id, created_at, completed_at)
			SELECT c.workspace_id, gen_random_uuid(), c.lead, 'OUTBOUND_MESSAGE', 'COMPLETED', 'Ava writes', c.run,
				a.id, c.message, now() - interval '2 days', now() - interval '2 days'
			FROM crowd c JOIN agents a ON a.workspace_id = c.workspace_id`,
		`VACUUM ANALYZE leads, checklist_entries, workflow_runs, messages, action_logs, portal_links, jobs`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return due, ws, err
		}
	}
	// The relay carries thousands a second; then callers are measured while nothing is due.
	due = time.Now().Add(quiet*6/5 + time.Duration(runs)*time.Millisecond + 5*time.Second).Truncate(time.Second)
	for _, sql := range []string{
		`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, workflow_run_id, agent_id,
			scheduled_at, created_at)
			SELECT c.workspace_id, c.plan, c.lead, 'FOLLOW_UP_MESSAGE', 'PENDING', 'Follow-up',
				jsonb_build_object('trigger', 'FOLLOW_UP', 'workflowRunId', c.run), c.run, a.id, $1,
					now() - interval '2 days'
			FROM crowd c JOIN agents a ON a.workspace_id = c.workspace_id`,
		`INSERT INTO jobs (id, workspace_id, kind, lane, payload, max_attempts, run_at, subject_id, created_at)
			SELECT job, workspace_id, 'run.turn', 'agent', jsonb_build_object('workspace', workspace_id, 'run', run,
				'plan', plan), 8, $1, run, now() FROM crowd`,
		`INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at) SELECT workspace_id, id, epoch,
			kind, lane, payload, $1 FROM jobs WHERE kind = 'run.turn'`,
	} {
		if _, err := conn.Exec(ctx, sql, due); err != nil {
			return due, ws, err
		}
	}
	_, err = conn.Exec(ctx, `ANALYZE action_logs, jobs`)
	return due, w.ID, err
}

// crowdConfig is a workspace with an ordinary checklist, without quiet hours.
func crowdConfig() dossier.WorkspaceConfig {
	item := func(code, label string, kind dossier.FieldType) dossier.TemplateItem {
		return dossier.TemplateItem{Code: code, Label: label, FieldType: kind, IsRequired: true}
	}
	return dossier.WorkspaceConfig{
		WorkspaceSettings: dossier.WorkspaceSettings{Key: crowdKey, Name: "Crowd", DefaultRegion: "US",
			Timezone:   "America/New_York",
			QuietHours: dossier.QuietHours{From: "00:00", To: "00:00"}, Portal: dossier.PortalSettings{LinkDays: 90},
			Channels: map[dossier.Channel]dossier.ChannelConfig{dossier.ChannelSMS: {Provider: "log"}}},
		Items: []dossier.TemplateItem{item("LEGAL_NAME", "Legal business name", dossier.FieldText),
			item("EIN", "Employer identification number", dossier.FieldEIN),
			item("REQUESTED_AMOUNT", "Amount requested", dossier.FieldNumber),
			item("BANK_STATEMENTS", "Last 3 months of bank statements", dossier.FieldBankStatement),
			item("TAX_RETURNS", "Business tax returns, last 2 years", dossier.FieldTaxReturn),
			item("OWNER_ID", "Driver's license of the owner", dossier.FieldID)},
		Agents: []dossier.AgentConfig{{Key: "ava", Name: "Ava", Mode: dossier.AgentAutopilot,
			Channels: []dossier.Channel{dossier.ChannelSMS}}},
		Workflows: []dossier.WorkflowConfig{{Key: "collect", Name: "Collect", Type: dossier.WorkflowChecklist,
			FollowUps: &dossier.FollowUps{Every: 48 * time.Hour, Max: 6}}},
	}
}

// awaitQueued waits until the relay has carried everything into the queue.
func (s *Stack) awaitQueued(ctx context.Context) error {
	for {
		age, err := s.DB.OutboxAge(ctx)
		if err != nil || age == 0 {
			return err
		}
		if !jobs.Sleep(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// mostFollowUps is how long the measurement waits for the last message.
const mostFollowUps = 10 * time.Minute

// awaitSent waits until every run's message is sent, and counts.
func (s *Stack) awaitSent(ctx context.Context, ws dossier.WorkspaceID, due time.Time, r *FollowUpsResult) error {
	ctx, cancel := context.WithTimeout(ctx, mostFollowUps)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	// The question must cost next to nothing: whoever counts what is sent takes processors from those who are measured.
	for open := true; open; {
		if !jobs.Sleep(ctx, 250*time.Millisecond) {
			return fmt.Errorf("not all of %d are sent: %w", r.Runs, ctx.Err())
		}
		if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM jobs
			WHERE lane = 'agent' AND status IN ('QUEUED', 'RETRY') AND in_turn IS DISTINCT FROM epoch AND run_at <= $1)
			OR EXISTS (SELECT FROM jobs WHERE status = 'RUNNING')`, due).Scan(&open); err != nil {
			return err
		}
	}
	var last time.Time
	if err := conn.QueryRow(ctx, `SELECT count(*), count(*) - count(DISTINCT lead_id), coalesce(max(sent_at), $2)
		FROM messages
		WHERE workspace_id = $1 AND created_at > $2::timestamptz - interval '1 hour' AND status = 'SENT'`, ws,
		due).Scan(&r.Sent, &r.Doubles, &last); err != nil {
		return err
	}
	if r.Sent < r.Runs {
		return fmt.Errorf("%d of %d are sent and nothing is due", r.Sent, r.Runs)
	}
	r.Seconds = round(last.Sub(due).Seconds())
	return conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM events WHERE workspace_id = $1 AND type = 'message.sent'),
		(SELECT count(*) FROM jobs WHERE workspace_id = $1 AND kind = 'run.turn' AND status = 'QUEUED'
			AND run_at > $2)`, ws, due).Scan(&r.Events, &r.Planned)
}

// sentStatements counts what a pool sends.
type sentStatements struct{ statements, trips atomic.Int64 }

func (c *sentStatements) soFar() traffic { return traffic{c.statements.Load(), c.trips.Load()} }

func each(n int64, of int) float64 { return round(float64(n) / float64(of)) }

// TraceQueryStart implements pgx.QueryTracer.
func (c *sentStatements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.statements.Add(1)
	c.trips.Add(1)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (c *sentStatements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (c *sentStatements) TraceBatchStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceBatchStartData) context.Context {
	c.statements.Add(int64(data.Batch.Len()))
	c.trips.Add(1)
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (c *sentStatements) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (c *sentStatements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
