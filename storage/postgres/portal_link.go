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

// PortalLink is the way into a lead's own page: whoever has the token is let in until it expires.
type PortalLink struct {
	Token     string
	ExpiresAt time.Time
}

// RenewPortalLink returns the lead's link; an expired one, and with rotate every one, is replaced and no longer
// lets anybody in. Error: NotFound.
func (db *DB) RenewPortalLink(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	rotate bool) (PortalLink, error) {
	return transact(ctx, db, ws, "renew portal link", func(tx *tx) (PortalLink, error) {
		return renewPortalLink(ctx, tx, lead, rotate)
	})
}

// OpenPortalLink is RenewPortalLink for operators, who may look at a page only in the open: every call writes an audit
// entry.
func (db *DB) OpenPortalLink(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, rotate bool) (PortalLink,
	error) {
	return transact(ctx, db, ws, "open portal link", func(tx *tx) (PortalLink, error) {
		link, err := renewPortalLink(ctx, tx, lead, rotate)
		if err == nil {
			audit(ctx, tx, dossier.AuditLinkOpen, leadSubject(lead), nil)
		}
		return link, err
	})
}

// leadSubject is how audit entries name a lead.
func leadSubject(id dossier.LeadID) string { return "lead:" + string(id) }

func renewPortalLink(ctx context.Context, tx *tx, lead dossier.LeadID, rotate bool) (PortalLink, error) {
	if _, err := lockLeadRef(ctx, tx, lead); err != nil {
		return PortalLink{}, err
	}
	if rotate {
		audit(ctx, tx, dossier.AuditLinkRotate, leadSubject(lead), nil)
	} else {
		links, err := liveLinks(ctx, tx, lead)
		if err != nil {
			return PortalLink{}, err
		}
		if len(links) > 0 {
			token, err := openPortalToken(tx.cipher, tx.ws, links[0])
			return PortalLink{token, links[0].ExpiresAt}, err
		}
	}
	revokePortalLinks(tx, lead)
	_, days, err := workspaceDefaults(ctx, tx)
	if err != nil {
		return PortalLink{}, err
	}
	return newPortalLink(tx, lead, days)
}

const selectLiveLink = `SELECT id::text, token, expires_at FROM portal_links WHERE workspace_id = $1 AND lead_id = $2
		AND revoked_at IS NULL AND expires_at > $3`

// storedLink is a row of selectLiveLink.
type storedLink struct {
	ID        string
	Sealed    []byte
	ExpiresAt time.Time
}

// liveLinks is the link of a lead that lives, if any.
func liveLinks(ctx context.Context, tx *tx, lead dossier.LeadID) ([]storedLink, error) {
	return collect(ctx, tx, pgx.RowToStructByPos[storedLink], selectLiveLink, tx.ws, lead, tx.now)
}

// openPortalToken decrypts a stored token; nothing stored is the empty token.
func openPortalToken(cipher *Cipher, ws dossier.WorkspaceID, link storedLink) (string, error) {
	token, err := cipher.OpenAt(portalTokenPlace(ws, link.ID), link.Sealed)
	return string(token), err
}

// newPortalLink makes the lead's link. Any earlier one must have been revoked.
func newPortalLink(tx *tx, lead dossier.LeadID, days int) (link PortalLink, err error) {
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
	tx.later(`INSERT INTO portal_links (workspace_id, id, lead_id, token_hash, token, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		tx.ws, id, lead, hash[:], sealed, tx.now, link.ExpiresAt)
	return link, nil
}

// RevokePortalLink ends the lead's link at once. The next message to the lead, or RenewPortalLink, makes another.
// Revoking twice changes nothing. Error: NotFound.
func (db *DB) RevokePortalLink(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) error {
	_, err := transact(ctx, db, ws, "revoke portal link", func(tx *tx) (none, error) {
		if _, err := lockLeadRef(ctx, tx, lead); err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditLinkRevoke, leadSubject(lead), nil)
		revokePortalLinks(tx, lead)
		return none{}, nil
	})
	return err
}

func revokePortalLinks(tx *tx, lead dossier.LeadID) {
	tx.later(`UPDATE portal_links SET revoked_at = $3 WHERE workspace_id = $1 AND lead_id = $2 AND revoked_at IS NULL`,
		tx.ws, lead, tx.now)
}
