-- Tenants of a shared lane take turns. A job that is due stands in turn, under its epoch, until its lane admits it: then it
-- goes to the queue. Whatever raises the epoch undoes both, and so does the end of a job: nothing needs tidying up, and
-- what is in flight is counted, not booked.

-- +goose Up
ALTER TABLE jobs
  ADD COLUMN bulk boolean NOT NULL DEFAULT false, -- nobody waits for it: behind what somebody waits for
  ADD COLUMN in_turn int,                         -- the epoch under which it stands in turn
  ADD COLUMN admitted int,                        -- the epoch that was admitted
  ADD COLUMN admitted_at timestamptz;
-- Workspaces are found by leaping from one to the next, so a million jobs of one cost what a single one does.
CREATE INDEX jobs_turn ON jobs (lane, bulk, workspace_id, id) WHERE in_turn = epoch AND status = 'QUEUED';
CREATE INDEX jobs_turn_age ON jobs (lane, run_at) WHERE in_turn = epoch AND status = 'QUEUED';
CREATE INDEX jobs_admitted ON jobs (lane, workspace_id) WHERE admitted = epoch AND status IN ('QUEUED', 'RUNNING');
-- The reaper asks the queue about what should be there: not about what stands in turn.
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (lane, run_at, id) WHERE status IN ('QUEUED', 'RETRY') AND in_turn IS DISTINCT FROM epoch;

-- What operators decide about lanes. Its row is locked while a lane admits.
CREATE TABLE lanes (
  lane            text PRIMARY KEY,
  paused          boolean NOT NULL DEFAULT false,
  changed_at      timestamptz,        -- of paused; NULL: never changed
  changed_by      text,
  workspace_limit int CHECK (workspace_limit > 0), -- jobs of one workspace at once; NULL: no limit
  last_served     uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000', -- the next turn is of the workspace behind
  turns           bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON lanes TO dossier_system;
INSERT INTO lanes (lane) VALUES ('webhook'), ('webhook-retry'), ('document'), ('spread'), ('export'), ('pipeline'), ('message'), ('system');

-- What differs for one workspace.
CREATE TABLE lane_shares (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  lane         text NOT NULL REFERENCES lanes,
  weight       int NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100),
  at_once      int CHECK (at_once > 0), -- instead of the lane's workspace_limit; NULL: as the lane says
  PRIMARY KEY (workspace_id, lane)
);
CREATE INDEX lane_shares_lane ON lane_shares (lane);
CALL tenant_table('lane_shares');
CALL system_table('lane_shares', 'SELECT, INSERT, UPDATE, DELETE');

-- +goose Down
DROP TABLE lane_shares, lanes;
DROP INDEX jobs_turn, jobs_turn_age, jobs_admitted, jobs_due;
CREATE INDEX jobs_due ON jobs (lane, run_at, id) WHERE status IN ('QUEUED', 'RETRY');
ALTER TABLE jobs DROP COLUMN bulk, DROP COLUMN in_turn, DROP COLUMN admitted, DROP COLUMN admitted_at;
