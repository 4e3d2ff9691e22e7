-- A token for each channel by which providers hand messages over: hashed to be found, sealed to be shown. Those of before, one
-- for all channels of a workspace in the clear, go on working; the service seals them when it starts.

-- +goose Up
CREATE TABLE inbound_tokens (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  channel      text NOT NULL,
  token_hash   bytea NOT NULL,          -- SHA-256
  token_sealed bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  ends_at      timestamptz,             -- of one that was replaced
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX inbound_tokens_hash ON inbound_tokens (token_hash, channel);
CREATE UNIQUE INDEX inbound_tokens_current ON inbound_tokens (workspace_id, channel) WHERE ends_at IS NULL;
CALL tenant_table('inbound_tokens');
CALL system_table('inbound_tokens', 'SELECT');
ALTER TABLE workspaces ALTER COLUMN inbound_token DROP NOT NULL; -- NULL: its tokens are in inbound_tokens
ALTER TABLE messages ADD COLUMN authenticated boolean;           -- that the sender is who it says, by the word of the gateway; NULL for outbound

-- +goose Down
ALTER TABLE messages DROP COLUMN authenticated;
UPDATE workspaces SET inbound_token = id::text WHERE inbound_token IS NULL;
ALTER TABLE workspaces ALTER COLUMN inbound_token SET NOT NULL;
DROP TABLE inbound_tokens;
