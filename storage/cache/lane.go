package cache

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// The queue library's own key of a paused lane, which its dashboard writes too, and beside it, in the same slot of a
// cluster, the word that was last heard.
func pausedKey(lane string) string { return "asynq:{" + lane + "}:paused" }
func heardKey(lane string) string  { return "dossier:lane:{" + lane + "}" }

// LanePaused reports whether the queue says that a lane is paused, and the word that SetLanePaused last left; empty:
// none. Both are read at one moment: one from before a wiped Redis or another process's word, and one from after it,
// would look as if somebody had used the dashboard.
func (c *Conn) LanePaused(ctx context.Context, lane string) (paused bool, word string, err error) {
	both, err := c.client.MGet(ctx, pausedKey(lane), heardKey(lane)).Result()
	if err != nil {
		return false, "", unavailable("lane paused", err)
	}
	word, _ = both[1].(string)
	return both[0] != nil, word, nil
}

// SetLanePaused tells the queue whether a lane is paused, and leaves a word beside it, both at one moment. To say so
// again changes nothing.
func (c *Conn) SetLanePaused(ctx context.Context, lane string, paused bool, word string) error {
	_, err := c.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		if paused {
			pipe.SetNX(ctx, pausedKey(lane), time.Now().Unix(), 0)
		} else {
			pipe.Del(ctx, pausedKey(lane))
		}
		pipe.Set(ctx, heardKey(lane), word, 0)
		return nil
	})
	return unavailable("set lane paused", err)
}
