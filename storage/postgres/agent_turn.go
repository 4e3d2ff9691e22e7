package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// turnAsk is a turn that a job asks for.
type turnAsk struct {
	claim     Claim
	job       jobs.TakeTurn
	publicURL string // base of portal links
	advice    dossier.Advice
}

// PrepareTurn returns what an agent knows before its turn, for a language model to be asked about outside of any
// transaction; nil: there is nothing to do, or not yet. Error: ErrFenced.
func (db *DB) PrepareTurn(ctx context.Context, claim Claim, job jobs.TakeTurn, publicURL string) (*dossier.Situation, error) {
	return transact(ctx, db, claim.Workspace, "prepare turn", func(tx *tx) (*dossier.Situation, error) {
		t, err := holdTurn(ctx, tx, turnAsk{claim: claim, job: job, publicURL: publicURL})
		if dossier.KindOf(err) == dossier.NotFound {
			return nil, nil // the turn itself says so
		}
		if err != nil || t.idle || t.early > 0 || t.trigger == "" {
			return nil, err
		}
		return &t.situation, nil
	})
}

// TakeTurn lets an agent look at its lead, decide and act, in one commit under the lead's lock. publicURL is the base
// of portal links. advice is used where the lead's state still is the one it was given for. A turn that is not due yet
// is put off. Turns that are taken at the same time share a commit (agent_turns.go). Errors: ErrFenced.
func (db *DB) TakeTurn(ctx context.Context, claim Claim, job jobs.TakeTurn, publicURL string, advice dossier.Advice) error {
	ask := turnAsk{claim, job, publicURL, advice}
	if taken, err := db.turns.do(ctx, ask); err == nil && taken {
		return nil
	}
	_, err := transact(ctx, db, claim.Workspace, "take turn", func(tx *tx) (none, error) {
		t, err := holdTurn(ctx, tx, ask)
		switch {
		case dossier.KindOf(err) == dossier.NotFound: // the run, or its lead, is gone
			return none{}, finishJob(ctx, tx, claim, "")
		case err != nil:
			return none{}, err
		case t.early > 0:
			return none{}, snoozeJob(ctx, tx, claim, t.early, "not_due")
		}
		finishTurnJobs(tx, []*turn{t})
		return none{}, t.take(ctx, tx)
	})
	return err
}

// holdTurn waits for the job with what it is about, holds them, and reads what the turn needs. Errors: NotFound, ErrFenced.
func holdTurn(ctx context.Context, tx *tx, ask turnAsk) (*turn, error) {
	var held heldRun
	batch := &pgx.Batch{}
	held.queue(batch, tx, ask.job.Run)
	holdJob(batch, ask.claim) // after the lead, as whatever cancels a run's jobs does
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	if _, _, err := held.found(); err != nil {
		return nil, err
	}
	turns, err := readTurns(ctx, tx, []turnAsk{ask})
	switch {
	case err != nil:
		return nil, err
	case turns[0] == nil:
		return nil, ErrFenced
	}
	return turns[0], nil
}

// earliness tolerates that a queue's due times are coarser than a plan's.
const earliness = 2 * time.Second

// turn is one turn of an agent in its transaction.
type turn struct {
	turnAsk
	lead      leadRef
	run       dossier.Run
	plan      dossier.ActionLogID // empty: an answer, or only a look
	trigger   dossier.Trigger     // empty: only a look whether the workflow is done
	due       time.Time
	early     time.Duration // how long it is not due yet; what follows is not read then
	idle      bool          // there is nothing to do
	situation dossier.Situation
	past      past
}

func (t *turn) take(ctx context.Context, tx *tx) error {
	if t.idle {
		return nil
	}
	step := t.situation.Decide()
	t.advice.Reword(&step)
	if step.Kind == dossier.StepComplete {
		return finishRun(ctx, tx, t.lead, t.run)
	}
	if t.trigger == "" {
		return nil
	}
	if step.Escalate != "" { // first: the message says so
		if _, err := escalate(ctx, tx, t.run.LeadID, t.run.ID, step.Escalate, clipped(t.situation.Question), Caller{Source: dossier.SourceAgent}); err != nil {
			return err
		}
	}
	if step.Kind == dossier.StepWrite {
		if err := t.write(ctx, tx, step); err != nil {
			return err
		}
	} else if err := t.settle(ctx, tx, step); err != nil {
		return err
	}
	if step.Later > 0 {
		return planTurn(ctx, tx, t.run, t.trigger, t.situation.Quiet.Next(tx.now.Add(step.Later), t.situation.Zone))
	}
	if t.trigger == dossier.TriggerRefused && step.Kind == dossier.StepWait {
		return t.follow().resume(ctx, tx) // it stood in place of the next follow-up
	}
	return nil
}

