// Package postgres is the one place with SQL. An exported method of DB is one transaction (or one query); it takes
// the workspace first, after the context, and every statement names it. Row-level security is the second wall: the
// workspace is set on the transaction in the round trip that opens it. Errors are *dossier.Error where a caller can
// do something about them. No HTTP, no queue: work that follows is staged as rows in the same commit.
//
// A file is named after a noun, or a noun and what is done with it. Files with a prefix are machinery below the nouns:
//
//   - session_: statements in few round trips (roundtrip), a transaction as one workspace (tx), reading and writing
//     many rows (read, write), group commit (batch, group). Beside them db.go opens connections, pool.go sets roles,
//     errors.go translates database errors, crypt.go encrypts secrets at rest.
//   - queue_: the ledger of jobs and its claims, the outbox and the relay, fair admission and lanes, what happens to a
//     noun when its job fails for good (endings), leader election, the reaper, and what operators do with jobs.
//   - webhook_: turning events into deliveries (dispatch), deliveries and their attempts, replays. webhook.go is the
//     endpoint itself.
//   - report_: the counts and summary rows of analytics.
package postgres
