package postgres_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// inTurn stages n jobs of the lane document that await admission, and returns them in their order.
func inTurn(ctx context.Context, t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, n int) []dossier.JobID {
	t.Helper()
	list := make([]jobs.Job, n)
	for i := range list {
		list[i] = jobs.JudgeLead{Workspace: ws, Lead: dossier.LeadID(postgres.NewID())}
	}
	ids, err := s.DB.StageJobs(ctx, ws, list...)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE jobs SET in_turn = epoch WHERE id = ANY ($1)`, ids)
	return ids
}

// admit lets jobs of the lane document go, and returns them.
func admit(t *testing.T, s *pgtest.Server, window int) []dossier.JobID {
	t.Helper()
	rows, err := s.DB.AdmitJobs(t.Context(), jobs.LaneDocument, window)
	if err != nil {
		t.Fatal(err)
	}
	var ids []dossier.JobID
	for _, row := range rows {
		ids = append(ids, row.Job)
	}
	return ids
}

// With many tenants waiting each gets its turn, one that is served waits behind the others, and nobody has more in
// flight than its limit; a window that is full admits nobody.
func TestAdmitJobs(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	var tenants []dossier.WorkspaceID
	for range 3 {
		tenants = append(tenants, s.Workspace(t))
	}
	slices.Sort(tenants)
	big := inTurn(t.Context(), t, s, tenants[0], 6)
	two := inTurn(t.Context(), t, s, tenants[1], 2)
	one := inTurn(t.Context(), t, s, tenants[2], 1)
	want := func(name string, window int, want ...dossier.JobID) {
		t.Helper()
		if diff := cmp.Diff(want, admit(t, s, window)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if lanes, err := s.DB.LanesAwaiting(t.Context()); err != nil || !slices.Equal(lanes, []jobs.Lane{jobs.LaneDocument}) {
		t.Errorf("lanes with work: %v, %v", lanes, err)
	}
	want("the first two of three", 2, big[0], two[0])
	want("a full window", 2)
	want("who waited", 3, one[0])
	want("round again", 5, big[1], two[1])
	if err := s.DB.SetLaneLimit(t.Context(), jobs.LaneDocument, 3); err != nil {
		t.Fatal(err)
	}
	want("up to the limit", 20, big[2])
	share := postgres.LaneShare{Workspace: tenants[0], Lane: jobs.LaneDocument, Weight: 2, AtOnce: 4}
	for range 2 { // the second changes nothing
		if err := s.DB.SetLaneShare(t.Context(), share); err != nil {
			t.Fatal(err)
		}
	}
	if shares, err := s.DB.LaneShares(t.Context()); err != nil || !slices.Equal(shares, []postgres.LaneShare{share}) {
		t.Errorf("shares %+v, %v", shares, err)
	}
	want("up to its own limit", 20, big[3])
	if err := s.DB.SetLaneLimit(t.Context(), jobs.LaneDocument, 0); err != nil {
		t.Fatal(err)
	}
	want("its own limit holds", 20)
	s.Exec(t, `UPDATE jobs SET status = 'DONE' WHERE id = $1`, big[0])
	want("what is over makes room", 20, big[4])
	if n := pgtest.Value[int](t, s, `SELECT turns FROM lanes WHERE lane = 'document'`); n != 8 {
		t.Errorf("%d turns are counted", n)
	}
}

// A paused lane admits nobody, and what could not be handed to the queue waits again, but for what has moved on since.
func TestCancelAdmission(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := inTurn(t.Context(), t, s, s.Workspace(t), 3)
	pause := func(paused bool) {
		t.Helper()
		if err := s.DB.SetLanePaused(t.Context(), jobs.LaneDocument, paused, "ann"); err != nil {
			t.Fatal(err)
		}
	}
	pause(true)
	if got := admit(t, s, 9); got != nil {
		t.Errorf("a paused lane admits %v", got)
	}
	pause(false)
	rows, err := s.DB.AdmitJobs(t.Context(), jobs.LaneDocument, 9)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[1], 1, "w"); err != nil || !ok {
		t.Fatal(ok, err)
	}
	s.Exec(t, `UPDATE jobs SET epoch = 2 WHERE id = $1`, ids[2])
	if err := s.DB.CancelAdmission(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE in_turn = epoch`); n != 1 {
		t.Errorf("%d wait again: what runs, or is of another epoch, was taken back", n)
	}
	if diff := cmp.Diff(ids[:1], admit(t, s, 9)); diff != "" {
		t.Errorf("waits again (-want +got):\n%s", diff)
	}
	s.Exec(t, `UPDATE jobs SET in_turn = epoch, admitted = NULL, status = 'QUEUED', run_at = now() - interval '2 minutes'`)
	for late, want := range map[time.Duration]int{time.Minute: 3, time.Hour: 0} {
		if n, err := s.DB.LateAdmissions(t.Context(), late); err != nil || n != want {
			t.Errorf("%d wait longer than %s, %v; want %d", n, late, err, want)
		}
	}
}

