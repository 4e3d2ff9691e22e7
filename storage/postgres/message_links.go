package postgres

import (
	"context"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// unsubscribeLabel binds the encrypted ids of an unsubscribe link to their place.
const unsubscribeLabel = "message.unsubscribe"

// messageLinks are the addresses that go along with a message.
func messageLinks(ctx context.Context, tx *tx, m dossier.Message, publicURL string) (links dossier.MessageLinks,
	err error) {
	if publicURL == "" {
		return links, nil
	}
	token, err := inboundToken(ctx, tx, dossier.Channel(m.Channel))
	if err != nil {
		return links, err
	}
	links.Report = publicURL + "/inbound/" + m.Channel + "/" + token + "?message=" + string(m.ID)
	if m.Channel != string(dossier.ChannelEmail) {
		return links, nil
	}
	sealed, err := sealUnsubscribe(tx, *m.LeadID)
	links.Unsubscribe = publicURL + "/unsubscribe/" + sealed
	return links, err
}

// fillLinks puts the addresses in whose marks a message that leaves now holds: its stored words never hold one. A lead
// whose link ended since the message was written gets another.
func fillLinks(ctx context.Context, tx *tx, lead leadAndWorkspace, out *dossier.Outgoing, publicURL string) error {
	texts := []*string{&out.Body}
	if out.Subject != nil {
		subject := *out.Subject
		out.Subject = &subject
		texts = append(texts, out.Subject)
	}
	out.Template = slices.Clone(out.Template)
	for i := range out.Template {
		texts = append(texts, &out.Template[i])
	}
	portal := ""
	for _, text := range texts {
		*text = strings.ReplaceAll(*text, dossier.UnsubscribeLinkMark, out.Contact.Unsubscribe)
		if !strings.Contains(*text, dossier.PortalLinkMark) {
			continue
		}
		if portal == "" {
			var err error
			if portal, err = portalAddress(ctx, tx, lead, publicURL); err != nil {
				return err
			}
		}
		*text = strings.ReplaceAll(*text, dossier.PortalLinkMark, portal)
	}
	return nil
}

// portalAddress is the address of the lead's page.
func portalAddress(ctx context.Context, tx *tx, lead leadAndWorkspace, publicURL string) (string, error) {
	if lead.ExternalPortalLink != nil {
		return *lead.ExternalPortalLink, nil
	}
	links, err := liveLinks(ctx, tx, PortalOwner{Lead: lead.ID})
	if err != nil {
		return "", err
	}
	if len(links) > 0 {
		token, err := openPortalToken(tx.cipher, tx.ws, links[0])
		return publicURL + "/portal/" + token, err
	}
	days := lead.Portal.LinkDays
	if days == 0 {
		days = defaultLinkDays
	}
	revokePortalLink(tx, PortalOwner{Lead: lead.ID})
	link, err := newPortalLink(tx, PortalOwner{Lead: lead.ID}, days)
	return publicURL + "/portal/" + link.Token, err
}

// sealUnsubscribe makes the token of a lead's unsubscribe links. It needs no row and never expires: the way out of an
// old email must work too.
func sealUnsubscribe(tx *tx, lead dossier.LeadID) (string, error) {
	ws, err := uuid.Parse(string(tx.ws))
	if err != nil {
		return "", err
	}
	id, err := uuid.Parse(string(lead))
	if err != nil {
		return "", err
	}
	sealed, err := tx.cipher.Seal(unsubscribeLabel, append(ws[:], id[:]...))
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

func (db *DB) openUnsubscribe(token string) (dossier.WorkspaceID, dossier.LeadID, error) {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return "", "", dossier.Errorf(dossier.NotFound, "This link is none of ours")
	}
	ids, err := db.cipher.Open(unsubscribeLabel, sealed)
	if err != nil || len(ids) != 32 {
		return "", "", dossier.Errorf(dossier.NotFound, "This link is none of ours")
	}
	return dossier.WorkspaceID(uuid.UUID(ids[:16]).String()), dossier.LeadID(uuid.UUID(ids[16:]).String()), nil
}

// Subscriber is what an unsubscribe page may show: no name and no address of the lead.
type Subscriber struct {
	Company  string
	Color    string
	Language dossier.Language
	Out      bool
}

// ReadSubscriber returns what an unsubscribe link is about. Error: NotFound.
func (db *DB) ReadSubscriber(ctx context.Context, token string) (Subscriber, error) {
	ws, lead, err := db.openUnsubscribe(token)
	if err != nil {
		return Subscriber{}, err
	}
	return transact(ctx, db, ws, "read subscriber",
		func(tx *tx) (Subscriber, error) { return readSubscriber(ctx, tx, lead) })
}

func readSubscriber(ctx context.Context, tx *tx, lead dossier.LeadID) (Subscriber, error) {
	l, err := readLeadAndWorkspace(ctx, tx, lead)
	if err != nil {
		return Subscriber{}, err
	}
	language := l.Lead.Language(l.Language)
	return Subscriber{Company: l.company(), Color: l.Portal.Color, Language: language, Out: l.DidOptOut}, nil
}

// Unsubscribe opts out the lead of a link, and every lead with its email address: it is the person who says so. Once
// more it changes nothing. No confirmation is sent. Error: NotFound.
func (db *DB) Unsubscribe(ctx context.Context, token string) (Subscriber, error) {
	ws, lead, err := db.openUnsubscribe(token)
	if err != nil {
		return Subscriber{}, err
	}
	return transact(ctx, db, ws, "unsubscribe", func(tx *tx) (Subscriber, error) {
		if _, err := lockLeadRef(ctx, tx, lead); err != nil {
			return Subscriber{}, err
		}
		leads, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `SELECT o.id FROM leads l JOIN leads o
			ON o.workspace_id = l.workspace_id
				AND (o.id = l.id OR o.email_folded = l.email_folded) AND o.deleted_at IS NULL AND NOT o.did_opt_out
			WHERE l.workspace_id = $1 AND l.id = $2 ORDER BY o.id = $2 DESC, o.id`, tx.ws, lead)
		if err != nil {
			return Subscriber{}, err
		}
		out := true
		for _, id := range leads {
			if err := updateLead(ctx, tx, id, dossier.LeadUpdate{DidOptOut: &out}, 0,
				Caller{Source: dossier.SourcePortal}); err != nil {
				return Subscriber{}, err
			}
		}
		return readSubscriber(ctx, tx, lead)
	})
}

