package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// renewalPlace is where the token is kept by which a provider is asked again. It lives as long as its session, half a
// day at most, so resealing leaves it out: one that no key opens ends its session.
func renewalPlace(id dossier.SessionID) place {
	return place{column: "sessions.renewal", row: string(id)}
}

// sealRenewal seals what a provider gave to be asked with; nothing stays nothing.
func sealRenewal(tx *tx, id dossier.SessionID, renew string) ([]byte, error) {
	if renew == "" {
		return nil, nil
	}
	return tx.cipher.SealAt(renewalPlace(id), []byte(renew))
}

// BeginSignIn notes an attempt at the provider by its state, for the browser with this secret.
func (db *DB) BeginSignIn(ctx context.Context, state, browser string) error {
	_, err := systemTx(ctx, db, "begin sign-in", func(tx *tx) (none, error) {
		tx.deferExec(`DELETE FROM sign_ins WHERE expires_at < $1`, tx.now)
		tx.deferExec(
			`INSERT INTO sign_ins (state_hash, browser_hash, expires_at) VALUES ($1, $2, $3)`, hashSecret(state),
			hashSecret(browser), tx.now.Add(dossier.SignInLinkTTL))
		return none{}, nil
	})
	return err
}

// TakeSignIn ends an attempt: it can be finished once, in time, by the browser that began it. Error: NotFound.
func (db *DB) TakeSignIn(ctx context.Context, state, browser string) error {
	_, err := systemTx(ctx, db, "take sign-in", func(tx *tx) (none, error) {
		tag, err := tx.Exec(ctx, `DELETE FROM sign_ins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3`,
			hashSecret(state), hashSecret(browser), tx.now)
		if err == nil && tag.RowsAffected() == 0 {
			err = missing("session")
		}
		return none{}, err
	})
	return err
}

// SignInAs is who signed in at a provider.
type SignInAs struct {
	Email  string // lower case
	Name   string
	Groups []string
	Renew  string // the provider's refresh token, or empty
}

// SignIn makes a session of who signed in at the provider, with the groups it has now, and ends the session of the
// cookie before, if there was one. The secret of the new session is returned this once. Errors: NotFound, when no
// workspace gives the person a role, or it is disabled everywhere.
func (db *DB) SignIn(ctx context.Context, as SignInAs, before string) (string, error) {
	return systemTx(ctx, db, "sign in", func(tx *tx) (string, error) {
		person, err := findOrCreatePerson(ctx, tx, as.Email, as.Name)
		if err != nil {
			return "", err
		}
		return startSession(ctx, tx, person, sessionRow{Groups: as.Groups}, as.Renew, before)
	})
}

// sessionCheck is how often a provider is asked whether a session's person may still sign in: one that it shut out is
// out within five minutes.
const sessionCheck = 4 * time.Minute

// DueCheck takes the turn to ask the provider about a session, and gives what to ask with; "" when it is not due,
// another request has the turn, or the provider gave nothing to ask with.
func (db *DB) DueCheck(ctx context.Context, id dossier.SessionID) (string, error) {
	return systemTx(ctx, db, "check session", func(tx *tx) (string, error) {
		var sealed []byte
		err := tx.QueryRow(ctx, `UPDATE sessions SET checked_at = $2
			WHERE id = $1 AND renewal IS NOT NULL AND revoked_at IS NULL AND checked_at <= $3 RETURNING renewal`,
			id, tx.now, tx.now.Add(-sessionCheck)).Scan(&sealed)
		if dossier.KindOf(orMissing(err, "session")) == dossier.NotFound {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		plain, err := tx.cipher.OpenAt(renewalPlace(id), sealed)
		if err != nil { // sealed with a key that is gone: the provider cannot be asked any more
			tx.deferExec(`UPDATE sessions SET revoked_at = $2 WHERE id = $1`, id, tx.now)
			return "", nil
		}
		return string(plain), nil
	})
}

// KeepSession notes that the provider stands by a session: its person's groups, when it told them, and what to ask with
// next.
func (db *DB) KeepSession(ctx context.Context, id dossier.SessionID, groups []string, renew string) error {
	_, err := systemTx(ctx, db, "keep session", func(tx *tx) (none, error) {
		sealed, err := sealRenewal(tx, id, renew)
		if err != nil {
			return none{}, err
		}
		tx.deferExec(
			`UPDATE sessions SET renewal = $2, groups = coalesce($3, groups) WHERE id = $1`, id, sealed, groups)
		return none{}, nil
	})
	return err
}

// EndSession ends a session that the provider does not stand by.
func (db *DB) EndSession(ctx context.Context, id dossier.SessionID) error {
	_, err := systemTx(ctx, db, "end session", func(tx *tx) (none, error) {
		row, err := oneOf(ctx, tx, "session", pgx.RowToStructByName[sessionRow], `UPDATE sessions s SET revoked_at = $2
			WHERE s.id = $1 AND s.revoked_at IS NULL RETURNING `+sessionColumns, id, tx.now)
		if dossier.KindOf(err) == dossier.NotFound {
			return none{}, nil
		}
		if err == nil && row.Chosen != nil {
			tx.ws = *row.Chosen
			audit(ctx, tx, dossier.AuditSessionRevoke, sessionSubject(id), nil)
		}
		return none{}, err
	})
	return err
}
