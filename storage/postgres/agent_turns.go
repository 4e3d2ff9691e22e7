package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// A mailing makes thousands of turns due at one moment. Those of a workspace that come together are taken in one
// transaction, with a statement a table for all of them: it costs a fraction. One such transaction is made at a time in a
// process, with a rest after it, and a crowd's sends its statements one by one: that leaves processors to the callers of the
// API. It never waits for a lead that somebody holds, so that no lead's turn is held up by another's.

// turnsRest is how long the rest is, as a share of the time the transaction took.
const turnsRest = 2

// takeTurns takes turns that come together and says which were taken; the others' callers take them by themselves.
func (db *DB) takeTurns(ctx context.Context, asks []turnAsk) ([]bool, error) {
	order, places := []dossier.WorkspaceID{}, map[dossier.WorkspaceID][]int{}
	for i, ask := range asks {
		ws := ask.claim.Workspace
		if places[ws] == nil {
			order = append(order, ws)
		}
		places[ws] = append(places[ws], i)
	}
	if len(asks) >= crowdSize {
		db.crowd.seen()
	}
	taken := make([]bool, len(asks))
	for _, ws := range order {
		own := make([]turnAsk, len(places[ws]))
		for i, place := range places[ws] {
			own[i] = asks[place]
		}
		done, err := db.takeWorkspaceTurns(ctx, ws, own)
		if err != nil {
			db.log.Debug("turns are taken one by one", "workspace", ws, "turns", len(own), "error", err)
			continue
		}
		for i, place := range places[ws] {
			taken[place] = done[i]
		}
	}
	return taken, nil
}

// takeWorkspaceTurns takes turns of one workspace. A turn that panics takes none of them with it: alone, it is a failed try.
func (db *DB) takeWorkspaceTurns(ctx context.Context, ws dossier.WorkspaceID, asks []turnAsk) (taken []bool, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("a turn panicked: %v", x)
		}
	}()
	return transact(ctx, db, ws, "take turns", func(tx *tx) ([]bool, error) {
		tx.apart = len(asks) >= crowdSize
		turns, err := readTurns(ctx, tx, asks)
		if err != nil {
			return nil, err
		}
		taken, ready := make([]bool, len(asks)), []*turn{}
		for i, t := range turns {
			if taken[i] = t != nil && t.early == 0; taken[i] {
				ready = append(ready, t)
			}
		}
		finishTurnJobs(tx, ready)
		for _, t := range ready {
			if err := t.take(WithRequestID(ctx, t.claim.RequestID), tx); err != nil {
				return nil, err
			}
		}
		return taken, nil
	})
}

// readTurns holds leads, runs and jobs of turns and reads what the turns need. nil: somebody else holds something of it,
// or it is gone.
func readTurns(ctx context.Context, tx *tx, asks []turnAsk) ([]*turn, error) {
	var held heldTurns
	batch := &pgx.Batch{}
	held.queue(batch, tx, asks)
	if err := tx.sendAll(ctx, batch); err != nil {
		return nil, err
	}
	turns := held.turns(tx, asks)
	due := slices.DeleteFunc(slices.Clone(turns), func(t *turn) bool { return t == nil || t.early > 0 || t.idle })
	if len(due) == 0 {
		return turns, nil
	}
	rows := situationRows{cast: newCast()}
	batch = &pgx.Batch{}
	rows.queue(batch, tx, due)
	if err := tx.sendAll(ctx, batch); err != nil {
		return nil, err
	}
	return turns, rows.tell(tx, due)
}

// heldTurns is what a transaction could hold of the leads, runs, plans and jobs of turns.
type heldTurns struct {
	leads []leadRef
	runs  []dossier.Run
	plans []plannedTurn
	jobs  []dossier.JobID
}

// plannedTurn is a pending entry of the timeline that announces a turn.
type plannedTurn struct {
	ID    dossier.ActionLogID
	Input planned
	Due   time.Time
}

