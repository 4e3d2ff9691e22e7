-- One link that lives for the lead's own page, and one for each party's.

-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS portal_links_own;
CREATE UNIQUE INDEX CONCURRENTLY portal_links_own ON portal_links (workspace_id, lead_id)
  WHERE revoked_at IS NULL AND party_id IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS portal_links_party;
CREATE UNIQUE INDEX CONCURRENTLY portal_links_party ON portal_links (workspace_id, lead_id, party_id)
  WHERE revoked_at IS NULL AND party_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS portal_links_live;

-- +goose Down
DELETE FROM portal_links WHERE party_id IS NOT NULL;
CREATE UNIQUE INDEX CONCURRENTLY portal_links_live ON portal_links (workspace_id, lead_id) WHERE revoked_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS portal_links_party;
DROP INDEX CONCURRENTLY IF EXISTS portal_links_own;
