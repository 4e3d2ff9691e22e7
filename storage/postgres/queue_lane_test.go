package postgres_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// An autoscaler's login is told how much work lanes have: what is due, whether it waits for its turn or in the queue, and
// what runs. Of a paused lane it hears what runs. It may know nothing else.
func TestLaneDemand(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	add := func(lane, status, more, values string) {
		t.Helper()
		s.Exec(t, `INSERT INTO jobs (id, workspace_id, kind, lane, payload, max_attempts, status, epoch, created_at, run_at`+more+`)
			SELECT gen_random_uuid(), $1, 'k', $2, '{}', 3, $3, 1, now(), `+values, ws, lane, status)
	}
	add("document", "QUEUED", ", in_turn", "now(), 1")
	add("document", "QUEUED", "", "now()")
	add("document", "RETRY", "", "now() - interval '1 minute'")
	add("document", "RETRY", "", "now() + interval '1 hour'") // not due
	add("document", "RUNNING", ", lease_until", "now(), now() + interval '20 s'")
	add("document", "DONE", "", "now()")
	add("spread", "QUEUED", "", "now()")
	add("webhook", "QUEUED", "", "now()")
	login := `"keda_` + pgtest.Value[string](t, s, "SELECT current_database()::text") + `"` // roles belong to the cluster
	s.Exec(t, "CREATE ROLE "+login+" LOGIN IN ROLE dossier_scaler")
	defer s.Exec(t, "DROP ROLE "+login)
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "SET SESSION AUTHORIZATION "+login); err != nil {
		t.Fatal(err)
	}
	demand := func(lanes string) (n float64, err error) { // as KEDA asks: one number, without parameters
		err = conn.QueryRow(t.Context(), "SELECT lane_demand("+lanes+")").Scan(&n)
		return n, err
	}
	for lanes, want := range map[string]float64{"'document'": 4, "'document', 'spread'": 5, "'export'": 0} {
		if got, err := demand(lanes); err != nil || got != want {
			t.Errorf("demand of %s: %v, %v, want %v", lanes, got, err, want)
		}
	}
	s.Exec(t, "UPDATE lanes SET paused = true WHERE lane = 'document'")
	if got, err := demand("'document', 'spread'"); err != nil || got != 2 {
		t.Errorf("with a paused lane: %v, %v, want what runs and the other lane", got, err)
	}
	if _, err := demand("'document', 'documnet'"); err == nil || !strings.Contains(err.Error(), "there is no lane documnet") {
		t.Errorf("a lane that does not exist: %v", err)
	}
	for _, other := range []string{"SELECT count(*) FROM jobs", "SELECT count(*) FROM lanes", "SELECT count(*) FROM leads", "SET ROLE dossier_system"} {
		if _, err := conn.Exec(t.Context(), other); err == nil {
			t.Errorf("an autoscaler may %s", other)
		}
	}
}
