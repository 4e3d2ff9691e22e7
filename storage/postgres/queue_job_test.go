package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func stage(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, n int) []dossier.JobID {
	t.Helper()
	list := make([]jobs.Job, n)
	for i := range list {
		list[i] = jobs.Noop{Workspace: ws}
	}
	ids, err := s.DB.StageJobs(t.Context(), ws, list...)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestClaimJob(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	ids := stage(t, s, ws, 3)
	s.Exec(t, `UPDATE jobs SET run_at = now() + interval '1 minute' WHERE id = $1`, ids[1])
	s.Exec(t, `UPDATE jobs SET run_at = now() + interval '1 second' WHERE id = $1`, ids[2])
	tests := []struct {
		name  string
		job   dossier.JobID
		epoch int
		want  bool
	}{
		{"an old epoch's task", ids[0], 0, false},
		{"a task of an epoch that is still to come", ids[0], 2, false},
		{"the job's task", ids[0], 1, true},
		{"the same task again", ids[0], 1, false},
		{"before its time", ids[1], 1, false},
		{"within the queue's whole seconds", ids[2], 1, true},
		{"a job that is no more", dossier.JobID(postgres.NewID()), 1, false},
	}
	for _, test := range tests {
		claim, ok, err := s.DB.ClaimJob(t.Context(), test.job, test.epoch, "w")
		if err != nil || ok != test.want {
			t.Errorf("%s: claimed %v, %v; want %v", test.name, ok, err, test.want)
		}
		if ok && (claim.Workspace != ws || claim.Kind != "system.noop" || claim.Attempt != 1 || claim.MaxAttempts != 3 || claim.StartedAt.IsZero()) {
			t.Errorf("%s: %+v", test.name, claim)
		}
	}
}

// Claims and ends that arrive together share a statement and still answer each caller for itself.
func TestClaimJob_together(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 200)
	won := make(chan dossier.JobID, 2*len(ids))
	errs := make(chan error, 2*len(ids))
	for range 2 {
		for _, id := range ids {
			go func() {
				claim, ok, err := s.DB.ClaimJob(context.Background(), id, 1, "w")
				if err == nil && ok {
					err = s.DB.FinishJob(context.Background(), claim)
					won <- claim.Job
				}
				errs <- err
			}()
		}
	}
	for range 2 * len(ids) {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	close(won)
	seen := map[dossier.JobID]int{}
	for id := range won {
		seen[id]++
	}
	for _, id := range ids {
		if seen[id] != 1 {
			t.Errorf("job %s was claimed %d times", id, seen[id])
		}
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE status = 'DONE' AND attempt = 1`); n != len(ids) {
		t.Errorf("%d jobs are done, want %d", n, len(ids))
	}
}

// A job whose task was thought lost may have two in the queue, which come at the same time: only the younger one holds
// it.
func TestClaimJob_oldTaskBesideNew(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 100)
	s.Exec(t, `UPDATE jobs SET epoch = 2`)
	type answer struct {
		epoch int
		ok    bool
		err   error
	}
	answers := make(chan answer, 2*len(ids))
	for _, id := range ids {
		for epoch := 1; epoch <= 2; epoch++ {
			go func() {
				_, ok, err := s.DB.ClaimJob(context.Background(), id, epoch, "w")
				answers <- answer{epoch, ok, err}
			}()
		}
	}
	for range 2 * len(ids) {
		if got := <-answers; got.err != nil || got.ok != (got.epoch == 2) {
			t.Errorf("task of epoch %d: claimed %v, %v", got.epoch, got.ok, got.err)
		}
	}
}

// Every way to end a try is refused when the claim is lost, and writes nothing.
func TestClaim_fences(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	id := stage(t, s, s.Workspace(t), 1)[0]
	claim, ok, err := s.DB.ClaimJob(t.Context(), id, 1, "w")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	s.Exec(t, `UPDATE jobs SET epoch = 2 WHERE id = $1`, id)
	before := pgtest.Value[string](t, s, `SELECT jobs::text FROM jobs WHERE id = $1`, id)
	for name, err := range map[string]error{
		"FinishJob": s.DB.FinishJob(t.Context(), claim),
		"RetryJob":  s.DB.RetryJob(t.Context(), claim, time.Second, "c", "m"),
		"SnoozeJob": s.DB.SnoozeJob(t.Context(), claim, time.Second, "c"),
		"Restage":   s.DB.RestageJob(t.Context(), claim, time.Second, "c", "m"),
		"FailJob":   s.DB.FailJob(t.Context(), claim, "c", "m"),
	} {
		if !errors.Is(err, postgres.ErrFenced) {
			t.Errorf("%s = %v, want ErrFenced", name, err)
		}
	}
	if err := s.DB.HandBack(t.Context(), []postgres.Claim{claim}); err != nil {
		t.Error(err)
	}
	if held, err := s.DB.ExtendLeases(t.Context(), []postgres.Claim{claim}); err != nil || len(held) != 0 {
		t.Errorf("a lost claim's lease was extended: %v, %v", held, err)
	}
	if after := pgtest.Value[string](t, s, `SELECT jobs::text FROM jobs WHERE id = $1`, id); after != before {
		t.Errorf("a lost claim wrote: %s, before %s", after, before)
	}
}

func TestJobs_filters(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	alpha, beta := s.Workspace(t), s.Workspace(t)
	a, b := stage(t, s, alpha, 3), stage(t, s, beta, 1)
	s.Exec(t, `UPDATE jobs SET status = 'FAILED', error_class = 'internal', finished_at = now() WHERE id = $1`, a[1])
	s.Exec(t, `UPDATE jobs SET created_at = clock_timestamp() WHERE id = $1`, a[2])
	tests := []struct {
		name   string
		filter postgres.JobFilter
		want   []dossier.JobID
	}{
		{"all, newest first", postgres.JobFilter{}, []dossier.JobID{b[0], a[2], a[1], a[0]}},
		{"of a workspace", postgres.JobFilter{Workspace: alpha}, []dossier.JobID{a[2], a[1], a[0]}},
		{"by status", postgres.JobFilter{Status: dossier.JobFailed}, []dossier.JobID{a[1]}},
		{"by kind", postgres.JobFilter{Kind: "document.extract"}, nil},
		{"older than", postgres.JobFilter{OlderThan: time.Minute}, []dossier.JobID{b[0], a[1], a[0]}},
		{"the next page", postgres.JobFilter{Before: a[2], Limit: 1}, []dossier.JobID{a[1]}},
	}
	for _, test := range tests {
		list, err := s.DB.Jobs(t.Context(), test.filter)
		if err != nil {
			t.Fatal(err)
		}
		var got []dossier.JobID
		for _, job := range list {
			got = append(got, job.ID)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	for _, id := range []dossier.JobID{"nonsense", dossier.JobID(postgres.NewID())} {
		if _, err := s.DB.Job(t.Context(), id); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("Job(%s) = %v, want NotFound", id, err)
		}
	}
}

func TestRetryJobs(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 4)
	s.Exec(t, `UPDATE jobs SET status = 'FAILED', attempt = 3, error_class = 'internal', finished_at = now() WHERE id = ANY ($1::uuid[])`, []string{string(ids[0]), string(ids[1])})
	s.Exec(t, `UPDATE jobs SET status = 'DONE' WHERE id = $1`, ids[2])
	if n, err := s.DB.RetryJobs(t.Context(), postgres.JobFilter{Limit: 1}); err != nil || n != 1 {
		t.Errorf("one at most: %d, %v", n, err)
	}
	if n, err := s.DB.RetryJobs(t.Context(), postgres.JobFilter{}); err != nil || n != 1 {
		t.Errorf("the rest: %d, %v", n, err)
	}
	job, err := s.DB.Job(t.Context(), ids[0])
	if err != nil || job.Status != dossier.JobQueued || job.Attempt != 0 || job.Epoch != 2 || job.ErrorClass != "" {
		t.Errorf("%+v, %v", job, err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM outbox WHERE job_id = $1 AND epoch = 2`, ids[0]); n != 1 {
		t.Errorf("%d outbox rows of the new epoch", n)
	}
	if _, err := s.DB.RetryJobs(t.Context(), postgres.JobFilter{Status: dossier.JobDone}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("retrying what is done: %v, want Invalid", err)
	}
	if _, err := s.DB.RetryJobNow(t.Context(), ids[2]); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("retrying one that is done: %v, want Conflict", err)
	}
}

