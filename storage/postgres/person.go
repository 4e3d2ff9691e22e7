package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

const personColumns = `p.id, p.email, p.name, p.created_at, p.signed_in_at, p.disabled_at`

// applyPeople makes the roles of a workspace's file what the file says. What commands gave stays.
func applyPeople(tx *tx, people dossier.PeopleSettings) {
	tx.deferExec(`DELETE FROM person_roles WHERE workspace_id = $1 AND source = 'file'`, tx.ws)
	give := func(kind string, roles map[string]dossier.Role) {
		names, given := []string{}, []dossier.Role{}
		for name, role := range roles {
			names, given = append(names, name), append(given, role)
		}
		tx.deferExec(`INSERT INTO person_roles (workspace_id, kind, name, source, role, created_at)
			SELECT $1, $2, name, 'file', role, $5 FROM unnest($3::text[], $4::text[]) AS t (name, role)`,
			tx.ws, kind, names, given, tx.now)
	}
	give("group", people.Groups)
	give("email", people.Emails)
}

func exportPeople(ctx context.Context, tx *tx) (dossier.PeopleSettings, error) {
	var p dossier.PeopleSettings
	rows, err := tx.Query(ctx, `SELECT kind, name, role FROM person_roles
		WHERE workspace_id = $1 AND source = 'file'`, tx.ws)
	if err != nil {
		return p, err
	}
	var kind, name string
	var role dossier.Role
	_, err = pgx.ForEachRow(rows, []any{&kind, &name, &role}, func() error {
		into := &p.Groups
		if kind == "email" {
			into = &p.Emails
		}
		if *into == nil {
			*into = map[string]dossier.Role{}
		}
		(*into)[name] = role
		return nil
	})
	return p, err
}

// rolesOf finds the workspaces in which a person has a role, by key, the highest role of each. Somebody disabled has
// none.
func rolesOf(ctx context.Context, tx *tx, p dossier.Person, groups []string, givenIn dossier.WorkspaceID,
	given dossier.Role) ([]dossier.WorkspaceRole, error) {
	if p.DisabledAt != nil {
		return nil, nil
	}
	found, err := collect(ctx, tx, pgx.RowToStructByName[dossier.WorkspaceRole], `
		SELECT w.id, w.key, w.name, r.role FROM workspaces w JOIN (
			SELECT workspace_id, role FROM person_roles WHERE kind = 'email' AND name = $1
			UNION ALL SELECT workspace_id, role FROM person_roles WHERE kind = 'group' AND name = ANY($2::text[])
			UNION ALL SELECT $3::uuid, $4::text WHERE $4 IS NOT NULL) r ON r.workspace_id = w.id
		WHERE w.deleted_at IS NULL
		  AND NOT EXISTS (SELECT FROM disabled_people d WHERE d.workspace_id = w.id AND d.email = $1)
		ORDER BY w.key`, p.Email, groups, dossier.OrNil(givenIn), dossier.OrNil(given))
	if err != nil {
		return nil, err
	}
	var roles []dossier.WorkspaceRole
	for _, r := range found {
		if n := len(roles); n > 0 && roles[n-1].ID == r.ID {
			roles[n-1].Role = dossier.HighestRole(roles[n-1].Role, r.Role)
			continue
		}
		roles = append(roles, r)
	}
	return roles, nil
}

// findOrCreatePerson returns the person with an email address, who is created if unknown. A name that is not empty
// replaces the stored one.
func findOrCreatePerson(ctx context.Context, tx *tx, email, name string) (dossier.Person, error) {
	return oneOf(ctx, tx, "person", pgx.RowToStructByName[dossier.Person], `
		INSERT INTO people AS p (id, email, name, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (email) DO UPDATE SET name = CASE WHEN excluded.name = '' THEN p.name ELSE excluded.name END
		RETURNING `+personColumns, newID[dossier.PersonID](), email, name, tx.now)
}

