package postgres

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// portalJSON is dossier.PortalSettings as it is stored.
type portalJSON struct {
	LinkDays int    `json:"linkDays"`
	Name     string `json:"name"`
	Color    string `json:"color"`
}

type spreadSettingsJSON struct {
	Currency       string `json:"currency,omitempty"`
	LivingExpenses int64  `json:"livingExpenses,omitempty"`
}

// readingJSON is dossier.ReadingSettings as it is kept.
type readingJSON struct {
	Model             dossier.ReadingMode `json:"model,omitempty"`
	Images            bool                `json:"images,omitempty"`
	TokensPerDocument int                 `json:"tokensPerDocument,omitempty"`
	TokensPerDay      int                 `json:"tokensPerDay,omitempty"`
}

const workspaceColumns = `id, key, name, default_region, timezone, language, quiet_from, quiet_to, portal, channels,
	pipelines, limits, spreads, retention, reading, four_eyes, review, created_at,
	updated_at`

func scanWorkspace(row pgx.CollectableRow) (dossier.Workspace, error) {
	var w dossier.Workspace
	var portal portalJSON
	var limits limitsJSON
	var spreads spreadSettingsJSON
	var retention retentionJSON
	var reading readingJSON
	var review reviewJSON
	var fourEyes []string
	err := row.Scan(&w.ID, &w.Key, &w.Name, &w.DefaultRegion, &w.Timezone, &w.Language, &w.QuietHours.From,
		&w.QuietHours.To, &portal, &w.Channels, &w.Pipelines,
		&limits, &spreads, &retention, &reading, &fourEyes, &review, &w.CreatedAt, &w.UpdatedAt)
	w.Portal, w.Limits, w.Spreads = dossier.PortalSettings(portal), dossier.Limits(limits),
		dossier.SpreadSettings(spreads)
	w.Retention, w.Reading = dossier.Retention(retention), dossier.ReadingSettings(reading)
	if w.Review = review.settings(); len(fourEyes) > 0 {
		w.Review.FourEyes = fourEyes
	}
	return w, err
}

// ListWorkspaces returns all workspaces by key. It is the operator's view, across tenants.
func (db *DB) ListWorkspaces(ctx context.Context) ([]dossier.Workspace, error) {
	return systemTx(ctx, db, "list workspaces", func(tx *tx) ([]dossier.Workspace, error) {
		rows, err := tx.Query(ctx, `SELECT `+workspaceColumns+` FROM workspaces WHERE deleted_at IS NULL ORDER BY key`)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, scanWorkspace)
	})
}

// WorkspaceByKey returns the workspace with this key or id. Error: NotFound.
func (db *DB) WorkspaceByKey(ctx context.Context, key string) (dossier.Workspace, error) {
	return systemTx(ctx, db, "workspace by key", func(tx *tx) (dossier.Workspace,
		error) {
		return workspaceByKey(ctx, tx, key)
	})
}

func workspaceByKey(ctx context.Context, tx *tx, key string) (dossier.Workspace, error) {
	rows, err := tx.Query(ctx, `SELECT `+workspaceColumns+` FROM workspaces WHERE (key = $1 OR id::text = $1)
		AND deleted_at IS NULL`, key)
	if err != nil {
		return dossier.Workspace{}, err
	}
	w, err := pgx.CollectExactlyOneRow(rows, scanWorkspace)
	return w, orMissing(err, "workspace")
}

// ReadWorkspace returns the workspace itself. Error: NotFound.
func (db *DB) ReadWorkspace(ctx context.Context, ws dossier.WorkspaceID) (dossier.Workspace, error) {
	return readOne(ctx, db, ws, "read workspace", "workspace", scanWorkspace, `SELECT `+workspaceColumns+`
		FROM workspaces WHERE id = $1 AND deleted_at IS NULL`, ws)
}

// WorkspaceSilence is how long other processes may still act for a workspace after it was deleted: they ask for keys
// and for the jobs they hold that often.
const WorkspaceSilence = 3 * time.Second