// clipped is the question as the detail of an escalation.
func clipped(m *dossier.Message) *string {
	if m == nil {
		return nil
	}
	said := []rune(dossier.QuestionText(m.Body))
	detail := string(said[:min(len(said), 2000)])
	return nullable(detail)
}

// settle records that the agent said nothing, and why.
func (t *turn) settle(ctx context.Context, tx *tx, step dossier.Step) error {
	calls := t.toolCalls(step, map[string]any{"said": "nothing"})
	if t.plan != "" {
		tx.later(`UPDATE action_logs SET status = 'CANCELLED', summary = $3, tool_calls = $4, completed_at = $5 WHERE workspace_id = $1 AND id = $2`,
			tx.ws, t.plan, "Nothing sent: "+step.Reason, calls, tx.now)
		return nil
	}
	id, err := logAction(ctx, tx, dossier.ActionLog{LeadID: t.run.LeadID, RunID: &t.run.ID, AgentID: &t.run.AgentID, Type: dossier.ActionAgentActivity,
		Summary: "Nothing sent: " + step.Reason}, planned{t.trigger, t.run.ID})
	if err != nil {
		return err
	}
	tx.later(`UPDATE action_logs SET tool_calls = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, calls)
	return nil
}

// write stores the message, as a draft or queued, and stages its sending. The provider log takes it in this commit.
func (t *turn) write(ctx context.Context, tx *tx, step dossier.Step) error {
	due := tx.now
	if step.Draft.NotYet.After(due) {
		due = step.Draft.NotYet
	}
	provider := t.situation.Channels[step.Draft.Channel]
	m := newMessage{Template: step.Draft.Template, Purpose: dossier.PurposeOutreach, Message: dossier.Message{ID: newID[dossier.MessageID](), LeadID: &t.run.LeadID,
		RunID: &t.run.ID, AgentID: &t.run.AgentID, Direction: dossier.MessageOutbound, Channel: string(step.Draft.Channel), Status: dossier.MessageQueued,
		To: &step.Draft.To, Subject: nullable(step.Draft.Subject), Body: step.Draft.Body, ScheduledAt: &due, CreatedAt: tx.now, UpdatedAt: tx.now}}
	if t.trigger == dossier.TriggerReply {
		m.Purpose = dossier.PurposeReply
	}
	switch {
	case t.situation.Drafts():
		m.Status, m.ScheduledAt = dossier.MessageDraft, nil
	case provider.Provider == providerLog && !due.After(tx.now):
		m.Status, m.SentAt, m.From, m.ProviderID = dossier.MessageSent, &tx.now, nullable(provider.From), logID(m.ID)
	}
	insertMessage(tx, m)
	t.announce(tx, step, m.Message, due)
	t.remember(tx, m.Status)
	switch m.Status {
	case dossier.MessageSent:
		if err := tellMessage(ctx, tx, dossier.EventMessageSent, t.lead, m.Message); err != nil {
			return err
		}
		return t.follow().after(ctx, tx, t.counts(), false)
	case dossier.MessageQueued:
		return stageSending(ctx, tx, m.Message)
	}
	return nil
}

// follow is what the run's next turn depends on after this one.
func (t *turn) follow() follow {
	return follow{run: t.run, workflow: t.situation.Workflow, past: t.past, quiet: t.situation.Quiet, zone: t.situation.Zone}
}

// counts says whether the turn's message counts against the cap of its workflow.
func (t *turn) counts() bool {
	return t.trigger == dossier.TriggerFollowUp || t.trigger == dossier.TriggerReminder
}

// remember notes in the run when this turn was due, and that its message counts once it has left.
func (t *turn) remember(tx *tx, status dossier.MessageStatus) {
	counted := 0
	if status == dossier.MessageSent && t.counts() {
		counted = 1
	}
	t.past.Written++
	t.past.Counted += counted
	if t.due.IsZero() {
		return
	}
	t.past.LastDue = &t.due
	tx.gather(&rememberTurns, string(t.run.LeadID), t.run.ID, mustJSON(map[string]any{"lastDue": t.due}), counted)
}

var rememberTurns = rowStatement{many: `UPDATE workflow_runs r SET state = state || t.known, sent_count = sent_count + t.counted
	FROM unnest($2::uuid[], $3::jsonb[], $4::int[]) WITH ORDINALITY AS t (run_id, known, counted, n)
	WHERE r.workspace_id = $1 AND r.id = t.run_id AND ` + few("t.n")}

// announce puts the message on the timeline: the entry is pending until the message is sent.
func (t *turn) announce(tx *tx, step dossier.Step, m dossier.Message, due time.Time) {
	id := t.plan
	if id == "" {
		id = planAction(tx, t.run, actionOf(t.trigger), "", planned{t.trigger, t.run.ID}, due)
	}
	status := dossier.ActionPending
	if m.Status == dossier.MessageSent {
		status = dossier.ActionCompleted
	}
	summary := t.situation.Agent.Name + " " + map[bool]string{true: "drafted", false: "writes"}[m.Status == dossier.MessageDraft] + " (" + m.Channel + "): " + step.Reason
	tx.gather(&announceMessages, string(t.run.LeadID), id, m.ID, summary, t.toolCalls(step, map[string]any{"messageId": m.ID, "status": m.Status, "channel": m.Channel}), due, status, m.SentAt)
}

var announceMessages = rowStatement{many: `UPDATE action_logs a SET message_id = t.message_id, summary = t.summary, tool_calls = t.tool_calls, scheduled_at = t.due,
		status = t.status, completed_at = t.completed_at
	FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::text[], $8::timestamptz[])
		WITH ORDINALITY AS t (id, message_id, summary, tool_calls, due, status, completed_at, n)
	WHERE a.workspace_id = $1 AND a.id = t.id AND ` + few("t.n")}

// toolCall is an entry of an action log's toolCalls.
type toolCall struct {
	Name   string         `json:"name"`
	Input  map[string]any `json:"input"`
	Output map[string]any `json:"output"`
}

// toolCalls tells what the agent looked at and what it did.
func (t *turn) toolCalls(step dossier.Step, output map[string]any) json.RawMessage {
	open, refused := []string{}, []string{}
	for entry := range t.situation.Checklist.All() {
		switch {
		case !entry.Visible || !entry.Item.IsRequired:
		case entry.Status == dossier.ItemInvalid:
			refused = append(refused, entry.Item.Code)
		case entry.Status == dossier.ItemTodo:
			open = append(open, entry.Item.Code)
		}
	}
	s := t.situation
	notes := []string{}
	for _, note := range s.Notes {
		notes = append(notes, note.Title)
	}
	calls := []toolCall{
		{"read_lead", map[string]any{"leadId": t.run.LeadID}, map[string]any{"open": open, "refused": refused, "outreachWritten": s.Written, "followUpsSent": s.FollowUps, "replied": s.Replied,
			"notes": notes, "language": s.Language()}},
		{string(step.Kind), map[string]any{"trigger": t.trigger, "reason": step.Reason}, output},
	}
	calls = append(calls, t.modelCalls(step)...)
	if step.Escalate != "" {
		calls = append(calls, toolCall{"escalate", map[string]any{"reason": step.Escalate}, map[string]any{}})
	}
	return mustJSON(calls)
}

// modelCalls tells what a language model had to do with the step.
func (t *turn) modelCalls(step dossier.Step) (calls []toolCall) {
	if r := t.advice.Reading; r != nil {
		calls = append(calls, toolCall{"read_reply", map[string]any{"by": "model"}, map[string]any{"intent": r.Intent, "item": r.Code, "sure": r.Sure}})
	}
	if t.advice.For != "" && step.Draft != nil {
		calls = append(calls, toolCall{"word_message", map[string]any{"by": "model"}, map[string]any{"used": step.Draft.Body == t.advice.Words, "refused": t.advice.Refused}})
	}
	return calls
}
