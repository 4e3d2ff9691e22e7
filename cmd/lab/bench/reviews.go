package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// ReviewsResult says how long the review queue takes with many open reviews, one caller at a time.
type ReviewsResult struct {
	Name    string  `json:"name"`
	Machine Machine `json:"machine"`
	Open    int     `json:"open"`
	Next    Latency `json:"nextMs"`         // POST /api/v1/reviews/next
	Coded   Latency `json:"nextOfACodeMs"`  // of the rarest code
	List    Latency `json:"listMs"`         // GET /api/v1/reviews?limit=50, with its counts
	Amount  Latency `json:"listByAmountMs"` // by amount, of two codes
}

const reviewSamples = 300

// Reviews measures n open reviews in the stack's workspace; ten other workspaces have a tenth of that each. A third is
// assigned to others.
func Reviews(ctx context.Context, s *Stack, n int) (ReviewsResult, error) {
	r := ReviewsResult{Name: "reviews", Machine: s.About, Open: n}
	if err := s.seedReviews(ctx, n); err != nil {
		return r, err
	}
	api, key, stop, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer stop()
	list := target{method: "GET", url: api + "/api/v1/reviews?limit=50", key: key}
	if _, err := list.samples(5); err != nil { // opens connections
		return r, err
	}
	for _, m := range []struct {
		of   target
		into *Latency
	}{
		{target{method: "POST", url: api + "/api/v1/reviews/next", key: key}, &r.Next},
		{target{method: "POST", url: api + "/api/v1/reviews/next", key: key, body: `{"codes": ["tampering"]}`},
			&r.Coded},
		{list, &r.List},
		{target{method: "GET", url: api + "/api/v1/reviews?limit=50&sort=amount&code=fact_doubted,draft_message",
			key: key},
			&r.Amount},
	} {
		if *m.into, err = m.of.samples(reviewSamples); err != nil {
			return r, err
		}
	}
	return r, nil
}

// samples makes the call n times, one after the other.
func (t target) samples(n int) (Latency, error) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	var took []time.Duration
	for range n {
		request.Reset()
		response.Reset()
		t.write(request, 0)
		began := time.Now()
		if err := fasthttp.Do(request, response); err != nil {
			return Latency{}, err
		}
		if response.StatusCode() != 200 {
			return Latency{}, fmt.Errorf("%s %s: status %d: %.300s", t.method, t.url, response.StatusCode(),
				response.Body())
		}
		took = append(took, time.Since(began))
	}
	return latency(took), nil
}

// seedReviews opens n reviews on leads of the workspace, fifty each, and a tenth as many in each of ten others.
func (s *Stack) seedReviews(ctx context.Context, n int) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, `SET synchronous_commit = off; SET session_replication_role = replica`); err != nil {
		return err
	}
	for _, step := range []string{
		`INSERT INTO workspaces (id, key, name, inbound_token, created_at, updated_at)
			SELECT gen_random_uuid(), 'other-' || i, 'Other', 'other-' || i, now(), now() FROM generate_series(1, 10) i WHERE $1 > 0 AND $2::uuid IS NOT NULL`,
		`INSERT INTO leads (workspace_id, id, first_name, last_name, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'Ann', 'Lee' || i, now(), now() FROM workspaces w,
				generate_series(1, greatest(CASE WHEN w.id = $2 THEN $1 ELSE $1 / 10 END / 50, 1)) i WHERE w.id = $2 OR w.key LIKE 'other-%'`,
		`INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, amount, priority, created_at, due_at, assignee)
			SELECT l.workspace_id, gen_random_uuid(), l.id, false, c.code, 'A reason to look.', '', 'item', gen_random_uuid(), (random() * 1000000)::int, c.priority,
				now() - random() * interval '30 days', now() + (random() - 0.5) * interval '4 days', CASE WHEN i % 3 = 0 THEN 'ada@example.com' ELSE '' END
			FROM leads l, generate_series(1, 50) i
			CROSS JOIN LATERAL (SELECT (ARRAY['item_needs_review', 'item_needs_review', 'rule_not_understood', 'fact_doubted', 'fact_doubted', 'fact_doubted',
				'draft_message', 'document_unread', 'spread_variance', 'escalation'])[1 + i % 10] code, 1 + i % 6 priority) c WHERE $1 > 0 AND $2::uuid IS NOT NULL`,
		`UPDATE reviews SET code = 'tampering' WHERE $1 > 0 AND $2::uuid IS NOT NULL AND abs(hashtext(id::text)) % 100 = 0`,
	} {
		if _, err := conn.Exec(ctx, step, n, s.Workspace); err != nil {
			return fmt.Errorf("seed reviews: %w", err)
		}
	}
	_, err = conn.Exec(ctx, `VACUUM (ANALYZE) reviews, leads`)
	return err
}
