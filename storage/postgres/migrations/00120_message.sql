-- +goose Up
ALTER TABLE messages
  ADD COLUMN purpose    text NOT NULL DEFAULT 'outreach' CHECK (purpose IN ('outreach', 'reply', 'confirmation')),
  ADD COLUMN sending_at timestamptz; -- a provider was about to be called: if nothing else is known, it may have been
CREATE INDEX messages_address ON messages (workspace_id, channel, to_address, created_at DESC) WHERE direction = 'OUTBOUND';
CREATE INDEX action_logs_run ON action_logs (workspace_id, workflow_run_id) WHERE status = 'PENDING' AND workflow_run_id IS NOT NULL;

-- +goose Down
DROP INDEX action_logs_run, messages_address;
ALTER TABLE messages DROP COLUMN purpose, DROP COLUMN sending_at;
