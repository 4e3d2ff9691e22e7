-- +goose NO TRANSACTION
-- How often readings are right is counted of the documents that people corrected: few of all.

-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS documents_corrected;
CREATE INDEX CONCURRENTLY documents_corrected ON documents (workspace_id, id)
  WHERE corrections <> '[]' AND deleted_at IS NULL;
RESET lock_timeout;

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS documents_corrected;
RESET lock_timeout;
