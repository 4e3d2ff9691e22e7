package postgres

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Counting reads every open review. Of a queue longer than manyReviews the counts may be countsKept old: nobody waits
// for the tenth of a second that they take.
const (
	manyReviews   = 10_000
	countsKept    = 5 * time.Second
	maxCountsKept = 1000
)

// countCache keeps the counts of long queues.
type countCache struct {
	mu   sync.Mutex
	kept map[countKey]keptCounts
}

// countKey is whose counts they are: mine is of who asks.
type countKey struct {
	ws   dossier.WorkspaceID
	mode dossier.Mode
	who  string
	test bool
}

type keptCounts struct {
	counts ReviewCounts
	until  time.Time
}

func (c *countCache) find(key countKey, now time.Time) (ReviewCounts, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.kept[key]
	return kept.counts, ok && now.Before(kept.until)
}

func (c *countCache) keep(key countKey, counts ReviewCounts, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= maxCountsKept {
		c.kept = map[countKey]keptCounts{}
	}
	c.kept[key] = keptCounts{counts, until}
}

// countReviews counts what is open, by code.
func (db *DB) countReviews(ctx context.Context, tx *tx, mode dossier.Mode) (ReviewCounts, error) {
	who, _ := reviewer(ctx)
	key := countKey{tx.ws, mode, strings.Join(append([]string{who}, assigneeNames(ctx)...), "\n"), tx.test}
	if counts, ok := db.counts.find(key, tx.now); ok {
		return counts, nil
	}
	counts := ReviewCounts{ByCode: map[dossier.ReviewCode]int{}}
	rows, err := tx.Query(ctx, `SELECT code, count(*), count(*) FILTER (WHERE due_at < $3),
			count(*) FILTER (WHERE assignee = ANY($4) OR claimed_by = $5)
		FROM reviews WHERE workspace_id = $1 AND is_test = ANY($2) AND state = 'OPEN' GROUP BY code`,
		tx.ws, testFlags(mode), tx.now, assigneeNames(ctx), who)
	if err != nil {
		return counts, err
	}
	var code dossier.ReviewCode
	var open, overdue, own int
	_, err = pgx.ForEachRow(rows, []any{&code, &open, &overdue, &own}, func() error {
		counts.Open, counts.Overdue, counts.Mine = counts.Open+open, counts.Overdue+overdue, counts.Mine+own
		counts.ByCode[code] = open
		return nil
	})
	if err == nil && counts.Open > manyReviews {
		db.counts.keep(key, counts, tx.now.Add(countsKept))
	}
	return counts, err
}
