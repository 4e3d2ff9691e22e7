package worker

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs/channel/channeltest"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// TestMachine_of_runs lets two clients, the lead, the clock and crashing workers do anything in any order to one lead,
// and reads its events as the history of a state machine (api.md, Workflow run status): every transition once, in
// order, none that is refused; never two open CHECKLIST runs or two of one agent; never a message after the commit of
// a pause, cancel, completion or opt-out. DOSSIER_LONG=1 takes a few minutes for it.
func TestMachine_of_runs(t *testing.T) {
	p := newPlay(t)
	p.pg.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00'`)
	twilio := channeltest.NewTwilio(t)
	p.carried(t, twilio, nil)
	propertyEffort(t)
	n, took := 0, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		n++
		m := newMachine(t, p, twilio, n)
		rt.Repeat(map[string]func(*rapid.T){
			"": func(rt *rapid.T) { m.check(rt) },
			"act": func(rt *rapid.T) {
				a := m.draw(rt)
				took[a.name]++
				if err := m.act(a); err != nil {
					rt.Fatal(err)
				}
			},
			"both at once": func(rt *rapid.T) {
				took["both at once"]++
				if err := m.atOnce(m.draw(rt), m.draw(rt))(); err != nil {
					rt.Fatal(err)
				}
			},
			"both while agents work": func(rt *rapid.T) {
				took["both while agents work"]++
				one, two := m.draw(rt), m.draw(rt)
				p.pg.Clock.Advance(time.Duration(rapid.IntRange(0, 70).Draw(rt, "hours")) * time.Hour)
				ends := m.atOnce(one, two)
				m.work(rt, 0)
				if err := ends(); err != nil {
					rt.Fatal(err)
				}
			},
			"tick": func(rt *rapid.T) {
				crashes := rapid.IntRange(0, 3).Draw(rt, "crashes")
				took["tick"]++
				took["crash"] += crashes
				p.pg.Clock.Advance(time.Duration(rapid.IntRange(0, 70).Draw(rt, "hours")) * time.Hour)
				m.work(rt, crashes)
			},
		})
		m.work(rt, 0)
		m.check(rt)
		m.leave(t)
	})
	t.Logf("%d leads, steps and crashes: %v", n, took)
}

// propertyEffort sets how much the machines of this package try, once for all, and prints the seed that repeats it.
func propertyEffort(t *testing.T) {
	t.Helper()
	setEffort()
	t.Logf("repeat with -rapid.seed=%s", flag.Lookup("rapid.seed").Value)
}

var setEffort = sync.OnceFunc(func() {
	values := map[string]string{"rapid.checks": longer("12", "400"), "rapid.steps": longer("25", "40")}
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		values["rapid.seed"] = strconv.FormatUint(rand.Uint64()|1, 10)
	}
	for name, value := range values {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
})

// machine is one lead and what may happen to it.
type machine struct {
	*play
	lead      dossier.LeadID
	phone     string
	agents    []dossier.AgentID
	workflows []dossier.WorkflowID
	twilio    *channeltest.Twilio
	t         *testing.T

	overtaken map[string]bool // messages told to have an unknown outcome: a stop overtook their call, which may still tell
}

// newMachine makes a lead. Of every second one the provider log takes the texts, in the commit that writes them; the
// others' leave by Twilio, which also knows what arrived.
func newMachine(t *testing.T, p *play, twilio *channeltest.Twilio, n int) *machine {
	phone := fmt.Sprintf("+1212555%04d", 1000+n)
	ids := func(table string) []string {
		return pgtest.Value[[]string](t, p.pg, `SELECT array_agg(id::text ORDER BY key) FROM `+table)
	}
	p.pg.Clock.Set(mondayMorning) // years of ticks would reach the year of "at once"
	p.pg.Exec(t, `UPDATE workspaces SET channels = channels || '{"email": {"provider": "log"}}' || jsonb_build_object('sms', channels->'whatsapp' || jsonb_build_object('provider', $1::text))`,
		[]string{"log", "twilio"}[n%2])
	m := &machine{play: p, t: t, twilio: twilio, phone: phone, lead: p.newLead(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), PhoneNumber: dossier.Set(phone), Email: dossier.Set(fmt.Sprintf("ann%d@example.com", n))}, false)}
	for _, id := range ids("agents") {
		m.agents = append(m.agents, dossier.AgentID(id))
	}
	for _, id := range ids("workflows") {
		m.workflows = append(m.workflows, dossier.WorkflowID(id))
	}
	return m
}

