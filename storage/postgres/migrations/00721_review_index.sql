-- How much waits for a person is found without reading all entries.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS checklist_entries_review;
CREATE INDEX CONCURRENTLY checklist_entries_review ON checklist_entries (workspace_id, lead_id) WHERE status = 'NEEDS_REVIEW';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS checklist_entries_review;
