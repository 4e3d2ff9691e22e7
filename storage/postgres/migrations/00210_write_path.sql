-- What every write pays for. A foreign key to workspaces takes a share lock on one row that all writes of a tenant have in
-- common: on jobs and pipeline runs it cost more than their rows. That the workspace exists is known from the key that
-- was admitted, that it is the right one is held by row-level security, and workspaces are marked as deleted, never removed.

-- +goose Up
ALTER TABLE jobs DROP CONSTRAINT jobs_workspace_id_fkey;
ALTER TABLE pipeline_runs DROP CONSTRAINT pipeline_runs_workspace_id_fkey;
-- An entry of the timeline is inserted from the row of its lead, which that statement has locked.
ALTER TABLE action_logs DROP CONSTRAINT action_logs_workspace_id_lead_id_fkey;

-- +goose StatementBegin
-- absent says that something a statement needs is not there; the store turns it into NotFound of the noun.
CREATE FUNCTION absent(noun text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'DS404', MESSAGE = noun;
END $$;
-- +goose StatementEnd

-- A new row is compared with the workspace as it is; only a condition on stored rows needs the sub-select, which is
-- evaluated once for all of them and costs a plan node.
-- +goose StatementBegin
CREATE OR REPLACE PROCEDURE tenant_table(t regclass, workspace_column text DEFAULT 'workspace_id') LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
  EXECUTE format('CREATE POLICY tenant ON %s TO dossier_app USING (%I = (SELECT app_workspace())) WITH CHECK (%I = app_workspace())',
    t, workspace_column, workspace_column);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO dossier_app', t);
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
DECLARE
  p record;
BEGIN
  FOR p IN SELECT tablename, CASE tablename WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END AS owner
           FROM pg_policies WHERE schemaname = current_schema AND policyname = 'tenant' LOOP
    EXECUTE format('ALTER POLICY tenant ON %I WITH CHECK (%I = app_workspace())', p.tablename, p.owner);
  END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION absent;
ALTER TABLE jobs ADD FOREIGN KEY (workspace_id) REFERENCES workspaces ON DELETE CASCADE;
ALTER TABLE pipeline_runs ADD FOREIGN KEY (workspace_id) REFERENCES workspaces ON DELETE CASCADE;
ALTER TABLE action_logs ADD FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE;
