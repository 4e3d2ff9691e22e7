-- Calls with a workspace's keys, for whoever looks for one that failed: a week of them, without bodies. Nothing refers to it
-- and nothing waits for it.

-- +goose Up
CREATE TABLE request_log (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL,           -- UUIDv7: its order is that of time
  request_id      text NOT NULL,           -- X-Request-Id of the answer; not unique
  at              timestamptz NOT NULL,
  method          text NOT NULL,
  route           text NOT NULL,           -- the path as in the route table
  path            text NOT NULL,           -- without the query, tokens as ***
  status          int NOT NULL,
  duration_ms     bigint NOT NULL,
  key_id          uuid NOT NULL,
  is_test         boolean NOT NULL,
  idempotency_key text,
  problem_code    text,
  problem_detail  text,
  address         text NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX request_log_age ON request_log (at);
CALL tenant_table('request_log');
CALL system_table('request_log', 'INSERT, DELETE, SELECT (ctid, at)');

-- +goose Down
DROP TABLE request_log;
