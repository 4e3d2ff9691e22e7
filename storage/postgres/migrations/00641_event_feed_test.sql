-- +goose NO TRANSACTION
-- The feed of test keys, which may be a handful of events among millions.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS event_feed_test;
CREATE INDEX CONCURRENTLY event_feed_test ON event_feed (workspace_id, position) WHERE is_test;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS event_feed_test;