// Dead letters are started anew by what they have in common: the others stay as they are.
func TestRetryJobs_by_filter(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	alpha, beta := s.Workspace(t), s.Workspace(t)
	for _, ws := range []dossier.WorkspaceID{alpha, beta} {
		stage(t, s, ws, 4)
	}
	// Each workspace has a dead letter of each class and lane.
	s.Exec(t, `UPDATE jobs SET status = 'FAILED', attempt = 3, finished_at = now(), created_at = now() - interval '1 hour',
		error_class = (ARRAY['timeout', 'internal'])[1 + n % 2], lane = (ARRAY['document', 'spread'])[1 + n / 2 % 2]
		FROM (SELECT id, (row_number() OVER (PARTITION BY workspace_id ORDER BY id))::int AS n FROM jobs) nth WHERE nth.id = jobs.id`)
	for _, test := range []struct {
		filter postgres.JobFilter
		want   int
	}{
		{postgres.JobFilter{OlderThan: 2 * time.Hour}, 0},
		{postgres.JobFilter{Kind: "document.extract"}, 0},
		{postgres.JobFilter{Workspace: alpha, Error: "timeout", Lane: jobs.LaneSpread}, 1},
		{postgres.JobFilter{Workspace: beta, Lane: jobs.LaneDocument}, 2},
		{postgres.JobFilter{Error: "internal"}, 3},
		{postgres.JobFilter{}, 2},
	} {
		if n, err := s.DB.RetryJobs(t.Context(), test.filter); err != nil || n != test.want {
			t.Errorf("%+v: %d were started anew, %v; want %d", test.filter, n, err, test.want)
		}
		if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs j WHERE (status = 'QUEUED') <> (bulk AND attempt = 0 AND EXISTS (SELECT FROM outbox o WHERE o.job_id = j.id AND o.epoch = j.epoch AND j.epoch = 2))`); n != 0 {
			t.Errorf("%+v: %d jobs are neither as they were nor on their way as bulk work", test.filter, n)
		}
	}
}

func TestCancelJob(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 2)
	job, err := s.DB.CancelJob(t.Context(), ids[0])
	if err != nil || job.Status != dossier.JobCancelled || job.FinishedAt == nil || job.ErrorClass != "cancelled" {
		t.Errorf("%+v, %v", job, err)
	}
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 1, "w"); err != nil || ok {
		t.Errorf("a cancelled job was claimed: %v, %v", ok, err)
	}
	if _, err := s.DB.CancelJob(t.Context(), ids[0]); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("cancelled twice: %v, want Conflict", err)
	}
	if job, err := s.DB.Job(t.Context(), ids[1]); err != nil || job.Status != dossier.JobQueued {
		t.Errorf("another job: %+v, %v", job, err)
	}
}

func TestRelayOutbox(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 3)
	relay := func(deliver func(rows []postgres.Staged) ([]postgres.Staged, error)) (int, error) {
		return s.DB.RelayOutbox(t.Context(), 10, func(_ context.Context, rows []postgres.Staged) ([]postgres.Staged, error) { return deliver(rows) })
	}
	if _, err := relay(func([]postgres.Staged) ([]postgres.Staged, error) { return nil, errors.New("the queue is away") }); err == nil {
		t.Error("no error")
	}
	var order []dossier.JobID
	if n, err := relay(func(rows []postgres.Staged) ([]postgres.Staged, error) {
		for _, row := range rows {
			order = append(order, row.Job)
		}
		return rows[:1], nil // the first cannot be delivered
	}); err != nil || n != 3 {
		t.Errorf("relayed %d, %v", n, err)
	}
	if diff := cmp.Diff(ids, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if n, err := relay(func(rows []postgres.Staged) ([]postgres.Staged, error) {
		if len(rows) != 1 || rows[0].Job != ids[0] || rows[0].Epoch != 1 || rows[0].Kind != "system.noop" {
			t.Errorf("what came back: %+v", rows)
		}
		return nil, nil
	}); err != nil || n != 1 {
		t.Errorf("relayed %d, %v", n, err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM outbox`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestUnnamedObjects(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	s.Exec(t, `INSERT INTO exports (workspace_id, id, pipeline_run_id, object_key, created_at) VALUES ($1, gen_random_uuid(), gen_random_uuid(), 'named', now())`, ws)
	got, err := s.DB.UnnamedObjects(t.Context(), []string{"named", "orphan"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"orphan"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The role that forgets uploads, of whatever workspace, can delete no document that arrived.
func TestForgetUploads(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	lead, _ := s.Lead(t, s.Workspace(t))
	for name, arrived := range map[string]bool{"announced": false, "arrived": true} {
		s.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, object_key, source, sha256, uploaded_at, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, 'a', 'a/a', 1, $2, 'portal', CASE WHEN $3 THEN '\x00'::bytea END, CASE WHEN $3 THEN now() END, now(), $4 FROM leads WHERE id = $1`, lead, name, arrived, s.Clock.Now())
	}
	if n, err := s.DB.ForgetUploads(t.Context(), s.Clock.Now(), 10); err != nil || n != 0 {
		t.Errorf("forgot %d (%v) that are not old", n, err)
	}
	s.Exec(t, `SET ROLE dossier_system`)
	s.Exec(t, `DELETE FROM documents`)
	s.Exec(t, `RESET ROLE`)
	if left := pgtest.Value[string](t, s, `SELECT string_agg(object_key, ' ') FROM documents`); left != "arrived" {
		t.Errorf("%s is left", left)
	}
}

func TestPruneIdempotencyKeys(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	for key, age := range map[string]time.Duration{"old": -time.Hour, "live": time.Hour} {
		s.Exec(t, `INSERT INTO idempotency_keys (workspace_id, method, path, key, body_hash, owner, locked_until, expires_at)
			VALUES ($1, 'POST', '/x', $2, '\x00', gen_random_uuid(), $3, $3)`, ws, key, s.Clock.Now().Add(age))
	}
	if n, err := s.DB.PruneIdempotencyKeys(t.Context(), 10); err != nil || n != 1 {
		t.Errorf("pruned %d, %v", n, err)
	}
	if left := pgtest.Value[string](t, s, `SELECT key FROM idempotency_keys`); left != "live" {
		t.Errorf("%s is left", left)
	}
}

// An ending that fails does not keep those behind it from theirs, and is tried again later.
func TestReapLeases_goes_on(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 2)
	for i, id := range ids {
		if _, ok, err := s.DB.ClaimJob(t.Context(), id, 1, "w"); err != nil || !ok {
			t.Fatal(ok, err)
		}
		s.Exec(t, `UPDATE jobs SET attempt = max_attempts, lease_until = now() - $2 * interval '1 minute' WHERE id = $1`, id, 2-i)
	}
	s.Exec(t, `
		CREATE FUNCTION endless() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it cannot end' USING ERRCODE = '23514'; END $$;
		CREATE TRIGGER endless BEFORE UPDATE ON jobs FOR EACH ROW WHEN (NEW.status = 'FAILED' AND NEW.id = '`+string(ids[0])+`')
			EXECUTE FUNCTION endless()`)
	_, failed, err := s.DB.ReapLeases(t.Context(), 10)
	if failed != 1 || err == nil {
		t.Errorf("%d failed, %v", failed, err)
	}
	for id, want := range map[dossier.JobID]string{ids[0]: "RUNNING later", ids[1]: "FAILED "} {
		if got := pgtest.Value[string](t, s, `SELECT status || ' ' || CASE WHEN lease_until > now() THEN 'later' ELSE '' END FROM jobs WHERE id = $1`, id); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
}
