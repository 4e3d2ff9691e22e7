-- How many erasures are overdue is found without reading all there ever were.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS erasures_due;
CREATE INDEX CONCURRENTLY erasures_due ON erasures (workspace_id, due_at) WHERE status IN ('SCHEDULED', 'RUNNING');

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS erasures_due;
