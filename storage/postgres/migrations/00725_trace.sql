-- The trace that a job or an event belongs to (W3C traceparent), so that it goes on after a retry, a killed worker and a
-- wiped Redis. NULL: nobody traces.

-- +goose Up
ALTER TABLE jobs ADD COLUMN trace text;
ALTER TABLE outbox ADD COLUMN trace text;
ALTER TABLE events ADD COLUMN trace text;

-- +goose Down
ALTER TABLE events DROP COLUMN trace;
ALTER TABLE outbox DROP COLUMN trace;
ALTER TABLE jobs DROP COLUMN trace;
