-- Whether an event concerns a test lead, or what a test key made: its body says so as livemode.

-- +goose Up
ALTER TABLE events ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE event_inbox ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE event_feed ADD COLUMN is_test boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE event_feed DROP COLUMN is_test;
ALTER TABLE event_inbox DROP COLUMN is_test;
ALTER TABLE events DROP COLUMN is_test;
