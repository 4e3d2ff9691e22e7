package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// turnRequest is what a job hands over with the turn it asks for.
type turnRequest struct {
	claim     Claim
	job       jobs.TakeTurn
	publicURL string           // base of portal links
	reading   *dossier.Reading // of the reply, by a language model; nil: none was asked
	decide    Decide
}

// Decide chooses an agent's step from what it knows. It is called inside the transaction that holds the lead, so it
// must be pure: it depends on its argument alone and has no side effects.
type Decide func(dossier.Situation) dossier.Step

// PrepareTurn returns what an agent knows before its turn, so that a language model can be asked about it outside of
// any transaction. It returns nil when there is nothing to do, or not yet. Error: ErrFenced.
func (db *DB) PrepareTurn(ctx context.Context, claim Claim, job jobs.TakeTurn, publicURL string) (*dossier.Situation,
	error) {
	return transact(ctx, db, claim.Workspace, "prepare turn", func(tx *tx) (*dossier.Situation, error) {
		t, err := holdTurn(ctx, tx, turnRequest{claim: claim, job: job, publicURL: publicURL})
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
// of portal links, decide what the agent does, reading what a language model made of the reply, if it was asked. A turn
// that is not due yet is put off. Error: ErrFenced.
func (db *DB) TakeTurn(ctx context.Context, claim Claim, job jobs.TakeTurn, publicURL string, reading *dossier.Reading,
	decide Decide) error {
	_, err := transact(ctx, db, claim.Workspace, "take turn", func(tx *tx) (none, error) {
		t, err := holdTurn(ctx, tx, turnRequest{claim, job, publicURL, reading, decide})
		switch {
		case dossier.KindOf(err) == dossier.NotFound: // the run, or its lead, is gone
			return none{}, finishJob(ctx, tx, claim, "")
		case err != nil:
			return none{}, err
		case t.early > 0:
			return none{}, snoozeJob(ctx, tx, claim, t.early, "not_due")
		}
		// Before the turn, since a turn that ends its run cancels every job of the run, this one too.
		finishHeldJob(tx, claim, "run:"+string(t.run.ID))
		return none{}, t.act(ctx, tx)
	})
	return err
}

// holdTurn locks the lead, the run and the job, and reads what the turn needs. Errors: NotFound, ErrFenced.
func holdTurn(ctx context.Context, tx *tx, ask turnRequest) (*turn, error) {
	t := &turn{turnRequest: ask, plan: ask.job.Plan}
	var held heldRun
	var plans []plannedTurn
	batch := &pgx.Batch{}
	held.queue(batch, tx, ask.job.Run)
	if t.plan != "" {
		queue(batch, &plans, pgx.RowToStructByPos[plannedTurn], `SELECT input, scheduled_at FROM action_logs
			WHERE workspace_id = $1 AND id = $2 AND status = 'PENDING' AND message_id IS NULL
			FOR UPDATE`, tx.ws, t.plan)
	}
	holdJob(batch, ask.claim) // after the lead, as whatever cancels a run's jobs does
	err := tx.SendBatch(ctx, batch).Close()
	if err != nil {
		return nil, err
	}
	if t.lead, t.run, err = held.found(); err != nil {
		return nil, err
	}
	t.setTrigger(plans, tx.now)
	if t.idle || t.early > 0 {
		return t, nil
	}
	return t, t.read(ctx, tx)
}

// plannedTurn is a pending entry of the timeline that announces a turn.
type plannedTurn struct {
	Input planInput
	Due   time.Time
}

// setTrigger sets why the turn is taken, or that there is nothing to do (idle), or not yet (early). plans holds the
// timeline entry that announces the turn, unless it was cancelled or its turn was taken already.
func (t *turn) setTrigger(plans []plannedTurn, now time.Time) {
	switch {
	case t.run.Status.Ended(), t.run.Status == dossier.RunPaused && t.job.Reply == "":
		t.idle = true
	case t.job.Reply != "":
		t.trigger = dossier.TriggerReply
	case len(plans) > 0:
		t.trigger, t.due = plans[0].Input.Trigger, plans[0].Due
		if early := t.due.Sub(now); early > earliness {
			t.early = early
		}
	case t.plan != "":
		t.idle = true
	}
}

// earliness tolerates that a queue's due times are coarser than a plan's.
const earliness = 2 * time.Second

// turn is one turn of an agent in its transaction.
type turn struct {
	turnRequest
	lead      leadRef
	run       dossier.Run
	plan      dossier.ActionLogID // the timeline entry that announces the turn; empty for an answer or a mere check
	trigger   dossier.Trigger     // empty: only checks whether the workflow is done
	due       time.Time
	early     time.Duration // time left until it is due; while positive, the fields below are not read
	idle      bool          // there is nothing to do
	situation dossier.Situation
	history   runHistory
}

// act decides and does what was decided: it completes the run, escalates, writes a message or records that nothing is
// said, and plans the next turn.
func (t *turn) act(ctx context.Context, tx *tx) error {
	if t.idle {
		return nil
	}
	step := t.decide(t.situation)
	if step.Kind == dossier.StepComplete {
		return finishRun(ctx, tx, t.lead, t.run)
	}
	if t.trigger == "" {
		return nil
	}
	if step.Escalate != "" { // first: the message says so
		if _, err := escalate(ctx, tx, t.run.LeadID, t.run.ID, step.Escalate, clipped(t.situation.Question),
			Caller{Source: dossier.SourceAgent}); err != nil {
			return err
		}
	}
	if step.Kind == dossier.StepWrite {
		if err := t.writeMessage(ctx, tx, step); err != nil {
			return err
		}
	} else if err := t.recordSilence(ctx, tx, step); err != nil {
		return err
	}
	if step.Later > 0 {
		return planTurn(ctx, tx, t.run, t.trigger, t.situation.Quiet.Next(tx.now.Add(step.Later), t.situation.Zone))
	}
	if t.trigger == dossier.TriggerRefused && step.Kind == dossier.StepWait {
		return t.nextTurn().replan(ctx, tx) // this turn had replaced the next follow-up
	}
	return nil
}

// clipped returns the lead's question, at most 2,000 characters of it, for the detail of an escalation.
func clipped(m *dossier.Message) *string {
	if m == nil {
		return nil
	}
	said := []rune(dossier.QuestionText(m.Body))
	detail := string(said[:min(len(said), 2000)])
	return dossier.OrNil(detail)
}

// recordSilence records that the agent said nothing, and why.
func (t *turn) recordSilence(ctx context.Context, tx *tx, step dossier.Step) error {
	calls := t.toolCalls(step, map[string]any{"said": "nothing"})
	if t.plan != "" {
		tx.deferExec(`UPDATE action_logs SET status = 'CANCELLED', summary = $3, tool_calls = $4, completed_at = $5
				WHERE workspace_id = $1 AND id = $2`,
			tx.ws, t.plan, "Nothing sent: "+step.Reason, calls, tx.now)
		return nil
	}
	id, err := logAction(ctx, tx, dossier.ActionLog{LeadID: t.run.LeadID, RunID: &t.run.ID, AgentID: &t.run.AgentID,
		Type:    dossier.ActionAgentActivity,
		Summary: "Nothing sent: " + step.Reason}, planInput{t.trigger, t.run.ID})
	if err != nil {
		return err
	}
	tx.deferExec(`UPDATE action_logs SET tool_calls = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, calls)
	return nil
}

// writeMessage stores the message, as a draft or queued, and stages its sending. With the provider "log" it counts as
// sent in this commit.
func (t *turn) writeMessage(ctx context.Context, tx *tx, step dossier.Step) error {
	due := tx.now
	if step.Draft.NotYet.After(due) {
		due = step.Draft.NotYet
	}
	provider := t.situation.Channels[step.Draft.Channel]
	m := newMessage{Template: step.Draft.Template, Purpose: dossier.PurposeOutreach,
		Message: dossier.Message{ID: newID[dossier.MessageID](), LeadID: &t.run.LeadID,
			RunID: &t.run.ID, AgentID: &t.run.AgentID, Direction: dossier.MessageOutbound,
			Channel: string(step.Draft.Channel), Status: dossier.MessageQueued,
			To: &step.Draft.To, Subject: dossier.OrNil(step.Draft.Subject), Body: step.Draft.Body, ScheduledAt: &due,
			CreatedAt: tx.now, UpdatedAt: tx.now}}
	if t.trigger == dossier.TriggerReply {
		m.Purpose = dossier.PurposeReply
	}
	switch {
	case t.situation.Drafts():
		m.Status, m.ScheduledAt = dossier.MessageDraft, nil
	case provider.Provider == providerLog && !due.After(tx.now):
		m.Status, m.SentAt = dossier.MessageSent, &tx.now
		m.From, m.ProviderID = dossier.OrNil(provider.From), logID(m.ID)
	}
	insertMessage(tx, m)
	t.logMessage(tx, step, m.Message, due)
	t.countMessage(tx, m.Status)
	switch m.Status {
	case dossier.MessageDraft:
		return reviewDraft(ctx, tx, t.lead, m.Message)
	case dossier.MessageSent:
		if err := emitMessage(ctx, tx, dossier.EventMessageSent, t.lead, m.Message); err != nil {
			return err
		}
		return t.nextTurn().planAfterMessage(ctx, tx, t.counts(), false)
	case dossier.MessageQueued:
		return stageSending(ctx, tx, m.Message)
	}
	return nil
}

// nextTurn returns what the run's next turn depends on after this one.
func (t *turn) nextTurn() nextTurn {
	return nextTurn{run: t.run, workflow: t.situation.Workflow, history: t.history, quiet: t.situation.Quiet,
		zone: t.situation.Zone}
}

// counts reports whether the turn's message counts against its workflow's limit of follow-ups.
func (t *turn) counts() bool {
	return t.trigger == dossier.TriggerFollowUp || t.trigger == dossier.TriggerReminder
}

// countMessage stores in the run when this turn was due, and counts its message if that was sent already.
func (t *turn) countMessage(tx *tx, status dossier.MessageStatus) {
	counted := 0
	if status == dossier.MessageSent && t.counts() {
		counted = 1
	}
	t.history.Written++
	t.history.Counted += counted
	if t.due.IsZero() {
		return
	}
	t.history.LastDue = &t.due
	tx.deferExec(`UPDATE workflow_runs SET state = state || $3, sent_count = sent_count + $4 WHERE workspace_id = $1
			AND id = $2`,
		tx.ws, t.run.ID, mustJSON(map[string]any{"lastDue": t.due}), counted)
}

// logMessage puts the message on the timeline. The entry is pending until the message is sent.
func (t *turn) logMessage(tx *tx, step dossier.Step, m dossier.Message, due time.Time) {
	id := t.plan
	if id == "" {
		id = planAction(tx, t.run, actionOf(t.trigger), "", planInput{t.trigger, t.run.ID}, due)
	}
	status := dossier.ActionPending
	if m.Status == dossier.MessageSent {
		status = dossier.ActionCompleted
	}
	summary := t.situation.Agent.Name + " " + map[bool]string{true: "drafted",
		false: "writes"}[m.Status == dossier.MessageDraft] + " (" + m.Channel + "): " + step.Reason
	calls := t.toolCalls(step, map[string]any{"messageId": m.ID, "status": m.Status, "channel": m.Channel})
	tx.deferExec(`
		UPDATE action_logs SET message_id = @message, summary = @summary, tool_calls = @calls, scheduled_at = @due,
		status = @status,
			completed_at = @sent WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": id, "message": m.ID, "summary": summary, "calls": calls, "due": due,
			"status": status,
			"sent":   m.SentAt})
}

// toolCall is an entry of an action log's toolCalls.
type toolCall struct {
	Name   string         `json:"name"`
	Input  map[string]any `json:"input"`
	Output map[string]any `json:"output"`
}

// toolCalls returns what the agent looked at and what it did, for the action log.
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
		{"read_lead", map[string]any{"leadId": t.run.LeadID},
			map[string]any{"open": open, "refused": refused, "outreachWritten": s.Written, "followUpsSent": s.FollowUps,
				"replied": s.Replied,
				"notes":   notes, "language": step.Language}},
		{string(step.Kind), map[string]any{"trigger": t.trigger, "reason": step.Reason}, output},
	}
	if r := t.reading; r != nil {
		calls = append(calls, toolCall{"read_reply", map[string]any{"by": "model"},
			map[string]any{"intent": r.Intent, "item": r.Code, "sure": r.Sure}})
	}
	if step.Escalate != "" {
		calls = append(calls, toolCall{"escalate", map[string]any{"reason": step.Escalate}, map[string]any{}})
	}
	return mustJSON(calls)
}
