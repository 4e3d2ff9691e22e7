package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// past is what a run did so far.
type past struct {
	written int       // messages that were not cancelled or rejected
	counted int       // follow-ups or reminders against the cap
	lastDue time.Time // when the last one was due
	test    bool      // started with a test key
}

func runPast(ctx context.Context, tx *tx, run dossier.RunID) (p past, err error) {
	var lastDue *time.Time
	err = tx.QueryRow(ctx, `SELECT r.sent_count, (r.state->>'lastDue')::timestamptz, coalesce((r.state->>'test')::boolean, false),
			(SELECT count(*) FROM messages m WHERE m.workspace_id = $1 AND m.workflow_run_id = r.id AND m.direction = 'OUTBOUND'
				AND m.purpose = 'outreach' AND m.status NOT IN ('CANCELLED', 'REJECTED'))
		FROM workflow_runs r WHERE r.workspace_id = $1 AND r.id = $2`, tx.ws, run).Scan(&p.counted, &lastDue, &p.test, &p.written)
	p.lastDue = value(lastDue)
	return p, err
}

// leadAndWorkspace is a lead with what its workspace says of it.
type leadAndWorkspace struct {
	dossier.Lead
	Zone          string
	QuietFrom     string
	QuietTo       string
	Portal        portalJSON
	WorkspaceName string
	Channels      map[dossier.Channel]dossier.ChannelConfig
	Language      dossier.Language
}

func readLeadAndWorkspace(ctx context.Context, tx *tx, lead dossier.LeadID) (leadAndWorkspace, error) {
	return oneOf(ctx, tx, "lead", pgx.RowToStructByName[leadAndWorkspace], `SELECT `+leadColumns+`, coalesce(l.timezone, w.timezone) AS zone,
			w.quiet_from, w.quiet_to, w.portal, w.name AS workspace_name, w.channels, w.language
		FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL`, tx.ws, lead)
}

func (l leadAndWorkspace) quiet() dossier.QuietHours {
	return dossier.QuietHours{From: l.QuietFrom, To: l.QuietTo}
}

func (l leadAndWorkspace) company() string {
	if l.Portal.Name != "" {
		return l.Portal.Name
	}
	return l.WorkspaceName
}

// readSituation reads what an agent may know when its turn comes. The caller holds the lead and the run.
func readSituation(ctx context.Context, tx *tx, run dossier.Run, trigger dossier.Trigger, reply dossier.MessageID, publicURL string) (s dossier.Situation, err error) {
	lead, err := readLeadAndWorkspace(ctx, tx, run.LeadID)
	if err != nil {
		return s, err
	}
	s = dossier.Situation{Now: tx.now, Zone: dossier.Zone(lead.Zone), Quiet: lead.quiet(), Trigger: trigger, Lead: lead.Lead, Company: lead.company(), Channels: lead.Channels, Spoken: lead.Language}
	if s.Checklist, err = loadChecklist(ctx, tx, run.LeadID); err != nil {
		return s, err
	}
	s.Checklist.Resolve()
	if s.Agent, err = readAgent(ctx, tx, run.AgentID); err != nil {
		return s, err
	}
	if s.Workflow, err = readWorkflow(ctx, tx, run.WorkflowID); err != nil {
		return s, err
	}
	past, err := runPast(ctx, tx, run.ID)
	if err != nil {
		return s, err
	}
	s.Written, s.FollowUps, s.TestRun = past.written, past.counted, past.test
	if s.Today, s.Replied, err = talkedToday(ctx, tx, run, s); err != nil {
		return s, err
	}
	if err := readContext(ctx, tx, &s); err != nil {
		return s, err
	}
	if reply != "" {
		question, err := readMessage(ctx, tx, reply)
		if err != nil {
			return s, err
		}
		s.Question, s.Noted = &question, s.Checklist.NotedAt(question.CreatedAt)
	}
	s.Portal, err = linkForMessage(ctx, tx, lead, publicURL)
	return s, err
}

