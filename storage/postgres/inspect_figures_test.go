package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws, other := s.Workspace(t), s.Workspace(t)
	for _, w := range []dossier.WorkspaceID{ws, other} {
		lead, entries := s.Lead(t, w, "TEXT")
		gone, lost := s.Lead(t, w, "TEXT")
		s.Exec(t, `UPDATE checklist_entries SET status = 'NEEDS_REVIEW', updated_at = now() - interval '2 hours'
			WHERE id = ANY ($1)`, []dossier.EntryID{entries[0], lost[0]})
		s.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, gone)
		s.Exec(t, `INSERT INTO holds (workspace_id, id, lead_id, reason, created_by, created_at)
			VALUES ($1, gen_random_uuid(), $2, 'r', 'somebody', now())`, w, lead)
		s.Exec(t, `INSERT INTO erasures (workspace_id, id, subject, subject_id, lead_id, status, reason, requested_by,
			requested_at, due_at) SELECT $1, gen_random_uuid(), 'lead', gen_random_uuid(), $2, status, 'r', 'somebody',
			now(), now() - age FROM (VALUES ('SCHEDULED', interval '3 hours'), ('RUNNING', interval '1 hour'),
			('HELD', interval '9 hours'), ('SCHEDULED', interval '-1 hour')) v (status, age)`, w, gone)
		s.Exec(t, `INSERT INTO webhooks (workspace_id, id, url, secret, created_at, updated_at, is_enabled, deleted_at, breaker)
			SELECT $1, gen_random_uuid(), 'https://example.com', 's', now(), now(), on_, gone, breaker::jsonb FROM (VALUES
			(true, null, null), (true, null, '{"OpenFor": 0}'), (true, null, '{"OpenFor": 30000000000}'),
			(false, null, '{"OpenFor": 30000000000}'), (true, now(), null)) v (on_, gone, breaker)`, w)
	}
	got, err := s.DB.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, age := range map[time.Duration]*time.Duration{2 * time.Hour: &got.ReviewOldest, 3 * time.Hour: &got.ErasuresOldest} {
		if *age < name || *age > name+time.Hour {
			t.Errorf("the oldest has waited %s, want %s", *age, name)
		}
		*age = 0
	}
	// No backup was ever made: that is missed since the database was made, which a database of a test was just now.
	made := pgtest.Value[time.Time](t, s, "SELECT min(tstamp)::timestamptz FROM goose_db_version").UTC()
	want := postgres.Figures{Schema: postgres.SchemaVersion(), EndpointsEnabled: 4, EndpointsOpen: 2, EndpointsOff: 2,
		ReviewOpen: 2, ErasuresDue: 4, Holds: 2, BackupAt: made, DrillAt: made}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := s.DB.RecordMilestone(t.Context(), postgres.MilestoneBackup); err != nil {
		t.Fatal(err)
	}
	got, err = s.DB.Figures(t.Context())
	if at := pgtest.Value[time.Time](t, s, "SELECT at FROM milestones WHERE name = 'backup'").UTC(); err != nil || !got.BackupAt.Equal(at) || !got.DrillAt.Equal(made) {
		t.Errorf("after a backup at %s: %s, and of a drill %s, %v", at, got.BackupAt, got.DrillAt, err)
	}
}

func TestPools(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	if err := s.DB.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	most := map[string]int{}
	for _, p := range s.DB.Pools() {
		most[p.Name] = p.Most
		if p.Busy+p.Idle == 0 || p.Busy+p.Idle > p.Most {
			t.Errorf("%+v", p)
		}
	}
	if len(most) != 2 || most["tenant"] == 0 || most["system"] == 0 {
		t.Errorf("pools %v", most)
	}
}
