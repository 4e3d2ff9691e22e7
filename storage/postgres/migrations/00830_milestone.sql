-- When the database was last backed up, restored, and restored for practice. How often it was restored is the epoch of
-- the events' feed: a reader that sees another one knows that time went back.

-- +goose Up
CREATE TABLE milestones (
  name text PRIMARY KEY CHECK (name IN ('backup', 'restore', 'drill')),
  at timestamptz NOT NULL,
  times bigint NOT NULL DEFAULT 1 CHECK (times > 0)
);
ALTER TABLE milestones ENABLE ROW LEVEL SECURITY;
ALTER TABLE milestones FORCE ROW LEVEL SECURITY;
CREATE POLICY feed ON milestones FOR SELECT TO dossier_app USING (name = 'restore');
GRANT SELECT ON milestones TO dossier_app;
CALL system_table('milestones', 'SELECT, INSERT, UPDATE');

-- +goose Down
DROP TABLE milestones;
