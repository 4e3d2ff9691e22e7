package cache

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// pausedKey is the queue library's own key of a paused lane, which its dashboard writes too. versionKey, in the same
// slot of a Redis cluster, holds the version of the setting that Redis was last given.
func pausedKey(lane string) string  { return "asynq:{" + lane + "}:paused" }
func versionKey(lane string) string { return "dossier:lane:{" + lane + "}" }

// LanePaused reports whether the queue has a lane paused, and the version that SetLanePaused last stored; empty: none.
// Both are read atomically: otherwise a write in between, or a wiped Redis, would look as if somebody had used the
// dashboard.
func (c *Conn) LanePaused(ctx context.Context, lane string) (paused bool, version string, err error) {
	both, err := c.client.MGet(ctx, pausedKey(lane), versionKey(lane)).Result()
	if err != nil {
		return false, "", unavailable("lane paused", err)
	}
	version, _ = both[1].(string)
	return both[0] != nil, version, nil
}

// SetLanePaused pauses or resumes a lane in the queue and stores the version of that setting, atomically. A repeat
// changes nothing. Error: Unavailable.
func (c *Conn) SetLanePaused(ctx context.Context, lane string, paused bool, version string) error {
	_, err := c.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		if paused {
			pipe.SetNX(ctx, pausedKey(lane), time.Now().Unix(), 0)
		} else {
			pipe.Del(ctx, pausedKey(lane))
		}
		pipe.Set(ctx, versionKey(lane), version, 0)
		return nil
	})
	return unavailable("set lane paused", err)
}