// Work that nobody waits for comes last, and every fifth turn it comes first: it is never put off for ever.
func TestAdmitJobs_bulk(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	bulk := inTurn(postgres.WithClaim(t.Context(), postgres.Claim{Bulk: true}), t, s, ws, 2)
	waiting := inTurn(t.Context(), t, s, ws, 5)
	want := []dossier.JobID{waiting[0], waiting[1], waiting[2], waiting[3], bulk[0], waiting[4], bulk[1]}
	if diff := cmp.Diff(want, admit(t, s, 9)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// Two processes that admit at the same moment never let more go than the window, nor one job twice.
func TestAdmitJobs_two_at_once(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	inTurn(t.Context(), t, s, s.Workspace(t), 20)
	var mu sync.Mutex
	var busy sync.WaitGroup
	seen := map[dossier.JobID]int{}
	for range 6 {
		busy.Go(func() {
			for _, id := range admit(t, s, 12) {
				mu.Lock()
				seen[id]++
				mu.Unlock()
			}
		})
	}
	busy.Wait()
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s was let go %d times", id, n)
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d are in flight, the window is 12", len(seen))
	}
}

// What the queue brings back without leave waits for its turn instead of starting: a lane's limit would be none. A
// paused lane starts nothing and says so.
func TestClaimJob_without_leave(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := inTurn(t.Context(), t, s, s.Workspace(t), 2)
	s.Exec(t, `UPDATE jobs SET in_turn = NULL`)
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 1, "w"); err != nil || ok {
		t.Errorf("claimed %v, %v", ok, err)
	}
	if got := pgtest.Value[string](t, s, `SELECT concat_ws(' ', epoch, in_turn, status) FROM jobs WHERE id = $1`,
		ids[0]); got != "2 2 QUEUED" {
		t.Errorf("it is %s, want it to await its turn under the next epoch", got)
	}
	s.Exec(t, `UPDATE jobs SET admitted = epoch, in_turn = NULL`)
	if err := s.DB.SetLanePaused(t.Context(), jobs.LaneDocument, true, "ann"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[1], 1, "w"); ok || !errors.Is(err, postgres.ErrPaused) {
		t.Errorf("claimed %v, %v; want ErrPaused", ok, err)
	}
	if err := s.DB.SetLanePaused(t.Context(), jobs.LaneDocument, false, ""); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[1], 1, "w"); err != nil || !ok {
		t.Errorf("claimed %v, %v", ok, err)
	}
	s.Exec(t, `UPDATE workspaces SET deleted_at = now()`)
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 2, "w"); err != nil || ok {
		t.Errorf("a job of a deleted workspace: %v, %v", ok, err)
	}
}

// Operators see of a lane what waits, what is in the queue, what runs and since when; a switch that is as it should be
// keeps its date and its hand.
func TestLaneStates(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ids := inTurn(t.Context(), t, s, s.Workspace(t), 5)
	s.Exec(t, `UPDATE jobs SET run_at = now() - interval '1 minute'`)
	s.Exec(t, `UPDATE jobs SET in_turn = NULL, admitted = epoch WHERE id = ANY ($1)`, ids[:3])
	s.Exec(t, `UPDATE jobs SET run_at = now() + interval '1 hour' WHERE id = $1`, ids[1])
	if _, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 1, "w"); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := s.DB.SetLaneLimit(t.Context(), jobs.LaneDocument, 7); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.SetLanePaused(t.Context(), jobs.LaneDocument, true, "ann"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		states, err := s.DB.LaneStates(t.Context(), []jobs.Lane{jobs.LaneSpread, jobs.LaneDocument})
		if err != nil || len(states) != 2 || states[0].Lane != jobs.LaneSpread || states[0].Backlog() != 0 {
			t.Fatalf("%+v, %v", states, err)
		}
		if d := states[1]; d.AwaitingAdmission != 2 || d.Queued != 1 || d.Running != 1 || d.Backlog() != 3 || !d.Paused ||
			d.ChangedBy != "ann" || d.WorkspaceLimit != 7 || d.Oldest < time.Minute {
			t.Errorf("%+v", d)
		}
		if err := s.DB.SetLanePaused(t.Context(), jobs.LaneDocument, true, "bo"); err != nil { // as it is
			t.Fatal(err)
		}
	}
	switches, err := s.DB.LaneSwitches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, sw := range switches {
		if sw.Paused != (sw.Lane == jobs.LaneDocument) || sw.Paused != (sw.ChangedAt != nil) {
			t.Errorf("%+v", sw)
		}
	}
}
