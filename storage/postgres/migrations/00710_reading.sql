-- The second reader: what a workspace lets a language model do, and the lane in which models are asked.

-- +goose Up
ALTER TABLE workspaces ADD COLUMN reading jsonb NOT NULL DEFAULT '{}';
INSERT INTO lanes (lane) VALUES ('model');

-- +goose Down
ALTER TABLE workspaces DROP COLUMN reading;
UPDATE jobs SET lane = 'document' WHERE lane = 'model';
DELETE FROM lane_shares WHERE lane = 'model';
DELETE FROM lanes WHERE lane = 'model';
