package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

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

const selectLeadAndWorkspace = `SELECT ` + leadColumns + `, coalesce(l.timezone, w.timezone) AS zone,
		w.quiet_from, w.quiet_to, w.portal, w.name AS workspace_name, w.language,
		CASE WHEN l.is_test THEN ` + testChannels + ` ELSE w.channels END AS channels
	FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.deleted_at IS NULL
	AND l.id = `

// testChannels are those of test leads: all three, and none of them leaves the machine.
const testChannels = `(SELECT jsonb_object_agg(c, jsonb_build_object('provider', 'log', 'from',
		coalesce(w.channels->c->>'From', w.channels->c->>'from', ''))) FROM unnest(ARRAY['email', 'sms',
		'whatsapp']) c)`

const selectRunLead = selectLeadAndWorkspace + `(SELECT lead_id FROM workflow_runs WHERE workspace_id = $1 AND id = $2)`

func readLeadAndWorkspace(ctx context.Context, tx *tx, lead dossier.LeadID) (leadAndWorkspace, error) {
	return oneOf(ctx, tx, "lead", pgx.RowToStructByName[leadAndWorkspace], selectLeadAndWorkspace+`$2`, tx.ws, lead)
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

// How many of the last timeline entries and messages an agent reads.
const (
	notesRead   = 10
	inboundRead = 3
)

// situationRows are what a turn reads, in one round trip.
type situationRows struct {
	lead      leadAndWorkspace
	agent     dossier.Agent
	workflow  dossier.Workflow
	entries   []entryRow
	notes     []dossier.Note
	inbound   []string
	last      []lastContact
	links     []storedLink
	questions []dossier.Message
	refused   [][]dossier.RefusedFile // the files of the question that cannot be used
}

// lastContact is how the last message went on a channel.
type lastContact struct {
	Channel dossier.Channel
	Code    string // of the error, when it came back
}

// read reads what the turn needs and sets its situation. Error: NotFound.
func (t *turn) read(ctx context.Context, tx *tx) error {
	var r situationRows
	batch, lead := &pgx.Batch{}, t.run.LeadID
	queueOne(batch, &r.lead, "lead", pgx.RowToStructByName[leadAndWorkspace], selectLeadAndWorkspace+`$2`, tx.ws, lead)
	queueOne(batch, &r.agent, "agent", scanAgent, selectAgent, tx.ws, t.run.AgentID)
	queueOne(batch, &r.workflow, "workflow", scanWorkflow, selectWorkflow, tx.ws, t.run.WorkflowID)
	queue(batch, &r.entries, pgx.RowToStructByName[entryRow], selectEntries, tx.ws, lead)
	queueRunHistory(batch, &t.history, tx, t.run.ID)
	queue(batch, &r.notes, pgx.RowToStructByPos[dossier.Note], `
		SELECT created_at, coalesce(input->>'eventType', ''), summary, coalesce(input->>'description', '')
		FROM action_logs
		WHERE workspace_id = $1 AND lead_id = $2 AND type = 'API_ACTIVITY' AND input ? 'title' ORDER BY created_at DESC,
		id DESC LIMIT $3`, tx.ws, lead, notesRead)
	queue(batch, &r.inbound, pgx.RowTo[string], `SELECT body FROM messages
		WHERE workspace_id = $1 AND lead_id = $2 AND direction = 'INBOUND' ORDER BY created_at DESC, id DESC
		LIMIT $3`, tx.ws, lead, inboundRead)
	queue(batch, &r.last, pgx.RowToStructByPos[lastContact], `
		SELECT DISTINCT ON (m.channel) m.channel, CASE WHEN m.direction = 'OUTBOUND' AND m.status = 'FAILED'
		THEN coalesce(m.error_code, '') ELSE '' END
		FROM leads l JOIN messages m ON m.workspace_id = l.workspace_id AND m.lead_id = l.id WHERE l.workspace_id = $1
		AND l.id = $2 AND (m.direction = 'INBOUND'
			OR m.status IN ('SENT', 'DELIVERED', 'FAILED') AND lower(m.to_address) IN (lower(l.email), l.phone_number))
			ORDER BY m.channel, m.created_at DESC, m.id DESC`, tx.ws, lead)
	queue(batch, &r.links, pgx.RowToStructByPos[storedLink], selectLiveLink, tx.ws, lead, tx.now)
	if t.job.Reply != "" {
		queue(batch, &r.questions, pgx.RowToStructByName[dossier.Message], selectMessage, tx.ws, t.job.Reply)
		queue(batch, &r.refused, pgx.RowTo[[]dossier.RefusedFile], `SELECT refused FROM messages WHERE workspace_id = $1
				AND id = $2 AND refused IS NOT NULL`, tx.ws, t.job.Reply)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return t.setSituation(tx, &r)
}

// setSituation fills in the turn's situation from what was read.
func (t *turn) setSituation(tx *tx, r *situationRows) (err error) {
	s := dossier.Situation{Now: tx.now, Zone: dossier.Zone(r.lead.Zone), Quiet: r.lead.quiet(), Trigger: t.trigger,
		Lead: r.lead.Lead, Company: r.lead.company(),
		Channels: r.lead.Channels, Default: r.lead.Language, Checklist: checklistOf(r.lead.ID, r.entries),
		Agent: r.agent, Workflow: r.workflow, Notes: r.notes, Inbound: r.inbound,
		TestRun: t.history.Test, Written: t.history.Written, FollowUps: t.history.Counted, Replied: t.history.Replied,
		Window: t.history.Window, Dead: map[dossier.Channel]bool{},
		Reading: t.reading}
	s.Today = t.history.outreachToday(s.Now.In(s.Zone))
	for _, c := range r.last {
		if dossier.DeadAddress(c.Code) {
			s.Dead[c.Channel] = true
		}
	}
	if len(r.questions) > 0 {
		s.Question = &r.questions[0]
	}
	if len(r.refused) > 0 {
		s.Refused = r.refused[0]
	}
	t.idle = t.job.Reply != "" && s.Question == nil
	s.Portal, err = linkForMessage(tx, r.lead, r.links, t.publicURL)
	t.situation = s
	return err
}

// outreachToday counts the messages of outreach since the start of the lead's day. now is in the lead's time zone.
func (p runHistory) outreachToday(now time.Time) (n int) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for _, at := range p.Outreach {
		if !at.Before(midnight) {
			n++
		}
	}
	return n
}

// linkForMessage returns what a message contains in place of the address of the lead's page: a mark, for which the
// address is put in when the message is sent (fillLinks), or an external address. It prolongs the page's link to the
// configured time from now, or creates one; links holds the present one, if any.
func linkForMessage(tx *tx, lead leadAndWorkspace, links []storedLink, publicURL string) (string, error) {
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
	if len(links) == 0 {
		revokePortalLink(tx, PortalOwner{Lead: lead.ID})
		_, err := newPortalLink(tx, PortalOwner{Lead: lead.ID}, days)
		return dossier.PortalLinkMark, err
	}
	tx.deferExec(
		`UPDATE portal_links SET expires_at = $3 WHERE workspace_id = $1 AND lead_id = $2 AND revoked_at IS NULL
		AND party_id IS NULL`, tx.ws, lead.ID, tx.now.AddDate(0, 0, days))
	return dossier.PortalLinkMark, nil
}
