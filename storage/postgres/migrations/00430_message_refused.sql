-- +goose Up
ALTER TABLE messages ADD COLUMN refused jsonb; -- files of an inbound message that cannot be used: [{name, why}]

-- +goose Down
ALTER TABLE messages DROP COLUMN refused;
