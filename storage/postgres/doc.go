// Package postgres is the one place with SQL. An exported method of DB is one transaction (or one query); it takes
// the workspace first, after the context, and every statement names it. Row-level security is the second wall: the
// workspace is set on the transaction in the round trip that opens it. Errors are *dossier.Error where a caller can
// do something about them. No HTTP, no queue: work that follows is staged as rows in the same commit.
//
// A file is a noun, or a noun and what is done with it. Below the nouns stands what all of them use: db.go opens
// connections, roundtrip.go is a connection at work, tx.go a transaction as one workspace, errors.go what an error of
// the database means, crypt.go secrets at rest. The queue is ledger.go (claims), outbox.go and relay.go (what is
// staged, and how it gets to the courier), turn.go and lane.go (fair admission), endings.go, leader.go and reaper.go.
// Events become deliveries in dispatch.go; what analytics count is report.go and the files that begin with its name.
package postgres
