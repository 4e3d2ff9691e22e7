package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// defaultLinkDays is how long a portal link lives when the workspace says nothing.
const defaultLinkDays = 90

// portalTokenPlace is where the token of a link is kept.
func portalTokenPlace(ws dossier.WorkspaceID, link string) place {
	return place{"portal_links.token", ws, link, "portal.token"}
}

// PortalOwner says whose page it is: the lead's own, or that of one party of its file.
type PortalOwner struct {
	Lead  dossier.LeadID
	Party dossier.PartyID // "": the lead's own page
}

// details are those of audit entries and of the timeline; none of the lead's own page.
func (o PortalOwner) details() map[string]any {
	if o.Party == "" {
		return nil
	}
	return map[string]any{"partyId": o.Party}
}

// PortalLink is the way into a lead's own page, or a party's: whoever has the token is let in until it expires.
type PortalLink struct {
	Token     string
	ExpiresAt time.Time
}

// RenewPortalLink returns a page's link; an expired one, and with rotate any, is replaced and no longer lets anybody
// in. Links of other pages stay. Error: NotFound (lead, party).
func (db *DB) RenewPortalLink(ctx context.Context, ws dossier.WorkspaceID, page PortalOwner,
	rotate bool) (PortalLink, error) {
	return transact(ctx, db, ws, "renew portal link", func(tx *tx) (PortalLink, error) {
		return renewPortalLink(ctx, tx, page, rotate)
	})
}

// OpenPortalLink is RenewPortalLink for operators, who may look at a page only in the open: every call writes an audit
// entry.
func (db *DB) OpenPortalLink(ctx context.Context, ws dossier.WorkspaceID, page PortalOwner, rotate bool) (PortalLink,
	error) {
	return transact(ctx, db, ws, "open portal link", func(tx *tx) (PortalLink, error) {
		link, err := renewPortalLink(ctx, tx, page, rotate)
		if err == nil {
			audit(ctx, tx, dossier.AuditLinkOpen, leadSubject(page.Lead), page.details())
		}
		return link, err
	})
}

// leadSubject is how audit entries name a lead.
func leadSubject(id dossier.LeadID) string { return "lead:" + string(id) }

func renewPortalLink(ctx context.Context, tx *tx, page PortalOwner, rotate bool) (PortalLink, error) {
	if err := lockPage(ctx, tx, page); err != nil {
		return PortalLink{}, err
	}
	if rotate {
		audit(ctx, tx, dossier.AuditLinkRotate, leadSubject(page.Lead), page.details())
	} else {
		links, err := liveLinks(ctx, tx, page)
		if err != nil {
			return PortalLink{}, err
		}
		if len(links) > 0 {
			token, err := openPortalToken(tx.cipher, tx.ws, links[0])
			return PortalLink{token, links[0].ExpiresAt}, err
		}
	}
	revokePortalLink(tx, page)
	defaults, err := workspaceDefaults(ctx, tx)
	if err != nil {
		return PortalLink{}, err
	}
	return newPortalLink(tx, page, defaults.LinkDays)
}

// lockPage holds the lead of a page. Error: NotFound (lead, party).
func lockPage(ctx context.Context, tx *tx, page PortalOwner) error {
	if _, err := lockLeadRef(ctx, tx, page.Lead); err != nil {
		return err
	}
	return requireParty(ctx, tx, page.Lead, dossier.OrNil(page.Party))
}

const selectLiveLink = `SELECT id::text, token, expires_at FROM portal_links WHERE workspace_id = $1 AND lead_id = $2
		AND revoked_at IS NULL AND party_id IS NULL AND expires_at > $3`

const selectPartyLink = `SELECT id::text, token, expires_at FROM portal_links WHERE workspace_id = $1 AND lead_id = $2
		AND revoked_at IS NULL AND party_id = $4 AND expires_at > $3`

// storedLink is a row of selectLiveLink.
type storedLink struct {
	ID        string
	Sealed    []byte
	ExpiresAt time.Time
}

// liveLinks is the link of a page that lives, if any.
func liveLinks(ctx context.Context, tx *tx, page PortalOwner) ([]storedLink, error) {
	if page.Party != "" {
		return collect(ctx, tx, pgx.RowToStructByPos[storedLink], selectPartyLink, tx.ws, page.Lead, tx.now, page.Party)
	}
	return collect(ctx, tx, pgx.RowToStructByPos[storedLink], selectLiveLink, tx.ws, page.Lead, tx.now)
}

// openPortalToken decrypts a stored token; nothing stored is the empty token.
func openPortalToken(cipher *Cipher, ws dossier.WorkspaceID, link storedLink) (string, error) {
	token, err := cipher.OpenAt(portalTokenPlace(ws, link.ID), link.Sealed)
	return string(token), err
}

// newPortalLink makes a page's link. Any earlier one must have been revoked.
func newPortalLink(tx *tx, page PortalOwner, days int) (link PortalLink, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return link, err
	}
	link = PortalLink{base64.RawURLEncoding.EncodeToString(secret), tx.now.AddDate(0, 0, days)}
	id := NewID()
	sealed, err := tx.cipher.SealAt(portalTokenPlace(tx.ws, id), []byte(link.Token))
	if err != nil {
		return link, err
	}
	hash := sha256.Sum256([]byte(link.Token))
	tx.deferRow(`INSERT INTO portal_links (workspace_id, id, lead_id, token_hash, token, created_at, expires_at,
			party_id)
		SELECT @workspace, id, lead, hash, token, @now, expiry, party
		FROM unnest(@ids::uuid[], @leads::uuid[], @hashes::bytea[], @tokens::bytea[], @expiries::timestamptz[],
			@parties::uuid[]) AS l (id, lead, hash, token, expiry, party)`,
		pgx.NamedArgs{"workspace": tx.ws, "now": tx.now},
		pgx.NamedArgs{"ids": id, "leads": page.Lead, "hashes": hash[:], "tokens": sealed, "expiries": link.ExpiresAt,
			"parties": dossier.OrNil(page.Party)})
	return link, nil
}

// RevokePortalLink ends a page's link at once. RenewPortalLink makes another, and so does the next message to the lead
// for the lead's own page. Revoking twice changes nothing. Error: NotFound (lead, party).
func (db *DB) RevokePortalLink(ctx context.Context, ws dossier.WorkspaceID, page PortalOwner) error {
	_, err := transact(ctx, db, ws, "revoke portal link", func(tx *tx) (none, error) {
		if err := lockPage(ctx, tx, page); err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditLinkRevoke, leadSubject(page.Lead), page.details())
		revokePortalLink(tx, page)
		return none{}, nil
	})
	return err
}

func revokePortalLink(tx *tx, page PortalOwner) {
	tx.deferExec(
		`UPDATE portal_links SET revoked_at = $3 WHERE workspace_id = $1 AND lead_id = $2 AND revoked_at IS NULL
		AND party_id IS NOT DISTINCT FROM $4`, tx.ws, page.Lead, tx.now, dossier.OrNil(page.Party))
}

// revokePortalLinks ends the links of all pages of a lead.
func revokePortalLinks(tx *tx, lead dossier.LeadID) {
	tx.deferExec(
		`UPDATE portal_links SET revoked_at = $3 WHERE workspace_id = $1 AND lead_id = $2 AND revoked_at IS NULL`,
		tx.ws, lead, tx.now)
}
