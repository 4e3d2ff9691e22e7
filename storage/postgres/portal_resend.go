package postgres

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// A lead is sent a link on demand at most this often, whoever asks.
const (
	resendEvery = 15 * time.Minute
	resendsADay = 4
)

// LinkWords writes the message that brings a link.
type LinkWords func(channel dossier.Channel, company, link string) (subject, body string)

// ResendPortalLink sends the lead that a token once belonged to a working link, at the address that is on file, as any
// message goes. Nobody is told whether that happened: not for an unknown token, a link that was revoked and not
// replaced, a party's page, a lead that must not be written to or has no address, or one that was sent a link lately.
func (db *DB) ResendPortalLink(ctx context.Context, token, publicURL string, words LinkWords) error {
	type owner struct {
		WorkspaceID dossier.WorkspaceID
		LeadID      dossier.LeadID
	}
	hash := sha256.Sum256([]byte(token))
	found, err := retry(ctx, "find owner of portal link", func() (owner, error) {
		rows, err := db.system.Query(ctx, `SELECT p.workspace_id, p.lead_id FROM portal_links p
			JOIN workspaces w ON w.id = p.workspace_id AND w.deleted_at IS NULL WHERE p.token_hash = $1
				AND p.party_id IS NULL`, hash[:])
		if err != nil {
			return owner{}, err
		}
		one, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[owner])
		return one, orMissing(err, "portal link")
	})
	if dossier.KindOf(err) == dossier.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = transact(ctx, db, found.WorkspaceID, "resend portal link", func(tx *tx) (none, error) {
		return none{}, resendPortalLink(ctx, tx, found.LeadID, publicURL, words)
	})
	if dossier.KindOf(err) == dossier.NotFound {
		return nil // the lead is deleted
	}
	return err
}

func resendPortalLink(ctx context.Context, tx *tx, id dossier.LeadID, publicURL string, words LinkWords) error {
	if _, err := lockLeadRef(ctx, tx, id); err != nil {
		return err
	}
	lead, err := readLeadAndWorkspace(ctx, tx, id)
	if err != nil {
		return err
	}
	channel, to := lead.writable()
	if channel == "" {
		return nil
	}
	if may, err := mayResend(ctx, tx, id); err != nil || !may {
		return err
	}
	links, err := liveLinks(ctx, tx, PortalOwner{Lead: id})
	if err != nil {
		return err
	}
	link, err := linkForMessage(tx, lead, links, publicURL)
	if err != nil {
		return err
	}
	subject, body := words(channel, lead.company(), link)
	m := dossier.Message{ID: newID[dossier.MessageID](), LeadID: &id, Direction: dossier.MessageOutbound,
		Channel: string(channel),
		Status:  dossier.MessageQueued, To: &to, Subject: dossier.OrNil(subject), Body: body, ScheduledAt: &tx.now,
		CreatedAt: tx.now, UpdatedAt: tx.now}
	insertMessage(tx, newMessage{Message: m, Purpose: dossier.PurposeReply})
	if err := announceResend(ctx, tx, m); err != nil {
		return err
	}
	return stageSending(ctx, tx, m)
}

// writable is the first way by which the lead can be written to now; "" when there is none.
func (l leadAndWorkspace) writable() (dossier.Channel, string) {
	if l.Unreachable() != "" {
		return "", ""
	}
	for _, channel := range []dossier.Channel{dossier.ChannelEmail, dossier.ChannelSMS, dossier.ChannelWhatsApp} {
		if to := l.Address(channel); to != "" && l.Channels[channel].Provider != "" {
			return channel, to
		}
	}
	return "", ""
}

// mayResend reports that the lead still has a link that was not revoked, and was not sent one too often.
func mayResend(ctx context.Context, tx *tx, lead dossier.LeadID) (may bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM portal_links WHERE workspace_id = $1 AND lead_id = $2
		AND revoked_at IS NULL AND party_id IS NULL)
			AND count(*) FILTER (WHERE created_at > $3) = 0 AND count(*) < $5
		FROM action_logs WHERE workspace_id = $1 AND lead_id = $2 AND created_at > $4
		AND input->>'eventType' = 'portal_link_requested'`,
		tx.ws, lead, tx.now.Add(-resendEvery), tx.now.Add(-24*time.Hour), resendsADay).Scan(&may)
	return may, err
}

// announceResend puts the message on the timeline: the entry is pending until it is sent.
func announceResend(ctx context.Context, tx *tx, m dossier.Message) error {
	_, err := tx.Exec(ctx, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input,
		message_id, scheduled_at, created_at)
		VALUES (@workspace, @id, @leadId, @type, 'PENDING', @summary, @input, @messageId, @now, @now)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": newID[dossier.ActionLogID](), "leadId": m.LeadID,
			"type": dossier.ActionOutboundMessage, "summary": "New portal link on request (" + m.Channel + ")",
			"input":     mustJSON(map[string]any{"eventType": "portal_link_requested", "source": dossier.SourcePortal}),
			"messageId": m.ID, "now": tx.now})
	return err
}
