-- +goose Up
CREATE TABLE workspaces (
  id             uuid PRIMARY KEY,
  key            text NOT NULL UNIQUE,        -- the identity in the workspace file
  name           text NOT NULL,
  default_region text NOT NULL DEFAULT 'US',  -- ISO 3166 alpha-2, for phone numbers without a country
  timezone       text NOT NULL DEFAULT 'UTC', -- IANA, for leads without one
  quiet_from     text NOT NULL DEFAULT '21:00',
  quiet_to       text NOT NULL DEFAULT '08:00',
  portal         jsonb NOT NULL DEFAULT '{}', -- linkDays, name, color
  channels       jsonb NOT NULL DEFAULT '{}', -- by channel: provider and its settings; secrets only as names of variables
  pipelines      jsonb NOT NULL DEFAULT '[]', -- chains: [{id, steps}]
  inbound_token  text NOT NULL UNIQUE,        -- of /inbound/{channel}/{token}
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  deleted_at     timestamptz
);
CALL tenant_table('workspaces', 'id');
CALL system_table('workspaces', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE api_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  name         text NOT NULL,
  prefix       text NOT NULL UNIQUE,   -- dsr_live_<public id>: what a key is looked up by
  secret_hash  bytea NOT NULL,         -- SHA-256 of the whole key
  scopes       text[] NOT NULL,
  is_test      boolean NOT NULL DEFAULT false,
  expires_at   timestamptz,
  last_used_at timestamptz,
  created_at   timestamptz NOT NULL,
  revoked_at   timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX api_keys_page ON api_keys (workspace_id, created_at DESC, id DESC);
CALL tenant_table('api_keys');
CALL system_table('api_keys', 'SELECT, INSERT, UPDATE');

CREATE TABLE audit_entries (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  actor        text NOT NULL,          -- key:<id>, operator, or the x-actor of the call
  action       text NOT NULL,          -- noun.verb
  subject      text NOT NULL,          -- what it was done to, as noun:id
  detail       jsonb NOT NULL DEFAULT '{}',
  request_id   text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_entries_page ON audit_entries (workspace_id, created_at DESC, id DESC);
CALL tenant_table('audit_entries');
CALL system_table('audit_entries', 'SELECT, INSERT');

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  method       text NOT NULL,
  path         text NOT NULL,
  key          text NOT NULL,
  body_hash    bytea NOT NULL,         -- SHA-256; empty while an upload is still arriving
  effects      bytea,                  -- results of the transactions committed under this key, encrypted; see idempotency.go
  status       int,                    -- NULL while the first call is running
  headers      jsonb,
  body         bytea,                  -- encrypted: an answer can show a secret once
  owner        uuid NOT NULL,          -- of the call that runs it
  locked_until timestamptz NOT NULL,   -- a call that died before its answer gives the key back then
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, method, path, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
CALL tenant_table('idempotency_keys');
CALL system_table('idempotency_keys', 'SELECT, DELETE');

-- +goose Down
DROP TABLE idempotency_keys, audit_entries, api_keys, workspaces;
