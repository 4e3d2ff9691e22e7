-- +goose Up
-- Whether whoever asked for a spread named its currency: one that names none takes its statements' own, else the workspace's.
ALTER TABLE spreads ADD COLUMN currency_named boolean NOT NULL DEFAULT true;
ALTER TABLE workspaces ADD COLUMN spreads jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE workspaces DROP COLUMN spreads;
ALTER TABLE spreads DROP COLUMN currency_named;
