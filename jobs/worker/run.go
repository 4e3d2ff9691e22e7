package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/storage/postgres"
)

// takeTurn lets an agent look at its lead and decide what to say. The rules are plain Go and need no network, so the
// whole turn is one commit; a language model, where there is one, is asked before it and only advises.
func (w *Worker) takeTurn(ctx context.Context, claim postgres.Claim, job jobs.TakeTurn) error {
	if err := w.paceTurn(ctx); err != nil {
		return err
	}
	advice, err := w.advise(ctx, claim, job)
	if err != nil {
		return err
	}
	return w.db.TakeTurn(ctx, claim, job, w.PublicURL, advice)
}

// paceTurn waits until another turn may be taken. Thousands may be due at one moment, and no provider of messages takes
// more: what is spread costs the API's callers nothing.
func (w *Worker) paceTurn(ctx context.Context) error {
	for {
		allowance, err := w.Redis.Allow(ctx, "agent-turns", 60*w.AgentRate, w.AgentRate/10)
		if err != nil || allowance.Allowed {
			return err
		}
		if !sleep(ctx, max(allowance.Wait, time.Millisecond)) {
			return context.Cause(ctx)
		}
	}
}

const (
	mostAsked     = 8                // turns for which a model is asked at once: far fewer than the lane takes
	adviceTimeout = 10 * time.Second // a lead waits no longer for nicer words
	adviceRest    = time.Minute      // after a server that did not answer, before it is asked again
)

// advise asks the model for a reading of what the rules do not understand, and for words. Whatever goes wrong with it,
// the rules' own message is sent.
func (w *Worker) advise(ctx context.Context, claim postgres.Claim, job jobs.TakeTurn) (advice dossier.Advice, err error) {
	if w.Model == nil {
		return advice, nil
	}
	select {
	case w.asking <- struct{}{}:
		defer func() { <-w.asking }()
	case <-ctx.Done():
		return advice, ctx.Err()
	}
	if w.Now().UnixNano() < w.modelRest.Load() { // it may have fallen silent while others were with it
		return advice, nil
	}
	s, err := w.db.PrepareTurn(ctx, claim, job, w.PublicURL)
	if err != nil || s == nil {
		return advice, err
	}
	scope := string(claim.Workspace)
	step := s.Decide()
	if step.Unsure {
		if reading, ok := w.readReply(ctx, scope, *s); ok {
			advice.Reading, s.Reading = &reading, &reading
			step = s.Decide()
		}
	}
	if s.Wordable(step) {
		w.word(ctx, scope, *s, *step.Draft, &advice)
	}
	return advice, nil
}

func (w *Worker) readReply(ctx context.Context, scope string, s dossier.Situation) (dossier.Reading, bool) {
	ctx, cancel := context.WithTimeout(ctx, adviceTimeout)
	defer cancel()
	items := map[string]string{}
	for entry := range s.Checklist.All() {
		if entry.Visible {
			items[entry.Item.Code] = entry.Item.Label
		}
	}
	reading, err := w.Model.Reply(ctx, scope, dossier.QuestionText(s.Question.Body), items)
	w.restModel(err)
	return reading, err == nil && reading.Intent != dossier.IntentUnknown
}

func (w *Worker) word(ctx context.Context, scope string, s dossier.Situation, draft dossier.Draft, advice *dossier.Advice) {
	ctx, cancel := context.WithTimeout(ctx, adviceTimeout)
	defer cancel()
	language := map[dossier.Language]string{dossier.English: "English", dossier.Spanish: "Spanish, formal (usted)"}[s.Language()]
	hidden := s.HideLink(draft.Body)
	how := fmt.Sprintf("Word this message anew in %s, as a message by %s of at most %d characters.", language, draft.Channel, len([]rune(hidden))+40)
	advice.For = draft.Body
	words, err := w.Model.Wording(ctx, scope, how, hidden)
	w.restModel(err)
	if err != nil {
		advice.Refused = "no answer that can be used"
		return
	}
	if advice.Refused = s.Unfit(draft.Channel, hidden, words); advice.Refused == "" {
		advice.Words = s.ShowLink(words)
	}
}

// restModel leaves a server alone that did not answer, so that a crowd of turns does not wait for it one by one.
func (w *Worker) restModel(err error) {
	if err != nil && !errors.Is(err, llm.ErrDropped) && !errors.Is(err, llm.ErrAddressed) {
		w.modelRest.Store(w.Now().Add(adviceRest).UnixNano())
	}
}
