package postgres_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// claims takes staged jobs as one worker.
func claims(t *testing.T, s *pgtest.Server, ids []dossier.JobID) []postgres.Claim {
	t.Helper()
	var held []postgres.Claim
	for _, id := range ids {
		claim, ok, err := s.DB.ClaimJob(t.Context(), id, 1, "w")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		held = append(held, claim)
	}
	return held
}

// A lease that ran out goes to the next try under the next epoch, the last one ends; jobs lost together for a second time
// go on apart, or the one that kills its worker takes the others to their last try.
func TestReapLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	held := claims(t, s, stage(t, s, s.Workspace(t), 5))
	ids := make([]dossier.JobID, len(held))
	for i, claim := range held {
		ids[i] = claim.Job
	}
	s.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id <> $1`, ids[0])
	s.Exec(t, `UPDATE jobs SET attempt = max_attempts WHERE id = $1`, ids[1])
	s.Exec(t, `UPDATE jobs SET attempt = 2 WHERE id = ANY ($1)`, ids[3:])
	for late, want := range map[time.Duration]int{0: 4, time.Minute: 0} {
		if n, err := s.DB.ExpiredLeases(t.Context(), late); err != nil || n != want {
			t.Errorf("%d leases ran out %s ago, %v; want %d", n, late, err, want)
		}
	}
	if again, failed, err := s.DB.ReapLeases(t.Context(), 10); err != nil || again != 3 || failed != 1 {
		t.Errorf("%d again, %d failed, %v", again, failed, err)
	}
	for i, want := range []string{"RUNNING 1 0", "FAILED 1 0 worker_lost", "RETRY 2 0 worker_lost", "RETRY 2 0 worker_lost",
		"RETRY 2 2 worker_lost"} {
		if got := pgtest.Value[string](t, s, `SELECT concat_ws(' ', status, epoch, CASE status WHEN 'RETRY' THEN
			round(extract(epoch FROM run_at - (SELECT min(run_at) FROM jobs WHERE status = 'RETRY'))) ELSE 0 END,
			error_class) FROM jobs WHERE id = $1`, ids[i]); got != want {
			t.Errorf("job %d is %s, want %s", i, got, want)
		}
	}
	if err := s.DB.FinishJob(t.Context(), held[2]); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("who lost a job ends it: %v", err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM outbox WHERE epoch = 2`); n != 3 {
		t.Errorf("%d are on their way to the queue again, want 3", n)
	}
	if again, failed, err := s.DB.ReapLeases(t.Context(), 10); err != nil || again+failed != 0 {
		t.Errorf("once more: %d again, %d failed, %v", again, failed, err)
	}
}

