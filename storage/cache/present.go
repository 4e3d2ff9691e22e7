package cache

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
)

// presentFor is how long somebody counts as looking at a page after the page last said so.
const presentFor = 20 * time.Second

// Onlooker is a person who looks at a page; Tab tells their windows apart.
type Onlooker struct{ Tab, Email, Name string }

// The workspace in the key keeps who looks at a page from everybody else.
func presentKey(ws dossier.WorkspaceID, page string) string {
	return "present:" + string(ws) + ":" + page
}

func (o Onlooker) member() string { return o.Tab + "\n" + o.Email + "\n" + o.Name }

// Present notes that somebody looks at a page and answers everybody who does, each person once, by address. Error:
// Unavailable.
func (c *Conn) Present(ctx context.Context, ws dossier.WorkspaceID, page string, who Onlooker,
	now time.Time) ([]Onlooker, error) {
	key := presentKey(ws, page)
	oldest := strconv.FormatInt(now.Add(-presentFor).UnixMilli(), 10)
	pipe := c.client.TxPipeline()
	pipe.ZAdd(ctx, key, redis.Z{Score: float64(now.UnixMilli()), Member: who.member()})
	pipe.ZRemRangeByScore(ctx, key, "-inf", "("+oldest)
	pipe.PExpire(ctx, key, 2*presentFor)
	list := pipe.ZRange(ctx, key, 0, 200)
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, unavailable("note who looks at a page", err)
	}
	people := map[string]Onlooker{}
	for _, member := range list.Val() {
		if part := strings.SplitN(member, "\n", 3); len(part) == 3 {
			people[part[1]] = Onlooker{part[0], part[1], part[2]}
		}
	}
	present := make([]Onlooker, 0, len(people))
	for _, one := range people {
		present = append(present, one)
	}
	slices.SortFunc(present, func(a, b Onlooker) int { return strings.Compare(a.Email, b.Email) })
	return present, nil
}

// Absent notes that a window was closed. Error: Unavailable.
func (c *Conn) Absent(ctx context.Context, ws dossier.WorkspaceID, page string, who Onlooker) error {
	return unavailable("note who left a page", c.client.ZRem(ctx, presentKey(ws, page), who.member()).Err())
}
