-- What operators count over all tenants (inspect_figures.go): no more than the counted columns can be read.

-- +goose Up
CALL system_table('erasures', 'SELECT (status, due_at)');
CALL system_table('checklist_entries', 'SELECT (workspace_id, lead_id, status, updated_at)');
CALL system_table('leads', 'SELECT (workspace_id, id, deleted_at)');
GRANT SELECT ON goose_db_version TO dossier_system;

-- +goose Down
REVOKE SELECT ON goose_db_version FROM dossier_system;
REVOKE SELECT (workspace_id, id, deleted_at) ON leads FROM dossier_system;
DROP POLICY system ON leads;
REVOKE SELECT (workspace_id, lead_id, status, updated_at) ON checklist_entries FROM dossier_system;
DROP POLICY system ON checklist_entries;
REVOKE SELECT (status, due_at) ON erasures FROM dossier_system;
DROP POLICY system ON erasures;
