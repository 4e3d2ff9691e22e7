-- +goose NO TRANSACTION
-- Requests go at their age by their ids, which are in the order of time: an index that only the sweep asks is paid for
-- by every call.

-- +goose Up
GRANT SELECT (workspace_id, id) ON request_log TO dossier_system;
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS request_log_age;
RESET lock_timeout;

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY request_log_age ON request_log (at);
RESET lock_timeout;
REVOKE SELECT (workspace_id, id) ON request_log FROM dossier_system;
