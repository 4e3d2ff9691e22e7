-- +goose Up
-- What the workspace file says of how much a workspace may make (dossier.Limits). Empty: the defaults.
ALTER TABLE workspaces ADD COLUMN limits jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE workspaces DROP COLUMN limits;
