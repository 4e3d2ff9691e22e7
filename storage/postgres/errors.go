package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// conflicts says what a violated constraint means to a caller. The rule is the constraint; nothing checks first.
var conflicts = map[string]*dossier.Error{
	"workflow_runs_open_agent": dossier.Coded(dossier.Conflict, "agent_already_linked",
		"Agent is already linked to this lead"),
	"workflow_runs_open_checklist": dossier.Coded(dossier.Conflict, "checklist_already_collected",
		"Another workflow run already collects this lead's checklist"),
	"leads_external_id_mode": dossier.Coded(dossier.Conflict, "duplicate_external_id",
		"Another lead of this workspace has this externalLeadId"),
	"spreads_second_person": secondPerson, "reviews_second_person": secondPerson, "reviews_second_claim": secondPerson,
	"erasures_second_person": secondPerson,
	"jobs_unique": dossier.Coded(dossier.Conflict, "job_already_queued",
		"Another unfinished job does the same work"),
	"checklist_entries_code": dossier.Coded(dossier.Conflict, "duplicate_code",
		"This lead's checklist already has an item with this code"),
}

var secondPerson = dossier.Coded(dossier.Conflict, "second_person_needed",
	"Another person than who asked for this must agree, signed in as itself")

// codeAbsent is what the function absent raises, with the noun as its message.
const codeAbsent = "DS404"

// codeLockTimeout is lock_not_available: lock_timeout has passed.
const codeLockTimeout = "55P03"

// codeDeadlock is deadlock_detected: the transaction was taken back whole.
const codeDeadlock = "40P01"

// missing is the NotFound error of a noun: "spread" gives spread_not_found.
func missing(noun string) *dossier.Error {
	return dossier.Coded(dossier.NotFound, strings.ReplaceAll(noun, " ", "_")+"_not_found",
		"No %s with this id in the workspace", noun)
}

// orMissing turns pgx.ErrNoRows into NotFound of a noun.
func orMissing(err error, noun string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return missing(noun)
	}
	return err
}

// translate gives an error its kind at the room's door. Errors that already have one pass; the rest is
// wrapped with the operation's name and stays Internal unless the database is away.
func translate(op string, err error) error {
	var known *dossier.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		if conflict, ok := conflicts[pg.ConstraintName]; ok {
			return conflict
		}
		if pg.Code == codeAbsent && pg.Message == "claim" {
			return ErrFenced
		}
		if pg.Code == codeAbsent {
			return missing(pg.Message)
		}
		if pg.Code == codeLockTimeout {
			return &dossier.Error{Kind: dossier.Unavailable, Code: "unavailable",
				Message: "Somebody else is changing this right now; try again shortly",
				Cause:   fmt.Errorf("%s: %w", op, err)}
		}
		if strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") || strings.HasPrefix(pg.Code, "57") ||
			pg.Code == "25006" {
			return unavailable(op, err)
		}
		return fmt.Errorf("%s: %w", op, err)
	}
	var netErr net.Error
	var connectErr *pgconn.ConnectError
	if errors.As(err, &connectErr) || errors.As(err, &netErr) || errors.Is(err, context.DeadlineExceeded) ||
		pgconn.SafeToRetry(err) ||
		strings.Contains(err.Error(), "conn closed") || strings.Contains(err.Error(), "unexpected EOF") {
		return unavailable(op, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// unavailable keeps the cause for the log and gives the caller no detail.
func unavailable(op string, err error) error {
	return &dossier.Error{Kind: dossier.Unavailable, Code: "unavailable",
		Message: "The database is not available; try again shortly", Cause: fmt.Errorf("%s: %w", op, err)}
}