// talkedToday counts the outreach of the lead's present day, and says whether it wrote since the run began.
func talkedToday(ctx context.Context, tx *tx, run dossier.Run, s dossier.Situation) (today int, replied bool, err error) {
	local := tx.now.In(s.Zone)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, s.Zone)
	err = tx.QueryRow(ctx, `SELECT
			count(*) FILTER (WHERE direction = 'OUTBOUND' AND purpose = 'outreach' AND status IN ('QUEUED', 'SENT', 'DELIVERED') AND coalesce(sent_at, scheduled_at, created_at) >= $3),
			count(*) FILTER (WHERE direction = 'INBOUND' AND created_at >= $4) > 0
		FROM messages WHERE workspace_id = $1 AND lead_id = $2`, tx.ws, run.LeadID, midnight, run.CreatedAt).Scan(&today, &replied)
	return today, replied, err
}

// Of the timeline and the conversation an agent reads the last few.
const (
	notesRead = 10
	heardRead = 3
)

// readContext reads what was said and noted lately, and which of the lead's addresses work.
func readContext(ctx context.Context, tx *tx, s *dossier.Situation) error {
	batch := &pgx.Batch{}
	type contact struct {
		Channel dossier.Channel
		Code    string
	}
	var failures []contact
	queue(batch, &s.Notes, pgx.RowToStructByPos[dossier.Note], `SELECT created_at, coalesce(input->>'eventType', ''), summary, coalesce(input->>'description', '') FROM action_logs
		WHERE workspace_id = $1 AND lead_id = $2 AND type = 'API_ACTIVITY' AND input ? 'title' ORDER BY created_at DESC, id DESC LIMIT $3`, tx.ws, s.Lead.ID, notesRead)
	queue(batch, &s.Heard, pgx.RowTo[string], `SELECT body FROM messages WHERE workspace_id = $1 AND lead_id = $2 AND direction = 'INBOUND'
		ORDER BY created_at DESC, id DESC LIMIT $3`, tx.ws, s.Lead.ID, heardRead)
	queue(batch, &failures, pgx.RowToStructByPos[contact], `SELECT DISTINCT ON (channel) channel, CASE WHEN direction = 'OUTBOUND' AND status = 'FAILED' THEN coalesce(error_code, '') ELSE '' END
		FROM messages WHERE workspace_id = $1 AND lead_id = $2 AND (direction = 'INBOUND' OR status IN ('SENT', 'DELIVERED', 'FAILED')
			AND lower(to_address) IN (lower($3), $4)) ORDER BY channel, created_at DESC, id DESC`, tx.ws, s.Lead.ID, s.Lead.Email, s.Lead.PhoneNumber)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	s.Dead = map[dossier.Channel]bool{}
	for _, c := range failures {
		if dossier.DeadAddress(c.Code) {
			s.Dead[c.Channel] = true
		}
	}
	var err error
	s.Window, err = windowOpen(ctx, tx, s.Lead.ID)
	return err
}

// linkForMessage is the address of the lead's page, which lives as long as configured from this message on.
func linkForMessage(ctx context.Context, tx *tx, lead leadAndWorkspace, publicURL string) (string, error) {
	if lead.ExternalPortalLink != nil {
		return *lead.ExternalPortalLink, nil
	}
	if publicURL == "" {
		return "", nil
	}
	days := lead.Portal.LinkDays
	if days == 0 {
		days = defaultLinkDays
	}
	link, err := livePortalLink(ctx, tx, lead.ID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		if err := revokePortalLinks(ctx, tx, lead.ID); err != nil {
			return "", err
		}
		link.Token, _, err = newPortalLink(ctx, tx, lead.ID, days)
	case err == nil:
		_, err = tx.Exec(ctx, `UPDATE portal_links SET expires_at = $3 WHERE workspace_id = $1 AND lead_id = $2 AND revoked_at IS NULL`,
			tx.ws, lead.ID, tx.now.AddDate(0, 0, days))
	}
	return publicURL + "/portal/" + link.Token, err
}
