-- +goose Up
CREATE TABLE pipeline_runs (
  workspace_id  uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id            uuid NOT NULL,          -- the jobId of a poll
  pipeline_id   text NOT NULL,
  parameters    jsonb NOT NULL,
  webhook_id    uuid,                   -- gets the outcome once
  status        text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETE', 'ERROR', 'CANCELLED')),
  progress      smallint NOT NULL DEFAULT 0,
  attempts      int NOT NULL DEFAULT 0,
  step          int NOT NULL DEFAULT 0, -- of a chain: the step that runs
  steps         jsonb NOT NULL DEFAULT '[]',
  result        jsonb,
  error_code    text,
  error_message text,
  awaits_document uuid,                 -- the step waits until this document is read
  created_at    timestamptz NOT NULL,
  started_at    timestamptz,            -- first start: timeElapsed counts from here
  finished_at   timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX pipeline_runs_page ON pipeline_runs (workspace_id, pipeline_id, created_at DESC, id DESC);
CREATE INDEX pipeline_runs_awaiting ON pipeline_runs (workspace_id, awaits_document) WHERE awaits_document IS NOT NULL;
CALL tenant_table('pipeline_runs');

CREATE TABLE exports (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  pipeline_run_id uuid NOT NULL,
  start_at     timestamptz,
  end_at       timestamptz,
  object_key   text,                    -- set when the whole file is there
  rows         bigint,
  created_at   timestamptz NOT NULL,
  finished_at  timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CALL tenant_table('exports');

-- +goose Down
DROP TABLE exports, pipeline_runs;
