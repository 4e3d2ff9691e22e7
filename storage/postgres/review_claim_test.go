package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// reviewing is a lead with one open review.
type reviewing struct {
	*pgtest.Server
	ws   dossier.WorkspaceID
	lead dossier.LeadID
	id   dossier.ReviewID
}

func newReviewing(t *testing.T, s *pgtest.Server) *reviewing {
	t.Helper()
	r := &reviewing{Server: s, ws: s.Workspace(t)}
	r.lead, _ = s.Lead(t, r.ws)
	r.id = r.open(t, 5, "")
	return r
}

// open adds a review of a doubted fact.
func (r *reviewing) open(t *testing.T, priority int, set string) dossier.ReviewID {
	t.Helper()
	id := postgres.NewID()
	r.Exec(t, `INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, priority,
		created_at, due_at) VALUES ($1, $2, $3, false, 'fact_doubted', 'd', 'm', 'fact', gen_random_uuid(), $4, $5, $5)`,
		r.ws, id, r.lead, priority, r.Clock.Now())
	if set != "" {
		r.Exec(t, `UPDATE reviews SET `+set+` WHERE id = $1`, id)
	}
	return dossier.ReviewID(id)
}

// refusal is the code of a refusal; "" is none.
func refusal(err error) string {
	var refused *dossier.Error
	if err == nil {
		return ""
	}
	if errors.As(err, &refused) && refused.Code != "" {
		return refused.Code
	}
	return err.Error()
}

// While somebody is at a review nobody else decides it; when the claim has run out anybody may, and whoever held it
// must claim it again: two decisions about one thing would contradict each other.
func TestClaimReview(t *testing.T) {
	t.Parallel()
	r := newReviewing(t, pgtest.New(t))
	ann, bo := robot(t, 1), robot(t, 2)
	does := func(name, want string, call func() error) {
		t.Helper()
		if got := refusal(call()); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	claim := func(ctx context.Context, over bool) func() error {
		return func() error { _, err := r.DB.ClaimReview(ctx, r.ws, r.id, over, "SSN 123-45-6789"); return err }
	}
	renew := func(ctx context.Context) func() error {
		return func() error { _, err := r.DB.RenewReview(ctx, r.ws, r.id); return err }
	}
	release := func(ctx context.Context) func() error {
		return func() error { _, err := r.DB.ReleaseReview(ctx, r.ws, r.id); return err }
	}
	decide := func(ctx context.Context, version int) func() error {
		return func() error {
			_, err := r.DB.DecideReview(ctx, r.ws, r.id, postgres.DecisionRequest{Decision: dossier.DecideDismiss, Version: version})
			return err
		}
	}
	does("renewed by nobody", "review_not_claimed", renew(ann))
	does("decided by nobody", "review_not_claimed", decide(ann, 1))
	does("given back by nobody", "", release(ann))
	does("claimed", "", claim(ann, false))
	does("claimed again", "", claim(ann, false))
	does("claimed by another", "review_claimed", claim(bo, false))
	does("renewed by another", "review_claimed", renew(bo))
	does("given back by another", "review_claimed", release(bo))
	does("decided by another", "review_claimed", decide(bo, 1))
	does("decided as it was before", "review_moved", decide(ann, 0))
	r.Clock.Advance(dossier.ReviewLease - time.Microsecond)
	does("renewed in time", "", renew(ann))
	r.Clock.Advance(dossier.ReviewLease)
	does("decided too late", "review_not_claimed", decide(ann, 1))
	does("claimed after that", "", claim(bo, false))
	does("claimed by who had it", "review_claimed", claim(ann, false))
	does("taken over", "", claim(ann, true))
	does("decided by who had it", "review_claimed", decide(bo, 1))
	does("given back", "", release(ann))
	does("claimed when it is free", "", claim(bo, false))
	does("decided", "", decide(bo, 1))
	does("decided again", "review_moved", decide(bo, 2))
	does("claimed when it is decided", "review_moved", claim(ann, true))
	does("renewed when it is decided", "review_moved", renew(bo))
	if _, err := r.DB.AssignReview(ann, r.ws, r.id, "bo@lender.example"); refusal(err) != "review_moved" {
		t.Errorf("assigned when it is decided: %v", err)
	}
	over := pgtest.Value[string](t, r.Server, `SELECT string_agg(summary, ';') FROM action_logs
		WHERE summary LIKE '%taken over%'`)
	if over != "A review was taken over: SSN ***-**-6789" {
		t.Errorf("the timeline says %q", over)
	}
}

// The most urgent review goes to who asks: not one that somebody is at, that is another's, of a deleted lead, or that
// the caller itself has asked for.
func TestNextReview(t *testing.T) {
	t.Parallel()
	r := newReviewing(t, pgtest.New(t))
	urgent := r.open(t, 1, "")
	r.open(t, 0, `assignee = 'bo@lender.example'`)
	late := r.open(t, 5, `due_at = due_at - interval '1 hour'`)
	r.open(t, 0, `is_test = true`)
	gone, _ := r.Lead(t, r.ws)
	r.open(t, 0, `lead_id = '`+string(gone)+`'`)
	r.Exec(t, `UPDATE leads SET deleted_at = now() WHERE id = $1`, gone)
	own := r.open(t, 0, `code = 'second_opinion', asker = 'ann@lender.example', operation = '{}'`)
	as := func(name string) context.Context {
		return postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: postgres.NewID(), Name: name})
	}
	next := func(who context.Context, want dossier.ReviewID, codes ...dossier.ReviewCode) {
		t.Helper()
		got, err := r.DB.NextReview(who, r.ws, codes, dossier.ModeLive)
		if want == "" && dossier.KindOf(err) != dossier.NotFound || want != "" && (err != nil || got.ID != want) {
			t.Errorf("%s, %v; want %q", got.ID, err, want)
		}
	}
	ann, key := as("ann@lender.example"), robot(t, 1)
	next(ann, "", dossier.ReviewEscalation)
	next(ann, "", dossier.ReviewSecondOpinion) // whose it is
	next(key, "", dossier.ReviewSecondOpinion) // a key is nobody's second person
	next(ann, urgent)
	next(key, late)
	next(ann, r.id)
	next(ann, "")
	next(as("cy@lender.example"), own)
	r.Clock.Advance(dossier.ReviewLease)
	next(key, urgent) // its claim has run out
}
