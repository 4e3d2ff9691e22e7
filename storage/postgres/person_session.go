package postgres

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// SignedIn is a session with its person and what that person may do.
type SignedIn struct {
	Session dossier.Session
	Person  dossier.Person
	Role    dossier.Role            // in Workspace
	In      dossier.WorkspaceRole   // the workspace that answers
	Roles   []dossier.WorkspaceRole // all of them, by key
	Groups  []string                // at the provider
}

// sessionRow is a session as it is kept.
type sessionRow struct {
	dossier.Session
	Groups    []string
	Chosen    *dossier.WorkspaceID
	GivenIn   *dossier.WorkspaceID
	GivenRole *dossier.Role
}

const sessionColumns = `s.id, s.person_id, s.created_at, s.seen_at, s.expires_at, s.revoked_at, s.groups, s.chosen,
	s.given_in,
	s.given_role`

// hashSecret is what is kept of a cookie's value or a link's token: 256 random bits need no more than a plain hash.
func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// ReadSession finds the session of a cookie and its workspace: the wanted one, by key or id, else the one chosen last,
// else the first. It stores the time of use, at most once a minute. Errors: Unauthorized (no session, or one that has
// ended), NotFound (the person has no role in the wanted workspace, or in any).
func (db *DB) ReadSession(ctx context.Context, secret, wanted string) (SignedIn, error) {
	return db.readSession(ctx, secret, wanted, true)
}

func (db *DB) readSession(ctx context.Context, secret, wanted string, use bool) (SignedIn, error) {
	return systemTx(ctx, db, "read session", func(tx *tx) (SignedIn, error) {
		row, person, err := sessionBySecret(ctx, tx, secret)
		if dossier.KindOf(err) == dossier.NotFound {
			err = noSession()
		}
		if err != nil {
			return SignedIn{}, err
		}
		if !row.Usable(tx.now) || person.DisabledAt != nil {
			return SignedIn{}, noSession()
		}
		roles, err := rolesOf(ctx, tx, person, row.Groups, deref(row.GivenIn), deref(row.GivenRole))
		if err != nil {
			return SignedIn{}, err
		}
		in, ok := pickWorkspace(roles, wanted, deref(row.Chosen))
		if !ok {
			return SignedIn{}, missing("workspace")
		}
		if use && (tx.now.Sub(row.SeenAt) >= time.Minute || deref(row.Chosen) != in.ID) {
			tx.deferExec(
				`UPDATE sessions SET seen_at = greatest(seen_at, $2), chosen = $3 WHERE id = $1`, row.ID, tx.now,
				in.ID)
			row.SeenAt = tx.now
		}
		return SignedIn{Session: row.Session, Person: person, Role: in.Role, In: in, Roles: roles, Groups: row.Groups},
			nil
	})
}

// EndSessionBySecret ends the session of a cookie. A person without a role ends it so: there is no workspace whose
// audit could tell of it. A repeat, and a cookie of no session, change nothing.
func (db *DB) EndSessionBySecret(ctx context.Context, secret string) error {
	_, err := systemTx(ctx, db, "end session", func(tx *tx) (none, error) {
		tx.deferExec(`UPDATE sessions SET revoked_at = $2 WHERE secret_hash = $1 AND revoked_at IS NULL`,
			hashSecret(secret), tx.now)
		return none{}, nil
	})
	return err
}

func noSession() error {
	return dossier.Errorf(dossier.Unauthorized, "The session has ended; sign in again")
}

func sessionBySecret(ctx context.Context, tx *tx, secret string) (sessionRow, dossier.Person, error) {
	row, err := oneOf(ctx, tx, "session", pgx.RowToStructByName[sessionRow], `SELECT `+sessionColumns+` FROM sessions s
		WHERE s.secret_hash = $1`, hashSecret(secret))
	if err != nil {
		return row, dossier.Person{}, err
	}
	person, err := oneOf(ctx, tx, "person", pgx.RowToStructByName[dossier.Person], `SELECT `+personColumns+`
		FROM people p
		WHERE p.id = $1`, row.PersonID)
	return row, person, err
}

