package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

type pollQuery struct {
	JobID dossier.PipelineRunID `query:"jobId" check:"required"`
	Wait  *int                  `query:"wait" check:"min=0,max=25"`
}

// A waiting poll looks again after pollInterval, then less and less often: a thousand callers that wait for long
// runs ask a thousand times a second, not ten thousand.
const (
	pollInterval    = 100 * time.Millisecond
	maxPollInterval = time.Second
)

// polled is how a run stands: the body as it is sent.
type polled struct {
	body  []byte
	ended bool
	tag   string // of a run that goes on: its elapsed time changes with every look, its state does not
}

// pollPipeline answers how a run stands; with wait it answers as soon as the run has ended.
func (s *Server) pollPipeline(c *fiber.Ctx) error {
	q, err := query[pollQuery](c)
	if err != nil {
		return err
	}
	id, deadline, pause := strings.Clone(c.Params("pipelineId")), s.Now(), pollInterval
	if q.Wait != nil {
		deadline = deadline.Add(time.Duration(*q.Wait) * time.Second)
	}
	run, err := s.look(c.UserContext(), callerOf(c), id, q.JobID)
	if err != nil {
		return err
	}
	for !run.ended && s.Now().Before(deadline) && jobs.Sleep(c.UserContext(), pause) {
		pause = min(pause*3/2, maxPollInterval)
		latest, err := s.look(c.UserContext(), callerOf(c), id, q.JobID)
		if err != nil { // what was seen last is an answer too
			s.warn(c, "poll does not wait any more", err)
			break
		}
		run = latest
	}
	return s.sendPoll(c, run)
}

func (s *Server) sendPoll(c *fiber.Ctx, run polled) (err error) {
	if !run.ended {
		web.RetryAfter(c, time.Second)
		c.Set(fiber.HeaderETag, run.tag)
	} else if exported(run.body) {
		if run.body, err = s.withLink(c, run.body); err != nil {
			return err
		}
	}
	c.Status(fiber.StatusOK).Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(run.body)
	return nil
}

// look reads from Redis; what is not there, or when Redis is away, from Postgres. Error: NotFound.
func (s *Server) look(ctx context.Context, who caller, pipeline string, id dossier.PipelineRunID) (polled, error) {
	if !who.key.IsTest { // what Redis keeps does not say whose it is
		if body, ok := s.cachedPoll(ctx, who.workspace, pipeline, id); ok {
			return polled{body: body, ended: true}, nil
		}
	}
	run, err := s.db.ReadPipelineRun(ctx, who.workspace, pipeline, id)
	if err != nil {
		return polled{}, err
	}
	body, err := json.Marshal(record.OfPipelineRun(run, s.Now()))
	return polled{body, run.Status.Ended(),
		fmt.Sprintf(`W/"%s-%d-%d-%d"`, run.Status, run.Step, run.Attempts, run.Progress)}, err
}

// redisPatience is how long a poll waits for Redis, and redisPause how long it then does without: Postgres knows too.
const (
	redisPatience = 250 * time.Millisecond
	redisPause    = time.Second
)

// cachedPoll is the body of a run that has ended, as the worker left it in Redis. Redis forgets and goes away:
// anything but a hit is answered from Postgres.
func (s *Server) cachedPoll(ctx context.Context, ws dossier.WorkspaceID, pipeline string,
	id dossier.PipelineRunID) ([]byte, bool) {
	if s.Cache == nil || time.Now().UnixNano() < s.polls.until.Load() {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, redisPatience)
	defer cancel()
	body, ok, err := s.Cache.Poll(ctx, ws, id)
	if err != nil {
		s.polls.until.Store(time.Now().Add(redisPause).UnixNano())
		s.Log.Warn("poll results are read from Postgres", "error", err)
	}
	if err != nil || !ok {
		return nil, false
	}
	var of struct {
		PipelineID string `json:"pipelineId"`
	}
	if json.Unmarshal(body, &of) != nil || of.PipelineID != pipeline {
		return nil, false
	}
	return body, true
}

// pollPause remembers that Redis was away, so that not every poll waits to find out again.
type pollPause struct{ until atomic.Int64 }
