-- +goose Up
ALTER TABLE documents ADD COLUMN upload_id text; -- of a direct upload in parts, as object storage calls it

-- +goose Down
ALTER TABLE documents DROP COLUMN upload_id;
