-- Items that a person took a document away from: the matcher does not give it to them again.

-- +goose Up
ALTER TABLE documents ADD COLUMN refused_entries uuid[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE documents DROP COLUMN refused_entries;
