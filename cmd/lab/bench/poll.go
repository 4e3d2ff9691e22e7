package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// Poll measures polls of a run that has ended: answered from Redis, from Postgres when Redis has no such result, of a
// run that goes on, and with the tag the caller has already. The bare one is a Fiber route that gets one key from the
// same Redis.
func Poll(ctx context.Context, s *Stack, each time.Duration) (APIResult, error) {
	url, key, stop, err := s.startAPI()
	if err != nil {
		return APIResult{}, err
	}
	defer stop()
	cached, err := s.pollable(ctx, dossier.PipelineComplete)
	if err != nil {
		return APIResult{}, err
	}
	stored, err := s.pollable(ctx, dossier.PipelineComplete)
	if err != nil {
		return APIResult{}, err
	}
	running, err := s.pollable(ctx, dossier.PipelineInProgress)
	if err != nil {
		return APIResult{}, err
	}
	body, err := json.Marshal(record.OfPipelineRun(cached, time.Now()))
	if err != nil {
		return APIResult{}, err
	}
	if err := s.Redis.SetPoll(ctx, s.Workspace, cached.ID, body); err != nil {
		return APIResult{}, err
	}
	bare, stopBare, err := s.bareRedis(ctx, body)
	if err != nil {
		return APIResult{}, err
	}
	defer stopBare()
	poll := url + "/pipelines/run/" + jobs.PipelineMatchDocuments + "?jobId="
	return s.compare("poll", each,
		target{name: "bare", method: "GET", url: bare, status: 200},
		target{name: "pollFromRedis", method: "GET", url: poll + string(cached.ID), key: key, status: 200},
		target{name: "pollFromPostgres", method: "GET", url: poll + string(stored.ID), key: key, status: 200},
		target{name: "pollRunning", method: "GET", url: poll + string(running.ID), key: key, status: 200},
	)
}

// pollable makes a run in a state, with a result of a usual size.
func (s *Stack) pollable(ctx context.Context, status dossier.PipelineStatus) (dossier.PipelineRun, error) {
	pipeline := jobs.PipelineMatchDocuments
	run, err := s.DB.CreatePipelineRun(ctx, s.Workspace, pipeline, []string{pipeline}, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		return run, err
	}
	match := `{"documentId": "019b7d2a-31c0-7000-8000-0000000000d1", "leadChecklistItemId": "019b7d2a-31c0-7000-8000-0000000000e1", "code": "BANK", "label": "Bank statements", "score": 0.94, "reason": "a bank statement"}`
	err = s.exec(ctx, `UPDATE pipeline_runs SET status = $3, progress = 100, result = $4, started_at = now(), finished_at = CASE WHEN $3 = 'COMPLETE' THEN now() END WHERE workspace_id = $1 AND id = $2`,
		s.Workspace, run.ID, string(status), `{"matches": [`+strings.Repeat(match+", ", 4)+match+`], "unmatched": []}`)
	if err != nil {
		return run, err
	}
	return s.DB.ReadPipelineRun(ctx, s.Workspace, pipeline, run.ID)
}

// bareRedis is a Fiber route that answers a key of Redis.
func (s *Stack) bareRedis(ctx context.Context, body []byte) (url string, stop func(), err error) {
	client := s.Redis.Client()
	if err := client.Set(ctx, "bench:bare", body, 0).Err(); err != nil {
		return "", nil, err
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/poll", func(c *fiber.Ctx) error {
		got, err := client.Get(c.UserContext(), "bench:bare").Bytes()
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(bytes.Clone(got))
	})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() { _ = app.Listener(listener) }() // ends with stop
	return "http://" + listener.Addr().String() + "/poll", func() { _ = app.Shutdown() }, nil
}
