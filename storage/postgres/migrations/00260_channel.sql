-- +goose Up
ALTER TABLE messages
  ADD COLUMN approved_test boolean NOT NULL DEFAULT false, -- approved with a test key: it goes nowhere
  ADD COLUMN template text[],                              -- values of the approved WhatsApp template it is worded by
  ADD COLUMN media jsonb;                                  -- files of an inbound message that the provider still keeps: [{url, contentType}]
ALTER TABLE workspaces ADD COLUMN language text NOT NULL DEFAULT 'en';
CREATE INDEX messages_inbox ON messages (workspace_id, created_at DESC, id DESC) WHERE lead_id IS NULL AND direction = 'INBOUND';
CREATE INDEX messages_thread ON messages (workspace_id, lead_id, created_at) WHERE channel = 'email' AND provider_message_id IS NOT NULL;

-- +goose Down
DROP INDEX messages_thread, messages_inbox;
ALTER TABLE workspaces DROP COLUMN language;
ALTER TABLE messages DROP COLUMN approved_test, DROP COLUMN template, DROP COLUMN media;
