-- Searching leads by part of a word. LIKE is not leakproof, so under row-level security the planner may not use it on
-- an index, and every search read all of its tenant's leads. search_leads asks the index as a role that may see four
-- columns of every lead and nothing else, and itself keeps to the tenant of the transaction. The index begins with the
-- workspace: what other tenants have is not read.

-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
  PERFORM pg_advisory_xact_lock(4218001); -- as in 00001: roles belong to the cluster
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_search') THEN
    CREATE ROLE dossier_search NOLOGIN NOBYPASSRLS;
  END IF;
  IF NOT pg_has_role(current_user, 'dossier_search', 'MEMBER') THEN
    EXECUTE format('GRANT dossier_search TO %I', current_user);
  END IF;
END $$;
-- +goose StatementEnd
CREATE EXTENSION IF NOT EXISTS btree_gin;
DROP INDEX leads_search;
CREATE INDEX leads_search ON leads USING gin (workspace_id, search gin_trgm_ops) WHERE deleted_at IS NULL;
DROP INDEX leads_tags; -- never used, for the same reason; tags are few and a filter is enough

CREATE POLICY search ON leads FOR SELECT TO dossier_search USING (true);
GRANT SELECT (workspace_id, id, search, deleted_at) ON leads TO dossier_search;
-- +goose StatementBegin
-- search_leads returns up to most ids of the tenant's leads whose search text is like the pattern, in no order. It is
-- planned for each pattern: a rare text is looked up, a common one found by reading.
CREATE FUNCTION search_leads(pattern text, most int) RETURNS SETOF uuid LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ BEGIN
    RETURN QUERY EXECUTE 'SELECT id FROM leads WHERE workspace_id = $1 AND deleted_at IS NULL AND search LIKE $2 LIMIT $3' USING app_workspace(), pattern, most;
  END $$;
-- +goose StatementEnd
GRANT CREATE ON SCHEMA public TO dossier_search;
ALTER FUNCTION search_leads OWNER TO dossier_search;
REVOKE CREATE ON SCHEMA public FROM dossier_search;
REVOKE ALL ON FUNCTION search_leads FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_leads TO dossier_app;

-- +goose Down
DROP FUNCTION search_leads;
DROP POLICY search ON leads;
REVOKE SELECT (workspace_id, id, search, deleted_at) ON leads FROM dossier_search;
DROP INDEX leads_search;
CREATE INDEX leads_search ON leads USING gin (search gin_trgm_ops) WHERE deleted_at IS NULL;
CREATE INDEX leads_tags ON leads USING gin (tags_folded) WHERE deleted_at IS NULL;
