-- The documents that a person says a file has; NULL: the machine finds them.

-- +goose Up
ALTER TABLE documents ADD COLUMN parts jsonb;

-- +goose Down
ALTER TABLE documents DROP COLUMN parts;
