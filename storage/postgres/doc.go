// Package postgres is the one place with SQL. An exported method of DB is one transaction (or one query); it takes
// the workspace first, after the context, and every statement names it. Row-level security is the second wall: the
// workspace is set on the transaction in the round trip that opens it. Errors are *dossier.Error where a caller can
// do something about them. No HTTP, no queue: work that follows is staged as rows in the same commit.
//
// A file is a noun, or a noun and what is done with it. Files with a prefix are machinery below the nouns:
//
//   - session_: a connection at work (roundtrip), a transaction as one workspace (tx), reading and writing many rows
//
// (read, write), group commit (batch, group). Beside them db.go opens connections, errors.go says what an error of the
//
//	  database means, crypt.go keeps secrets at rest.
//	- queue_: the ledger of jobs and its claims, the outbox and the relay that carries it, fair admission and lanes,
//	  endings of jobs that fail for good, the leader, the reaper, and what operators do with jobs.
//
// - webhook_: events become deliveries (dispatch), deliveries and their attempts, replays. webhook.go is the endpoint.
//   - report_: what analytics count and say of leads.
package postgres
