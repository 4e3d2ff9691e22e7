-- The timeline: API activity, uploads, messages, automatic changes.

-- +goose Up
CREATE TABLE action_logs (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL,
  lead_id         uuid NOT NULL,
  workflow_run_id uuid,
  agent_id        uuid,
  message_id      uuid,
  type            text NOT NULL,        -- API_ACTIVITY, ACTIVITY, DOCUMENT_UPLOAD, OUTBOUND_MESSAGE, FOLLOW_UP_MESSAGE, ...
  status          text NOT NULL,        -- PENDING, COMPLETED, FAILED, CANCELLED
  summary         text NOT NULL,
  input           jsonb NOT NULL DEFAULT '{}',
  tool_calls      jsonb NOT NULL DEFAULT '[]', -- [{name, input, output}]
  document_ids    uuid[] NOT NULL DEFAULT '{}',
  actor           text,                 -- x-actor, when a person did it
  scheduled_at    timestamptz,
  created_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX action_logs_page ON action_logs (workspace_id, lead_id, created_at DESC, id DESC);
CREATE INDEX action_logs_pending ON action_logs (workspace_id, lead_id, scheduled_at) WHERE status = 'PENDING';
CALL tenant_table('action_logs');

-- A person's interventions, counted by analytics: documentOverrides, escalations, manualUpdates, messageEdits, messageRejects.
CREATE TABLE interventions (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  lead_id      uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('documentOverrides', 'escalations', 'manualUpdates', 'messageEdits', 'messageRejects')),
  actor        text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX interventions_lead ON interventions (workspace_id, lead_id, kind);
CALL tenant_table('interventions');

-- +goose Down
DROP TABLE interventions, action_logs;
