-- +goose Up
CREATE TABLE agents (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  key          text NOT NULL,
  name         text NOT NULL,
  mode         text NOT NULL CHECK (mode IN ('AUTOPILOT', 'LISTEN')),
  channels     text[] NOT NULL,
  settings     jsonb NOT NULL DEFAULT '{}',
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  archived_at  timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, key)
);
CALL tenant_table('agents');

CREATE TABLE workflows (
  workspace_id      uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id                uuid NOT NULL,
  key               text NOT NULL,
  name              text NOT NULL,
  type              text NOT NULL CHECK (type IN ('CHECKLIST', 'REMINDER', 'SUPPORT')),
  manual_completion boolean NOT NULL DEFAULT true,
  completes_lead    boolean NOT NULL DEFAULT false,
  schedule          jsonb,
  follow_ups        jsonb,
  message           text,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  archived_at       timestamptz,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, key)
);
CALL tenant_table('workflows');

CREATE TABLE workflow_runs (
  workspace_id     uuid NOT NULL,
  id               uuid NOT NULL,
  lead_id          uuid NOT NULL,
  agent_id         uuid NOT NULL,
  workflow_id      uuid NOT NULL,
  workflow_type    text NOT NULL,
  external_id      text,
  status           text NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELLED')),
  completed_reason text CHECK (completed_reason IN ('MANUAL', 'AUTOMATIC')),
  sent_count       int NOT NULL DEFAULT 0,  -- follow-ups or reminders sent, against their cap
  state            jsonb NOT NULL DEFAULT '{}',
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  paused_at        timestamptz,
  completed_at     timestamptz,
  cancelled_at     timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id),
  FOREIGN KEY (workspace_id, workflow_id) REFERENCES workflows (workspace_id, id)
);
CREATE INDEX workflow_runs_lead ON workflow_runs (workspace_id, lead_id, created_at DESC, id DESC);
-- The two rules of api.md (Limits) that two callers at once must not break.
CREATE UNIQUE INDEX workflow_runs_open_agent ON workflow_runs (workspace_id, lead_id, agent_id) WHERE status IN ('ACTIVE', 'PAUSED');
CREATE UNIQUE INDEX workflow_runs_open_checklist ON workflow_runs (workspace_id, lead_id) WHERE status IN ('ACTIVE', 'PAUSED') AND workflow_type = 'CHECKLIST';
CALL tenant_table('workflow_runs');

CREATE TABLE messages (
  workspace_id        uuid NOT NULL,
  id                  uuid NOT NULL,
  lead_id             uuid,            -- NULL: from a sender nobody knows
  workflow_run_id     uuid,
  agent_id            uuid,
  direction           text NOT NULL CHECK (direction IN ('INBOUND', 'OUTBOUND')),
  channel             text NOT NULL CHECK (channel IN ('email', 'sms', 'whatsapp')),
  status              text NOT NULL CHECK (status IN ('DRAFT', 'QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'REJECTED', 'RECEIVED')),
  from_address        text,
  to_address          text,
  subject             text,
  body                text NOT NULL,
  original_body       text,            -- of an edited draft
  error_code          text,
  error_detail        text,
  provider_message_id text,
  in_reply_to         text,
  document_ids        uuid[] NOT NULL DEFAULT '{}',
  scheduled_at        timestamptz,
  sent_at             timestamptz,
  delivered_at        timestamptz,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX messages_page ON messages (workspace_id, lead_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX messages_provider ON messages (workspace_id, channel, direction, provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX messages_run ON messages (workspace_id, workflow_run_id) WHERE status IN ('DRAFT', 'QUEUED');
CALL tenant_table('messages');

-- +goose Down
DROP TABLE messages, workflow_runs, workflows, agents;
