package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// startRun plans what a new run does first: a CHECKLIST asks at once, a REMINDER keeps its schedule, SUPPORT waits
// for questions.
func startRun(ctx context.Context, tx *tx, run dossier.Run, w dossier.Workflow) error {
	switch w.Type {
	case dossier.WorkflowChecklist:
		return planTurn(ctx, tx, run, dossier.TriggerStart, tx.now)
	case dossier.WorkflowReminder:
		return planReminder(ctx, tx, run, w, time.Time{})
	}
	return nil
}

// resumePlan plans a run anew from the lead's present state, after a pause or when its lead can be written to again.
// What was missed meanwhile is not made up for. A workflow that is done by now ends by the check staged here.
func resumePlan(ctx context.Context, tx *tx, run dossier.Run, w dossier.Workflow) error {
	if w.Type == dossier.WorkflowSupport {
		return nil
	}
	past, err := runPast(ctx, tx, run.ID)
	if err != nil {
		return err
	}
	if w.Type == dossier.WorkflowReminder {
		if err := planReminder(ctx, tx, run, w, past.lastDue); err != nil {
			return err
		}
	}
	if w.Type == dossier.WorkflowChecklist && past.written == 0 {
		return planTurn(ctx, tx, run, dossier.TriggerStart, tx.now)
	}
	if w.Type == dossier.WorkflowChecklist && w.FollowUps != nil && past.counted < w.FollowUps.Max {
		if err := planTurn(ctx, tx, run, dossier.TriggerFollowUp, tx.now.Add(w.FollowUps.Every)); err != nil {
			return err
		}
	}
	_, err = enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: run.ID}, staging{subject: string(run.ID)})
	return err
}

// wakeRuns lets the ACTIVE runs of a lead that have nothing planned go on: it was reopened, or has an address now.
func wakeRuns(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	runs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs r
		WHERE r.workspace_id = $1 AND r.lead_id = $2 AND r.status = 'ACTIVE' AND NOT EXISTS (SELECT FROM action_logs a
			WHERE a.workspace_id = $1 AND a.workflow_run_id = r.id AND a.status = 'PENDING')`, tx.ws, lead)
	if err != nil {
		return err
	}
	for _, run := range runs {
		w, err := readWorkflow(ctx, tx, run.WorkflowID)
		if err != nil {
			return err
		}
		if err := resumePlan(ctx, tx, run, w); err != nil {
			return err
		}
	}
	return nil
}

func planReminder(ctx context.Context, tx *tx, run dossier.Run, w dossier.Workflow, last time.Time) error {
	zone, err := leadZone(ctx, tx, run.LeadID)
	if err != nil || w.Schedule == nil {
		return err
	}
	return planTurn(ctx, tx, run, dossier.TriggerReminder, w.Schedule.Next(last, tx.now, dossier.Zone(zone)))
}

// planned is what a pending entry knows of the turn it announces.
type planned struct {
	Trigger dossier.Trigger `json:"trigger"`
	RunID   dossier.RunID   `json:"workflowRunId"`
}

var planSummaries = map[dossier.Trigger]string{
	dossier.TriggerStart: "First message", dossier.TriggerFollowUp: "Follow-up", dossier.TriggerReminder: "Reminder",
	dossier.TriggerRefused: "Message about what was refused",
}

// planTurn announces a turn on the timeline, where it is the lead's next follow-up, and stages it.
func planTurn(ctx context.Context, tx *tx, run dossier.Run, trigger dossier.Trigger, due time.Time) error {
	if due.IsZero() {
		return nil
	}
	id, err := planAction(ctx, tx, run, actionOf(trigger), planSummaries[trigger], planned{trigger, run.ID}, due)
	if err != nil {
		return err
	}
	how := staging{subject: string(run.ID)}
	if due.After(tx.now) {
		how.runAt = due
	}
	_, err = enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: run.ID, Plan: id}, how)
	return err
}

func actionOf(trigger dossier.Trigger) dossier.ActionLogType {
	if trigger == dossier.TriggerStart || trigger == dossier.TriggerReply {
		return dossier.ActionOutboundMessage
	}
	return dossier.ActionFollowUpMessage
}

// planAction writes a pending entry. It does not show in lists as what the lead last did.
func planAction(ctx context.Context, tx *tx, run dossier.Run, kind dossier.ActionLogType, summary string, input any, due time.Time) (dossier.ActionLogID, error) {
	id := newID[dossier.ActionLogID]()
	_, err := tx.Exec(ctx, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, workflow_run_id, agent_id, scheduled_at, created_at)
		VALUES ($1, $2, $3, $4, 'PENDING', $5, $6, $7, $8, $9, $10)`,
		tx.ws, id, run.LeadID, kind, summary, mustJSON(input), run.ID, run.AgentID, due, tx.now)
	return id, err
}

