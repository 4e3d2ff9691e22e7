package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Resealed says what became of the secrets at rest.
type Resealed struct {
	Secrets int `json:"secrets"` // that there are
	Sealed  int `json:"sealed"`  // anew, or with a dry run: would be
	Closed  int `json:"closed"`  // that no configured key opens; left as they are
}

// secretColumn is a column of secrets: how its rows are listed, and to what place a row's secret is bound.
type secretColumn struct {
	column string
	rows   string // of the workspace $1 behind the row $2: its name and the secret
	write  string // $3 into the row $2 of the workspace $1, where $4 still stands there
	place  func(ws dossier.WorkspaceID, row string) place
}

// resealPage is how many rows are read, and written, at a time.
const resealPage = 500

var secretColumns = []secretColumn{
	{"webhooks.secret",
		`SELECT id::text AS row, secret AS sealed FROM webhooks WHERE workspace_id = $1 AND id > $2::uuid
			AND secret IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE webhooks SET secret = $3 WHERE workspace_id = $1 AND id = $2::uuid AND secret = $4`,
		func(ws dossier.WorkspaceID, row string) place { return webhookSecretPlace(ws, dossier.WebhookID(row)) }},
	{"webhooks.old_secret",
		`SELECT id::text AS row, old_secret AS sealed FROM webhooks WHERE workspace_id = $1 AND id > $2::uuid
			AND old_secret IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE webhooks SET old_secret = $3 WHERE workspace_id = $1 AND id = $2::uuid AND old_secret = $4`,
		func(ws dossier.WorkspaceID, row string) place {
			return webhookOldSecretPlace(ws, dossier.WebhookID(row))
		}},
	{"webhooks.headers",
		`SELECT id::text AS row, headers AS sealed FROM webhooks WHERE workspace_id = $1 AND id > $2::uuid
			AND headers IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE webhooks SET headers = $3 WHERE workspace_id = $1 AND id = $2::uuid AND headers = $4`,
		func(ws dossier.WorkspaceID, row string) place { return webhookHeadersPlace(ws, dossier.WebhookID(row)) }},
	{"portal_links.token",
		`SELECT id::text AS row, token AS sealed FROM portal_links WHERE workspace_id = $1 AND id > $2::uuid
			AND token IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE portal_links SET token = $3 WHERE workspace_id = $1 AND id = $2::uuid AND token = $4`,
		portalTokenPlace},
	{"checklist_entries.secret_value",
		`SELECT id::text AS row, secret_value AS sealed FROM checklist_entries WHERE workspace_id = $1 AND id > $2::uuid
			AND secret_value IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE checklist_entries SET secret_value = $3 WHERE workspace_id = $1 AND id = $2::uuid
			AND secret_value = $4`,
		func(ws dossier.WorkspaceID, row string) place { return secretPlace(ws, dossier.EntryID(row)) }},
	{"inbound_tokens.token_sealed",
		`SELECT id::text AS row, token_sealed AS sealed FROM inbound_tokens WHERE workspace_id = $1 AND id > $2::uuid
			ORDER BY id LIMIT $3`,
		`UPDATE inbound_tokens SET token_sealed = $3 WHERE workspace_id = $1 AND id = $2::uuid AND token_sealed = $4`,
		inboundPlace},
	{"workspaces.erasure_key",
		`SELECT id::text AS row, erasure_key AS sealed FROM workspaces WHERE id = $1 AND id > $2::uuid
			AND erasure_key IS NOT NULL ORDER BY id LIMIT $3`,
		`UPDATE workspaces SET erasure_key = $3 WHERE id = $1 AND id = $2::uuid AND erasure_key = $4`,
		func(ws dossier.WorkspaceID, _ string) place { return erasureKeyPlace(ws) }},
}

// Reseal seals every secret of every workspace, deleted ones too, anew where it was sealed with another key than the
// newest or bound to less than its row. Afterwards older keys can be dropped: at once, but for answers kept for repeats
// of requests, which are gone within a day, and for unsubscribe links in mails of before. dryRun only counts. told, if
// it is there, hears after each workspace how many of all are done.
func (db *DB) Reseal(ctx context.Context, dryRun bool, told func(done, all int)) (Resealed, error) {
	workspaces, err := systemTx(ctx, db, "list workspaces", func(tx *tx) ([]dossier.WorkspaceID, error) {
		return collect(ctx, tx, pgx.RowTo[dossier.WorkspaceID], `SELECT id FROM workspaces ORDER BY id`)
	})
	var all Resealed
	for i, ws := range workspaces {
		for _, k := range secretColumns {
			after := "00000000-0000-0000-0000-000000000000"
			for after != "" && err == nil {
				after, err = db.resealPage(ctx, ws, k, after, dryRun, &all)
			}
			if err != nil {
				return all, err
			}
		}
		if told != nil {
			told(i+1, len(workspaces))
		}
	}
	return all, err
}

// resealPage is one page, and one transaction. It returns the last row of a full page.
func (db *DB) resealPage(ctx context.Context, ws dossier.WorkspaceID, k secretColumn, after string, dryRun bool,
	all *Resealed) (string, error) {
	type sealedRow struct {
		Row    string
		Sealed []byte
	}
	type done struct {
		last string
		Resealed
	}
	page, err := transact(ctx, db, ws, "reseal "+k.column, func(tx *tx) (done, error) {
		var d done
		rows, err := collect(ctx, tx, pgx.RowToStructByName[sealedRow], k.rows, ws, after, resealPage)
		for _, row := range rows {
			d.Secrets++
			sealed, err := tx.cipher.Reseal(k.place(ws, row.Row), row.Sealed)
			switch {
			case err != nil:
				d.Closed++
			case sealed != nil:
				d.Sealed++
				if !dryRun {
					tx.deferExec(k.write, ws, row.Row, sealed, row.Sealed)
				}
			}
		}
		if len(rows) == resealPage {
			d.last = rows[len(rows)-1].Row
		}
		return d, err
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", k.column, err)
	}
	all.Secrets, all.Sealed, all.Closed = all.Secrets+page.Secrets, all.Sealed+page.Sealed, all.Closed+page.Closed
	return page.last, nil
}
