-- +goose Up
-- Agents' turns have a lane of their own. Those that were staged for the message lane are done there.
INSERT INTO lanes (lane) VALUES ('agent');

-- +goose Down
UPDATE jobs SET lane = 'message' WHERE lane = 'agent';
DELETE FROM lane_shares WHERE lane = 'agent';
DELETE FROM lanes WHERE lane = 'agent';