// unplan cancels turns of a run that are announced and not taken.
func unplan(ctx context.Context, tx *tx, run dossier.RunID) error {
	_, err := tx.Exec(ctx, `UPDATE action_logs SET status = 'CANCELLED', completed_at = $3
		WHERE workspace_id = $1 AND workflow_run_id = $2 AND status = 'PENDING' AND message_id IS NULL`, tx.ws, run, tx.now)
	return err
}

// TakeTurn lets an agent look at its lead, decide and act, in one commit under the lead's lock. publicURL is the base
// of portal links. A turn that is not due yet is put off. Errors: ErrFenced.
func (db *DB) TakeTurn(ctx context.Context, claim Claim, job jobs.TakeTurn, publicURL string) error {
	_, err := transact(ctx, db, claim.Workspace, "take turn", func(tx *tx) (none, error) {
		t, early, err := readTurn(ctx, tx, job, publicURL)
		switch {
		case dossier.KindOf(err) == dossier.NotFound: // the run, or its lead, is gone
			return none{}, finishJob(ctx, tx, claim, "")
		case err != nil:
			return none{}, err
		case early > 0:
			return none{}, snoozeJob(ctx, tx, claim, early, "not_due")
		}
		// First, since the turn may end the run, and with it every job of the run that is not done.
		if err := finishJob(ctx, tx, claim, "run:"+string(job.Run)); err != nil || t == nil {
			return none{}, err
		}
		return none{}, t.take(ctx, tx)
	})
	return err
}

// earliness tolerates that a queue's due times are coarser than a plan's.
const earliness = 2 * time.Second

// readTurn reads what a turn needs; nil: there is nothing to do. early is how long the turn is not due yet.
func readTurn(ctx context.Context, tx *tx, job jobs.TakeTurn, publicURL string) (t *turn, early time.Duration, err error) {
	lead, run, err := lockRun(ctx, tx, job.Run)
	if err != nil || run.Status.Ended() || run.Status == dossier.RunPaused && job.Reply == "" {
		return nil, 0, err
	}
	t = &turn{lead: lead, run: run, plan: job.Plan}
	if job.Reply != "" {
		t.trigger = dossier.TriggerReply
	}
	if job.Plan != "" {
		if early, err = t.readPlan(ctx, tx); err != nil || early > 0 || t.trigger == "" {
			return nil, early, err
		}
	}
	t.situation, err = readSituation(ctx, tx, run, t.trigger, job.Reply, publicURL)
	return t, 0, err
}

// turn is one turn of an agent in its transaction.
type turn struct {
	lead      leadRef
	run       dossier.Run
	plan      dossier.ActionLogID // empty: an answer, or only a look
	trigger   dossier.Trigger     // empty: only a look whether the workflow is done
	due       time.Time
	situation dossier.Situation
}

// readPlan takes the pending entry; without a trigger afterwards it was cancelled or taken, and there is nothing to do.
func (t *turn) readPlan(ctx context.Context, tx *tx) (early time.Duration, err error) {
	var input planned
	err = tx.QueryRow(ctx, `SELECT input, scheduled_at FROM action_logs WHERE workspace_id = $1 AND id = $2 AND status = 'PENDING' AND message_id IS NULL FOR UPDATE`,
		tx.ws, t.plan).Scan(&input, &t.due)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if wait := t.due.Sub(tx.now); wait > earliness {
		return wait, nil
	}
	t.trigger = input.Trigger
	return 0, nil
}

func (t *turn) take(ctx context.Context, tx *tx) error {
	step := t.situation.Decide()
	if step.Kind == dossier.StepComplete {
		return finishRun(ctx, tx, t.lead, t.run)
	}
	if t.trigger == "" {
		return nil
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
		return resumePlan(ctx, tx, t.run, t.situation.Workflow) // it stood in place of the next follow-up
	}
	if step.Escalate == "" {
		return nil
	}
	_, err := escalate(ctx, tx, t.run.LeadID, t.run.ID, step.Escalate, clipped(t.situation.Question), Caller{Source: dossier.SourceAgent})
	return err
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
		_, err := tx.Exec(ctx, `UPDATE action_logs SET status = 'CANCELLED', summary = $3, tool_calls = $4, completed_at = $5 WHERE workspace_id = $1 AND id = $2`,
			tx.ws, t.plan, "Nothing sent: "+step.Reason, calls, tx.now)
		return err
	}
	id, err := logAction(ctx, tx, dossier.ActionLog{LeadID: t.run.LeadID, RunID: &t.run.ID, AgentID: &t.run.AgentID, Type: dossier.ActionAgentActivity,
		Summary: "Nothing sent: " + step.Reason}, planned{t.trigger, t.run.ID})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE action_logs SET tool_calls = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, calls)
	return err
}