// pickWorkspace returns the workspace of a request; false, when the wanted one is not among the person's.
func pickWorkspace(roles []dossier.WorkspaceRole, wanted string, chosen dossier.WorkspaceID) (dossier.WorkspaceRole,
	bool) {
	if len(roles) == 0 {
		return dossier.WorkspaceRole{}, false
	}
	for _, r := range roles {
		if wanted != "" && (r.Key == wanted || string(r.ID) == wanted) || wanted == "" && r.ID == chosen {
			return r, true
		}
	}
	return roles[0], wanted == ""
}

// CreateSignInLink makes the link of `dossier console open`: a token that signs the address in once, within
// dossier.SignInLinkTTL, with the role in this workspace and for that session only, or without one with the person's
// own. Error: NotFound, when there is neither.
func (db *DB) CreateSignInLink(ctx context.Context, ws dossier.WorkspaceID, email string, role dossier.Role) (string,
	error) {
	return systemTx(ctx, db, "create sign-in link", func(tx *tx) (string, error) {
		person, err := findOrCreatePerson(ctx, tx, email, "")
		if err != nil {
			return "", err
		}
		roles, err := rolesOf(ctx, tx, person, nil, ws, role)
		if err != nil {
			return "", err
		}
		if _, ok := pickWorkspace(roles, string(ws), ""); !ok {
			return "", dossier.Coded(dossier.NotFound, "person_not_found",
				"%s has no role in this workspace; give one with --role, or "+
					"for good with: dossier people add", email)
		}
		token, err := randomToken()
		if err != nil {
			return "", err
		}
		tx.deferExec(`DELETE FROM sign_in_links WHERE expires_at < $1`, tx.now.Add(-SessionsKept))
		tx.deferExec(
			`INSERT INTO sign_in_links (secret_hash, person_id, given_in, given_role, expires_at) VALUES ($1, $2,
				$3, $4, $5)`,
			hashSecret(token), person.ID, ws, dossier.OrNil(role), tx.now.Add(dossier.SignInLinkTTL))
		tx.ws = ws
		audit(ctx, tx, dossier.AuditConsoleOpen, personSubject(person.ID), nil)
		return token, nil
	})
}

// SessionsKept is how long sessions and links stay after their end.
const SessionsKept = 30 * 24 * time.Hour

// UseSignInLink signs in whom a link is for, and ends the session of the cookie before, if there was one. The secret of
// the new session is returned this once. Error: NotFound, when the link is unknown, used up or too old, or its person
// disabled.
func (db *DB) UseSignInLink(ctx context.Context, token, before string) (string, error) {
	type linkRow struct {
		PersonID  dossier.PersonID
		GivenIn   dossier.WorkspaceID
		GivenRole *dossier.Role
	}
	return systemTx(ctx, db, "use sign-in link", func(tx *tx) (string, error) {
		link, err := oneOf(ctx, tx, "link", pgx.RowToStructByName[linkRow], `UPDATE sign_in_links SET used_at = $2
			WHERE secret_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING person_id, given_in, given_role`,
			hashSecret(token), tx.now)
		if err != nil {
			return "", err
		}
		person, err := oneOf(ctx, tx, "person", pgx.RowToStructByName[dossier.Person], `SELECT `+personColumns+`
			FROM people p WHERE p.id = $1`, link.PersonID)
		if err != nil {
			return "", err
		}
		row := sessionRow{Chosen: &link.GivenIn, GivenRole: link.GivenRole}
		if link.GivenRole != nil {
			row.GivenIn = &link.GivenIn
		}
		return startSession(ctx, tx, person, row, "", before)
	})
}

