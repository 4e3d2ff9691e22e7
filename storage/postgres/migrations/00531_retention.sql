-- How long a workspace keeps what it has, and the day of a decision, from which the law counts. A message that went by its age
-- stays as a row without words: analytics go on counting it.

-- +goose Up
ALTER TABLE workspaces ADD COLUMN retention jsonb NOT NULL DEFAULT '{}';
ALTER TABLE leads ADD COLUMN decision_at timestamptz;
ALTER TABLE messages ADD COLUMN erased_at timestamptz;
CALL system_table('holds', 'SELECT');

-- +goose Down
REVOKE SELECT ON holds FROM dossier_system;
DROP POLICY system ON holds;
ALTER TABLE messages DROP COLUMN erased_at;
ALTER TABLE leads DROP COLUMN decision_at;
ALTER TABLE workspaces DROP COLUMN retention;