// write stores the message, as a draft or queued, and stages its sending.
func (t *turn) write(ctx context.Context, tx *tx, step dossier.Step) error {
	due := tx.now
	if step.Draft.NotYet.After(due) {
		due = step.Draft.NotYet
	}
	m := dossier.Message{ID: newID[dossier.MessageID](), LeadID: &t.run.LeadID, RunID: &t.run.ID, AgentID: &t.run.AgentID, Direction: dossier.MessageOutbound,
		Channel: string(step.Draft.Channel), Status: dossier.MessageQueued, To: &step.Draft.To, Subject: nullable(step.Draft.Subject), Body: step.Draft.Body,
		ScheduledAt: &due, CreatedAt: tx.now, UpdatedAt: tx.now}
	if t.situation.Drafts() {
		m.Status, m.ScheduledAt = dossier.MessageDraft, nil
	}
	purpose := dossier.PurposeOutreach
	if t.trigger == dossier.TriggerReply {
		purpose = dossier.PurposeReply
	}
	if err := insertMessage(ctx, tx, m, purpose); err != nil {
		return err
	}
	if step.Draft.Template != nil {
		tx.later(`UPDATE messages SET template = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, m.ID, step.Draft.Template)
	}
	if err := t.announce(ctx, tx, step, m, due); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE workflow_runs SET state = state || $3 WHERE workspace_id = $1 AND id = $2 AND $4::timestamptz IS NOT NULL`,
		tx.ws, t.run.ID, mustJSON(map[string]any{"lastDue": t.due}), nilTime(t.due)); err != nil {
		return err
	}
	if m.Status == dossier.MessageDraft {
		return nil
	}
	return stageSending(ctx, tx, m)
}

func nilTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// announce puts the message on the timeline: the entry is pending until the message is sent.
func (t *turn) announce(ctx context.Context, tx *tx, step dossier.Step, m dossier.Message, due time.Time) (err error) {
	id := t.plan
	if id == "" {
		if id, err = planAction(ctx, tx, t.run, actionOf(t.trigger), "", planned{t.trigger, t.run.ID}, due); err != nil {
			return err
		}
	}
	summary := t.situation.Agent.Name + " " + map[bool]string{true: "drafted", false: "writes"}[m.Status == dossier.MessageDraft] + " (" + m.Channel + "): " + step.Reason
	_, err = tx.Exec(ctx, `UPDATE action_logs SET message_id = $3, summary = $4, tool_calls = $5, scheduled_at = $6 WHERE workspace_id = $1 AND id = $2`,
		tx.ws, id, m.ID, summary, t.toolCalls(step, map[string]any{"messageId": m.ID, "status": m.Status, "channel": m.Channel}), due)
	return err
}

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
		{"read_lead", map[string]any{"leadId": t.run.LeadID}, map[string]any{"open": open, "refused": refused, "messagesWritten": s.Written, "followUpsSent": s.FollowUps, "replied": s.Replied,
			"notes": notes, "language": s.Language()}},
		{string(step.Kind), map[string]any{"trigger": t.trigger, "reason": step.Reason}, output},
	}
	if step.Escalate != "" {
		calls = append(calls, toolCall{"escalate", map[string]any{"reason": step.Escalate}, map[string]any{}})
	}
	return mustJSON(calls)
}

// refusalPause lets several uploads in a row be judged before the agent writes about them.
const refusalPause = 2 * time.Minute

// maxRefusals is how many refused documents of one item call for a person.
const maxRefusals = 3

// tellRefused lets the agent that collects the checklist say why a document that was just judged cannot be used, and
// asks for a person when an item was refused too often. The caller holds the lead.
func tellRefused(ctx context.Context, tx *tx, lead leadRef, entries []dossier.EntryID) error {
	type refused struct {
		Label string
		Times int
	}
	items, err := collect(ctx, tx, pgx.RowToStructByPos[refused], `SELECT i.label, (SELECT count(*) FROM document_associations a
			JOIN documents d ON d.workspace_id = a.workspace_id AND d.id = a.document_id AND d.deleted_at IS NULL
			WHERE a.workspace_id = $1 AND a.entry_id = e.id AND a.overall_valid = false AND a.override_valid IS NULL)
		FROM checklist_entries e JOIN checklist_items i ON i.workspace_id = e.workspace_id AND i.id = e.item_id
		WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.status = 'INVALID' ORDER BY i.position, i.id`, tx.ws, orNone(entries))
	if err != nil || len(items) == 0 {
		return err
	}
	runs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND lead_id = $2 AND status = 'ACTIVE' AND workflow_type = 'CHECKLIST'`, tx.ws, lead.LeadID)
	if err != nil || len(runs) == 0 {
		return err
	}
	for _, item := range items {
		if item.Times != maxRefusals {
			continue // once: at the third, not at every one after it
		}
		detail := item.Label
		if _, err := escalate(ctx, tx, lead.LeadID, runs[0].ID, "Several documents of one item were refused", &detail, Caller{Source: dossier.SourceAgent}); err != nil {
			return err
		}
	}
	if err := unplan(ctx, tx, runs[0].ID); err != nil {
		return err
	}
	return planTurn(ctx, tx, runs[0], dossier.TriggerRefused, tx.now.Add(refusalPause))
}
