package cache

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
)

const (
	pollTTL = 24 * time.Hour
	pollMax = 64 << 10 // bytes; larger results are read from Postgres
)

// The workspace in the key makes another workspace's job absent.
func pollKey(ws dossier.WorkspaceID, job dossier.PipelineRunID) string {
	return "pipe:" + string(ws) + ":" + string(job)
}

// SetPoll keeps the final result of a pipeline run for 24 hours. Only final results belong here: a run that ends
// elsewhere (by the reaper, by an operator) would otherwise look unfinished for a day. A body over 64 KB is not kept.
// Error: Unavailable.
func (c *Conn) SetPoll(ctx context.Context, ws dossier.WorkspaceID, job dossier.PipelineRunID, body []byte) error {
	if len(body) > pollMax {
		return nil
	}
	return unavailable("set poll result", c.client.Set(ctx, pollKey(ws, job), body, pollTTL).Err())
}

// Poll reads a result that SetPoll kept; not ok when there is none. Error: Unavailable.
func (c *Conn) Poll(ctx context.Context, ws dossier.WorkspaceID, job dossier.PipelineRunID) (body []byte, ok bool,
	err error) {
	body, err = c.client.Get(ctx, pollKey(ws, job)).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, false, nil
	}
	return body, err == nil, unavailable("poll result", err)
}

// DropPoll forgets a result, when what its run was about is erased. Error: Unavailable.
func (c *Conn) DropPoll(ctx context.Context, ws dossier.WorkspaceID, job dossier.PipelineRunID) error {
	return unavailable("drop poll result", c.client.Del(ctx, pollKey(ws, job)).Err())
}
