-- +goose NO TRANSACTION
-- The primary party of each lead that was there before there were any: some thousands in a commit, each read by the key of
-- its table, so that nobody waits. Leads that the release before makes meanwhile get theirs when it is asked for.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
  tenants uuid[];
  tenant  uuid;
  place   uuid;
BEGIN
  PERFORM set_config('role', 'dossier_system', true);
  SELECT coalesce(array_agg(id), '{}') INTO tenants FROM workspaces;
  COMMIT;
  FOREACH tenant IN ARRAY tenants LOOP
    place := '00000000-0000-0000-0000-000000000000';
    WHILE place IS NOT NULL LOOP
      PERFORM set_config('role', 'dossier_app', true), set_config('app.ws', tenant::text, true);
      WITH page AS (
        SELECT id, created_at, updated_at FROM leads WHERE workspace_id = tenant AND id > place ORDER BY workspace_id, id LIMIT 5000
      ), made AS (
        INSERT INTO parties (workspace_id, id, lead_id, role, is_primary, created_at, updated_at)
        SELECT tenant, gen_random_uuid(), id, 'borrower', true, created_at, created_at FROM page
        ON CONFLICT (workspace_id, lead_id) WHERE is_primary DO NOTHING
      )
      SELECT max(id::text)::uuid INTO place FROM page;
      COMMIT;
    END LOOP;
  END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
SELECT 1;