// act is one call of a client, or a message of the lead.
type act struct {
	name string
	run  int // which of the lead's runs
	pick int // which agent, workflow or words
}

var actNames = []string{"create", "create", "pause", "resume", "cancel", "complete", "inbound", "approve", "answer", "reopen"}

var leadSays = []string{"What is missing?", "STOP", "Start", "Can I get a lower rate?", "Our EIN is 12-3456789", "ok"}

func (m *machine) draw(rt *rapid.T) act {
	return act{rapid.SampledFrom(actNames).Draw(rt, "act"), rapid.IntRange(0, 3).Draw(rt, "run"), rapid.IntRange(0, 5).Draw(rt, "pick")}
}

// act does it; refusals that the specification knows are no errors.
func (m *machine) act(a act) error {
	ctx, by := context.Background(), postgres.Caller{Source: dossier.SourceImported}
	runs, err := m.pg.DB.Runs(ctx, m.ws, m.lead)
	if err != nil {
		return err
	}
	if slices.Contains([]string{"pause", "resume", "cancel", "complete"}, a.name) && a.run >= len(runs) {
		return nil
	}
	switch a.name {
	case "create":
		_, err = m.pg.DB.CreateRun(ctx, m.ws, m.lead, m.agents[a.pick%len(m.agents)], m.workflows[a.pick%len(m.workflows)], by)
	case "pause":
		_, err = m.pg.DB.PauseRun(ctx, m.ws, runs[a.run].ID, by)
	case "resume":
		_, err = m.pg.DB.ResumeRun(ctx, m.ws, runs[a.run].ID, by)
	case "cancel":
		_, err = m.pg.DB.CancelRun(ctx, m.ws, runs[a.run].ID, by)
	case "complete":
		_, err = m.pg.DB.CompleteRun(ctx, m.ws, runs[a.run].ID, by)
	case "inbound":
		_, err = m.pg.DB.ReceiveMessage(ctx, m.ws, postgres.Inbound{Channel: dossier.ChannelSMS, From: m.phone, Text: leadSays[a.pick], ProviderID: postgres.NewID()}, outreach.Inbound)
	case "approve":
		list, listErr := m.pg.DB.Messages(ctx, m.ws, m.lead, dossier.Page{Limit: 50})
		i := slices.IndexFunc(list, func(m dossier.Message) bool { return m.Status == dossier.MessageDraft })
		if listErr != nil || i < 0 {
			return listErr
		}
		_, err = m.pg.DB.ApproveMessage(ctx, m.ws, list[i].ID, by)
	case "answer":
		code := []string{"LEGAL_NAME", "EIN"}[a.pick%2]
		err = m.pg.DB.UpdateLead(ctx, m.ws, m.lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: code, Value: json.RawMessage(`"12-3456789"`)}}}, 0, by)
	case "reopen":
		no, open := false, dossier.LeadInProgress
		err = m.pg.DB.UpdateLead(ctx, m.ws, m.lead, dossier.LeadUpdate{Status: &open, DidOptOut: &no}, 0, by)
	}
	if dossier.KindOf(err) == dossier.Conflict {
		return nil
	}
	return err
}

// atOnce begins acts of two clients; the result waits for both.
func (m *machine) atOnce(acts ...act) (ends func() error) {
	var all sync.WaitGroup
	errs := make([]error, len(acts))
	for i, act := range acts {
		all.Go(func() { errs[i] = m.act(act) })
	}
	return func() error {
		all.Wait()
		return errors.Join(errs...)
	}
}

// work does what is due for all, two workers at a time; some of them crash: their try does everything and never
// commits, or commits and is done once more.
func (m *machine) work(rt *rapid.T, crashes int) {
	for range 200 {
		list := pgtest.Value[[]string](m.t, m.pg, `SELECT coalesce(array_agg(id || ' ' || kind || ' ' || epoch ORDER BY id), '{}') FROM (SELECT * FROM jobs WHERE lane IN ('agent', 'message')
			AND status IN ('QUEUED', 'RETRY') AND (run_at <= $1 OR run_at > '2024-01-01') ORDER BY id LIMIT 2) j`, m.pg.Clock.Now())
		if len(list) == 0 {
			return
		}
		var all sync.WaitGroup
		errs := make([]error, len(list))
		for i, job := range list {
			crash := crashes > 0
			if crash {
				crashes--
			}
			all.Go(func() { errs[i] = m.try(job, crash) })
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			rt.Fatal(err)
		}
	}
	rt.Fatal("the work has no end")
}