// A heartbeat renews what is still held and says what is not; a worker that drains gives back without using up a try.
func TestExtendLeases(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	held := claims(t, s, stage(t, s, s.Workspace(t), 3))
	s.Exec(t, `UPDATE jobs SET lease_until = now() + interval '1 second'`)
	s.Exec(t, `UPDATE jobs SET epoch = 2 WHERE id = $1`, held[0].Job)
	s.Exec(t, `UPDATE jobs SET status = 'CANCELLED' WHERE id = $1`, held[1].Job)
	want := []dossier.JobID{held[2].Job}
	if got, err := s.DB.HeldJobs(t.Context(), held); err != nil || !slices.Equal(got, want) {
		t.Errorf("held are %v, %v", got, err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE lease_until > now() + interval '5 seconds'`); n != 0 {
		t.Error("asking renewed a lease")
	}
	if got, err := s.DB.ExtendLeases(t.Context(), held); err != nil || !slices.Equal(got, want) {
		t.Errorf("renewed are %v, %v", got, err)
	}
	if got := pgtest.Value[string](t, s, `SELECT string_agg(id::text, '') FROM jobs
		WHERE lease_until > now() + interval '5 seconds'`); got != string(want[0]) {
		t.Errorf("renewed is %s", got)
	}
	if err := s.DB.HandBack(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, s, `SELECT string_agg(concat_ws(' ', status, epoch, attempt, worker), ',' ORDER BY id)
		FROM jobs`); got != "RUNNING 2 1 w,CANCELLED 1 1 w,QUEUED 2 0" {
		t.Errorf("given back: %s", got)
	}
}

// What the queue forgot is staged once more, whoever asks twice; the page of what should stand in the queue has each
// waiting job once, in the order of its due time, and none that awaits its turn.
func TestRedriveJobs(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 6)
	now, err := s.DB.Clock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE jobs SET run_at = $1`, now.Add(-time.Minute)) // all at one moment
	s.Exec(t, `UPDATE jobs SET run_at = $2 WHERE id = $1`, ids[0], now.Add(-time.Second))
	s.Exec(t, `UPDATE jobs SET run_at = $2 WHERE id = $1`, ids[1], now.Add(time.Minute))
	s.Exec(t, `UPDATE jobs SET in_turn = epoch WHERE id = $1`, ids[2])
	lane := jobs.Noop{}.Spec().Lane
	var got []dossier.JobID
	var lost []postgres.Waiting
	var after postgres.Waiting
	for range ids {
		page, err := s.DB.WaitingJobs(t.Context(), lane, now, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		after = page[0]
		got, lost = append(got, after.Job), append(lost, after)
	}
	if want := append(slices.Clone(ids[3:]), ids[0]); !slices.Equal(got, want) {
		t.Errorf("waiting are %v, want %v", got, want)
	}
	s.Exec(t, `UPDATE jobs SET status = 'RUNNING' WHERE id = $1`, ids[3])
	for _, want := range []int{3, 0} {
		if n, err := s.DB.RedriveJobs(t.Context(), lost); err != nil || n != want {
			t.Errorf("%d staged, %v; want %d", n, err, want)
		}
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM outbox WHERE epoch = 2`); n != 3 {
		t.Errorf("%d in the outbox", n)
	}
}

// Finished jobs go after their time, failed ones after theirs, what is not over never.
func TestPruneJobs(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 5)
	s.Clock.Set(time.Now()) // ids are of now, and finished_at is the database's
	for i, status := range []string{"DONE", "CANCELLED", "FAILED", "DONE"} {
		age := 2 * time.Hour
		if i == 3 {
			age = 0
		}
		s.Exec(t, `UPDATE jobs SET status = $2, finished_at = now() - $3::interval WHERE id = $1`, ids[i], status, age)
	}
	prune := func(limit, want int) {
		t.Helper()
		if n, err := s.DB.PruneJobs(t.Context(), time.Hour, 3*time.Hour, limit); err != nil || n != want {
			t.Errorf("%d went, %v; want %d", n, err, want)
		}
	}
	prune(9, 0) // by its id none is old enough
	s.Clock.Advance(4 * time.Hour)
	prune(1, 1)
	prune(9, 1)
	prune(9, 0)
	if got := pgtest.Value[[]string](t, s, `SELECT array_agg(id::text ORDER BY id) FROM jobs`); len(got) != 3 ||
		got[0] != string(ids[2]) {
		t.Errorf("left are %v, want the failed, the young and the waiting one", got)
	}
}

// A rehearsal takes what is due at its own moment, oldest first, and knows when the next is.
func TestClaimDue(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := stage(t, s, s.Workspace(t), 3)
	lanes := []jobs.Lane{jobs.Noop{}.Spec().Lane}
	began, at := time.Now().Add(-time.Hour), time.Now().Add(-48*time.Hour).UTC().Truncate(time.Microsecond)
	if next, err := s.DB.NextDue(t.Context(), lanes, began); err != nil || !next.IsZero() {
		t.Errorf("next is due at %s, %v; want none: all are due now", next, err)
	}
	later := at.Add(time.Minute)
	if err := s.DB.PutOff(t.Context(), ids[0], later); err != nil {
		t.Fatal(err)
	}
	take := func(at time.Time, want dossier.JobID) {
		t.Helper()
		claim, ok, err := s.DB.ClaimDue(t.Context(), lanes, at, began, "w")
		if err != nil || ok != (want != "") || claim.Job != want {
			t.Errorf("took %q, %v, %v; want %q", claim.Job, ok, err, want)
		}
	}
	take(at, ids[1])
	take(at, ids[2])
	take(at, "")
	if next, err := s.DB.NextDue(t.Context(), lanes, began); err != nil || !next.Equal(later) {
		t.Errorf("next is due at %s, %v; want %s", next, err, later)
	}
	take(later, ids[0])
	if err := s.DB.PutOff(t.Context(), ids[0], later.Add(time.Hour)); err != nil { // it runs: it stays as it is
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE run_at = $1`, later); n != 1 {
		t.Error("a job that runs was put off")
	}
}