// threadLength is how many earlier emails References names.
const threadLength = 10

var messageID = regexp.MustCompile(`^<[^<>\s]{1,200}@[^<>\s]{1,200}>$`)

// emailThread returns the Message-IDs of the lead's last emails, both ways, oldest first.
func emailThread(ctx context.Context, tx *tx, lead dossier.LeadID) ([]string, error) {
	ids, err := collect(ctx, tx, pgx.RowTo[string], `SELECT provider_message_id FROM messages WHERE workspace_id = $1
		AND lead_id = $2 AND channel = 'email'
		AND provider_message_id IS NOT NULL AND status IN ('SENT', 'DELIVERED', 'RECEIVED') ORDER BY created_at DESC,
		id DESC LIMIT $3`, tx.ws, lead, threadLength)
	slices.Reverse(ids)
	// What a sender calls its message is only repeated in a header when it can be nothing else.
	return slices.DeleteFunc(ids, func(id string) bool { return !messageID.MatchString(id) }), err
}

// windowOpen says whether the lead wrote on WhatsApp within the last 24 hours.
func windowOpen(ctx context.Context, tx *tx, lead dossier.LeadID) (open bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM messages WHERE workspace_id = $1 AND lead_id = $2
			AND channel = 'whatsapp' AND direction = 'INBOUND' AND created_at > $3)`,
		tx.ws, lead, tx.now.Add(-dossier.WhatsAppWindow)).Scan(&open)
	return open, err
}
