-- +goose Up
CREATE TABLE leads (
  workspace_id         uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id                   uuid NOT NULL,
  first_name           text,
  middle_name          text,
  last_name            text,
  business_name        text,
  email                text,
  email_verified_at    timestamptz,
  phone_number         text,                -- E.164 when it parsed, else as given
  phone_verified_at    timestamptz,
  timezone             text,
  timezone_inferred    boolean NOT NULL DEFAULT false,
  website              text,
  external_lead_id     text,
  external_portal_link text,
  source               text NOT NULL DEFAULT 'api',
  tags                 text[] NOT NULL DEFAULT '{}', -- as given, sorted
  tags_folded          text[] NOT NULL DEFAULT '{}', -- for matching
  assignee_type        text NOT NULL DEFAULT 'AI_AGENT' CHECK (assignee_type IN ('AI_AGENT', 'HUMAN_AGENT')),
  is_test              boolean NOT NULL DEFAULT false,
  closing_status       text CHECK (closing_status IN ('COMPLETED', 'NOT_INTERESTED', 'OPTED_OUT')), -- set last and still standing
  did_opt_out          boolean NOT NULL DEFAULT false,
  opt_out_at           timestamptz,
  not_interested_at    timestamptz,
  completed_at         timestamptz,
  open_escalations     int NOT NULL DEFAULT 0,
  activity_summary     text,
  version              bigint NOT NULL DEFAULT 1, -- counts changes: the ETag
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  deleted_at           timestamptz,
  search               text NOT NULL GENERATED ALWAYS AS (lower(
    coalesce(first_name, '') || ' ' || coalesce(middle_name, '') || ' ' || coalesce(last_name, '') || ' ' ||
    coalesce(business_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, '') || ' ' || coalesce(external_lead_id, ''))) STORED,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX leads_external_id ON leads (workspace_id, external_lead_id) WHERE external_lead_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX leads_page ON leads (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX leads_updated ON leads (workspace_id, updated_at DESC) WHERE deleted_at IS NULL;
CREATE INDEX leads_email ON leads (workspace_id, lower(email)) WHERE email IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX leads_phone ON leads (workspace_id, phone_number) WHERE phone_number IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX leads_tags ON leads USING gin (tags_folded) WHERE deleted_at IS NULL;
CREATE INDEX leads_search ON leads USING gin (search gin_trgm_ops) WHERE deleted_at IS NULL;
CALL tenant_table('leads');

CREATE TABLE escalations (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL,
  lead_id         uuid NOT NULL,
  workflow_run_id uuid,
  reason          text NOT NULL,
  detail          text,
  status          text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'RESOLVED')),
  created_at      timestamptz NOT NULL,
  resolved_at     timestamptz,
  resolved_by     text,
  note            text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX escalations_page ON escalations (workspace_id, created_at DESC, id DESC);
CREATE INDEX escalations_lead ON escalations (workspace_id, lead_id, status);
CALL tenant_table('escalations');

CREATE TABLE portal_links (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  lead_id      uuid NOT NULL,
  token_hash   bytea NOT NULL UNIQUE,  -- SHA-256
  token        bytea NOT NULL,         -- encrypted, for reuse in messages
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  revoked_at   timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX portal_links_live ON portal_links (workspace_id, lead_id) WHERE revoked_at IS NULL;
CALL tenant_table('portal_links');
CALL system_table('portal_links', 'SELECT');

-- +goose Down
DROP TABLE portal_links, escalations, leads;
