-- The sweep forgets files that were announced and never arrived, of whatever workspace. It can delete nothing else.

-- +goose Up
GRANT SELECT (workspace_id, id, sha256, uploaded_at, updated_at), DELETE ON documents TO dossier_system;
CREATE POLICY announced ON documents AS RESTRICTIVE FOR DELETE TO dossier_system USING (uploaded_at IS NULL);
CREATE INDEX documents_announced ON documents (updated_at) WHERE sha256 IS NULL; -- by what tenants' queries do not ask for

-- +goose Down
DROP INDEX documents_announced;
DROP POLICY announced ON documents;
REVOKE DELETE ON documents FROM dossier_system;
REVOKE SELECT (workspace_id, id, sha256, uploaded_at, updated_at) ON documents FROM dossier_system;
