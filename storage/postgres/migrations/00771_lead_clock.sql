-- A test lead's own time may be ahead of everybody's. What is to happen to it is then due that much earlier, and jobs carry
-- how far ahead their lead was, so that what they do happens at the lead's time.

-- +goose Up
ALTER TABLE leads ADD COLUMN clock_ahead bigint NOT NULL DEFAULT 0; -- microseconds
ALTER TABLE jobs ADD COLUMN ahead bigint NOT NULL DEFAULT 0;        -- microseconds

-- +goose Down
ALTER TABLE jobs DROP COLUMN ahead;
ALTER TABLE leads DROP COLUMN clock_ahead;
