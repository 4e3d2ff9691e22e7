package worker

import (
	"context"
	"errors"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
)

// takeTurn lets an agent look at its lead and decide what to say. The rules are plain Go and need no network, so the
// whole turn is one commit; a language model, where there is one, is asked before it what a reply means.
func (w *Worker) takeTurn(ctx context.Context, claim postgres.Claim, job jobs.TakeTurn) error {
	if err := w.paceTurn(ctx); err != nil {
		return err
	}
	reading, err := w.readReply(ctx, claim, job)
	if err != nil {
		return err
	}
	return w.db.TakeTurn(ctx, claim, job, w.PublicURL, reading, outreach.Decide)
}

// paceTurn waits for a token of the rate at which all workers together take turns. Thousands may be due at one moment;
// spread out, they do not slow down the API's callers, and no provider takes messages faster anyway.
func (w *Worker) paceTurn(ctx context.Context) error {
	for {
		allowance, err := w.Redis.Allow(ctx, "agent-turns", 60*w.AgentRate, w.AgentRate/10)
		if err != nil || allowance.Allowed {
			return err
		}
		if !jobs.Sleep(ctx, max(allowance.Wait, time.Millisecond)) {
			return context.Cause(ctx)
		}
	}
}

const (
	mostAsked    = 8                // turns for which a model is asked at once: far fewer than the lane takes
	modelTimeout = 10 * time.Second // a lead waits no longer for an answer
	modelRest    = time.Minute      // after a server that did not answer, before it is asked again
)

// readReply asks the model what a reply means that the rules do not understand; nil: they answer as they can. Whatever
// goes wrong with the model costs nothing but its reading.
func (w *Worker) readReply(ctx context.Context, claim postgres.Claim, job jobs.TakeTurn) (*dossier.Reading, error) {
	if w.Model == nil || job.Reply == "" {
		return nil, nil
	}
	select {
	case w.asking <- struct{}{}:
		defer func() { <-w.asking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if w.Now().UnixNano() < w.modelRest.Load() { // it may have fallen silent while others were with it
		return nil, nil
	}
	s, err := w.db.PrepareTurn(ctx, claim, job, w.PublicURL)
	if err != nil || s == nil || !outreach.Decide(*s).Unsure {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	items := map[string]string{}
	for entry := range s.Checklist.All() {
		if entry.Visible {
			items[entry.Item.Code] = entry.Item.Label
		}
	}
	reading, err := w.Model.Reply(ctx, llm.About{Workspace: claim.Workspace, Subject: string(s.Lead.ID)},
		dossier.QuestionText(s.Question.Body), items)
	w.pauseModel(err)
	if err != nil || reading.Intent == dossier.IntentUnknown {
		return nil, nil
	}
	return &reading, nil
}

// pauseModel stops asking a model server for a while after it did not answer, so that many turns do not wait for it one
// by one.
func (w *Worker) pauseModel(err error) {
	if err != nil && !errors.Is(err, llm.ErrDropped) && !errors.Is(err, llm.ErrPromptInjection) {
		w.modelRest.Store(w.Now().Add(modelRest).UnixNano())
	}
}