func (m *machine) try(job string, crash bool) error {
	var id, kind string
	var epoch int
	if _, err := fmt.Sscan(job, &id, &kind, &epoch); err != nil {
		return err
	}
	m.pg.Exec(m.t, `UPDATE jobs SET run_at = now() WHERE id = $1`, id)
	claim, ok, err := m.pg.DB.ClaimJob(context.Background(), dossier.JobID(id), epoch, "machine")
	if err != nil || !ok {
		return err
	}
	if crash { // the worker dies with the claim; the reaper gives the job to another, and the dead one comes back late
		m.pg.Exec(m.t, `UPDATE jobs SET status = 'QUEUED', epoch = epoch + 1, lease_until = NULL WHERE id = $1 AND status = 'RUNNING'`, id)
	}
	err = m.w.handlers[kind].do(context.Background(), claim)
	if err != nil && (errors.Is(err, postgres.ErrFenced) || strings.Contains(err.Error(), postgres.ErrFenced.Error())) {
		err = nil
	}
	if outcome := claim.Ended(); err == nil && outcome.Status == dossier.JobRetry {
		m.pg.Exec(m.t, `UPDATE jobs SET run_at = $2 WHERE id = $1`, id, m.pg.Clock.Now().Add(outcome.Delay))
	}
	return err
}

// told is one event of the lead.
type told struct{ Type, Run, Message, Purpose, OptedOut, Error string }

// check reads the history.
func (m *machine) check(rt *rapid.T) {
	rows := pgtest.Value[[]string](m.t, m.pg, `SELECT coalesce(array_agg(concat_ws('|', e.type, coalesce(e.body::jsonb #>> '{data,workflowRun,id}', e.body::jsonb #>> '{data,message,workflowRunId}', ''),
		coalesce(e.body::jsonb #>> '{data,message,id}', ''), coalesce(m.purpose, ''), coalesce(e.body::jsonb #>> '{data,lead,didOptOut}', ''), coalesce(e.body::jsonb #>> '{data,message,error,code}', '')) ORDER BY e.id), '{}')
		FROM events e LEFT JOIN messages m ON m.id::text = e.body::jsonb #>> '{data,message,id}' WHERE e.lead_id = $1`, m.lead)
	states, sent, optedOut, last := map[string]dossier.RunStatus{}, map[string]bool{}, false, ""
	m.overtaken = map[string]bool{}
	for i, row := range rows {
		part := strings.Split(row, "|")
		e := told{part[0], part[1], part[2], part[3], part[4], part[5]}
		if why := m.step(e, states, sent, &optedOut, last); why != "" {
			rt.Fatalf("event %d, %s: %s\n%s", i, row, why, strings.Join(rows, "\n"))
		}
		last = e.Type
	}
	m.checkStored(rt, states)
	m.checkArrived(rt)
}

// checkArrived holds what the provider took against what is stored: nothing twice, nothing in silence. What was stopped
// while its provider was being called is told to have an unknown outcome.
func (m *machine) checkArrived(rt *rapid.T) {
	arrived := map[string]int{}
	for _, message := range m.twilio.Messages() {
		if message.Form.Get("To") == m.phone {
			arrived[message.SID]++
		}
	}
	stored := pgtest.Value[[]string](m.t, m.pg, `SELECT coalesce(array_agg(provider_message_id), '{}') FROM messages WHERE lead_id = $1 AND provider_message_id LIKE 'SM%'`, m.lead)
	for _, id := range stored {
		arrived[id]--
	}
	unknown := pgtest.Value[int](m.t, m.pg, `SELECT count(*) FROM messages WHERE lead_id = $1 AND error_code = 'outcome_unknown'`, m.lead)
	for id, n := range arrived {
		if unknown -= n; n < 0 || n > 1 || unknown < 0 {
			rt.Fatalf("%s arrived %d times more often than is stored; the messages:\n%s", id, n, strings.Join(pgtest.Value[[]string](m.t, m.pg,
				`SELECT array_agg(concat_ws(' ', id, status, channel, purpose, provider_message_id, sending_at, error_code, body) ORDER BY id) FROM messages WHERE lead_id = $1`, m.lead), "\n"))
		}
	}
}

