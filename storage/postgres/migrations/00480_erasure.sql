-- Erasures: what is to go and, when it is gone, all that stays of it. Holds keep a lead from it.

-- +goose Up
ALTER TABLE workspaces ADD COLUMN erasure_key bytea; -- Ed25519 seed that signs certificates, sealed; made with the first one

CREATE TABLE erasures (
  workspace_id uuid NOT NULL,           -- outlives its workspace
  id           uuid NOT NULL,
  subject      text NOT NULL,           -- lead
  subject_id   uuid NOT NULL,
  lead_id      uuid NOT NULL,
  is_test      boolean NOT NULL DEFAULT false,
  status       text NOT NULL CHECK (status IN ('SCHEDULED', 'RUNNING', 'HELD', 'COMPLETE', 'CANCELLED')),
  reason       text NOT NULL,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  due_at       timestamptz NOT NULL,
  started_at   timestamptz,
  completed_at timestamptz,
  row_count    int NOT NULL DEFAULT 0,
  object_count int NOT NULL DEFAULT 0,
  objects      text[] NOT NULL DEFAULT '{}', -- keys that are being deleted; empty when they are
  certificate  text,                    -- the exact JSON that was signed, with its signature
  public_key   bytea,                   -- that it is checked with
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX erasures_open ON erasures (workspace_id, subject_id) WHERE status IN ('SCHEDULED', 'RUNNING', 'HELD');
CREATE INDEX erasures_page ON erasures (workspace_id, requested_at DESC, id DESC);
CREATE INDEX erasures_lead ON erasures (workspace_id, lead_id);
CALL tenant_table('erasures');

CREATE TABLE holds (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  lead_id      uuid NOT NULL,
  reason       text NOT NULL,
  created_by   text NOT NULL,
  created_at   timestamptz NOT NULL,
  released_at  timestamptz,
  released_by  text,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX holds_lead ON holds (workspace_id, lead_id);
CALL tenant_table('holds');

-- +goose Down
DROP TABLE holds, erasures;
ALTER TABLE workspaces DROP COLUMN erasure_key;