// startSession makes a session whose secret nobody knew before, so that none that was planted in a browser becomes one.
// Error: NotFound, when the person has no role anywhere. renew is what the provider can be asked with later, or empty.
func startSession(ctx context.Context, tx *tx, person dossier.Person, row sessionRow, renew, before string) (string,
	error) {
	roles, err := rolesOf(ctx, tx, person, row.Groups, deref(row.GivenIn), deref(row.GivenRole))
	if err != nil {
		return "", err
	}
	if len(roles) == 0 {
		return "", missing("workspace")
	}
	secret, err := randomToken()
	if err != nil {
		return "", err
	}
	if row.Groups == nil {
		row.Groups = []string{}
	}
	id := newID[dossier.SessionID]()
	sealed, err := sealRenewal(tx, id, renew)
	if err != nil {
		return "", err
	}
	if before != "" {
		tx.deferExec(`UPDATE sessions SET revoked_at = $2 WHERE secret_hash = $1 AND revoked_at IS NULL`,
			hashSecret(before), tx.now)
	}
	tx.deferExec(`DELETE FROM sessions WHERE expires_at < $1`, tx.now.Add(-SessionsKept))
	tx.deferExec(`UPDATE people SET signed_in_at = $2, groups = $3 WHERE id = $1`, person.ID, tx.now, row.Groups)
	tx.deferExec(`INSERT INTO sessions (id, person_id, secret_hash, groups, chosen, given_in, given_role, created_at,
		seen_at, expires_at,
			renewal, checked_at)
		VALUES (@id, @personId, @secretHash, @groups, @chosen, @givenIn, @givenRole, @now, @now, @expiresAt, @renewal,
		@now)`,
		pgx.NamedArgs{"id": id, "personId": person.ID, "secretHash": hashSecret(secret), "groups": row.Groups,
			"chosen": row.Chosen, "givenIn": row.GivenIn, "givenRole": row.GivenRole, "now": tx.now,
			"expiresAt": tx.now.Add(dossier.SessionLife), "renewal": sealed})
	ctx = WithActor(ctx, Actor{Type: dossier.ActorPerson, ID: string(person.ID), Name: person.Email})
	for _, r := range roles {
		tx.ws = r.ID
		audit(ctx, tx, dossier.AuditSessionCreate, sessionSubject(id), map[string]any{"personId": person.ID})
	}
	return secret, nil
}

func sessionSubject(id dossier.SessionID) string { return "session:" + string(id) }

// ListedSession is a session as admins see it.
type ListedSession struct {
	dossier.Session
	Email string
	Name  string
}

// inWorkspace says that a session s of a person p is one of somebody with a role in the workspace $1.
const inWorkspace = `(s.given_in = $1 OR EXISTS (SELECT FROM person_roles r WHERE r.workspace_id = $1
	AND (r.kind = 'email' AND r.name = p.email OR r.kind = 'group' AND r.name = ANY(s.groups))))`

// Sessions lists the sessions of a workspace's people that have not ended, newest first.
func (db *DB) Sessions(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]ListedSession, error) {
	at, id := pageArgs(page)
	return systemTx(ctx, db, "list sessions", func(tx *tx) ([]ListedSession, error) {
		return collect(ctx, tx, pgx.RowToStructByName[ListedSession], `
			SELECT s.id, s.person_id, s.created_at, s.seen_at, s.expires_at, s.revoked_at, p.email, p.name
			FROM sessions s JOIN people p ON p.id = s.person_id
			WHERE s.revoked_at IS NULL AND s.expires_at > $2 AND s.seen_at > $3 AND `+inWorkspace+`
			  AND ($4::timestamptz IS NULL OR (s.created_at, s.id) < ($4, $5::uuid))
			ORDER BY s.created_at DESC, s.id DESC LIMIT $6`,
			ws, tx.now, tx.now.Add(-dossier.SessionIdle), at, id, page.Limit+1)
	})
}

// RevokeSession ends a session: one's own, given whose it must be, or for an admin (of empty) any of the workspace's
// people. Ended again it changes nothing. Error: NotFound.
func (db *DB) RevokeSession(ctx context.Context, ws dossier.WorkspaceID, id dossier.SessionID,
	of dossier.PersonID) error {
	_, err := systemTx(ctx, db, "revoke session", func(tx *tx) (none, error) {
		var already bool
		err := tx.QueryRow(ctx, `SELECT s.revoked_at IS NOT NULL FROM sessions s JOIN people p ON p.id = s.person_id
			WHERE s.id = $2 AND `+inWorkspace+` AND ($3::uuid IS NULL OR s.person_id = $3) FOR UPDATE OF s`,
			ws, id, dossier.OrNil(of)).Scan(&already)
		if err != nil || already {
			return none{}, orMissing(err, "session")
		}
		tx.deferExec(`UPDATE sessions SET revoked_at = $2 WHERE id = $1`, id, tx.now)
		tx.ws = ws
		audit(ctx, tx, dossier.AuditSessionRevoke, sessionSubject(id), nil)
		return none{}, nil
	})
	return err
}