var runMoves = map[string]struct {
	from []dossier.RunStatus
	to   dossier.RunStatus
}{
	"workflow_run.created":   {[]dossier.RunStatus{""}, dossier.RunActive},
	"workflow_run.paused":    {[]dossier.RunStatus{dossier.RunActive}, dossier.RunPaused},
	"workflow_run.resumed":   {[]dossier.RunStatus{dossier.RunPaused}, dossier.RunActive},
	"workflow_run.completed": {[]dossier.RunStatus{dossier.RunActive, dossier.RunPaused}, dossier.RunCompleted},
	"workflow_run.cancelled": {[]dossier.RunStatus{dossier.RunActive, dossier.RunPaused}, dossier.RunCancelled},
}

// step says why an event cannot follow those before it, or "".
func (m *machine) step(e told, states map[string]dossier.RunStatus, sent map[string]bool, optedOut *bool, last string) string {
	if move, ok := runMoves[e.Type]; ok {
		if !slices.Contains(move.from, states[e.Run]) {
			return "the run is " + string(states[e.Run])
		}
		states[e.Run] = move.to
		return ""
	}
	switch e.Type {
	case "lead.updated", "lead.opted_out", "lead.reopened":
		*optedOut = e.OptedOut == "true"
	case "lead.completed":
		if last != "workflow_run.completed" {
			return "it does not follow the end of a run but " + last
		}
	case "message.failed":
		m.overtaken[e.Message] = e.Error == "outcome_unknown"
	case "message.sent":
		switch {
		case sent[e.Message]:
			return "it was sent before"
		case m.overtaken[e.Message]: // a stop overtook its call, whose outcome nobody knew until now
		case e.Purpose != "confirmation" && *optedOut:
			return "the lead has opted out"
		case e.Purpose == "outreach" && states[e.Run] != dossier.RunActive:
			return "its run is " + string(states[e.Run])
		case e.Purpose == "reply" && states[e.Run] != dossier.RunActive && states[e.Run] != dossier.RunPaused:
			return "its run is " + string(states[e.Run])
		}
		sent[e.Message] = true
	}
	return ""
}

// checkStored holds the rows against the history.
func (m *machine) checkStored(rt *rapid.T, states map[string]dossier.RunStatus) {
	runs, err := m.pg.DB.Runs(context.Background(), m.ws, m.lead)
	if err != nil {
		rt.Fatal(err)
	}
	if len(runs) != len(states) {
		rt.Fatalf("%d runs are stored, %d were told of", len(runs), len(states))
	}
	byAgent := map[dossier.AgentID]int{}
	for _, run := range runs {
		if states[string(run.ID)] != run.Status {
			rt.Fatalf("run %s is %s, and was told to be %s", run.ID, run.Status, states[string(run.ID)])
		}
		if byAgent[run.AgentID]++; run.Status.Ended() {
			byAgent[run.AgentID]--
		}
		if byAgent[run.AgentID] > 1 {
			rt.Fatalf("an agent has two open runs")
		}
	}
	left := pgtest.Value[string](m.t, m.pg, `SELECT concat_ws(' ',
		(SELECT count(*) FILTER (WHERE workflow_type = 'CHECKLIST' AND status IN ('ACTIVE', 'PAUSED')) > 1 FROM workflow_runs WHERE lead_id = $1),
		(SELECT count(*) FROM messages m JOIN workflow_runs r ON r.id = m.workflow_run_id WHERE m.lead_id = $1 AND r.status IN ('COMPLETED', 'CANCELLED') AND m.status IN ('QUEUED', 'DRAFT')),
		(SELECT count(*) FROM action_logs a JOIN workflow_runs r ON r.id = a.workflow_run_id WHERE a.lead_id = $1 AND r.status IN ('COMPLETED', 'CANCELLED') AND a.status = 'PENDING'),
		(SELECT count(*) FROM events WHERE lead_id = $1 AND type = 'message.sent') - (SELECT count(*) FROM messages WHERE lead_id = $1 AND status = 'SENT'))`, m.lead)
	if left != "f 0 0 0" {
		rt.Fatalf("two open CHECKLIST runs, messages and plans of ended runs, messages sent without an event: %s", left)
	}
}

// leave ends what the lead has open, so that the next one has the worker for itself.
func (m *machine) leave(t *testing.T) {
	if err := m.pg.DB.DeleteLead(t.Context(), m.ws, m.lead, false, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
}
