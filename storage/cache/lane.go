package cache

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// The queue library's own key of a paused lane, which its dashboard writes too, and beside it the word that was last
// heard.
func pausedKey(lane string) string { return "asynq:{" + lane + "}:paused" }
func heardKey(lane string) string  { return "dossier:lane:" + lane }

// LanePaused reports whether the queue says that a lane is paused, and the word that SetLanePaused last left; empty:
// none.
func (c *Conn) LanePaused(ctx context.Context, lane string) (paused bool, word string, err error) {
	n, err := c.client.Exists(ctx, pausedKey(lane)).Result()
	if err != nil {
		return false, "", unavailable("lane paused", err)
	}
	word, err = c.client.Get(ctx, heardKey(lane)).Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return n > 0, word, unavailable("lane paused", err)
}

// SetLanePaused tells the queue whether a lane is paused, and leaves a word beside it. To say so again changes nothing.
func (c *Conn) SetLanePaused(ctx context.Context, lane string, paused bool, word string) error {
	var err error
	if paused {
		err = c.client.SetNX(ctx, pausedKey(lane), time.Now().Unix(), 0).Err()
	} else {
		err = c.client.Del(ctx, pausedKey(lane)).Err()
	}
	if err == nil {
		err = c.client.Set(ctx, heardKey(lane), word, 0).Err()
	}
	return unavailable("set lane paused", err)
}
