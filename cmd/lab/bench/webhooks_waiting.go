package bench

import (
	"context"
	"log/slog"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/postgres"
)

// WaitingResult says what a heap of waiting work costs the work that is due.
type WaitingResult struct {
	Name    string     `json:"name"`
	Machine Machine    `json:"machine"`
	Waiting int        `json:"waiting"`     // deliveries of an endpoint whose breaker is open, and as many jobs to be tried later
	Without Throughput `json:"jobsWithout"` // relayed, claimed, run and finished: the best of three
	With    Throughput `json:"jobsWith"`
	Ratio   float64    `json:"jobsRatio"` // without to with: 1.2 is a fifth slower
	Before  Latency    `json:"deliveriesWithout"`
	Beside  Latency    `json:"deliveriesWith"`
	Slower  float64    `json:"deliveriesRatio"` // of the medians
	Lost    int        `json:"lost"`
}

// Waiting measures jobs and deliveries, then the same with n deliveries and n jobs waiting.
func Waiting(ctx context.Context, s *Stack, n, rate int, lasting time.Duration) (WaitingResult, error) {
	r := WaitingResult{Name: "webhooks-waiting", Machine: s.About, Waiting: n}
	d, err := s.delivering(ctx)
	if err != nil {
		return r, err
	}
	defer d.close()
	hooks, err := d.register(ctx, 10, func(int) string { return d.sink.url })
	if err != nil {
		return r, err
	}
	d.start()
	if r.Without, r.Before, err = d.due(ctx, &r, hooks, rate, lasting); err != nil {
		return r, err
	}
	if err := d.heap(ctx, n); err != nil {
		return r, err
	}
	r.With, r.Beside, err = d.due(ctx, &r, hooks, rate, lasting)
	r.Ratio, r.Slower = round(r.Without.PerSecond/r.With.PerSecond), round(r.Beside.P50/r.Before.P50)
	return r, err
}

// due measures what is due.
func (d *delivering) due(ctx context.Context, r *WaitingResult, hooks []dossier.WebhookID, rate int, lasting time.Duration) (Throughput, Latency, error) {
	var best Throughput
	for range 3 {
		got, err := d.s.carry(ctx, 5000)
		if err != nil {
			return best, Latency{}, err
		}
		if got.PerSecond > best.PerSecond {
			best = got
		}
	}
	events, err := d.generate(ctx, rate, lasting, func(i int) (dossier.WebhookID, bool) { return hooks[i%len(hooks)], true })
	if err != nil {
		return best, Latency{}, err
	}
	got := d.await(ctx, events)
	r.Lost += got.lost
	return best, latency(got.samples), nil
}

// carry stages jobs and then runs them to their end.
func (s *Stack) carry(ctx context.Context, n int) (Throughput, error) {
	if _, err := s.stageNoops(ctx, n); err != nil {
		return Throughput{}, err
	}
	ran := make(chan struct{}, n)
	w, err := worker.New(worker.Config{DB: s.DB, Redis: s.Redis, Lanes: []jobs.Lane{jobs.LaneSystem}, Concurrency: map[jobs.Lane]int{jobs.LaneSystem: width},
		Log: slog.New(slog.DiscardHandler), OnNoop: func() { ran <- struct{}{} }, NoSchedule: true})
	if err != nil {
		return Throughput{}, err
	}
	start, stop := running(ctx, w)
	defer stop()
	began := time.Now()
	start()
	for range n {
		select {
		case <-ran:
		case <-ctx.Done():
			return Throughput{}, ctx.Err()
		}
	}
	return throughput(n, time.Since(began)), nil
}

// heap makes n deliveries of an endpoint whose breaker is open for a day, and n jobs that are to be tried again in a day.
func (d *delivering) heap(ctx context.Context, n int) error {
	hooks, err := d.register(ctx, 1, func(int) string { return "http://127.0.0.1:9" })
	if err != nil {
		return err
	}
	event := postgres.NewID()
	for _, statement := range []struct {
		sql  string
		args []any
	}{
		{`INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, 'lead.updated', '{}', now())`, []any{d.s.Workspace, event}},
		{`UPDATE webhooks SET breaker = jsonb_build_object('OpenFor', 86400000000000, 'OpenUntil', now() + interval '1 day') WHERE id = $1`, []any{hooks[0]}},
		{`INSERT INTO jobs (id, workspace_id, kind, lane, status, payload, max_attempts, run_at, unique_key, created_at)
			VALUES (gen_random_uuid(), $1::uuid, 'webhook.drain', 'webhook', 'RETRY', jsonb_build_object('workspace', $1::uuid, 'webhook', $2::uuid), 10, now() + interval '1 day', 'drain:' || $2::uuid, now())`,
			[]any{d.s.Workspace, hooks[0]}},
		{`INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, next_attempt_at, created_at)
			SELECT $1, gen_random_uuid(), $2, $3, -i, 'lead.updated', now(), now() FROM generate_series(1, $4::int) i`, []any{d.s.Workspace, hooks[0], event, n}},
		{`INSERT INTO jobs (id, workspace_id, kind, lane, status, payload, max_attempts, run_at, created_at)
			SELECT gen_random_uuid(), $1::uuid, 'webhook.deliver', 'webhook-retry', 'RETRY', '{}', 10, now() + interval '1 day' + i * interval '1 millisecond', now() FROM generate_series(1, $2::int) i`,
			[]any{d.s.Workspace, n}},
		{`VACUUM ANALYZE deliveries`, nil}, {`VACUUM ANALYZE jobs`, nil}, {`CHECKPOINT`, nil}, // what a database does by itself in the time it takes to gather so many
	} {
		if err := d.s.exec(ctx, statement.sql, statement.args...); err != nil {
			return err
		}
	}
	return nil
}
