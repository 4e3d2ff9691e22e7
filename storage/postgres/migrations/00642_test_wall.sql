-- Test keys work as dossier_test: all that dossier_app may, and one wall more. Whatever hangs on a lead is there for them
-- only when the lead is a test lead. Live keys' statements are planned as before: no policy of theirs has changed.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
  login name;
BEGIN
  PERFORM pg_advisory_xact_lock(4218001);
  BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_test') THEN
      CREATE ROLE dossier_test NOLOGIN INHERIT NOBYPASSRLS;
    END IF;
    IF NOT pg_has_role('dossier_test', 'dossier_app', 'MEMBER') THEN
      GRANT dossier_app TO dossier_test;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- roles belong to the cluster: another database was migrated at the same moment
  END;
  -- The logins of before, which may take dossier_app, may take it too.
  FOR login IN SELECT r.rolname FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member JOIN pg_roles g ON g.oid = m.roleid
      WHERE g.rolname = 'dossier_app' AND r.rolname <> 'dossier_test' AND NOT pg_has_role(r.rolname, 'dossier_test', 'MEMBER') LOOP
    EXECUTE format('GRANT dossier_test TO %I', login);
  END LOOP;
END $$;
-- +goose StatementEnd

ALTER TABLE webhooks ADD COLUMN mode text NOT NULL DEFAULT 'all' CHECK (mode IN ('live', 'test', 'all'));
ALTER TABLE pipeline_runs ADD COLUMN is_test boolean NOT NULL DEFAULT false; -- a test key started it

-- +goose StatementBegin
-- test_table keeps from test keys the rows of a table that are not of test leads. The condition says which are.
CREATE PROCEDURE test_table(t regclass, condition text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE POLICY test ON %s AS RESTRICTIVE TO dossier_test USING (%s)', t, condition);
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- test_wall is test_table for a table whose columns say what its rows hang on; any other table stays as it is.
CREATE PROCEDURE test_wall(t regclass) LANGUAGE plpgsql AS $$
DECLARE
  has text[] := ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = t AND attnum > 0 AND NOT attisdropped);
BEGIN
  CASE
  WHEN 'is_test' = ANY (has) THEN
    CALL test_table(t, 'is_test');
  WHEN 'lead_id' = ANY (has) THEN
    CALL test_table(t, format('EXISTS (SELECT FROM leads l WHERE l.workspace_id = %s.workspace_id AND l.id = %s.lead_id AND l.is_test)', t, t));
  WHEN 'document_id' = ANY (has) THEN
    CALL test_table(t, format('EXISTS (SELECT FROM documents d WHERE d.workspace_id = %s.workspace_id AND d.id = %s.document_id)', t, t));
  WHEN 'spread_id' = ANY (has) THEN
    CALL test_table(t, format('EXISTS (SELECT FROM spreads s WHERE s.workspace_id = %s.workspace_id AND s.id = %s.spread_id)', t, t));
  WHEN 'webhook_id' = ANY (has) THEN
    CALL test_table(t, format('EXISTS (SELECT FROM webhooks w WHERE w.workspace_id = %s.workspace_id AND w.id = %s.webhook_id)', t, t));
  WHEN 'delivery_id' = ANY (has) THEN
    CALL test_table(t, format('EXISTS (SELECT FROM deliveries d WHERE d.workspace_id = %s.workspace_id AND d.id = %s.delivery_id)', t, t));
  ELSE
    NULL;
  END CASE;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- Tables to come get both walls at once.
CREATE OR REPLACE PROCEDURE tenant_table(t regclass, workspace_column text DEFAULT 'workspace_id') LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
  EXECUTE format('CREATE POLICY tenant ON %s TO dossier_app USING (%I = (SELECT app_workspace())) WITH CHECK (%I = app_workspace())',
    t, workspace_column, workspace_column);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO dossier_app', t);
  CALL test_wall(t);
END $$;
-- +goose StatementEnd

CALL test_table('checklist_items', 'lead_id IS NULL OR EXISTS (SELECT FROM leads l WHERE l.workspace_id = checklist_items.workspace_id AND l.id = checklist_items.lead_id AND l.is_test)');
CALL test_table('webhooks', 'mode = ''test''');
CALL test_table('deliveries', 'EXISTS (SELECT FROM webhooks w WHERE w.workspace_id = deliveries.workspace_id AND w.id = deliveries.webhook_id)');
CALL test_table('exports', 'EXISTS (SELECT FROM pipeline_runs r WHERE r.workspace_id = exports.workspace_id AND r.id = exports.pipeline_run_id)');
-- +goose StatementBegin
DO $$
DECLARE
  t text;
BEGIN
  FOR t IN SELECT p.tablename FROM pg_policies p WHERE p.schemaname = current_schema AND p.policyname = 'tenant'
      AND p.tablename <> 'audit_entries' -- listed by is_test; who adds an entry must see the last of the chain
      AND NOT EXISTS (SELECT FROM pg_policies o WHERE o.schemaname = p.schemaname AND o.tablename = p.tablename AND o.policyname = 'test') LOOP
    CALL test_wall(t::regclass);
  END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE
  t text;
BEGIN
  FOR t IN SELECT tablename FROM pg_policies WHERE schemaname = current_schema AND policyname = 'test' LOOP
    EXECUTE format('DROP POLICY test ON %I', t);
  END LOOP;
END $$;
-- +goose StatementEnd
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
DROP PROCEDURE test_wall;
DROP PROCEDURE test_table;
ALTER TABLE pipeline_runs DROP COLUMN is_test;
ALTER TABLE webhooks DROP COLUMN mode;
