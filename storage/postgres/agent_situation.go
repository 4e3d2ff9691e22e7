package postgres

import (
	"context"
	"slices"
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
		w.quiet_from, w.quiet_to, w.portal, w.name AS workspace_name, w.channels, w.language
	FROM leads l JOIN workspaces w ON w.id = l.workspace_id WHERE l.workspace_id = $1 AND l.deleted_at IS NULL AND l.id = `

const (
	selectRunLead   = selectLeadAndWorkspace + `(SELECT lead_id FROM workflow_runs WHERE workspace_id = $1 AND id = $2)`
	selectTurnLeads = selectLeadAndWorkspace + `ANY ($2::uuid[])`
)

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

// Of the timeline and the conversation an agent reads the last few.
const (
	notesRead = 10
	heardRead = 3
)

// situationRows are what turns of different leads read, in one round trip.
type situationRows struct {
	cast      cast
	leads     []leadAndWorkspace
	entries   []entryRow
	pasts     []runPast
	notes     map[dossier.LeadID][]dossier.Note
	heard     map[dossier.LeadID][]string
	last      map[dossier.LeadID][]lastContact
	links     map[dossier.LeadID][]storedLink
	questions []dossier.Message
	refused   []refusedFiles
}

// refusedFiles are the files of a message that cannot be used.
type refusedFiles struct {
	Message dossier.MessageID
	Files   []dossier.RefusedFile
}

// lastContact is how the last message went on a channel.
type lastContact struct {
	Channel dossier.Channel
	Code    string // of the error, when it came back
}

func (r *situationRows) queue(batch *pgx.Batch, tx *tx, turns []*turn) {
	var leads []dossier.LeadID
	var runs []dossier.RunID
	var replies []dossier.MessageID
	for _, t := range turns {
		r.cast.queue(batch, tx, t.run)
		leads, runs = append(leads, t.run.LeadID), append(runs, t.run.ID)
		if t.job.Reply != "" {
			replies = append(replies, t.job.Reply)
		}
	}
	queue(batch, &r.leads, pgx.RowToStructByName[leadAndWorkspace], selectTurnLeads, tx.ws, leads)
	queue(batch, &r.entries, pgx.RowToStructByName[entryRow], selectLeadsEntries, tx.ws, leads)
	queuePasts(batch, &r.pasts, tx, runs)
	queueByLead(batch, &r.notes, func(n *dossier.Note) []any { return []any{&n.At, &n.EventType, &n.Title, &n.Description} }, `SELECT l.id, n.* FROM unnest($2::uuid[]) AS l (id) CROSS JOIN LATERAL (
		SELECT created_at, coalesce(input->>'eventType', ''), summary, coalesce(input->>'description', '') FROM action_logs
		WHERE workspace_id = $1 AND lead_id = l.id AND type = 'API_ACTIVITY' AND input ? 'title' ORDER BY created_at DESC, id DESC LIMIT $3) n`, tx.ws, leads, notesRead)
	queueByLead(batch, &r.heard, func(words *string) []any { return []any{words} }, `SELECT l.id, h.body FROM unnest($2::uuid[]) AS l (id) CROSS JOIN LATERAL (
		SELECT body FROM messages WHERE workspace_id = $1 AND lead_id = l.id AND direction = 'INBOUND' ORDER BY created_at DESC, id DESC LIMIT $3) h`, tx.ws, leads, heardRead)
	queueByLead(batch, &r.last, func(c *lastContact) []any { return []any{&c.Channel, &c.Code} }, `SELECT DISTINCT ON (m.lead_id, m.channel) m.lead_id, m.channel, CASE WHEN m.direction = 'OUTBOUND' AND m.status = 'FAILED' THEN coalesce(m.error_code, '') ELSE '' END
		FROM leads l JOIN messages m ON m.workspace_id = l.workspace_id AND m.lead_id = l.id WHERE l.workspace_id = $1 AND l.id = ANY ($2::uuid[]) AND (m.direction = 'INBOUND'
			OR m.status IN ('SENT', 'DELIVERED', 'FAILED') AND lower(m.to_address) IN (lower(l.email), l.phone_number)) ORDER BY m.lead_id, m.channel, m.created_at DESC, m.id DESC`, tx.ws, leads)
	queueByLead(batch, &r.links, func(l *storedLink) []any { return []any{&l.Sealed, &l.ExpiresAt} }, selectLiveLinks, tx.ws, leads, tx.now)
	if len(replies) > 0 {
		queue(batch, &r.questions, pgx.RowToStructByName[dossier.Message], selectMessages, tx.ws, replies)
		queue(batch, &r.refused, pgx.RowToStructByPos[refusedFiles], `SELECT id, refused FROM messages WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND refused IS NOT NULL`, tx.ws, replies)
	}
}

// tell gives each turn what was read for it. Error: NotFound, when its lead is gone.
func (r *situationRows) tell(tx *tx, turns []*turn) error {
	leads, entries, pasts := map[dossier.LeadID]leadAndWorkspace{}, map[dossier.LeadID][]entryRow{}, map[dossier.RunID]past{}
	for _, lead := range r.leads {
		leads[lead.ID] = lead
	}
	for _, entry := range r.entries {
		entries[entry.EntryLeadID] = append(entries[entry.EntryLeadID], entry)
	}
	for _, p := range r.pasts {
		pasts[p.Run] = p.past
	}
	for _, t := range turns {
		lead, found := leads[t.run.LeadID]
		if !found {
			return missing("lead")
		}
		t.past = pasts[t.run.ID]
		if err := t.know(tx, r, lead, entries[lead.ID]); err != nil {
			return err
		}
	}
	return nil
}

// know takes in what was read for the turn.
func (t *turn) know(tx *tx, r *situationRows, lead leadAndWorkspace, entries []entryRow) (err error) {
	s := dossier.Situation{Now: tx.now, Zone: dossier.Zone(lead.Zone), Quiet: lead.quiet(), Trigger: t.trigger, Lead: lead.Lead, Company: lead.company(), Channels: lead.Channels,
		Spoken: lead.Language, Checklist: checklistOf(lead.ID, entries), Agent: *r.cast.agents[t.run.AgentID], Workflow: *r.cast.workflows[t.run.WorkflowID],
		Notes: r.notes[lead.ID], Heard: r.heard[lead.ID],
		TestRun: t.past.Test, Written: t.past.Written, FollowUps: t.past.Counted, Replied: t.past.Replied, Window: t.past.Window, Dead: map[dossier.Channel]bool{},
		Reading: t.advice.Reading}
	s.Today = t.past.today(s.Now.In(s.Zone))
	for _, c := range r.last[lead.ID] {
		if dossier.DeadAddress(c.Code) {
			s.Dead[c.Channel] = true
		}
	}
	if i := slices.IndexFunc(r.questions, func(m dossier.Message) bool { return m.ID == t.job.Reply }); i >= 0 {
		s.Question, s.Noted = &r.questions[i], s.Checklist.NotedAt(r.questions[i].CreatedAt)
	}
	for _, refused := range r.refused {
		if refused.Message == t.job.Reply {
			s.Refused = refused.Files
		}
	}
	t.idle = t.job.Reply != "" && s.Question == nil
	s.Portal, err = linkForMessage(tx, lead, r.links[lead.ID], t.publicURL)
	t.situation = s
	return err
}

// today counts the outreach of the lead's present day.
func (p past) today(now time.Time) (n int) {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for _, at := range p.Outreach {
		if !at.Before(midnight) {
			n++
		}
	}
	return n
}

// linkForMessage is the address of the lead's page, which lives as long as configured from this message on. links is
// the link that lives, if any.
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
		revokePortalLinks(tx, lead.ID)
		link, err := newPortalLink(tx, lead.ID, days)
		return publicURL + "/portal/" + link.Token, err
	}
	token, err := openPortalToken(tx.cipher, links[0].Sealed)
	tx.gather(&extendLinks, string(lead.ID), lead.ID, tx.now.AddDate(0, 0, days))
	return publicURL + "/portal/" + token, err
}

var extendLinks = rowStatement{many: `UPDATE portal_links p SET expires_at = l.until FROM unnest($2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS l (lead_id, until, n)
	WHERE p.workspace_id = $1 AND p.lead_id = l.lead_id AND p.revoked_at IS NULL AND ` + few("l.n")}
