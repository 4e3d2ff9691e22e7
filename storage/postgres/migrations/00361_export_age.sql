-- The sweep forgets exports that are old enough, of whatever workspace; their files are then named by no row.

-- +goose Up
GRANT SELECT (ctid, finished_at), DELETE ON exports TO dossier_system;
CREATE INDEX exports_finished ON exports (finished_at);

-- +goose Down
DROP INDEX exports_finished;
REVOKE SELECT (ctid, finished_at), DELETE ON exports FROM dossier_system;
