-- Whoever polls an import reads its first refused rows, not all rows that it has settled.

-- +goose NO TRANSACTION
-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_refused;
CREATE INDEX CONCURRENTLY import_rows_refused ON import_rows (workspace_id, import_id, row) WHERE outcome = 'refused';
RESET lock_timeout;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS import_rows_refused;
