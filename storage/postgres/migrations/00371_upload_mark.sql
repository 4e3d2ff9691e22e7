-- +goose Up
ALTER TABLE documents ADD COLUMN upload_mark text; -- of an announced file: when the sender last changed it, to know it again by

-- +goose Down
ALTER TABLE documents DROP COLUMN upload_mark;
