-- The sweep of orphaned objects asks which keys are named by a row, of whatever workspace, and may see nothing else.

-- +goose Up
CALL system_table('documents', 'SELECT (object_key, tokens_key, thumbnail_key)');
CALL system_table('artifacts', 'SELECT (object_key)');
CALL system_table('exports', 'SELECT (object_key)');
CREATE INDEX documents_object ON documents (object_key);
CREATE INDEX documents_tokens ON documents (tokens_key) WHERE tokens_key IS NOT NULL;
CREATE INDEX documents_thumbnail ON documents (thumbnail_key) WHERE thumbnail_key IS NOT NULL;
CREATE INDEX artifacts_object ON artifacts (object_key);
CREATE INDEX exports_object ON exports (object_key) WHERE object_key IS NOT NULL;

-- +goose Down
DROP INDEX documents_object, documents_tokens, documents_thumbnail, artifacts_object, exports_object;
DROP POLICY system ON documents;
DROP POLICY system ON artifacts;
DROP POLICY system ON exports;
REVOKE ALL ON documents, artifacts, exports FROM dossier_system;
