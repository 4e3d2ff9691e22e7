-- +goose Up
-- Events that could not be dispatched, and the kind of error: they stand in nobody's way. Their bodies are in events. Putting
-- a row back into event_inbox, with type and lead_id of its event, dispatches it again.
CREATE TABLE event_aside (
  workspace_id    uuid NOT NULL,
  event_id        uuid NOT NULL,
  also_webhook_id uuid,
  error           text NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, event_id)
);
CALL tenant_table('event_aside');
CALL system_table('event_aside', 'SELECT, INSERT, DELETE');

-- +goose Down
DROP TABLE event_aside;