// DeleteWorkspace removes a workspace with everything in it, and ends what it would still send: its endpoints are gone,
// its events wait for nobody, its jobs are cancelled and none that is staged later is claimed. A process that knows a
// key of it or holds a job of it learns of that within WorkspaceSilence. With a reason to erase it, everything of it
// goes for good. Errors: NotFound; Conflict, when a hold or a floor keeps what is to be erased.
func (db *DB) DeleteWorkspace(ctx context.Context, key, erase string) error {
	_, err := systemTx(ctx, db, "delete workspace", func(tx *tx) (none, error) {
		w, err := workspaceByKey(ctx, tx, key)
		if err != nil {
			return none{}, err
		}
		// The key is given back at once; the rows, of which there may be millions, go only when the workspace is
		// erased.
		_, err = tx.Exec(ctx, `UPDATE workspaces SET deleted_at = $2, updated_at = $2, key = key || '-deleted-' || id
			WHERE id = $1`, w.ID, tx.now)
		if err != nil {
			return none{}, err
		}
		_, err = tx.Exec(ctx, `UPDATE api_keys SET revoked_at = $2 WHERE workspace_id = $1 AND revoked_at IS NULL`,
			w.ID, tx.now)
		if err != nil {
			return none{}, err
		}
		_, err = tx.Exec(ctx, `UPDATE jobs SET status = 'CANCELLED', epoch = epoch + 1, lease_until = NULL,
			finished_at = $2, error_class = 'cancelled'
			WHERE workspace_id = $1 AND status IN ('QUEUED', 'RETRY', 'RUNNING')`, w.ID, tx.now)
		if err != nil {
			return none{}, err
		}
		if erase != "" {
			if err := stageWorkspaceErasure(ctx, tx, w.ID); err != nil {
				return none{}, err
			}
		}
		tx.ws = w.ID
		audit(ctx, tx, dossier.AuditWorkspaceDelete, "workspace:"+string(w.ID), nil)
		if err := actAs(ctx, tx, w.ID); err != nil {
			return none{}, err
		}
		if erase != "" {
			if err := eraseWorkspace(ctx, tx, erase); err != nil {
				return none{}, err
			}
		}
		tx.deferExec(`UPDATE webhooks SET deleted_at = $2, is_enabled = false, updated_at = $2
			WHERE workspace_id = $1 AND deleted_at IS NULL`, w.ID, tx.now)
		tx.deferExec(
			`UPDATE portal_links SET revoked_at = $2 WHERE workspace_id = $1 AND revoked_at IS NULL`, w.ID, tx.now)
		return none{}, nil
	})
	return err
}

// upsertWorkspace makes the workspace of a file, or gives it the file's settings.
func upsertWorkspace(ctx context.Context, tx *tx, s dossier.WorkspaceSettings) (dossier.WorkspaceID, error) {
	token, err := randomToken()
	if err != nil {
		return "", err
	}
	channels, pipelines := s.Channels, s.Pipelines
	if channels == nil {
		channels = map[dossier.Channel]dossier.ChannelConfig{}
	}
	if pipelines == nil {
		pipelines = []dossier.PipelineChain{}
	}
	var id dossier.WorkspaceID
	err = tx.QueryRow(ctx, `
		INSERT INTO workspaces (id, key, name, default_region, timezone, quiet_from, quiet_to, portal, channels,
			pipelines, inbound_token, created_at, updated_at, language, limits, spreads, retention, reading,
				four_eyes,
			review)
		VALUES (@id, @key, @name, @defaultRegion, @timezone, @quietFrom, @quietTo, @portal, @channels, @pipelines,
			@inboundToken, @now, @now, coalesce(@language, 'en'), @limits, @spreads, @retention, @reading,
			coalesce(@fourEyes, '{}'::text[]), @review)
		ON CONFLICT (key) DO UPDATE SET name = excluded.name, default_region = excluded.default_region,
			timezone = excluded.timezone,
			quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, portal = excluded.portal,
				channels = excluded.channels,
			pipelines = excluded.pipelines, language = excluded.language, limits = excluded.limits,
				spreads = excluded.spreads, retention = excluded.retention, reading = excluded.reading,
				four_eyes = excluded.four_eyes, review = excluded.review,
				updated_at = excluded.updated_at
		RETURNING id`,
		pgx.NamedArgs{"id": NewID(), "key": s.Key, "name": s.Name, "defaultRegion": s.DefaultRegion,
			"timezone": s.Timezone, "quietFrom": s.QuietHours.From, "quietTo": s.QuietHours.To,
			"portal": mustJSON(portalJSON(s.Portal)), "channels": mustJSON(channels),
			"pipelines": mustJSON(pipelines), "inboundToken": token, "now": tx.now,
			"language": dossier.OrNil(s.Language),
			"limits":   mustJSON(limitsJSON(s.Limits)), "spreads": mustJSON(spreadSettingsJSON(s.Spreads)),
			"retention": mustJSON(retentionJSON(s.Retention)), "reading": mustJSON(readingJSON(s.Reading)),
			"fourEyes": s.Review.FourEyes, "review": reviewJSONOf(s.Review)}).Scan(&id)
	return id, err
}

// actAs makes the rest of a system transaction run as one tenant.
func actAs(ctx context.Context, tx *tx, ws dossier.WorkspaceID) error {
	if _, err := tx.Exec(ctx, "SET LOCAL ROLE dossier_app"); err != nil {
		return err
	}
	tx.ws = ws
	_, err := tx.Exec(ctx, "SELECT set_config('app.ws', $1, true)", string(ws))
	return err
}

// randomToken is 32 random bytes in URL-safe base64.
func randomToken() (string, error) {
	token := make([]byte, 32)
	if _, err := rand.Read(token); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(token), nil
}

// mustJSON marshals plain structs of our own, which cannot fail.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// workspaceDefaults are what a new lead takes from its workspace.
func workspaceDefaults(ctx context.Context, tx *tx) (leadDefaults, error) {
	return oneOf(ctx, tx, "workspace", pgx.RowToStructByPos[leadDefaults], selectLeadDefaults, tx.ws, defaultLinkDays)
}

type leadDefaults struct {
	Region   string // of phone numbers without a country
	LinkDays int
}

const selectLeadDefaults = `SELECT default_region, coalesce((portal->>'linkDays')::int, $2) FROM workspaces
	WHERE id = $1 AND deleted_at IS NULL`
