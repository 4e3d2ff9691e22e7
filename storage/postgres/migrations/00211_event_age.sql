-- What is asked by age alone is asked by the sweep, once in a while, of tables that grow in the order of time: ranges of
-- blocks tell it as much as an entry a row, which every delivery paid for three times and once more at its end.

-- +goose Up
DROP INDEX events_age, event_feed_age, deliveries_age;
CREATE INDEX events_age ON events USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX event_feed_age ON event_feed USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX deliveries_age ON deliveries USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

-- +goose Down
DROP INDEX events_age, event_feed_age, deliveries_age;
CREATE INDEX events_age ON events (created_at);
CREATE INDEX event_feed_age ON event_feed (created_at);
CREATE INDEX deliveries_age ON deliveries (created_at);
