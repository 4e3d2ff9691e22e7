-- The ledger and the outbox. The ledger says what is true of every job; the queue only carries it.

-- +goose Up
CREATE TABLE jobs (
  id               uuid PRIMARY KEY,
  workspace_id     uuid REFERENCES workspaces ON DELETE CASCADE, -- NULL: housekeeping, which belongs to no tenant
  kind             text NOT NULL,          -- noun.verb, never renamed
  lane             text NOT NULL,
  payload          jsonb NOT NULL,         -- ids only
  status           text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'RUNNING', 'RETRY', 'DONE', 'FAILED', 'CANCELLED')),
  attempt          int NOT NULL DEFAULT 0, -- started so far
  max_attempts     int NOT NULL,
  epoch            int NOT NULL DEFAULT 1, -- raised whenever the job is taken away from whoever may hold it
  run_at           timestamptz NOT NULL,
  lease_until      timestamptz,            -- while RUNNING
  worker           text,
  progress         smallint NOT NULL DEFAULT 0,
  error_class      text,
  error_message    text,
  result_ref       text,                   -- where the result is, as noun:id
  subject_id       uuid,                   -- what it works on (a document, a run): for cancelling with its noun
  unique_key       text,                   -- at most one unfinished job of a workspace with this key
  request_id       text,
  created_at       timestamptz NOT NULL,
  started_at       timestamptz,            -- first start
  finished_at      timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
-- Ids sort by their making, so lists page by the primary key; every index less makes each job three writes cheaper.
CREATE INDEX jobs_subject ON jobs (workspace_id, subject_id) WHERE subject_id IS NOT NULL AND status IN ('QUEUED', 'RUNNING', 'RETRY');
CREATE UNIQUE INDEX jobs_unique ON jobs (workspace_id, unique_key) WHERE unique_key IS NOT NULL AND status IN ('QUEUED', 'RUNNING', 'RETRY');
-- A tick of the schedule is staged once, by whichever process leads, even when it has long been done.
CREATE UNIQUE INDEX jobs_tick ON jobs (unique_key) WHERE workspace_id IS NULL;
-- The reaper's two questions, over unfinished rows only: neither grows with history.
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE status = 'RUNNING';
CREATE INDEX jobs_due ON jobs (lane, run_at, id) WHERE status IN ('QUEUED', 'RETRY');
CREATE INDEX jobs_failed ON jobs (finished_at DESC) WHERE status = 'FAILED';
CALL tenant_table('jobs');
CALL system_table('jobs', 'SELECT, INSERT, UPDATE, DELETE');

-- A row waits here from the commit of its job until it stands in the queue.
CREATE TABLE outbox (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid,
  job_id       uuid NOT NULL,
  epoch        int NOT NULL,
  kind         text NOT NULL,
  lane         text NOT NULL,
  payload      jsonb NOT NULL,
  run_at       timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
CALL tenant_table('outbox');
CALL system_table('outbox', 'SELECT, INSERT, DELETE, UPDATE');
GRANT USAGE ON SEQUENCE outbox_id_seq TO dossier_app, dossier_system;

-- +goose Down
DROP TABLE outbox, jobs;
