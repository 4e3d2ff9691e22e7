package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// robot is a claimer of its own: a key.
func robot(t *testing.T, n int) context.Context {
	return postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorKey, ID: postgres.NewID(), Name: fmt.Sprintf("robot %d", n)})
}

// Twenty robots decide a thousand reasons: each is given to one and decided once, none is lost. Five die with a claim
// in their hands: what they held is free when the claim has ended, not before.
func TestReviews_robots(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	const reasons, robots, dying = 1000, 20, 5
	for range reasons {
		s.Exec(t, `INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, priority, created_at, due_at)
			VALUES ($1, gen_random_uuid(), $2, false, 'fact_doubted', 'd', 'm', 'fact', gen_random_uuid(), 5, $3, $3)`, ws, lead, s.Clock.Now())
	}
	given := make(map[dossier.ReviewID]int)
	var mu sync.Mutex
	work := func(ctx context.Context, dies bool) {
		for {
			r, err := s.DB.NextReview(ctx, ws, nil, dossier.ModeLive)
			if dossier.KindOf(err) == dossier.NotFound {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			given[r.ID]++
			mu.Unlock()
			if dies {
				return
			}
			if _, err := s.DB.DecideReview(ctx, ws, r.ID, postgres.DecisionRequest{Decision: dossier.DecideDismiss, Version: r.Version}); err != nil {
				t.Errorf("decide: %v", err)
			}
		}
	}
	all := func(n, dying int) {
		var done sync.WaitGroup
		for i := range n {
			done.Go(func() { work(robot(t, i), i < dying) })
		}
		done.Wait()
	}
	all(robots, dying)
	count := func(state string) int {
		return pgtest.Value[int](t, s, `SELECT count(*) FROM reviews WHERE state = $1`, state)
	}
	if count("DECIDED") != reasons-dying || len(given) != reasons {
		t.Fatalf("%d decided, %d given", count("DECIDED"), len(given))
	}
	s.Clock.Advance(dossier.ReviewLease - 1)
	if _, err := s.DB.NextReview(robot(t, 99), ws, nil, dossier.ModeLive); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("what a dead robot holds was given out: %v", err)
	}
	s.Clock.Advance(1)
	all(robots, 0)
	if count("DECIDED") != reasons {
		t.Errorf("%d decided", count("DECIDED"))
	}
	twice := 0
	for _, n := range given {
		if n > 1 {
			twice++
		}
	}
	if twice != dying {
		t.Errorf("%d were given twice, want the %d of the dead", twice, dying)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM events WHERE type = 'review.decided'`); n != reasons {
		t.Errorf("%d decisions were told of", n)
	}
}