// AddPerson gives an address a role in a workspace, beside what the workspace's file gives it, and lets somebody in
// again who was disabled there. The address is in lower case.
func (db *DB) AddPerson(ctx context.Context, ws dossier.WorkspaceID, email string, role dossier.Role) error {
	_, err := transact(ctx, db, ws, "add person", func(tx *tx) (none, error) {
		tx.deferExec(`INSERT INTO person_roles (workspace_id, kind, name, source, role, created_at)
			VALUES ($1, 'email', $2, 'command', $3, $4)
			ON CONFLICT (workspace_id, kind, name, source) DO UPDATE SET role = excluded.role`, ws, email, role, tx.now)
		tx.deferExec(`DELETE FROM disabled_people WHERE workspace_id = $1 AND email = $2`, ws, email)
		audit(ctx, tx, dossier.AuditPersonAdd, "workspace:"+string(ws), map[string]any{"role": role})
		return none{}, nil
	})
	if err != nil {
		return err
	}
	_, err = systemTx(ctx, db, "add person", func(tx *tx) (none, error) {
		tx.deferExec(`UPDATE people SET disabled_at = NULL WHERE email = $1`, email)
		return none{}, nil
	})
	return err
}

// DisablePerson shuts an address out of a workspace at once, or without one everywhere, and ends its sessions then.
// Error: NotFound, when nobody knows the address.
func (db *DB) DisablePerson(ctx context.Context, ws dossier.WorkspaceID, email string) error {
	_, err := systemTx(ctx, db, "disable person", func(tx *tx) (none, error) {
		var known bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM people WHERE email = $1)
			OR EXISTS (SELECT FROM person_roles WHERE kind = 'email' AND name = $1)`, email).Scan(&known)
		if err != nil {
			return none{}, err
		}
		if !known {
			return none{}, dossier.Coded(dossier.NotFound, "person_not_found", "Nobody here has the address %s", email)
		}
		person, err := findOrCreatePerson(ctx, tx, email, "")
		if err != nil {
			return none{}, err
		}
		if ws != "" {
			return none{}, disableInWorkspace(ctx, tx, person, ws)
		}
		roles, err := rolesOf(ctx, tx, person, nil, "", "")
		if err != nil {
			return none{}, err
		}
		tx.deferExec(`UPDATE people SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1`, person.ID, tx.now)
		tx.deferExec(
			`UPDATE sessions SET revoked_at = $2 WHERE person_id = $1 AND revoked_at IS NULL`, person.ID, tx.now)
		for _, r := range roles {
			tx.ws = r.ID
			audit(ctx, tx, dossier.AuditPersonDisable, personSubject(person.ID), nil)
		}
		return none{}, nil
	})
	return err
}

// disableInWorkspace disables a person in one workspace.
func disableInWorkspace(ctx context.Context, tx *tx, person dossier.Person, ws dossier.WorkspaceID) error {
	if err := actAs(ctx, tx, ws); err != nil {
		return err
	}
	tx.deferExec(`INSERT INTO disabled_people (workspace_id, email, disabled_at) VALUES ($1, $2, $3)
		ON CONFLICT DO NOTHING`,
		ws, person.Email, tx.now)
	audit(ctx, tx, dossier.AuditPersonDisable, personSubject(person.ID), nil)
	return nil
}

func personSubject(id dossier.PersonID) string { return "person:" + string(id) }

// Member is a person with a role in a workspace: by email address, or by a group known from the last sign-in.
type Member struct {
	Email      string
	Name       string
	Role       dossier.Role
	Disabled   bool
	SignedInAt *time.Time
}

// Members lists the people with a role in a workspace, by email address. People who have a role only by a group are
// missing until they first sign in.
func (db *DB) Members(ctx context.Context, ws dossier.WorkspaceID) ([]Member, error) {
	return systemTx(ctx, db, "list people", func(tx *tx) ([]Member, error) {
		return collect(ctx, tx, pgx.RowToStructByName[Member], `
			SELECT m.email, coalesce(p.name, '') AS name,
				(ARRAY['viewer', 'reviewer', 'approver', 'admin'])[max(array_position(ARRAY['viewer', 'reviewer',
				'approver', 'admin'], m.role))] AS role,
				p.disabled_at IS NOT NULL OR d.email IS NOT NULL AS disabled, p.signed_in_at
			FROM (SELECT name AS email, role FROM person_roles WHERE workspace_id = $1 AND kind = 'email'
				UNION ALL SELECT g.email, r.role FROM person_roles r JOIN people g ON r.name = ANY(g.groups)
					WHERE r.workspace_id = $1 AND r.kind = 'group') m
			LEFT JOIN people p ON p.email = m.email
			LEFT JOIN disabled_people d ON d.workspace_id = $1 AND d.email = m.email
			GROUP BY m.email, p.name, p.disabled_at, d.email, p.signed_in_at ORDER BY m.email`, ws)
	})
}