func (h *heldTurns) queue(batch *pgx.Batch, tx *tx, asks []turnAsk) {
	var runs []dossier.RunID
	var plans []dossier.ActionLogID
	claims := make([]Claim, len(asks))
	for i, ask := range asks {
		runs, claims[i] = append(runs, ask.job.Run), ask.claim
		if ask.job.Plan != "" {
			plans = append(plans, ask.job.Plan)
		}
	}
	queue(batch, &h.leads, pgx.RowToStructByPos[leadRef], `SELECT id, external_lead_id FROM leads WHERE workspace_id = $1 AND deleted_at IS NULL
		AND id = ANY (ARRAY(SELECT lead_id FROM workflow_runs WHERE workspace_id = $1 AND id = ANY($2))) FOR NO KEY UPDATE SKIP LOCKED`, tx.ws, runs)
	queue(batch, &h.runs, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs WHERE workspace_id = $1 AND id = ANY($2) FOR UPDATE SKIP LOCKED`, tx.ws, runs)
	if len(plans) > 0 {
		queue(batch, &h.plans, pgx.RowToStructByPos[plannedTurn], `SELECT id, input, scheduled_at FROM action_logs
			WHERE workspace_id = $1 AND id = ANY($2) AND status = 'PENDING' AND message_id IS NULL FOR UPDATE SKIP LOCKED`, tx.ws, plans)
	}
	ids, epochs := refs(claims)
	queue(batch, &h.jobs, pgx.RowTo[dossier.JobID], `SELECT j.id FROM jobs j JOIN unnest($1::uuid[], $2::int[]) AS ask (id, epoch) ON j.id = ask.id AND j.epoch = ask.epoch
		WHERE j.status = 'RUNNING' AND `+few("ask.epoch")+` FOR UPDATE OF j SKIP LOCKED`, ids, epochs)
}

// turns are those that can be taken now: one a lead, since each must know what the one before it said.
func (h *heldTurns) turns(tx *tx, asks []turnAsk) []*turn {
	leads, runs, plans, held := map[dossier.LeadID]leadRef{}, map[dossier.RunID]dossier.Run{}, map[dossier.ActionLogID]plannedTurn{}, map[dossier.JobID]bool{}
	for _, lead := range h.leads {
		leads[lead.LeadID] = lead
	}
	for _, run := range h.runs {
		runs[run.ID] = run
	}
	for _, plan := range h.plans {
		plans[plan.ID] = plan
	}
	for _, job := range h.jobs {
		held[job] = true
	}
	turns := make([]*turn, len(asks))
	for i, ask := range asks {
		run, found := runs[ask.job.Run]
		lead, free := leads[run.LeadID]
		if !found || !free || !held[ask.claim.Job] {
			continue
		}
		delete(leads, run.LeadID)
		turns[i] = &turn{turnAsk: ask, lead: lead, run: run, plan: ask.job.Plan}
		plan, planned := plans[ask.job.Plan]
		turns[i].announced(plan, planned, tx.now)
	}
	return turns
}

// announced finds what the turn is for. plan is the entry that announces it, unless that was cancelled, or taken.
func (t *turn) announced(plan plannedTurn, found bool, now time.Time) {
	switch {
	case t.run.Status.Ended(), t.run.Status == dossier.RunPaused && t.job.Reply == "":
		t.idle = true
	case t.job.Reply != "":
		t.trigger = dossier.TriggerReply
	case found:
		t.trigger, t.due = plan.Input.Trigger, plan.Due
		if early := t.due.Sub(now); early > earliness {
			t.early = early
		}
	case t.plan != "":
		t.idle = true
	}
}

// finishTurnJobs ends the jobs of turns that are held, before the turns are taken: one that ends its run ends every job
// of the run that is not done.
func finishTurnJobs(tx *tx, turns []*turn) {
	claims, results := make([]Claim, len(turns)), make([]string, len(turns))
	for i, t := range turns {
		claims[i], results[i] = t.claim, "run:"+string(t.run.ID)
	}
	finishHeldJobs(tx, claims, results)
}

// cast are the agents and workflows of turns: thousands of them have the same.
type cast struct {
	agents    map[dossier.AgentID]*dossier.Agent
	workflows map[dossier.WorkflowID]*dossier.Workflow
}

func newCast() cast {
	return cast{map[dossier.AgentID]*dossier.Agent{}, map[dossier.WorkflowID]*dossier.Workflow{}}
}

func (c cast) queue(batch *pgx.Batch, tx *tx, run dossier.Run) {
	if c.agents[run.AgentID] == nil {
		c.agents[run.AgentID] = &dossier.Agent{}
		queueOne(batch, c.agents[run.AgentID], "agent", scanAgent, selectAgent, tx.ws, run.AgentID)
	}
	if c.workflows[run.WorkflowID] == nil {
		c.workflows[run.WorkflowID] = &dossier.Workflow{}
		queueOne(batch, c.workflows[run.WorkflowID], "workflow", scanWorkflow, selectWorkflow, tx.ws, run.WorkflowID)
	}
}
