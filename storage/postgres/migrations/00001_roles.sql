-- Three roles. The owner (whoever migrates) owns the tables. dossier_app does the tenants' work under row-level
-- security. dossier_system does the little that has no tenant yet: authenticate a key, relay the outbox, drive
-- the ledger, administer workspaces. Neither can log in or bypass row-level security: the login role switches
-- to one of them when a connection is opened.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
  name text;
BEGIN
  -- Roles belong to the cluster, not the database: two databases may be migrated at once.
  PERFORM pg_advisory_xact_lock(4218001);
  FOREACH name IN ARRAY ARRAY['dossier_app', 'dossier_system'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', name);
    END IF;
    IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO %I', name, current_user);
    END IF;
  END LOOP;
END $$;
-- +goose StatementEnd
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- +goose StatementBegin
-- app_workspace is the tenant of the running transaction; NULL, which no row matches, when none is set.
CREATE FUNCTION app_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('app.ws', true), '')::uuid $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- tenant_table puts row-level security on a table whose column holds the workspace's id.
CREATE PROCEDURE tenant_table(t regclass, workspace_column text DEFAULT 'workspace_id') LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
  EXECUTE format('CREATE POLICY tenant ON %s TO dossier_app USING (%I = (SELECT app_workspace())) WITH CHECK (%I = (SELECT app_workspace()))',
    t, workspace_column, workspace_column);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO dossier_app', t);
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- system_table lets dossier_system do the given things to every tenant's rows of a table.
CREATE PROCEDURE system_table(t regclass, privileges text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE POLICY system ON %s TO dossier_system USING (true) WITH CHECK (true)', t);
  EXECUTE format('GRANT %s ON %s TO dossier_system', privileges, t);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP PROCEDURE system_table;
DROP PROCEDURE tenant_table;
DROP FUNCTION app_workspace;
